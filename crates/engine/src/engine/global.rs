//! The first engine of the process, which most have alone, and how a call enters it.

use std::ops::Deref;
use std::sync::OnceLock;

use dunlin_base::{Error, ErrorClass, Result};

use crate::engine::{Engine, fast_guard, overlap};
use crate::threads::fork;
use crate::threads::lock::{self, Guard};

static ENGINE: OnceLock<Shared> = OnceLock::new();

/// Two cache lines apart from others.
#[repr(align(128))]
pub(crate) struct Shared(pub(crate) Engine);

// SAFETY: an engine is reached only through `Entered` and `FastGuard`, which stay in their thread:
// by one thread at a time, because the caller of `open` has promised so or because the lock of its
// VCI is held; and by the progress thread while it keeps those out. A callback that calls MPI again
// comes by a second `Entered` of the same thread, and meets cells that tell whether they are
// borrowed.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

#[cfg(test)]
thread_local! {
    /// The engine of the simulated rank that this thread is: a test has several.
    pub(crate) static SIMULATED: std::cell::Cell<Option<&'static Engine>> =
        const { std::cell::Cell::new(None) };
}

/// The right to use the engine, for the length of one MPI call.
#[derive(Debug)]
pub struct Entered {
    engine: &'static Engine,
    _guard: Guard,
}

impl Entered {
    /// The engine of whose VCI this thread has the lock.
    pub(crate) fn new(engine: &'static Engine, guard: Guard) -> Entered {
        Entered { engine, _guard: guard }
    }
}

impl Deref for Entered {
    type Target = Engine;
    #[inline]
    fn deref(&self) -> &Engine {
        self.engine
    }
}

/// The first engine, where it is known that there is one: before any `Entered` is made it is set.
#[inline(always)]
pub(crate) fn installed() -> &'static Engine {
    #[cfg(test)]
    if let Some(engine) = SIMULATED.get() {
        return engine;
    }
    match ENGINE.get() {
        Some(shared) => &shared.0,
        None => unreachable!("entered without an engine"),
    }
}

/// The engine of a process in which MPI runs, without the lock: for last words only.
pub(crate) fn running() -> Option<&'static Engine> {
    ENGINE.get().map(|shared| &shared.0).filter(|engine| engine.is_running())
}

/// Says that several threads may call MPI from now on, each of which takes the lock; called while
/// only one does, by the same promise as [`crate::open`].
pub fn set_threaded() {
    if let Some(engine) = enter_anytime() {
        overlap::end_for_threads(&engine);
    }
    fast_guard::open(None);
    lock::share_with_threads();
}

#[inline]
fn lock() -> Entered {
    let guard = lock::lock();
    Entered::new(installed(), guard)
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

/// The same without waiting for other threads: `None` if one of them has the engine, or MPI does
/// not run.
pub(crate) fn try_enter(function: &'static str) -> Option<Entered> {
    ENGINE.get()?;
    let guard = lock::try_lock()?;
    let entered = Entered::new(installed(), guard);
    entered.is_running().then(|| {
        entered.function.set(function);
        entered
    })
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
    fast_guard::open(made());
}

/// In a process that was forked: no way leads into the engine any more.
pub(crate) fn shut() {
    if let Some(shared) = ENGINE.get() {
        shared.0.disown();
    }
    fast_guard::open(None);
    lock::forget_sharers();
}

#[cold]
pub(crate) fn no_longer(function: &str) -> Result<()> {
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
