//! Neighbourhood collectives (MPI 5.0, section 8.6): decoders of their arguments.

use std::ffi::c_void;
use std::rc::Rc;

use dunlin_engine::{Comm, Engine};

use crate::collective::*;
use crate::collective_neighbour_fast_path as fast;
use crate::standard::types::*;

entry_coll! {
    fn MPI_Neighbor_allgather / MPI_Neighbor_allgather_c / MPI_Ineighbor_allgather
        / MPI_Ineighbor_allgather_c / MPI_Neighbor_allgather_init / MPI_Neighbor_allgather_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
    ) trade |neighbours| {
        let send = fast::same((sendbuf, sendcount.into(), sendtype))?;
        let recv = (recvbuf.cast_const(), recvcount.into(), recvtype);
        let recv = fast::equal(recv, neighbours.degrees().0)?;
        // SAFETY: the program's promises on its buffers.
        unsafe { neighbours.trade(send, recv) }
    } |engine, comm| {
        comm.degrees()?;
        let send = typed(engine, (sendbuf, sendcount.into(), sendtype))?;
        let recv = typed(engine, (recvbuf, recvcount.into(), recvtype))?;
        engine.neighbour_allgather(comm, send, recv)
    }

    fn MPI_Neighbor_allgatherv / MPI_Neighbor_allgatherv_c / MPI_Ineighbor_allgatherv
        / MPI_Ineighbor_allgatherv_c / MPI_Neighbor_allgatherv_init
        / MPI_Neighbor_allgatherv_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcounts: *const N,
        displs: *const Disp,
        recvtype: MPI_Datatype,
    ) trade |neighbours| {
        let send = fast::same((sendbuf, sendcount.into(), sendtype))?;
        // SAFETY: the program's promises on its buffers and arrays.
        unsafe {
            let recv = (recvbuf.cast_const(), recvcounts, displs, recvtype);
            neighbours.trade(send, fast::irregular(recv)?)
        }
    } |engine, comm| {
        let (sources, _) = comm.degrees()?;
        let send = typed(engine, (sendbuf, sendcount.into(), sendtype))?;
        let given = (recvbuf.cast_const(), recvcounts, displs, recvtype);
        // SAFETY: the program passes arrays with an entry for each source.
        let recv = unsafe { irregular(engine, sources, given) }?;
        engine.neighbour_allgatherv(comm, send, recv)
    }

    fn MPI_Neighbor_alltoall / MPI_Neighbor_alltoall_c / MPI_Ineighbor_alltoall
        / MPI_Ineighbor_alltoall_c / MPI_Neighbor_alltoall_init / MPI_Neighbor_alltoall_init_c(
        sendbuf: *const c_void,
        sendcount: N,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcount: N,
        recvtype: MPI_Datatype,
    ) trade |neighbours| {
        let (sources, destinations) = neighbours.degrees();
        let send = fast::equal((sendbuf, sendcount.into(), sendtype), destinations)?;
        let recv = (recvbuf.cast_const(), recvcount.into(), recvtype);
        // SAFETY: the program's promises on its buffers.
        unsafe { neighbours.trade(send, fast::equal(recv, sources)?) }
    } |engine, comm| {
        comm.degrees()?;
        let send = typed(engine, (sendbuf, sendcount.into(), sendtype))?;
        let recv = typed(engine, (recvbuf, recvcount.into(), recvtype))?;
        engine.neighbour_alltoall(comm, send, recv)
    }

    fn MPI_Neighbor_alltoallv / MPI_Neighbor_alltoallv_c / MPI_Ineighbor_alltoallv
        / MPI_Ineighbor_alltoallv_c / MPI_Neighbor_alltoallv_init / MPI_Neighbor_alltoallv_init_c(
        sendbuf: *const c_void,
        sendcounts: *const N,
        sdispls: *const Disp,
        sendtype: MPI_Datatype,
        recvbuf: *mut c_void,
        recvcounts: *const N,
        rdispls: *const Disp,
        recvtype: MPI_Datatype,
    ) trade |neighbours| {
        let to = (recvbuf.cast_const(), recvcounts, rdispls, recvtype);
        // SAFETY: the program's promises on its buffers and arrays.
        unsafe {
            let send = fast::irregular((sendbuf, sendcounts, sdispls, sendtype))?;
            neighbours.trade(send, fast::irregular(to)?)
        }
    } |engine, comm| {
        let (sources, destinations) = comm.degrees()?;
        let from = (sendbuf, sendcounts, sdispls, sendtype);
        let to = (recvbuf.cast_const(), recvcounts, rdispls, recvtype);
        // SAFETY: the program passes arrays with an entry for each neighbour.
        unsafe {
            let send = irregular(engine, destinations, from)?;
            engine.neighbour_alltoallv(comm, send, irregular(engine, sources, to)?)
        }
    }

    fn MPI_Neighbor_alltoallw / MPI_Neighbor_alltoallw_c / MPI_Ineighbor_alltoallw
        / MPI_Ineighbor_alltoallw_c / MPI_Neighbor_alltoallw_init / MPI_Neighbor_alltoallw_init_c(
        sendbuf: *const c_void,
        sendcounts: *const N,
        sdispls: *const MPI_Aint,
        sendtypes: *const MPI_Datatype,
        recvbuf: *mut c_void,
        recvcounts: *const N,
        rdispls: *const MPI_Aint,
        recvtypes: *const MPI_Datatype,
    ) trade |neighbours| {
        let to = (recvbuf.cast_const(), recvcounts, rdispls, recvtypes);
        // SAFETY: the program's promises on its buffers and arrays.
        unsafe {
            let send = fast::varied((sendbuf, sendcounts, sdispls, sendtypes))?;
            neighbours.trade(send, fast::varied(to)?)
        }
    } |engine, comm| {
        let (sources, destinations) = comm.degrees()?;
        let from = (sendbuf, sendcounts, sdispls, sendtypes);
        let to = (recvbuf.cast_const(), recvcounts, rdispls, recvtypes);
        // SAFETY: the program passes arrays with an entry for each neighbour.
        unsafe {
            let send = varied(engine, destinations, from)?;
            engine.neighbour_alltoallw(comm, &send, &varied(engine, sources, to)?)
        }
    }
}
