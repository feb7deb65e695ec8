//! Blocking collective communication (MPI 5.0, chapter 6).

use std::ffi::{c_int, c_void};

use dunlin_base::Result;
use dunlin_engine::{Comm, Engine, Typed};

use crate::call::on_comm;
use crate::convert::{root, typed, typed_or_in_place};
use crate::op::op_id;
use crate::types::*;

/// Address, count and datatype of a buffer.
type Given = (*const c_void, MPI_Count, MPI_Datatype);

/// A buffer that means something at the root only.
fn at_root(engine: &Engine, comm: &Comm, root: u32, given: Given) -> Result<Typed> {
    if comm.rank == root { typed(engine, given.0, given.1, given.2) } else { Ok(Typed::EMPTY) }
}

entry! {
    fn MPI_Barrier(comm: MPI_Comm) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| engine.barrier(comm))
    }
}

entry_c! {
    fn MPI_Bcast / MPI_Bcast_c(
        buffer: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        root: c_int,
        comm: MPI_Comm,
    ) {
        on_comm(FUNCTION, comm, |engine, comm| {
            let data = typed(engine, buffer, count.into(), datatype)?;
            engine.bcast(comm, data, self::root(comm, root)?)
        })
    }

    fn MPI_Gather / MPI_Gather_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
        root: c_int,
        comm: MPI_Comm,
    ) {
        on_comm(FUNCTION, comm, |engine, comm| {
            let root = self::root(comm, root)?;
            let recv = at_root(engine, comm, root, (recvbuf, recvcount.into(), recvtype))?;
            let send = typed_or_in_place(engine, sendbuf, sendcount.into(), sendtype)?;
            engine.gather(comm, send, recv, root)
        })
    }

    fn MPI_Scatter / MPI_Scatter_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
        root: c_int,
        comm: MPI_Comm,
    ) {
        on_comm(FUNCTION, comm, |engine, comm| {
            let root = self::root(comm, root)?;
            let send = at_root(engine, comm, root, (sendbuf, sendcount.into(), sendtype))?;
            let recv = typed_or_in_place(engine, recvbuf, recvcount.into(), recvtype)?;
            engine.scatter(comm, send, recv, root)
        })
    }

    fn MPI_Allgather / MPI_Allgather_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
        comm: MPI_Comm,
    ) {
        on_comm(FUNCTION, comm, |engine, comm| {
            let send = typed_or_in_place(engine, sendbuf, sendcount.into(), sendtype)?;
            let recv = typed(engine, recvbuf, recvcount.into(), recvtype)?;
            engine.allgather(comm, send, recv)
        })
    }

    fn MPI_Alltoall / MPI_Alltoall_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
        comm: MPI_Comm,
    ) {
        on_comm(FUNCTION, comm, |engine, comm| {
            let send = typed_or_in_place(engine, sendbuf, sendcount.into(), sendtype)?;
            let recv = typed(engine, recvbuf, recvcount.into(), recvtype)?;
            engine.alltoall(comm, send, recv)
        })
    }

    fn MPI_Reduce / MPI_Reduce_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
        root: c_int,
        comm: MPI_Comm,
    ) {
        on_comm(FUNCTION, comm, |engine, comm| {
            let root = self::root(comm, root)?;
            let send = typed_or_in_place(engine, sendbuf, count.into(), datatype)?;
            let recv = at_root(engine, comm, root, (recvbuf, count.into(), datatype))?;
            engine.reduce(comm, send, recv, op_id(op)?, root)
        })
    }

    fn MPI_Allreduce / MPI_Allreduce_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
        comm: MPI_Comm,
    ) {
        on_comm(FUNCTION, comm, |engine, comm| {
            let send = typed_or_in_place(engine, sendbuf, count.into(), datatype)?;
            let recv = typed(engine, recvbuf, count.into(), datatype)?;
            engine.allreduce(comm, send, recv, op_id(op)?)
        })
    }
}
