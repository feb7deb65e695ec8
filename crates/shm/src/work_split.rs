//! Who copies what of a message that sender and receiver copy together: one word in shared memory.
//!
//! The message is cut into units. One side takes units from its front, the other from its back,
//! until they meet. Nobody waits for units that nobody has taken, so a side that comes late or not
//! at all costs only what the other then copies. The side that finishes the last unit learns this
//! from the same atomic operation that would have taken the next.

use std::ops::Range;

use crate::sync::{AtomicU64, InRegion, Ordering};

/// Bits of each of the three counts in the word.
const COUNT_BITS: u32 = 21;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;
/// The most units a message may be cut into.
pub const UNITS_MAX: u32 = 1 << (COUNT_BITS - 1);

/// From which end of the message a side takes units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// From the first unit upwards.
    Front,
    /// From the last unit downwards.
    Back,
}

/// What a side does after it has finished the units that it had taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Copies these units.
    Copy(Range<u32>),
    /// Nothing more; the other side finishes, and tells.
    Leave,
    /// Nothing more: this side finished last, and tells the other.
    Complete,
}

/// What is left when a side comes for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Units that nobody has taken.
    pub units: u32,
    /// Whether the other side has taken any yet.
    pub other_came: bool,
}

/// The work split of one message.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct WorkSplit {
    word: AtomicU64,
}

// SAFETY: made of atomics, and of cells of numbers and bytes that are read by copies.
unsafe impl InRegion for WorkSplit {}

/// The word, taken apart.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    front: u32,
    back: u32,
    finished: u32,
}

impl Counts {
    fn from_word(word: u64) -> Counts {
        let count = |i: u32| (word >> (i * COUNT_BITS) & COUNT_MASK) as u32;
        Counts { front: count(0), back: count(1), finished: count(2) }
    }

    fn to_word(self) -> u64 {
        let place = |count: u32, i: u32| u64::from(count) << (i * COUNT_BITS);
        place(self.front, 0) | place(self.back, 1) | place(self.finished, 2)
    }

    fn claim(&mut self, end: End, units: u32, total: u32) -> Range<u32> {
        let (front, back) = (self.front, total - self.back);
        match end {
            End::Front => {
                self.front += units;
                front..front + units
            }
            End::Back => {
                self.back += units;
                back - units..back
            }
        }
    }
}

impl WorkSplit {
    /// Starts a new message with the first `units` units taken from the front. The other side
    /// must not know of it yet: the packet that tells it publishes this, with release.
    pub fn begin(&self, units: u32) {
        let counts = Counts { front: units, ..Counts::default() };
        self.word.store(counts.to_word(), Ordering::Relaxed);
    }

    /// Whether a message that began with no units taken is still unchanged.
    pub fn is_untouched(&self) -> bool {
        // Relaxed: a hint; only `next` decides.
        self.word.load(Ordering::Relaxed) == 0
    }

    /// Units that were taken so far, from the front and from the back. Either number only grows.
    pub fn taken(&self) -> [u32; 2] {
        // Relaxed: only `next` says what is finished.
        let Counts { front, back, .. } = Counts::from_word(self.word.load(Ordering::Relaxed));
        [front, back]
    }

    /// Reports `done` units finished, all that this side had taken, and takes more of the
    /// `total`: as many as `portion` says of those that are left, at least one.
    pub fn next(&self, end: End, done: u32, total: u32, portion: impl Fn(Left) -> u32) -> Next {
        let mut word = self.word.load(Ordering::Relaxed);
        loop {
            let mut counts = Counts::from_word(word);
            counts.finished = counts.finished.wrapping_add(done);
            let other = if end == End::Front { counts.back } else { counts.front };
            // More taken than there are, which only a rank writes that means something else: there
            // is nothing left here.
            let units = total.saturating_sub(counts.front + counts.back);
            let next = if units > 0 {
                let wish = portion(Left { units, other_came: other > 0 });
                Next::Copy(counts.claim(end, wish.clamp(1, units), total))
            } else if done > 0 && counts.finished == total {
                Next::Complete
            } else {
                Next::Leave
            };
            // Release pairs with acquire in the same step of the other side: what was copied here
            // is seen by the side that finds everything finished.
            match self.word.compare_exchange_weak(
                word,
                counts.to_word(),
                Ordering::AcqRel,
                Ordering::Relaxed,
            ) {
                Ok(_) => return next,
                Err(now) => word = now,
            }
        }
    }
}

