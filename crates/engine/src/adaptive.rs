//! Which of two ways of doing the same is quicker here: only using both tells. Fragments of a long
//! message, for instance, are best written through the cache where a cache line takes 40 ns from
//! core to core, and past it where one takes 240 (`p2p/rendezvous.rs`); so it is with long puts and
//! gets (`rma/long.rs`).
//!
//! One of the ways is taken first, that which can lose less, and timed now and then. Of the other
//! there is a trial from time to time, since things change. Where a way leaves memory in other
//! caches than the other does, a trial writes all of it first.

use std::time::{Duration, Instant};

/// Of how many uses one is timed. Programs repeat themselves, often in powers of two: what is timed
/// should be each of the operations that they repeat.
const TIMED_APART: u32 = 17;
/// So many uses, or a multiple, are between two trials at least. It has no factor in common with
/// [`TIMED_APART`], or trials would take the place of the uses that are timed.
const TRIED_APART: u32 = 19;
/// Trials cost 1 of so many parts of the time, or less: so many bytes go the better way before the
/// next. (What trials throw out of the caches costs about as much again.)
const TRIAL_SHARE: f32 = 200.0;
/// But for so many times the bytes of a trial there is another, whatever it costs.
const TRIED_APART_MAX: i64 = 1021;
/// Uses between two trials while one of the ways has never been timed, and for how many uses. After
/// these, what cannot be timed is hardly tried.
const TRIED_APART_AT_FIRST: u32 = 7;
const FIRST_USES: u32 = 128;
const TRIED_APART_UNTIMED: u32 = 1021;
/// Where a trial has to write memory first ([`AdaptiveChoice::of_memory`]), it is so many times
/// that memory after one that was lost at least, since the way back takes time, too.
const MEMORIES_APART_MIN: i64 = 128;
/// So many times the memory after one that may have been won: its times come late.
const MEMORIES_TO_KNOW: i64 = 4;
/// And, of long uses, so many after the first trial.
const USES_TO_KNOW: i64 = 32;
/// A use before each trial goes the same way, untimed: what it needs is in the cache then, as it is
/// for the way that is taken. A trial that is quicker is followed by another, and so many change
/// the way.
const WINS_MIN: u32 = 4;
/// What takes so many times as long as the other way loses by far. Where ways write memory, a trial
/// that wins by far counts as so many.
const BY_FAR: f32 = 3.0;
const WINS_BY_FAR: u32 = 2;
/// Of a trial that has written memory first, so many uses are timed: some times come late, or
/// never.
const TIMED_IN_TRIAL: u32 = 2 * WINS_MIN;
/// Times of the way that is taken before a trial can win.
const TIMES_MIN: u32 = 4;
/// From [`Choice::Other`] to [`Choice::Usual`] is gone back when that takes less than so many
/// percent of the time: they do not alternate.
const BACK_PERCENT: u32 = 90;
/// The same while it is assumed that [`Choice::Other`] is better: [`Choice::Usual`] takes that long
/// at first, before the memory is where it leaves it.
const ASSUMED_PERCENT: u32 = 200;
/// And so [`Choice::Other`] is taken again if the next trial, with warm-up, takes less than that.
const RETURN_PERCENT: u32 = 95;
/// A new time counts so much beside those before: of the way that is taken, and of a trial. No time
/// counts as more than so many times their mean: a process may lose its core meanwhile.
const WEIGHT: f32 = 0.25;
const WEIGHT_OF_TRIAL: f32 = 0.5;
const OUTLIER: f32 = 4.0;

/// The two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The one that is taken until more is known, if nothing else is said.
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

/// A trial that takes some time until what it needs is where that way has it.
#[derive(Debug, Clone, Copy, Default)]
struct Warmup {
    /// Bytes that go the other way before it is timed; 0: one use does.
    bytes: i64,
    /// Those that are left of the trial in progress, and its uses that are timed.
    left: i64,
    timed_left: u32,
    /// Uses of the way that is taken that were to be timed while its cost was not known.
    asked: u32,
    /// Bytes since it began.
    since: i64,
    /// It is the first, which has none.
    is_first: bool,
}

