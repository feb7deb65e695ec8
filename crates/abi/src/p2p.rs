//! Point-to-point communication (MPI 5.0, chapter 3): send, receive, sendrecv.

use std::ffi::{c_int, c_void};
use std::rc::Rc;
use std::sync::Arc;

use dunlin_base::{Result, Tag};
use dunlin_engine::{Comm, Engine, Mode, RequestId, Status, UserBuffer};

use crate::call::on_comm_of_messages;
use crate::convert::{self, give_request, put_status, tell};
use crate::p2p_fast_path::{Incoming, Outgoing, plain_receive_from_null};
use crate::p2p_fast_path::{fast_irecv, fast_isend, fast_issend, fast_recv, fast_send, fast_ssend};
use crate::p2p_fast_path::{is_from_null, plain_receive};
use crate::standard::constants::*;
use crate::standard::handles::COMPLETE_HANDLE;
use crate::standard::types::*;

/// The mode of a send.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Engine(Mode),
    Buffered,
}

/// Standard and ready mode. A ready send is a standard send for which the program promises that the
/// receive is posted.
pub(crate) const STANDARD: How = How::Engine(Mode::Standard);
pub(crate) const SYNCHRONOUS: How = How::Engine(Mode::Synchronous);

/// The fast path of a send and a receive at the same time: what leaves at once needs no request and
/// has left its buffer, and what remains is a receive.
///
/// # Safety
/// The program's promises on its buffers and status.
#[inline(always)]
unsafe fn fast_exchange<const THREADS: bool>(
    function: &'static str,
    outgoing: Outgoing,
    incoming: Incoming,
    status: *mut MPI_Status,
) -> Option<c_int> {
    // SAFETY: promised by the caller.
    unsafe {
        if is_from_null(incoming) {
            return send_alone::<THREADS>(outgoing, incoming, status);
        }
        let (.., source, _) = plain_receive(incoming)?;
        if !fast_send::<THREADS>(outgoing, source) {
            return None;
        }
        // `recv` itself tries the fast path of several threads.
        let is_here = !THREADS && fast_recv::<false>(incoming, status);
        Some(if is_here { MPI_SUCCESS } else { recv(function, incoming, status) })
    }
}

/// The fast path of a send and a receive from `MPI_PROC_NULL` at the same time.
///
/// # Safety
/// As for [`fast_exchange`].
#[inline(never)]
unsafe fn send_alone<const THREADS: bool>(
    outgoing: Outgoing,
    incoming: Incoming,
    status: *mut MPI_Status,
) -> Option<c_int> {
    plain_receive_from_null(incoming)?;
    // SAFETY: promised by the caller.
    unsafe {
        fast_send::<THREADS>(outgoing, None).then(|| {
            put_status(status, &Status::PROC_NULL);
            MPI_SUCCESS
        })
    }
}

/// That of a program of several threads, not in line: programs of one do not pay for it.
///
/// # Safety
/// As for [`fast_exchange`].
#[inline(never)]
unsafe fn exchange_among_threads(
    function: &'static str,
    outgoing: Outgoing,
    incoming: Incoming,
    status: *mut MPI_Status,
) -> Option<c_int> {
    // SAFETY: promised by the caller.
    unsafe { fast_exchange::<true>(function, outgoing, incoming, status) }
}

/// # Safety
/// The program's promises on its buffer.
#[inline(never)]
unsafe fn send(function: &'static str, how: How, message: Outgoing) -> c_int {
    // SAFETY: promised by the caller.
    if how == STANDARD && unsafe { fast_send::<true>(message, None) } {
        return MPI_SUCCESS;
    }
    if how == SYNCHRONOUS {
        // SAFETY: promised by the caller.
        if let Some(code) = unsafe { fast_ssend::<true>(function, message) } {
            return code;
        }
    }
    let (buf, count, datatype, dest, tag, comm) = message;
    on_comm_of_messages(function, comm, |engine, comm| {
        // SAFETY: promised by the caller.
        let buffer = unsafe { convert::buffer(engine, buf, count, datatype) }?;
        let tag = convert::tag(tag)?;
        let Some(to) = convert::destination(comm, dest)? else { return Ok(()) };
        match how {
            How::Engine(mode) => engine.send(comm, buffer, to, tag, mode),
            How::Buffered => engine.bsend(comm, buffer, to, tag),
        }
    })
}

