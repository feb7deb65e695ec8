//! Blocking collectives as the front end calls them; MPI 5.0 chapter 6. Each lays the caller's
//! buffers under a channel, asks the table for an algorithm, and runs it.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_coll::select::{Choice, Params, Shape};
use dunlin_coll::{
    Allgather, Allreduce, Alltoall, Bcast, Gather, Reduce, Scatter, allgather, allreduce, alltoall,
    barrier, bcast, gather, reduce, scatter,
};
use dunlin_datatype::{Primitive, reduce as kernels};

use crate::channel::{OpChannel, Region, combine};
use crate::comm::Comm;
use crate::engine::Engine;
use crate::op::Op;

/// A buffer of a collective: `count` elements of the datatype with this number at `address`.
#[derive(Debug, Clone, Copy)]
pub struct Typed {
    /// Address of the first element.
    pub address: *mut u8,
    /// Elements (per block, where an operation has blocks).
    pub count: usize,
    /// Number of the datatype.
    pub type_id: u32,
}

impl Typed {
    /// No data.
    pub const EMPTY: Typed = Typed { address: std::ptr::dangling_mut(), count: 0, type_id: 0 };
}

fn params(shape: Shape, bytes_per_rank: usize) -> Params {
    Params { shape, bytes_per_rank }
}

impl Engine {
    fn region(&self, typed: &Typed) -> Result<Region> {
        let datatype = self.datatype(typed.type_id)?;
        Ok(Region { address: typed.address, datatype, type_id: typed.type_id })
    }

    fn bytes(&self, typed: &Typed) -> Result<usize> {
        Ok(self.datatype(typed.type_id)?.size() * typed.count)
    }

    /// Lays the send buffer over block `block` of the receive buffer (`MPI_IN_PLACE`).
    fn in_place(&self, recv: &Typed, block: usize) -> Result<Typed> {
        let extent = self.datatype(recv.type_id)?.extent() as isize;
        let offset = (block * recv.count) as isize * extent;
        Ok(Typed { address: recv.address.wrapping_offset(offset), ..*recv })
    }