/// What is known of one way.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    ns_per_kib: f32,
    times: u32,
}

/// What is known of both. [`Choice::Other`] is taken when it takes less than `PERCENT` percent of
/// the time of [`Choice::Usual`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AdaptiveChoice<const PERCENT: u32> {
    uses: u32,
    costs: [Cost; 2],
    prefers_other: bool,
    /// Which of them is better is assumed: there was no trial yet that says much.
    is_assumed: bool,
    /// Bytes that go the better way before the next trial.
    until_trial: i64,
    /// The next use is a trial that is timed.
    trial_is_due: bool,
    /// Trials in a row that were quicker.
    wins: u32,
    other_has_failed: bool,
    warmup: Warmup,
}

impl Use {
    /// Where there is no choice.
    pub const USUAL: Use = Use { way: Choice::Usual, is_timed: false };
}

impl<const PERCENT: u32> AdaptiveChoice<PERCENT> {
    /// Of ways that write memory which is so long in turn, and leave it in different caches: what a
    /// way takes is seen when it has written all of it. The first time has page faults, and tells
    /// nothing.
    pub fn of_memory(bytes: usize) -> AdaptiveChoice<PERCENT> {
        let warmup = Warmup { bytes: bytes as i64, ..Warmup::default() };
        AdaptiveChoice { until_trial: warmup.bytes, warmup, ..AdaptiveChoice::default() }
    }

    /// The same, where [`Choice::Other`] is taken until more is known.
    #[must_use]
    pub fn other_first(self) -> AdaptiveChoice<PERCENT> {
        AdaptiveChoice { prefers_other: true, is_assumed: true, ..self }
    }

    /// The way that is taken, but for trials.
    pub fn best(&self) -> Choice {
        let is_other = self.prefers_other && !self.other_has_failed;
        if is_other { Choice::Other } else { Choice::Usual }
    }

    /// How many times are known of each way.
    #[cfg(test)]
    pub fn times(&self) -> [u32; 2] {
        self.costs.map(|cost| cost.times)
    }

    /// The way to take this time, for so many bytes.
    pub fn next(&mut self, bytes: usize) -> Use {
        if self.other_has_failed {
            return Use::USUAL;
        }
        let ways = [Choice::Usual, Choice::Other];
        let best = usize::from(self.prefers_other);
        self.uses = self.uses.wrapping_add(1);
        self.until_trial = self.until_trial.saturating_sub(bytes as i64);
        if self.warmup.bytes > 0 {
            let is_trial = self.goes_on_with_trial(bytes);
            let way = ways[if is_trial.is_some() { 1 - best } else { best }];
            return Use { way, is_timed: is_trial.unwrap_or_else(|| self.is_turn_in_memory()) };
        }
        let trial_was_due = std::mem::take(&mut self.trial_is_due);
        if trial_was_due || self.is_turn_of_trial() {
            self.trial_is_due = !trial_was_due;
            // What cannot be timed is not tried again soon.
            self.until_trial = TRIED_APART_MAX.saturating_mul(bytes as i64);
            return Use { way: ways[1 - best], is_timed: trial_was_due };
        }
        let is_timed = self.uses % TIMED_APART == 1 || !self.costs[best].is_known();
        Use { way: ways[best], is_timed }
    }

    /// Whether a use of the way that is taken, which is no trial, is timed.
    fn is_turn_in_memory(&mut self) -> bool {
        let cost = self.costs[usize::from(self.prefers_other)];
        if cost.times == 0 && self.until_trial > 0 {
            return false;
        }
        // Perhaps nobody can say what it takes.
        let is_asked = !cost.is_known() && self.warmup.asked < FIRST_USES;
        self.warmup.asked += u32::from(is_asked);
        is_asked || self.uses % TIMED_APART == 1
    }

