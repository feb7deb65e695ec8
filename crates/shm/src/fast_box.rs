//! A cell and some payload lines that two ranks write in turns: a packet, then its answer, in the
//! same place. Where it is one's turn, a packet travels here instead of in the ring.
//!
//! Why: the writer of a ring's next line first has to take it from the reader that polls it, and
//! then the reader has to fetch it: two trips between the cores. A cache line that goes to and fro
//! is with its next writer already: one trip. Bare half round trips in C, fast box against ring: 52
//! and 131 ns on an Intel Xeon (Sapphire Rapids), 26 and 61 ns on an AMD EPYC of family 26; 4 KB,
//! which also stay in the caches where they are used, 0.71 and 1.10 us. Nothing in this is the
//! habit of one vendor: the protocol between caches needs fewer messages.
//!
//! Order: a packet carries its place among all packets of its sender, those in its ring counted in
//! lines. The reader takes it when it has read as much, and before anything behind.

use crate::cell::{
    self, Cell, CellHeader, INLINE_BYTES, PACKET_BYTES_MAX, PAYLOAD_LINE_BYTES, Packet,
    PayloadLine, payload_lines_for,
};
use crate::sync::{InRegion, claim, hand_over};

/// Payload lines of a packet: 8 KiB. More is written sooner into lines that have left the reader's
/// cache (bounce buffers in turn) than into those of the last packet. Models have little memory.
const FAST_BOX_LINES: usize = if cfg!(loom) { 2 } else { 128 };
/// Lines that a fast box takes up in memory.
pub const FAST_BOX_CELLS: usize = 1 + FAST_BOX_LINES;
/// Payload bytes of a packet.
pub const FAST_BOX_BYTES: usize = FAST_BOX_LINES * PAYLOAD_LINE_BYTES;
/// Payloads from this to the next size are handed over to the cache that all cores share as they
/// are written. Measured half round trips in C, with and without: 128 B 150 and 168 ns, 512 B 207
/// and 277, 1 KB 288 and 329; but 2 KB 471 and 452.
const HAND_OVER_LINES_MAX: u32 = 16;

/// The memory of a fast box.
#[derive(Debug)]
#[repr(C)]
pub struct FastBoxMemory {
    /// Its header counts the packets: after an even number the side that begins writes the next
    /// one, after an odd number the other. The count's lower half is that of the packets, its upper
    /// half the place: a packet is never further behind than a ring is long.
    first: Cell,
    payload_lines: [PayloadLine; FAST_BOX_LINES],
}

// SAFETY: made of atomics, and of cells of numbers and bytes that are read by copies.
unsafe impl InRegion for FastBoxMemory {}

#[cfg(test)]
impl FastBoxMemory {
    pub(crate) fn unused() -> Self {
        FastBoxMemory {
            first: Cell::unused(),
            payload_lines: std::array::from_fn(|_| PayloadLine::unused()),
        }
    }
}

const _: () = assert!(FAST_BOX_BYTES <= PACKET_BYTES_MAX);
#[cfg(not(loom))]
const _: () = assert!(size_of::<FastBoxMemory>() == FAST_BOX_CELLS * crate::sync::CACHE_LINE);

/// One rank's end of a fast box. There must be two in the whole job, of different sides.
#[derive(Debug)]
pub struct FastBox<'a> {
    memory: &'a FastBoxMemory,
    /// Packets seen or written so far.
    packets: u16,
    /// It is our turn to write, and what we were sent has been read.
    ours: bool,
}

impl<'a> FastBox<'a> {
    /// The side of a fast box that was never used that `begins`, or the other.
    ///
    /// # Safety
    /// There must be no other end of this side, in any process.
    pub unsafe fn new(memory: &'a FastBoxMemory, begins: bool) -> Self {
        FastBox { memory, packets: 0, ours: begins }
    }

    /// Whether a packet with `len` payload bytes can be written now.
    #[inline(always)]
    pub fn has_room(&self, len: usize) -> bool {
        self.ours && len <= FAST_BOX_BYTES
    }

