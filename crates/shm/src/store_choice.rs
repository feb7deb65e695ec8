//! Whether the payloads of a ring are written through the cache or past it, by time. Between cores
//! that are near each other the first is better; where they are far, a store to a line that the
//! reader has read takes 15 to 25 ns, and past the cache 2 ([`nontemporal`]).
//!
//! Now and then two payloads of the same length are timed, one written each way, and until all
//! stores are done: those of a short payload go on while the writer does. Readers are not asked:
//! they take 5 ns a line instead of 2 at most if it was written past the cache, and a way is left
//! only for one that takes a fraction of the time. (Between the same ways of writing bounce buffers
//! `engine/adaptive.rs` chooses, with the times of readers, for which a ring has no way back.)

use std::time::Duration;

use dunlin_copy::nontemporal;

/// Shorter payloads are written through the cache: what is past it takes 200 ns until it is done.
pub(crate) const CHOICE_LINES_MIN: u32 = 16;
/// Payloads between two pairs that are timed, and so few for so many pairs at first, until a ring
/// that they alone use has had all its page faults. (Between far cores the one that goes through
/// the cache takes as long as four others.) With the pair itself these make odd numbers: of a
/// program that sends from two buffers in turn, each is written both ways.
const APART: u32 = 257;
const APART_AT_FIRST: u32 = 9;
const FIRST_PAIRS: u32 = 48;
/// So many payloads may come between the two of a pair, because they are of other lengths.
const BETWEEN_MAX: u32 = 16;
/// Pairs in a row that must say so before a way is left.
const WINS_MIN: u32 = 3;
/// The cache is left if the way through it takes more than so many percent of the other's time, and
/// entered again below so many; both are more for many lines, in which what either way takes once
/// weighs less. Windows of 1, 2 and 4 KiB on a Zen 4, each way while most go so: far 260, 400 and
/// 580 (but of 1 KiB, while most go through the cache, less than 160), near (30 ns a line) 75, 110
/// and 140; and a lone payload through the cache among those past it, far 140, 260 and 480, near
/// 40, 65 and 115.
fn leave_percent(lines: u32) -> u64 {
    115 + u64::from(lines.min(LINES_MAX))
}

fn return_percent(lines: u32) -> u64 {
    100 + u64::from(lines.min(LINES_MAX)) * 3 / 4
}

fn has_choice(lines: u32) -> bool {
    nontemporal::EXISTS && lines >= CHOICE_LINES_MIN
}

const LINES_MAX: u32 = 128;
/// From here on, of so many lines or more, the cores must be far apart.
const FAR_PERCENT: u64 = 250;
const FAR_LINES_MIN: u32 = 64;

/// How a payload is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stores {
    pub are_past_cache: bool,
    /// Whether [`StoreChoice::learn`] should be told how long they take.
    pub is_timed: bool,
}

/// What is known.
#[derive(Debug, Default)]
pub(crate) struct StoreChoice {
    is_past_cache: bool,
    is_far: bool,
    /// The last pair of as many lines as tell said that they are not far.
    was_near: bool,
    /// Payloads until the next pair.
    until_pair: u32,
    /// The length of the first of a pair, in lines, and its time.
    first: Option<(u32, Duration)>,
    /// Payloads of other lengths since.
    between: u32,
    pairs: u32,
    wins: u32,
}

impl StoreChoice {
    /// Between cores that are far apart, and stay so.
    #[cfg(all(test, not(loom)))]
    pub fn far() -> StoreChoice {
        let until_pair = u32::MAX;
        StoreChoice { is_past_cache: true, is_far: true, until_pair, ..StoreChoice::default() }
    }

    /// Whether a payload of a pair was timed whose other has not come.
    #[cfg(all(test, not(loom)))]
    pub fn has_first(&self) -> bool {
        self.first.is_some()
    }

    /// Whether payloads are written past the cache, and by so much the better that the reader must
    /// be far away.
    pub fn is_far(&self) -> bool {
        self.is_far
    }

