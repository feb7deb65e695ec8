//! Which process is which rank. A process claims a rank by one compare-and-swap, so that
//! none ever shares it. Programs that take the places one after the other (a script that runs two)
//! are the steps of a job: the next begins when all ranks have finalized the one before, in memory
//! as clean as at the beginning.

use crate::sync::{AtomicU64, Ordering};

/// A rank's word: the process in the low half, then how far it is, then the step.
const PID_BITS: u32 = 32;
const PHASE_BITS: u32 = 3;
const PHASE_AT: u32 = PID_BITS;
/// The launcher's mark that what it has started for this rank has ended.
const GONE: u64 = 1 << (PHASE_AT + PHASE_BITS);
const STEP_AT: u32 = PHASE_AT + PHASE_BITS + 1;
/// In the word of all ranks, above the number of the step: the process that begins the next one.
const BEGINNER_AT: u32 = 32;

/// How far a rank is in its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nobody has taken it.
    Vacant = 0,
    /// A process is it.
    Taken = 1,
    /// The process that was it has left MPI; it may come back, with another session.
    Finalized = 2,
    /// A second process waits for the next step.
    Waiting = 3,
    /// Finalized, while somebody begins the next step.
    Locked = 4,
}

/// What stands in a rank's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Occupancy {
    pid: u32,
    phase: Phase,
    gone: bool,
    step: u32,
}

impl Occupancy {
    fn decode(word: u64) -> Occupancy {
        let phase = match (word >> PHASE_AT) & ((1 << PHASE_BITS) - 1) {
            0 => Phase::Vacant,
            1 => Phase::Taken,
            2 => Phase::Finalized,
            3 => Phase::Waiting,
            _ => Phase::Locked,
        };
        Occupancy {
            pid: word as u32,
            phase,
            gone: word & GONE != 0,
            step: (word >> STEP_AT) as u32,
        }
    }

    fn encode(self) -> u64 {
        let gone = if self.gone { GONE } else { 0 };
        u64::from(self.pid)
            | (self.phase as u64) << PHASE_AT
            | gone
            | u64::from(self.step) << STEP_AT
    }
}

/// What came of a try to take a rank's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimResult {
    /// It is ours, in this step.
    Taken(u32),
    /// The rank has finalized this step: we are the one to be it in the next.
    Waiting(u32),
    /// The next step begins just now: try again.
    Locked,
    /// Another process has it, or waits for it already.
    Held(u32),
}

/// How far the beginning of the next step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepResult {
    /// It has begun, and the place is ours.
    Begun,
    /// This rank has not finalized yet.
    Awaits(usize),
    /// This rank has ended, or will end, without another program.
    Never(usize),
    /// This process is at it.
    BeingBegun(u32),
}

/// The words of a node. All zero: step 0, nobody has come.
#[derive(Clone, Copy)]
pub(crate) struct JobSteps<'a> {
    /// The number of the step, and who begins the next.
    current: &'a AtomicU64,
    ranks: &'a [AtomicU64],
}

