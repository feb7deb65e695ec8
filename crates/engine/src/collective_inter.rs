//! Collectives on intercommunicators: two channels over the same buffers, one to each group.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::Parcels;
use dunlin_coll::inter::{self, Role};

use crate::channel::{OpChannel, Region};
use crate::collective::{Blocks, Recipe, Root, Steps, Typed};
use crate::comm::Comm;
use crate::engine::Engine;

/// How long the blocks of a buffer are.
#[derive(Debug)]
pub(crate) enum Lengths {
    /// One block, the same for all.
    Same(usize),
    Equal(usize),
    Places(Blocks),
}

impl Lengths {
    pub(crate) fn parcels(&self) -> Parcels<'_> {
        match self {
            Lengths::Same(len) => Parcels::Same(*len),
            Lengths::Equal(len) => Parcels::Equal(*len),
            Lengths::Places(blocks) => Parcels::Places(blocks.places()),
        }
    }
}

/// An operation on an intercommunicator and its arguments.
#[derive(Debug)]
pub(crate) enum Inter {
    Barrier,
    Bcast { role: Role, len: usize },
    Gather { role: Role, send_len: usize, recv: Lengths },
    Scatter { role: Role, send: Lengths, recv_len: usize },
    Alltoall { send: Lengths, recv: Lengths },
    Reduce { role: Role, len: usize },
    Allreduce { len: usize },
    ReduceScatter { total: usize, blocks: Lengths },
}

impl Inter {
    pub(crate) async fn run(&self, remote: &OpChannel<'_>) -> Result<()> {
        let comm = remote.recipe.comm.local.as_ref().ok_or_else(no_group)?;
        let local = &OpChannel { comm, tag: remote.recipe.local_tag.get(), ..*remote };
        match self {
            Inter::Barrier => inter::barrier(local, remote).await,
            Inter::Bcast { role, len } => inter::bcast(local, remote, *role, *len).await,
            Inter::Gather { role, send_len, recv } => {
                inter::gather(remote, *role, *send_len, recv.parcels()).await
            }
            Inter::Scatter { role, send, recv_len } => {
                inter::scatter(remote, *role, send.parcels(), *recv_len).await
            }
            Inter::Alltoall { send, recv } => {
                inter::alltoall(remote, send.parcels(), recv.parcels()).await
            }
            Inter::Reduce { role, len } => inter::reduce(local, remote, *role, *len).await,
            Inter::Allreduce { len } => inter::allreduce(local, remote, *len).await,
            Inter::ReduceScatter { total, blocks } => {
                inter::reduce_scatter(local, remote, *total, blocks.parcels()).await
            }
        }
    }
}

fn no_group() -> Error {
    Error::new(ErrorClass::Intern, "an intercommunicator has no communicator for its own side")
}

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

impl Root {
    /// The part of this process, with an intercommunicator.
    pub(crate) fn role(self) -> Role {
        match self {
            Root::Rank(rank) => Role::Partner(rank as usize),
            Root::Here => Role::Root,
            Root::Beside => Role::Idle,
        }
    }
}

/// The root's rank, where there is one group.
pub(crate) fn place(root: Root) -> usize {
    match root {
        Root::Rank(rank) => rank as usize,
        Root::Here | Root::Beside => unreachable!("roots of intercommunicators alone"),
    }
}

impl Engine {
    pub(crate) fn inter_gather(
        &self,
        comm: &Rc<Comm>,
        send: &Typed,
        recv_region: Region,
        recv: Lengths,
        root: Root,
    ) -> Result<Recipe> {
        let steps = Inter::Gather { role: root.role(), send_len: send.count, recv };
        Ok(self.recipe(comm, self.region(send)?, recv_region, Steps::Inter(steps)))
    }

    pub(crate) fn inter_scatter(
        &self,
        comm: &Rc<Comm>,
        send_region: Region,
        send: Lengths,
        recv: &Typed,
        root: Root,
    ) -> Result<Recipe> {
        let steps = Inter::Scatter { role: root.role(), send, recv_len: recv.count };
        Ok(self.recipe(comm, send_region, self.region(recv)?, Steps::Inter(steps)))
    }

    /// One group's vectors, combined at a root in the other; the root's fellows give nothing.
    pub(crate) fn inter_reduce(
        &self,
        comm: &Rc<Comm>,
        send: Option<Typed>,
        recv: Typed,
        op: u32,
        root: Root,
    ) -> Result<Recipe> {
        let data = if root.is_named() { send.ok_or_else(in_place)? } else { recv };
        let op = match root {
            Root::Beside => None,
            Root::Here | Root::Rank(_) => Some(self.checked_op(op, &data)?),
        };
        let steps = Steps::Inter(Inter::Reduce { role: root.role(), len: data.count });
        Ok(Recipe { op, ..self.between(comm, &data, &data, steps)? })
    }

    pub(crate) fn inter_alltoall(
        &self,
        comm: &Rc<Comm>,
        send_region: Region,
        recv_region: Region,
        (send, recv): (Lengths, Lengths),
    ) -> Recipe {
        let steps = Steps::Inter(Inter::Alltoall { send, recv });
        self.recipe(comm, send_region, recv_region, steps)
    }
}
