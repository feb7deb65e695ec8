//! Creating persistent point-to-point requests (MPI 5.0, section 3.9). The functions for all
//! requests start and complete them.

use std::ffi::{c_int, c_void};

use dunlin_engine::Spec;

use crate::call::on_comm_of_messages;
use crate::convert::{self, give_request};
use crate::p2p::{How, STANDARD, SYNCHRONOUS};
use crate::p2p_fast_path::{Incoming, Outgoing};
use crate::standard::types::*;

/// # Safety
/// The program's promises on its buffer, until the request is freed.
unsafe fn send_init(
    function: &'static str,
    how: How,
    message: Outgoing,
    request: *mut MPI_Request,
) -> c_int {
    let (buf, count, datatype, dest, tag, comm) = message;
    on_comm_of_messages(function, comm, |engine, comm| {
        // SAFETY: promised by the caller.
        let buffer = unsafe { convert::buffer(engine, buf, count, datatype) }?;
        let tag = convert::tag(tag)?;
        let spec = match (convert::destination(comm, dest)?, how) {
            (None, _) => Spec::Nothing { receive: false },
            (Some(to), How::Engine(mode)) => Spec::Send { buffer, to, tag, mode },
            (Some(to), How::Buffered) => Spec::Buffered { buffer, to, tag },
        };
        // SAFETY: the program passes null or the address of a request.
        unsafe { give_request(engine, request, || engine.persistent(comm, spec)) }
    })
}

/// # Safety
/// The program's promises on its buffer, until the request is freed.
unsafe fn recv_init(function: &'static str, message: Incoming, request: *mut MPI_Request) -> c_int {
    let (buf, count, datatype, source, tag, comm) = message;
    on_comm_of_messages(function, comm, |engine, comm| {
        // SAFETY: promised by the caller.
        let buffer = unsafe { convert::buffer(engine, buf, count, datatype) }?;
        let tag = convert::tag_or_any(tag)?;
        let spec = match convert::source(comm, source)? {
            None => Spec::Nothing { receive: true },
            Some(from) => Spec::Receive { buffer, from, tag },
        };
        // SAFETY: the program passes null or the address of a request.
        unsafe { give_request(engine, request, || engine.persistent(comm, spec)) }
    })
}

entry_c! {
    fn MPI_Send_init / MPI_Send_init_c(
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
        unsafe { send_init(FUNCTION, STANDARD, message, request) }
    }

    fn MPI_Ssend_init / MPI_Ssend_init_c(
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
        unsafe { send_init(FUNCTION, SYNCHRONOUS, message, request) }
    }

    fn MPI_Rsend_init / MPI_Rsend_init_c(
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
        unsafe { send_init(FUNCTION, STANDARD, message, request) }
    }

    fn MPI_Bsend_init / MPI_Bsend_init_c(
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
        unsafe { send_init(FUNCTION, How::Buffered, message, request) }
    }

    fn MPI_Recv_init / MPI_Recv_init_c(
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
        unsafe { recv_init(FUNCTION, message, request) }
    }
}
