//! Schedules of the operations that move blocks: gather, scatter, allgather, alltoall, and their
//! forms with blocks of different lengths.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll as coll;
use dunlin_coll::select::{CallTraits, Params};
use dunlin_datatype::Datatype;
use dunlin_datatype::byte_range::total;

use crate::coll::inter::in_place as refused;
use crate::coll::whole::plain;
use crate::engine::Engine;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::Comm;
use crate::objects::schedule::{
    Blocks, CollOp, Lengths, Region, Root, Schedule, Staging, Typed, Uniform, aliased, place,
};

/// A buffer of blocks of different lengths, all of one datatype.
#[derive(Debug, Clone)]
pub struct Irregular {
    /// What displacements count from.
    pub address: *mut u8,
    /// Number of the datatype.
    pub type_id: u32,
    /// Elements of each block.
    pub counts: Box<[usize]>,
    /// Where each block begins, in elements; may be negative.
    pub displacements: Box<[isize]>,
}

/// A buffer of blocks each with a datatype of its own.
#[derive(Debug, Clone)]
pub struct Varied {
    /// What displacements count from.
    pub address: *mut u8,
    /// Numbers of the datatypes.
    pub type_ids: Box<[u32]>,
    /// Elements of each block.
    pub counts: Box<[usize]>,
    /// Where each block begins, in bytes; may be negative.
    pub displacements: Box<[isize]>,
}

/// An irregular buffer as algorithms want it.
pub(crate) struct Laid {
    pub uniform: Uniform,
    pub blocks: Blocks,
}

impl Laid {
    /// Block `i` alone.
    pub(crate) fn block(&self, i: usize) -> Typed {
        let address = self.uniform.element(self.blocks.displacements[i]);
        Typed { address, count: self.blocks.counts[i], type_id: self.uniform.type_id }
    }

    fn bytes(&self) -> Result<usize> {
        self.uniform.datatype.bytes_of(total(self.blocks.counts.iter().copied())?)
    }

    /// Bytes of the longest block.
    fn longest(&self) -> Result<usize> {
        let most = self.blocks.counts.iter().max();
        most.map_or(Ok(0), |count| self.uniform.datatype.bytes_of(*count))
    }

    pub(crate) fn region(&self) -> Region {
        Region::Uniform(self.uniform.clone())
    }
}

/// Refuses blocks that end where no address reaches, counted from the lowest of them.
fn check_places(
    datatype: &Datatype,
    lowest: isize,
    counts: &[usize],
    displacements: &[isize],
) -> Result<()> {
    for (&count, &displacement) in counts.iter().zip(displacements).filter(|b| *b.0 > 0) {
        let from_lowest = displacement.checked_sub(lowest).map(|d| d as usize);
        let end = from_lowest.and_then(|d| d.checked_add(count));
        let reaches = |end| datatype.offset_of(isize::try_from(end).ok()?).ok();
        if end.and_then(reaches).is_none() {
            let text = format!(
                "a block of {count} elements has the displacement {displacement}: no address is so \
                 far"
            );
            return Err(Error::new(ErrorClass::Arg, text));
        }
        datatype.bytes_of(count)?;
    }
    Ok(())
}

fn missing() -> Error {
    Error::new(ErrorClass::Buffer, "both buffers are MPI_IN_PLACE; only one of them may be")
}

impl Engine {
    /// Lets the buffer begin at its lowest block, and leaves out what holds no data.
    pub(crate) fn lay(&self, given: Irregular) -> Result<Laid> {
        let datatype = self.types.datatype(given.type_id)?;
        let Irregular { address, type_id, mut counts, displacements } = given;
        if datatype.size() == 0 {
            counts.fill(0);
        }
        let used = || displacements.iter().zip(&counts).filter(|d| *d.1 > 0).map(|d| *d.0);
        let lowest = used().min().unwrap_or(0).min(0);
        check_places(&datatype, lowest, &counts, &displacements)?;
        let address = address.wrapping_offset(datatype.offset_of(lowest)?);
        let shifted =
            |(d, count): (&isize, &usize)| if *count > 0 { (d - lowest) as usize } else { 0 };
        let displacements = displacements.iter().zip(&counts).map(shifted).collect();
        let uniform = Uniform { address, datatype, type_id };
        Ok(Laid { uniform, blocks: Blocks { counts, displacements } })
    }

    /// Elements of a vector for an operation that leaves out what holds no data.
    pub(crate) fn elements(&self, typed: &Typed) -> Result<usize> {
        Ok(if self.types.datatype(typed.type_id)?.size() == 0 { 0 } else { typed.count })
    }

