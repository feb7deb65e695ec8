//! Completing and managing requests (MPI 5.0, sections 3.7, 3.8.4 and 3.9).

use std::ffi::c_int;

use dunlin_base::Result;
use dunlin_engine::request_fast_path as fast_path;
use dunlin_engine::{Engine, RequestId, Status, enter_vci};

use crate::call::finish;
use crate::convert::{self, get, put, put_status, tell};
use crate::raise::Owner;
use crate::request_array::{Requests, owner_of, take, take_all};
use crate::request_fast_path::{self as fast, Waits};
use crate::standard::constants::*;
use crate::standard::handles::{claimed, wrong};
use crate::standard::types::*;

/// A call that completes one request: an error belongs to the request's communicator.
///
/// # Safety
/// `request` is null or points to a request.
#[inline]
unsafe fn on_request(
    function: &'static str,
    request: *mut MPI_Request,
    body: impl FnOnce(&Engine, RequestId) -> Result<()>,
    of_null: impl FnOnce() -> Result<()>,
) -> c_int {
    let mut owner = Owner::None;
    // SAFETY: promised by the caller.
    let vci = unsafe { request.as_ref() }.map_or(0, |handle| convert::vci_of_request(*handle));
    let outcome = enter_vci(function, vci).and_then(|engine| {
        // SAFETY: promised by the caller.
        let handle = unsafe { get(request, "request") }?;
        if handle == MPI_REQUEST_NULL {
            return of_null();
        }
        let id = convert::request(&engine, handle)?;
        owner = owner_of(&engine, id).ok_or_else(|| wrong(handle))?;
        body(&engine, id)
    });
    finish(function, owner, outcome)
}

/// `MPI_Wait`, and the end of a blocking send in synchronous mode.
///
/// # Safety
/// `request` is null or points to a request, `status` is null or points to a status.
#[inline(always)]
pub(crate) unsafe fn wait(
    function: &'static str,
    request: *mut MPI_Request,
    status: *mut MPI_Status,
) -> c_int {
    // SAFETY: promised by the caller.
    unsafe {
        if fast::wait_all(function, 1, request, status, |_| ()) == 1
            || fast::wait_all_among_threads(function, 1, request, status, |_| ()) == 1
        {
            return MPI_SUCCESS;
        }
        on_request(
            function,
            request,
            |engine, id| {
                engine.wait_all(&[id]);
                tell(take(engine, id, request)?, status)
            },
            || tell(Status::EMPTY, status),
        )
    }
}

entry! {
    fn MPI_Wait(request: *mut MPI_Request, status: *mut MPI_Status) -> c_int {
        // SAFETY: the program passes the addresses of a request and perhaps of a status.
        unsafe { wait(FUNCTION, request, status) }
    }

    fn MPI_Test(request: *mut MPI_Request, flag: *mut c_int, status: *mut MPI_Status) -> c_int {
        // SAFETY: the program passes the addresses of a request, a flag and perhaps a status.
        unsafe {
            if fast::test::<false>(FUNCTION, request, flag, status)
                || fast::test::<true>(FUNCTION, request, flag, status)
            {
                return MPI_SUCCESS;
            }
            on_request(
                FUNCTION,
                request,
                |engine, id| {
                    let complete = engine.poll_for(|| engine.is_complete(id), |&ended| !ended);
                    put(flag, complete.into(), "flag")?;
                    if complete { tell(take(engine, id, request)?, status) } else { Ok(()) }
                },
                || put(flag, 1, "flag").and_then(|()| tell(Status::EMPTY, status)),
            )
        }
    }

    fn MPI_Request_get_status(
        request: MPI_Request,
        flag: *mut c_int,
        status: *mut MPI_Status,
    ) -> c_int {
        let mut request = request;
        // SAFETY: the program passes the addresses of a flag and perhaps of a status.
        unsafe {
            on_request(
                FUNCTION,
                &raw mut request,
                |engine, id| {
                    let outcome = engine.peek_status(id)?;
                    put(flag, outcome.is_some().into(), "flag")?;
                    if let Some(outcome) = outcome {
                        put_status(status, &outcome);
                    }
                    Ok(())
                },
                || put(flag, 1, "flag").and_then(|()| tell(Status::EMPTY, status)),
            )
        }
    }

    fn MPI_Request_free(request: *mut MPI_Request) -> c_int {
        // SAFETY: the program passes the address of a request.
        unsafe {
            on_request(
                FUNCTION,
                request,
                |engine, id| {
                    let outcome = engine.request_free(id)?;
                    request.write(MPI_REQUEST_NULL);
                    tell(outcome, std::ptr::null_mut())
                },
                || Err(wrong(MPI_REQUEST_NULL)),
            )
        }
    }

    fn MPI_Cancel(request: *mut MPI_Request) -> c_int {
        // SAFETY: the program passes the address of a request.
        unsafe {
            if get(request, "request").is_ok_and(|handle| {
                claimed(handle).is_some_and(|number| {
                    fast_path::cancel::<false>(number) || fast_path::cancel::<true>(number)
                })
            }) {
                return MPI_SUCCESS;
            }
            on_request(
                FUNCTION,
                request,
                |engine, id| engine.cancel(id),
                || Err(wrong(MPI_REQUEST_NULL)),
            )
        }
    }

    fn MPI_Start(request: *mut MPI_Request) -> c_int {
        // SAFETY: the program passes the address of a request.
        unsafe {
            if get(request, "request").is_ok_and(|handle| {
                claimed(handle).is_some_and(|number| {
                    fast_path::start::<false>(FUNCTION, number)
                        || fast_path::start::<true>(FUNCTION, number)
                })
            }) {
                return MPI_SUCCESS;
            }
            on_request(
                FUNCTION,
                request,
                |engine, id| engine.start(id),
                || Err(wrong(MPI_REQUEST_NULL)),
            )
        }
    }

    fn MPI_Startall(count: c_int, array_of_requests: *mut MPI_Request) -> c_int {
        // SAFETY: the program passes an array of `count` requests.
        let outcome = unsafe { Requests::new(FUNCTION, count, array_of_requests) }
            .and_then(|requests| (0..requests.len()).try_for_each(|i| requests.start(i)));
        finish(FUNCTION, Owner::None, outcome)
    }
}

