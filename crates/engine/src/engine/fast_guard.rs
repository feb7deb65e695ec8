//! How a short call enters the engine: without a lock, while only one thread at a time calls MPI.

use std::ops::Deref;
use std::ptr::{from_ref, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::engine::Engine;
use crate::threads::progress_thread;

/// The engine, while MPI runs in this process, only one thread at a time calls it, and there is no
/// progress thread.
static ENGINE: AtomicPtr<Engine> = AtomicPtr::new(null_mut());
/// The same where there is a progress thread: looked at second, so that who has none pays nothing.
static SHARED_ENGINE: AtomicPtr<Engine> = AtomicPtr::new(null_mut());

/// Opens the fast path for calls into `engine`, or closes it.
pub(crate) fn open(engine: Option<&'static Engine>) {
    let pointer = |engine: Option<&Engine>| engine.map_or(null_mut(), |e| from_ref(e).cast_mut());
    // Relaxed: while one of these is set, one thread at a time is inside MPI, and the program
    // orders them.
    ENGINE.store(pointer(engine.filter(|e| !e.has_progress_thread())), Ordering::Relaxed);
    SHARED_ENGINE.store(pointer(engine.filter(|e| e.has_progress_thread())), Ordering::Relaxed);
}

/// The right to use the engine, for the length of a short call.
#[derive(Debug)]
pub(crate) struct FastGuard {
    engine: &'static Engine,
    /// The progress thread is kept out until this is dropped.
    keeps_out: bool,
}

impl Deref for FastGuard {
    type Target = Engine;
    #[inline(always)]
    fn deref(&self) -> &Engine {
        self.engine
    }
}

impl Drop for FastGuard {
    #[inline(always)]
    fn drop(&mut self) {
        if self.keeps_out {
            let_in(self.engine);
        }
    }
}

/// Lets the progress thread in again. A function of its own, so that calls without one stay short.
#[inline(never)]
fn let_in(engine: &Engine) {
    if engine.serves_all {
        engine.note_for_helper();
    }
    progress_thread::leave();
}

/// The engine, if the fast path is open.
#[inline(always)]
pub(crate) fn enter() -> Option<FastGuard> {
    // SAFETY: null, or the engine of the process, which is never dropped nor moved.
    match unsafe { ENGINE.load(Ordering::Relaxed).as_ref() } {
        Some(engine) => Some(FastGuard { engine, keeps_out: false }),
        None => enter_shared(),
    }
}

#[inline(never)]
fn enter_shared() -> Option<FastGuard> {
    // SAFETY: as above.
    let engine = unsafe { SHARED_ENGINE.load(Ordering::Relaxed).as_ref() }?;
    Some(FastGuard { engine, keeps_out: progress_thread::enter() })
}