    fn channel(&self, comm: &Rc<Comm>, send: &Typed, recv: &Typed) -> Result<OpChannel<'_>> {
        Ok(OpChannel::new(self, comm.clone(), self.region(send)?, self.region(recv)?))
    }

    /// The operator with this number.
    pub fn op(&self, id: u32) -> Result<Rc<Op>> {
        self.ops.borrow().get(id).cloned().ok_or_else(|| {
            Error::new(ErrorClass::Op, format!("operator number {id} does not exist"))
        })
    }

    /// Adds an operator and returns its number.
    pub fn add_op(&self, op: Op) -> u32 {
        self.ops.borrow_mut().insert(Rc::new(op))
    }

    /// Takes an operator out; operations that use it keep it.
    pub fn remove_op(&self, id: u32) -> Option<Rc<Op>> {
        self.ops.borrow_mut().remove(id)
    }

    /// MPI 5.0 section 6.3.
    pub fn barrier(&self, comm: &Rc<Comm>) -> Result<()> {
        let how = barrier::Algorithm::choose(&params(Shape::plain(comm.size() as usize), 0));
        let channel = self.channel(comm, &Typed::EMPTY, &Typed::EMPTY)?;
        self.run(channel, async move |ch| barrier(ch, how).await)
    }

    /// MPI 5.0 section 6.4.
    pub fn bcast(&self, comm: &Rc<Comm>, data: Typed, root: Rank) -> Result<()> {
        comm.world_rank(root).map_err(not_a_root)?;
        let shape = Shape::plain(comm.size() as usize);
        let how = bcast::Algorithm::choose(&params(shape, self.bytes(&data)?));
        let channel = self.channel(comm, &data, &data)?;
        let v = Bcast { root: root as usize, len: data.count };
        self.run(channel, async move |ch| bcast(ch, v, how).await)
    }

    /// MPI 5.0 section 6.5. `send` is `None` at a root in place; `recv` is read at the root alone.
    pub fn gather(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Typed,
        root: Rank,
    ) -> Result<()> {
        comm.world_rank(root).map_err(not_a_root)?;
        let is_root = comm.rank == root;
        let send = send.map_or_else(|| self.in_place(&recv, root as usize), Ok)?;
        let recv = if is_root { recv } else { Typed { count: 0, ..send } };
        let shape = Shape::plain(comm.size() as usize);
        let how = gather::Algorithm::choose(&params(shape, self.bytes(&send)?));
        let mut channel = self.channel(comm, &send, &recv)?;
        if !is_root {
            channel = channel.with_send_scratch();
        }
        let v = Gather { root: root as usize, send_block: send.count, recv_block: recv.count };
        self.run(channel, async move |ch| gather(ch, v, how).await)
    }

    /// MPI 5.0 section 6.6. `recv` is `None` at a root in place; `send` is read at the root alone.
    pub fn scatter(
        &self,
        comm: &Rc<Comm>,
        send: Typed,
        recv: Option<Typed>,
        root: Rank,
    ) -> Result<()> {
        comm.world_rank(root).map_err(not_a_root)?;
        let is_root = comm.rank == root;
        let in_place = recv.is_none();
        let recv = recv.map_or_else(|| self.in_place(&send, root as usize), Ok)?;
        let send = if is_root { send } else { Typed { count: 0, ..recv } };
        let shape = Shape::plain(comm.size() as usize);
        let how = scatter::Algorithm::choose(&params(shape, self.bytes(&recv)?));
        let mut channel = self.channel(comm, &send, &recv)?;
        if in_place {
            channel = channel.with_send_scratch();
        }
        let v = Scatter { root: root as usize, send_block: send.count, recv_block: recv.count };
        self.run(channel, async move |ch| scatter(ch, v, how).await)
    }

    /// MPI 5.0 section 6.7. `send` is `None` in place.
    pub fn allgather(&self, comm: &Rc<Comm>, send: Option<Typed>, recv: Typed) -> Result<()> {
        let send = send.map_or_else(|| self.in_place(&recv, comm.rank as usize), Ok)?;
        let shape = Shape::plain(comm.size() as usize);
        let how = allgather::Algorithm::choose(&params(shape, self.bytes(&recv)?));
        let channel = self.channel(comm, &send, &recv)?;
        let v = Allgather { send_block: send.count, recv_block: recv.count };
        self.run(channel, async move |ch| allgather(ch, v, how).await)
    }

    /// MPI 5.0 section 6.8. `send` is `None` in place.
    pub fn alltoall(&self, comm: &Rc<Comm>, send: Option<Typed>, recv: Typed) -> Result<()> {
        let in_place = send.is_none();
        let send = send.unwrap_or(recv);
        let shape = Shape { in_place, ..Shape::plain(comm.size() as usize) };
        let how = alltoall::Algorithm::choose(&params(shape, self.bytes(&recv)?));
        let channel = self.channel(comm, &send, &recv)?;
        let v = Alltoall { send_block: send.count, recv_block: recv.count, in_place };
        self.run(channel, async move |ch| alltoall(ch, v, how).await)
    }

    /// MPI 5.0 section 6.9.1. `send` is `None` at a root in place; `recv` is written at the root
    /// alone.
    pub fn reduce(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Typed,
        op: u32,
        root: Rank,
    ) -> Result<()> {
        comm.world_rank(root).map_err(not_a_root)?;
        let send = send.unwrap_or(recv);
        let recv = if comm.rank == root { recv } else { send };
        let op = self.checked_op(op, &send)?;
        let commutative = op.is_commutative();
        let shape = Shape::reduction(comm.size() as usize, commutative);
        let how = reduce::Algorithm::choose(&params(shape, self.bytes(&send)?));
        let channel = self.channel(comm, &send, &recv)?.with_op(op);
        let v = Reduce { root: root as usize, len: send.count, commutative };
        self.run(channel, async move |ch| reduce(ch, v, how).await)
    }

    /// MPI 5.0 section 6.9.6. `send` is `None` in place.
    pub fn allreduce(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Typed,
        op: u32,
    ) -> Result<()> {
        let send = send.unwrap_or(recv);
        let op = self.checked_op(op, &recv)?;
        let commutative = op.is_commutative();
        let shape = Shape::reduction(comm.size() as usize, commutative);
        let how = allreduce::Algorithm::choose(&params(shape, self.bytes(&recv)?));
        let channel = self.channel(comm, &send, &recv)?.with_op(op);
        let v = Allreduce { len: recv.count, commutative };
        self.run(channel, async move |ch| allreduce(ch, v, how).await)
    }

    /// MPI 5.0 section 6.9.7: `inout := in op inout`, in this process alone.
    ///
    /// # Safety
    /// `input` and `inout` must hold the elements they say, without overlap.
    pub unsafe fn reduce_local(&self, input: *const u8, inout: Typed, op: u32) -> Result<()> {
        let op = self.checked_op(op, &inout)?;
        let region = self.region(&inout)?;
        // SAFETY: by this function's contract.
        unsafe { combine(&op, input, inout.address, inout.count, &region) }
    }

    /// The operator, if it works on these elements; MPI 5.0 section 6.9.2.
    fn checked_op(&self, id: u32, data: &Typed) -> Result<Rc<Op>> {
        let op = self.op(id)?;
        if let Op::Predefined(standard) = *op {
            let datatype = self.datatype(data.type_id)?;
            let valid = datatype.as_primitive().is_some_and(|p| kernels::valid(standard, p));
            if !valid {
                let text = format!("{} is not defined on this datatype; see MPI 5.0 section 6.9.2", standard.name());
                return Err(Error::new(ErrorClass::Op, text));
            }
        }
        Ok(op)
    }

    /// Every member's bytes, in rank order; all must give as many.
    pub(crate) fn allgather_bytes(&self, comm: &Rc<Comm>, mine: &[u8]) -> Result<Vec<u8>> {
        let type_id = Primitive::Byte as u32;
        let mut all = vec![0; mine.len() * comm.size() as usize];
        let send = Typed { address: mine.as_ptr().cast_mut(), count: mine.len(), type_id };
        let recv = Typed { address: all.as_mut_ptr(), count: mine.len(), type_id };
        self.allgather(comm, Some(send), recv)?;
        Ok(all)
    }

    /// The root's bytes, at every member.
    pub(crate) fn bcast_bytes(&self, comm: &Rc<Comm>, bytes: &mut [u8], root: Rank) -> Result<()> {
        let (address, count) = (bytes.as_mut_ptr(), bytes.len());
        self.bcast(comm, Typed { address, count, type_id: Primitive::Byte as u32 }, root)
    }
}

fn not_a_root(e: Error) -> Error {
    Error::new(ErrorClass::Root, e.text.replacen("rank", "root", 1))
}