    /// Block `block` of a buffer of equal blocks (`MPI_IN_PLACE`).
    fn in_place(&self, whole: &Typed, block: usize, blocks: usize) -> Result<Typed> {
        self.bytes_of_blocks(whole, blocks)?;
        let offset =
            self.types.datatype(whole.type_id)?.offset_of((block * whole.count) as isize)?;
        Ok(Typed { address: whole.address.wrapping_offset(offset), ..*whole })
    }

    /// As [`Engine::refuse_alias`], block by block.
    fn refuse_alias_of_blocks(&self, send: &Laid, recv: &Laid) -> Result<()> {
        let peers = send.blocks.counts.len().min(recv.blocks.counts.len());
        (0..peers).try_for_each(|i| self.refuse_alias(Some(&send.block(i)), &recv.block(i)))
    }

    pub(crate) fn between(
        &self,
        comm: &Rc<Comm>,
        send: &Typed,
        recv: &Typed,
        coll_op: CollOp,
    ) -> Result<Schedule> {
        Ok(self.schedule(comm, self.region(send)?, self.region(recv)?, coll_op))
    }

    /// MPI 5.0 section 6.5. `send` is `None` at a root in place; `recv` is read at the root alone.
    pub fn gather(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Typed,
        root: Root,
    ) -> Result<Schedule> {
        if comm.is_inter() {
            let send = send.unwrap_or(Typed::EMPTY);
            self.bytes_of_blocks(&recv, comm.peer_count() as usize)?;
            let recv_blocks = Lengths::Equal(recv.count);
            return self.inter_gather(comm, &send, self.region(&recv)?, recv_blocks, root);
        }
        let is_root = root.is_here(comm);
        let root = place(root);
        let size = comm.size() as usize;
        let own = if is_root { self.in_place(&recv, root, size)? } else { Typed::EMPTY };
        self.refuse_alias(send.as_ref(), &own)?;
        let send = send.unwrap_or(own);
        // All give as much, and it all goes to the root.
        self.bytes_of_blocks(&send, size)?;
        let recv = if is_root { recv } else { Typed { count: 0, ..send } };
        let params = plain(comm, self.bytes(&send)?);
        let v = coll::Gather { root, send_block: send.count, recv_block: recv.count };
        let schedule = self.between(comm, &send, &recv, CollOp::Gather(v, params))?;
        Ok(Schedule { scratch_as_send: !is_root, ..schedule })
    }

    /// MPI 5.0 section 6.5. `send` is `None` at a root in place; `recv` is there at the root.
    pub fn gatherv(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Option<Irregular>,
        root: Root,
    ) -> Result<Schedule> {
        let recv = recv.map(|recv| self.lay(recv)).transpose()?;
        if comm.is_inter() {
            let send = send.unwrap_or(Typed::EMPTY);
            let region = recv.as_ref().map_or_else(|| self.region(&send), |r| Ok(r.region()))?;
            let blocks = Lengths::BlockLayout(recv.map_or_else(Blocks::none, |r| r.blocks));
            return self.inter_gather(comm, &send, region, blocks, root);
        }
        let root = place(root);
        let own = recv.as_ref().map(|recv| recv.block(root));
        self.refuse_alias(send.as_ref(), &own.unwrap_or(Typed::EMPTY))?;
        let send = send.or(own).ok_or_else(missing)?;
        let (region, recv) = match recv {
            Some(laid) => (laid.region(), laid.blocks),
            None => (self.region(&send)?, Blocks::none()),
        };
        let send_len = self.elements(&send)?;
        let coll_op = CollOp::Gatherv { root, send_len, recv, params: plain(comm, 0) };
        Ok(self.schedule(comm, self.region(&send)?, region, coll_op))
    }

    /// MPI 5.0 section 6.6. `recv` is `None` at a root in place; `send` is read at the root alone.
    pub fn scatter(
        &self,
        comm: &Rc<Comm>,
        send: Typed,
        recv: Option<Typed>,
        root: Root,
    ) -> Result<Schedule> {
        if comm.is_inter() {
            let recv = recv.unwrap_or(Typed::EMPTY);
            self.bytes_of_blocks(&send, comm.peer_count() as usize)?;
            let send_blocks = Lengths::Equal(send.count);
            return self.inter_scatter(comm, self.region(&send)?, send_blocks, &recv, root);
        }
        let (in_place, is_root, root) = (recv.is_none(), root.is_here(comm), place(root));
        let size = comm.size() as usize;
        let own = if is_root { self.in_place(&send, root, size)? } else { Typed::EMPTY };
        self.refuse_alias(recv.as_ref(), &own)?;
        let recv = recv.unwrap_or(own);
        // All get as much, and it all comes from the root.
        self.bytes_of_blocks(&recv, size)?;
        let send = if is_root { send } else { Typed { count: 0, ..recv } };
        let params = plain(comm, self.bytes(&recv)?);
        let v = coll::Scatter { root, send_block: send.count, recv_block: recv.count };
        let schedule = self.between(comm, &send, &recv, CollOp::Scatter(v, params))?;
        Ok(Schedule { scratch_as_send: in_place, ..schedule })
    }

