//! The one engine of the process, and the locks that threads need: those of the program under
//! `MPI_THREAD_MULTIPLE`, and the progress thread of jobs on several nodes. A process that has
//! neither takes no lock.

use std::ops::Deref;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use dunlin_base::{Error, ErrorClass, Rank, Result};
use parking_lot::lock_api::RawReentrantMutex;
use parking_lot::{RawMutex, RawThreadId};

use crate::engine::Engine;
use crate::{fork, progress_thread, quick};

static ENGINE: OnceLock<Shared> = OnceLock::new();
/// With whom calls share the engine: one look tells a process that shares it with nobody.
static SHARERS: AtomicU8 = AtomicU8::new(0);
/// Several threads of the program may be inside MPI at once.
const THREADS: u8 = 1;
/// There is a progress thread.
const PROGRESS: u8 = 2;
/// Among program threads.
static LOCK: RawReentrantMutex<RawMutex, RawThreadId> = RawReentrantMutex::INIT;

struct Shared(Engine);

// SAFETY: the engine is reached only through `Entered` and `quick::Short`: by one thread at a time,
// because the program promised so (`MPI_THREAD_SERIALIZED` and below) or because `LOCK` is held;
// and by the progress thread while it keeps those out.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

/// The right to use the engine, for the length of one MPI call.
#[derive(Debug)]
pub struct Entered {
    /// What is to be given back, of [`THREADS`] and [`PROGRESS`].
    held: u8,
}

impl Drop for Entered {
    #[inline]
    fn drop(&mut self) {
        if self.held != 0 {
            unlock(self.held);
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

/// The engine of a process in which MPI runs, without the lock: for last words only.
pub(crate) fn running() -> Option<&'static Engine> {
    ENGINE.get().map(|shared| &shared.0).filter(|engine| engine.is_running())
}

/// Whether several threads may be inside MPI at once.
#[inline]
pub fn is_threaded() -> bool {
    SHARERS.load(Ordering::Relaxed) & THREADS != 0
}

/// Says that several threads may call MPI from now on; called while only one does.
pub fn set_threaded() {
    quick::open(None);
    SHARERS.fetch_or(THREADS, Ordering::Relaxed);
}

/// Says that there is a progress thread, before there is an engine.
pub(crate) fn share_with_thread() {
    SHARERS.fetch_or(PROGRESS, Ordering::Relaxed);
}

#[inline]
fn lock() -> Entered {
    match SHARERS.load(Ordering::Relaxed) {
        0 => Entered { held: 0 },
        sharers => lock_among(sharers),
    }
}

fn lock_among(sharers: u8) -> Entered {
    let mut held = sharers & THREADS;
    if held != 0 {
        LOCK.lock();
    }
    if sharers & PROGRESS != 0 && progress_thread::enter() {
        held |= PROGRESS;
    }
    Entered { held }
}

fn unlock(held: u8) {
    if held & PROGRESS != 0 {
        progress_thread::leave();
    }
    if held & THREADS != 0 {
        // SAFETY: locked by `lock_among`, once per `Entered`.
        unsafe { LOCK.unlock() };
    }
}

/// Runs `f` without the lock, so that other threads get their turn while this one waits.
#[inline]
pub(crate) fn unlocked(f: impl FnOnce()) {
    let sharers = SHARERS.load(Ordering::Relaxed);
    if sharers & THREADS == 0 {
        return f();
    }
    if sharers & PROGRESS != 0 {
        progress_thread::leave();
    }
    // SAFETY: every path here comes from an MPI call that holds the lock. If a callback nests
    // calls the lock stays held by the outer one; nothing is lost but concurrency.
    unsafe { LOCK.unlock_fair() };
    f();
    LOCK.lock();
    if sharers & PROGRESS != 0 {
        progress_thread::enter();
    }
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

/// The engine in whatever state, for who keeps everybody else out.
pub(crate) fn made() -> Option<&'static Engine> {
    ENGINE.get().map(|shared| &shared.0)
}

/// Puts the engine in its place. An engine that was there already is a mistake of the caller's.
pub(crate) fn install(engine: Engine) {
    assert!(ENGINE.set(Shared(engine)).is_ok(), "the engine is made once");
    quick::open(made());
}

/// In a process that was forked: no way leads into the engine any more, and nobody waits for a lock
/// whose holder, maybe the progress thread, is not here.
pub(crate) fn shut() {
    quick::open(None);
    SHARERS.store(0, Ordering::Relaxed);
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
