//! Making and starting persistent requests; MPI 5.0 section 3.9.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};

use crate::calls::buffered::BufferOwner;
use crate::engine::Engine;
use crate::objects::comm::Comm;
use crate::p2p::persistent::{Active, Persistent, Spec};
use crate::p2p::request::{Kind, OpInfo, RequestId};

impl Engine {
    /// Describes an operation; [`Engine::start`] begins it.
    pub fn persistent(&self, comm: &Rc<Comm>, spec: Spec) -> Result<RequestId> {
        if let Spec::Send { to, .. } | Spec::Buffered { to, .. } = spec {
            comm.process(to)?;
        }
        let op_info = OpInfo { comm: comm.clone(), peer: None, tag: None };
        let kind = Kind::Persistent(Box::new(Persistent { spec, active: None }));
        Ok(self.messages.borrow_mut().transfers.requests.insert(kind, op_info))
    }

    /// Begins the operation once more.
    pub fn start(&self, id: RequestId) -> Result<()> {
        let (comm, spec) = {
            let messages = self.messages.borrow();
            let request = messages.transfers.requests.get(id)?;
            let Kind::Persistent(p) = &request.kind else {
                return Err(refused("is not persistent; only persistent requests can be started"));
            };
            if p.active.is_some() {
                return Err(refused("is active already; complete it before starting it again"));
            }
            (request.op_info.comm.clone(), p.spec.clone())
        };
        let begun = match spec {
            Spec::Nothing { .. } => Active::Complete,
            Spec::Send { buffer, to, tag, mode } => {
                Active::Transfer(self.isend(&comm, buffer, to, tag, mode)?)
            }
            Spec::Buffered { buffer, to, tag } => {
                self.buffered_send(&comm, &BufferOwner::candidates(self, &comm), buffer, to, tag)?;
                Active::Complete
            }
            Spec::Receive { buffer, from, tag } => {
                Active::Transfer(self.irecv(&comm, buffer, from, tag)?)
            }
            Spec::Partitioned(p) => self.start_partitioned(&comm, &p)?,
            Spec::Collective(schedule) => Active::Transfer(self.begin(&schedule)),
        };
        let mut messages = self.messages.borrow_mut();
        if let Kind::Persistent(p) = &mut messages.transfers.requests.get_mut(id)?.kind {
            p.active = Some(begun);
        }
        Ok(())
    }
}

fn refused(why: &str) -> Error {
    Error::new(ErrorClass::Request, format!("the request {why}"))
}
