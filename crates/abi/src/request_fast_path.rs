//! The fast path of completing requests: sends and receives of one message, collectives and
//! persistent requests that end well. What it does not do, the slow path does.

use std::ffi::c_int;

use dunlin_engine::Status;
pub use dunlin_engine::request_fast_path::Waits;
use dunlin_engine::request_fast_path::{self as fast_path, Claim, Completed};

use crate::convert::put_status;
use crate::standard::constants::*;
use crate::standard::handles::claimed;
use crate::standard::types::*;

/// Completes `count` requests, the first first. Says how many it has completed; the others must
/// take the slow path.
///
/// # Safety
/// `requests` points to `count` requests. `statuses` is null or points to as many statuses.
#[inline(always)]
pub unsafe fn wait_all(
    function: &'static str,
    count: c_int,
    requests: *mut MPI_Request,
    statuses: *mut MPI_Status,
    also: impl FnMut(&mut MPI_Status),
) -> usize {
    let Ok(count) = usize::try_from(count) else { return 0 };
    if requests.is_null() {
        return 0;
    }
    // SAFETY: promised by the caller.
    let (claim, show) = unsafe { (claims(requests), shows(requests, statuses, also)) };
    fast_path::wait_all(function, count, claim, show)
}

/// The same in a program of several threads, on the slow path of others.
///
/// # Safety
/// As for [`wait_all`].
#[inline(never)]
pub unsafe fn wait_all_among_threads(
    function: &'static str,
    count: c_int,
    requests: *mut MPI_Request,
    statuses: *mut MPI_Status,
    also: impl FnMut(&mut MPI_Status),
) -> usize {
    let Ok(count) = usize::try_from(count) else { return 0 };
    if requests.is_null() {
        return 0;
    }
    // SAFETY: promised by the caller.
    let (claim, show) = unsafe { (claims(requests), shows(requests, statuses, also)) };
    fast_path::wait_all_among_threads(function, count, claim, show)
}

/// Writes the outcome of each completed request, and that it is gone.
///
/// # Safety
/// As for [`wait_all`], and the closure is given the places of requests.
#[inline(always)]
unsafe fn shows(
    requests: *mut MPI_Request,
    statuses: *mut MPI_Status,
    mut also: impl FnMut(&mut MPI_Status),
) -> impl FnMut(usize, Option<&Status>, bool) {
    move |i, outcome, is_gone| {
        // SAFETY: promised by the caller.
        unsafe {
            if is_gone {
                requests.add(i).write(MPI_REQUEST_NULL);
            }
            if !statuses.is_null() {
                put_status(statuses.add(i), outcome.unwrap_or(&Status::EMPTY));
                also(&mut *statuses.add(i));
            }
        }
    }
}

/// What a handle of the program stands for.
#[inline(always)]
fn claim(handle: MPI_Request) -> Claim {
    match claimed(handle) {
        Some(id) => Claim::Request(id),
        None if handle == MPI_REQUEST_NULL => Claim::Null,
        None => Claim::Other,
    }
}

/// What the handles in an array stand for.
///
/// # Safety
/// What the closure is given is the place of a request in the array at `requests`.
#[inline(always)]
unsafe fn claims(requests: *mut MPI_Request) -> impl Fn(usize) -> Claim {
    // SAFETY: promised by the caller.
    move |i| claim(unsafe { *requests.add(i) })
}

/// Writes where each completed request stood, and its outcome.
///
/// # Safety
/// As for [`complete_some`], and the closure is given the places of requests.
#[inline(always)]
unsafe fn tells(
    requests: *mut MPI_Request,
    (indices, statuses): (*mut c_int, *mut MPI_Status),
    mut also: impl FnMut(&mut MPI_Status),
) -> impl FnMut(usize, &Status, bool) {
    let mut found = 0;
    move |i, outcome, is_gone| {
        // SAFETY: promised by the caller.
        unsafe {
            if is_gone {
                requests.add(i).write(MPI_REQUEST_NULL);
            }
            indices.add(found).write(i as c_int);
            if !statuses.is_null() {
                put_status(statuses.add(found), outcome);
                also(&mut *statuses.add(found));
            }
        }
        found += 1;
    }
}

/// `MPI_Waitsome` and `MPI_Testsome`, and `MPI_Waitany` and `MPI_Testany`, which complete one at
/// `most`; `None` if the slow path must.
///
/// # Safety
/// `requests` is null or points to `count` requests. `indices` is null or points to `most` ints, or
/// to `count` if that is less, `statuses` is null or points to as many statuses.
#[inline(always)]
pub unsafe fn complete_some(
    call: (&'static str, Waits),
    (count, requests): (c_int, *mut MPI_Request),
    most: usize,
    (indices, statuses): (*mut c_int, *mut MPI_Status),
    also: impl FnMut(&mut MPI_Status),
) -> Option<Completed> {
    let count = usize::try_from(count).ok()?;
    if requests.is_null() || indices.is_null() {
        return None;
    }
    // SAFETY: promised by the caller.
    let claim = unsafe { claims(requests) };
    // SAFETY: promised by the caller.
    let mut tell = unsafe { tells(requests, (indices, statuses), also) };
    // What the first of them does not do it has not begun.
    fast_path::complete_some(call, (count, most), &claim, &mut tell)
        .or_else(|| some_among_threads(call, (count, most), &claim, &mut tell))
}

/// Not in line: programs of one thread do not pay for it.
#[inline(never)]
fn some_among_threads(
    call: (&'static str, Waits),
    counts: (usize, usize),
    claim: impl Fn(usize) -> Claim,
    tell: impl FnMut(usize, &Status, bool),
) -> Option<Completed> {
    fast_path::complete_some_among_threads(call, counts, claim, tell)
}

/// Whether all of `count` requests have ended; `None` if the slow path must look.
///
/// # Safety
/// `requests` is null or points to `count` requests.
#[inline(always)]
pub unsafe fn have_all_ended(
    function: &'static str,
    count: c_int,
    requests: *mut MPI_Request,
) -> Option<bool> {
    let count = usize::try_from(count).ok()?;
    if requests.is_null() {
        return None;
    }
    // SAFETY: promised by the caller.
    let claim = unsafe { claims(requests) };
    fast_path::have_all_ended(function, count, &claim)
        .or_else(|| fast_path::have_all_ended_among_threads(function, count, &claim))
}

/// `MPI_Test`; false if it must take the slow path.
///
/// # Safety
/// `request` is null or points to a request, `flag` is null or points to an int, `status` is null
/// or points to a status.
#[inline(always)]
pub unsafe fn test<const THREADS: bool>(
    function: &'static str,
    request: *mut MPI_Request,
    flag: *mut c_int,
    status: *mut MPI_Status,
) -> bool {
    if request.is_null() || flag.is_null() {
        return false;
    }
    // SAFETY: promised by the caller.
    let Some(id) = claimed(unsafe { request.read() }) else { return false };
    let has_ended = fast_path::test::<THREADS>(function, id, |outcome, is_gone| {
        // SAFETY: promised by the caller.
        unsafe {
            if is_gone {
                request.write(MPI_REQUEST_NULL);
            }
            put_status(status, outcome);
        }
    });
    let Some(has_ended) = has_ended else { return false };
    // SAFETY: promised by the caller.
    unsafe { flag.write(has_ended.into()) };
    true
}