#[cfg(test)]
impl WorkSplit {
    fn unused() -> Self {
        WorkSplit { word: AtomicU64::new(0) }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn one_side_alone_does_everything() {
        let claims = WorkSplit::unused();
        claims.begin(2);
        let half = |left: Left| {
            assert!(!left.other_came);
            left.units / 2
        };
        assert_eq!(claims.next(End::Front, 2, 8, half), Next::Copy(2..5));
        assert_eq!(claims.next(End::Front, 3, 8, half), Next::Copy(5..6));
        assert_eq!(claims.next(End::Front, 1, 8, half), Next::Copy(6..7));
        assert_eq!(claims.next(End::Front, 1, 8, half), Next::Copy(7..8));
        assert_eq!(claims.next(End::Front, 1, 8, half), Next::Complete);
    }

    #[test]
    fn who_comes_too_late_has_nothing_to_tell() {
        let claims = WorkSplit::unused();
        claims.begin(4);
        assert_eq!(claims.next(End::Back, 0, 4, |_| 1), Next::Leave);
        assert_eq!(claims.next(End::Front, 4, 4, |_| 1), Next::Complete);
        assert_eq!(claims.next(End::Back, 0, 4, |_| 1), Next::Leave);
    }

    #[test]
    fn the_slower_side_tells() {
        let claims = WorkSplit::unused();
        claims.begin(2);
        assert_eq!(claims.next(End::Back, 0, 4, |left| left.units), Next::Copy(2..4));
        assert_eq!(claims.taken(), [2, 2]);
        assert_eq!(claims.next(End::Front, 2, 4, |_| 1), Next::Leave);
        assert_eq!(claims.next(End::Back, 2, 4, |_| 1), Next::Complete);
    }

    #[test]
    fn the_largest_message_fits_into_the_word() {
        let claims = WorkSplit::unused();
        claims.begin(1);
        let rest = claims.next(End::Back, 0, UNITS_MAX, |left| left.units);
        assert_eq!(rest, Next::Copy(1..UNITS_MAX));
        assert_eq!(claims.next(End::Front, 1, UNITS_MAX, |_| 1), Next::Leave);
        assert_eq!(claims.next(End::Back, UNITS_MAX - 1, UNITS_MAX, |_| 1), Next::Complete);
    }

    /// Whatever stands in the word, no unit beyond the message is named.
    #[test]
    fn counts_that_no_side_writes_name_no_unit_that_is_not_there() {
        for word in [u64::MAX, COUNT_MASK, COUNT_MASK << COUNT_BITS, 5, 5 << COUNT_BITS | 4] {
            for end in [End::Front, End::Back] {
                let claims = WorkSplit { word: AtomicU64::new(word) };
                match claims.next(end, 3, 8, |left| left.units) {
                    Next::Copy(units) => assert!(units.start < units.end && units.end <= 8),
                    Next::Leave | Next::Complete => {}
                }
            }
        }
    }

    /// Two threads with portions from a seed: every unit is copied once, and exactly one side
    /// finds the message complete.
    #[test]
    fn two_sides_share_without_gaps_or_overlaps() {
        const MESSAGES: u64 = 3000;
        for seed in 0..MESSAGES {
            let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let mut draw = |below: u64| {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                (random % below) as u32
            };
            let total = 1 + draw(40);
            let (first, front, back) = (1 + draw(total.into()), 1 + draw(5), 1 + draw(5));
            let claims = WorkSplit::unused();
            claims.begin(first);
            let run = |end, portion| {
                let begun = (end == End::Front).then_some(0..first);
                let mut done = begun.as_ref().map_or(0, Range::len) as u32;
                let mut mine = Vec::from_iter(begun);
                loop {
                    match claims.next(end, done, total, |_| portion) {
                        Next::Copy(units) => {
                            done = units.len() as u32;
                            mine.push(units);
                        }
                        next => return (mine, next == Next::Complete),
                    }
                }
            };
            let (a, b) = std::thread::scope(|s| {
                let other = s.spawn(|| run(End::Back, back));
                (run(End::Front, front), other.join().unwrap())
            });
            assert!(a.1 ^ b.1, "seed {seed}: one side tells");
            let mut copied: Vec<u32> = a.0.into_iter().chain(b.0).flatten().collect();
            copied.sort_unstable();
            assert!(copied.into_iter().eq(0..total), "seed {seed}");
        }
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::sync::Shared;
    use loom::sync::Arc;

    const UNITS: u32 = 3;

    type Message = (WorkSplit, [Shared<u32>; UNITS as usize]);

    /// Takes units until none is left; true if it finished last and then saw everything.
    fn copy(message: &Message, end: End, mut done: u32) -> bool {
        let (claims, data) = message;
        loop {
            match claims.next(end, done, UNITS, |_| 1) {
                Next::Copy(units) => {
                    done = units.len() as u32;
                    for unit in units {
                        // SAFETY: taken by us alone; loom checks it.
                        data[unit as usize].with_mut(|p| unsafe { *p += 1 });
                    }
                }
                Next::Leave => return false,
                Next::Complete => {
                    // SAFETY: all are finished; loom checks that the other side is not inside.
                    data.iter().for_each(|d| d.with(|p| assert_eq!(unsafe { *p }, 1)));
                    return true;
                }
            }
        }
    }

    /// In every interleaving each unit is copied once, one side learns that all is done, and that
    /// side sees all of it.
    #[test]
    fn the_last_to_finish_sees_the_whole_message() {
        loom::model(|| {
            let data = std::array::from_fn(|_| Shared::new(0));
            let message: Arc<Message> = Arc::new((WorkSplit::unused(), data));
            message.0.begin(1);
            let other = message.clone();
            let back = loom::thread::spawn(move || copy(&other, End::Back, 0));
            // SAFETY: the first unit was taken when the message began.
            message.1[0].with_mut(|p| unsafe { *p += 1 });
            let front = copy(&message, End::Front, 1);
            assert!(front ^ back.join().unwrap());
        });
    }
}
