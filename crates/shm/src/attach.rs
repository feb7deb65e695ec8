//! How a process becomes a rank of the segment: at once, in the job's next step if another program
//! was this rank before, or not at all, with the reason.

use std::io;
use std::os::fd::AsRawFd;
use std::time::Duration;

use crate::job_steps::{ClaimResult, StepResult};
use crate::rank_record::RankView;
use crate::segment::Segment;

/// Between checks whether the next step can begin: at first, and at most.
const LOOK: Duration = Duration::from_micros(50);
const LOOK_MAX: Duration = Duration::from_millis(5);

/// Called again and again while a process waits for the next step, with a rank of the job
/// that it waits for; an error ends the wait.
pub type Idle<'a> = &'a mut dyn FnMut(RankView<'_>, u32) -> io::Result<()>;

impl Segment {
    /// Makes this process rank `me`.
    pub(crate) fn claim_rank(&self, me: usize, idle: Idle<'_>) -> io::Result<()> {
        match self.steps().take(me, std::process::id()) {
            ClaimResult::Taken(0) => Ok(()),
            ClaimResult::Locked => {
                std::thread::sleep(LOOK);
                self.claim_rank(me, idle)
            }
            ClaimResult::Taken(step) => self.await_arrivals(me, step, idle),
            ClaimResult::Waiting(step) => {
                self.await_next_step(me, idle)?;
                self.await_arrivals(me, step + 1, idle)
            }
            ClaimResult::Held(pid) => Err(self.held(me, pid)),
        }
    }

    /// All ranks must have finalized the step before.
    fn await_next_step(&self, me: usize, idle: Idle<'_>) -> io::Result<()> {
        let (own, pid) = (self.world_rank(me), std::process::id());
        let nodes = self.job_map().nodes();
        if nodes > 1 {
            return Err(io::Error::other(format!(
                "another MPI program has been rank {own} before it, and only in a job on one host \
                 can a second one follow; this job is on {nodes}: start it by an mpirun of its own"
            )));
        }
        self.rank(me).set_pid(pid);
        let mut pause = LOOK;
        loop {
            let awaited = match self.steps().advance(me, pid, || self.clear())? {
                StepResult::Begun => return Ok(()),
                StepResult::Never(rank) => return Err(self.no_second_program(me, rank)),
                StepResult::Awaits(rank) => rank,
                StepResult::BeingBegun(pid) if has_ended(pid) => {
                    return Err(io::Error::other(format!(
                        "process {pid} has ended while it prepared the job's memory for a second \
                         program"
                    )));
                }
                StepResult::BeingBegun(_) => me,
            };
            self.idle(me, awaited, &mut pause, idle)?;
        }
    }

    /// In a later step no rank begins before all have come: a rank whose script has no second
    /// program is noticed here, not by a rank that waits for its message.
    fn await_arrivals(&self, me: usize, step: u32, idle: Idle<'_>) -> io::Result<()> {
        let mut pause = LOOK;
        while let Some((rank, is_gone)) = self.steps().first_absent(step) {
            if is_gone {
                return Err(self.no_second_program(me, rank));
            }
            self.idle(me, rank, &mut pause, idle)?;
        }
        self.rank(me).stall().publish(None);
        Ok(())
    }

    fn idle(
        &self,
        me: usize,
        awaited: usize,
        pause: &mut Duration,
        idle: Idle<'_>,
    ) -> io::Result<()> {
        idle(self.rank(me), self.world_rank(awaited))?;
        std::thread::sleep(*pause);
        *pause = (*pause * 2).min(LOOK_MAX);
        Ok(())
    }

    /// Makes all that the ranks share as it was when the job began. The job map stays.
    fn clear(&self) -> io::Result<()> {
        let (start, end) = self.shared_bytes();
        let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        let (fd, start, len) = (self.fd().as_raw_fd(), start as i64, (end - start) as i64);
        // SAFETY: takes numbers alone. What it clears are atomics and memory that ranks between
        // MPI_Init and MPI_Finalize use; there is none of them, and nobody can become one before
        // this returns (`JobSteps::begin`).
        match unsafe { libc::fallocate(fd, mode, start, len) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    fn world_rank(&self, place: usize) -> u32 {
        self.job_map().locals()[place]
    }

    fn held(&self, me: usize, pid: u32) -> io::Error {
        let rank = self.world_rank(me);
        io::Error::other(match has_ended(pid) {
            true => format!(
                "rank {rank} was process {pid}, which has ended without MPI_Finalize: no other can \
                 take its place"
            ),
            false => format!(
                "rank {rank} is process {pid}, and one process at a time can be it: a program that \
                 a rank starts is none; start it by an mpirun of its own, or after MPI_Finalize of \
                 the other"
            ),
        })
    }

    fn no_second_program(&self, me: usize, absent: usize) -> io::Error {
        let (rank, absent) = (self.world_rank(me), self.world_rank(absent));
        io::Error::other(format!(
            "another MPI program has been rank {rank} before it, and a second one needs all ranks: \
             rank {absent} has ended without it"
        ))
    }
}

fn has_ended(pid: u32) -> bool {
    // SAFETY: signal 0 only asks whether there is such a process.
    let answer = unsafe { libc::kill(pid as libc::pid_t, 0) };
    answer < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job_map::Job;

    fn segment(ranks: usize) -> Segment {
        Segment::create(&Job::on_one_node("here", ranks), 1).unwrap()
    }

    fn never(_: RankView<'_>, rank: u32) -> io::Result<()> {
        panic!("waited for rank {rank}")
    }

    #[test]
    fn a_second_process_hears_who_the_rank_is() {
        let segment = segment(2);
        segment.claim_rank(1, &mut never).unwrap();
        let text = segment.claim_rank(1, &mut never).unwrap_err().to_string();
        let own = format!("rank 1 is process {}", std::process::id());
        assert!(text.starts_with(&own), "{text}");
    }

    #[test]
    fn a_rank_that_has_died_leaves_no_place() {
        let segment = segment(1);
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        segment.steps().take(0, child.id());
        let text = segment.claim_rank(0, &mut never).unwrap_err().to_string();
        assert!(text.contains("has ended without MPI_Finalize"), "{text}");
    }

    #[test]
    fn the_next_step_finds_clean_memory_and_the_same_card() {
        let segment = segment(1);
        segment.claim_rank(0, &mut never).unwrap();
        segment.rank(0).set_aborted(7);
        assert!(segment.leave_rank(0));
        segment.claim_rank(0, &mut never).unwrap();
        assert_eq!(segment.rank(0).abort_code(), 0);
        assert_eq!((segment.job_map().world(), &*segment.job_map().host(0)), (1, "here"));
    }

    #[test]
    fn who_waits_for_the_next_step_is_told_for_whom() {
        let segment = segment(2);
        segment.claim_rank(0, &mut never).unwrap();
        assert!(segment.leave_rank(0));
        let mut awaited = None;
        let ended = segment.claim_rank(0, &mut |_, rank| {
            awaited = Some(rank);
            segment.set_gone(1);
            Ok(())
        });
        assert_eq!(awaited, Some(1));
        let text = ended.unwrap_err().to_string();
        assert!(text.contains("rank 1 has ended without it"), "{text}");
    }
}
