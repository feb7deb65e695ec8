//! The fast path of one-sided operations: plain arguments (predefined or contiguous datatypes, a
//! rank that exists) are decoded without errors to build. What it does not do, the slow path does.

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use dunlin_base::Rank;
use dunlin_datatype::Primitive;
use dunlin_datatype::reduce::Op;
use dunlin_engine::rma_cached_target as cached;
use dunlin_engine::{LockKind, rma_fast_path as fast, rma_short as short};

use crate::convert::{is_no_buffer, plain_length};
use crate::standard::constants::*;
use crate::standard::handles::{
    COMPLETE_HANDLE, claimed, dense_bytes, integer_bytes, predefined_op, primitive,
};
use crate::standard::types::*;

/// What the program names at the target. All of it has 8 bytes, also the rank: tuples are copied in
/// such steps, and a read of 8 bytes waits for a write of 4.
pub(crate) type Named = (i64, MPI_Aint, MPI_Count, MPI_Datatype);
/// What the program names at the origin.
pub(crate) type Here = (*const c_void, MPI_Count, MPI_Datatype);

/// What the program names at the target, if it is plain, and the window.
#[inline(always)]
fn target(
    (rank, displacement, count, datatype): Named,
    win: MPI_Win,
) -> Option<(fast::Named, u32)> {
    let bytes = plain_length(count, datatype)?;
    Some(((Rank::try_from(rank).ok()?, displacement as i64, bytes), claimed(win)?))
}

/// Where the data at the origin is, if it is plain and as long as the target's elements.
#[inline(always)]
fn plain((address, count, datatype): Here, named: Named, bytes: usize) -> Option<*mut u8> {
    // Mostly they are the same, and then one look at the datatype is enough.
    let is_same = (count, datatype) == (named.2, named.3);
    let is_alike = is_same || plain_length(count, datatype)? == bytes;
    (is_alike && !is_no_buffer(address)).then_some(address.cast_mut().cast())
}

/// The element type and operator of an accumulate.
#[inline(always)]
fn operation(datatype: MPI_Datatype, other: MPI_Datatype, op: MPI_Op) -> Option<(Primitive, Op)> {
    let position = primitive(datatype).filter(|_| datatype == other)?;
    Some((Primitive::ALL[position], predefined_op(op)?))
}

// Each operation is here three times: on one word of a target in the cache, which is always inlined
// into the entry point; on mapped memory, of which the most frequent are inlined into what the
// entry point leaves; and by short messages. `None` says that it has not happened.

/// The word at the target, if all of the operation is one of a predefined datatype that is the same
/// at both ends, and the window.
#[inline(always)]
fn word(
    (address, count, datatype): Here,
    named: Named,
    win: MPI_Win,
) -> Option<(*mut u8, cached::Word, u32)> {
    let (rank, displacement, ..) = named;
    let bytes = u32::try_from(count).ok()? as usize * dense_bytes(datatype);
    let is_word = bytes == size_of::<u64>() || bytes == size_of::<u32>();
    let is_same = (count, datatype) == (named.2, named.3);
    if !is_word || !is_same || is_no_buffer(address) {
        return None;
    }
    let word = (Rank::try_from(rank).ok()?, displacement as i64, bytes);
    Some((address.cast_mut().cast(), word, claimed(win)?))
}

/// What an accumulate does to one integer.
#[inline(always)]
fn word_op(datatype: MPI_Datatype, op: MPI_Op, bytes: usize) -> Option<cached::WordOp> {
    let op = match op {
        MPI_SUM => cached::WordOp::Add,
        MPI_REPLACE => cached::WordOp::Replace,
        MPI_NO_OP => cached::WordOp::Keep,
        _ => return None,
    };
    (integer_bytes(datatype) == bytes).then_some(op)
}

/// `MPI_Put` of a word.
///
/// # Safety
/// The program's promises on its buffer.
#[inline(always)]
pub unsafe fn put_word(from: Here, named: Named, win: MPI_Win) -> Option<()> {
    let (from, word, win) = word(from, named, win)?;
    // SAFETY: the program's promises.
    unsafe { cached::put(win, from, word) }
}

