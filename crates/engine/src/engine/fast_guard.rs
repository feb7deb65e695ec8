//! How a short call enters the engine: without a lock, while only one thread at a time calls MPI;
//! else by that of the VCI.

use std::ops::Deref;
use std::ptr::{from_ref, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::engine::Engine;
use crate::objects::target_cache::TARGETS;
use crate::threads::{lock, progress_thread};

/// The engine, while MPI runs in this process, only one thread at a time calls it, and no progress
/// thread may have it.
static ENGINE: AtomicPtr<Engine> = AtomicPtr::new(null_mut());
/// The same where a progress thread may have it: looked at second, so that others pay nothing.
static SHARED_ENGINE: AtomicPtr<Engine> = AtomicPtr::new(null_mut());

/// Opens the fast path for calls into `engine`, or closes it.
pub(crate) fn open(engine: Option<&'static Engine>) {
    let pointer = |engine: Option<&Engine>| engine.map_or(null_mut(), |e| from_ref(e).cast_mut());
    TARGETS.clear();
    // Relaxed: while one of these is set, one thread at a time is inside MPI, and the program
    // orders them.
    ENGINE.store(pointer(engine.filter(|e| !e.has_progress_thread())), Ordering::Relaxed);
    SHARED_ENGINE.store(pointer(engine.filter(|e| e.has_progress_thread())), Ordering::Relaxed);
}

/// Closes the fast path, or opens it again, for an engine that the program hands over now and then:
/// its calls share it with the progress thread meanwhile.
pub(crate) fn share(engine: &Engine, shared: bool) {
    let engine = from_ref(engine).cast_mut();
    TARGETS.invalidate();
    // Relaxed: as above.
    ENGINE.store(if shared { null_mut() } else { engine }, Ordering::Relaxed);
    SHARED_ENGINE.store(if shared { engine } else { null_mut() }, Ordering::Relaxed);
}

/// Whether one thread at a time calls MPI and no progress thread may have the engine.
pub(crate) fn is_alone() -> bool {
    !ENGINE.load(Ordering::Relaxed).is_null()
}

/// The right to use the engine, for the length of a short call.
#[derive(Debug)]
pub(crate) struct FastGuard {
    engine: &'static Engine,
    /// What is given back when this is dropped: nothing, the engine to the progress thread, or the
    /// lock of a VCI, whose number is added.
    kept: u8,
}

const NOTHING: u8 = 0;
const FROM_PROGRESS_THREAD: u8 = 1;
const LOCK: u8 = 2;

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
        if self.kept != NOTHING {
            give_back(self.engine, self.kept);
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
        None => engine.give_back(),
    }
}

impl FastGuard {
    /// This call may leave work behind: looks whether the progress thread is to have the engine.
    #[inline]
    pub(crate) fn may_leave_work(&mut self) {
        if self.engine.overlap.watches() && self.kept == NOTHING && progress_thread::enter() {
            self.kept = FROM_PROGRESS_THREAD;
        }
    }
}

/// The engine, if the fast path is open.
#[inline(always)]
pub(crate) fn enter() -> Option<FastGuard> {
    // SAFETY: null, or the engine of the process, which is never dropped nor moved.
    match unsafe { ENGINE.load(Ordering::Relaxed).as_ref() } {
        Some(engine) => Some(FastGuard { engine, kept: NOTHING }),
        None => enter_shared(),
    }
}

#[inline(never)]
fn enter_shared() -> Option<FastGuard> {
    // SAFETY: as above.
    let engine = unsafe { SHARED_ENGINE.load(Ordering::Relaxed).as_ref() }?;
    if !progress_thread::enter() {
        return Some(FastGuard { engine, kept: NOTHING });
    }
    engine.note_return();
    Some(FastGuard { engine, kept: FROM_PROGRESS_THREAD })
}

/// The engine of a VCI, whose lock is given back when this is dropped.
///
/// # Safety
/// This thread has taken it by [`lock::keep_vci`], and nobody else gives it back.
pub(crate) unsafe fn with_lock(engine: &'static Engine, vci: usize) -> FastGuard {
    FastGuard { engine, kept: LOCK + vci as u8 }
}
