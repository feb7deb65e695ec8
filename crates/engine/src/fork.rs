//! A process that a rank forks has a copy of all that this library knows, and is no rank: whatever
//! it sent would arrive as its parent's. The C library calls us in it before the program goes on,
//! so that calls look at nothing they would not look at anyhow. What gets by without such a call
//! (`clone`) finds the ranks' shared memory missing (`Segment::keep_from_children`).

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use dunlin_base::{Error, ErrorClass, Result};

use crate::{global, sole};

static FORKED: AtomicBool = AtomicBool::new(false);

/// What a forked process may still ask: it takes no part in anything. Programs write their rank
/// into what they log, and do so in such processes as well.
const INQUIRIES: [&str; 5] = [
    "MPI_Comm_rank",
    "MPI_Comm_size",
    "MPI_Get_processor_name",
    "MPI_Query_thread",
    "MPI_Is_thread_main",
];

/// From now on processes that this one forks are told that they are no ranks.
pub(crate) fn watch() {
    static ONCE: Once = Once::new();
    // SAFETY: the function stays where it is as long as this library does, and does nothing that a
    // process with one thread may not do.
    ONCE.call_once(|| unsafe {
        libc::pthread_atfork(None, None, Some(in_child));
    });
}

extern "C" fn in_child() {
    // Relaxed: this process has one thread.
    FORKED.store(true, Ordering::Relaxed);
    global::shut();
    sole::let_go();
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
    let rank = global::world_rank().map_or("a rank".into(), |rank| format!("rank {rank}"));
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