/// `MPI_Get` of a word.
///
/// # Safety
/// The program's promises on its buffer.
#[inline(always)]
pub unsafe fn get_word(into: Here, named: Named, win: MPI_Win) -> Option<()> {
    let (into, word, win) = word(into, named, win)?;
    // SAFETY: the program's promises.
    unsafe { cached::get(win, into, word) }
}

/// `MPI_Accumulate` of an integer.
///
/// # Safety
/// The program's promises on its buffer.
#[inline(always)]
pub unsafe fn accumulate_word(from: Here, named: Named, op: MPI_Op, win: MPI_Win) -> Option<()> {
    let (from, word, win) = word(from, named, win)?;
    let op = word_op(named.3, op, word.2).filter(|op| *op != cached::WordOp::Keep)?;
    // SAFETY: the program's promises.
    unsafe { cached::fetch_and_op(win, from, null_mut(), op, word) }
}

/// `MPI_Fetch_and_op` of an integer.
///
/// # Safety
/// The program's promises on its buffers.
#[inline(always)]
pub unsafe fn fetch_and_op_word(
    from: *const c_void,
    into: Here,
    named: Named,
    op: MPI_Op,
    win: MPI_Win,
) -> Option<()> {
    let (into, word, win) = word(into, named, win)?;
    let op = word_op(named.3, op, word.2)?;
    if is_no_buffer(from) && op != cached::WordOp::Keep {
        return None;
    }
    // SAFETY: the program's promises.
    unsafe { cached::fetch_and_op(win, from.cast(), into, op, word) }
}

/// `MPI_Compare_and_swap` of a word.
///
/// # Safety
/// The program's promises on its buffers.
#[inline(always)]
pub unsafe fn compare_and_swap_word(
    [new, compare]: [*const c_void; 2],
    into: Here,
    named: Named,
    win: MPI_Win,
) -> Option<()> {
    let (into, word, win) = word(into, named, win)?;
    if is_no_buffer(new) || is_no_buffer(compare) {
        return None;
    }
    // SAFETY: the program's promises.
    unsafe { cached::compare_and_swap(win, [new.cast(), compare.cast()], into, word) }
}

/// The request of an operation that is complete when `operation` returns, which says whether it has
/// been done.
///
/// # Safety
/// `request` is null or points to a request.
#[inline(always)]
pub unsafe fn completed(
    request: *mut MPI_Request,
    operation: impl FnOnce() -> Option<()>,
) -> Option<()> {
    if request.is_null() || !cached::counts() {
        return None;
    }
    operation()?;
    // SAFETY: promised by the caller; it is not null.
    unsafe { request.write(COMPLETE_HANDLE) };
    Some(())
}

/// `MPI_Put` on mapped memory.
///
/// # Safety
/// The program's promises on its buffer.
#[inline(always)]
pub unsafe fn put(from: Here, named: Named, win: MPI_Win) -> Option<()> {
    let (there, win) = target(named, win)?;
    let from = plain(from, named, there.2)?;
    // SAFETY: the program's promises.
    unsafe { fast::put(win, from, there) }
}

/// `MPI_Put` by a short message.
///
/// # Safety
/// The program's promises on its buffer.
pub unsafe fn send_put(from: Here, named: Named, win: MPI_Win) -> Option<()> {
    let (there, win) = target(named, win)?;
    let from = plain(from, named, there.2)?;
    // SAFETY: the program's promises.
    unsafe { short::put(win, from, there) }
}

/// `MPI_Get` on mapped memory.
///
/// # Safety
/// The program's promises on its buffer.
#[inline(always)]
pub unsafe fn get(into: Here, named: Named, win: MPI_Win) -> Option<()> {
    let (there, win) = target(named, win)?;
    let into = plain(into, named, there.2)?;
    // SAFETY: the program's promises.
    unsafe { fast::get(win, into, there) }
}

/// `MPI_Get` by a short message.
///
/// # Safety
/// The program's promises on its buffer, until the operation is complete.
pub unsafe fn send_get(into: Here, named: Named, win: MPI_Win) -> Option<()> {
    let (there, win) = target(named, win)?;
    let into = plain(into, named, there.2)?;
    // SAFETY: the program's promises.
    unsafe { short::get(win, into, there) }
}

