//! Says who waits for whom, from what the ranks publish. Pure: the watcher reads and prints.

use std::fmt::Write;
use std::time::Duration;

use dunlin_shm::stall::Stall;

use dunlin_machine::Cpus;
use serde::{Deserialize, Serialize};

/// What a rank is doing, as far as can be seen from outside.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub enum Activity {
    /// It has not called `MPI_Init`.
    NotInitialized,
    /// In no wait that lasts.
    Computing,
    /// In this wait.
    Waiting(#[serde(with = "crate::serial::remote::Stall")] Stall),
    /// Its process has ended, or it has called `MPI_Finalize`.
    Finished,
    /// It was not started yet, or its host has not answered.
    Unknown,
}

/// A lock of a rank's window, which processes of other hosts await, and who holds it alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub struct HeldLock {
    /// The rank whose lock it is.
    pub target: u32,
    /// The window, see [`Stall::lock`].
    pub window: u64,
    /// The rank that holds it.
    pub holder: u32,
}

/// Adds who holds the locks that ranks await, where only their owners know. A rank that has the
/// lock waits for something else.
pub fn name_holders(activities: &mut [Activity], locks: &[HeldLock]) {
    for (rank, activity) in activities.iter_mut().enumerate() {
        let Activity::Waiting(stall) = activity else { continue };
        let (Some(peer), Some(window), None) = (stall.peer, stall.lock, stall.holder) else {
            continue;
        };
        let is_it = |lock: &&HeldLock| lock.target == peer && lock.window == window;
        let holder = locks.iter().find(is_it).map(|lock| lock.holder);
        stall.holder = holder.filter(|holder| *holder as usize != rank);
    }
}

/// How long the longest wait has lasted.
pub fn longest_wait(activities: &[Activity], now_ns: u64) -> Option<Duration> {
    let waits = activities.iter().filter_map(|activity| match activity {
        Activity::Waiting(stall) => Some(waited(stall, now_ns)),
        _ => None,
    });
    waits.max()
}

fn waited(stall: &Stall, now_ns: u64) -> Duration {
    Duration::from_nanos(now_ns.saturating_sub(stall.since_ns))
}

/// A line for each group of ranks that do the same, and one for each cycle of waits.
pub fn report(activities: &[Activity], now_ns: u64) -> String {
    let mut text = String::new();
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (rank, activity) in activities.iter().enumerate() {
        let words = describe(activity, now_ns);
        match groups.iter_mut().find(|(known, _)| *known == words) {
            Some((_, ranks)) => ranks.push(rank),
            None => groups.push((words, vec![rank])),
        }
    }
    for (words, ranks) in groups {
        let noun = if ranks.len() == 1 { "rank" } else { "ranks" };
        let ranks = Cpus::from_iter(ranks);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "mpirun:   {noun} {ranks}: {words}");
    }
    for circle in circles(activities) {
        let arrows: Vec<String> = circle.iter().map(usize::to_string).collect();
        let arrows = arrows.join(" -> ");
        let _ = writeln!(
            text,
            "mpirun: these ranks wait for each other in a circle: {arrows} -> {}",
            circle[0]
        );
    }
    text
}

/// Whole seconds only, so that ranks in the same collective share a line.
fn describe(activity: &Activity, now_ns: u64) -> String {
    let stall = match activity {
        Activity::NotInitialized => return "has not called MPI_Init".into(),
        Activity::Computing => return "computing (no MPI wait published)".into(),
        Activity::Finished => return "finished".into(),
        Activity::Unknown => return "not started, or its host does not answer".into(),
        Activity::Waiting(stall) => stall,
    };
    let mut words = format!("waits in {} on {}", stall.function, stall.comm);
    if let Some(peer) = stall.peer {
        let _ = write!(words, " for rank {peer}");
    }
    if let Some(tag) = stall.tag {
        let _ = write!(words, ", tag {tag}");
    }
    if let Some(holder) = stall.holder {
        let _ = write!(words, ", held by rank {holder}");
    }
    let _ = write!(words, ", for {} s", waited(stall, now_ns).as_secs());
    words
}