impl<'a> JobSteps<'a> {
    pub(crate) fn new(current: &'a AtomicU64, ranks: &'a [AtomicU64]) -> JobSteps<'a> {
        JobSteps { current, ranks }
    }

    fn occupancy(&self, rank: usize) -> Occupancy {
        // Acquire: pairs with the release in `swap`.
        Occupancy::decode(self.ranks[rank].load(Ordering::Acquire))
    }

    /// Acquire and release: who comes next sees all that was done in this place before.
    fn swap(&self, rank: usize, from: Occupancy, to: Occupancy) -> bool {
        let (from, to) = (from.encode(), to.encode());
        let word = &self.ranks[rank];
        word.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Takes a rank's place, or the turn to take it in the next step.
    pub(crate) fn take(&self, rank: usize, pid: u32) -> ClaimResult {
        loop {
            let occupancy = self.occupancy(rank);
            let (phase, taking) = match occupancy.phase {
                Phase::Vacant => (Phase::Taken, ClaimResult::Taken(occupancy.step)),
                Phase::Finalized => (Phase::Waiting, ClaimResult::Waiting(occupancy.step)),
                Phase::Locked => return ClaimResult::Locked,
                Phase::Taken | Phase::Waiting => return ClaimResult::Held(occupancy.pid),
            };
            if self.swap(rank, occupancy, Occupancy { pid, phase, ..occupancy }) {
                return taking;
            }
        }
    }

    /// The process that is this rank has left MPI, and touches what the ranks share no more.
    pub(crate) fn leave(&self, rank: usize, pid: u32) -> bool {
        self.change(rank, pid, Phase::Taken, Phase::Finalized)
    }

    /// It uses MPI again; not if another process has come to its place.
    pub(crate) fn reclaim(&self, rank: usize, pid: u32) -> bool {
        self.change(rank, pid, Phase::Finalized, Phase::Taken)
    }

    fn change(&self, rank: usize, pid: u32, from: Phase, to: Phase) -> bool {
        loop {
            let occupancy = self.occupancy(rank);
            if occupancy.pid != pid || occupancy.phase != from {
                return false;
            }
            if self.swap(rank, occupancy, Occupancy { phase: to, ..occupancy }) {
                return true;
            }
        }
    }

    /// For the launcher: what it has started for this rank has ended.
    pub(crate) fn set_gone(&self, rank: usize) {
        // Relaxed: it says nothing about memory.
        self.ranks[rank].fetch_or(GONE, Ordering::Relaxed);
    }

    /// For the process that waits at `rank`: begins the next step if all ranks have finalized this
    /// one, after `clean` has cleared what they share.
    pub(crate) fn advance<E>(
        &self,
        rank: usize,
        pid: u32,
        clean: impl FnOnce() -> Result<(), E>,
    ) -> Result<StepResult, E> {
        // Acquire: pairs with the release below, before the check of our own place: where this step
        // is over the place is ours, and where it is not the exchange below finds out.
        let current = self.current.load(Ordering::Acquire);
        let occupancy = self.occupancy(rank);
        if occupancy.phase == Phase::Taken && occupancy.pid == pid {
            return Ok(StepResult::Begun);
        }
        if current >> BEGINNER_AT != 0 {
            return Ok(StepResult::BeingBegun((current >> BEGINNER_AT) as u32));
        }
        if let Some(why_not) = self.first_not_ready() {
            return Ok(why_not);
        }
        let mine = current | u64::from(pid) << BEGINNER_AT;
        let (order, failed) = (Ordering::AcqRel, Ordering::Relaxed);
        if self.current.compare_exchange(current, mine, order, failed).is_err() {
            return Ok(StepResult::BeingBegun(pid));
        }
        let outcome = self.begin(occupancy.step, clean);
        let has_begun = matches!(outcome, Ok(StepResult::Begun));
        // Release: pairs with the acquire above.
        self.current.store(current + u64::from(has_begun), Ordering::Release);
        outcome
    }

    fn first_not_ready(&self) -> Option<StepResult> {
        (0..self.ranks.len()).find_map(|rank| {
            let occupancy = self.occupancy(rank);
            match occupancy.phase {
                Phase::Waiting => None,
                _ if occupancy.gone => Some(StepResult::Never(rank)),
                Phase::Finalized | Phase::Locked => None,
                Phase::Vacant | Phase::Taken => Some(StepResult::Awaits(rank)),
            }
        })
    }

    /// As the only one that does so.
    fn begin<E>(&self, step: u32, clean: impl FnOnce() -> Result<(), E>) -> Result<StepResult, E> {
        let locked = (0..self.ranks.len()).try_for_each(|rank| self.lock(rank));
        let cleaned = locked.map(|()| clean());
        let finalized = |occupancy| Occupancy { phase: Phase::Finalized, ..occupancy };
        match cleaned {
            Ok(Ok(())) => {
                let vacant =
                    |_| Occupancy { pid: 0, phase: Phase::Vacant, gone: false, step: step + 1 };
                self.replace(Phase::Locked, step, vacant);
                let taken =
                    |occupancy| Occupancy { phase: Phase::Taken, step: step + 1, ..occupancy };
                self.replace(Phase::Waiting, step, taken);
                Ok(StepResult::Begun)
            }
            Ok(Err(error)) => {
                self.replace(Phase::Locked, step, finalized);
                Err(error)
            }
            Err(rank) => {
                self.replace(Phase::Locked, step, finalized);
                Ok(StepResult::Awaits(rank))
            }
        }
    }

    /// Keeps the process that was this rank from coming back.
    fn lock(&self, rank: usize) -> Result<(), usize> {
        loop {
            let occupancy = self.occupancy(rank);
            match occupancy.phase {
                Phase::Waiting => return Ok(()),
                Phase::Finalized
                    if self.swap(
                        rank,
                        occupancy,
                        Occupancy { phase: Phase::Locked, ..occupancy },
                    ) =>
                {
                    return Ok(());
                }
                Phase::Finalized => {}
                _ => return Err(rank),
            }
        }
    }

    /// Nobody else changes these, except that the launcher may mark them.
    fn replace(&self, phase: Phase, step: u32, to: impl Fn(Occupancy) -> Occupancy) {
        for rank in 0..self.ranks.len() {
            let mut occupancy = self.occupancy(rank);
            while occupancy.phase == phase && occupancy.step == step {
                let changed = Occupancy { gone: occupancy.gone, ..to(occupancy) };
                if self.swap(rank, occupancy, changed) {
                    break;
                }
                occupancy = self.occupancy(rank);
            }
        }
    }

    /// The first rank that nobody is in this step yet, and whether nobody will be.
    pub(crate) fn first_absent(&self, step: u32) -> Option<(usize, bool)> {
        (0..self.ranks.len()).find_map(|rank| {
            let occupancy = self.occupancy(rank);
            let is_vacant = occupancy.phase == Phase::Vacant;
            (occupancy.step != step || is_vacant).then_some((rank, is_vacant && occupancy.gone))
        })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    const FIRST: u32 = 100;
    const SECOND: u32 = 200;

    struct Words {
        current: AtomicU64,
        ranks: Vec<AtomicU64>,
    }

    fn words(ranks: usize) -> Words {
        let ranks = (0..ranks).map(|_| AtomicU64::new(0)).collect();
        Words { current: AtomicU64::new(0), ranks }
    }

    impl Words {
        fn steps(&self) -> JobSteps<'_> {
            JobSteps::new(&self.current, &self.ranks)
        }
    }

    fn advance(steps: JobSteps<'_>, rank: usize, pid: u32) -> StepResult {
        steps.advance(rank, pid, || Ok::<(), ()>(())).unwrap()
    }

    #[test]
    fn a_place_is_taken_once() {
        let words = words(2);
        let steps = words.steps();
        assert_eq!(steps.take(0, FIRST), ClaimResult::Taken(0));
        assert_eq!(steps.take(0, SECOND), ClaimResult::Held(FIRST));
        assert_eq!(steps.take(1, SECOND), ClaimResult::Taken(0));
        assert!(!steps.leave(0, SECOND), "it is not its place");
    }

    #[test]
    fn the_next_step_begins_when_all_have_finalized_and_not_before() {
        let words = words(2);
        let steps = words.steps();
        for (rank, pid) in [(0, FIRST), (1, FIRST + 1)] {
            assert_eq!(steps.take(rank, pid), ClaimResult::Taken(0));
        }
        assert!(steps.leave(0, FIRST));
        assert_eq!(steps.take(0, SECOND), ClaimResult::Waiting(0));
        assert_eq!(steps.take(0, SECOND + 5), ClaimResult::Held(SECOND));
        assert!(!steps.reclaim(0, FIRST), "another waits in its place");
        assert_eq!(advance(steps, 0, SECOND), StepResult::Awaits(1));
        assert!(steps.leave(1, FIRST + 1));
        assert_eq!(advance(steps, 0, SECOND), StepResult::Begun);
        assert_eq!(advance(steps, 0, SECOND), StepResult::Begun, "asked again");
        assert_eq!(steps.first_absent(1), Some((1, false)));
        assert!(!steps.reclaim(1, FIRST + 1), "its step is over");
        assert_eq!(steps.take(1, SECOND + 1), ClaimResult::Taken(1));
        assert_eq!(steps.first_absent(1), None);
    }

    #[test]
    fn a_rank_that_has_ended_without_a_second_program_is_named() {
        let words = words(2);
        let steps = words.steps();
        for (rank, pid) in [(0, FIRST), (1, FIRST + 1)] {
            steps.take(rank, pid);
            assert!(steps.leave(rank, pid));
        }
        steps.take(0, SECOND);
        steps.set_gone(1);
        assert_eq!(advance(steps, 0, SECOND), StepResult::Never(1));
        // The same, had it been told a little later.
        let words = self::words(2);
        let steps = words.steps();
        for rank in 0..2 {
            steps.take(rank, FIRST);
            assert!(steps.leave(rank, FIRST));
        }
        steps.take(0, SECOND);
        assert_eq!(advance(steps, 0, SECOND), StepResult::Begun);
        steps.set_gone(1);
        assert_eq!(steps.first_absent(1), Some((1, true)));
    }

    #[test]
    fn a_process_comes_back_to_its_own_place() {
        let words = words(1);
        let steps = words.steps();
        steps.take(0, FIRST);
        assert!(!steps.reclaim(0, FIRST), "it has not left");
        assert!(steps.leave(0, FIRST) && steps.reclaim(0, FIRST));
        assert_eq!(steps.take(0, SECOND), ClaimResult::Held(FIRST));
    }

    #[test]
    fn where_the_memory_cannot_be_cleared_nothing_changes() {
        let words = words(1);
        let steps = words.steps();
        steps.take(0, FIRST);
        steps.leave(0, FIRST);
        steps.take(0, SECOND);
        assert_eq!(steps.advance(0, SECOND, || Err("no")), Err("no"));
        assert_eq!(advance(steps, 0, SECOND), StepResult::Begun);
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::sync::Shared;
    use loom::sync::Arc;

    struct Words {
        current: AtomicU64,
        ranks: [AtomicU64; 2],
        /// What ranks share: loom finds out if two touch it at once.
        memory: Shared<u32>,
    }

    impl Words {
        fn new() -> Arc<Words> {
            let word = || AtomicU64::new(0);
            let (current, ranks) = (word(), [word(), word()]);
            Arc::new(Words { current, ranks, memory: Shared::new(0) })
        }

        fn steps(&self) -> JobSteps<'_> {
            JobSteps::new(&self.current, &self.ranks)
        }

        fn touch(&self) {
            // SAFETY: loom reports it if somebody else does the same.
            self.memory.with_mut(|memory| unsafe { *memory += 1 });
        }
    }

    #[test]
    fn two_processes_never_are_one_rank() {
        loom::model(|| {
            let words = Words::new();
            let other = words.clone();
            let claimer = loom::thread::spawn(move || match other.steps().take(0, 2) {
                ClaimResult::Taken(_) => {
                    other.touch();
                    other.steps().leave(0, 2);
                    true
                }
                _ => false,
            });
            let mine = match words.steps().take(0, 1) {
                ClaimResult::Taken(_) => {
                    words.touch();
                    words.steps().leave(0, 1);
                    true
                }
                _ => false,
            };
            assert!(claimer.join().unwrap() | mine);
        });
    }

    /// Both ranks have been `1`, which has left; `2` waits in the place of rank 0.
    fn finalized() -> Arc<Words> {
        let words = Words::new();
        for rank in 0..2 {
            words.steps().take(rank, 1);
            words.steps().leave(rank, 1);
        }
        words.steps().take(0, 2);
        words
    }

    fn advance(words: &Words, rank: usize, pid: u32) -> StepResult {
        let clean = || Ok::<(), ()>(words.touch());
        words.steps().advance(rank, pid, clean).unwrap()
    }

    /// A process that comes back, for another session, is let in or finds its step over.
    #[test]
    fn memory_is_not_cleared_while_a_process_that_came_back_uses_it() {
        loom::model(|| {
            let words = finalized();
            let other = words.clone();
            let returns = loom::thread::spawn(move || {
                if other.steps().reclaim(1, 1) {
                    other.touch();
                    other.steps().leave(1, 1);
                }
            });
            advance(&words, 0, 2);
            returns.join().unwrap();
        });
    }

    /// Two begin the next step at once: one of them does, and is seen by the other.
    #[test]
    fn memory_is_cleared_once_before_anybody_uses_it() {
        loom::model(|| {
            let words = finalized();
            let other = words.clone();
            let begins = loom::thread::spawn(move || match other.steps().take(1, 3) {
                ClaimResult::Waiting(_) => advance(&other, 1, 3) == StepResult::Begun,
                taking => matches!(taking, ClaimResult::Taken(1)),
            });
            let begun = advance(&words, 0, 2) == StepResult::Begun;
            if begun {
                words.touch();
            }
            let other_begun = begins.join().unwrap();
            assert!(begun || other_begun || advance(&words, 0, 2) == StepResult::Begun);
        });
    }
}