/// `MPI_Accumulate` on mapped memory.
///
/// # Safety
/// The program's promises on its buffer.
#[inline(always)]
pub unsafe fn accumulate(from: Here, named: Named, op: MPI_Op, win: MPI_Win) -> Option<()> {
    let operation = operation(from.2, named.3, op).filter(|_| op != MPI_NO_OP)?;
    let (there, win) = target(named, win)?;
    let from = plain(from, named, there.2)?;
    // SAFETY: the program's promises.
    unsafe { fast::accumulate(win, from, None, operation, there) }
}

/// `MPI_Accumulate` by a short message.
///
/// # Safety
/// The program's promises on its buffer.
pub unsafe fn send_accumulate(from: Here, named: Named, op: MPI_Op, win: MPI_Win) -> Option<()> {
    let operation = operation(from.2, named.3, op).filter(|_| op != MPI_NO_OP)?;
    let (there, win) = target(named, win)?;
    let from = plain(from, named, there.2)?;
    // SAFETY: the program's promises.
    unsafe { short::accumulate(win, from, None, operation, there) }
}

/// Both buffers of `MPI_Get_accumulate`, if they are plain, and the operation. The origin's buffer
/// means nothing to `MPI_NO_OP`.
#[inline(always)]
fn both_plain(
    [from, into]: [Here; 2],
    named: Named,
    bytes: usize,
    op: MPI_Op,
) -> Option<(*mut u8, *mut u8, (Primitive, Op))> {
    let from = if op == MPI_NO_OP { into } else { from };
    let operation = operation(from.2, named.3, op)?;
    Some((plain(from, named, bytes)?, plain(into, named, bytes)?, operation))
}

/// `MPI_Get_accumulate` on mapped memory.
///
/// # Safety
/// The program's promises on its buffers.
pub unsafe fn get_accumulate(
    both: [Here; 2],
    named: Named,
    op: MPI_Op,
    win: MPI_Win,
) -> Option<()> {
    let (there, win) = target(named, win)?;
    let (from, into, operation) = both_plain(both, named, there.2, op)?;
    // SAFETY: the program's promises.
    unsafe { fast::accumulate(win, from, Some(into), operation, there) }
}

/// `MPI_Get_accumulate` by a short message.
///
/// # Safety
/// The program's promises on its buffers, until the operation is complete.
pub unsafe fn send_get_accumulate(
    both: [Here; 2],
    named: Named,
    op: MPI_Op,
    win: MPI_Win,
) -> Option<()> {
    let (there, win) = target(named, win)?;
    let (from, into, operation) = both_plain(both, named, there.2, op)?;
    // SAFETY: the program's promises.
    unsafe { short::accumulate(win, from, Some(into), operation, there) }
}

/// The buffers of `MPI_Compare_and_swap`, if they are plain and its elements have no gaps.
#[inline(always)]
fn all_plain([new, compare, into]: [Here; 3], named: Named, bytes: usize) -> Option<[*mut u8; 3]> {
    let element = primitive(named.3).map(|position| Primitive::ALL[position]);
    element.filter(|element| element.size() == element.extent())?;
    let plain = |buffer| plain(buffer, named, bytes);
    Some([plain(new)?, plain(compare)?, plain(into)?])
}

/// `MPI_Compare_and_swap` on mapped memory.
///
/// # Safety
/// The program's promises on its buffers.
pub unsafe fn compare_and_swap(all: [Here; 3], named: Named, win: MPI_Win) -> Option<()> {
    let (there, win) = target(named, win)?;
    let [new, compare, into] = all_plain(all, named, there.2)?;
    // SAFETY: the program's promises.
    unsafe { fast::compare_and_swap(win, [new, compare].map(<*mut u8>::cast_const), into, there) }
}

/// `MPI_Compare_and_swap` by a short message.
///
/// # Safety
/// The program's promises on its buffers, until the operation is complete.
pub unsafe fn send_compare_and_swap(all: [Here; 3], named: Named, win: MPI_Win) -> Option<()> {
    let (there, win) = target(named, win)?;
    let [new, compare, into] = all_plain(all, named, there.2)?;
    // SAFETY: the program's promises.
    unsafe { short::compare_and_swap(win, [new, compare].map(<*mut u8>::cast_const), into, there) }
}

