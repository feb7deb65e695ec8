//! Overlap: long transfers and nonblocking collectives go on while the program computes. The
//! progress thread does that, on a core that no rank has. On one node, it has the engine only while
//! the program has handed it over, at the end of a call that leaves such work. Then the program's
//! calls have to take it back, which costs each a locked instruction, and the fast path of
//! `fast_guard.rs` is closed. In all other calls nothing is paid, therefore; and the engine is
//! handed over only by programs that have been seen to compute meanwhile ([`Detector`]).

use std::cell::{Cell, RefCell};

use crate::engine::clock::monotonic_ns;
use crate::engine::{Engine, fast_guard};
use crate::p2p::request::LONG_BYTES;
use crate::threads::lock;
use crate::threads::progress_thread::{self, Service};

/// A program that stays outside MPI for so long computes.
const GAP_NS: u64 = 3_000;
/// Episodes of computing count so much, up to a limit; others take 1 away.
const COMPUTED: u32 = 2;
const SCORE_MAX: u32 = 8;
/// From this score on the program is expected to compute: after two episodes.
const EXPECTED: u32 = 3;
/// An episode of more calls is broken off, and taken as one without computing: what is under way
/// may be a receive that was begun for later.
const CALLS_MAX: u32 = 64;
/// Up to so many calls that leave long work are not watched after an episode without computing. One
/// that is watched costs 0.1 us.
const UNWATCHED_MAX: u32 = 16;
/// The same after one that was broken off.
const UNWATCHED_AFTER_MANY: u32 = 1024;

/// Finds out whether the program computes while long work is under way. An episode lasts from the
/// call that begins such work to the one that finds all of it done.
#[derive(Debug)]
struct Detector {
    score: u32,
    /// Calls that are not watched any more, and how many are not after the next episode in vain.
    unwatched: u32,
    unwatched_next: u32,
    /// When the last call of this episode ended, while the program is outside.
    left_at_ns: Option<u64>,
    /// Calls of this episode so far.
    calls: u32,
    /// After how many of them the program computed first, and in the last episode in which it did.
    computed_after: Option<u32>,
    computes_after: u32,
}

impl Default for Detector {
    fn default() -> Detector {
        Detector {
            score: 0,
            unwatched: 0,
            unwatched_next: 1,
            left_at_ns: None,
            calls: 0,
            computed_after: None,
            computes_after: 0,
        }
    }
}

impl Detector {
    /// A call begins long work: whether that is left for later. Without that, work which is done as
    /// it begins would never be seen to go on beside a computation.
    fn defers(&mut self) -> bool {
        self.unwatched = self.unwatched.saturating_sub(1);
        self.unwatched == 0 || self.expects_computing()
    }

    /// A call leaves long work, and there was none before: whether an episode begins.
    fn begins(&mut self) -> bool {
        let begins = self.unwatched == 0;
        self.unwatched = self.unwatched.saturating_sub(1);
        begins
    }

    /// A call of the episode ends: whether the program most likely computes before the next one.
    /// One that begins several transfers comes back at once.
    fn leaves(&mut self, now_ns: u64) -> bool {
        self.left_at_ns = Some(now_ns);
        self.calls += 1;
        self.calls >= self.computes_after
    }

    /// The next one has begun.
    fn comes_back(&mut self, now_ns: u64) {
        let Some(left_at_ns) = self.left_at_ns.take() else { return };
        if now_ns.saturating_sub(left_at_ns) >= GAP_NS {
            self.computed_after.get_or_insert(self.calls);
        }
        if self.calls >= CALLS_MAX {
            self.breaks_off();
        }
    }

    /// The work is done.
    fn ends(&mut self) {
        self.left_at_ns = None;
        self.calls = 0;
        if let Some(calls) = self.computed_after.take() {
            self.computes_after = calls;
            self.score = (self.score + COMPUTED).min(SCORE_MAX);
            self.unwatched_next = 1;
            return;
        }
        self.score = self.score.saturating_sub(1);
        if self.score == 0 {
            self.unwatched = self.unwatched_next;
            self.unwatched_next = (2 * self.unwatched_next).min(UNWATCHED_MAX);
        }
    }

    /// It lasts too long.
    fn breaks_off(&mut self) {
        self.computed_after = None;
        self.ends();
        if self.score == 0 {
            self.unwatched = UNWATCHED_AFTER_MANY;
        }
    }

    fn is_watching(&self) -> bool {
        self.unwatched == 0
    }

    fn expects_computing(&self) -> bool {
        self.score >= EXPECTED
    }
}

