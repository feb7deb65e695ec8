//! What rings and fast boxes are made of: cells, which hold the header of a packet and a short
//! payload, and payload lines for longer ones. Who may touch which when, the rings and fast boxes
//! say.

use dunlin_copy::{nontemporal, shared};

use crate::prefault::prefault;
use crate::sync::{AtomicU64, InRegion, Ordering, Shared};

/// Payload bytes that fit into the cell itself.
pub const INLINE_BYTES: usize = 40;
/// Bytes of one payload line.
pub const PAYLOAD_LINE_BYTES: usize = 64;
/// Payload bytes that a packet's header can count.
pub const PACKET_BYTES_MAX: usize = u16::MAX as usize;

/// How the error begins that ends this process where another rank has written what none writes.
pub const DAMAGED: &str = "memory that the ranks of this node share is damaged";

/// What the cell says about a packet. The meaning of all but `len` is the caller's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Packet {
    /// What the packet is.
    pub kind: u8,
    /// Bits or a small number, as `kind` has it.
    pub flags: u8,
    /// Payload bytes that follow.
    pub len: u16,
    /// The sender's rank in the communicator.
    pub source: u32,
    /// Tag of the message.
    pub tag: i32,
    /// Context of the message.
    pub context: u64,
}

/// What lies beside the header of a line.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct Body {
    source: u32,
    tag: i32,
    context: u64,
    payload: [u8; INLINE_BYTES],
}

/// The first word of a line. It is written and read as one, so that who sees a new sequence number
/// has the length with it. Lowest byte first: kind, flags, length (two), and in the upper half what
/// the user of the line counts.
#[derive(Clone, Copy)]
pub(crate) struct CellHeader(u64);

impl CellHeader {
    #[inline(always)]
    pub fn new(packet: &Packet, len: u16, count: u32) -> CellHeader {
        CellHeader(
            u64::from(packet.kind)
                | u64::from(packet.flags) << 8
                | u64::from(len) << 16
                | u64::from(count) << 32,
        )
    }

    #[inline(always)]
    pub fn count(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// A cell: its header, and the rest of a packet.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Cell {
    header: AtomicU64,
    body: Shared<Body>,
}

// SAFETY: the body is touched by the producer before the cell is published and by the consumer
// after it, never by both.
unsafe impl Sync for Cell {}

// SAFETY: made of atomics, and of cells of numbers and bytes that are read by copies.
unsafe impl InRegion for Cell {}

impl Cell {
    /// The header, with all that was written before it.
    #[inline(always)]
    pub(crate) fn header(&self) -> CellHeader {
        // Acquire: pairs with the release in `write`.
        CellHeader(self.header.load(Ordering::Acquire))
    }

    /// Fills the cell and publishes it. Of the payload it takes what it has room for.
    ///
    /// # Safety
    /// The cell must be the caller's to write, and `payload` at most [`INLINE_BYTES`] long.
    #[inline(always)]
    pub(crate) unsafe fn write(&self, header: CellHeader, packet: &Packet, payload: &[u8]) {
        self.body.with_mut(|body| {
            // SAFETY: by this function's contract; memory of a line is initialised (zeroed).
            unsafe {
                (&raw mut (*body).source).write(packet.source);
                (&raw mut (*body).tag).write(packet.tag);
                (&raw mut (*body).context).write(packet.context);
                copy_short(payload.as_ptr(), (&raw mut (*body).payload).cast(), payload.len());
            }
        });
        // Release: pairs with the acquire in `header`; body and payload lines are seen with it.
        self.header.store(header.0, Ordering::Release);
    }

    /// The packet in a cell whose header is `header`.
    ///
    /// # Safety
    /// The cell must be published and not given back yet.
    #[inline(always)]
    pub(crate) unsafe fn packet(&self, header: CellHeader) -> Packet {
        self.body.with(|body| {
            // SAFETY: by this function's contract. Volatile: what is checked is what is used, even
            // if the sender writes here against the rules.
            let (source, tag, context) = unsafe {
                (
                    (&raw const (*body).source).read_volatile(),
                    (&raw const (*body).tag).read_volatile(),
                    (&raw const (*body).context).read_volatile(),
                )
            };
            let (kind, flags, len) =
                (header.0 as u8, (header.0 >> 8) as u8, (header.0 >> 16) as u16);
            Packet { kind, flags, len, source, tag, context }
        })
    }

