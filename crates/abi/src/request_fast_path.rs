//! The fast path of completing requests: sends and receives of one message, collectives and
//! persistent requests that end well. What it does not do, the slow path does.

use std::ffi::c_int;

use dunlin_engine::Status;
use dunlin_engine::fast_path::{self, Claim};

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
    mut also: impl FnMut(&mut MPI_Status),
) -> usize {
    let Ok(count) = usize::try_from(count) else { return 0 };
    if requests.is_null() {
        return 0;
    }
    // SAFETY: within the array promised by the caller.
    let claim = |i| claim(unsafe { *requests.add(i) });
    fast_path::wait_all(function, count, claim, |i, outcome, is_gone| {
        // SAFETY: within the arrays promised by the caller.
        unsafe {
            if is_gone {
                requests.add(i).write(MPI_REQUEST_NULL);
            }
            if !statuses.is_null() {
                put_status(statuses.add(i), outcome.unwrap_or(&Status::EMPTY));
                also(&mut *statuses.add(i));
            }
        }
    })
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

/// `MPI_Waitany`; false if it must take the slow path.
///
/// # Safety
/// `requests` is null or points to `count` requests, `index` is null or points to an int, `status`
/// is null or points to a status.
#[inline(always)]
pub unsafe fn wait_any(
    function: &'static str,
    (count, requests): (c_int, *mut MPI_Request),
    index: *mut c_int,
    status: *mut MPI_Status,
) -> bool {
    let Ok(count) = usize::try_from(count) else { return false };
    if requests.is_null() || index.is_null() {
        return false;
    }
    // SAFETY: within the array promised by the caller.
    let claim = |i| claim(unsafe { *requests.add(i) });
    let found = fast_path::wait_any(function, count, claim, |i, outcome, is_gone| {
        // SAFETY: promised by the caller.
        unsafe {
            if is_gone {
                requests.add(i).write(MPI_REQUEST_NULL);
            }
            put_status(status, outcome);
        }
    });
    // SAFETY: promised by the caller.
    found.inspect(|&i| unsafe { index.write(i as c_int) }).is_some()
}

/// `MPI_Test`; false if it must take the slow path.
///
/// # Safety
/// `request` is null or points to a request, `flag` is null or points to an int, `status` is null
/// or points to a status.
#[inline(always)]
pub unsafe fn test(
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
    let has_ended = fast_path::test(function, id, |outcome, is_gone| {
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