/// What this process knows of overlap.
#[derive(Debug, Default)]
pub(crate) struct Overlap {
    /// Whether the engine may be handed over, as far as could be told when MPI began first. Only
    /// then do all calls of the slow path take the lock.
    may_be: Cell<bool>,
    /// Calls look whether they leave long work.
    watches: Cell<bool>,
    /// The fast path is closed, because such work is under way and the program may compute.
    is_shared: Cell<bool>,
    /// Whether there are cpus for progress threads, once that is known.
    has_cpus: Cell<Option<bool>>,
    has_thread: Cell<bool>,
    detector: RefCell<Detector>,
}

impl Overlap {
    /// Whether calls look whether they leave long work.
    #[inline(always)]
    pub(crate) fn watches(&self) -> bool {
        self.watches.get()
    }

    /// Whether the progress thread may have the engine now and then.
    #[inline]
    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared.get()
    }
}

impl Engine {
    /// Decides, as MPI begins first, whether the engine may be handed over: true.
    pub(crate) fn decide_on_overlap(&self) -> bool {
        let is_node_of_several = self.node.ranks() > 1 && !self.spans_nodes;
        let may_be = match self.service {
            Service::Always => self.serves_all,
            Service::Overlap => is_node_of_several,
            // Only our launcher says which cpus it has given to ranks.
            Service::Windows => {
                is_node_of_several && self.lifeline.is_some() && self.node.may_have_spare_cpus()
            }
            Service::Never => false,
        };
        self.overlap.may_be.set(may_be);
        may_be
    }

    /// MPI begins: calls look from now on whether they leave long work.
    pub(crate) fn begin_overlap(&self) {
        let has_one_thread = self.serves_all || !lock::is_threaded();
        self.overlap.watches.set(self.overlap.may_be.get() && has_one_thread);
        *self.overlap.detector.borrow_mut() = Detector::default();
    }

    /// MPI ends, or cannot have what this needs: they do not any more.
    pub(crate) fn end_overlap(&self) {
        self.overlap.watches.set(false);
        self.open_fast_path();
    }

    fn close_fast_path(&self) {
        self.overlap.is_shared.set(true);
        fast_guard::share(self, true);
    }

    /// If it was closed for overlap.
    fn open_fast_path(&self) {
        if self.overlap.is_shared.take() {
            progress_thread::want(false);
            fast_guard::share(self, false);
        }
    }

    /// A nonblocking call begins long work: whether it leaves that to the progress thread, or to
    /// the next call.
    pub(crate) fn defers(&self) -> bool {
        if !self.overlap.watches() {
            false
        } else if self.serves_all {
            progress_thread::has_core()
        } else {
            self.has_cpus() && self.overlap.detector.borrow_mut().defers()
        }
    }

    /// Begins to send or receive, which copies nothing yet if the message is long and
    /// [deferred](Engine::defers).
    pub(crate) fn begin_message<T>(&self, bytes: usize, begin: impl FnOnce() -> T) -> T {
        if bytes < LONG_BYTES || !self.defers() {
            return begin();
        }
        self.messages.borrow_mut().node.defers_long = true;
        let begun = begin();
        self.messages.borrow_mut().node.defers_long = false;
        begun
    }

    /// A call has taken the engine, which the program may have handed over.
    pub(crate) fn note_return(&self) {
        if self.overlap.is_shared() {
            self.overlap.detector.borrow_mut().comes_back(monotonic_ns());
        }
    }

    /// A call gives the engine back: to be had by the next one, or by the progress thread, too. Not
    /// inlined: calls that give back a lock of the program's threads come by the same way.
    #[inline(never)]
    pub(crate) fn give_back(&self) {
        if self.serves_all {
            self.note_for_helper();
        }
        if self.overlap.watches() && self.hands_over() {
            progress_thread::hand_over();
        } else {
            progress_thread::leave();
        }
    }

    fn hands_over(&self) -> bool {
        let is_long = self.tasks.has_some_to_overlap()
            || self.messages.try_borrow().is_ok_and(|m| m.transfers.requests.has_long());
        if self.serves_all {
            return is_long;
        }
        let Overlap { is_shared, detector, .. } = &self.overlap;
        if !is_long {
            if is_shared.get() {
                detector.borrow_mut().ends();
                self.open_fast_path();
            }
            return false;
        }
        if !is_shared.get() {
            if !self.has_cpus() || !detector.borrow_mut().begins() {
                return false;
            }
            self.close_fast_path();
        } else if !detector.borrow().is_watching() {
            // It has ended without end of the work.
            self.open_fast_path();
            return false;
        }
        let computes_next = detector.borrow_mut().leaves(monotonic_ns());
        if !detector.borrow().expects_computing() {
            progress_thread::want(false);
            return false;
        }
        if !self.has_thread() {
            return false;
        }
        progress_thread::expect_return(!computes_next);
        progress_thread::want(true);
        progress_thread::ring(|| self.node.wake_helper());
        true
    }