/// A call on an array of requests.
///
/// # Safety
/// `start` points to `count` requests.
unsafe fn on_requests(
    function: &'static str,
    count: c_int,
    start: *mut MPI_Request,
    body: impl FnOnce(&Requests) -> Result<()>,
) -> c_int {
    let mut owner = Owner::None;
    // SAFETY: promised by the caller.
    let outcome = unsafe { Requests::new(function, count, start) }.and_then(|requests| {
        owner = requests.owner();
        body(&requests)
    });
    finish(function, owner, outcome)
}

/// Tells which of several requests was completed.
///
/// # Safety
/// `index` points to an int, `status` to a status or is ignored.
unsafe fn tell_one(
    requests: &Requests,
    found: Option<usize>,
    index: *mut c_int,
    status: *mut MPI_Status,
) -> Result<()> {
    let outcome = found.map_or(Ok(Status::EMPTY), |i| requests.take(i))?;
    // SAFETY: promised by the caller.
    unsafe {
        put(index, found.map_or(MPI_UNDEFINED, |i| i as c_int), "index")?;
        tell(outcome, status)
    }
}

/// Finishes every complete request and writes where they stood, behind `before` that were told.
///
/// # Safety
/// As for the arrays of `MPI_Waitsome`, which `before` requests have left.
unsafe fn tell_some(
    requests: &Requests,
    before: usize,
    outcount: *mut c_int,
    (indices, statuses): (*mut c_int, *mut MPI_Status),
) -> Result<()> {
    let complete = requests.complete()?;
    // `MPI_STATUSES_IGNORE` is null, and stays it.
    let statuses = statuses.wrapping_add(if statuses.is_null() { 0 } else { before });
    // SAFETY: promised by the caller; there are at most as many complete requests as requests.
    unsafe {
        put(outcount, (before + complete.len()) as c_int, "outcount")?;
        for (k, &i) in complete.iter().enumerate() {
            put(indices.wrapping_add(before + k), i as c_int, "array_of_indices")?;
        }
        take_all(requests, complete.iter().copied(), statuses)
    }
}

