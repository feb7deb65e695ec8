//! What a process does while it waits for its job's next step, in the place of a program that was
//! the same rank before: says so, should it last, and ends with the launcher.

use std::io;
use std::os::fd::RawFd;
use std::time::Instant;

use dunlin_shm::RankView;
use dunlin_shm::stall::Stall;

use crate::engine::clock::{PUBLISH_AFTER, monotonic_ns};
use crate::runtime::descriptors::is_closed;

/// Such a wait.
pub(crate) struct JobStepWait {
    lifeline: Option<RawFd>,
    since: Instant,
    since_ns: u64,
    /// The rank that was named last.
    named: Option<u32>,
}

impl JobStepWait {
    /// One that begins now.
    pub fn new(lifeline: Option<RawFd>) -> JobStepWait {
        JobStepWait { lifeline, since: Instant::now(), since_ns: monotonic_ns(), named: None }
    }

    /// It goes on, for rank `awaited` of the job.
    pub fn idle(&mut self, own: RankView<'_>, awaited: u32) -> io::Result<()> {
        if self.lifeline.is_some_and(is_closed) {
            return Err(io::Error::other("mpirun is gone"));
        }
        if self.since.elapsed() < PUBLISH_AFTER || self.named == Some(awaited) {
            return Ok(());
        }
        self.named = Some(awaited);
        own.stall().publish(Some(&Stall {
            function: "MPI_Init (of a second program)".into(),
            comm: "MPI_COMM_WORLD".into(),
            peer: Some(awaited),
            tag: None,
            since_ns: self.since_ns,
        }));
        Ok(())
    }
}