/// `MPI_Win_flush` of a target in the cache.
#[inline(always)]
pub fn flush(rank: c_int, win: MPI_Win) -> Option<()> {
    let (win, rank) = on(rank, win)?;
    cached::flush(win, rank)
}

/// `MPI_Win_flush`, where all is done, or will be in a moment.
pub fn settle_and_flush(rank: c_int, win: MPI_Win) -> Option<()> {
    let (win, rank) = on(rank, win)?;
    fast::flush(win, rank).or_else(|| fast::settle_and_flush(win, rank))
}

/// `MPI_Win_flush_local` of a target in the cache.
#[inline(always)]
pub fn flush_local(rank: c_int, win: MPI_Win) -> Option<()> {
    let (win, rank) = on(rank, win)?;
    cached::flush_local(win, rank)
}

/// `MPI_Win_flush_local` of another target, where all is done.
pub fn flush_local_uncached(rank: c_int, win: MPI_Win) -> Option<()> {
    let (win, rank) = on(rank, win)?;
    fast::flush_local(win, rank)
}

/// `MPI_Win_flush_all` of a window in the cache.
#[inline(always)]
pub fn flush_all(win: MPI_Win) -> Option<()> {
    cached::flush_all(claimed(win)?)
}

/// `MPI_Win_flush_local_all` of a window in the cache.
#[inline(always)]
pub fn flush_local_all(win: MPI_Win) -> Option<()> {
    cached::flush_local_all(claimed(win)?)
}

/// `MPI_Win_flush_all` and `MPI_Win_flush_local_all` of another window, where all is done.
pub fn flush_all_uncached(win: MPI_Win) -> Option<()> {
    fast::flush_all(claimed(win)?)
}

/// `MPI_Win_flush_all`, where all is done, or will be in a moment.
pub fn settle_and_flush_all(win: MPI_Win) -> Option<()> {
    let win = claimed(win)?;
    fast::flush_all(win).or_else(|| {
        fast::settle_all(win)?;
        fast::flush_all(win)
    })
}

/// `MPI_Win_sync` of a window in the cache.
#[inline(always)]
pub fn sync(win: MPI_Win) -> Option<()> {
    cached::sync(claimed(win)?)
}

/// `MPI_Win_sync` of another window.
pub fn sync_uncached(win: MPI_Win) -> Option<()> {
    fast::sync(claimed(win)?)
}

/// `MPI_Win_lock_all` of locks that are free.
pub fn lock_all(assert: c_int, win: MPI_Win) -> Option<()> {
    let win = claimed(win).filter(|_| assert == 0)?;
    fast::lock_all(win)
}

/// `MPI_Win_unlock_all`, where all is done, or will be in a moment.
pub fn unlock_all(win: MPI_Win) -> Option<()> {
    fast::unlock_all(claimed(win)?)
}

/// `MPI_Win_lock` of a lock that is free.
#[inline(always)]
pub fn lock(kind: c_int, rank: c_int, assert: c_int, win: MPI_Win) -> Option<()> {
    let kind = match kind {
        MPI_LOCK_SHARED => LockKind::Shared,
        MPI_LOCK_EXCLUSIVE => LockKind::Exclusive,
        _ => return None,
    };
    let (win, rank) = on(rank, win).filter(|_| assert == 0)?;
    fast::lock(win, rank, kind)
}

/// `MPI_Win_unlock`, where all is done.
#[inline(always)]
pub fn unlock(rank: c_int, win: MPI_Win) -> Option<()> {
    let (win, rank) = on(rank, win)?;
    fast::unlock(win, rank)
}

/// `MPI_Win_unlock`, where all is done in a moment.
pub fn settle_and_unlock(rank: c_int, win: MPI_Win) -> Option<()> {
    let (win, rank) = on(rank, win)?;
    fast::settle(win, rank)?;
    fast::unlock(win, rank)
}

#[inline(always)]
fn on(rank: c_int, win: MPI_Win) -> Option<(u32, Rank)> {
    Some((claimed(win)?, Rank::try_from(rank).ok()?))
}