    /// Whether the next payload is timed, if it is long enough.
    pub fn is_due(&self) -> bool {
        nontemporal::EXISTS && self.until_pair == 0
    }

    /// Counts a payload that may go another way; true if it must come here to be timed.
    pub fn must_come(&mut self) -> bool {
        let is_due = self.is_due();
        self.until_pair = self.until_pair.saturating_sub(1);
        is_due
    }

    /// Forgets what was timed, but not what was chosen: payloads lie elsewhere from now on.
    pub fn begin_again(&mut self) {
        self.end_pair();
        self.wins = 0;
    }

    /// How to write a payload of so many lines about which there is nothing to learn.
    #[inline]
    pub fn untimed(&self, lines: u32) -> Stores {
        Stores { are_past_cache: has_choice(lines) && self.is_past_cache, is_timed: false }
    }

    /// How to write the next payload of so many lines.
    #[inline]
    pub fn next(&mut self, lines: u32) -> Stores {
        let untimed = self.untimed(lines);
        if !has_choice(lines) {
            return untimed;
        }
        if self.until_pair > 0 {
            self.until_pair -= 1;
            return untimed;
        }
        match self.first {
            None => Stores { is_timed: true, ..untimed },
            Some((length, _)) if length == lines => {
                Stores { are_past_cache: !self.is_past_cache, is_timed: true }
            }
            Some(_) => {
                self.between += 1;
                if self.between > BETWEEN_MAX {
                    self.end_pair();
                }
                untimed
            }
        }
    }

    /// There may be another after some payloads.
    fn end_pair(&mut self) {
        (self.first, self.between) = (None, 0);
        self.pairs = self.pairs.saturating_add(1);
        let is_soon = self.wins > 0 || self.pairs < FIRST_PAIRS;
        self.until_pair = if is_soon { APART_AT_FIRST } else { APART };
    }

    /// A payload that was to be timed took so long.
    pub fn learn(&mut self, stores: Stores, lines: u32, time: Duration) {
        let Some((_, first)) = self.first else {
            self.first = Some((lines, time));
            return;
        };
        let (past, through) = if stores.are_past_cache { (time, first) } else { (first, time) };
        let percent = through.as_nanos() as u64 * 100 / (past.as_nanos() as u64).max(1);
        let wins = match self.is_past_cache {
            true => percent < return_percent(lines),
            false => percent > leave_percent(lines),
        };
        self.wins = if wins { self.wins + 1 } else { 0 };
        if self.wins == WINS_MIN {
            self.is_past_cache = !self.is_past_cache;
            self.wins = 0;
        }
        if lines >= FAR_LINES_MIN {
            let was_near = std::mem::replace(&mut self.was_near, percent < FAR_PERCENT);
            // A single one may have been interrupted.
            self.is_far = percent >= FAR_PERCENT || self.is_far && !was_near;
        }
        self.is_far &= self.is_past_cache;
        self.end_pair();
    }
}