    /// MPI 5.0 section 6.6. `recv` is `None` at a root in place; `send` is there at the root.
    pub fn scatterv(
        &self,
        comm: &Rc<Comm>,
        send: Option<Irregular>,
        recv: Option<Typed>,
        root: Root,
    ) -> Result<Schedule> {
        let send = send.map(|send| self.lay(send)).transpose()?;
        if comm.is_inter() {
            let recv = recv.unwrap_or(Typed::EMPTY);
            let region = send.as_ref().map_or_else(|| self.region(&recv), |s| Ok(s.region()))?;
            let blocks = Lengths::BlockLayout(send.map_or_else(Blocks::none, |s| s.blocks));
            return self.inter_scatter(comm, region, blocks, &recv, root);
        }
        let root = place(root);
        let own = send.as_ref().map(|send| send.block(root));
        self.refuse_alias(recv.as_ref(), &own.unwrap_or(Typed::EMPTY))?;
        let recv = recv.or(own).ok_or_else(missing)?;
        let (region, send) = match send {
            Some(laid) => (laid.region(), laid.blocks),
            None => (self.region(&recv)?, Blocks::none()),
        };
        let recv_len = self.elements(&recv)?;
        let coll_op = CollOp::Scatterv { root, send, recv_len, params: plain(comm, 0) };
        Ok(self.schedule(comm, region, self.region(&recv)?, coll_op))
    }

    /// MPI 5.0 section 6.7. `send` is `None` in place.
    pub fn allgather(&self, comm: &Rc<Comm>, send: Option<Typed>, recv: Typed) -> Result<Schedule> {
        if comm.is_inter() {
            let send = send.ok_or_else(refused)?;
            self.bytes_of_blocks(&recv, comm.peer_count() as usize)?;
            let blocks = (Lengths::Same(send.count), Lengths::Equal(recv.count));
            return Ok(self.inter_alltoall(comm, self.region(&send)?, self.region(&recv)?, blocks));
        }
        let own = self.in_place(&recv, comm.rank as usize, comm.size() as usize)?;
        self.refuse_alias(send.as_ref(), &own)?;
        let send = send.unwrap_or(own);
        let params = plain(comm, self.bytes(&recv)?);
        let v = coll::Allgather { send_block: send.count, recv_block: recv.count };
        self.between(comm, &send, &recv, CollOp::Allgather(v, params))
    }

    /// MPI 5.0 section 6.7. `send` is `None` in place.
    pub fn allgatherv(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Irregular,
    ) -> Result<Schedule> {
        let recv = self.lay(recv)?;
        if comm.is_inter() {
            let (send, region) = (send.ok_or_else(refused)?, recv.region());
            let blocks = (Lengths::Same(self.elements(&send)?), Lengths::BlockLayout(recv.blocks));
            return Ok(self.inter_alltoall(comm, self.region(&send)?, region, blocks));
        }
        let own = recv.block(comm.rank as usize);
        self.refuse_alias(send.as_ref(), &own)?;
        let send = send.unwrap_or(own);
        let params = plain(comm, recv.bytes()? / comm.size() as usize);
        let (region, send_len, longest) = (recv.region(), self.elements(&send)?, recv.longest()?);
        let coll_op = CollOp::Allgatherv { send_len, recv: recv.blocks, params, longest };
        Ok(self.schedule(comm, self.region(&send)?, region, coll_op))
    }

