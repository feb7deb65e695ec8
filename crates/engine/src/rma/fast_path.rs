//! The fast path of operations on memory that the origin has mapped, and of what completes them:
//! no error to build, no request. It either does the whole thing or nothing; then the slow path
//! repeats the checks, does it, and says what is wrong if anything is. Before it comes what needs a
//! few instructions (`cached_target.rs`), after it short messages (`short.rs`).

use std::rc::Rc;

use dunlin_base::Rank;
use dunlin_datatype::Primitive;
use dunlin_datatype::reduce::Op;
use dunlin_shm::window_part::{LockKind, WindowLock, full_fence};

use crate::engine::Engine;
use crate::engine::fast_guard::{enter, is_alone};
use crate::objects::target_cache::{EVERY, ITSELF, MappedTarget, TARGETS};
use crate::objects::window::{Held, Window, WindowId};
use crate::rma::cached_target;
use crate::rma::update::{self, copy_bytes};

/// Every so many calls that complete operations, one makes progress on messages: a program that
/// waits for a change of memory calls nothing else. Progress that finds nothing costs 20 ns.
const CALLS_PER_PROGRESS: u32 = 64;
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

/// Calls `f` with the target of an operation, if its memory is mapped and may be accessed now: from
/// the cache, or else from what this process knows of the window; then it may be entered there.
#[inline(always)]
fn at_target<T>(window: WindowId, rank: Rank, f: impl Fn(&MappedTarget) -> Option<T>) -> Option<T> {
    match TARGETS.find(window, rank) {
        Some(entry) => f(&entry.target()),
        None => look_up(window, rank, f),
    }
}

#[cold]
#[inline(never)]
fn look_up<T>(id: WindowId, rank: Rank, f: impl Fn(&MappedTarget) -> Option<T>) -> Option<T> {
    let engine = enter()?;
    // SAFETY: nothing here makes or frees a window.
    let window = unsafe { find(&engine, id) }?;
    f(&remember(window, rank)?)
}

/// The target, if its memory is mapped and may be accessed now. It is entered into the cache if
/// nobody can change that unseen.
fn remember(window: &Window, rank: Rank) -> Option<MappedTarget> {
    let target = window.mapped_target(rank)?;
    if is_alone() && window.is_at_rest(rank) {
        TARGETS.remember(window.id.get(), rank, &target);
    }
    Some(target)
}

/// `MPI_Put` of contiguous bytes; `None` if it must take the slow path.
///
/// # Safety
/// `from` has as many readable bytes as are named.
#[inline(always)]
pub unsafe fn put(window: WindowId, from: *const u8, named: Named) -> Option<()> {
    let (rank, displacement, bytes) = named;
    at_target(window, rank, |target| {
        // SAFETY: the caller's promise; the window has so many bytes there, which its owner has
        // given for such accesses.
        unsafe { copy_bytes(from, target.place(displacement, bytes)?, bytes) };
        Some(())
    })
}

/// `MPI_Get` of contiguous bytes; `None` if it must take the slow path.
///
/// # Safety
/// `into` has as many writable bytes as are named.
#[inline(always)]
pub unsafe fn get(window: WindowId, into: *mut u8, named: Named) -> Option<()> {
    let (rank, displacement, bytes) = named;
    at_target(window, rank, |target| {
        // SAFETY: as in `put`.
        unsafe { copy_bytes(target.place(displacement, bytes)?, into, bytes) };
        Some(())
    })
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
    (rank, displacement, bytes): Named,
) -> Option<()> {
    if !update::is_plain(kind) {
        return None;
    }
    at_target(window, rank, |target| {
        let memory = target.place(displacement, bytes)?;
        // SAFETY: no window is freed here.
        let _updates = unsafe { target.updates() }?.lock();
        // SAFETY: the caller's promise, and as in `put`; the lock keeps other accumulates away.
        unsafe { update::update_bytes(memory, from, into, kind, bytes) }
    })
}

/// `MPI_Compare_and_swap`; `None` if it must take the slow path.
///
/// # Safety
/// All have as many bytes as are named; those of `into` are writable.
pub unsafe fn compare_and_swap(
    window: WindowId,
    [new, compare]: [*const u8; 2],
    into: *mut u8,
    (rank, displacement, bytes): Named,
) -> Option<()> {
    at_target(window, rank, |target| {
        let memory = target.place(displacement, bytes)?;
        // SAFETY: no window is freed here.
        let _updates = unsafe { target.updates() }?.lock();
        // SAFETY: as in `accumulate`.
        unsafe { update::swap_bytes(memory, [new, compare], into, bytes) };
        Some(())
    })
}