    /// Whether there are cpus for progress threads. If it turns out that there are none, overlap
    /// ends.
    fn has_cpus(&self) -> bool {
        if let Some(has_cpus) = self.overlap.has_cpus.get() {
            return has_cpus;
        }
        let has_cpus = match self.service {
            Service::Windows => self.node.has_spare_cpus(),
            _ => Some(true),
        };
        // Not known: not all ranks have said yet where they run.
        self.overlap.has_cpus.set(has_cpus);
        if has_cpus == Some(false) {
            self.end_overlap();
        }
        has_cpus == Some(true)
    }

    /// Whether there is a progress thread, which is started when it is needed first. A process that
    /// may have no more threads goes on without.
    fn has_thread(&self) -> bool {
        if !self.overlap.has_thread.get() {
            match self.start_progress_thread() {
                Ok(()) => self.overlap.has_thread.set(true),
                Err(_) => self.end_overlap(),
            }
        }
        self.overlap.has_thread.get()
    }
}

/// Several threads of the program may call MPI from now on: the engine is handed over no more.
pub(crate) fn end_for_threads(engine: &Engine) {
    if !engine.has_progress_thread() {
        engine.end_overlap();
        lock::share_with_no_progress_thread();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An episode with these gaps. Whether it was watched.
    fn play(detector: &mut Detector, now_ns: &mut u64, gaps_ns: &[u64]) -> bool {
        if !detector.begins() {
            return false;
        }
        for gap_ns in gaps_ns {
            detector.leaves(*now_ns);
            *now_ns += gap_ns;
            detector.comes_back(*now_ns);
            *now_ns += 100;
        }
        detector.ends();
        true
    }

    #[test]
    fn two_episodes_of_computing_are_enough_and_some_without_end_it() {
        let (mut detector, mut now_ns) = (Detector::default(), 0);
        assert!(play(&mut detector, &mut now_ns, &[50, GAP_NS, 50]));
        assert!(!detector.expects_computing());
        assert!(play(&mut detector, &mut now_ns, &[2 * GAP_NS]));
        assert!(detector.expects_computing());
        // A benchmark that measures by turns with and without computing.
        for _ in 0..10 {
            assert!(play(&mut detector, &mut now_ns, &[50, 50]));
            assert!(play(&mut detector, &mut now_ns, &[50, GAP_NS]));
            assert!(detector.expects_computing());
        }
        let mut episodes = 0;
        while detector.expects_computing() {
            assert!(play(&mut detector, &mut now_ns, &[GAP_NS - 1]));
            episodes += 1;
        }
        assert!((2..=SCORE_MAX).contains(&episodes), "{episodes}");
    }

    #[test]
    fn it_is_known_after_which_call_the_program_computes() {
        let (mut detector, mut now_ns) = (Detector::default(), 0);
        let gaps_ns = [50, 60, GAP_NS, 50];
        for _ in 0..3 {
            assert!(play(&mut detector, &mut now_ns, &gaps_ns));
        }
        assert!(detector.begins());
        let expected = gaps_ns.map(|gap_ns| {
            let computes_next = detector.leaves(now_ns);
            now_ns += gap_ns;
            detector.comes_back(now_ns);
            computes_next
        });
        assert_eq!(expected, [false, false, true, true]);
    }

    #[test]
    fn what_is_done_as_it_begins_is_put_off_now_and_then() {
        let mut detector = Detector::default();
        let deferred = (0..1000).filter(|_| {
            let defers = detector.defers();
            if defers && detector.begins() {
                detector.ends();
            }
            defers
        });
        assert!((50..200).contains(&deferred.count()));
    }

    #[test]
    fn programs_that_do_not_compute_are_watched_rarely() {
        let (mut detector, mut now_ns) = (Detector::default(), 0);
        let mut watched =
            |gap_ns| (0..10_000).filter(|_| play(&mut detector, &mut now_ns, &[gap_ns])).count();
        assert!(watched(100) < 700);
        assert!(watched(GAP_NS) > 9_000);
    }

    #[test]
    fn a_receive_for_later_is_not_watched_for_long() {
        for gap_ns in [10, GAP_NS] {
            let (mut detector, mut now_ns) = (Detector::default(), 0);
            for _ in 0..2 {
                assert!(play(&mut detector, &mut now_ns, &[GAP_NS]));
            }
            assert!(detector.begins());
            for _ in 0..SCORE_MAX * CALLS_MAX {
                detector.leaves(now_ns);
                now_ns += gap_ns;
                detector.comes_back(now_ns);
            }
            assert!(!detector.expects_computing() && !detector.is_watching());
            let watched = (0..10_000).filter(|_| detector.begins()).count();
            assert!(watched > 0);
        }
    }
}