/// Cycles in the graph "rank waits for peer", or for the holder of a peer's lock. Every rank has at
/// most one edge, so a walk from each rank that was not seen before finds each cycle once.
fn circles(activities: &[Activity]) -> Vec<Vec<usize>> {
    let next = |rank: usize| match activities.get(rank)? {
        Activity::Waiting(stall) => stall.holder.or(stall.peer).map(|peer| peer as usize),
        _ => None,
    };
    let mut seen = vec![false; activities.len()];
    let mut found = Vec::new();
    for first in 0..activities.len() {
        let mut walk = Vec::new();
        let mut at = Some(first);
        while let Some(rank) = at.filter(|&rank| rank < seen.len() && !seen[rank]) {
            seen[rank] = true;
            walk.push(rank);
            at = next(rank);
        }
        if let Some(start) = at.and_then(|rank| walk.iter().position(|&w| w == rank)) {
            found.push(walk.split_off(start));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND_NS: u64 = 1_000_000_000;

    fn waits_for(peer: Option<u32>) -> Activity {
        Activity::Waiting(Stall {
            function: "MPI_Recv".into(),
            comm: "MPI_COMM_WORLD".into(),
            peer,
            tag: peer.map(|_| 7),
            holder: None,
            lock: None,
            since_ns: SECOND_NS,
        })
    }

    #[test]
    fn each_rank_is_described() {
        let activities = [
            waits_for(Some(1)),
            Activity::Computing,
            Activity::Finished,
            Activity::NotInitialized,
            waits_for(None),
        ];
        let text = report(&activities, 62 * SECOND_NS);
        for line in [
            "mpirun:   rank 0: waits in MPI_Recv on MPI_COMM_WORLD for rank 1, tag 7, for 61 s\n",
            "mpirun:   rank 1: computing (no MPI wait published)\n",
            "mpirun:   rank 2: finished\n",
            "mpirun:   rank 3: has not called MPI_Init\n",
            "mpirun:   rank 4: waits in MPI_Recv on MPI_COMM_WORLD, for 61 s\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert!(!text.contains("circle"));
    }

    #[test]
    fn a_wait_for_a_lock_is_one_for_its_holder() {
        let waits = |peer, holder| {
            Activity::Waiting(Stall {
                function: "MPI_Win_lock".into(),
                comm: "window 2 (table)".into(),
                peer: Some(peer),
                tag: None,
                holder: Some(holder),
                lock: None,
                since_ns: SECOND_NS,
            })
        };
        let text = report(&[waits(3, 1), waits(0, 0)], 13 * SECOND_NS);
        let line = "rank 0: waits in MPI_Win_lock on window 2 (table) for rank 3, held by rank 1, \
                    for 12 s\n";
        assert!(text.contains(line), "{text}");
        assert!(text.contains("in a circle: 0 -> 1 -> 0\n"), "{text}");
    }

    #[test]
    fn owners_of_locks_on_other_hosts_say_who_holds_them() {
        let waits = |peer, lock| {
            let mut activity = waits_for(Some(peer));
            let Activity::Waiting(stall) = &mut activity else { unreachable!("it waits") };
            stall.lock = lock;
            activity
        };
        let mut activities = vec![waits(3, Some(7)), waits(3, Some(7)), waits(3, Some(8))];
        activities.extend([waits(1, Some(7)), waits(3, None)]);
        name_holders(&mut activities, &[HeldLock { target: 3, window: 7, holder: 1 }]);
        let holders = activities.iter().map(|activity| match activity {
            Activity::Waiting(stall) => stall.holder,
            _ => None,
        });
        assert_eq!(holders.collect::<Vec<_>>(), [Some(1), None, None, None, None]);
    }

    #[test]
    fn ranks_that_do_the_same_share_a_line() {
        let mut activities = vec![waits_for(None); 6];
        activities[2] = Activity::Computing;
        let text = report(&activities, 2 * SECOND_NS);
        assert!(text.contains("ranks 0-1,3-5: waits in"), "{text}");
        assert_eq!(text.lines().count(), 2);
    }

    #[test]
    fn a_circle_of_waits_is_said_once() {
        // 0 -> 1 -> 2 -> 1, and 3 -> 3.
        let activities: Vec<_> = [1, 2, 1, 3].map(|peer| waits_for(Some(peer))).into();
        let text = report(&activities, 2 * SECOND_NS);
        assert!(text.contains("wait for each other in a circle: 1 -> 2 -> 1\n"), "{text}");
        assert!(text.contains("circle: 3 -> 3\n"), "{text}");
        assert_eq!(text.matches("circle").count(), 2);
    }

    #[test]
    fn a_chain_that_ends_is_no_circle() {
        let activities = [waits_for(Some(1)), waits_for(Some(2)), Activity::Computing];
        assert!(!report(&activities, 2 * SECOND_NS).contains("circle"));
        assert!(!report(&[waits_for(Some(9))], 2 * SECOND_NS).contains("circle"));
    }

    #[test]
    fn the_longest_wait_counts() {
        assert_eq!(longest_wait(&[Activity::Computing], 5), None);
        let wait = longest_wait(&[Activity::Finished, waits_for(None)], 3 * SECOND_NS);
        assert_eq!(wait, Some(Duration::from_secs(2)));
    }
}
