//! Waits in `MPI_Init` for other ranks: a second program in the place of a rank waits until all
//! have started theirs, and a rank with a device of a fast network until all have said whether they
//! have one. A long wait is reported; it ends when the launcher is gone.

use std::io;
use std::os::fd::RawFd;
use std::time::{Duration, Instant};

use dunlin_shm::RankView;
use dunlin_shm::stall::Stall;

use crate::engine::clock::{PUBLISH_AFTER, monotonic_ns};
use crate::runtime::descriptors::is_closed;

/// Between looks for an address, which other hosts send: long beside a look, short beside a start.
const DOZE: Duration = Duration::from_micros(100);

/// The wait.
pub(crate) struct InitWait {
    /// What is called, for the report.
    function: &'static str,
    lifeline: Option<RawFd>,
    since: Instant,
    since_ns: u64,
    /// The rank that the last report named.
    named: Option<u32>,
}

impl InitWait {
    /// Begins to wait.
    pub fn new(lifeline: Option<RawFd>, function: &'static str) -> InitWait {
        let (since, since_ns) = (Instant::now(), monotonic_ns());
        InitWait { function, lifeline, since, since_ns, named: None }
    }

    /// Still waits, for the address of a rank.
    pub fn doze(&mut self, own: RankView<'_>, awaited: u32) -> io::Result<()> {
        std::thread::sleep(DOZE);
        self.idle(own, awaited)
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
            function: self.function.into(),
            comm: "MPI_COMM_WORLD".into(),
            peer: Some(awaited),
            tag: None,
            holder: None,
            lock: None,
            since_ns: self.since_ns,
        }));
        Ok(())
    }
}
