//! The locks that threads need: those of the program under `MPI_THREAD_MULTIPLE`, and the progress
//! thread, where there is one. A process that has neither takes no lock.

use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering, fence};

use dunlin_shm::deferred_work::{DeferredItem, DeferredWork};
use dunlin_shm::layout::VCIS_MAX;
use parking_lot::lock_api::RawReentrantMutex;
use parking_lot::{RawMutex, RawThreadId};

use crate::threads::progress_thread;

/// With whom calls share the engine: one look tells a process that shares it with nobody.
static SHARERS: AtomicU8 = AtomicU8::new(0);
/// Several threads of the program may be inside MPI at once.
const THREADS: u8 = 1;
/// There is a progress thread, or may be later.
const PROGRESS: u8 = 2;
/// What calls do as they take the engine and give it back, if that is of use to the progress
/// thread.
static HOOKS: OnceLock<Hooks> = OnceLock::new();

/// See [`HOOKS`].
pub(crate) struct Hooks {
    /// A call has the engine.
    pub entered: fn(),
    /// It gives it back.
    pub leave: fn(),
}

/// Among program threads, for each VCI. A thread that has that of the first may wait for that of
/// another one; who has another waits for none.
static LOCKS: [Lock; VCIS_MAX] = [const { Lock(RawReentrantMutex::INIT) }; VCIS_MAX];

/// Two cache lines of its own: some processors fetch lines in pairs.
#[repr(align(128))]
struct Lock(RawReentrantMutex<RawMutex, RawThreadId>);

/// That of a VCI.
#[inline]
fn of_vci(vci: usize) -> &'static RawReentrantMutex<RawMutex, RawThreadId> {
    &LOCKS[vci].0
}

/// What program threads that did not get the lock have left to its holder.
pub(crate) static DEFERRED: DeferredWork = DeferredWork::new();
/// How many there are that may defer something: who gives the lock back looks only then.
static DEFERRERS: AtomicU32 = AtomicU32::new(0);
/// What does deferred work.
static DO_DEFERRED: OnceLock<fn()> = OnceLock::new();

/// The right to use the engine, of the thread that has taken it.
#[derive(Debug)]
pub(crate) struct Guard {
    /// What is to be given back, of [`THREADS`] and [`PROGRESS`].
    held: u8,
    vci: u8,
    /// Neither sent to another thread nor shared with one.
    _of_this_thread: PhantomData<*const ()>,
}

impl Guard {
    #[inline]
    fn new(held: u8) -> Guard {
        Guard { held, vci: 0, _of_this_thread: PhantomData }
    }

    /// The right to use another VCI than the first, whose lock this thread has taken.
    #[inline]
    fn of_vci(vci: usize) -> Guard {
        Guard { held: THREADS, vci: vci as u8, _of_this_thread: PhantomData }
    }
}

impl Drop for Guard {
    #[inline]
    fn drop(&mut self) {
        match (self.held, self.vci) {
            (0, _) => {}
            (held, 0) => unlock(held),
            // SAFETY: locked when this was made.
            (_, vci) => unsafe { unlock_vci(vci.into()) },
        }
    }
}

/// Whether several threads may be inside MPI at once.
#[inline]
pub fn is_threaded() -> bool {
    SHARERS.load(Ordering::Relaxed) & THREADS != 0
}

/// Says that several threads may call MPI from now on; called while only one does.
pub(crate) fn share_with_threads() {
    SHARERS.fetch_or(THREADS, Ordering::Relaxed);
}

/// Says that there is, or may be, a progress thread, before there is an engine.
pub(crate) fn share_with_progress_thread(hooks: Option<Hooks>) {
    if let Some(hooks) = hooks {
        // Set by the first call alone: there is one progress thread.
        let _ = HOOKS.set(hooks);
    }
    SHARERS.fetch_or(PROGRESS, Ordering::Relaxed);
}

/// Says that there will be none: several threads of the program call MPI.
pub(crate) fn share_with_no_progress_thread() {
    SHARERS.fetch_and(!PROGRESS, Ordering::Relaxed);
}

/// In a process that was forked: nobody waits for a lock whose holder, maybe the progress thread,
/// is not here.
pub(crate) fn forget_sharers() {
    SHARERS.store(0, Ordering::Relaxed);
}

/// Waits for the right to use the engine.
#[inline]
pub(crate) fn lock() -> Guard {
    match SHARERS.load(Ordering::Relaxed) {
        0 => Guard::new(0),
        sharers => lock_among(sharers),
    }
}

/// The same for another VCI than the first; only where there are several threads.
#[inline]
pub(crate) fn lock_vci(vci: usize) -> Guard {
    of_vci(vci).lock();
    Guard::of_vci(vci)
}

/// Takes the lock of a VCI, of the first one only where there is no progress thread, until
/// [`unlock_vci`].
#[inline]
pub(crate) fn keep_vci(vci: usize) {
    of_vci(vci).lock();
}

/// Keeps the engine from the progress thread, while a call on the fast path calls a function of the
/// program: what that calls does not hand it over. If the function never returns, nothing does.
#[inline]
pub(crate) fn stay_inside() -> Inside {
    Inside(SHARERS.load(Ordering::Relaxed) & PROGRESS != 0 && progress_thread::enter())
}

/// See [`stay_inside`].
pub(crate) struct Inside(bool);

impl Drop for Inside {
    fn drop(&mut self) {
        if self.0 {
            progress_thread::leave();
        }
    }
}

