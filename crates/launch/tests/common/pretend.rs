//! Ranks that are a test program itself, started again as its test `pretend_rank`: they write into
//! the segment what an MPI library would.

use std::time::Duration;

use dunlin_base::settings;
use dunlin_shm::stall::Stall;
use dunlin_shm::{RankState, RankView, Segment};
use nix::time::{ClockId, clock_gettime};

/// Names the part to play.
const PART: &str = "PRETEND_RANK";

/// The words behind mpirun's options that start ranks which play `part`.
pub fn words(part: &str) -> Vec<String> {
    let me = std::env::current_exe().unwrap();
    let me = me.to_str().unwrap();
    ["-genv", PART, part, me, "--exact", "pretend_rank", "--nocapture"].map(Into::into).to_vec()
}

/// A rank that this process pretends to be.
pub struct Pretended {
    pub part: String,
    pub segment: Segment,
    /// In the world, and on its host.
    pub rank: usize,
    pub local: usize,
}

impl Pretended {
    /// The rank, which is running now; `None` in a process that is the test program itself.
    pub fn begin() -> Option<Pretended> {
        let part = std::env::var(PART).ok()?;
        let number = |name| std::env::var(name).unwrap().parse::<usize>().unwrap();
        // SAFETY: left for this process alone, which comes here once.
        let segment = unsafe { Segment::inherit(number(settings::JOB_FD.name) as i32) }.unwrap();
        let rank = number(settings::JOB_RANK.name);
        let local = segment.job_map().local(rank).unwrap();
        let pretended = Pretended { part, segment, rank, local };
        pretended.view().set_pid(std::process::id());
        pretended.view().set_state(RankState::Running);
        Some(pretended)
    }

    pub fn view(&self) -> RankView<'_> {
        self.segment.rank(self.local)
    }

    /// Waits for the next rank, as the launcher sees it, for so long.
    pub fn wait_for_neighbour(&self, time: Duration) {
        let since_ns = Duration::from(clock_gettime(ClockId::CLOCK_MONOTONIC).unwrap()).as_nanos();
        self.view().stall().publish(Some(&Stall {
            function: "MPI_Recv".into(),
            comm: "MPI_COMM_WORLD".into(),
            peer: Some((self.rank as u32 + 1) % self.segment.job_map().world() as u32),
            tag: Some(7),
            holder: None,
            lock: None,
            since_ns: since_ns as u64,
        }));
        std::thread::sleep(time);
        self.view().stall().publish(None);
    }

    /// Leaves MPI.
    pub fn finalize(&self) {
        self.view().set_state(RankState::Finalized);
    }

    /// Cannot go on, and leaves as the library does then.
    pub fn cut_off(&self, why: &str) -> ! {
        self.view().set_cut_off(1, why);
        std::process::exit(1)
    }
}
