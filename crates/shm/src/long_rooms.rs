//! Where a rank puts long data in its area of a collective segment, and when that place is free.
//!
//! Usually each stage has one of [`STAGES`] rooms, in turn: what is read was written just before,
//! and all of it stays in the cache. But each line that is written again has to be taken from its
//! last reader. Processors whose cores keep what has left their own cache in one that they share
//! (AMD's Zen) write it sooner where nobody has it any more. So a *wide* rank puts one piece behind
//! the other in a region that is longer than a core's cache: bare copies of 64 KiB between two
//! cores of a Zen 4, there and back, take 3.5 instead of 9.2 us, of 16 KiB 1.2 instead of 2.5.
//!
//! The first use of a page costs a page fault, 2 to 3 us on a virtual machine, for what is copied
//! in 0.2 us later. So the region is short until much was put there, and whoever makes it long asks
//! the system for all its pages at once. (Where it is long from the start, the first hundred
//! allreduces of 16 KiB take 19 us instead of 4.)

use std::cell::Cell;

use crate::coll_area::{NARROW_BYTES, ROOM_BYTES, STAGES, WIDE_BYTES, place};
use crate::sync::CACHE_LINE;

/// Bytes of memory of which is known which stage has filled them last.
const GRAIN: usize = if cfg!(loom) { CACHE_LINE } else { 8 << 10 };
const GRAINS: usize = WIDE_BYTES / GRAIN;
const _: () = assert!(WIDE_BYTES % GRAIN == 0 && ROOM_BYTES % GRAIN == 0);
/// The region has room for so many stages as long as the longest so far: those that a rank may be
/// ahead, the end, where the next piece may not fit, and the grains that pieces share.
const STAGES_MIN: usize = STAGES + 2;
/// There is room behind a short region for one that is long enough, and for a round more. (Models
/// have less, and pieces of one length.)
const _: () = assert!(cfg!(loom) || (2 * STAGES_MIN + STAGES + 1) * ROOM_BYTES <= WIDE_BYTES);
/// Bytes that are put there while it is short.
const SHORT_FOR: usize = if cfg!(loom) { 2 * CACHE_LINE } else { 8 << 20 };

/// The long rooms of this rank's area.
#[derive(Debug)]
pub(crate) struct LongRooms {
    is_wide: bool,
    /// In a wide one: where the next piece begins, and where the region ends by now.
    next: Cell<usize>,
    end: Cell<usize>,
    /// Bytes that were put there while it was short.
    put: Cell<usize>,
    /// By grain: the stage after the last one that has filled a part of it.
    filled: [Cell<u64>; GRAINS],
}

/// A piece that a stage puts there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub stage: u64,
    /// What the stage has put there before.
    pub taken: usize,
    pub bytes: usize,
}

impl LongRooms {
    /// Of a rank that has used none since before stage `first`, and whose area has room for
    /// [`WIDE_BYTES`] if they are to be wide.
    pub fn new(first: u64, is_wide: bool) -> LongRooms {
        LongRooms {
            is_wide,
            next: Cell::new(0),
            end: Cell::new(0),
            put: Cell::new(0),
            filled: std::array::from_fn(|_| Cell::new(first)),
        }
    }

    /// Bytes that pieces go round in, in the end.
    pub fn bytes(&self) -> usize {
        if self.is_wide { WIDE_BYTES } else { NARROW_BYTES }
    }

    pub fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// Whether they do by now.
    #[inline]
    pub fn is_long(&self) -> bool {
        !self.is_wide || self.put.get() >= SHORT_FOR
    }

    /// Where a piece begins, and where the region of a wide one ends then. One for which the region
    /// is too short begins behind it: before its end the last few stages may still be read.
    #[inline]
    fn place(&self, piece: Piece) -> (usize, usize) {
        if !self.is_wide {
            return (place(piece.stage, STAGES) * ROOM_BYTES + piece.taken, 0);
        }
        let (next, end) = (self.next.get(), self.end.get());
        let needed = STAGES_MIN * (piece.taken + piece.bytes).next_multiple_of(GRAIN);
        match needed > end && end < WIDE_BYTES {
            true if end + piece.bytes <= WIDE_BYTES => (end, WIDE_BYTES.min(end + needed)),
            _ if next + piece.bytes > end => (0, end),
            _ => (next, end),
        }
    }

    /// Where a piece begins.
    #[inline]
    pub fn start(&self, piece: Piece) -> usize {
        self.place(piece).0
    }

    /// All must have ended the stages before this one when a piece is put there. A grain that the
    /// piece before it lies in as well is free: that one has waited for it.
    #[inline]
    pub fn last_use(&self, piece: Piece) -> u64 {
        let start = self.start(piece);
        let entered = start.div_ceil(GRAIN)..(start + piece.bytes).div_ceil(GRAIN);
        self.filled[entered].iter().map(Cell::get).max().unwrap_or(0)
    }

    /// Puts a piece there, and returns where it begins.
    #[inline]
    pub fn take(&self, piece: Piece) -> usize {
        let (start, region_end) = self.place(piece);
        let end = start + piece.bytes;
        for grain in &self.filled[start / GRAIN..end.div_ceil(GRAIN)] {
            grain.set(piece.stage + 1);
        }
        self.end.set(region_end);
        self.next.set(end.next_multiple_of(CACHE_LINE));
        start
    }