    /// Whether this use is one of a trial with warm-up, and is timed.
    fn goes_on_with_trial(&mut self, bytes: usize) -> Option<bool> {
        let best = usize::from(self.prefers_other);
        let is_known = self.costs[best].is_known();
        // So a first trial soon says what is quicker by far; the next one corrects it.
        let is_first = self.costs[1 - best].times == 0;
        let warmup = &mut self.warmup;
        warmup.since = warmup.since.saturating_add(bytes as i64);
        if warmup.left <= 0 && warmup.timed_left > 0 {
            warmup.timed_left -= 1;
            return Some(true);
        }
        // Times may come late: those of a trial are known before the next.
        let is_due = std::mem::take(&mut self.trial_is_due)
            && warmup.since > MEMORIES_TO_KNOW * warmup.bytes;
        if warmup.left <= 0 && (is_due || self.until_trial <= 0) && is_known {
            warmup.left = if is_first { 0 } else { warmup.bytes };
            warmup.is_first = is_first;
            (warmup.timed_left, warmup.since) = (TIMED_IN_TRIAL, 0);
            self.until_trial = TRIED_APART_MAX * warmup.bytes;
        }
        let is_warmup = warmup.left > 0;
        warmup.left -= if is_warmup { bytes as i64 } else { 0 };
        is_warmup.then_some(false)
    }

    fn is_turn_of_trial(&self) -> bool {
        if self.costs.iter().all(|cost| cost.times > 0) {
            return self.until_trial <= 0 && self.uses % TRIED_APART == 0;
        }
        let is_first = self.uses < FIRST_USES;
        self.uses % if is_first { TRIED_APART_AT_FIRST } else { TRIED_APART_UNTIMED } == 0
    }

    /// The way that was to be taken was not possible this time. If it was a trial, there is another
    /// when it is its turn.
    pub fn not_possible(&mut self) {
        self.trial_is_due = false;
    }

    /// The other way has failed.
    pub fn give_up_other(&mut self) {
        self.other_has_failed = true;
    }

    /// So many bytes took that long; more than 0.
    pub fn learn(&mut self, way: Choice, time: Duration, bytes: usize) {
        let now = time.as_nanos() as f32 * 1024.0 / bytes as f32;
        let is_trial = (way == Choice::Other) != self.prefers_other;
        let weight = if is_trial { WEIGHT_OF_TRIAL } else { WEIGHT };
        self.costs[way as usize].add(now, weight);
        let best = usize::from(self.prefers_other);
        let (best, rest) = (self.costs[best], self.costs[1 - best]);
        let percent = match self.prefers_other {
            true if self.is_assumed && self.warmup.is_first => ASSUMED_PERCENT,
            true => BACK_PERCENT,
            false if self.is_assumed => RETURN_PERCENT,
            false => PERCENT,
        };
        let wins = |ns: f32| best.is_known() && 100.0 * ns < percent as f32 * best.ns_per_kib;
        if !is_trial {
            // Perhaps the way that is taken has become slow.
            self.trial_is_due |= rest.times > 0 && wins(rest.ns_per_kib);
            return;
        }
        // With the use before it, or the warm-up.
        let tried = match self.warmup.bytes {
            0 => 2 * bytes as i64,
            memory => memory + i64::from(TIMED_IN_TRIAL) * bytes as i64,
        };
        // What pays for a trial of a way that takes so many times as long.
        let most = TRIED_APART_MAX.saturating_mul((bytes as i64).max(self.warmup.bytes));
        let pays_for = |times: f32, memories: i64| {
            let until = tried as f32 * (times - 1.0).max(0.0) * TRIAL_SHARE;
            (until as i64).clamp(memories * self.warmup.bytes, most)
        };
        let is_by_far = self.warmup.bytes > 0 && BY_FAR * now < best.ns_per_kib;
        let more = if is_by_far { WINS_BY_FAR } else { 1 };
        self.wins = if wins(now) { self.wins + more } else { 0 };
        let least = if self.wins > 0 { MEMORIES_TO_KNOW } else { MEMORIES_APART_MIN };
        let until_trial = pays_for(rest.ns_per_kib / best.ns_per_kib, least);
        let until_way_back = pays_for(best.ns_per_kib / now, MEMORIES_APART_MIN);
        self.until_trial = until_trial;
        let is_lost_by_far = rest.ns_per_kib.min(now) >= BY_FAR * best.ns_per_kib;
        let was_warm = !self.warmup.is_first;
        self.is_assumed &= !(is_lost_by_far || was_warm && !wins(now));
        if self.warmup.is_first && !is_lost_by_far {
            // It had no warm-up: that it is lost says little, unless by far.
            let uses = USES_TO_KNOW.saturating_mul(bytes as i64);
            self.until_trial = uses.max(MEMORIES_TO_KNOW * self.warmup.bytes);
        } else if self.warmup.is_first {
            self.until_trial = MEMORIES_APART_MIN * self.warmup.bytes;
        }
        self.trial_is_due = self.wins > 0 && self.warmup.bytes == 0;
        if self.wins >= WINS_MIN {
            self.prefers_other = !self.prefers_other;
            self.is_assumed &= self.warmup.is_first;
            (self.wins, self.trial_is_due) = (0, false);
            (self.warmup.left, self.warmup.timed_left) = (0, 0);
            if is_by_far {
                self.until_trial = until_way_back;
            }
        }
    }
}