/// Counts a call that completes operations; whether it is one of those that make progress, by the
/// slow path.
pub(crate) fn takes_turn(engine: &Engine) -> bool {
    let calls = if engine.own_core.get() { CALLS_PER_PROGRESS } else { CALLS_PER_YIELD };
    cached_target::takes_turn(calls - 1)
}

/// `MPI_Win_flush` of one process; `None` if it must take the slow path.
pub fn flush(window: WindowId, rank: Rank) -> Option<()> {
    let call = |engine: &Engine, window: &Window| {
        let completes = window.has_flushed(rank) && !takes_turn(engine);
        if completes {
            // For the next call.
            remember(window, rank);
        }
        completes.then(full_fence)
    };
    // SAFETY: no window is made or freed in it.
    unsafe { with(window, call) }
}

/// `MPI_Win_flush_local` of one process; `None` if it must take the slow path. By that, which
/// yields the core, 4 ranks on 2 cores take 0.8 us after an operation of no bytes.
pub fn flush_local(window: WindowId, rank: Rank) -> Option<()> {
    let call = |engine: &Engine, window: &Window| {
        (window.owns_buffers(rank) && !takes_turn(engine)).then_some(())
    };
    // SAFETY: no window is made or freed in it.
    unsafe { with(window, call) }
}

/// `MPI_Win_flush_all` and `MPI_Win_flush_local_all`, where all is done; `None` if they must take
/// the slow path.
pub fn flush_all(id: WindowId) -> Option<()> {
    let call = |engine: &Engine, window: &Window| {
        let completes = window.is_at_rest_everywhere() && !takes_turn(engine);
        completes.then(|| enter_into_cache(id, EVERY)).map(|()| full_fence())
    };
    // SAFETY: no window is made or freed in it.
    unsafe { with(id, call) }
}

/// `MPI_Win_sync`; `None` if it must take the slow path: where messages may change the memory, a
/// program that waits for that needs progress by every call.
pub fn sync(id: WindowId) -> Option<()> {
    let call = |engine: &Engine, window: &Window| {
        let has_messages = window.near_messages || engine.spans_nodes;
        let is_complete = !has_messages && !takes_turn(engine);
        is_complete.then(|| enter_into_cache(id, ITSELF)).map(|()| full_fence())
    };
    // SAFETY: no window is made or freed in it.
    unsafe { with(id, call) }
}

/// What the next call on all targets, or on none, asks for.
fn enter_into_cache(window: WindowId, which: Rank) {
    if is_alone() {
        TARGETS.remember(window, which, &MappedTarget::NOWHERE);
    }
}

/// The locks of all processes, if this one reaches them all.
fn all_locks(window: &Window) -> Option<impl Iterator<Item = &WindowLock> + Clone> {
    let parts = (0..window.comm.size()).map(|rank| window.shared_part(rank));
    parts.clone().all(|part| part.is_some()).then(|| parts.flatten().map(|part| &part.header.lock))
}

fn give_back_shared(engine: &Engine, window: &Window, lock: &WindowLock) {
    lock.give_back(LockKind::Shared);
    engine.wake_those_who_wait(window, lock);
}

/// `MPI_Win_lock_all`, where all locks are free; `None` if it must take the slow path.
pub fn lock_all(id: WindowId) -> Option<()> {
    let call = |engine: &Engine, window: &Window| {
        let mut origin = window.origin.borrow_mut();
        if origin.lock_all.is_some() || origin.locks > 0 || origin.started.is_some() {
            return None;
        }
        let locks = all_locks(window)?;
        let taken = locks.clone().take_while(|lock| lock.try_enter(LockKind::Shared)).count();
        if taken < origin.peers.len() {
            locks.take(taken).for_each(|lock| give_back_shared(engine, window, lock));
            return None;
        }
        origin.lock_all = Some(true);
        origin.fence_open = false;
        if origin.failure.is_none() {
            let at_rest = (0..).zip(&origin.peers).filter(|(_, peer)| peer.is_at_rest());
            at_rest.for_each(|(rank, _)| TARGETS.revalidate(id, rank));
        }
        Some(())
    };
    // SAFETY: no window is made or freed in it.
    unsafe { with(id, call) }
}

