//! Persistent requests: an operation described once and started many times; MPI 5.0 section 3.9.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};

use crate::buffer::UserBuffer;
use crate::buffered::Pool;
use crate::collective::Recipe;
use crate::comm::Comm;
use crate::engine::Engine;
use crate::messages::Mode;
use crate::p2p::From;
use crate::partitioned::Partitioned;
use crate::request::{About, Kind, RequestId};

/// What a persistent request does each time it is started.
#[derive(Debug, Clone)]
pub enum Spec {
    /// Nothing: the peer is `MPI_PROC_NULL`. A receive reports it.
    Nothing {
        /// Whether it stands for a receive.
        receive: bool,
    },
    /// Sends.
    Send {
        /// What.
        buffer: UserBuffer,
        /// To whom.
        to: Rank,
        /// The tag.
        tag: Tag,
        /// How it completes.
        mode: Mode,
    },
    /// Sends in buffered mode.
    Buffered {
        /// What.
        buffer: UserBuffer,
        /// To whom.
        to: Rank,
        /// The tag.
        tag: Tag,
    },
    /// Receives.
    Receive {
        /// Where to.
        buffer: UserBuffer,
        /// From whom.
        from: From,
        /// The tag; `None` for any.
        tag: Option<Tag>,
    },
    /// Sends or receives in partitions.
    Partitioned(Rc<Partitioned>),
    /// Takes part in a collective.
    Collective(Rc<Recipe>),
}

/// A persistent request and the transfer it is in, if it is active.
#[derive(Debug)]
pub struct Persistent {
    pub(crate) spec: Spec,
    pub(crate) active: Option<Active>,
}

/// What a started persistent request is doing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Active {
    /// A transfer of its own.
    Transfer(RequestId),
    /// A partitioned send: not all partitions are ready.
    Filling,
    /// Nothing more: it completed as it was started.
    Complete,
}

impl Engine {
    /// Describes an operation; [`Engine::start`] begins it.
    pub fn persistent(&self, comm: &Rc<Comm>, spec: Spec) -> Result<RequestId> {
        if let Spec::Send { to, .. } | Spec::Buffered { to, .. } = spec {
            comm.world_rank(to)?;
        }
        let about = About { comm: comm.clone(), peer: None, tag: None };
        let kind = Kind::Persistent(Box::new(Persistent { spec, active: None }));
        Ok(self.messages.borrow_mut().requests.insert(kind, about))
    }

    /// Begins the operation once more.
    pub fn start(&self, id: RequestId) -> Result<()> {
        let (comm, spec) = {
            let messages = self.messages.borrow();
            let request = messages.requests.get(id)?;
            let Kind::Persistent(p) = &request.kind else {
                return Err(refused("is not persistent; only persistent requests can be started"));
            };
            if p.active.is_some() {
                return Err(refused("is active already; complete it before starting it again"));
            }
            (request.about.comm.clone(), p.spec.clone())
        };
        let begun = match spec {
            Spec::Nothing { .. } => Active::Complete,
            Spec::Send { buffer, to, tag, mode } => {
                Active::Transfer(self.isend(&comm, buffer, to, tag, mode)?)
            }
            Spec::Buffered { buffer, to, tag } => {
                self.buffered_send(&comm, &Pool::candidates(self, &comm), buffer, to, tag)?;
                Active::Complete
            }
            Spec::Receive { buffer, from, tag } => {
                Active::Transfer(self.irecv(&comm, buffer, from, tag)?)
            }
            Spec::Partitioned(p) => self.start_partitioned(&comm, &p)?,
            Spec::Collective(recipe) => Active::Transfer(self.begin(&recipe)),
        };
        let mut messages = self.messages.borrow_mut();
        if let Kind::Persistent(p) = &mut messages.requests.get_mut(id)?.kind {
            p.active = Some(begun);
        }
        Ok(())
    }
}

fn refused(why: &str) -> Error {
    Error::new(ErrorClass::Request, format!("the request {why}"))
}
