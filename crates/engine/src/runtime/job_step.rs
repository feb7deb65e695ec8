//! The wait for a job's next step: a second program in the place of a rank waits until all ranks
//! have started theirs. A long wait is reported; it ends when the launcher is gone.

use std::io;
use std::os::fd::RawFd;
use std::time::Instant;

use dunlin_shm::RankView;
use dunlin_shm::stall::Stall;

use crate::engine::clock::{PUBLISH_AFTER, monotonic_ns};
use crate::runtime::descriptors::is_closed;

/// The wait.
pub(crate) struct JobStepWait {
    lifeline: Option<RawFd>,
    since: Instant,
    since_ns: u64,
    /// The rank that the last report named.
    named: Option<u32>,
}

impl JobStepWait {
    /// Begins to wait.
    pub fn new(lifeline: Option<RawFd>) -> JobStepWait {
        JobStepWait { lifeline, since: Instant::now(), since_ns: monotonic_ns(), named: None }
    }

    /// Still waits, for rank `awaited` of the job.
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
            holder: None,
            since_ns: self.since_ns,
        }));
        Ok(())
    }
}