/// Gives it back.
///
/// # Safety
/// This thread has taken it by [`keep_vci`], and not given it back.
pub(crate) unsafe fn unlock_vci(vci: usize) {
    match vci {
        0 => unlock(THREADS),
        // SAFETY: promised by the caller.
        _ => unsafe { of_vci(vci).unlock() },
    }
}

/// The same without waiting for other threads.
pub(crate) fn try_lock_vci(vci: usize) -> Option<Guard> {
    of_vci(vci).try_lock().then(|| Guard::of_vci(vci))
}

fn lock_among(sharers: u8) -> Guard {
    let mut held = sharers & THREADS;
    if held != 0 {
        of_vci(0).lock();
    }
    if sharers & PROGRESS != 0 && progress_thread::enter() {
        held |= PROGRESS;
        note_entered();
    }
    Guard::new(held)
}

fn note_entered() {
    if let Some(hooks) = HOOKS.get() {
        (hooks.entered)();
    }
}

/// The same without waiting for other threads, the progress thread among them where the program has
/// several.
pub(crate) fn try_lock() -> Option<Guard> {
    try_take().map(Guard::new).ok()
}

/// Who has the engine.
enum Holder {
    /// Another thread of the program.
    Thread,
    /// The progress thread.
    ProgressThread,
}

fn try_take() -> Result<u8, Holder> {
    let sharers = SHARERS.load(Ordering::Relaxed);
    let held = sharers & THREADS;
    if held != 0 && !of_vci(0).try_lock() {
        return Err(Holder::Thread);
    }
    if sharers & PROGRESS == 0 {
        return Ok(held);
    }
    // A program of one thread waits: it defers nothing.
    let entered =
        if held == 0 { Some(progress_thread::enter()) } else { progress_thread::try_enter() };
    match entered {
        Some(true) => {
            note_entered();
            Ok(held | PROGRESS)
        }
        Some(false) => Ok(held),
        None => {
            // SAFETY: locked above.
            unsafe { of_vci(0).unlock() };
            Err(Holder::ProgressThread)
        }
    }
}

/// The same, until another thread has the engine that will look for deferred work.
fn take_or_leave_to_holder() -> Option<u8> {
    loop {
        match try_take() {
            Ok(held) => return Some(held),
            Err(Holder::Thread) => return None,
            Err(Holder::ProgressThread) => {
                // Its look may have found the lock taken by this thread, which has given it back
                // since: either that look comes after the fence, or this one sees it gone.
                fence(Ordering::SeqCst);
                if progress_thread::has_engine() {
                    return None;
                }
            }
        }
    }
}

fn unlock(held: u8) {
    let looks = held & THREADS != 0 && may_be_deferred();
    give_back(held);
    if looks {
        settle_deferred();
    }
}

fn give_back(held: u8) {
    if held & PROGRESS != 0 {
        match HOOKS.get() {
            Some(hooks) => (hooks.leave)(),
            None => progress_thread::leave(),
        }
    }
    if held & THREADS != 0 {
        // SAFETY: locked by `lock_among`, `try_take` or `keep_vci` in this thread, once per call of
        // this.
        unsafe { of_vci(0).unlock() };
    }
}

/// With the lock: one more may defer work, which `does` does.
pub(crate) fn expect_deferred(does: fn()) {
    DO_DEFERRED.get_or_init(|| does);
    DEFERRERS.fetch_add(1, Ordering::Relaxed);
}

/// With the lock: one fewer may.
pub(crate) fn expect_fewer_deferred() {
    DEFERRERS.fetch_sub(1, Ordering::Relaxed);
}

/// With the lock: whether to look for deferred work after it is given back.
fn may_be_deferred() -> bool {
    // Relaxed: changed under the lock.
    DEFERRERS.load(Ordering::Relaxed) > 0
}

/// Leaves work to the holder of the lock, or does it if there is none.
pub(crate) fn defer(number: u32, item: &DeferredItem) {
    DEFERRED.defer(number, item);
    settle_deferred();
}

/// Does what has been deferred, unless another thread has the engine, which then does it: called by
/// threads of the program that have deferred something or have given the engine back.
#[cold]
fn settle_deferred() {
    DEFERRED.settle(|| {
        let Some(does) = DO_DEFERRED.get() else { return false };
        let Some(held) = take_or_leave_to_holder() else { return false };
        does();
        give_back(held);
        true
    });
}

/// The same in the progress thread, which has given the engine back.
pub(crate) fn settle_beside_program() {
    DEFERRED.settle(|| {
        let Some(does) = DO_DEFERRED.get() else { return false };
        progress_thread::with_engine_or_leave_to_program(does)
    });
}

/// Runs `f` without the lock of a VCI, so that other threads get their turn while this one waits.
#[inline]
pub(crate) fn unlocked(vci: usize, f: impl FnOnce()) {
    let sharers = SHARERS.load(Ordering::Relaxed);
    // Nor is there a lock to give back where a callback has made the process one of several threads
    // within a call that has none.
    if sharers & THREADS == 0 || !of_vci(vci).is_owned_by_current_thread() {
        return f();
    }
    if sharers & PROGRESS != 0 {
        progress_thread::leave();
    }
    let looks = vci == 0 && may_be_deferred();
    // SAFETY: this thread has the lock. If a callback nests calls it stays held by the outer one;
    // nothing is lost but concurrency.
    unsafe { of_vci(vci).unlock_fair() };
    if looks {
        settle_deferred();
    }
    f();
    of_vci(vci).lock();
    if sharers & PROGRESS != 0 {
        progress_thread::enter();
    }
}