    /// MPI 5.0 section 6.8. `send` is `None` in place.
    pub fn alltoall(&self, comm: &Rc<Comm>, send: Option<Typed>, recv: Typed) -> Result<Schedule> {
        if comm.is_inter() {
            let send = send.ok_or_else(refused)?;
            self.bytes_of_blocks(&send, comm.peer_count() as usize)?;
            self.bytes_of_blocks(&recv, comm.peer_count() as usize)?;
            let blocks = (Lengths::Equal(send.count), Lengths::Equal(recv.count));
            return Ok(self.inter_alltoall(comm, self.region(&send)?, self.region(&recv)?, blocks));
        }
        self.refuse_alias(send.as_ref(), &recv)?;
        let in_place = send.is_none();
        let send = send.unwrap_or(recv);
        self.bytes_of_blocks(&send, comm.size() as usize)?;
        self.bytes_of_blocks(&recv, comm.size() as usize)?;
        let shape = CallTraits { in_place, ..CallTraits::plain(comm.size() as usize) };
        let params = Params { shape, bytes_per_rank: self.bytes(&recv)? };
        let v = coll::Alltoall { send_block: send.count, recv_block: recv.count, in_place };
        self.between(comm, &send, &recv, CollOp::Alltoall(v, params))
    }

    /// MPI 5.0 section 6.8. `send` is `None` in place.
    pub fn alltoallv(
        &self,
        comm: &Rc<Comm>,
        send: Option<Irregular>,
        recv: Irregular,
    ) -> Result<Schedule> {
        let in_place = send.is_none();
        if in_place && comm.is_inter() {
            return Err(refused());
        }
        let recv = self.lay(recv)?;
        let recv_region = recv.region();
        let (send_region, send) = match send {
            None => (recv.region(), recv.blocks.clone()),
            Some(send) => {
                let send = self.lay(send)?;
                self.refuse_alias_of_blocks(&send, &recv)?;
                (send.region(), send.blocks)
            }
        };
        if comm.is_inter() {
            let blocks = (Lengths::BlockLayout(send), Lengths::BlockLayout(recv.blocks));
            return Ok(self.inter_alltoall(comm, send_region, recv_region, blocks));
        }
        let shape = CallTraits { in_place, ..CallTraits::plain(comm.size() as usize) };
        let params = Params { shape, bytes_per_rank: 0 };
        let coll_op = CollOp::Alltoallv { send, recv: recv.blocks, in_place, params };
        Ok(self.schedule(comm, send_region, recv_region, coll_op))
    }

    /// MPI 5.0 section 6.8. `send` is `None` in place: then what is sent is packed first.
    pub fn alltoallw(
        &self,
        comm: &Rc<Comm>,
        send: Option<Varied>,
        recv: Varied,
    ) -> Result<Schedule> {
        let recv = self.buffers(&recv)?;
        let (staging, send) = match send {
            None => (Staging::Sent(recv.clone()), recv.clone()),
            Some(send) => {
                let send = self.buffers(&send)?;
                if send.iter().zip(&*recv).any(|(a, b)| a.is_same_memory(b) && a.bytes() > 0) {
                    return Err(aliased());
                }
                (Staging::Nothing, send)
            }
        };
        let (from, to) = (one_by_one(&send), one_by_one(&recv));
        if comm.is_inter() {
            if !matches!(staging, Staging::Nothing) {
                return Err(refused());
            }
            let (send, recv) = (Region::Blocks(send), Region::Blocks(recv));
            let blocks = (Lengths::BlockLayout(from), Lengths::BlockLayout(to));
            return Ok(self.inter_alltoall(comm, send, recv, blocks));
        }
        let coll_op =
            CollOp::Alltoallv { send: from, recv: to, in_place: false, params: plain(comm, 0) };
        let schedule = self.schedule(comm, Region::Blocks(send), Region::Blocks(recv), coll_op);
        Ok(Schedule { staging, ..schedule })
    }

    /// Every block as a buffer of its own.
    pub(crate) fn buffers(&self, given: &Varied) -> Result<Rc<[UserBuffer]>> {
        let blocks = given.counts.iter().zip(&given.displacements).zip(&given.type_ids);
        let buffer = |((&count, &offset), &type_id)| {
            let datatype = self.types.datatype(type_id)?;
            let address = given.address.wrapping_offset(offset);
            // SAFETY: the caller of the collective promised its buffers until the operation ends.
            unsafe { UserBuffer::new(address, count, &datatype) }
        };
        let buffers = blocks.map(buffer).collect::<Result<Rc<[UserBuffer]>>>()?;
        total(buffers.iter().map(UserBuffer::bytes))?;
        Ok(buffers)
    }
}

/// Blocks that are elements: number i is element i, if it holds data.
pub(crate) fn one_by_one(buffers: &[UserBuffer]) -> Blocks {
    let counts = buffers.iter().map(|b| usize::from(b.bytes() > 0)).collect();
    Blocks { counts, displacements: (0..buffers.len()).collect() }
}
