//! Schedules of the operations on whole vectors: barrier, bcast, and those with an operator.

use std::rc::Rc;

use dunlin_base::Result;
use dunlin_coll as coll;
use dunlin_coll::select::{CallTraits, Params};
use dunlin_datatype::byte_range::total;

use crate::coll::inter::{in_place, intra_only};
use crate::engine::Engine;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::Comm;
use crate::objects::op::Op;
use crate::objects::schedule::{
    Blocks, CollOp, Inter, Lengths, Region, Root, Schedule, Staging, Typed, packed, place,
};

pub(crate) fn plain(comm: &Comm, bytes_per_rank: usize) -> Params {
    Params { shape: CallTraits::plain(comm.size() as usize), bytes_per_rank }
}

pub(crate) fn reduction(comm: &Comm, commutative: bool, bytes_per_rank: usize) -> Params {
    let shape = CallTraits::reduction(comm.size() as usize, commutative);
    Params { shape, bytes_per_rank }
}

impl Engine {
    /// MPI 5.0 section 6.3.
    pub fn barrier(&self, comm: &Rc<Comm>) -> Result<Schedule> {
        let coll_op = match comm.is_inter() {
            true => CollOp::Inter(Inter::Barrier),
            false => CollOp::Barrier(plain(comm, 0)),
        };
        Ok(self.schedule(comm, Region::Nothing, Region::Nothing, coll_op))
    }

    /// MPI 5.0 section 6.4. Ranks may describe the data differently, but must cut it alike: it is
    /// counted in packed bytes.
    pub fn bcast(&self, comm: &Rc<Comm>, data: Typed, root: Root) -> Result<Schedule> {
        let datatype = self.types.datatype(data.type_id)?;
        // SAFETY: the caller of the collective promised its buffer until the operation ends.
        let buffer = unsafe { UserBuffer::new(data.address, data.count, &datatype) }?;
        let len = buffer.bytes();
        let coll_op = match comm.is_inter() {
            true => CollOp::Inter(Inter::Bcast { role: root.role(), len }),
            false => {
                let v = coll::Bcast { root: place(root), len };
                CollOp::Bcast(v, plain(comm, len))
            }
        };
        let start = data.address.wrapping_offset(datatype.true_lb() as isize);
        let region = Region::Uniform(packed(start));
        let mut schedule = self.schedule(comm, Region::Nothing, region, coll_op);
        if buffer.as_dense().is_none() {
            schedule.staging = Staging::Bcast { buffer, is_root: root.is_here(comm) };
        }
        Ok(schedule)
    }

    fn with_op(
        &self,
        comm: &Rc<Comm>,
        op: Rc<Op>,
        buffers: (&Typed, &Typed),
        coll_op: CollOp,
    ) -> Result<Schedule> {
        let (send, recv) = (self.region(buffers.0)?, self.region(buffers.1)?);
        Ok(Schedule { op: Some(op), ..self.schedule(comm, send, recv, coll_op) })
    }

    /// MPI 5.0 section 6.9.1. `send` is `None` at a root in place; `recv` is written at the root
    /// alone.
    pub fn reduce(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Typed,
        op: u32,
        root: Root,
    ) -> Result<Schedule> {
        if comm.is_inter() {
            return self.inter_reduce(comm, send, recv, op, root);
        }
        if root.is_here(comm) {
            self.refuse_alias(send.as_ref(), &recv)?;
        }
        let send = send.unwrap_or(recv);
        let recv = if root.is_here(comm) { recv } else { send };
        let op = self.checked_op(op, &send)?;
        let params = reduction(comm, op.is_commutative(), self.bytes(&send)?);
        let commutative = op.is_commutative();
        let v = coll::Reduce { root: place(root), len: send.count, commutative };
        self.with_op(comm, op, (&send, &recv), CollOp::Reduce(v, params))
    }