    /// Writes a packet; false if there is no room. `place` is that among all packets that we send.
    #[inline(always)]
    pub fn try_write(&mut self, packet: &Packet, place: u32, payload: &[u8]) -> bool {
        if !self.has_room(payload.len()) {
            return false;
        }
        self.packets = self.packets.wrapping_add(1);
        self.ours = false;
        let count = u32::from(self.packets) | place << 16;
        let header = CellHeader::new(packet, payload.len() as u16, count);
        let in_line = if payload.len() <= INLINE_BYTES {
            payload
        } else {
            self.write_payload_lines(payload);
            &[]
        };
        // SAFETY: it is our turn, so the line is ours.
        unsafe { self.memory.first.write(header, packet, in_line) };
        true
    }

    #[inline(never)]
    fn write_payload_lines(&self, payload: &[u8]) {
        let payload_lines = &self.memory.payload_lines;
        if !(2..=HAND_OVER_LINES_MAX).contains(&payload_lines_for(payload.len())) {
            // SAFETY: it is our turn, so the payload lines are ours.
            return unsafe { cell::write_payload_lines(payload_lines, payload) };
        }
        for (payload_line, chunk) in payload_lines.iter().zip(payload.chunks(PAYLOAD_LINE_BYTES)) {
            // SAFETY: as above.
            unsafe { cell::write_payload_lines(std::slice::from_ref(payload_line), chunk) };
            hand_over(payload_line);
        }
    }

    /// The packet that waits to be read, if it is the one at this place among its sender's. It
    /// stays until `read` takes it.
    #[inline(always)]
    pub fn peek(&self, place: u32) -> Option<Packet> {
        let header = self.memory.first.header();
        let next = u32::from(self.packets.wrapping_add(1)) | place << 16;
        // SAFETY: the packet was published and its writer waits for our answer.
        (header.count() == next && !self.ours).then(|| unsafe { self.memory.first.packet(header) })
    }

    /// Takes the packet that `peek` returned and copies its payload to `out`. Of a packet that says
    /// that it is longer than a fast box, as none is, only what may be there is copied.
    #[inline(always)]
    pub fn read(&mut self, packet: &Packet, out: &mut [u8]) {
        let out = &mut out[..usize::from(packet.len)];
        if out.len() <= INLINE_BYTES {
            // SAFETY: as in `peek`; cut to what the line holds.
            unsafe { self.memory.first.read(out) };
        } else {
            self.read_payload_lines(out);
        }
        // We write it next: it may become ours while the program does what it does in between.
        claim(&self.memory.first);
        self.packets = self.packets.wrapping_add(1);
        self.ours = true;
    }

    /// Payload line by payload line: in one piece, packets of 100 to 1,000 bytes take 10 % longer.
    #[inline(never)]
    fn read_payload_lines(&self, out: &mut [u8]) {
        for (payload_line, chunk) in
            self.memory.payload_lines.iter().zip(out.chunks_mut(PAYLOAD_LINE_BYTES))
        {
            // SAFETY: as in `peek`.
            unsafe { cell::read_payload_lines(std::slice::from_ref(payload_line), chunk) };
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_length_that_no_writer_writes_reads_no_further_than_the_fast_box() {
        let memory = FastBoxMemory::unused();
        // SAFETY: the only end of this side.
        let mut reader = unsafe { FastBox::new(&memory, false) };
        let packet = Packet { tag: 5, ..Packet::default() };
        // SAFETY: nobody else has the cell.
        unsafe { memory.first.write(CellHeader::new(&packet, u16::MAX, 1), &packet, &[]) };
        let seen = reader.peek(0).unwrap();
        let mut out = vec![7; PACKET_BYTES_MAX];
        reader.read(&seen, &mut out);
        assert!(out[..FAST_BOX_BYTES].iter().all(|&b| b == 0));
        assert!(out[FAST_BOX_BYTES..].iter().all(|&b| b == 7));
    }
}