    /// Copies the payload out of the line.
    ///
    /// # Safety
    /// As for `packet`; `out` is at most [`INLINE_BYTES`] long.
    #[inline(always)]
    pub(crate) unsafe fn read(&self, out: &mut [u8]) {
        self.body.with(|body| {
            // SAFETY: by this function's contract.
            unsafe {
                copy_short((&raw const (*body).payload).cast(), out.as_mut_ptr(), out.len());
            }
        });
    }
}

/// A piece of a payload. Who may touch it is told by the cell of its packet.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct PayloadLine(Shared<[u8; PAYLOAD_LINE_BYTES]>);

// SAFETY: as for `Cell`.
unsafe impl Sync for PayloadLine {}

// SAFETY: made of atomics, and of cells of numbers and bytes that are read by copies.
unsafe impl InRegion for PayloadLine {}

/// Fills payload lines that follow each other, in one piece: in a stream a message of 4 KB then
/// takes 0.65 us, and 1.3 payload line by payload line (Intel Xeon).
///
/// # Safety
/// The payload lines must be the caller's to write.
#[inline(always)]
pub(crate) unsafe fn write_payload_lines(payload_lines: &[PayloadLine], from: &[u8]) {
    // SAFETY: by this function's contract; it copies so many bytes.
    unsafe { fill_payload_lines(payload_lines, from, shared::write_at) }
}

/// The same past the cache.
///
/// # Safety
/// As for [`write_payload_lines`].
pub(crate) unsafe fn write_payload_lines_past_cache(payload_lines: &[PayloadLine], from: &[u8]) {
    // SAFETY: as above.
    unsafe { fill_payload_lines(payload_lines, from, nontemporal::copy) }
}

/// # Safety
/// As for [`write_payload_lines`]; `copy` may be called as [`std::ptr::copy_nonoverlapping`].
#[inline(always)]
#[cfg_attr(loom, allow(unused_variables, reason = "a model has no cache"))]
unsafe fn fill_payload_lines(
    payload_lines: &[PayloadLine],
    from: &[u8],
    copy: unsafe fn(*const u8, *mut u8, usize),
) {
    assert!(from.len() <= size_of_val(payload_lines), "{} bytes for payload lines", from.len());
    #[cfg(not(loom))]
    // SAFETY: by this function's contract, and checked; the lines have no gaps between them.
    unsafe {
        copy(from.as_ptr(), payload_lines.as_ptr().cast_mut().cast(), from.len());
    }
    #[cfg(loom)]
    for (payload_line, from) in payload_lines.iter().zip(from.chunks(PAYLOAD_LINE_BYTES)) {
        // SAFETY: as above, one cell at a time.
        payload_line.0.with_mut(|to| unsafe {
            to.cast::<u8>().copy_from_nonoverlapping(from.as_ptr(), from.len());
        });
    }
}

/// Copies out of payload lines that follow each other. Their sender says how many bytes: one that
/// says more than there is room for ends this process. It does not say how it has written them:
/// what is in its cache has to be read by vectors (by the string instruction 12 KiB of a stream
/// take 400 or 750 ns, in rhythms that change); what is not, they read almost as fast.
///
/// # Safety
/// The payload lines must be published and not given back yet.
#[inline(always)]
pub(crate) unsafe fn read_payload_lines(payload_lines: &[PayloadLine], to: &mut [u8]) {
    assert!(to.len() <= size_of_val(payload_lines), "{DAMAGED}: {} bytes of payload", to.len());
    #[cfg(not(loom))]
    // SAFETY: by this function's contract, and checked; the lines have no gaps between them.
    unsafe {
        shared::read_cached_at(payload_lines.as_ptr().cast(), to.as_mut_ptr(), to.len());
    }
    #[cfg(loom)]
    for (payload_line, to) in payload_lines.iter().zip(to.chunks_mut(PAYLOAD_LINE_BYTES)) {
        // SAFETY: as above, one cell at a time.
        payload_line.0.with(|from| unsafe {
            from.cast::<u8>().copy_to_nonoverlapping(to.as_mut_ptr(), to.len());
        });
    }
}

/// Asks the system for all pages of payload lines.
pub(crate) fn prefault_payload_lines(payload_lines: &[PayloadLine]) {
    prefault(payload_lines.as_ptr().cast_mut().cast(), size_of_val(payload_lines));
}

#[cfg(test)]
impl Cell {
    pub(crate) fn unused() -> Self {
        let body = Body { source: 0, tag: 0, context: 0, payload: [0; INLINE_BYTES] };
        Cell { header: AtomicU64::new(0), body: Shared::new(body) }
    }
}

#[cfg(test)]
impl PayloadLine {
    pub(crate) fn unused() -> Self {
        PayloadLine(Shared::new([0; PAYLOAD_LINE_BYTES]))
    }
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Cell>() == crate::sync::CACHE_LINE);
#[cfg(not(loom))]
const _: () = assert!(size_of::<PayloadLine>() == crate::sync::CACHE_LINE);

/// Payload lines a packet with `len` payload bytes needs beside its line: more than any ring has
/// for what a header cannot count.
#[inline(always)]
pub(crate) const fn payload_lines_for(len: usize) -> u32 {
    match len {
        0..=INLINE_BYTES => 0,
        _ if len <= PACKET_BYTES_MAX => len.div_ceil(PAYLOAD_LINE_BYTES) as u32,
        _ => u32::MAX,
    }
}

/// Copies a few bytes, up to 40, in two or three moves that may overlap: a call of `memcpy`
/// costs as much as the rest of a short message's way through the ring.
///
/// # Safety
/// `from` and `to` must be valid for `len` bytes and must not overlap.
#[inline(always)]
unsafe fn copy_short(from: *const u8, to: *mut u8, len: usize) {
    /// Copies an `N` at `at`.
    #[inline(always)]
    unsafe fn piece<N: Copy>(from: *const u8, to: *mut u8, at: usize) {
        // SAFETY: by the contract of `copy_short`, whose cases keep within `len`.
        unsafe {
            to.add(at).cast::<N>().write_unaligned(from.add(at).cast::<N>().read_unaligned());
        }
    }
    debug_assert!(len <= INLINE_BYTES);
    // SAFETY: every case covers exactly `len` bytes.
    unsafe {
        match len {
            8 => piece::<u64>(from, to, 0),
            0 => {}
            1..4 => {
                piece::<u8>(from, to, 0);
                piece::<u8>(from, to, len / 2);
                piece::<u8>(from, to, len - 1);
            }
            4..8 => {
                piece::<u32>(from, to, 0);
                piece::<u32>(from, to, len - 4);
            }
            9..17 => {
                piece::<u64>(from, to, 0);
                piece::<u64>(from, to, len - 8);
            }
            _ => {
                piece::<u128>(from, to, 0);
                if len > 32 {
                    piece::<u128>(from, to, 16);
                }
                piece::<u128>(from, to, len - 16);
            }
        }
    }
}