#[cfg(all(test, not(loom), target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// Writes payloads of these lengths in turn; how many went past the cache. The number of a
    /// payload and its length say how many nanoseconds each way takes.
    fn write(
        choice: &mut StoreChoice,
        lengths: &[u32],
        payloads: usize,
        ns: impl Fn(usize, u32) -> [u64; 2],
    ) -> usize {
        let lengths = lengths.iter().cycle().take(payloads).enumerate();
        let past = lengths.filter(|&(number, &lines)| {
            let stores = choice.next(lines);
            if stores.is_timed {
                let ns = ns(number, lines)[usize::from(stores.are_past_cache)];
                choice.learn(stores, lines, Duration::from_nanos(ns));
            }
            stores.are_past_cache
        });
        past.count()
    }

    /// Where both ranks are far apart, about.
    fn far(_: usize, lines: u32) -> [u64; 2] {
        [100 + 28 * u64::from(lines), 300 + u64::from(lines)]
    }

    #[test]
    fn the_way_that_takes_a_fraction_of_the_time_is_found_and_left_again() {
        let mut choice = StoreChoice::default();
        let past = write(&mut choice, &[64], 10_000, far);
        assert!((9_850..9_990).contains(&past), "{past} past the cache");
        assert!(choice.is_past_cache && choice.is_far());
        // A window that is near, but not a lone payload.
        let past = write(&mut choice, &[64], 10_000, |_, _| [520, 370]);
        assert!(past < 1400, "{past} past the cache");
        assert!(!choice.is_past_cache && !choice.is_far());
    }

    #[test]
    fn what_takes_about_as_long_is_not_left() {
        let mut choice = StoreChoice::default();
        let past = write(&mut choice, &[64], 10_000, |_, _| [600, 370]);
        assert!(!choice.is_past_cache && past < 100, "{past} past the cache");
        choice.is_past_cache = true;
        write(&mut choice, &[64], 10_000, |_, _| [600, 370]);
        assert!(choice.is_past_cache);
    }

    #[test]
    fn one_slow_payload_does_not_count() {
        let mut choice = StoreChoice::default();
        for _ in 0..100 {
            write(&mut choice, &[16], 150, |_, _| [100, 200]);
            write(&mut choice, &[16], 1, |_, _| [100_000, 200]);
            assert!(!choice.is_past_cache);
        }
        write(&mut choice, &[64], 10_000, far);
        for _ in 0..100 {
            write(&mut choice, &[64], 1000, far);
            write(&mut choice, &[64], 1, |_, _| [370, 370]);
            assert!(choice.is_far());
        }
    }

    #[test]
    fn short_payloads_do_not_say_that_the_cores_are_near() {
        let mut choice = StoreChoice::default();
        write(&mut choice, &[128], 5000, far);
        for _ in 0..100 {
            write(&mut choice, &[16, 16, 128], 1000, far);
            assert!(choice.is_far() && far(0, 16)[0] * 100 < far(0, 16)[1] * FAR_PERCENT);
        }
    }

    #[test]
    fn two_buffers_in_turn_are_written_both_ways() {
        let mut choice = StoreChoice::default();
        // One of them is in no cache.
        write(&mut choice, &[16], 100_000, |number, _| [200 + 400 * (number as u64 % 2); 2]);
        assert!(!choice.is_past_cache && choice.pairs > 300);
    }

    #[test]
    fn only_payloads_of_one_length_are_compared() {
        let mut choice = StoreChoice::default();
        assert_eq!(
            choice.next(CHOICE_LINES_MIN - 1),
            Stores { are_past_cache: false, is_timed: false }
        );
        // The longer one takes longer either way.
        write(&mut choice, &[16], 1, |_, _| [200, 200]);
        write(&mut choice, &[128], 3, |_, _| [400, 400]);
        assert_eq!((choice.pairs, choice.between), (0, 3));
        write(&mut choice, &[16], 1, |_, _| [200, 200]);
        assert_eq!((choice.pairs, choice.between, choice.wins), (1, 0, 0));
        // Of different lengths in turn each is compared with its own.
        write(&mut choice, &[16, 40, 64], 1000, |_, _| [1900, 330]);
        assert!(choice.is_past_cache);
    }

    #[test]
    fn what_was_timed_before_it_begins_again_does_not_count() {
        let mut choice = StoreChoice::default();
        while choice.wins < WINS_MIN - 1 || choice.first.is_none() {
            write(&mut choice, &[64], 1, far);
        }
        choice.begin_again();
        let pairs = choice.pairs;
        while choice.pairs < pairs + WINS_MIN {
            assert!(!choice.is_past_cache);
            write(&mut choice, &[64], 1, far);
        }
        assert!(choice.is_past_cache);
    }

    #[test]
    fn where_no_length_comes_twice_few_payloads_are_timed() {
        let mut choice = StoreChoice::default();
        let timed = (CHOICE_LINES_MIN..1000).filter(|&lines| {
            let stores = choice.next(lines);
            if stores.is_timed {
                choice.learn(stores, lines, Duration::from_nanos(100));
            }
            stores.is_timed
        });
        assert!(timed.count() < 50);
    }
}
