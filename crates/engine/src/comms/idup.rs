//! Duplicating a communicator without waiting; MPI 5.0 section 7.4.2. One process draws the new
//! contexts and tells all others; the communicator has its handle at once and its contexts when the
//! request completes.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};

use crate::comms::control_channel::ControlChannel;
use crate::engine::Engine;
use crate::objects::comm::{Comm, CommId, context};
use crate::objects::status::Status;
use crate::p2p::request::{Duplicate, Kind, OpInfo, RequestId};

/// Serials the leader draws: of the communicator, and of each side of an intercommunicator.
const SERIALS: u32 = 3;
/// The context of a communicator that has none yet.
const NONE_YET: u64 = u64::MAX;

impl Engine {
    /// Begins to duplicate. The communicator must not be used before the request is complete.
    pub fn comm_idup(&self, comm: &Rc<Comm>) -> Result<(CommId, RequestId)> {
        let control = ControlChannel::collective(self, comm)?;
        let (ours, theirs) = (comm.group.members(), comm.peers.members());
        let across = comm.is_inter() && theirs[0] < ours[0];
        let leader = if across { theirs[0] } else { ours[0] };
        let mut serial = Box::new([0; 4]);
        let receive = if leader == self.me() {
            *serial = self.draw_contexts(SERIALS).to_le_bytes();
            let others = if comm.is_inter() { theirs } else { &[] };
            for &to in ours.iter().chain(others).filter(|to| **to != leader) {
                control.send(to, &*serial)?;
            }
            self.complete_request(comm, Status::EMPTY)
        } else {
            // SAFETY: the request that is made below keeps the box until this one is complete.
            unsafe { control.begin_receive(leader, &mut *serial) }
        };
        let new = self.add_comm(without_context(comm));
        let duplicate = Duplicate { receive, serial, leader, across, new };
        let op_info = OpInfo { comm: comm.clone(), peer: None, tag: None };
        let kind = Kind::Duplicate(Box::new(duplicate));
        let request = self.messages.borrow_mut().transfers.requests.insert(kind, op_info);
        // If a copy function fails, the request stays: what it receives into must live on.
        comm.attributes.copy_to(comm.id.get(), &self.comm(new)?.attributes, new)?;
        Ok((new, request))
    }

    /// Gives a duplicate its contexts once they are known.
    pub(crate) fn settle_duplicate(&self, id: RequestId) -> Result<()> {
        let mut messages = self.messages.borrow_mut();
        let Kind::Duplicate(d) = &messages.transfers.requests.get(id)?.kind else { return Ok(()) };
        let (receive, new) = (d.receive, d.new);
        let (serial, leader, across) = (u32::from_le_bytes(*d.serial), d.leader, d.across);
        let Some(status) = messages.transfers.requests.take_if_done(receive) else { return Ok(()) };
        messages.transfers.requests.complete(id, Status { error: status.error, ..Status::EMPTY });
        let mut comms = self.comms.borrow_mut();
        let comm = comms.get_mut(new).and_then(Rc::get_mut).ok_or_else(used_early)?;
        comm.context = context(leader, serial);
        if let Some(local) = &mut comm.local {
            let side = if across { 2 } else { 1 };
            Rc::get_mut(local).ok_or_else(used_early)?.context = context(leader, serial + side);
        }
        Ok(())
    }
}

fn without_context(comm: &Comm) -> Comm {
    let (group, rank, errhandler) = (comm.group.clone(), comm.rank, comm.errhandler.get());
    let new = Comm::new(NONE_YET, group.clone(), rank, errhandler);
    let new = new.with_topology(comm.topology.clone());
    if !comm.is_inter() {
        return new;
    }
    new.toward(comm.peers.clone(), Rc::new(Comm::new(NONE_YET, group, rank, errhandler)))
}

fn used_early() -> Error {
    let text = "a communicator was used, or freed, before the request that makes it was complete";
    Error::new(ErrorClass::Comm, text)
}