    /// Told of each piece that was taken: true once, when the region has become long.
    #[inline]
    pub fn becomes_long(&self, piece: Piece) -> bool {
        if self.is_long() {
            return false;
        }
        self.put.set(self.put.get() + piece.bytes);
        if self.is_long() {
            // What is put there next begins behind the short region.
            self.next.set(self.end.replace(WIDE_BYTES));
        }
        self.is_long()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::coll_area::STAGES_MAX;

    /// Pieces of operations that have so many stages each, with these lengths in turn: where they
    /// begin and what they wait for.
    fn placed(
        rooms: &LongRooms,
        stages: u64,
        lengths: &[&[usize]],
    ) -> Vec<(u64, usize, usize, u64)> {
        let mut all = Vec::new();
        for (number, lengths) in (0..2000).zip(lengths.iter().cycle()) {
            let stage = number / stages * STAGES_MAX as u64 + number % stages + 1;
            let mut taken = 0;
            for &bytes in *lengths {
                let piece = Piece { stage, taken, bytes };
                let last_use = rooms.last_use(piece);
                all.push((stage, rooms.take(piece), bytes, last_use));
                rooms.becomes_long(piece);
                taken += bytes.next_multiple_of(CACHE_LINE);
            }
        }
        all
    }

    /// Blocks of different lengths that one stage publishes.
    const ALLTOALLV: [usize; 4] = [1200, 1200, 32 << 10, 32 << 10];

    fn check_places(is_wide: bool, stages: u64, lengths: &[&[usize]]) {
        let all = placed(&LongRooms::new(0, is_wide), stages, lengths);
        // What the pieces before have waited for counts as well.
        let mut waited = 0;
        for (at, &(stage, start, bytes, last_use)) in all.iter().enumerate() {
            assert!(start + bytes <= if is_wide { WIDE_BYTES } else { STAGES * ROOM_BYTES });
            waited = waited.max(last_use);
            for &(earlier, other, other_bytes, _) in &all[at.saturating_sub(900)..at] {
                let is_apart = start + bytes <= other || other + other_bytes <= start;
                let is_same = earlier == stage;
                assert!(is_apart || waited > earlier && !is_same, "{at}: over {earlier}");
            }
            // So a rank may always be so far ahead.
            assert!(last_use == 0 || last_use <= stage + 1 - STAGES as u64, "{at}: {last_use}");
        }
    }

    #[test]
    fn no_piece_is_put_where_another_may_still_be_read() {
        for (is_wide, lengths) in [
            (true, &[&[ROOM_BYTES][..]][..]),
            (true, &[&[64 << 10]]),
            (true, &[&[5000]]),
            (true, &[&[64 << 10, 32 << 10]]),
            (true, &[&[40_000, 50_000]]),
            (true, &[&[5000], &[20_000, 9000], &[], &[ROOM_BYTES], &[7000]]),
            (true, &[&[5000], &[5000], &[5000], &[5000], &[5000], &[5000], &[5000], &[ROOM_BYTES]]),
            (true, &[&[8000], &[8000], &[8000], &[8000], &[8000], &[6800], &ALLTOALLV]),
            (true, &[&[32 << 10], &[32 << 10], &[32 << 10], &[8 << 10], &[16 << 10], &[16 << 10]]),
            (true, &[&[5000; 19], &[ROOM_BYTES], &[5000], &[8192]]),
            (false, &[&[5000, 6000]]),
            (false, &[&[ROOM_BYTES]]),
        ] {
            // All of one operation, or of many that become long soon.
            for stages in [2000, 7, STAGES as u64] {
                check_places(is_wide, stages, lengths);
            }
        }
    }

    #[test]
    fn a_long_piece_may_be_the_first_after_the_region_has_become_long() {
        for bytes in (5000..8100).step_by(100) {
            let short = [bytes];
            let mut lengths = vec![&short[..]; SHORT_FOR.div_ceil(bytes)];
            lengths.push(&[ROOM_BYTES]);
            check_places(true, 2000, &lengths);
        }
    }

    #[test]
    fn wide_ones_go_round_in_all_of_their_memory_after_much_use() {
        for bytes in [5000usize, 16 << 10, 64 << 10] {
            let rooms = LongRooms::new(0, true);
            let each = bytes.next_multiple_of(CACHE_LINE);
            let (mut starts, mut before) = (Vec::new(), 0);
            while starts.len() < 3 * WIDE_BYTES / each {
                let was_long = rooms.is_long();
                let piece = Piece { stage: 1, taken: 0, bytes };
                let start = rooms.take(piece);
                assert_eq!(rooms.becomes_long(piece), rooms.is_long() && !was_long);
                if was_long {
                    starts.push(start);
                } else {
                    before += bytes;
                    assert!(start + bytes <= STAGES_MIN * bytes.next_multiple_of(GRAIN));
                }
            }
            assert_eq!(before, SHORT_FOR.next_multiple_of(bytes));
            let begins: Vec<_> = (0..starts.len()).filter(|&at| starts[at] == 0).collect();
            assert_eq!(begins[1] - begins[0], WIDE_BYTES / each, "pieces of {bytes}");
        }
    }
}
