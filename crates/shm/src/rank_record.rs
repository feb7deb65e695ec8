//! What one rank publishes about itself: the rank writes it, launcher and peers read it.

use crate::abort_message::AbortMessage;
use crate::awaited_locks::AwaitedLocks;
use crate::core_cell::CoreCell;
use crate::counters::Counters;
use crate::stall::StallCell;
use crate::sync::{AtomicI32, AtomicU32, AtomicU64, InRegion, Ordering};
use crate::wait::Wakeup;

/// CPUs a rank's affinity can name.
pub(crate) const CPUS_MAX: usize = 1024;

/// A rank's life, as the launcher sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum RankState {
    /// Started, or about to be; `MPI_Init` not yet called.
    Unborn = 0,
    /// Between `MPI_Init` and `MPI_Finalize`.
    Running = 1,
    /// `MPI_Finalize` returned.
    Finalized = 2,
    /// `MPI_Abort` was called; the exit code says with what.
    Aborted = 3,
}

/// What one rank publishes to the others. The words that others write while this rank works
/// (`wakeup`) and those it writes itself are in separate cache lines.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct RankRecord {
    pub(crate) state: AtomicU32,
    pub(crate) pid: AtomicU32,
    pub(crate) abort_code: AtomicI32,
    /// The thread that others name when they copy this process's memory; 0 if there is none.
    pub(crate) cma_target: AtomicU32,
    /// A random number of the rank, and its address in the rank's private memory: a peer that can
    /// read it there with `process_vm_readv` may use single copy.
    pub(crate) nonce: AtomicU64,
    pub(crate) nonce_address: AtomicU64,
    pub(crate) heap: HeapRecord,
    /// How many VCIs the process uses, 0 until it has said so.
    pub(crate) vcis: AtomicU32,
    /// Which of them it has opened, bit by bit.
    pub(crate) open_vcis: AtomicU32,
    pub(crate) cpus: [AtomicU64; CPUS_MAX / 64],
    pub(crate) wakeup: Wakeup,
    pub(crate) core: CoreCell,
    pub(crate) stall: StallLine,
    pub(crate) waiting: WaitingLine,
    pub(crate) awaited_locks: AwaitedLocks,
    pub(crate) abort_message: AbortMessage,
    pub(crate) counters: Counters,
}

/// Where a rank's heap is, for its peers.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct HeapRecord {
    /// Where it begins in the rank; 0 while there is none.
    pub(crate) address: AtomicU64,
    /// The file's inode: the program may have closed the descriptor and opened another by its
    /// number.
    pub(crate) inode: AtomicU64,
    pub(crate) fd: AtomicU32,
}

// SAFETY: made of atomics alone.
unsafe impl InRegion for RankRecord {}

#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct StallLine(pub(crate) StallCell);

/// Whether the rank waits inside MPI: a hint, in a line of its own, which a peer reads rarely.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct WaitingLine(AtomicU32);

/// One rank's public face: the rank writes it, launcher and peers read it.
#[derive(Clone, Copy)]
pub struct RankView<'a> {
    block: &'a RankRecord,
}

impl<'a> RankView<'a> {
    pub(crate) fn of(block: &'a RankRecord) -> RankView<'a> {
        RankView { block }
    }

    /// Where the rank is in its life.
    pub fn state(&self) -> RankState {
        // Acquire: pairs with the release in `set_state`, so that the abort code is seen with it.
        match self.block.state.load(Ordering::Acquire) {
            1 => RankState::Running,
            2 => RankState::Finalized,
            3 => RankState::Aborted,
            _ => RankState::Unborn,
        }
    }

    /// Tells the launcher; only the rank itself may call this.
    pub fn set_state(&self, state: RankState) {
        // Release: pairs with the acquire in `state`.
        self.block.state.store(state as u32, Ordering::Release);
    }

    /// The code given to `MPI_Abort`; meaningful once the state is [`RankState::Aborted`].
    pub fn abort_code(&self) -> i32 {
        self.block.abort_code.load(Ordering::Relaxed)
    }

    /// Records `MPI_Abort`; only the rank itself may call this.
    pub fn set_aborted(&self, code: i32) {
        self.block.abort_code.store(code, Ordering::Relaxed);
        self.set_state(RankState::Aborted);
    }

    /// Records that the rank cannot go on, and why, in a sentence that the launcher says for it:
    /// where many fail of one cause, the user hears of it once. Only the rank itself may call this.
    pub fn set_cut_off(&self, code: i32, why: &str) {
        self.block.abort_message.write(why);
        self.set_aborted(code);
    }

    /// Why the rank cannot go on; meaningful once the state is [`RankState::Aborted`], and `None`
    /// where the program wanted the end.
    pub fn abort_message(&self) -> Option<String> {
        self.block.abort_message.read()
    }

    /// The process that is this rank: the one that called `MPI_Init`, not a shell around it.
    /// 0 before `MPI_Init`.
    pub fn pid(&self) -> u32 {
        self.block.pid.load(Ordering::Relaxed)
    }

    /// Records the process; only the rank itself may call this.
    pub fn set_pid(&self, pid: u32) {
        // Release: pairs with the acquire in `Node::use_spare_cpus`.
        self.block.pid.store(pid, Ordering::Release);
    }

    /// What the rank has counted; only the rank itself may change it.
    pub fn counters(&self) -> &'a Counters {
        &self.block.counters
    }

    /// Where the rank publishes what it waits for.
    pub fn stall(&self) -> &'a StallCell {
        &self.block.stall.0
    }

    /// Whether the rank waits inside MPI, and so takes what comes to it. It may be over by now.
    pub fn is_waiting(&self) -> bool {
        self.block.waiting.0.load(Ordering::Relaxed) != 0
    }

    /// Publishes whether the rank waits; only itself may call this.
    #[inline]
    pub fn set_waiting(&self, waits: bool) {
        self.block.waiting.0.store(waits.into(), Ordering::Relaxed);
    }

    /// Where the rank publishes who holds its locks for which other nodes wait.
    pub fn awaited_locks(&self) -> &'a AwaitedLocks {
        &self.block.awaited_locks
    }
}
