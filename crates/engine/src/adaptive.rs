//! Which of two ways of doing the same is quicker here. Where a cache line takes 40 ns from core to
//! core, one way is, where it takes 240, the other; only using both tells.

use std::time::{Duration, Instant};

/// Of how many uses one is timed. Programs repeat themselves, often in powers of two: what is timed
/// should be each of the operations that they repeat.
const TIMED_APART: u32 = 17;
/// Of how many uses one tries the way that seems slower, since things change: so many that it costs
/// 1 of [`TRIAL_SHARE`] of the time, within these limits. (What trials throw out of the caches
/// costs about as much again.) The lower limit has no factor in common with [`TIMED_APART`], or
/// trials would take the place of the uses that are timed.
const TRIED_APART: (u32, u32) = (19, 1021);
const TRIAL_SHARE: f32 = 400.0;
/// The same until it has been tried.
const TRIED_APART_AT_FIRST: u32 = 7;
/// A use before each trial goes the same way, untimed: what it needs is in the cache then, as it is
/// for the other. A trial that is quicker is followed by another, and so many change the way.
const WINS_MIN: u32 = 4;
/// Times of the way that is taken before the other can win.
const TIMES_MIN: u32 = 4;
/// From the other way to the usual one is gone back when that takes less than so many percent of
/// the time: they do not alternate.
const BACK_PERCENT: u32 = 90;
/// A new time counts so much beside those before: of the way that is taken, and of a trial. No time
/// counts as more than so many times their mean: a process may lose its core meanwhile.
const WEIGHT: f32 = 0.25;
const WEIGHT_OF_TRIAL: f32 = 0.5;
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
    costs: [Cost; 2],
    prefers_other: bool,
    /// Trials in a row that were quicker.
    wins: u32,
    /// The next use is a trial that is timed.
    asks: bool,
    has_failed: bool,
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
        self.uses = self.uses.wrapping_add(1);
        let is_trial = std::mem::take(&mut self.asks);
        if is_trial || self.uses % self.tried_apart() == 0 {
            self.asks = !is_trial;
            return Use { way: ways[1 - best], is_timed: is_trial };
        }
        let is_timed = self.uses % TIMED_APART == 1 || !self.costs[best].is_known();
        Use { way: ways[best], is_timed }
    }

    fn tried_apart(&self) -> u32 {
        let best = usize::from(self.prefers_other);
        let (best, rest) = (self.costs[best], self.costs[1 - best]);
        if best.times == 0 || rest.times == 0 {
            return TRIED_APART_AT_FIRST;
        }
        let (min, max) = TRIED_APART;
        let more = rest.ns_per_kib / best.ns_per_kib - 1.0;
        ((TRIAL_SHARE * more) as u32).clamp(min, max) | 1
    }

    /// The way that was to be taken was not possible this time: if it is the one that is tried, it
    /// is tried again.
    pub fn not_possible(&mut self, way: Choice) {
        self.asks |= (way == Choice::Other) != self.prefers_other;
    }

    /// The other way has failed.
    pub fn give_up_other(&mut self) {
        self.has_failed = true;
    }

    /// So many bytes took that long.
    pub fn learn(&mut self, way: Choice, time: Duration, bytes: usize) {
        let now = time.as_nanos() as f32 * 1024.0 / bytes.max(1) as f32;
        let is_trial = (way == Choice::Other) != self.prefers_other;
        let weight = if is_trial { WEIGHT_OF_TRIAL } else { WEIGHT };
        self.costs[way as usize].add(now, weight);
        let best = usize::from(self.prefers_other);
        let (best, rest) = (self.costs[best], self.costs[1 - best]);
        let percent = if self.prefers_other { BACK_PERCENT } else { PERCENT };
        let wins = |ns: f32| best.is_known() && 100.0 * ns < percent as f32 * best.ns_per_kib;
        if !is_trial {
            // Perhaps the way that is taken has become slow.
            self.asks |= rest.times > 0 && wins(rest.ns_per_kib);
            return;
        }
        self.wins = if wins(now) { self.wins + 1 } else { 0 };
        self.asks = self.wins > 0;
        if self.wins == WINS_MIN {
            self.prefers_other = !self.prefers_other;
            (self.wins, self.asks) = (0, false);
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

    fn add(&mut self, now: f32, weight: f32) {
        let before = self.ns_per_kib;
        self.ns_per_kib = match self.times {
            0 => now,
            // The first ones make room, and fill caches.
            1..TIMES_MIN => now.min(before),
            _ => before + weight * (now.min(OUTLIER * before) - before),
        };
        self.times = self.times.saturating_add(1);
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
        uses(&mut choice, 10, [100, 50]);
        // It takes twice the time, so of 401 uses one is a trial, and one goes before it.
        let (taken, timed) = uses(&mut choice, 4010, [100, 50]);
        assert_eq!((taken, timed[0]), ([20, 3990], 10));
        assert!((230..=242).contains(&timed[1]), "{timed:?}");
    }

    #[test]
    fn a_way_that_is_slower_stays_untaken() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [100, 300]);
        assert_eq!(uses(&mut choice, 8010, [100, 300]).0, [7990, 20]);
        // A little is no reason to change.
        let (taken, _) = uses(&mut choice, 1900, [100, 75]);
        assert!(taken[1] <= 200, "{taken:?}");
    }

    #[test]
    fn it_changes_with_the_machine() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [100, 300]);
        // Where the usual way becomes slow, its own times say so.
        let (taken, _) = uses(&mut choice, 256, [1000, 300]);
        assert!(taken[1] > 150, "{taken:?}");
        // Where it becomes quick again, trials do.
        let (taken, _) = uses(&mut choice, 1500, [100, 300]);
        assert!(taken[0] > 500, "{taken:?}");
    }

    #[test]
    fn times_may_come_late() {
        // A fragment's time is known when its bounce buffer is filled again.
        const LATE: usize = 12;
        let mut choice = Tried::default();
        let mut others = 0;
        let mut under_way = std::collections::VecDeque::new();
        for _ in 0..200 {
            let now = choice.next();
            others += u32::from(now.way == Choice::Other);
            under_way.push_back(now);
            let done = if under_way.len() > LATE { under_way.pop_front() } else { None };
            if let Some(Use { way, is_timed: true }) = done {
                let ns = if way == Choice::Other { 40 } else { 100 };
                choice.learn(way, Duration::from_nanos(ns), BYTES);
            }
        }
        assert!(others > 120, "{others}");
    }

    #[test]
    fn a_way_that_fails_is_not_tried_again() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [100, 50]);
        choice.give_up_other();
        assert_eq!(uses(&mut choice, 1000, [100, 50]), ([1000, 0], [0, 0]));
    }

    #[test]
    fn what_was_not_possible_is_tried_again() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [100, 300]);
        choice.not_possible(Choice::Usual);
        assert_eq!(choice.next().way, Choice::Usual);
        choice.not_possible(Choice::Other);
        assert_eq!(choice.next(), Use { way: Choice::Other, is_timed: true });
    }

    #[test]
    fn one_outlier_changes_nothing() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [100, 300]);
        choice.learn(Choice::Usual, Duration::from_millis(10), BYTES);
        assert_eq!(uses(&mut choice, 6, [100, 300]).0, [6, 0]);
    }
}
