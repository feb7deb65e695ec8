//! How a short call enters the engine: without a lock, while only one thread at a time calls MPI;
//! else by that of the VCI.

use std::cell::Cell;
use std::ops::Deref;
use std::ptr::{from_ref, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::engine::Engine;
use crate::engine::global::installed;
use crate::objects::status::RequestId;
use crate::threads::{lock, progress_thread};

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
    /// What is given back when this is dropped: nothing, the engine to the progress thread or to
    /// that of `overlap_thread`, or the lock of a VCI, whose number is added.
    kept: Cell<u8>,
}

const NOTHING: u8 = 0;
const FROM_PROGRESS_THREAD: u8 = 1;
const FROM_OVERLAP: u8 = 2;
const LOCK: u8 = 3;

impl FastGuard {
    #[inline(always)]
    fn new(engine: &'static Engine, kept: u8) -> FastGuard {
        FastGuard { engine, kept: Cell::new(kept) }
    }

    /// An operation of so many bytes has begun.
    #[inline(always)]
    pub(crate) fn note(&self, id: RequestId, bytes: usize) {
        self.engine.overlap.note(id, bytes);
        self.look_for_large();
    }

    /// If the call has begun something large, it may release the engine at its end.
    #[inline(always)]
    pub(crate) fn look_for_large(&self) {
        if self.engine.overlap.has_begun() {
            self.leaves_large();
        }
    }

    #[cold]
    fn leaves_large(&self) {
        if self.kept.get() == NOTHING && lock::releases() {
            lock::begin_nested();
            self.kept.set(FROM_OVERLAP);
        }
    }
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
        if self.kept.get() != NOTHING {
            give_back(self.engine, self.kept.get());
        }
    }
}

/// Gives back what a call has kept. A function of its own, so that calls which keep nothing stay
/// short.
#[inline(never)]
fn give_back(engine: &Engine, kept: u8) {
    match kept.checked_sub(LOCK) {
        // SAFETY: promised to `with_lock`.
        Some(vci) => unsafe { lock::unlock_vci(vci.into()) },
        None if kept == FROM_OVERLAP => lock::leave_to_overlap(),
        None => {
            if engine.serves_all {
                engine.note_for_helper();
            }
            progress_thread::leave();
        }
    }
}

/// The engine, if the fast path is open.
#[inline(always)]
pub(crate) fn enter() -> Option<FastGuard> {
    // SAFETY: null, or the engine of the process, which is never dropped nor moved.
    match unsafe { ENGINE.load(Ordering::Relaxed).as_ref() } {
        Some(engine) => Some(FastGuard::new(engine, NOTHING)),
        None => enter_shared(),
    }
}

#[inline(never)]
fn enter_shared() -> Option<FastGuard> {
    // SAFETY: as above.
    let Some(engine) = (unsafe { SHARED_ENGINE.load(Ordering::Relaxed).as_ref() }) else {
        return lock::enter_if_released().then(|| FastGuard::new(installed(), FROM_OVERLAP));
    };
    let kept = if progress_thread::enter() { FROM_PROGRESS_THREAD } else { NOTHING };
    Some(FastGuard::new(engine, kept))
}

/// The engine of a VCI, whose lock is given back when this is dropped.
///
/// # Safety
/// This thread has taken it by [`lock::keep_vci`], and nobody else gives it back.
pub(crate) unsafe fn with_lock(engine: &'static Engine, vci: usize) -> FastGuard {
    FastGuard::new(engine, LOCK + vci as u8)
}
