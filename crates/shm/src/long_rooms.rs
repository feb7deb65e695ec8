//! Where a rank puts long data in its area of a collective segment, and when that place is free.
//!
//! Usually each stage has one of [`STAGES`] rooms, in turn: what is read was written just before,
//! and all of it stays in the cache. But each line that is written again has to be taken from its
//! last reader. Processors whose cores keep what has left their own cache in one that they share
//! (AMD's Zen) write it sooner where nobody has it any more. So a *wide* rank puts one piece behind
//! the other in a region that is longer than a core's cache: bare copies of 64 KiB between two
//! cores of a Zen 4, there and back, take 3.5 instead of 9.2 us, of 16 KiB 1.2 instead of 2.5.

use std::cell::Cell;

use crate::coll_area::{ROOM_BYTES, STAGES, WIDE_BYTES, WIDE_ROOMS, place};
use crate::sync::CACHE_LINE;

/// The long rooms of this rank's area.
#[derive(Debug)]
pub(crate) struct LongRooms {
    is_wide: bool,
    /// In a wide one: where the next piece begins.
    next: Cell<usize>,
    /// By room: the stage after the last one that has filled a part of it.
    filled: [Cell<u64>; WIDE_ROOMS],
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
        LongRooms { is_wide, next: Cell::new(0), filled: std::array::from_fn(|_| Cell::new(first)) }
    }

    /// Bytes that pieces go round in.
    pub fn bytes(&self) -> usize {
        if self.is_wide { WIDE_BYTES } else { STAGES * ROOM_BYTES }
    }

    /// Where a piece begins.
    #[inline]
    pub fn start(&self, Piece { stage, taken, bytes }: Piece) -> usize {
        match (self.is_wide, self.next.get()) {
            (false, _) => place(stage, STAGES) * ROOM_BYTES + taken,
            (true, next) if next + bytes > WIDE_BYTES => 0,
            (true, next) => next,
        }
    }

    /// All must have ended the stages before this one when a piece is put there. A room that the
    /// piece before it lies in as well is free: that one has waited for it.
    #[inline]
    pub fn last_use(&self, piece: Piece) -> u64 {
        let start = self.start(piece);
        let entered = start.div_ceil(ROOM_BYTES)..(start + piece.bytes).div_ceil(ROOM_BYTES);
        self.filled[entered].iter().map(Cell::get).max().unwrap_or(0)
    }

    /// Puts a piece there, and returns where it begins.
    #[inline]
    pub fn take(&self, piece: Piece) -> usize {
        let start = self.start(piece);
        let end = start + piece.bytes;
        for room in &self.filled[start / ROOM_BYTES..end.div_ceil(ROOM_BYTES)] {
            room.set(piece.stage + 1);
        }
        self.next.set(end.next_multiple_of(CACHE_LINE));
        start
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Pieces of stages in a row, each with these lengths: where they begin and what they wait for.
    fn placed(rooms: &LongRooms, stages: u64, lengths: &[usize]) -> Vec<(u64, usize, usize, u64)> {
        let mut all = Vec::new();
        for stage in 1..=stages {
            let mut taken = 0;
            for &bytes in lengths {
                let piece = Piece { stage, taken, bytes };
                let last_use = rooms.last_use(piece);
                all.push((stage, rooms.take(piece), bytes, last_use));
                taken += bytes.next_multiple_of(CACHE_LINE);
            }
        }
        all
    }

    #[test]
    fn no_piece_is_put_where_another_may_still_be_read() {
        for (is_wide, lengths) in [
            (true, &[ROOM_BYTES][..]),
            (true, &[64 << 10]),
            (true, &[5000]),
            (true, &[64 << 10, 32 << 10]),
            (true, &[40_000, 50_000]),
            (false, &[5000, 6000]),
            (false, &[ROOM_BYTES]),
        ] {
            let all = placed(&LongRooms::new(0, is_wide), 1000, lengths);
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
    }

    #[test]
    fn wide_ones_go_round_in_all_of_their_memory_whatever_the_length() {
        for bytes in [5000, 16 << 10, 64 << 10] {
            let all = placed(&LongRooms::new(0, true), 1000, &[bytes]);
            let again = all.iter().skip(1).position(|&(_, start, ..)| start == 0).unwrap() + 1;
            let each = bytes.next_multiple_of(CACHE_LINE);
            assert_eq!(again, WIDE_BYTES / each, "pieces of {bytes}");
        }
    }
}
