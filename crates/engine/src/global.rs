//! The one engine of the process, and the lock that `MPI_THREAD_MULTIPLE` needs. A process that
//! asked for less takes no lock.

use std::ops::Deref;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use dunlin_base::{Error, ErrorClass, Rank, Result};
use parking_lot::lock_api::RawReentrantMutex;
use parking_lot::{RawMutex, RawThreadId};

use crate::engine::Engine;
use crate::{fork, quick};

static ENGINE: OnceLock<Shared> = OnceLock::new();
static THREADED: AtomicBool = AtomicBool::new(false);
static LOCK: RawReentrantMutex<RawMutex, RawThreadId> = RawReentrantMutex::INIT;

struct Shared(Engine);

// SAFETY: the engine is reached only through `Entered`: by one thread at a time, because the
// program promised so (`MPI_THREAD_SERIALIZED` and below) or because `LOCK` is held.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

/// The right to use the engine, for the length of one MPI call.
#[derive(Debug)]
pub struct Entered {
    locked: bool,
}

impl Drop for Entered {
    #[inline]
    fn drop(&mut self) {
        if self.locked {
            // SAFETY: locked by `lock`, once per `Entered`.
            unsafe { LOCK.unlock() };
        }
    }
}

impl Deref for Entered {
    type Target = Engine;
    #[inline]
    fn deref(&self) -> &Engine {
        installed()
    }
}

/// The engine, where it is known that there is one: before any `Entered` is made it is set.
#[inline(always)]
pub(crate) fn installed() -> &'static Engine {
    match ENGINE.get() {
        Some(shared) => &shared.0,
        None => unreachable!("entered without an engine"),
    }
}

/// Whether several threads may be inside MPI at once.
#[inline]
pub fn is_threaded() -> bool {
    THREADED.load(Ordering::Relaxed)
}

/// Says that several threads may call MPI from now on; called while only one does.
pub fn set_threaded() {
    quick::open(None);
    THREADED.store(true, Ordering::Relaxed);
}

#[inline]
fn lock() -> Entered {
    let locked = is_threaded();
    if locked {
        LOCK.lock();
    }
    Entered { locked }
}

/// Runs `f` without the lock, so that other threads get their turn while this one waits.
#[inline]
pub(crate) fn unlocked(f: impl FnOnce()) {
    if !is_threaded() {
        return f();
    }
    // SAFETY: every path here comes from an MPI call that holds the lock. If a callback nests
    // calls the lock stays held by the outer one; nothing is lost but concurrency.
    unsafe { LOCK.unlock_fair() };
    f();
    LOCK.lock();
}

/// Enters MPI for the call named `function`, between initialisation and finalisation.
#[inline]
pub fn enter(function: &'static str) -> Result<Entered> {
    if ENGINE.get().is_none() {
        return Err(outside(function, "before MPI was initialised; call MPI_Init first"));
    }
    let entered = lock();
    if !entered.is_running() {
        no_longer(function)?;
    }
    entered.function.set(function);
    Ok(entered)
}

/// The engine in whatever state, if there is one.
pub fn enter_anytime() -> Option<Entered> {
    ENGINE.get()?;
    Some(lock())
}

/// Puts the engine in its place. An engine that was there already is a mistake of the caller's.
pub(crate) fn install(engine: Engine) {
    assert!(ENGINE.set(Shared(engine)).is_ok(), "the engine is made once");
    quick::open(ENGINE.get().map(|shared| &shared.0));
}

/// In a process that was forked: no way leads into the engine any more, and nobody waits for a lock
/// whose holder is not here.
pub(crate) fn shut() {
    quick::open(None);
    THREADED.store(false, Ordering::Relaxed);
    if let Some(shared) = ENGINE.get() {
        shared.0.disown();
    }
}

/// This process's rank, if it has one.
pub(crate) fn world_rank() -> Option<Rank> {
    ENGINE.get().map(|shared| shared.0.world_rank())
}

#[cold]
fn no_longer(function: &str) -> Result<()> {
    match fork::is_forked() {
        true => fork::refuse(function),
        false => {
            Err(outside(function, "after MPI_Finalize; only a few inquiries are allowed then"))
        }
    }
}

#[cold]
fn outside(function: &str, when: &str) -> Error {
    Error::new(ErrorClass::Other, format!("{function} was called {when}"))
}