/// # Safety
/// The program's promises on its buffer, until the request is complete.
#[inline(never)]
unsafe fn isend(
    function: &'static str,
    how: How,
    message: Outgoing,
    request: *mut MPI_Request,
) -> c_int {
    // SAFETY: promised by the caller; the address of a request, if it is not null.
    unsafe {
        if how == STANDARD && !request.is_null() && fast_isend::<true>(message) {
            request.write(COMPLETE_HANDLE);
            return MPI_SUCCESS;
        }
        if how == SYNCHRONOUS && fast_issend::<true>(message, request) {
            return MPI_SUCCESS;
        }
    }
    let (buf, count, datatype, dest, tag, comm) = message;
    on_comm_of_messages(function, comm, |engine, comm| {
        // SAFETY: promised by the caller.
        let buffer = unsafe { convert::buffer(engine, buf, count, datatype) }?;
        let tag = convert::tag(tag)?;
        let to = convert::destination(comm, dest)?;
        let begin = || match (to, how) {
            (None, _) => Ok(engine.complete_request(comm, Status::EMPTY)),
            (Some(to), How::Engine(mode)) => engine.isend(comm, buffer, to, tag, mode),
            (Some(to), How::Buffered) => {
                engine.bsend(comm, buffer, to, tag)?;
                Ok(engine.complete_request(comm, Status::EMPTY))
            }
        };
        // SAFETY: the program passes null or the address of a request.
        unsafe { give_request(engine, request, begin) }
    })
}

/// # Safety
/// The program's promises on its buffer and status.
#[inline(never)]
unsafe fn recv(function: &'static str, message: Incoming, status: *mut MPI_Status) -> c_int {
    // SAFETY: promised by the caller.
    if unsafe { fast_recv::<true>(message, status) } {
        return MPI_SUCCESS;
    }
    let (buf, count, datatype, source, tag, comm) = message;
    on_comm_of_messages(function, comm, |engine, comm| {
        // SAFETY: promised by the caller.
        let buffer = unsafe { convert::buffer(engine, buf, count, datatype) }?;
        let tag = convert::tag_or_any(tag)?;
        let outcome = match convert::source(comm, source)? {
            None => Status::PROC_NULL,
            Some(from) => engine.recv(comm, buffer, from, tag)?,
        };
        // SAFETY: promised by the caller.
        unsafe { tell(outcome, status) }
    })
}

/// # Safety
/// The program's promises on its buffer, until the request is complete.
#[inline(never)]
unsafe fn irecv(function: &'static str, message: Incoming, request: *mut MPI_Request) -> c_int {
    // SAFETY: promised by the caller.
    if unsafe { fast_irecv::<true>(message, request) } {
        return MPI_SUCCESS;
    }
    let (buf, count, datatype, source, tag, comm) = message;
    on_comm_of_messages(function, comm, |engine, comm| {
        // SAFETY: promised by the caller.
        let buffer = unsafe { convert::buffer(engine, buf, count, datatype) }?;
        let tag = convert::tag_or_any(tag)?;
        let from = convert::source(comm, source)?;
        let begin = || match from {
            None => Ok(engine.complete_request(comm, Status::PROC_NULL)),
            Some(from) => engine.irecv(comm, buffer, from, tag),
        };
        // SAFETY: the program passes null or the address of a request.
        unsafe { give_request(engine, request, begin) }
    })
}

