//! Duplicating a communicator without waiting; MPI 5.0 section 7.4.2. One process draws the new
//! contexts and tells all others; the communicator has its handle at once and its contexts when the
//! request completes.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};

use crate::comms::control_channel::ControlChannel;
use crate::engine::Engine;
use crate::engine::operation::Operation;
use crate::objects::comm::{Comm, CommId, context};
use crate::objects::process_table::ProcessId;
use crate::objects::status::{RequestId, Status};

/// Serials the leader draws: of the communicator, and of each side of an intercommunicator.
const SERIALS: u32 = 3;

/// Stands for the context of a communicator that has none yet: no other that waits for its own has
/// the same. `receive` is what it waits for; contexts are below.
fn none_yet(receive: RequestId) -> u64 {
    u64::MAX - u64::from(receive)
}

impl Engine {
    /// Begins to duplicate. The communicator must not be used before the request is complete.
    pub fn comm_idup(&self, comm: &Rc<Comm>) -> Result<(CommId, RequestId)> {
        let control = ControlChannel::collective(self, comm)?;
        let (ours, theirs) = (comm.group.members(), comm.peers.members());
        let across = comm.is_inter() && theirs[0] < ours[0];
        let leader = if across { theirs[0] } else { ours[0] };
        let serial = Rc::new(Cell::new([0; 4]));
        let receive = if leader == self.me() {
            let agree = self.known_to_use_as_many_vcis(ours);
            serial.set(self.spread(self.draw_contexts(SERIALS), agree).to_le_bytes());
            let others = if comm.is_inter() { theirs } else { &[] };
            for &to in ours.iter().chain(others).filter(|to| **to != leader) {
                control.send(to, &serial.get())?;
            }
            self.complete_request(comm, Status::EMPTY)
        } else {
            // SAFETY: the request that is made below shares the cell until this one is complete,
            // and looks into it only then.
            unsafe { control.begin_receive(leader, &mut *serial.as_ptr()) }
        };
        let new = self.add_comm_to_be(without_context(comm, none_yet(receive)));
        let outcome = OnceCell::new();
        let duplicate = Duplicate { receive, serial, leader, across, new, outcome };
        let request = self.add_operation(comm, Rc::new(duplicate));
        self.copy_comm_attributes(comm, new).inspect_err(|_| {
            // What it receives into must live on until the leader has told.
            self.finish_when_complete(request);
        })?;
        Ok((new, request))
    }
}

/// What the request of `MPI_Comm_idup` remembers.
#[derive(Debug)]
struct Duplicate {
    /// Receives the serial; complete from the start at the leader.
    receive: RequestId,
    /// Where the serial goes. Not in a box, which would say that no other pointer leads there.
    serial: Rc<Cell<[u8; 4]>>,
    /// The process that draws.
    leader: ProcessId,
    /// Whether that is on the other side of an intercommunicator.
    across: bool,
    new: CommId,
    outcome: OnceCell<Status>,
}

impl Duplicate {
    /// Completes the receive, and with it the duplicate; called once.
    fn settle(&self, engine: &Engine) -> Status {
        let received = engine.messages.borrow_mut().transfers.requests.take_if_done(self.receive);
        let error = received.and_then(|status| status.error);
        let error = error.or_else(|| self.give_contexts(engine).err().map(Box::new));
        Status { error, ..Status::EMPTY }
    }

    fn give_contexts(&self, engine: &Engine) -> Result<()> {
        let serial = u32::from_le_bytes(self.serial.get());
        let mut comms = engine.comms.borrow_mut();
        // Another communicator may have the number of one that was freed early.
        let comm = comms.get_mut(self.new).filter(|comm| comm.context == none_yet(self.receive));
        let comm = comm.and_then(Rc::get_mut).ok_or_else(used_early)?;
        comm.context = context(self.leader, serial);
        if let Some(local) = &mut comm.local {
            let side = if self.across { 2 } else { 1 };
            let local = Rc::get_mut(local).ok_or_else(used_early)?;
            local.context = context(self.leader, serial + side);
        }
        drop(comms);
        engine.settle_vci_of(self.new);
        Ok(())
    }
}

impl Operation for Duplicate {
    fn is_complete(&self, engine: &Engine) -> bool {
        self.outcome.get().is_some() || engine.is_complete(self.receive)
    }

    fn status(&self, engine: &Engine) -> Result<Status> {
        Ok(self.outcome.get_or_init(|| self.settle(engine)).clone())
    }

    fn inner(&self) -> Option<RequestId> {
        self.outcome.get().is_none().then_some(self.receive)
    }
}

fn without_context(comm: &Comm, none_yet: u64) -> Comm {
    let (group, rank, errhandler) = (comm.group.clone(), comm.rank, comm.errhandler.get());
    let new = Comm::new(none_yet, group.clone(), rank, errhandler);
    let new = new.with_topology(comm.topology.clone());
    if !comm.is_inter() {
        return new;
    }
    new.toward(comm.peers.clone(), Rc::new(Comm::new(none_yet, group, rank, errhandler)))
}

fn used_early() -> Error {
    let text = "a communicator was used, or freed, before the request that makes it was complete";
    Error::new(ErrorClass::Comm, text)
}
