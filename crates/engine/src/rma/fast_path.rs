//! The fast path of short operations on memory that the origin has mapped, and of what completes
//! them: no error to build, no request. It either does the whole thing or nothing; then the slow
//! path repeats the checks, does it, and says what is wrong if anything is. Between both comes what
//! short messages do (`short.rs`): out of line, since calls in it would cost each of these 8 ns.

use std::rc::Rc;

use dunlin_base::Rank;
use dunlin_datatype::Primitive;
use dunlin_datatype::reduce::Op;
use dunlin_shm::window_part::{LockKind, full_fence};

use crate::engine::Engine;
use crate::engine::fast_guard::enter;
use crate::objects::window::{Held, Reach, Window, WindowId};
use crate::rma::update::{self, copy_bytes};

/// Every so many calls that complete operations, one makes progress on messages: a program that
/// waits for a change of memory calls nothing else. Progress that finds nothing costs 20 ns.
const CALLS_PER_PROGRESS: u32 = 32;
/// The same where ranks share cores: such a program yields to the rank that it waits for. By 32 a
/// queue that is guarded by compare-and-swap took 4 ranks on 2 cores 5.7 s.
const CALLS_PER_YIELD: u32 = 8;

/// The elements that an operation names at its target: the process, the displacement, the bytes.
pub type Named = (Rank, i64, usize);

/// Calls `f` with the window, if this call may use the engine at once.
///
/// # Safety
/// `f` neither makes nor frees a window.
#[inline(always)]
pub(crate) unsafe fn with<T>(
    window: WindowId,
    f: impl FnOnce(&Engine, &Window) -> Option<T>,
) -> Option<T> {
    let engine = enter()?;
    // SAFETY: promised by the caller.
    f(&engine, unsafe { find(&engine, window) }?)
}

/// The window, if calls on it need not wait for others first. Without counting the borrow: that
/// took a tenth of a put.
///
/// # Safety
/// No window is made or freed as long as this one is used.
#[inline(always)]
unsafe fn find(engine: &Engine, window: WindowId) -> Option<&Window> {
    // See `confirm_other_lock`.
    if engine.unconfirmed_lock.get().is_some() {
        return None;
    }
    // SAFETY: promised by the caller.
    let windows = unsafe { engine.windows.try_borrow_unguarded() }.ok()?;
    windows.get(window).map(Rc::as_ref)
}

/// Where these elements are mapped, if they may be accessed now.
#[inline(always)]
fn place(window: &Window, (rank, displacement, bytes): Named) -> Option<*mut u8> {
    let part = window.parts.get(rank as usize)?;
    let Reach::Mapped(base) = part.reach else { return None };
    let start = usize::try_from(displacement).ok()?.checked_mul(part.unit)?;
    let fits = start.checked_add(bytes)? <= part.size;
    (fits && window.may_access(rank)).then(|| base.wrapping_add(start))
}

/// The same for an accumulate: not while others are on their way to the target.
#[inline(always)]
fn place_in_order(window: &Window, named: Named) -> Option<*mut u8> {
    let place = place(window, named)?;
    window.is_settled(named.0).then_some(place)
}

// Each operation is a function that is always inlined, not a closure: where several entry points
// have it, the compiler calls a closure, with all its arguments in memory.

/// `MPI_Put` of contiguous bytes; `None` if it must take the slow path.
///
/// # Safety
/// `from` has as many readable bytes as are named.
#[inline(always)]
pub unsafe fn put(window: WindowId, from: *const u8, named: Named) -> Option<()> {
    let engine = enter()?;
    // SAFETY: nothing here makes or frees a window.
    let to = place(unsafe { find(&engine, window) }?, named)?;
    // SAFETY: the caller's promise; the window has so many bytes there, which its owner has given
    // for such accesses.
    unsafe { copy_bytes(from, to, named.2) };
    Some(())
}

/// `MPI_Get` of contiguous bytes; `None` if it must take the slow path.
///
/// # Safety
/// `into` has as many writable bytes as are named.
#[inline(always)]
pub unsafe fn get(window: WindowId, into: *mut u8, named: Named) -> Option<()> {
    let engine = enter()?;
    // SAFETY: nothing here makes or frees a window.
    let from = place(unsafe { find(&engine, window) }?, named)?;
    // SAFETY: as in `put`.
    unsafe { copy_bytes(from, into, named.2) };
    Some(())
}

/// `MPI_Accumulate`, or with `into` `MPI_Get_accumulate`, of contiguous elements of one type;
/// `None` if it must take the slow path.
///
/// # Safety
/// `from` and, if given, `into` have as many bytes as are named; those of `from` are readable
/// unless the operator is [`Op::NoOp`], those of `into` writable.
#[inline(always)]
pub unsafe fn accumulate(
    window: WindowId,
    from: *const u8,
    into: Option<*mut u8>,
    kind: (Primitive, Op),
    named: Named,
) -> Option<()> {
    if !update::is_plain(kind) {
        return None;
    }
    let engine = enter()?;
    // SAFETY: nothing here makes or frees a window.
    let window = unsafe { find(&engine, window) }?;
    let memory = place_in_order(window, named)?;
    let part = window.shared_part(named.0)?;
    let _guard = part.header.updates.lock();
    // SAFETY: the caller's promise, and as in `put`; the lock keeps other accumulates away.
    unsafe { update::update_bytes(memory, from, into, kind, named.2) }
}