/// `MPI_Waitsome` and `MPI_Testsome` as far as the fast path goes, and then what it cannot do;
/// `None` if it has completed nothing.
///
/// # Safety
/// As for the arrays of `MPI_Waitsome`; `outcount` is null or points to an int.
#[inline(always)]
unsafe fn complete_some(
    (function, waits): (&'static str, Waits),
    (count, start): (c_int, *mut MPI_Request),
    outcount: *mut c_int,
    outcomes: (*mut c_int, *mut MPI_Status),
) -> Option<c_int> {
    if outcount.is_null() {
        return None;
    }
    // SAFETY: promised by the caller.
    unsafe {
        let call = (function, waits);
        let found = fast::complete_some(call, (count, start), usize::MAX, outcomes, no_error)?;
        outcount.write(found.count as c_int);
        Some(if found.may_be_more {
            on_requests(function, count, start, |requests| {
                tell_some(requests, found.count, outcount, outcomes)
            })
        } else {
            MPI_SUCCESS
        })
    }
}

/// What the status of each of several requests says of one that ended well.
fn no_error(status: &mut MPI_Status) {
    status.MPI_ERROR = MPI_SUCCESS;
}

/// Waits for all, and completes them.
///
/// # Safety
/// `requests` points to `count` requests, `statuses` is null or points to as many statuses.
#[inline(always)]
unsafe fn wait_all(
    function: &'static str,
    count: c_int,
    requests: *mut MPI_Request,
    statuses: *mut MPI_Status,
) -> c_int {
    // SAFETY: promised by the caller.
    unsafe {
        let mut done = fast::wait_all(function, count, requests, statuses, no_error);
        if done == 0 {
            done = fast::wait_all_among_threads(function, count, requests, statuses, no_error);
        }
        if done > 0 && done == count as usize {
            return MPI_SUCCESS;
        }
        let (left, rest) = (count - done as c_int, requests.wrapping_add(done));
        // `MPI_STATUSES_IGNORE` is null, and stays it.
        let statuses = statuses.wrapping_add(if statuses.is_null() { 0 } else { done });
        on_requests(function, left, rest, |requests| {
            requests.wait_all()?;
            take_all(requests, 0..requests.len(), statuses)
        })
    }
}

entry! {
    fn MPI_Waitall(
        count: c_int,
        array_of_requests: *mut MPI_Request,
        array_of_statuses: *mut MPI_Status,
    ) -> c_int {
        // SAFETY: the program passes arrays of `count` requests and statuses.
        unsafe {
            wait_all(FUNCTION, count, array_of_requests, array_of_statuses)
        }
    }

    fn MPI_Testall(
        count: c_int,
        array_of_requests: *mut MPI_Request,
        flag: *mut c_int,
        array_of_statuses: *mut MPI_Status,
    ) -> c_int {
        // SAFETY: the program passes arrays of `count` requests and statuses, and a flag.
        unsafe {
            if !flag.is_null() {
                if let Some(ended) = fast::have_all_ended(FUNCTION, count, array_of_requests) {
                    flag.write(ended.into());
                    return match ended {
                        true => wait_all(FUNCTION, count, array_of_requests, array_of_statuses),
                        false => MPI_SUCCESS,
                    };
                }
            }
            on_requests(FUNCTION, count, array_of_requests, |requests| {
                let complete = requests.polled(|| requests.are_complete())?;
                put(flag, complete.into(), "flag")?;
                if !complete {
                    return Ok(());
                }
                take_all(requests, 0..requests.len(), array_of_statuses)
            })
        }
    }

    fn MPI_Waitany(
        count: c_int,
        array_of_requests: *mut MPI_Request,
        index: *mut c_int,
        status: *mut MPI_Status,
    ) -> c_int {
        // SAFETY: the program passes an array of `count` requests, an index and perhaps a status.
        unsafe {
            let (requests, outcome) = ((count, array_of_requests), (index, status));
            if fast::complete_some((FUNCTION, Waits::Yes), requests, 1, outcome, |_| ()).is_some() {
                return MPI_SUCCESS;
            }
            on_requests(FUNCTION, count, array_of_requests, |requests| {
                requests.wait_any()?;
                let found = requests.complete()?.first().copied();
                tell_one(requests, found, index, status)
            })
        }
    }

    fn MPI_Testany(
        count: c_int,
        array_of_requests: *mut MPI_Request,
        index: *mut c_int,
        flag: *mut c_int,
        status: *mut MPI_Status,
    ) -> c_int {
        // SAFETY: the program passes an array of `count` requests, an index, a flag and perhaps a
        // status.
        unsafe {
            if !flag.is_null() {
                let (requests, outcome) = ((count, array_of_requests), (index, status));
                let call = (FUNCTION, Waits::No);
                if let Some(found) = fast::complete_some(call, requests, 1, outcome, |_| ()) {
                    flag.write(found.count as c_int);
                    if found.count == 0 {
                        index.write(MPI_UNDEFINED);
                    }
                    return MPI_SUCCESS;
                }
            }
            on_requests(FUNCTION, count, array_of_requests, |requests| {
                let none = !requests.has_active()?;
                let any = requests.polled(|| Ok(!requests.complete()?.is_empty()))?;
                put(flag, (none || any).into(), "flag")?;
                if !none && !any {
                    return put(index, MPI_UNDEFINED, "index");
                }
                let found = requests.complete()?.first().copied();
                tell_one(requests, found, index, status)
            })
        }
    }

    fn MPI_Waitsome(
        incount: c_int,
        array_of_requests: *mut MPI_Request,
        outcount: *mut c_int,
        array_of_indices: *mut c_int,
        array_of_statuses: *mut MPI_Status,
    ) -> c_int {
        // SAFETY: the program passes arrays of `incount` elements and a count.
        unsafe {
            let (requests, outcomes) =
                ((incount, array_of_requests), (array_of_indices, array_of_statuses));
            let call = (FUNCTION, Waits::Yes);
            if let Some(code) = complete_some(call, requests, outcount, outcomes) {
                return code;
            }
            on_requests(FUNCTION, incount, array_of_requests, |requests| {
                if !requests.wait_any()? {
                    return put(outcount, MPI_UNDEFINED, "outcount");
                }
                tell_some(requests, 0, outcount, outcomes)
            })
        }
    }

    fn MPI_Testsome(
        incount: c_int,
        array_of_requests: *mut MPI_Request,
        outcount: *mut c_int,
        array_of_indices: *mut c_int,
        array_of_statuses: *mut MPI_Status,
    ) -> c_int {
        // SAFETY: the program passes arrays of `incount` elements and a count.
        unsafe {
            let (requests, outcomes) =
                ((incount, array_of_requests), (array_of_indices, array_of_statuses));
            let call = (FUNCTION, Waits::No);
            if let Some(code) = complete_some(call, requests, outcount, outcomes) {
                return code;
            }
            on_requests(FUNCTION, incount, array_of_requests, |requests| {
                if !requests.has_active()? {
                    return put(outcount, MPI_UNDEFINED, "outcount");
                }
                requests.polled(|| Ok(!requests.complete()?.is_empty()))?;
                tell_some(requests, 0, outcount, outcomes)
            })
        }
    }

    fn MPI_Request_get_status_all(
        count: c_int,
        array_of_requests: *const MPI_Request,
        flag: *mut c_int,
        array_of_statuses: *mut MPI_Status,
    ) -> c_int {
        // SAFETY: the program passes arrays of `count` requests and statuses, and a flag.
        unsafe {
            on_requests(FUNCTION, count, array_of_requests.cast_mut(), |requests| {
                let complete = requests.polled(|| requests.are_complete())?;
                put(flag, complete.into(), "flag")?;
                if !complete || array_of_statuses.is_null() {
                    return Ok(());
                }
                for i in 0..requests.len() {
                    let outcome = requests.peek(i)?;
                    put_status(array_of_statuses.add(i), &outcome.unwrap_or(Status::EMPTY));
                }
                Ok(())
            })
        }
    }

    fn MPI_Request_get_status_any(
        count: c_int,
        array_of_requests: *const MPI_Request,
        index: *mut c_int,
        flag: *mut c_int,
        status: *mut MPI_Status,
    ) -> c_int {
        // SAFETY: the program passes an array of `count` requests, an index, a flag and perhaps a
        // status.
        unsafe {
            on_requests(FUNCTION, count, array_of_requests.cast_mut(), |requests| {
                let none = !requests.has_active()?;
                requests.polled(|| Ok(!requests.complete()?.is_empty()))?;
                let found = requests.complete()?.first().copied();
                put(flag, (none || found.is_some()).into(), "flag")?;
                put(index, found.map_or(MPI_UNDEFINED, |i| i as c_int), "index")?;
                let outcome = found.map_or(Ok(None), |i| requests.peek(i))?;
                if let (true, Some(to)) = (none, status.as_mut()) {
                    // The empty status has no error either.
                    *to = MPI_Status::EMPTY;
                } else if let Some(outcome) = outcome {
                    put_status(status, &outcome);
                }
                Ok(())
            })
        }
    }

    fn MPI_Request_get_status_some(
        incount: c_int,
        array_of_requests: *const MPI_Request,
        outcount: *mut c_int,
        array_of_indices: *mut c_int,
        array_of_statuses: *mut MPI_Status,
    ) -> c_int {
        // SAFETY: the program passes arrays of `incount` elements and a count.
        unsafe {
            on_requests(FUNCTION, incount, array_of_requests.cast_mut(), |requests| {
                if !requests.has_active()? {
                    return put(outcount, MPI_UNDEFINED, "outcount");
                }
                requests.polled(|| Ok(!requests.complete()?.is_empty()))?;
                let complete = requests.complete()?;
                put(outcount, complete.len() as c_int, "outcount")?;
                for (k, &i) in complete.iter().enumerate() {
                    put(array_of_indices.wrapping_add(k), i as c_int, "array_of_indices")?;
                    let outcome = requests.peek(i)?;
                    if let (Some(outcome), false) = (outcome, array_of_statuses.is_null()) {
                        put_status(array_of_statuses.add(k), &outcome);
                    }
                }
                Ok(())
            })
        }
    }
}