entry_c! {
    fn MPI_Send / MPI_Send_c(
        buf: *const c_void,
        count: N,
        datatype: MPI_Datatype,
        dest: c_int,
        tag: c_int,
        comm: MPI_Comm,
    ) {
        let message = (buf, count.into(), datatype, dest, tag, comm);
        // SAFETY: the program's promises.
        unsafe {
            if fast_send::<false>(message, None) {
                return MPI_SUCCESS;
            }
            send(FUNCTION, STANDARD, message)
        }
    }

    fn MPI_Isend / MPI_Isend_c(
        buf: *const c_void,
        count: N,
        datatype: MPI_Datatype,
        dest: c_int,
        tag: c_int,
        comm: MPI_Comm,
        request: *mut MPI_Request,
    ) {
        let message = (buf, count.into(), datatype, dest, tag, comm);
        // SAFETY: the program's promises.
        unsafe {
            if !request.is_null() && fast_isend::<false>(message) {
                request.write(COMPLETE_HANDLE);
                return MPI_SUCCESS;
            }
            isend(FUNCTION, STANDARD, message, request)
        }
    }

    fn MPI_Ssend / MPI_Ssend_c(
        buf: *const c_void,
        count: N,
        datatype: MPI_Datatype,
        dest: c_int,
        tag: c_int,
        comm: MPI_Comm,
    ) {
        let message = (buf, count.into(), datatype, dest, tag, comm);
        // SAFETY: the program's promises.
        unsafe {
            fast_ssend::<false>(FUNCTION, message)
                .unwrap_or_else(|| send(FUNCTION, SYNCHRONOUS, message))
        }
    }

    fn MPI_Issend / MPI_Issend_c(
        buf: *const c_void,
        count: N,
        datatype: MPI_Datatype,
        dest: c_int,
        tag: c_int,
        comm: MPI_Comm,
        request: *mut MPI_Request,
    ) {
        let message = (buf, count.into(), datatype, dest, tag, comm);
        // SAFETY: the program's promises.
        unsafe {
            if fast_issend::<false>(message, request) {
                return MPI_SUCCESS;
            }
            isend(FUNCTION, SYNCHRONOUS, message, request)
        }
    }

    fn MPI_Rsend / MPI_Rsend_c(
        buf: *const c_void,
        count: N,
        datatype: MPI_Datatype,
        dest: c_int,
        tag: c_int,
        comm: MPI_Comm,
    ) {
        // SAFETY: the program's promises.
        unsafe { send(FUNCTION, STANDARD, (buf, count.into(), datatype, dest, tag, comm)) }
    }

    fn MPI_Irsend / MPI_Irsend_c(
        buf: *const c_void,
        count: N,
        datatype: MPI_Datatype,
        dest: c_int,
        tag: c_int,
        comm: MPI_Comm,
        request: *mut MPI_Request,
    ) {
        let message = (buf, count.into(), datatype, dest, tag, comm);
        // SAFETY: the program's promises.
        unsafe { isend(FUNCTION, STANDARD, message, request) }
    }

    fn MPI_Bsend / MPI_Bsend_c(
        buf: *const c_void,
        count: N,
        datatype: MPI_Datatype,
        dest: c_int,
        tag: c_int,
        comm: MPI_Comm,
    ) {
        // SAFETY: the program's promises.
        unsafe { send(FUNCTION, How::Buffered, (buf, count.into(), datatype, dest, tag, comm)) }
    }

    fn MPI_Ibsend / MPI_Ibsend_c(
        buf: *const c_void,
        count: N,
        datatype: MPI_Datatype,
        dest: c_int,
        tag: c_int,
        comm: MPI_Comm,
        request: *mut MPI_Request,
    ) {
        let message = (buf, count.into(), datatype, dest, tag, comm);
        // SAFETY: the program's promises.
        unsafe { isend(FUNCTION, How::Buffered, message, request) }
    }

    fn MPI_Recv / MPI_Recv_c(
        buf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        source: c_int,
        tag: c_int,
        comm: MPI_Comm,
        status: *mut MPI_Status,
    ) {
        let message = (buf, count.into(), datatype, source, tag, comm);
        // SAFETY: the program's promises.
        unsafe {
            if fast_recv::<false>(message, status) {
                return MPI_SUCCESS;
            }
            recv(FUNCTION, message, status)
        }
    }

    fn MPI_Irecv / MPI_Irecv_c(
        buf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        source: c_int,
        tag: c_int,
        comm: MPI_Comm,
        request: *mut MPI_Request,
    ) {
        let message = (buf, count.into(), datatype, source, tag, comm);
        // SAFETY: the program's promises.
        unsafe {
            if fast_irecv::<false>(message, request) {
                return MPI_SUCCESS;
            }
            irecv(FUNCTION, message, request)
        }
    }
}

/// One side of an exchange: buffer, count, datatype, peer, tag.
type Side = (*mut c_void, MPI_Count, MPI_Datatype, c_int, c_int);

/// [`Engine::irecv`] or [`Engine::irecv_awaited`].
type Irecv =
    fn(&Engine, &Rc<Comm>, UserBuffer, dunlin_engine::From, Option<Tag>) -> Result<RequestId>;

/// Starts the receive and the send.
///
/// # Safety
/// The program's promises on its buffers.
unsafe fn exchange(
    engine: &Engine,
    comm: &Rc<Comm>,
    irecv: Irecv,
    outgoing: UserBuffer,
    (to, send_tag): (c_int, c_int),
    (buf, count, datatype, source, recv_tag): Side,
) -> Result<[RequestId; 2]> {
    // SAFETY: promised by the caller.
    let incoming = unsafe { convert::buffer(engine, buf, count, datatype) }?;
    let (send_tag, recv_tag) = (convert::tag(send_tag)?, convert::tag_or_any(recv_tag)?);
    let to = convert::destination(comm, to)?;
    let receive = match convert::source(comm, source)? {
        None => engine.complete_request(comm, Status::PROC_NULL),
        Some(from) => irecv(engine, comm, incoming, from, recv_tag)?,
    };
    let send = match to {
        None => engine.complete_request(comm, Status::EMPTY),
        // Fails for a wrong rank alone, which `destination` has refused before anything was posted.
        Some(to) => engine.isend_awaited(comm, outgoing, to, send_tag, Mode::Standard)?,
    };
    Ok([send, receive])
}

