//! The collective operations on whole communicators (MPI 5.0, chapter 6): decoders of their
//! arguments. `entry_coll_fast!` makes the blocking, nonblocking and persistent form of each.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use dunlin_engine::{Comm, Engine};

use crate::call::finish;
use crate::collective::*;
use crate::collective_fast_path::{alone_on, begin as begin_plain, describe, plain_on};
use crate::raise::Owner;
use crate::standard::constants::MPI_SUCCESS;
use crate::standard::types::*;

entry! {
    fn MPI_Barrier(comm: MPI_Comm) -> c_int {
        let outcome = match plain_on(FUNCTION, comm) {
            Some(ranks) => ranks.barrier(),
            None => alone_on(comm).and_then(|alone| alone.barrier()),
        };
        if let Some(outcome) = outcome {
            return finish(FUNCTION, Owner::Comm(comm), outcome);
        }
        blocking(FUNCTION, comm, |engine, comm| engine.barrier(comm))
    }

    fn MPI_Ibarrier(comm: MPI_Comm, request: *mut MPI_Request) -> c_int {
        // SAFETY: the program passes null or the address of a request.
        unsafe {
            if let Some(outcome) = begin_plain(FUNCTION, comm, request, |ranks| ranks.barrier()) {
                return finish(FUNCTION, Owner::Comm(comm), outcome);
            }
            begin(FUNCTION, comm, request, |engine, comm| engine.barrier(comm))
        }
    }

    fn MPI_Barrier_init(comm: MPI_Comm, info: MPI_Info, request: *mut MPI_Request) -> c_int {
        let _no_hint_matters = info;
        // SAFETY: the program passes null or the address of a request.
        unsafe {
            let code = persistent(FUNCTION, comm, request, |engine, comm| engine.barrier(comm));
            if code == MPI_SUCCESS {
                describe(FUNCTION, request, |ranks| ranks.barrier());
            }
            code
        }
    }
}