    /// MPI 5.0 section 6.9.6. `send` is `None` in place.
    pub fn allreduce(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Typed,
        op: u32,
    ) -> Result<Schedule> {
        let op = self.checked_op(op, &recv)?;
        self.refuse_alias(send.as_ref(), &recv)?;
        if comm.is_inter() {
            let (send, coll_op) =
                (send.ok_or_else(in_place)?, Inter::Allreduce { len: recv.count });
            return self.with_op(comm, op, (&send, &recv), CollOp::Inter(coll_op));
        }
        let params = reduction(comm, op.is_commutative(), self.bytes(&recv)?);
        let (commutative, in_place) = (op.is_commutative(), send.is_none());
        let v = coll::Allreduce { len: recv.count, commutative, in_place };
        let send = send.unwrap_or(recv);
        self.with_op(comm, op, (&send, &recv), CollOp::Allreduce(v, params))
    }

    /// MPI 5.0 section 6.10.2: `counts` are the lengths of the blocks of the result. `send` is
    /// `None` in place.
    pub fn reduce_scatter(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Typed,
        counts: Box<[usize]>,
        op: u32,
    ) -> Result<Schedule> {
        let op = self.checked_op(op, &recv)?;
        self.refuse_alias(send.map(|send| Typed { count: recv.count, ..send }).as_ref(), &recv)?;
        let mut starts = Vec::with_capacity(counts.len() + 1);
        starts.push(0);
        let total = Typed { count: total(counts.iter().copied())?, ..recv };
        for count in &counts {
            starts.push(starts[starts.len() - 1] + count);
        }
        if comm.is_inter() {
            starts.truncate(counts.len());
            let blocks = Blocks { counts, displacements: starts.into() };
            let coll_op =
                Inter::ReduceScatter { total: total.count, blocks: Lengths::BlockLayout(blocks) };
            return self.with_op(
                comm,
                op,
                (&send.ok_or_else(in_place)?, &recv),
                CollOp::Inter(coll_op),
            );
        }
        let params =
            reduction(comm, op.is_commutative(), self.bytes(&total)?).in_place(send.is_none());
        let (starts, commutative) = (starts.into(), op.is_commutative());
        let coll_op = CollOp::ReduceScatter { starts, commutative, params };
        self.with_op(comm, op, (&send.unwrap_or(recv), &recv), coll_op)
    }

    /// MPI 5.0 section 6.10.1: `recv.count` is the length of each block of the result. `send` is
    /// `None` in place.
    pub fn reduce_scatter_block(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Typed,
        op: u32,
    ) -> Result<Schedule> {
        let op = self.checked_op(op, &recv)?;
        self.refuse_alias(send.as_ref(), &recv)?;
        if comm.is_inter() {
            self.bytes_of_blocks(&recv, comm.size() as usize)?;
            let total = recv.count * comm.size() as usize;
            let coll_op = Inter::ReduceScatter { total, blocks: Lengths::Equal(recv.count) };
            return self.with_op(
                comm,
                op,
                (&send.ok_or_else(in_place)?, &recv),
                CollOp::Inter(coll_op),
            );
        }
        let bytes = self.bytes_of_blocks(&recv, comm.size() as usize)?;
        let params = reduction(comm, op.is_commutative(), bytes).in_place(send.is_none());
        let commutative = op.is_commutative();
        let v = coll::ReduceScatterBlock { block: recv.count, commutative };
        let coll_op = CollOp::ReduceScatterBlock(v, params);
        self.with_op(comm, op, (&send.unwrap_or(recv), &recv), coll_op)
    }

    /// MPI 5.0 section 6.11.1. `send` is `None` in place.
    pub fn scan(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Typed,
        op: u32,
    ) -> Result<Schedule> {
        let op = self.checked_op(op, &recv)?;
        self.refuse_alias(send.as_ref(), &recv)?;
        intra_only(comm)?;
        let params = reduction(comm, op.is_commutative(), self.bytes(&recv)?);
        let coll_op = CollOp::Scan(coll::Scan { len: recv.count }, params);
        self.with_op(comm, op, (&send.unwrap_or(recv), &recv), coll_op)
    }

    /// MPI 5.0 section 6.11.2. `send` is `None` in place.
    pub fn exscan(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Typed,
        op: u32,
    ) -> Result<Schedule> {
        let op = self.checked_op(op, &recv)?;
        self.refuse_alias(send.as_ref(), &recv)?;
        intra_only(comm)?;
        let params = reduction(comm, op.is_commutative(), self.bytes(&recv)?);
        let coll_op = CollOp::Exscan(coll::Exscan { len: recv.count }, params);
        self.with_op(comm, op, (&send.unwrap_or(recv), &recv), coll_op)
    }
}
