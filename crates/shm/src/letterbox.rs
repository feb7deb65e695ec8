//! A few lines that two ranks write in turns: a letter, then its answer, in the same place. Where
//! it is one's turn, a small packet travels here instead of in the ring.
//!
//! Why: on some processors the writer of a ring's next line first has to take it from the reader
//! that polls it, and then the reader has to fetch it: two trips. A line that goes to and fro is
//! with its next writer already: one trip. Measured half round trips, letterbox against ring: 26
//! and 61 ns on an AMD EPYC of family 26; on an Intel Xeon with 2 MB of L2 the ring is the faster
//! one (117 ns against 134), so the letterbox is used where [`pays`] says so.
//!
//! Order: a letter carries the ring position at which its sender wrote it. The reader takes it when
//! it has read the ring up to there, and before anything behind.

use crate::layout::LINE;
use crate::ring::{Line, NEXT_BYTES, Packet};
use crate::sync::{Ordering, Shared};

/// Payload bytes in the first line of a letter.
const FIRST_BYTES: usize = 36;
/// Lines of a letter.
pub const LETTER_LINES: usize = 16;
/// Payload bytes of a letter.
pub const LETTER_BYTES: usize = FIRST_BYTES + (LETTER_LINES - 1) * LINE;

#[derive(Clone, Copy)]
#[repr(C)]
struct Letter {
    packet: Packet,
    /// Position in the sender's ring.
    position: u32,
    payload: [u8; FIRST_BYTES],
}

/// The memory of a letterbox.
#[derive(Debug)]
#[repr(C)]
pub struct LetterMemory {
    /// Its sequence number counts the letters: after an even number side 0 writes the next one,
    /// after an odd number side 1.
    first: Line,
    rest: Shared<[u8; (LETTER_LINES - 1) * LINE]>,
}

// SAFETY: who may touch the lines is told by the count in the first.
unsafe impl Sync for LetterMemory {}

#[cfg(test)]
impl LetterMemory {
    pub(crate) fn unused() -> Self {
        LetterMemory { first: Line::unused(), rest: Shared::new([0; (LETTER_LINES - 1) * LINE]) }
    }
}

const _: () = assert!(size_of::<Letter>() == NEXT_BYTES);

/// One rank's end of a letterbox. There must be two in the whole job, of different sides.
#[derive(Debug)]
pub struct Letterbox<'a> {
    memory: &'a LetterMemory,
    /// Letters seen or written so far.
    letters: u32,
    /// It is our turn to write, and what we were sent has been read.
    ours: bool,
}

impl<'a> Letterbox<'a> {
    /// Side `side` (0 or 1) of a letterbox that was never used.
    pub fn new(memory: &'a LetterMemory, side: u32) -> Self {
        Letterbox { memory, letters: 0, ours: side == 0 }
    }

    /// Whether a packet with `len` payload bytes can be written now.
    #[inline(always)]
    pub fn has_room(&self, len: usize) -> bool {
        self.ours && len <= LETTER_BYTES
    }

    /// Writes a letter; `has_room` must have said that there is room. `position` is how far our
    /// ring has been written.
    #[inline(always)]
    pub fn write(&mut self, packet: Packet, position: u32, payload: &[u8]) {
        debug_assert!(self.has_room(payload.len()));
        let packet = Packet { len: payload.len() as u16, ..packet };
        let (payload, rest) = payload.split_at(payload.len().min(FIRST_BYTES));
        if !rest.is_empty() {
            self.memory.rest.with_mut(|to| {
                // SAFETY: it is our turn, so the lines are ours, and `has_room` checked the length.
                unsafe { to.cast::<u8>().copy_from_nonoverlapping(rest.as_ptr(), rest.len()) };
            });
        }
        self.memory.first.body().with_mut(|body| {
            // SAFETY: it is our turn, so the line is ours; `Letter` is as large as the body and has
            // alignment 4, as the body has.
            unsafe {
                let letter = body.cast::<Letter>();
                (&raw mut (*letter).packet).write(packet);
                (&raw mut (*letter).position).write(position);
                let to = (&raw mut (*letter).payload).cast::<u8>();
                crate::ring::copy_short(payload, to, payload.len());
            }
        });
        self.letters = self.letters.wrapping_add(1);
        self.ours = false;
        // Release: pairs with the acquire in `peek`; the body is seen with it.
        self.memory.first.sequence().store(self.letters, Ordering::Release);
    }

    /// The letter that waits to be read, and its position. It stays until `read` takes it.
    #[inline(always)]
    pub fn peek(&self) -> Option<(Packet, u32)> {
        // Acquire: pairs with the release in `write`.
        if self.ours
            || self.memory.first.sequence().load(Ordering::Acquire) != self.letters.wrapping_add(1)
        {
            return None;
        }
        self.memory.first.body().with(|body| {
            let letter = body.cast::<Letter>();
            // SAFETY: the letter was published and its writer waits for our answer.
            Some(unsafe { ((&raw const (*letter).packet).read(), (*letter).position) })
        })
    }

    /// Takes the letter that `peek` returned and copies its payload to `out`.
    #[inline(always)]
    pub fn read(&mut self, packet: Packet, out: &mut [u8]) {
        let len = usize::from(packet.len);
        let (out, rest) = out[..len].split_at_mut(len.min(FIRST_BYTES));
        if !rest.is_empty() {
            self.memory.rest.with(|from| {
                // SAFETY: as in `peek`; the writer checked that the payload fits.
                unsafe { from.cast::<u8>().copy_to_nonoverlapping(rest.as_mut_ptr(), rest.len()) };
            });
        }
        self.memory.first.body().with(|body| {
            // SAFETY: as in `peek`; cut to what a first line holds.
            unsafe {
                let payload = (&raw const (*body.cast::<Letter>()).payload).cast::<u8>();
                crate::ring::copy_out(payload, out);
            }
        });
        self.letters = self.letters.wrapping_add(1);
        self.ours = true;
    }
}

/// Whether a letterbox is faster than a ring on this processor; see the top of this file.
pub fn pays() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        let vendor = std::arch::x86_64::__cpuid(0);
        // "AuthenticAMD", in the order in which the instruction gives it.
        (vendor.ebx, vendor.edx, vendor.ecx) == (0x6874_7541, 0x6974_6e65, 0x444d_4163)
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}