/// `MPI_Compare_and_swap`; `None` if it must take the slow path.
///
/// # Safety
/// All have as many bytes as are named; those of `into` are writable.
#[inline(always)]
pub unsafe fn compare_and_swap(
    window: WindowId,
    [new, compare]: [*const u8; 2],
    into: *mut u8,
    named: Named,
) -> Option<()> {
    let engine = enter()?;
    // SAFETY: nothing here makes or frees a window.
    let window = unsafe { find(&engine, window) }?;
    let memory = place_in_order(window, named)?;
    let part = window.shared_part(named.0)?;
    let _guard = part.header.updates.lock();
    // SAFETY: as in `accumulate`.
    unsafe { update::swap_bytes(memory, [new, compare], into, named.2) };
    Some(())
}

/// Whether this call is one of those that make progress, by the slow path.
#[inline(always)]
pub(crate) fn is_due(engine: &Engine, window: &Window) -> bool {
    let calls = window.fast_calls.get().wrapping_add(1);
    window.fast_calls.set(calls);
    calls % if engine.own_core.get() { CALLS_PER_PROGRESS } else { CALLS_PER_YIELD } == 0
}

/// `MPI_Win_flush` of one process; `None` if it must take the slow path.
#[inline(always)]
pub fn flush(window: WindowId, rank: Rank) -> Option<()> {
    let engine = enter()?;
    // SAFETY: nothing here makes or frees a window.
    let window = unsafe { find(&engine, window) }?;
    if !window.has_flushed(rank) || is_due(&engine, window) {
        return None;
    }
    // What this process has stored is there before it loads anything: an origin that has flushed
    // knows that its operation is done.
    full_fence();
    Some(())
}

/// `MPI_Win_flush_local` of one process; `None` if it must take the slow path. By that, which
/// yields the core, 4 ranks on 2 cores take 0.8 us after an operation of no bytes.
#[inline(always)]
pub fn flush_local(window: WindowId, rank: Rank) -> Option<()> {
    let engine = enter()?;
    // SAFETY: nothing here makes or frees a window.
    let window = unsafe { find(&engine, window) }?;
    (window.owns_buffers(rank) && !is_due(&engine, window)).then_some(())
}

/// `MPI_Win_lock`; `None` if it must take the slow path.
#[inline(always)]
pub fn lock(window: WindowId, rank: Rank, kind: LockKind) -> Option<()> {
    let call = |engine: &Engine, window: &Window| {
        let mut origin = window.origin.borrow_mut();
        let is_free = origin.lock_all.is_none() && origin.started.is_none();
        let peer = origin.peers.get_mut(rank as usize)?;
        if !is_free || peer.lock.is_some() {
            return None;
        }
        let lock = &window.shared_part(rank)?.header.lock;
        if !lock.try_enter(kind) {
            return None;
        }
        if kind == LockKind::Exclusive {
            lock.publish_holder(engine.world_rank());
        }
        peer.lock = Some(Held { kind, asked: true });
        origin.locks += 1;
        origin.fence_open = false;
        Some(())
    };
    // SAFETY: no window is made or freed in it.
    unsafe { with(window, call) }
}

/// `MPI_Win_unlock`; `None` if it must take the slow path.
#[inline(always)]
pub fn unlock(window: WindowId, rank: Rank) -> Option<()> {
    let call = |engine: &Engine, window: &Window| {
        let mut origin = window.origin.borrow_mut();
        let has_failed = origin.failure.is_some();
        let peer = origin.peers.get_mut(rank as usize)?;
        let held = peer.lock.filter(|held| held.asked && peer.is_settled() && !has_failed)?;
        let part = window.shared_part(rank)?;
        if is_due(engine, window) {
            return None;
        }
        peer.lock = None;
        origin.locks -= 1;
        part.header.lock.give_back(held.kind);
        engine.wake_those_who_wait(window, &part.header.lock);
        Some(())
    };
    // SAFETY: no window is made or freed in it.
    unsafe { with(window, call) }
}

/// What makes a flush or an unlock of one process fast again: waits for a moment until what was
/// sent to it is done. `None` if that takes longer, or the slow path must be taken.
#[cold]
#[inline(never)]
pub fn settle(window: WindowId, rank: Rank) -> Option<()> {
    let call = |engine: &Engine, window: &Window| {
        {
            let origin = window.origin.borrow();
            let peer = origin.peers.get(rank as usize)?;
            let is_locked = peer.lock.is_some() || origin.lock_all.is_some();
            if !is_locked || peer.is_settled() || origin.failure.is_some() {
                return None;
            }
        }
        engine.settle_shortly(window, rank)
    };
    // SAFETY: no window is made or freed in it.
    unsafe { with(window, call) }
}
