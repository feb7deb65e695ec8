//! The thread that makes progress on large operations while the program computes, on a cpu that no
//! rank needs (`DUNLIN_PROGRESS=auto`, `engine/overlap.rs`). In contrast to the
//! [progress thread](crate::threads::progress_thread) it gets the engine from the program, which
//! releases it at the end of a call and reacquires it in the next: calls of programs that leave
//! nothing for it cost what they cost without it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dunlin_base::Result;
use dunlin_shm::ownership::Ownership;

use crate::threads::progress_thread::{Weight, set_weight, spawn};

/// So long the program computes before the thread begins: calls that follow one another, such as
/// `MPI_Irecv` and `MPI_Isend`, do not meet it.
const COMPUTES_FOR: Duration = Duration::from_nanos(700);
/// So long the thread polls for the next step of an operation, or for the next operation, before it
/// sleeps: a program that wakes it pays 2 us.
const POLLS_FOR: Duration = Duration::from_micros(50);
/// Sleeps between polls: a fraction of the time since something has moved, within bounds. Nobody
/// wakes the thread, so that peers pay nothing for it.
const SLEEP_FRACTION: u32 = 4;
const SLEEP_MIN: Duration = Duration::from_micros(20);
const SLEEP_MAX: Duration = Duration::from_millis(1);
/// The longest of them while collectives are in progress, many steps of which follow one another.
const SLEEP_MAX_COLLECTIVE: Duration = Duration::from_micros(50);

/// Whose the engine is.
static OWNERSHIP: Ownership = Ownership::new();
/// Whether the program has released the engine: known to its threads, of which one at a time calls
/// MPI.
static IS_RELEASED: AtomicBool = AtomicBool::new(false);
/// The thread has ended, because it may not run where it is to run.
static HAS_FAILED: AtomicBool = AtomicBool::new(false);

/// What a turn of the thread came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OverlapTurn {
    /// Something moved.
    Moved,
    /// Messages are under way, and wait.
    Waits,
    /// Collectives are, too.
    CollectivesWait,
    /// Nothing is left to do.
    Rested,
}

/// Starts the thread, which ends if it cannot `find_place`.
pub(crate) fn start(
    turn: fn() -> OverlapTurn,
    find_place: impl FnOnce() -> bool + Send + 'static,
) -> Result<()> {
    spawn("dunlin-overlap", move || {
        set_weight(Weight::Less);
        sleep_exactly();
        if find_place() {
            run(turn);
        }
        // Relaxed: nothing else goes with it.
        HAS_FAILED.store(true, Ordering::Relaxed);
    })
}

/// The kernel may wake a thread 50 us later than it asks, unless that asks for less.
fn sleep_exactly() {
    const SLACK_NS: libc::c_ulong = 1000;
    // SAFETY: no memory is passed.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, SLACK_NS) };
}

/// Whether it has ended.
pub(crate) fn has_failed() -> bool {
    HAS_FAILED.load(Ordering::Relaxed)
}

/// In a process that was forked there is no such thread, and none has the engine.
pub(crate) fn forget() {
    IS_RELEASED.store(false, Ordering::Relaxed);
}

/// At the end of a call: the thread may have the engine until the next one.
pub(crate) fn release() {
    IS_RELEASED.store(true, Ordering::Relaxed);
    OWNERSHIP.release();
}

/// At the beginning of a call: takes the engine back. False if it was not released.
#[inline]
pub(crate) fn reacquire() -> bool {
    let was_released = IS_RELEASED.load(Ordering::Relaxed);
    if was_released {
        OWNERSHIP.reacquire();
        IS_RELEASED.store(false, Ordering::Relaxed);
    }
    was_released
}

fn run(turn: fn() -> OverlapTurn) {
    loop {
        if !is_free_within(POLLS_FOR) {
            OWNERSHIP.park();
        }
        if stays_free_for(COMPUTES_FOR) {
            carry_on(turn);
        }
    }
}

fn is_free_within(time: Duration) -> bool {
    let began = Instant::now();
    while !OWNERSHIP.is_free() {
        if began.elapsed() > time {
            return false;
        }
        std::hint::spin_loop();
    }
    true
}

fn stays_free_for(time: Duration) -> bool {
    let began = Instant::now();
    while OWNERSHIP.is_free() {
        if began.elapsed() > time {
            return true;
        }
        std::hint::spin_loop();
    }
    false
}

/// Takes turns until nothing is left to do, or the program has the engine.
fn carry_on(turn: fn() -> OverlapTurn) {
    let mut moved_at = Instant::now();
    while OWNERSHIP.acquire() {
        let outcome = turn();
        if !OWNERSHIP.give_back(outcome == OverlapTurn::Rested) {
            return;
        }
        let longest = match outcome {
            OverlapTurn::CollectivesWait => SLEEP_MAX_COLLECTIVE,
            OverlapTurn::Waits => SLEEP_MAX,
            OverlapTurn::Moved | OverlapTurn::Rested => {
                moved_at = Instant::now();
                continue;
            }
        };
        let idle = moved_at.elapsed();
        if idle > POLLS_FOR {
            std::thread::sleep((idle / SLEEP_FRACTION).clamp(SLEEP_MIN, longest));
        } else {
            std::hint::spin_loop();
        }
    }
}