/// Completes both: returns the status of the receive, with an error of either.
fn complete(engine: &Engine, [send, receive]: [RequestId; 2]) -> Result<Status> {
    engine.wait_all(&[send, receive]);
    let sent = engine.finish(send)?;
    let received = engine.finish(receive)?.map_or(Status::EMPTY, |f| f.status);
    let error = sent.and_then(|f| f.status.error).or_else(|| received.error.clone());
    Ok(Status { error, ..received })
}

entry_c! {
    fn MPI_Sendrecv / MPI_Sendrecv_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        dest: c_int,
        sendtag: c_int,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
        source: c_int,
        recvtag: c_int,
        comm: MPI_Comm,
        status: *mut MPI_Status,
    ) {
        let incoming = (recvbuf, recvcount.into(), recvtype, source, recvtag, comm);
        let outgoing = (sendbuf, sendcount.into(), sendtype, dest, sendtag, comm);
        // SAFETY: the program's promises.
        let done = unsafe {
            fast_exchange::<false>(FUNCTION, outgoing, incoming, status)
                .or_else(|| exchange_among_threads(FUNCTION, outgoing, incoming, status))
        };
        if let Some(code) = done {
            return code;
        }
        on_comm_of_messages(FUNCTION, comm, |engine, comm| {
            let incoming = (recvbuf, recvcount.into(), recvtype, source, recvtag);
            // SAFETY: the program's promises.
            unsafe {
                let outgoing = convert::buffer(engine, sendbuf, sendcount.into(), sendtype)?;
                let begin = Engine::irecv_awaited;
                let begun = exchange(engine, comm, begin, outgoing, (dest, sendtag), incoming)?;
                tell(complete(engine, begun)?, status)
            }
        })
    }

    fn MPI_Sendrecv_replace / MPI_Sendrecv_replace_c(
        buf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        dest: c_int,
        sendtag: c_int,
        source: c_int,
        recvtag: c_int,
        comm: MPI_Comm,
        status: *mut MPI_Status,
    ) {
        let incoming = (buf, count.into(), datatype, source, recvtag, comm);
        let outgoing = (buf.cast_const(), count.into(), datatype, dest, sendtag, comm);
        // SAFETY: the program's promises.
        let done = unsafe {
            fast_exchange::<false>(FUNCTION, outgoing, incoming, status)
                .or_else(|| exchange_among_threads(FUNCTION, outgoing, incoming, status))
        };
        if let Some(code) = done {
            return code;
        }
        on_comm_of_messages(FUNCTION, comm, |engine, comm| {
            let incoming = (buf, count.into(), datatype, source, recvtag);
            // SAFETY: the program's promises; the copy lives until both are complete.
            unsafe {
                let copy = convert::buffer(engine, buf, count.into(), datatype)?.packed()?;
                let outgoing = UserBuffer::dense(copy.as_ptr().cast_mut(), copy.len());
                let begin = Engine::irecv_awaited;
                let begun = exchange(engine, comm, begin, outgoing, (dest, sendtag), incoming)?;
                tell(complete(engine, begun)?, status)
            }
        })
    }

    fn MPI_Isendrecv / MPI_Isendrecv_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        dest: c_int,
        sendtag: c_int,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
        source: c_int,
        recvtag: c_int,
        comm: MPI_Comm,
        request: *mut MPI_Request,
    ) {
        on_comm_of_messages(FUNCTION, comm, |engine, comm| {
            let incoming = (recvbuf, recvcount.into(), recvtype, source, recvtag);
            // SAFETY: the program's promises.
            unsafe {
                let outgoing = convert::buffer(engine, sendbuf, sendcount.into(), sendtype)?;
                give_request(engine, request, || {
                    let begin = Engine::irecv;
                    let begun = exchange(engine, comm, begin, outgoing, (dest, sendtag), incoming)?;
                    Ok(engine.send_receive(comm, begun, None))
                })
            }
        })
    }

    fn MPI_Isendrecv_replace / MPI_Isendrecv_replace_c(
        buf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        dest: c_int,
        sendtag: c_int,
        source: c_int,
        recvtag: c_int,
        comm: MPI_Comm,
        request: *mut MPI_Request,
    ) {
        on_comm_of_messages(FUNCTION, comm, |engine, comm| {
            let incoming = (buf, count.into(), datatype, source, recvtag);
            // SAFETY: the program's promises; the request shares the copy, which stays where it is.
            unsafe {
                let data = convert::buffer(engine, buf, count.into(), datatype)?;
                let copy = Arc::new(data.packed()?);
                let outgoing = UserBuffer::dense(copy.as_ptr().cast_mut(), copy.len());
                give_request(engine, request, || {
                    let begin = Engine::irecv;
                    let begun = exchange(engine, comm, begin, outgoing, (dest, sendtag), incoming)?;
                    Ok(engine.send_receive(comm, begun, Some(copy)))
                })
            }
        })
    }
}
