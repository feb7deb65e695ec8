//! Making and ending communicators; MPI 5.0 section 7.4. A new communicator's context is drawn by
//! the process that leads it, and told to the others in the one exchange its making needs anyway.

use std::rc::Rc;
use std::sync::Arc;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};

use crate::comms::control_channel::{self, ControlChannel, not_a_member};
use crate::engine::Engine;
use crate::engine::operation::Operation;
use crate::objects::comm::{Comm, CommId, SELF, WORLD, context};
use crate::objects::errhandler::Errhandler;
use crate::objects::group::Group;
use crate::objects::inquiry;
use crate::objects::topology::Topology;
use crate::p2p::request::{OpInfo, Request};

/// Serials each member draws for a split of an intercommunicator: of the communicator, and of its
/// own side alone.
const SERIALS_OF_INTER_SPLIT: u32 = 2;

/// What each member says in a split: color, key, and a context serial in case it leads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SplitEntry {
    /// `None`: takes no part.
    pub color: Option<u32>,
    pub key: i32,
    pub serial: u32,
}

impl SplitEntry {
    pub const BYTES: usize = 12;

    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let color = self.color.map_or(-1, |c| c as i32);
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&color.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..].copy_from_slice(&self.serial.to_le_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Self {
        let word = |i: usize| <[u8; 4]>::try_from(&bytes[i..i + 4]).expect("twelve bytes each");
        SplitEntry {
            color: u32::try_from(i32::from_le_bytes(word(0))).ok(),
            key: i32::from_le_bytes(word(4)),
            serial: u32::from_le_bytes(word(8)),
        }
    }
}

impl Engine {
    /// Puts a communicator in the table, and in its VCI.
    pub(crate) fn add_comm(&self, comm: Comm) -> CommId {
        let id = self.add_comm_to_be(comm);
        self.settle_vci_of(id);
        id
    }

    /// Puts a communicator in the table that has no context yet.
    pub(crate) fn add_comm_to_be(&self, comm: Comm) -> CommId {
        let comm = Rc::new(comm);
        let id = self.comms.borrow_mut().insert(comm.clone());
        comm.id.set(id);
        inquiry::add_comm(id, &comm);
        id
    }

    fn remove_comm(&self, id: CommId) {
        inquiry::forget_comm(id);
        let removed = self.comms.borrow_mut().remove(id);
        removed.iter().for_each(|comm| self.free_in_its_vci(comm));
    }

    /// A communicator of `group` without a second side, made from `parent`.
    pub(crate) fn child(&self, context: u64, group: Group, parent: &Comm) -> Result<Comm> {
        let rank = group.rank_of(self.me()).ok_or_else(not_a_member)?;
        let group = group.of_session(parent.group.session());
        Ok(Comm::new(context, Arc::new(group), rank, parent.errhandler.get()))
    }

    /// A communicator of the same processes with a context of its own and copies of the
    /// attributes.
    pub fn comm_dup(&self, comm: &Rc<Comm>) -> Result<CommId> {
        if comm.is_inter() {
            let (id, request) = self.comm_idup(comm)?;
            self.wait_all(&[request]);
            let outcome = self.finish(request)?;
            return match outcome.and_then(|finished| finished.status.error) {
                Some(error) => {
                    self.remove_comm(id);
                    Err(*error)
                }
                None => Ok(id),
            };
        }
        let id = self.comm_alike(comm, comm.topology.clone())?;
        self.copy_comm_attributes(comm, id)?;
        Ok(id)
    }

    /// A communicator of the same group with this topology.
    pub(crate) fn comm_alike(
        &self,
        comm: &Rc<Comm>,
        topology: Option<Rc<Topology>>,
    ) -> Result<CommId> {
        let draw = || self.spread(self.draw_context(), self.use_as_many_vcis(comm, &[]));
        let new = self.same_group(comm, draw)?;
        Ok(self.add_comm(new.with_topology(topology)))
    }

