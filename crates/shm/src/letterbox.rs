//! A line and some blocks that two ranks write in turns: a letter, then its answer, in the same
//! place. Where it is one's turn, a packet travels here instead of in the ring.
//!
//! Why: the writer of a ring's next line first has to take it from the reader that polls it, and
//! then the reader has to fetch it: two trips between the cores. A line that goes to and fro is
//! with its next writer already: one trip. Bare half round trips in C, letterbox against ring: 52
//! and 131 ns on an Intel Xeon (Sapphire Rapids), 26 and 61 ns on an AMD EPYC of family 26; 4 KB,
//! which also stay in the caches where they are used, 0.71 and 1.10 us. Nothing in this is the
//! habit of one vendor: the protocol between caches needs fewer messages.
//!
//! Order: a letter carries the ring position at which its sender wrote it. The reader takes it when
//! it has read the ring up to there, and before anything behind.

use crate::line::{self, BLOCK_BYTES, Block, Head, INLINE_BYTES, Line, Packet, blocks_for};
use crate::sync::{claim, hand_over};

/// Blocks of a letter: 6 KB, beyond which a single copy by the kernel is faster than two of our own
/// (8 KB: 1.35 us half round trip against 1.45).
const LETTER_BLOCKS: usize = 96;
/// Lines that a letterbox takes up in memory.
pub const LETTER_LINES: usize = 1 + LETTER_BLOCKS;
/// Payload bytes of a letter.
pub const LETTER_BYTES: usize = LETTER_BLOCKS * BLOCK_BYTES;
/// Payloads from this to the next size are handed over to the cache that all cores share as they
/// are written. Measured half round trips in C, with and without: 128 B 150 and 168 ns, 512 B 207
/// and 277, 1 KB 288 and 329; but 2 KB 471 and 452.
const HAND_OVER_BLOCKS_MAX: u32 = 16;

/// The memory of a letterbox.
#[derive(Debug)]
#[repr(C)]
pub struct LetterMemory {
    /// Its head counts the letters: after an even number side 0 writes the next one, after an odd
    /// number side 1. The count's lower half is that of the letters, its upper half that of the
    /// lines in the sender's ring: a letter is never further behind than a ring is long.
    first: Line,
    blocks: [Block; LETTER_BLOCKS],
}

#[cfg(test)]
impl LetterMemory {
    pub(crate) fn unused() -> Self {
        LetterMemory { first: Line::unused(), blocks: std::array::from_fn(|_| Block::unused()) }
    }
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<LetterMemory>() == LETTER_LINES * crate::layout::LINE);

/// One rank's end of a letterbox. There must be two in the whole job, of different sides.
#[derive(Debug)]
pub struct Letterbox<'a> {
    memory: &'a LetterMemory,
    /// Letters seen or written so far.
    letters: u16,
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
    pub fn write(&mut self, packet: &Packet, position: u32, payload: &[u8]) {
        debug_assert!(self.has_room(payload.len()));
        self.letters = self.letters.wrapping_add(1);
        self.ours = false;
        let count = u32::from(self.letters) | position << 16;
        let head = Head::new(packet, payload.len(), count);
        let in_line = if payload.len() <= INLINE_BYTES {
            payload
        } else {
            self.write_blocks(payload);
            &[]
        };
        // SAFETY: it is our turn, so the line is ours.
        unsafe { self.memory.first.write(head, packet, in_line) };
    }

    #[inline(never)]
    fn write_blocks(&self, payload: &[u8]) {
        let blocks = &self.memory.blocks;
        if !(2..=HAND_OVER_BLOCKS_MAX).contains(&blocks_for(payload.len())) {
            // SAFETY: it is our turn, so the blocks are ours; `has_room` checked the length.
            return unsafe { line::write_blocks(blocks, payload) };
        }
        for (block, chunk) in blocks.iter().zip(payload.chunks(BLOCK_BYTES)) {
            // SAFETY: as above.
            unsafe { line::write_blocks(std::slice::from_ref(block), chunk) };
            hand_over(block);
        }
    }

    /// The letter that waits to be read, if it was written when its sender's ring had come to
    /// `position`. It stays until `read` takes it.
    #[inline(always)]
    pub fn peek(&self, position: u32) -> Option<Packet> {
        let head = self.memory.first.head();
        let next = u32::from(self.letters.wrapping_add(1)) | position << 16;
        // SAFETY: the letter was published and its writer waits for our answer.
        (head.count() == next && !self.ours).then(|| unsafe { self.memory.first.packet(head) })
    }

    /// Takes the letter that `peek` returned and copies its payload to `out`.
    #[inline(always)]
    pub fn read(&mut self, packet: &Packet, out: &mut [u8]) {
        let out = &mut out[..usize::from(packet.len)];
        if out.len() <= INLINE_BYTES {
            // SAFETY: as in `peek`; cut to what the line holds.
            unsafe { self.memory.first.read(out) };
        } else {
            self.read_blocks(out);
        }
        // We write it next: it may become ours while the program does what it does in between.
        claim(&self.memory.first);
        self.letters = self.letters.wrapping_add(1);
        self.ours = true;
    }

    /// Block by block: in one piece, letters of 100 to 1,000 bytes take 10 % longer.
    #[inline(never)]
    fn read_blocks(&self, out: &mut [u8]) {
        for (block, chunk) in self.memory.blocks.iter().zip(out.chunks_mut(BLOCK_BYTES)) {
            // SAFETY: as in `peek`; the writer checked that the payload fits.
            unsafe { line::read_blocks(std::slice::from_ref(block), chunk) };
        }
    }
}
