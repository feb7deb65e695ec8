//! The progress thread of a rank in its node: how it sleeps there beside the program, and on which
//! cpus it runs.

use std::sync::atomic::Ordering;

use crate::doorbell::Doorbell;
use crate::node::{CpuSet, FdSleep, Node, affinity, affinity_of, count, poll};
use crate::wait::{self, HelperNeeds};

impl Node {
    /// Before the first sleep of a progress thread that serves the node.
    pub fn prepare_helper(&self) {
        let doorbell = self.helper_doorbell.get_or_init(|| Doorbell::new().ok());
        if let Some(doorbell) = doorbell {
            self.records[self.me].wakeup.set_helper_doorbell(doorbell.name());
        }
    }

    /// Progress thread: announces that it will sleep, to be woken for this. It must make progress
    /// once more, and then either sleep or [clear](Node::clear_helper) that.
    pub fn announce_helper(&self, needs: HelperNeeds) {
        // Relaxed: the barrier in `announce_helper` comes after it.
        self.sleepers.fetch_add(1, Ordering::Relaxed);
        self.records[self.me].wakeup.announce_helper(needs, wait::barrier_everywhere);
    }

    /// Progress thread: sleeps until a peer wakes it or what `fd_sleep` names has happened; false
    /// if only time has passed.
    pub fn sleep_as_helper(&self, fd_sleep: FdSleep) -> bool {
        poll(self.helper_doorbell(), fd_sleep)
    }

    /// Progress thread: does not sleep after all, or woke up.
    pub fn clear_helper(&self) {
        self.records[self.me].wakeup.clear_helper();
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
        if let Some(doorbell) = self.helper_doorbell() {
            // After this the caller polls: what a silenced ring was for is seen then.
            doorbell.drain();
        }
    }

    fn helper_doorbell(&self) -> Option<&Doorbell> {
        self.helper_doorbell.get().and_then(Option::as_ref)
    }

    /// Wakes this rank's own progress thread.
    pub fn wake_helper(&self) {
        self.records[self.me].wakeup.wake_helper();
    }

    /// Lets this thread run where no rank of the node may: on cpus that our launcher, the parent of
    /// this process, may use and has given to none of them. Where there are fewer than ranks, on
    /// those of this rank as well: false. Nothing changes if there are none, as where ranks are not
    /// bound. `None`, without effect, while ranks have not said where they run.
    pub fn use_spare_cpus(&self) -> Option<bool> {
        let Some(spare) = self.spare_cpus()? else { return Some(false) };
        // SAFETY: the mask is ours and as long as we say; 0 is this thread. Where the kernel does
        // not allow it, the thread stays where it is.
        unsafe { libc::sched_setaffinity(0, size_of_val(&spare.cpus), spare.cpus.as_ptr().cast()) };
        Some(spare.enough)
    }

    /// Whether there are as many such cpus as ranks; `None` while ranks have not said where they
    /// run.
    pub fn has_spare_cpus(&self) -> Option<bool> {
        Some(self.spare_cpus()?.is_some_and(|spare| spare.enough))
    }

    /// The same, as far as can be said without knowing where ranks run.
    pub fn may_have_spare_cpus(&self) -> bool {
        count(&launcher_cpus()) >= 2 * self.ranks()
    }

    fn spare_cpus(&self) -> Option<Option<Spare>> {
        // Acquire: pairs with the release in `set_pid`, before which a rank says that.
        if self.records.iter().any(|record| record.pid.load(Ordering::Acquire) == 0) {
            return None;
        }
        let taken = self.records.iter().map(|record| {
            let mut cpus = CpuSet::default();
            for (to, from) in cpus.iter_mut().zip(&record.cpus) {
                *to = from.load(Ordering::Relaxed);
            }
            cpus
        });
        Some(spare(launcher_cpus(), taken, &affinity()))
    }
}

/// Those that our launcher, the parent of this process, may use.
fn launcher_cpus() -> CpuSet {
    affinity_of(std::os::unix::process::parent_id() as libc::pid_t)
}

/// Cpus for progress threads.
#[derive(Debug, PartialEq, Eq)]
struct Spare {
    cpus: CpuSet,
    /// Not fewer than ranks.
    enough: bool,
}

/// Where a progress thread runs, of the cpus of its launcher, of all ranks, and of its own rank.
fn spare(launcher: CpuSet, taken: impl Iterator<Item = CpuSet>, own: &CpuSet) -> Option<Spare> {
    let (mut spare, mut ranks) = (launcher, 0);
    for cpus in taken {
        ranks += 1;
        spare.iter_mut().zip(cpus).for_each(|(left, word)| *left &= !word);
    }
    let left = count(&spare);
    let enough = left >= ranks;
    if !enough {
        spare.iter_mut().zip(own).for_each(|(all, word)| *all |= word);
    }
    (left > 0).then_some(Spare { cpus: spare, enough })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cpus(numbers: &[usize]) -> CpuSet {
        let mut set = CpuSet::default();
        numbers.iter().for_each(|number| set[number / 64] |= 1 << (number % 64));
        set
    }

    #[test]
    fn progress_threads_run_where_no_rank_does() {
        let launcher = cpus(&[0, 1, 2, 3, 70]);
        let place = |ranks: &[&[usize]]| {
            spare(launcher, ranks.iter().map(|rank| cpus(rank)), &cpus(ranks[0]))
        };
        let found = |numbers, enough| Some(Spare { cpus: cpus(numbers), enough });
        assert_eq!(place(&[&[0], &[1]]), found(&[2, 3, 70], true));
        assert_eq!(place(&[&[0], &[1], &[2]]), found(&[0, 3, 70], false));
        assert_eq!(place(&[&[0, 1], &[2, 3, 70]]), None);
        // Ranks that are not bound.
        let all: &[usize] = &[0, 1, 2, 3, 70];
        assert_eq!(place(&[all, all]), None);
    }

    #[test]
    fn a_progress_thread_that_sleeps_is_woken_by_what_it_needs() {
        let (a, b) = crate::node::tests::pair();
        b.prepare_helper();
        let sleep = |timeout_ms| {
            let timeout = std::time::Duration::from_millis(timeout_ms);
            let has_come = b.sleep_as_helper(FdSleep { fds: Vec::new(), timeout });
            b.clear_helper();
            has_come
        };
        b.announce_helper(HelperNeeds::Protocol);
        a.wake_for_short(1);
        assert!(!sleep(1), "short messages wait for the program");
        for needs in [HelperNeeds::Protocol, HelperNeeds::Everything] {
            b.announce_helper(needs);
            a.wake_all(0..2);
            assert!(sleep(60_000));
        }
        b.announce_helper(HelperNeeds::Everything);
        a.wake_for_short(1);
        assert!(sleep(60_000));
        assert_eq!(b.sleepers.load(Ordering::Relaxed), 0);
    }
}
