//! Schedules of the collectives on intercommunicators; MPI 5.0 section 6.8.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};

use crate::engine::Engine;
use crate::objects::comm::Comm;
use crate::objects::schedule::{CollOp, Inter, Lengths, Region, Root, Schedule, Typed};

/// `MPI_IN_PLACE` where it may not be; MPI 5.0 section 6.2.3.
pub(crate) fn in_place() -> Error {
    let text = "the buffer is MPI_IN_PLACE, which an intercommunicator does not allow";
    Error::new(ErrorClass::Buffer, text)
}

/// Refuses intercommunicators, for operations that depend on one order of ranks.
pub(crate) fn intra_only(comm: &Comm) -> Result<()> {
    if !comm.is_inter() {
        return Ok(());
    }
    let text =
        format!("{} is an intercommunicator; this needs an intracommunicator", comm.shown_name());
    Err(Error::new(ErrorClass::Comm, text))
}

impl Engine {
    pub(crate) fn inter_gather(
        &self,
        comm: &Rc<Comm>,
        send: &Typed,
        recv_region: Region,
        recv: Lengths,
        root: Root,
    ) -> Result<Schedule> {
        let coll_op = Inter::Gather { role: root.role(), send_len: send.count, recv };
        Ok(self.schedule(comm, self.region(send)?, recv_region, CollOp::Inter(coll_op)))
    }

    pub(crate) fn inter_scatter(
        &self,
        comm: &Rc<Comm>,
        send_region: Region,
        send: Lengths,
        recv: &Typed,
        root: Root,
    ) -> Result<Schedule> {
        let coll_op = Inter::Scatter { role: root.role(), send, recv_len: recv.count };
        Ok(self.schedule(comm, send_region, self.region(recv)?, CollOp::Inter(coll_op)))
    }

    /// One group's vectors, combined at a root in the other; the root's fellows give nothing.
    pub(crate) fn inter_reduce(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Typed,
        op: u32,
        root: Root,
    ) -> Result<Schedule> {
        let data = if root.is_named() { send.ok_or_else(in_place)? } else { recv };
        let op = match root {
            Root::Beside => None,
            Root::Here | Root::Rank(_) => Some(self.checked_op(op, &data)?),
        };
        let coll_op = CollOp::Inter(Inter::Reduce { role: root.role(), len: data.count });
        Ok(Schedule { op, ..self.between(comm, &data, &data, coll_op)? })
    }

    pub(crate) fn inter_alltoall(
        &self,
        comm: &Rc<Comm>,
        send_region: Region,
        recv_region: Region,
        (send, recv): (Lengths, Lengths),
    ) -> Schedule {
        let coll_op = CollOp::Inter(Inter::Alltoall { send, recv });
        self.schedule(comm, send_region, recv_region, coll_op)
    }
}
