//! A process that a rank forks has a copy of this library's memory and is no rank: what it sent
//! would arrive as its parent's. `pthread_atfork` runs our handler in the child before the program
//! goes on; it closes the ways into the engine, so that MPI calls need no extra check. A child made
//! by `clone`, which runs no handler, does not inherit the shared memory
//! (`Segment::keep_from_children`).

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use dunlin_base::{Error, ErrorClass, Rank, Result};

static FORKED: AtomicBool = AtomicBool::new(false);
/// The clean-up that `watch` was given.
static IN_CHILD: OnceLock<fn()> = OnceLock::new();
/// The rank of the process, once it is known.
static RANK: AtomicU32 = AtomicU32::new(UNKNOWN);
const UNKNOWN: Rank = Rank::MAX;

/// Inquiries that stay allowed in a forked process: programs log their rank there as well.
const INQUIRIES: [&str; 5] = [
    "MPI_Comm_rank",
    "MPI_Comm_size",
    "MPI_Get_processor_name",
    "MPI_Query_thread",
    "MPI_Is_thread_main",
];

/// Installs the handler; `clean_up` runs in each forked process, and may do only what is
/// async-signal-safe there.
pub(crate) fn watch(clean_up: fn()) {
    if IN_CHILD.set(clean_up).is_ok() {
        // SAFETY: the function stays where it is as long as this library does.
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    }
}

/// Sets the rank that error messages of forked processes name as their parent.
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

/// An error in a forked process, unless `function` is one of the allowed inquiries.
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
