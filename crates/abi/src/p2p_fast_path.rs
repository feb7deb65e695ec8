//! The fast paths of point-to-point communication: messages of contiguous bytes that need nothing
//! else, and those to and from `MPI_PROC_NULL`. What they do not do, the slow path does.

use std::ffi::{c_int, c_void};

use dunlin_base::{Rank, Tag};
use dunlin_engine::{CommId, RequestId, Status, fast_path};

use crate::convert::{self, put_status};
use crate::request;
use crate::standard::constants::*;
use crate::standard::handles::{COMPLETE_HANDLE, claimed_comm, made};
use crate::standard::types::*;

/// The arguments of a send.
pub(crate) type Outgoing = (*const c_void, MPI_Count, MPI_Datatype, c_int, c_int, MPI_Comm);
/// The arguments of a receive.
pub(crate) type Incoming = (*mut c_void, MPI_Count, MPI_Datatype, c_int, c_int, MPI_Comm);

/// The fast path of a nonblocking send in standard mode; false if it must take the slow path, which
/// a long message does: it may be left to the progress thread.
///
/// # Safety
/// The program's promises on its buffer, until the request is complete.
#[inline(always)]
pub(crate) unsafe fn fast_isend<const THREADS: bool>(message: Outgoing) -> bool {
    // SAFETY: promised by the caller.
    unsafe { send_below::<THREADS>(fast_path::LONG_BYTES, message, None) }
}

/// The fast path of a blocking send in standard mode; false if it must take the slow path, which it
/// must, too, where `source` is given and no rank, unless it goes to `MPI_PROC_NULL`.
///
/// # Safety
/// The program's promises on its buffer.
#[inline(always)]
pub(crate) unsafe fn fast_send<const THREADS: bool>(
    message: Outgoing,
    source: Option<Rank>,
) -> bool {
    // SAFETY: promised by the caller.
    unsafe { send_below::<THREADS>(usize::MAX, message, source) }
}

/// The same of a message of less than so many bytes.
///
/// # Safety
/// As for [`fast_send`].
#[inline(always)]
unsafe fn send_below<const THREADS: bool>(
    end: usize,
    message: Outgoing,
    source: Option<Rank>,
) -> bool {
    let (buf, count, datatype, dest, tag, comm) = message;
    let (Some((start, len)), Some(comm)) =
        (convert::plain_bytes(buf, count, datatype), claimed_comm(comm))
    else {
        return false;
    };
    if len >= end {
        return false;
    }
    // SAFETY: the program's promise; `plain_bytes` gives no null pointer, and at most `BYTES_MAX`.
    let data = unsafe { std::slice::from_raw_parts(start, len) };
    if dest >= 0 && tag >= 0 {
        return fast_path::send::<THREADS>(comm, data, dest as Rank, tag, source);
    }
    goes_nowhere::<THREADS>(comm, dest, tag)
}

/// Whether a send of plain bytes is one to `MPI_PROC_NULL`, and nothing is wrong with it.
#[inline(never)]
pub(crate) fn goes_nowhere<const THREADS: bool>(comm: CommId, dest: c_int, tag: c_int) -> bool {
    dest == MPI_PROC_NULL && tag >= 0 && fast_path::has_comm::<THREADS>(comm)
}

/// The fast path of a nonblocking send in synchronous mode; false if it must take the slow path.
///
/// # Safety
/// The program's promises on its buffer, until the request is complete, and on `request`.
#[inline(always)]
pub(crate) unsafe fn fast_issend<const THREADS: bool>(
    message: Outgoing,
    request: *mut MPI_Request,
) -> bool {
    let (buf, count, datatype, dest, tag, comm) = message;
    // SAFETY: the program's promise.
    let (Some(place), Some(comm), Some(request)) =
        (convert::plain_bytes(buf, count, datatype), claimed_comm(comm), unsafe {
            request.as_mut()
        })
    else {
        return false;
    };
    let begun = if dest >= 0 && tag >= 0 {
        // SAFETY: the program's promise; `plain_bytes` gives no null pointer.
        unsafe { fast_path::issend::<THREADS>(comm, place, dest as Rank, tag) }.and_then(made)
    } else {
        goes_nowhere::<THREADS>(comm, dest, tag).then_some(COMPLETE_HANDLE)
    };
    let Some(handle) = begun else { return false };
    *request = handle;
    true
}

/// The fast path of a blocking send in synchronous mode: its error code, or `None` if it must take
/// the slow path.
///
/// # Safety
/// The program's promises on its buffer.
#[inline(always)]
pub(crate) unsafe fn fast_ssend<const THREADS: bool>(
    function: &'static str,
    message: Outgoing,
) -> Option<c_int> {
    let mut request = MPI_REQUEST_NULL;
    // SAFETY: promised by the caller; the request is ours.
    unsafe {
        if !fast_issend::<THREADS>(message, &raw mut request) {
            return None;
        }
        if request == COMPLETE_HANDLE {
            return Some(MPI_SUCCESS);
        }
        Some(request::wait(function, &raw mut request, std::ptr::null_mut()))
    }
}

