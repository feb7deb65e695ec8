//! A process that a rank forks has a copy of all that this library knows, and is no rank: whatever
//! it sent would arrive as its parent's. The C library calls us in it before the program goes on,
//! so that calls look at nothing they would not look at anyhow. What gets by without such a call
//! (`clone`) finds the ranks' shared memory missing (`Segment::keep_from_children`).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use dunlin_base::{Error, ErrorClass, Rank, Result};

static FORKED: AtomicBool = AtomicBool::new(false);
/// What else is to be done in a process that was forked.
static IN_CHILD: OnceLock<fn()> = OnceLock::new();
/// The rank of the process, once it is known.
static RANK: AtomicU32 = AtomicU32::new(UNKNOWN);
const UNKNOWN: Rank = Rank::MAX;

/// What a forked process may still ask: it takes no part in anything. Programs write their rank
/// into what they log, and do so in such processes as well.
const INQUIRIES: [&str; 5] = [
    "MPI_Comm_rank",
    "MPI_Comm_size",
    "MPI_Get_processor_name",
    "MPI_Query_thread",
    "MPI_Is_thread_main",
];

/// From now on processes that this one forks are told that they are no ranks; `clean_up` is called
/// in each. It may do nothing that a process with one thread may not do.
pub(crate) fn watch(clean_up: fn()) {
    if IN_CHILD.set(clean_up).is_ok() {
        // SAFETY: the function stays where it is as long as this library does.
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    }
}

/// Says which rank this process is, for what is said in those that it forks.
pub(crate) fn set_rank(rank: Rank) {
    // Relaxed: nothing else goes with it.
    RANK.store(rank, Ordering::Relaxed);
}

extern "C" fn in_child() {
    // Relaxed: this process has one thread.
    FORKED.store(true, Ordering::Relaxed);
    if let Some(clean_up) = IN_CHILD.get() {
        clean_up();
    }
}

/// Whether a process that uses MPI has forked this one.
pub fn is_forked() -> bool {
    // Relaxed: threads that the process has made since see what was before.
    FORKED.load(Ordering::Relaxed)
}

/// An error in a process that was forked, unless `function` is harmless there.
pub(crate) fn refuse(function: &str) -> Result<()> {
    if !is_forked() || INQUIRIES.contains(&function) {
        return Ok(());
    }
    // Relaxed: set before this process was forked.
    let rank = match RANK.load(Ordering::Relaxed) {
        UNKNOWN => "a rank".to_string(),
        rank => format!("rank {rank}"),
    };
    let text = format!(
        "{rank} has forked this process, which is no rank and can take no part in MPI; a program \
         that it executes by an mpirun of its own can"
    );
    Err(Error::new(ErrorClass::Other, text))
}

/// Ends a process that was forked, without the exit handlers and the unwritten output that it has
/// from its parent.
pub fn end_forked(status: i32) -> ! {
    // SAFETY: may be called at any time; nothing comes after it.
    unsafe { libc::_exit(status) }
}