/// Takes the time of a use that is timed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Option<Instant>);

impl Stopwatch {
    pub fn start(is_timed: bool) -> Stopwatch {
        Stopwatch(is_timed.then(Instant::now))
    }

    /// Whether it takes the time.
    pub fn runs(&self) -> bool {
        self.0.is_some()
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
            let Use { way, is_timed } = choice.next(BYTES);
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
        // It takes twice the time, so of 400 uses one is a trial, and one goes before it.
        let (taken, timed) = uses(&mut choice, 4180, [100, 50]);
        assert_eq!((taken, timed[0]), ([20, 4160], 10));
        assert!((230..=250).contains(&timed[1]), "{timed:?}");
    }

    #[test]
    fn a_way_that_is_slower_stays_untaken() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [100, 300]);
        assert_eq!(uses(&mut choice, 8170, [100, 300]).0, [8150, 20]);
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
            let now = choice.next(BYTES);
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
    fn what_was_not_possible_is_tried_when_it_is_its_turn() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [100, 300]);
        // The trial that begins here is not possible.
        while choice.next(BYTES).way == Choice::Usual {}
        choice.not_possible();
        assert_eq!(choice.next(BYTES).way, Choice::Usual);
        let trials = (0..4000).map(|_| choice.next(BYTES)).filter(|now| now.way == Choice::Other);
        let is_timed: Vec<bool> = trials.map(|now| now.is_timed).collect();
        assert_eq!(is_timed[..4], [false, true, false, true], "a use goes before each");
    }

    #[test]
    fn what_cannot_be_timed_is_hardly_tried() {
        let mut choice = Tried::default();
        let mut others = 0;
        for _ in 0..10_000 {
            let now = choice.next(BYTES);
            others += u32::from(now.way == Choice::Other);
            if now == (Use { way: Choice::Other, is_timed: true }) {
                choice.learn(Choice::Other, Duration::from_nanos(10), BYTES);
            }
        }
        assert!(others < 70, "{others}");
    }

    #[test]
    fn a_trial_of_many_bytes_is_followed_by_many_of_the_better_way() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [50, 100]);
        let (mut tried, mut taken) = (0, 0);
        for _ in 0..20_000 {
            let now = choice.next(BYTES);
            // A trial lasts until all is done that was sent: here, 64 messages.
            let bytes = if now.way == Choice::Other { 64 * BYTES } else { BYTES };
            *if now.way == Choice::Other { &mut tried } else { &mut taken } += bytes;
            if now.is_timed {
                let ns = if now.way == Choice::Other { 64 * 100 } else { 50 };
                choice.learn(now.way, Duration::from_nanos(ns), bytes);
            }
        }
        assert!(tried > 0 && 150 * tried < taken, "{tried} and {taken}");
    }

    /// Uses a choice of ways that write memory of 64 uses, of which each takes as long as where the
    /// last use of its place has left it, `ns[way][way before]`, and tells what it has taken some
    /// uses later. How many of the last 20,000 go the other way.
    fn uses_of_memory(ns: [[u64; 2]; 2], late: usize) -> u32 {
        const PLACES: usize = 64;
        let mut choice = AdaptiveChoice::<65>::of_memory(PLACES * BYTES);
        let (mut before, mut others) = ([0; PLACES], 0);
        let mut under_way = std::collections::VecDeque::new();
        for number in 0..30_000 {
            let now = choice.next(BYTES);
            let place = &mut before[number % PLACES];
            let took = ns[now.way as usize][*place];
            *place = now.way as usize;
            others += u32::from(now.way == Choice::Other && number >= 10_000);
            under_way.push_back((now, took));
            let done = if under_way.len() > late { under_way.pop_front() } else { None };
            if let Some((Use { way, is_timed: true }, took)) = done {
                choice.learn(way, Duration::from_nanos(took), BYTES);
            }
        }
        others
    }

    #[test]
    fn a_way_is_timed_where_it_has_left_the_memory_itself() {
        for late in [0, 1, 70] {
            // The first use after the other way takes long, whichever is quicker.
            assert!(uses_of_memory([[100, 500], [300, 200]], late) < 300, "{late}");
            assert!(uses_of_memory([[300, 500], [300, 100]], late) > 19_700, "{late}");
            // What is little slower or quicker is tried as seldom.
            assert!(uses_of_memory([[100, 150], [120, 80]], late) < 300, "{late}");
            assert!(uses_of_memory([[100, 150], [120, 101]], late) < 300, "{late}");
        }
    }

    /// Which of the first uses of memory of 8 uses go the other way.
    fn first_others(ns: [u64; 2]) -> Vec<usize> {
        first_others_of(AdaptiveChoice::of_memory(8 * BYTES), ns)
    }

    fn first_others_of(mut choice: AdaptiveChoice<65>, ns: [u64; 2]) -> Vec<usize> {
        let mut others = Vec::new();
        for number in 0..800 {
            let Use { way, is_timed } = choice.next(BYTES);
            if way == Choice::Other {
                others.push(number);
            }
            if is_timed {
                choice.learn(way, Duration::from_nanos(ns[way as usize]), BYTES);
            }
        }
        others
    }

    #[test]
    fn a_first_trial_that_is_lost_is_soon_followed_by_one_with_warm_up() {
        let others = first_others([100, 180]);
        let second = others.iter().position(|&at| at > others[0] + 16).unwrap();
        assert!(others[second] < others[0] + 56, "{others:?}");
        // That one was lost, too: the next is far away.
        assert!(others[others.len() - 1] < others[second] + 24, "{others:?}");
    }

    #[test]
    fn a_first_trial_that_is_lost_by_far_is_followed_by_none_for_long() {
        assert_eq!(first_others([100, 400]).len(), TIMED_IN_TRIAL as usize);
    }

    #[test]
    fn a_way_that_takes_far_less_time_is_taken_after_two_trials() {
        let others = first_others([400, 100]);
        assert!(others[0] < 20 && others.len() + others[0] > 795, "{others:?}");
    }

    #[test]
    fn the_way_to_begin_with_can_be_told() {
        let mut choice = AdaptiveChoice::<65>::of_memory(8 * BYTES).other_first();
        assert!((0..7).all(|_| choice.next(BYTES) == Use { way: Choice::Other, is_timed: false }));
        let others =
            |ns| first_others_of(AdaptiveChoice::<65>::of_memory(8 * BYTES).other_first(), ns);
        // A cold trial says too little to stay with a way that takes 1.5 times as long.
        assert!(others([80, 100]).len() < 70 && others([150, 100]).len() > 650);
        assert!(others([500, 100]).len() > 780);
    }

    #[test]
    fn what_nobody_can_time_is_asked_for_seldom() {
        let mut choice = AdaptiveChoice::<65>::of_memory(8 * BYTES);
        let timed = (0..20_000).filter(|_| choice.next(BYTES).is_timed).count();
        assert!(timed < 2000, "{timed}");
    }

    #[test]
    fn one_outlier_changes_nothing() {
        let mut choice = Tried::default();
        uses(&mut choice, 64, [100, 300]);
        choice.learn(Choice::Usual, Duration::from_millis(10), BYTES);
        assert_eq!(uses(&mut choice, 6, [100, 300]).0, [6, 0]);
    }
}