/// A receive's communicator, buffer, source and tag; `None` for arguments that the fast path does
/// not support.
#[inline(always)]
pub(crate) fn plain_receive(message: Incoming) -> Option<PlainReceive> {
    let (buf, count, datatype, source, tag, comm) = message;
    let place = convert::plain_bytes(buf, count, datatype)?;
    let comm = claimed_comm(comm)?;
    let from = match source {
        MPI_ANY_SOURCE => None,
        _ => Some(Rank::try_from(source).ok()?),
    };
    let tag = match tag {
        MPI_ANY_TAG => None,
        _ if tag < 0 => return None,
        _ => Some(tag),
    };
    Some((comm, place, from, tag))
}

/// Whether a receive is one from `MPI_PROC_NULL`.
#[inline(always)]
pub(crate) fn is_from_null((.., source, _, _): Incoming) -> bool {
    source == MPI_PROC_NULL
}

/// The communicator of a receive of plain bytes from `MPI_PROC_NULL`.
#[inline(always)]
pub(crate) fn plain_receive_from_null(message: Incoming) -> Option<CommId> {
    let (buf, count, datatype, _, tag, comm) = message;
    let (comm, ..) = plain_receive((buf, count, datatype, MPI_ANY_SOURCE, tag, comm))?;
    Some(comm)
}

/// The fast path of a blocking receive from `MPI_PROC_NULL`; false if it must take the slow path.
///
/// # Safety
/// The program's promise on its status.
#[inline(never)]
pub(crate) unsafe fn recv_from_null<const THREADS: bool>(
    message: Incoming,
    status: *mut MPI_Status,
) -> bool {
    let is_well = plain_receive_from_null(message).is_some_and(fast_path::has_comm::<THREADS>);
    if is_well {
        // SAFETY: promised by the caller.
        unsafe { put_status(status, &Status::PROC_NULL) };
    }
    is_well
}

/// The same of a nonblocking one: its request.
#[inline(never)]
pub(crate) fn irecv_from_null<const THREADS: bool>(message: Incoming) -> Option<RequestId> {
    plain_receive_from_null(message).and_then(fast_path::irecv_from_null::<THREADS>)
}

/// Communicator, address and length, source and tag.
pub(crate) type PlainReceive = (CommId, (*mut u8, usize), Option<Rank>, Option<Tag>);

/// The fast path of a blocking receive; false if it must take the slow path.
///
/// # Safety
/// The program's promises on its buffer and status.
#[inline(always)]
pub(crate) unsafe fn fast_recv<const THREADS: bool>(
    message: Incoming,
    status: *mut MPI_Status,
) -> bool {
    if is_from_null(message) {
        // SAFETY: promised by the caller.
        return unsafe { recv_from_null::<THREADS>(message, status) };
    }
    let Some((comm, (start, len), from, tag)) = plain_receive(message) else { return false };
    // SAFETY: as in `fast_send`.
    let into = unsafe { std::slice::from_raw_parts_mut(start, len) };
    let received = if THREADS {
        fast_path::recv_among_threads(comm, into, from, tag)
    } else {
        fast_path::recv(comm, into, from, tag)
    };
    let Some((source, tag, bytes)) = received else { return false };
    // SAFETY: the program's promise; `MPI_STATUS_IGNORE` is null.
    if let Some(status) = unsafe { status.as_mut() } {
        status.MPI_SOURCE = source as c_int;
        status.MPI_TAG = tag;
        status.set_bytes(bytes as u64);
        status.set_cancelled(false);
    }
    true
}

/// The fast path of a nonblocking receive.
///
/// # Safety
/// The program's promises on its buffer, until the request is complete, and on `request`.
#[inline(always)]
pub(crate) unsafe fn fast_irecv<const THREADS: bool>(
    message: Incoming,
    request: *mut MPI_Request,
) -> bool {
    // SAFETY: the program's promise.
    let Some(request) = (unsafe { request.as_mut() }) else { return false };
    let id = if is_from_null(message) {
        irecv_from_null::<THREADS>(message)
    } else {
        let Some((comm, place, from, tag)) = plain_receive(message) else { return false };
        // SAFETY: the program's promise; `plain_receive` finds no buffer at a null pointer.
        unsafe { fast_path::irecv::<THREADS>(comm, place, from, tag) }
    };
    match id.and_then(made) {
        Some(handle) => *request = handle,
        None => return false,
    }
    true
}
