//! The fast path of one-sided operations: plain arguments (predefined or contiguous datatypes, a
//! rank that exists) are decoded without errors to build. What it does not do, the slow path does.

use std::ffi::c_int;

use dunlin_base::Rank;
use dunlin_datatype::Primitive;
use dunlin_datatype::reduce::Op;
use dunlin_engine::{LockKind, rma_fast_path as fast, rma_short as short};

use crate::convert::{plain_bytes, plain_length};
use crate::standard::constants::*;
use crate::standard::handles::{claimed, predefined_op, primitive};
use crate::standard::types::*;
use crate::window_operations::{Here, Named};

/// What the origin has, if it is plain and the target's elements are as long.
#[inline(always)]
fn plain((address, count, datatype): Here, named: Named) -> Option<(*mut u8, fast::Named)> {
    let (start, bytes) = plain_bytes(address, count, datatype)?;
    let (rank, displacement, count, datatype) = named;
    let rank = Rank::try_from(rank).ok()?;
    let is_alike = plain_length(count, datatype)? == bytes;
    is_alike.then_some((start, (rank, displacement as i64, bytes)))
}

/// The element type and operator of an accumulate.
#[inline(always)]
fn operation(datatype: MPI_Datatype, other: MPI_Datatype, op: MPI_Op) -> Option<(Primitive, Op)> {
    let position = primitive(datatype).filter(|_| datatype == other)?;
    Some((Primitive::ALL[position], predefined_op(op)?))
}

/// `MPI_Put`; false if it must take the slow path.
///
/// # Safety
/// The program's promises on its buffer.
#[inline(always)]
pub unsafe fn put(from: Here, named: Named, win: MPI_Win) -> bool {
    let (Some((from, named)), Some(win)) = (plain(from, named), claimed(win)) else { return false };
    // SAFETY: the program's promises.
    unsafe { fast::put(win, from, named) || short::put(win, from, named) }
}

/// `MPI_Get`; false if it must take the slow path.
///
/// # Safety
/// The program's promises on its buffer.
#[inline(always)]
pub unsafe fn get(into: Here, named: Named, win: MPI_Win) -> bool {
    let (Some((into, named)), Some(win)) = (plain(into, named), claimed(win)) else { return false };
    // SAFETY: the program's promises.
    unsafe { fast::get(win, into, named) || short::get(win, into, named) }
}

/// `MPI_Accumulate`; false if it must take the slow path.
///
/// # Safety
/// The program's promises on its buffer.
#[inline(always)]
pub unsafe fn accumulate(from: Here, named: Named, op: MPI_Op, win: MPI_Win) -> bool {
    if op == MPI_NO_OP {
        return false;
    }
    let (Some(operation), Some((from, named)), Some(win)) =
        (operation(from.2, named.3, op), plain(from, named), claimed(win))
    else {
        return false;
    };
    // SAFETY: the program's promises.
    unsafe {
        fast::accumulate(win, from, None, operation, named)
            || short::accumulate(win, from, None, operation, named)
    }
}

/// `MPI_Get_accumulate`; false if it must take the slow path.
///
/// # Safety
/// The program's promises on its buffers.
#[inline(always)]
pub unsafe fn get_accumulate(
    [from, into]: [Here; 2],
    named: Named,
    op: MPI_Op,
    win: MPI_Win,
) -> bool {
    // The origin's buffer means nothing to MPI_NO_OP.
    let from = if op == MPI_NO_OP { into } else { from };
    let (Some(operation), Some((from, _)), Some((into, named)), Some(win)) =
        (operation(from.2, named.3, op), plain(from, named), plain(into, named), claimed(win))
    else {
        return false;
    };
    // SAFETY: the program's promises.
    unsafe {
        fast::accumulate(win, from, Some(into), operation, named)
            || short::accumulate(win, from, Some(into), operation, named)
    }
}

/// `MPI_Compare_and_swap`; false if it must take the slow path.
///
/// # Safety
/// The program's promises on its buffers.
#[inline(always)]
pub unsafe fn compare_and_swap(
    [new, compare, into]: [Here; 3],
    named: Named,
    win: MPI_Win,
) -> bool {
    let element = primitive(named.3).map(|position| Primitive::ALL[position]);
    if element.is_none_or(|element| element.size() != element.extent()) {
        return false;
    }
    let (Some((new, _)), Some((compare, _)), Some((into, named)), Some(win)) =
        (plain(new, named), plain(compare, named), plain(into, named), claimed(win))
    else {
        return false;
    };
    // SAFETY: the program's promises.
    unsafe {
        fast::compare_and_swap(win, [new, compare], into, named)
            || short::compare_and_swap(win, [new, compare], into, named)
    }
}

/// `MPI_Win_flush`; false if it must take the slow path.
#[inline(always)]
pub fn flush(rank: c_int, win: MPI_Win) -> bool {
    on(rank, win, |win, rank| {
        fast::flush(win, rank) || fast::settle(win, rank) && fast::flush(win, rank)
    })
}

/// `MPI_Win_flush_local`; false if it must take the slow path.
#[inline(always)]
pub fn flush_local(rank: c_int, win: MPI_Win) -> bool {
    on(rank, win, fast::flush_local)
}

/// `MPI_Win_lock`; false if it must take the slow path.
#[inline(always)]
pub fn lock(kind: c_int, rank: c_int, assert: c_int, win: MPI_Win) -> bool {
    let kind = match kind {
        MPI_LOCK_SHARED => LockKind::Shared,
        MPI_LOCK_EXCLUSIVE => LockKind::Exclusive,
        _ => return false,
    };
    assert == 0 && on(rank, win, |win, rank| fast::lock(win, rank, kind))
}

/// `MPI_Win_unlock`; false if it must take the slow path.
#[inline(always)]
pub fn unlock(rank: c_int, win: MPI_Win) -> bool {
    on(rank, win, |win, rank| {
        fast::unlock(win, rank) || fast::settle(win, rank) && fast::unlock(win, rank)
    })
}

#[inline(always)]
fn on(rank: c_int, win: MPI_Win, call: impl FnOnce(u32, Rank) -> bool) -> bool {
    match (claimed(win), Rank::try_from(rank)) {
        (Some(win), Ok(rank)) => call(win, rank),
        _ => false,
    }
}
