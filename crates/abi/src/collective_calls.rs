//! The collective operations on whole communicators (MPI 5.0, chapter 6): how each one's arguments
//! are decoded. `entry_coll!` makes the blocking, nonblocking and persistent forms of each.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use dunlin_datatype::byte_range::total;
use dunlin_engine::{Comm, Engine, Typed};

use crate::call::finish;
use crate::collective::*;
use crate::collective_fast_path::{
    apart, block, bytes, bytes_each, bytes_or, operator, plain_blocks, plain_on, starts,
};
use crate::op::op_id;
use crate::raise::Owner;
use crate::types::*;

entry! {
    fn MPI_Barrier(comm: MPI_Comm) -> c_int {
        if let Some(outcome) = plain_on(FUNCTION, comm).and_then(|ranks| ranks.barrier()) {
            return finish(FUNCTION, Owner::Comm(comm), outcome);
        }
        blocking(FUNCTION, comm, |engine, comm| engine.barrier(comm))
    }

    fn MPI_Ibarrier(comm: MPI_Comm, request: *mut MPI_Request) -> c_int {
        // SAFETY: the program passes null or the address of a request.
        unsafe { begin(FUNCTION, comm, request, |engine, comm| engine.barrier(comm)) }
    }

    fn MPI_Barrier_init(comm: MPI_Comm, info: MPI_Info, request: *mut MPI_Request) -> c_int {
        let _no_hint_matters = info;
        // SAFETY: the program passes null or the address of a request.
        unsafe { persistent(FUNCTION, comm, request, |engine, comm| engine.barrier(comm)) }
    }
}