    /// A communicator of the same group for the library's own messages, which are in the first VCI.
    pub(crate) fn comm_within(&self, comm: &Rc<Comm>) -> Result<CommId> {
        Ok(self.add_comm(self.same_group(comm, || self.draw_context())?))
    }

    /// The same, yet to be added; its first process draws the serial number.
    fn same_group(&self, comm: &Rc<Comm>, draw: impl FnOnce() -> u32) -> Result<Comm> {
        let mut serial = if comm.rank == 0 { draw() } else { 0 }.to_le_bytes();
        self.bcast_bytes(comm, &mut serial, 0)?;
        let context = context(comm.process(0)?, u32::from_le_bytes(serial));
        self.child(context, Group::clone(&comm.group), comm)
    }

    /// Gives a duplicate copies of the attributes; if the program refuses, there is no duplicate.
    pub(crate) fn copy_comm_attributes(&self, from: &Comm, to: CommId) -> Result<()> {
        from.attributes.copy_to(from.id.get(), &self.comm(to)?.attributes, to).inspect_err(|_| {
            self.remove_comm(to);
        })
    }

    /// One communicator per color, ranked by key and then by old rank; `None` for no color.
    pub fn comm_split(
        &self,
        comm: &Rc<Comm>,
        color: Option<u32>,
        key: i32,
    ) -> Result<Option<CommId>> {
        self.comm_split_with(comm, color, key, None)
    }

    /// As [`Engine::comm_split`], with a topology for the new communicator.
    pub(crate) fn comm_split_with(
        &self,
        comm: &Rc<Comm>,
        color: Option<u32>,
        key: i32,
        topology: Option<Rc<Topology>>,
    ) -> Result<Option<CommId>> {
        // No more than are needed: successive numbers are in different VCIs.
        let serials = if comm.is_inter() { SERIALS_OF_INTER_SPLIT } else { 1 };
        let mine = SplitEntry { color, key, serial: self.draw_contexts(serials) };
        if let Some(local) = &comm.local {
            return self.split_inter(comm, local, &mine);
        }
        let entries = self.entries(comm, &mine)?;
        if color.is_none() {
            return Ok(None);
        }
        let ranks = in_order(&entries, color);
        let members = ranks.iter().map(|&r| comm.process(r)).collect::<Result<Vec<_>>>()?;
        // All have spoken, and know the same of each.
        let agree = self.known_to_use_as_many_vcis(&members);
        let serial = self.spread(entries[ranks[0] as usize].serial, agree);
        let new = self.child(context(members[0], serial), Group::new(members), comm)?;
        Ok(Some(self.add_comm(new.with_topology(topology))))
    }

    /// What every process of an intracommunicator wishes.
    pub(crate) fn entries(&self, comm: &Rc<Comm>, mine: &SplitEntry) -> Result<Vec<SplitEntry>> {
        let all = self.allgather_bytes(comm, &mine.to_bytes())?;
        Ok(all.chunks_exact(SplitEntry::BYTES).map(SplitEntry::from_bytes).collect())
    }

    /// A communicator of a part of the processes; all call, members get one. Processes may name
    /// different groups as long as no process is in two. MPI 5.0 section 7.4.2.
    pub fn comm_create(&self, comm: &Rc<Comm>, group: &Group) -> Result<Option<CommId>> {
        subset(group, &comm.group)?;
        if let Some(local) = &comm.local {
            return self.create_inter(comm, local, group);
        }
        let serials = self.allgather_bytes(comm, &self.draw_context().to_le_bytes())?;
        if group.rank_of(self.me()).is_none() {
            return Ok(None);
        }
        let leader = group.members()[0];
        let place = comm.group.rank_of(leader).ok_or_else(not_a_member)? as usize;
        // As in a split.
        let agree = self.known_to_use_as_many_vcis(group.members());
        let serial = self.spread(control_channel::from_bytes(&serials)[place], agree);
        Ok(Some(self.add_comm(self.child(context(leader, serial), Group::clone(group), comm)?)))
    }

