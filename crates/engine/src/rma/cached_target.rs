//! Operations on one word of a target that the cache knows (`objects/target_cache.rs`), and what
//! completes them. They are all that the entry points of the most frequent calls hold: no call of a
//! function, so no register is saved. What they leave is done by `fast_path.rs`.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use dunlin_base::Rank;
use dunlin_shm::window_part::full_fence;

use crate::objects::target_cache::{EVERY, Entry, ITSELF, TARGETS};
use crate::objects::window::WindowId;
use crate::rma::update;

pub use crate::rma::update::WordOp;

/// The word that an operation names at its target: the process, the displacement, its bytes, which
/// are 4 or 8.
pub type Word = (Rank, i64, usize);

/// Calls that complete operations, before one makes progress on messages.
static UNTIL_PROGRESS: AtomicU32 = AtomicU32::new(0);

/// Counts a call that completes operations; whether it is its turn to make progress on messages. So
/// many calls after it need not.
pub(crate) fn takes_turn(calls: u32) -> bool {
    let left = UNTIL_PROGRESS.load(Relaxed);
    UNTIL_PROGRESS.store(left.checked_sub(1).unwrap_or(calls), Relaxed);
    left == 0
}

/// Counts a call that completes operations, unless it is its turn to make progress on messages:
/// then it must take another way.
#[inline(always)]
pub fn counts() -> bool {
    let left = UNTIL_PROGRESS.load(Relaxed);
    if left > 0 {
        UNTIL_PROGRESS.store(left - 1, Relaxed);
    }
    left > 0
}

#[inline(always)]
fn find(window: WindowId, (rank, displacement, bytes): Word) -> Option<(&'static Entry, *mut u8)> {
    let target = TARGETS.find(window, rank)?;
    Some((target, target.place(displacement, bytes)?))
}

/// `MPI_Put`; `None` if nothing has happened.
///
/// # Safety
/// `from` has as many readable bytes as are named.
#[inline(always)]
pub unsafe fn put(window: WindowId, from: *const u8, word: Word) -> Option<()> {
    let (_, to) = find(window, word)?;
    // SAFETY: the caller's promise; the window has so many bytes there, which its owner has given
    // for such accesses.
    unsafe { update::copy_word(from, to, word.2) };
    Some(())
}

/// `MPI_Get`; `None` if nothing has happened.
///
/// # Safety
/// `into` has as many writable bytes as are named.
#[inline(always)]
pub unsafe fn get(window: WindowId, into: *mut u8, word: Word) -> Option<()> {
    let (_, from) = find(window, word)?;
    // SAFETY: as in `put`.
    unsafe { update::copy_word(from, into, word.2) };
    Some(())
}

/// `MPI_Fetch_and_op` and its kin of one integer; where `into` is null, `MPI_Accumulate`. `None` if
/// nothing has happened.
///
/// # Safety
/// `from` and, unless it is null, `into` have as many bytes as are named; those of `from` are
/// readable unless the operation is [`WordOp::Keep`], those of `into` writable.
#[inline(always)]
pub unsafe fn fetch_and_op(
    window: WindowId,
    from: *const u8,
    into: *mut u8,
    op: WordOp,
    word: Word,
) -> Option<()> {
    let (target, memory) = find(window, word)?;
    // SAFETY: no window is freed here.
    let _updates = unsafe { target.updates() }?.try_lock()?;
    // SAFETY: the caller's promise, and as in `put`; the lock keeps other accumulates away.
    unsafe { update::update_word(memory, from, into, op, word.2) };
    Some(())
}

/// `MPI_Compare_and_swap`; `None` if nothing has happened.
///
/// # Safety
/// All have as many bytes as are named; those of `into` are writable.
#[inline(always)]
pub unsafe fn compare_and_swap(
    window: WindowId,
    both: [*const u8; 2],
    into: *mut u8,
    word: Word,
) -> Option<()> {
    let (target, memory) = find(window, word)?;
    // SAFETY: no window is freed here.
    let _updates = unsafe { target.updates() }?.try_lock()?;
    // SAFETY: as in `fetch_and_op`.
    unsafe { update::swap_word(memory, both, into, word.2) };
    Some(())
}

/// Whether all is done that was sent to a target that this process may flush.
#[inline(always)]
fn finds_locked(window: WindowId, rank: Rank) -> bool {
    TARGETS.find(window, rank).is_some_and(Entry::is_locked)
}

/// `MPI_Win_flush`; `None` if nothing has happened.
#[inline(always)]
pub fn flush(window: WindowId, rank: Rank) -> Option<()> {
    // What this process has stored is there before it loads anything: an origin that has flushed
    // knows that its operation is done.
    (finds_locked(window, rank) && counts()).then(full_fence)
}

/// `MPI_Win_flush_local`; `None` if nothing has happened.
#[inline(always)]
pub fn flush_local(window: WindowId, rank: Rank) -> Option<()> {
    (finds_locked(window, rank) && counts()).then_some(())
}

/// `MPI_Win_flush_all`; `None` if nothing has happened.
#[inline(always)]
pub fn flush_all(window: WindowId) -> Option<()> {
    flush(window, EVERY)
}

/// `MPI_Win_flush_local_all`; `None` if nothing has happened.
#[inline(always)]
pub fn flush_local_all(window: WindowId) -> Option<()> {
    flush_local(window, EVERY)
}

/// `MPI_Win_sync`; `None` if nothing has happened.
#[inline(always)]
pub fn sync(window: WindowId) -> Option<()> {
    flush(window, ITSELF)
}