entry_coll_fast! {
    fn MPI_Bcast / MPI_Bcast_c / MPI_Ibcast / MPI_Ibcast_c / MPI_Bcast_init / MPI_Bcast_init_c(
        buffer: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        root: c_int,
    ) |on| {
        let root = on.root(root)?;
        (on.buffer_around(root, (buffer, count.into(), datatype))?, root)
    } => bcast(data, root)

    fn MPI_Gather / MPI_Gather_c / MPI_Igather / MPI_Igather_c / MPI_Gather_init
        / MPI_Gather_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
        root: c_int,
    ) |on| {
        let root = on.root(root)?;
        let recv = on.blocks_at_root(root, (recvbuf, recvcount.into(), recvtype))?;
        (on.at_others(root, (sendbuf, sendcount.into(), sendtype))?, recv, root)
    } => gather(send, recv, root)

    fn MPI_Gatherv / MPI_Gatherv_c / MPI_Igatherv / MPI_Igatherv_c / MPI_Gatherv_init
        / MPI_Gatherv_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcounts: *const N,
        displs: *const Disp,
        recvtype: MPI_Datatype,
        root: c_int,
    ) |on| {
        let root = on.root(root)?;
        // SAFETY: the program passes arrays with an entry for each rank.
        let recv = unsafe { on.irregular_at_root(root, (recvbuf, recvcounts, displs, recvtype)) }?;
        (on.at_others(root, (sendbuf, sendcount.into(), sendtype))?, recv, root)
    } => gatherv(send, recv, root)

    fn MPI_Scatter / MPI_Scatter_c / MPI_Iscatter / MPI_Iscatter_c / MPI_Scatter_init
        / MPI_Scatter_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
        root: c_int,
    ) |on| {
        let root = on.root(root)?;
        let send = on.blocks_from_root(root, (sendbuf, sendcount.into(), sendtype))?;
        (send, on.result_at_others(root, (recvbuf, recvcount.into(), recvtype))?, root)
    } => scatter(send, recv, root)

    fn MPI_Scatterv / MPI_Scatterv_c / MPI_Iscatterv / MPI_Iscatterv_c / MPI_Scatterv_init
        / MPI_Scatterv_init_c(
        sendbuf: *const c_void,
        sendcounts: *const N,
        displs: *const Disp,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
        root: c_int,
    ) |on| {
        let root = on.root(root)?;
        // SAFETY: the program passes arrays with an entry for each rank.
        let send = unsafe { on.irregular_at_root(root, (sendbuf, sendcounts, displs, sendtype)) }?;
        (send, on.result_at_others(root, (recvbuf, recvcount.into(), recvtype))?, root)
    } => scatterv(send, recv, root)

    fn MPI_Allgather / MPI_Allgather_c / MPI_Iallgather / MPI_Iallgather_c / MPI_Allgather_init
        / MPI_Allgather_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
    ) |on| {
        let send = on.buffer_or_in_place((sendbuf, sendcount.into(), sendtype))?;
        (send, on.result_blocks(send.as_ref(), (recvbuf, recvcount.into(), recvtype))?)
    } => allgather(send, recv)

    fn MPI_Allgatherv / MPI_Allgatherv_c / MPI_Iallgatherv / MPI_Iallgatherv_c
        / MPI_Allgatherv_init / MPI_Allgatherv_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcounts: *const N,
        displs: *const Disp,
        recvtype: MPI_Datatype,
    ) |on| {
        let send = on.buffer_or_in_place((sendbuf, sendcount.into(), sendtype))?;
        // SAFETY: the program passes arrays with an entry for each rank.
        (send, unsafe { on.irregular((recvbuf, recvcounts, displs, recvtype)) }?)
    } => allgatherv(send, recv)

    fn MPI_Alltoall / MPI_Alltoall_c / MPI_Ialltoall / MPI_Ialltoall_c / MPI_Alltoall_init
        / MPI_Alltoall_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
    ) |on| {
        let send = on.blocks_or_in_place((sendbuf, sendcount.into(), sendtype))?;
        (send, on.result_blocks(send.as_ref(), (recvbuf, recvcount.into(), recvtype))?)
    } => alltoall(send, recv)

    fn MPI_Alltoallv / MPI_Alltoallv_c / MPI_Ialltoallv / MPI_Ialltoallv_c / MPI_Alltoallv_init
        / MPI_Alltoallv_init_c(
        sendbuf: *const c_void,
        sendcounts: *const N,
        sdispls: *const Disp,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcounts: *const N,
        rdispls: *const Disp,
        recvtype: MPI_Datatype,
    ) |on| {
        // SAFETY: the program passes arrays with an entry for each rank.
        unsafe {
            let send = on.irregular_or_in_place((sendbuf, sendcounts, sdispls, sendtype))?;
            (send, on.irregular((recvbuf, recvcounts, rdispls, recvtype))?)
        }
    } => alltoallv(send, recv)

    fn MPI_Reduce / MPI_Reduce_c / MPI_Ireduce / MPI_Ireduce_c / MPI_Reduce_init
        / MPI_Reduce_init_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
        root: c_int,
    ) |on| {
        // First of all: no buffer is packed for an operator that the fast path does not support.
        let op = on.op(op, datatype)?;
        let root = on.root(root)?;
        let send = on.at_others(root, (sendbuf, count.into(), datatype))?;
        let recv = on.at_root(root, (recvbuf, count.into(), datatype))?;
        (send, recv, op, root)
    } => reduce(send, recv, op, root)

    fn MPI_Allreduce / MPI_Allreduce_c / MPI_Iallreduce / MPI_Iallreduce_c / MPI_Allreduce_init
        / MPI_Allreduce_init_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
    ) |on| {
        let op = on.op(op, datatype)?;
        let send = on.buffer_or_in_place((sendbuf, count.into(), datatype))?;
        let recv = on.result(send.as_ref(), (recvbuf, count.into(), datatype))?;
        (send, recv, op)
    } => allreduce(send, recv, op)

    fn MPI_Reduce_scatter / MPI_Reduce_scatter_c / MPI_Ireduce_scatter / MPI_Ireduce_scatter_c
        / MPI_Reduce_scatter_init / MPI_Reduce_scatter_init_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        recvcounts: *const N,
        datatype: MPI_Datatype,
        op: MPI_Op,
    ) |on| {
        let op = on.op(op, datatype)?;
        // SAFETY: the program passes an array with an entry for each rank.
        let counts = unsafe { on.counts(recvcounts) }?;
        let (total, own) = on.total_and_own(&counts)?;
        let send = on.buffer_or_in_place((sendbuf, total, datatype))?;
        let mine = if send.is_none() { total } else { own };
        let recv = on.result(send.as_ref(), (recvbuf, mine, datatype))?;
        (send, recv, counts, op)
    } => reduce_scatter(send, recv, counts, op)

    fn MPI_Reduce_scatter_block / MPI_Reduce_scatter_block_c / MPI_Ireduce_scatter_block
        / MPI_Ireduce_scatter_block_c / MPI_Reduce_scatter_block_init
        / MPI_Reduce_scatter_block_init_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        recvcount: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
    ) |on| {
        let op = on.op(op, datatype)?;
        let send = on.blocks_or_in_place((sendbuf, recvcount.into(), datatype))?;
        let recv = on.result(send.as_ref(), (recvbuf, recvcount.into(), datatype))?;
        (send, recv, op)
    } => reduce_scatter_block(send, recv, op)

    fn MPI_Scan / MPI_Scan_c / MPI_Iscan / MPI_Iscan_c / MPI_Scan_init / MPI_Scan_init_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
    ) |on| {
        let op = on.op(op, datatype)?;
        let send = on.buffer_or_in_place((sendbuf, count.into(), datatype))?;
        let recv = on.result(send.as_ref(), (recvbuf, count.into(), datatype))?;
        (send, recv, op)
    } => scan(send, recv, op)

    fn MPI_Exscan / MPI_Exscan_c / MPI_Iexscan / MPI_Iexscan_c / MPI_Exscan_init
        / MPI_Exscan_init_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
    ) |on| {
        let op = on.op(op, datatype)?;
        let send = on.buffer_or_in_place((sendbuf, count.into(), datatype))?;
        let recv = on.buffer((recvbuf, count.into(), datatype))?;
        (send, recv, op)
    } => exscan(send, recv, op)

    fn MPI_Alltoallw / MPI_Alltoallw_c / MPI_Ialltoallw / MPI_Ialltoallw_c / MPI_Alltoallw_init
        / MPI_Alltoallw_init_c(
        sendbuf: *const c_void,
        sendcounts: *const N,
        sdispls: *const Disp,
        sendtypes: *const MPI_Datatype,
        recvbuf: *mut c_void,
        recvcounts: *const N,
        rdispls: *const Disp,
        recvtypes: *const MPI_Datatype,
    ) |on| {
        // SAFETY: the program passes arrays with an entry for each rank.
        unsafe {
            let send = on.varied_or_in_place((sendbuf, sendcounts, sdispls, sendtypes))?;
            (send, on.varied((recvbuf, recvcounts, rdispls, recvtypes))?)
        }
    } => alltoallw(send, recv)
}
