//! The program's memory as packing sees it: blocks at offsets from the address that the program
//! gave. Packing accesses only blocks that a datatype names: the gaps may belong to other objects
//! or be unmapped (`MPI_BOTTOM`).

/// Shorter blocks of irregular lengths are packed by copies of this length.
pub const WIDE_BYTES: usize = 32;

/// Memory to pack from.
pub trait Memory {
    /// The `len` bytes at `at`, which a datatype names.
    fn block(&self, at: i64, len: usize) -> &[u8];

    /// [`WIDE_BYTES`] bytes at `at`, the offset of a block that may be shorter; `None` if not all
    /// of them are readable.
    fn wide(&self, at: i64) -> Option<&[u8; WIDE_BYTES]>;
}

/// Memory to unpack into.
pub trait MemoryMut {
    /// The same memory as a local value, whose address stays in a register while a loop writes to
    /// memory.
    fn local(&mut self) -> impl MemoryMut;

    /// The `len` bytes at `at`, which a datatype names.
    fn block_mut(&mut self, at: i64, len: usize) -> &mut [u8];
}

/// Contiguous memory.
#[derive(Clone, Copy, Debug)]
pub struct Piece<B> {
    /// Its bytes.
    pub bytes: B,
    /// The offset of the first byte.
    pub lo: i64,
}

impl<B> Piece<B> {
    fn index(&self, at: i64) -> usize {
        (at - self.lo) as usize
    }
}

/// # Panics
/// If a block lies outside.
impl Memory for Piece<&[u8]> {
    fn block(&self, at: i64, len: usize) -> &[u8] {
        &self.bytes[self.index(at)..][..len]
    }

    fn wide(&self, at: i64) -> Option<&[u8; WIDE_BYTES]> {
        self.bytes[self.index(at)..].first_chunk()
    }
}

/// # Panics
/// If a block lies outside.
impl MemoryMut for Piece<&mut [u8]> {
    fn local(&mut self) -> impl MemoryMut {
        Piece { bytes: &mut *self.bytes, lo: self.lo }
    }

    fn block_mut(&mut self, at: i64, len: usize) -> &mut [u8] {
        let at = self.index(at);
        &mut self.bytes[at..][..len]
    }
}
