//! Which of two ways of doing the same is quicker here. Where a cache line takes 40 ns from core to
//! core, one way is, where it takes 240, the other; only using both tells.

use std::time::{Duration, Instant};

/// Of how many uses one is timed. Programs repeat themselves, often in powers of two: what is timed
/// should be each of the operations that they repeat.
const TIMED_APART: u32 = 17;
/// Of how many uses one goes the way that seems slower, since things change.
const TRIED_APART: u32 = 257;
/// The same until both ways are known.
const TRIED_APART_AT_FIRST: u32 = 7;
/// Times of a way by which it is known.
const TIMES_MIN: u32 = 4;
/// From the other way to the usual one is gone back when that takes less than so many percent of
/// the time: they do not alternate.
const BACK_PERCENT: u32 = 90;
/// A new time counts so much beside those before, and as no more than so many times their mean: a
/// process may lose its core meanwhile.
const WEIGHT: f32 = 0.25;
const OUTLIER: f32 = 4.0;

/// The two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The one that is taken until more is known.
    Usual,
    /// The other.
    Other,
}

/// How to do it this time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Use {
    pub way: Choice,
    /// Whether [`AdaptiveChoice::learn`] should be told how long it takes.
    pub is_timed: bool,
}

/// What is known of one way.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    ns_per_kib: f32,
    times: u32,
}

/// What is known of both. The other way is taken when it takes less than `PERCENT` percent of the
/// usual one's time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AdaptiveChoice<const PERCENT: u32> {
    uses: u32,
    has_failed: bool,
    costs: [Cost; 2],
    prefers_other: bool,
}

impl Use {
    /// Where there is no choice.
    pub const USUAL: Use = Use { way: Choice::Usual, is_timed: false };
}

impl<const PERCENT: u32> AdaptiveChoice<PERCENT> {
    /// The way to take this time.
    pub fn next(&mut self) -> Use {
        if self.has_failed {
            return Use::USUAL;
        }
        let ways = [Choice::Usual, Choice::Other];
        let best = usize::from(self.prefers_other);
        let tried_apart = match self.costs[1 - best].is_known() {
            true => TRIED_APART,
            false => TRIED_APART_AT_FIRST,
        };
        self.uses = self.uses.wrapping_add(1);
        if self.uses % tried_apart == 0 {
            return Use { way: ways[1 - best], is_timed: true };
        }
        let is_timed = self.uses % TIMED_APART == 1 || !self.costs[best].is_known();
        Use { way: ways[best], is_timed }
    }

    /// The other way has failed.
    pub fn give_up_other(&mut self) {
        self.has_failed = true;
    }

    /// So many bytes took that long.
    pub fn learn(&mut self, way: Choice, time: Duration, bytes: usize) {
        let now = time.as_nanos() as f32 * 1024.0 / bytes.max(1) as f32;
        let cost = &mut self.costs[way as usize];
        cost.ns_per_kib = match cost.times {
            0 => now,
            1..TIMES_MIN => now.min(cost.ns_per_kib),
            _ => {
                let before = cost.ns_per_kib;
                before + WEIGHT * (now.min(OUTLIER * before) - before)
            }
        };
        cost.times = cost.times.saturating_add(1);
        let best = usize::from(self.prefers_other);
        let (best, rest) = (self.costs[best], self.costs[1 - best]);
        let percent = if self.prefers_other { BACK_PERCENT } else { PERCENT };
        let are_known = best.is_known() && rest.is_known();
        if are_known && 100.0 * rest.ns_per_kib < percent as f32 * best.ns_per_kib {
            self.prefers_other = !self.prefers_other;
        }
    }
}

/// Takes the time of a use that is timed.
#[derive(Debug)]
pub(crate) struct Stopwatch(Option<Instant>);

impl Stopwatch {
    pub fn start(is_timed: bool) -> Stopwatch {
        Stopwatch(is_timed.then(Instant::now))
    }

    /// How long it has taken, if it is timed. In unit tests all takes as long: simulated
    /// windows with the same seed must go the same ways.
    pub fn time(&self) -> Option<Duration> {
        let time = self.0?.elapsed();
        Some(if cfg!(test) { Duration::from_micros(1) } else { time })
    }
}

impl Cost {
    fn is_known(self) -> bool {
        self.times >= TIMES_MIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: usize = 1024;

    type Tried = AdaptiveChoice<70>;

    /// Uses it so often where the ways take these times in ns; how often each was taken, and timed.
    fn uses(choice: &mut Tried, count: u32, ns: [u64; 2]) -> ([u32; 2], [u32; 2]) {
        let (mut taken, mut timed) = ([0; 2], [0; 2]);
        for _ in 0..count {
            let Use { way, is_timed } = choice.next();
            taken[way as usize] += 1;
            timed[way as usize] += u32::from(is_timed);
            if is_timed {
                choice.learn(way, Duration::from_nanos(ns[way as usize]), BYTES);
            }
        }
        (taken, timed)
    }

    #[test]
    fn the_quicker_way_is_found_and_the_other_seldom_tried() {
        let mut choice = Tried::default();
        assert_eq!(uses(&mut choice, 6, [100, 50]).0, [6, 0]);
        let (taken, _) = uses(&mut choice, 50, [100, 50]);
        assert!(taken[1] > 20, "{taken:?}");
        let (taken, timed) = uses(&mut choice, 2570, [100, 50]);
        assert_eq!(taken, [10, 2560]);
        assert_eq!(timed, [10, 150]);
    }

    #[test]
    fn a_way_that_is_slower_stays_untaken() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [100, 300]);
        assert_eq!(uses(&mut choice, 2570, [100, 300]).0, [2560, 10]);
        // A little is no reason to change.
        assert_eq!(uses(&mut choice, 2570, [100, 75]).0, [2560, 10]);
    }

    #[test]
    fn it_changes_with_the_machine() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [100, 300]);
        // Where the usual way becomes slow, its own times say so.
        let (taken, _) = uses(&mut choice, 256, [1000, 300]);
        assert!(taken[1] > 150, "{taken:?}");
        // Where it becomes quick again, trials do.
        uses(&mut choice, 2570, [100, 300]);
        assert_eq!(uses(&mut choice, 2570, [100, 300]).0, [2560, 10]);
    }

    #[test]
    fn a_way_that_fails_is_not_tried_again() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [100, 50]);
        choice.give_up_other();
        assert_eq!(uses(&mut choice, 1000, [100, 50]), ([1000, 0], [0, 0]));
    }

    #[test]
    fn one_outlier_changes_nothing() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [100, 300]);
        choice.learn(Choice::Usual, Duration::from_millis(10), BYTES);
        assert_eq!(uses(&mut choice, 6, [100, 300]).0, [6, 0]);
    }
}
