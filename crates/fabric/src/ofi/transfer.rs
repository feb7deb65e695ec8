//! What a read of a peer's memory, or a write to it, moves here.

/// Parts of operations that are under way at most.
pub const PARTS_MAX: usize = 16;

/// Where data goes.
#[derive(Clone, Copy)]
pub enum Transfer {
    /// From the peer to this memory.
    Read(*mut [u8]),
    /// From this memory to the peer.
    Write(*const [u8]),
}

impl Transfer {
    /// This process's memory, of which nothing is said but where it is.
    pub fn memory(self) -> *const [u8] {
        match self {
            Transfer::Read(into) => into,
            Transfer::Write(from) => from,
        }
    }

    /// A part of it.
    pub fn part(self, begun: usize, len: usize) -> Transfer {
        match self {
            Transfer::Read(into) => {
                let start = into.cast::<u8>().wrapping_add(begun);
                Transfer::Read(std::ptr::slice_from_raw_parts_mut(start, len))
            }
            Transfer::Write(from) => {
                let start = from.cast::<u8>().wrapping_add(begun);
                Transfer::Write(std::ptr::slice_from_raw_parts(start, len))
            }
        }
    }
}