entry_coll! {
    fn MPI_Bcast / MPI_Bcast_c / MPI_Ibcast / MPI_Ibcast_c / MPI_Bcast_init / MPI_Bcast_init_c(
        buffer: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        root: c_int,
    ) plain |ranks| {
        ranks.bcast(bytes((buffer.cast_const(), count.into(), datatype))?, ranks.root(root)?)
    } |engine, comm| {
        let root = self::root(comm, root)?;
        let takes_part = root.is_named() || root.is_here(comm);
        let given = (buffer.cast_const(), count.into(), datatype);
        let data = if takes_part { typed(engine, given)? } else { Typed::EMPTY };
        engine.bcast(comm, data, root)
    }

    fn MPI_Gather / MPI_Gather_c / MPI_Igather / MPI_Igather_c / MPI_Gather_init
        / MPI_Gather_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
        root: c_int,
    ) plain |ranks| {
        let root = ranks.root(root)?;
        let given = (recvbuf.cast_const(), recvcount.into(), recvtype);
        let recv = match ranks.rank() == root {
            true => Some(bytes_each(given, ranks.size())?),
            false => None,
        };
        let own = recv.map(|recv| block(recv, root));
        ranks.gather(bytes_or((sendbuf, sendcount.into(), sendtype), own)?, recv, root)
    } |engine, comm| {
        let root = self::root(comm, root)?;
        let recv = at_root(engine, comm, root, (recvbuf, recvcount.into(), recvtype))?;
        let send = at_others(engine, comm, root, (sendbuf, sendcount.into(), sendtype))?;
        engine.gather(comm, send, recv, root)
    }

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
    ) plain |ranks| {
        let root = ranks.root(root)?;
        let given = (recvbuf.cast_const(), recvcounts, displs, recvtype);
        let recv = match ranks.rank() == root {
            true => Some(plain_blocks(given, ranks.size())?),
            false => None,
        };
        let own = recv.as_ref().map(|recv| recv.block(root));
        let send = bytes_or((sendbuf, sendcount.into(), sendtype), own)?;
        if own.is_some_and(|own| own.1 != send.1) {
            return None;
        }
        ranks.gatherv(send, recv.as_ref().map(|recv| recv.places()), root)
    } |engine, comm| {
        let root = self::root(comm, root)?;
        let given = (recvbuf.cast_const(), recvcounts, displs, recvtype);
        // SAFETY: the program passes arrays with an entry for each rank.
        let recv = unsafe { irregular_at_root(engine, comm, root, given) }?;
        let send = at_others(engine, comm, root, (sendbuf, sendcount.into(), sendtype))?;
        engine.gatherv(comm, send, recv, root)
    }

    fn MPI_Scatter / MPI_Scatter_c / MPI_Iscatter / MPI_Iscatter_c / MPI_Scatter_init
        / MPI_Scatter_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
        root: c_int,
    ) plain |ranks| {
        let root = ranks.root(root)?;
        let given = (sendbuf, sendcount.into(), sendtype);
        let send = match ranks.rank() == root {
            true => Some(bytes_each(given, ranks.size())?),
            false => None,
        };
        let own = send.map(|send| block(send, root));
        let given = (recvbuf.cast_const(), recvcount.into(), recvtype);
        ranks.scatter(send, bytes_or(given, own)?, root)
    } |engine, comm| {
        let root = self::root(comm, root)?;
        let send = at_root(engine, comm, root, (sendbuf, sendcount.into(), sendtype))?;
        let recv = at_others(engine, comm, root, (recvbuf, recvcount.into(), recvtype))?;
        engine.scatter(comm, send, recv, root)
    }

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
    ) plain |ranks| {
        let root = ranks.root(root)?;
        let given = (sendbuf, sendcounts, displs, sendtype);
        let send = match ranks.rank() == root {
            true => Some(plain_blocks(given, ranks.size())?),
            false => None,
        };
        let own = send.as_ref().map(|send| send.block(root));
        let recv = bytes_or((recvbuf.cast_const(), recvcount.into(), recvtype), own)?;
        if own.is_some_and(|own| own.1 != recv.1) {
            return None;
        }
        ranks.scatterv(send.as_ref().map(|send| send.places()), recv, root)
    } |engine, comm| {
        let root = self::root(comm, root)?;
        let given = (sendbuf, sendcounts, displs, sendtype);
        // SAFETY: the program passes arrays with an entry for each rank.
        let send = unsafe { irregular_at_root(engine, comm, root, given) }?;
        let recv = at_others(engine, comm, root, (recvbuf, recvcount.into(), recvtype))?;
        engine.scatterv(comm, send, recv, root)
    }

    fn MPI_Allgather / MPI_Allgather_c / MPI_Iallgather / MPI_Iallgather_c / MPI_Allgather_init
        / MPI_Allgather_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
    ) plain |ranks| {
        let recv = bytes_each((recvbuf.cast_const(), recvcount.into(), recvtype), ranks.size())?;
        let own = Some(block(recv, ranks.rank()));
        ranks.allgather(bytes_or((sendbuf, sendcount.into(), sendtype), own)?, recv)
    } |engine, comm| {
        let send = typed_or_in_place(engine, (sendbuf, sendcount.into(), sendtype))?;
        let recv = typed(engine, (recvbuf, recvcount.into(), recvtype))?;
        engine.allgather(comm, send, recv)
    }

    fn MPI_Allgatherv / MPI_Allgatherv_c / MPI_Iallgatherv / MPI_Iallgatherv_c
        / MPI_Allgatherv_init / MPI_Allgatherv_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcounts: *const N,
        displs: *const Disp,
        recvtype: MPI_Datatype,
    ) plain |ranks| {
        let given = (recvbuf.cast_const(), recvcounts, displs, recvtype);
        let recv = plain_blocks(given, ranks.size())?;
        let own = recv.block(ranks.rank());
        let send = bytes_or((sendbuf, sendcount.into(), sendtype), Some(own))?;
        if own.1 != send.1 {
            return None;
        }
        let (recv, places) = recv.places();
        ranks.allgatherv(send, recv, places)
    } |engine, comm| {
        let send = typed_or_in_place(engine, (sendbuf, sendcount.into(), sendtype))?;
        let given = (recvbuf.cast_const(), recvcounts, displs, recvtype);
        // SAFETY: the program passes arrays with an entry for each rank.
        let recv = unsafe { irregular(engine, blocks(comm), given) }?;
        engine.allgatherv(comm, send, recv)
    }

    fn MPI_Alltoall / MPI_Alltoall_c / MPI_Ialltoall / MPI_Ialltoall_c / MPI_Alltoall_init
        / MPI_Alltoall_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
    ) plain |ranks| {
        let recv = bytes_each((recvbuf.cast_const(), recvcount.into(), recvtype), ranks.size())?;
        let (send, recv) = apart(bytes((sendbuf, sendcount.into(), sendtype))?, recv)?;
        ranks.alltoall(send, recv)
    } |engine, comm| {
        let send = typed_or_in_place(engine, (sendbuf, sendcount.into(), sendtype))?;
        let recv = typed(engine, (recvbuf, recvcount.into(), recvtype))?;
        engine.alltoall(comm, send, recv)
    }

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
    ) plain |ranks| {
        let send = plain_blocks((sendbuf, sendcounts, sdispls, sendtype), ranks.size())?;
        let given = (recvbuf.cast_const(), recvcounts, rdispls, recvtype);
        let recv = plain_blocks(given, ranks.size())?;
        let own = apart(send.block(ranks.rank()), recv.block(ranks.rank()))?;
        if own.0.1 != own.1.1 {
            return None;
        }
        ranks.alltoallv(send.places(), recv.places())
    } |engine, comm| {
        let from = (sendbuf, sendcounts, sdispls, sendtype);
        let to = (recvbuf.cast_const(), recvcounts, rdispls, recvtype);
        // SAFETY: the program passes arrays with an entry for each rank.
        unsafe {
            let send = irregular_or_in_place(engine, blocks(comm), from)?;
            engine.alltoallv(comm, send, irregular(engine, blocks(comm), to)?)
        }
    }

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
    ) |engine, comm| {
        let from = (sendbuf, sendcounts, sdispls, sendtypes);
        let to = (recvbuf.cast_const(), recvcounts, rdispls, recvtypes);
        // SAFETY: the program passes arrays with an entry for each rank.
        unsafe {
            let send = varied_or_in_place(engine, blocks(comm), from)?;
            engine.alltoallw(comm, send, &varied(engine, blocks(comm), to)?)
        }
    }

    fn MPI_Reduce / MPI_Reduce_c / MPI_Ireduce / MPI_Ireduce_c / MPI_Reduce_init
        / MPI_Reduce_init_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
        root: c_int,
    ) plain |ranks| {
        let (root, operator) = (ranks.root(root)?, operator(op, datatype)?);
        let given = (recvbuf.cast_const(), count.into(), datatype);
        let recv = if ranks.rank() == root { Some(bytes(given)?) } else { None };
        let send = bytes_or((sendbuf, count.into(), datatype), recv)?;
        ranks.reduce(send, recv, operator, root)
    } |engine, comm| {
        let root = self::root(comm, root)?;
        let send = at_others(engine, comm, root, (sendbuf, count.into(), datatype))?;
        let recv = at_root(engine, comm, root, (recvbuf, count.into(), datatype))?;
        engine.reduce(comm, send, recv, op_id(op)?, root)
    }

    fn MPI_Allreduce / MPI_Allreduce_c / MPI_Iallreduce / MPI_Iallreduce_c / MPI_Allreduce_init
        / MPI_Allreduce_init_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
    ) plain |ranks| {
        let recv = bytes((recvbuf.cast_const(), count.into(), datatype))?;
        let send = bytes_or((sendbuf, count.into(), datatype), Some(recv))?;
        ranks.allreduce(send, recv.0, operator(op, datatype)?)
    } |engine, comm| {
        let send = typed_or_in_place(engine, (sendbuf, count.into(), datatype))?;
        let recv = typed(engine, (recvbuf, count.into(), datatype))?;
        engine.allreduce(comm, send, recv, op_id(op)?)
    }

    fn MPI_Reduce_scatter / MPI_Reduce_scatter_c / MPI_Ireduce_scatter / MPI_Ireduce_scatter_c
        / MPI_Reduce_scatter_init / MPI_Reduce_scatter_init_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        recvcounts: *const N,
        datatype: MPI_Datatype,
        op: MPI_Op,
    ) plain |ranks| {
        let starts = starts(recvcounts, ranks.size())?;
        let (first, end) = (starts[ranks.rank()], starts[ranks.rank() + 1]);
        let total = MPI_Count::try_from(starts[ranks.size()]).ok()?;
        let send = bytes((sendbuf, total, datatype))?;
        let recv = bytes((recvbuf.cast_const(), (end - first) as MPI_Count, datatype))?;
        let (send, recv) = apart(send, recv)?;
        ranks.reduce_scatter(send, recv.0, &starts, operator(op, datatype)?)
    } |engine, comm| {
        // SAFETY: the program passes an array with an entry for each rank.
        let counts = unsafe { counts(recvcounts, comm.size() as usize) }?;
        let total = total(counts.iter().copied())? as MPI_Count;
        let send = typed_or_in_place(engine, (sendbuf, total, datatype))?;
        let mine = if send.is_none() { total } else { counts[comm.rank as usize] as MPI_Count };
        let recv = typed(engine, (recvbuf, mine, datatype))?;
        engine.reduce_scatter(comm, send, recv, &counts, op_id(op)?)
    }

    fn MPI_Reduce_scatter_block / MPI_Reduce_scatter_block_c / MPI_Ireduce_scatter_block
        / MPI_Ireduce_scatter_block_c / MPI_Reduce_scatter_block_init
        / MPI_Reduce_scatter_block_init_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        recvcount: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
    ) plain |ranks| {
        let recv = bytes((recvbuf.cast_const(), recvcount.into(), datatype))?;
        let total = MPI_Count::from(recvcount).checked_mul(ranks.size() as MPI_Count)?;
        let (send, recv) = apart(bytes((sendbuf, total, datatype))?, recv)?;
        ranks.reduce_scatter_block(send, recv.0, operator(op, datatype)?)
    } |engine, comm| {
        let send = typed_or_in_place(engine, (sendbuf, recvcount.into(), datatype))?;
        let recv = typed(engine, (recvbuf, recvcount.into(), datatype))?;
        engine.reduce_scatter_block(comm, send, recv, op_id(op)?)
    }

    fn MPI_Scan / MPI_Scan_c / MPI_Iscan / MPI_Iscan_c / MPI_Scan_init / MPI_Scan_init_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
    ) plain |ranks| {
        let recv = bytes((recvbuf.cast_const(), count.into(), datatype))?;
        let send = bytes_or((sendbuf, count.into(), datatype), Some(recv))?;
        ranks.scan(send, recv.0, operator(op, datatype)?)
    } |engine, comm| {
        let send = typed_or_in_place(engine, (sendbuf, count.into(), datatype))?;
        let recv = typed(engine, (recvbuf, count.into(), datatype))?;
        engine.scan(comm, send, recv, op_id(op)?)
    }

    fn MPI_Exscan / MPI_Exscan_c / MPI_Iexscan / MPI_Iexscan_c / MPI_Exscan_init
        / MPI_Exscan_init_c(
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
    ) plain |ranks| {
        let recv = bytes((recvbuf.cast_const(), count.into(), datatype))?;
        let send = bytes_or((sendbuf, count.into(), datatype), Some(recv))?;
        ranks.exscan(send, recv.0, operator(op, datatype)?)
    } |engine, comm| {
        let send = typed_or_in_place(engine, (sendbuf, count.into(), datatype))?;
        let recv = typed(engine, (recvbuf, count.into(), datatype))?;
        engine.exscan(comm, send, recv, op_id(op)?)
    }
}