/// `MPI_Win_unlock_all`, where all is done, or will be in a moment; `None` if it must take the slow
/// path.
pub fn unlock_all(window: WindowId) -> Option<()> {
    unlock_all_at_rest(window).or_else(|| {
        // An unlock that goes as a message needs no flush before it.
        let has_locks = |_: &Engine, window: &Window| {
            let has_locks = window.origin.borrow().lock_all == Some(true);
            (has_locks && all_locks(window).is_some()).then_some(())
        };
        // SAFETY: no window is made or freed in it.
        unsafe { with(window, has_locks) }?;
        settle_all(window)?;
        unlock_all_at_rest(window)
    })
}

fn unlock_all_at_rest(window: WindowId) -> Option<()> {
    let call = |engine: &Engine, window: &Window| {
        let has_locks = window.origin.borrow().lock_all == Some(true);
        let locks = all_locks(window).filter(|_| has_locks && window.is_at_rest_everywhere())?;
        if takes_turn(engine) {
            return None;
        }
        window.origin.borrow_mut().lock_all = None;
        locks.for_each(|lock| give_back_shared(engine, window, lock));
        Some(())
    };
    // SAFETY: no window is made or freed in it.
    unsafe { with(window, call) }
}

/// `MPI_Win_lock`; `None` if it must take the slow path.
#[inline(always)]
pub fn lock(id: WindowId, rank: Rank, kind: LockKind) -> Option<()> {
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
        let is_at_rest = peer.is_at_rest();
        origin.locks += 1;
        origin.fence_open = false;
        if is_at_rest && origin.failure.is_none() {
            TARGETS.revalidate(id, rank);
        }
        Some(())
    };
    // SAFETY: no window is made or freed in it.
    unsafe { with(id, call) }
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
        if takes_turn(engine) {
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

/// What makes an unlock of one process fast again: waits for a moment until what was sent to it is
/// done. `None` if that takes longer, or the slow path must be taken.
#[cold]
#[inline(never)]
pub fn settle(window: WindowId, rank: Rank) -> Option<()> {
    // SAFETY: no window is made or freed in it.
    unsafe { with(window, |engine, window| settle_in(engine, window, rank)) }
}

/// `MPI_Win_flush` of one process to which something was sent that is done in a moment; `None` if
/// it must take the slow path.
#[cold]
#[inline(never)]
pub fn settle_and_flush(window: WindowId, rank: Rank) -> Option<()> {
    let call = |engine: &Engine, window: &Window| {
        if takes_turn(engine) {
            return None;
        }
        settle_in(engine, window, rank).map(|()| full_fence())
    };
    // SAFETY: no window is made or freed in it.
    unsafe { with(window, call) }
}

fn settle_in(engine: &Engine, window: &Window, rank: Rank) -> Option<()> {
    {
        let origin = window.origin.borrow();
        let peer = origin.peers.get(rank as usize)?;
        let is_locked = peer.lock.is_some() || origin.lock_all.is_some();
        if !is_locked || peer.is_settled() || origin.failure.is_some() {
            return None;
        }
    }
    engine.settle_shortly(window, rank)
}

/// As [`settle`], of all processes, if all that is not done is in this node.
#[cold]
#[inline(never)]
pub fn settle_all(window: WindowId) -> Option<()> {
    let call = |engine: &Engine, window: &Window| {
        let active = {
            let origin = window.origin.borrow();
            let has_lock = origin.locks > 0 || origin.lock_all.is_some();
            if !has_lock || origin.active.is_empty() || origin.failure.is_some() {
                return None;
            }
            origin.active.len()
        };
        let active_rank = |place: usize| window.origin.borrow().active.get(place).copied();
        let mut ranks = (0..active).filter_map(active_rank);
        if !engine.own_core.get() || !ranks.clone().all(|rank| engine.is_near(window, rank)) {
            return None;
        }
        // All are asked at once, then awaited one after the other. Who is done is active no more,
        // and others take its place: from the last to the first, none is left out.
        ranks.try_for_each(|rank| engine.begin_flush(window, rank)).ok()?;
        let mut ranks = (0..active).rev().filter_map(active_rank);
        ranks.try_for_each(|rank| engine.settle_shortly(window, rank))
    };
    // SAFETY: no window is made or freed in it.
    unsafe { with(window, call) }
}