    /// A communicator of a part of the processes; only they call. `None` outside of the group.
    pub fn comm_create_group(
        &self,
        comm: &Rc<Comm>,
        group: &Group,
        tag: Tag,
    ) -> Result<Option<CommId>> {
        comm.require_intra()?;
        subset(group, &comm.group)?;
        if group.rank_of(self.me()).is_none() {
            return Ok(None);
        }
        let context = self.agree(&ControlChannel::beside(self, comm, tag)?, group)?;
        Ok(Some(self.add_comm(self.child(context, Group::clone(group), comm)?)))
    }

    /// A communicator out of nothing but a group; `name` tells calls at the same time apart.
    pub fn comm_create_from_group(
        &self,
        group: &Group,
        name: &[u8],
        errhandler: Errhandler,
    ) -> Result<CommId> {
        let rank = group.rank_of(self.me()).ok_or_else(not_a_member)?;
        let context = self.agree(&ControlChannel::named(self, name)?, group)?;
        Ok(self.add_comm(Comm::new(context, Arc::new(group.clone()), rank, errhandler)))
    }

    /// A context for a communicator of `group`, drawn by its first member, which waits for nobody:
    /// a member that has yet to begin MPI may wait for what this process does next.
    fn agree(&self, control: &ControlChannel<'_>, group: &Group) -> Result<u64> {
        let leader = group.members()[0];
        let leads = leader == self.me();
        let draw = || {
            let agree = self.known_to_use_as_many_vcis(group.members());
            self.spread(self.draw_context(), agree)
        };
        let mut serial = if leads { draw() } else { 0 }.to_le_bytes();
        control.bcast(group, 0, &mut serial)?;
        Ok(context(leader, u32::from_le_bytes(serial)))
    }

    /// Gives a communicator up; operations in progress on it still complete.
    pub fn comm_free(&self, id: CommId) -> Result<()> {
        if id == WORLD || id == SELF {
            let text = "MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed";
            return Err(Error::new(ErrorClass::Comm, text));
        }
        // The program's functions may refuse; then the communicator stays.
        let comm = self.comm(id)?;
        comm.attributes.delete_all(id)?;
        self.remove_comm(id);
        Ok(())
    }

    /// Gives a communicator up once everything begun on it is complete; collective.
    pub fn comm_disconnect(&self, id: CommId) -> Result<()> {
        self.wait_for_comm(id)?;
        self.comm_free(id)
    }

    /// Waits until everything begun on a communicator, in this VCI, is complete.
    pub fn wait_for_comm(&self, id: CommId) -> Result<()> {
        let comm = self.comm(id)?;
        let on_comm = |(_, r): (_, &Request)| Rc::ptr_eq(&r.op_info.comm, &comm);
        let busy = |o: &Rc<dyn Operation>| o.is_under_way(self);
        self.wait_until(
            || {
                !self.messages.borrow().transfers.requests.pending().any(on_comm)
                    && !self.operations.on(&comm).iter().any(busy)
            },
            || Some(OpInfo { comm: comm.clone(), peer: None, tag: None }),
        );
        Ok(())
    }
}

/// Old ranks of those who wish for `color`, in the order of the new communicator.
pub(crate) fn in_order(entries: &[SplitEntry], color: Option<u32>) -> Vec<Rank> {
    let same = |r: &Rank| entries[*r as usize].color == color;
    let mut ranks: Vec<Rank> = (0..entries.len() as Rank).filter(same).collect();
    ranks.sort_by_key(|&r| (entries[r as usize].key, r));
    ranks
}

/// Refuses a group with processes that the communicator does not have.
fn subset(group: &Group, of: &Group) -> Result<()> {
    match group.members().iter().position(|m| of.rank_of(*m).is_none()) {
        None => Ok(()),
        Some(place) => {
            let text = format!("rank {place} of the group is not in the communicator");
            Err(Error::new(ErrorClass::Group, text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_the_exchange() {
        for color in [None, Some(0), Some(i32::MAX as u32)] {
            let w = SplitEntry::from_bytes(&SplitEntry { color, key: -3, serial: 77 }.to_bytes());
            assert_eq!((w.color, w.key, w.serial), (color, -3, 77));
        }
    }
}
