//! Persistent requests: an operation described once and started many times; MPI 5.0 section 3.9.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};
use dunlin_shm::layout::COLL_AREAS_PER_RANK;

use crate::calls::buffered::BufferOwner;
use crate::engine::Engine;
use crate::engine::operation::{Operation, is_operation};
use crate::objects::buffer::UserBuffer;
use crate::objects::coll_module::CollModule;
use crate::objects::comm::{Comm, Direction};
use crate::objects::schedule::Schedule;
use crate::objects::status::{RequestId, Status};
use crate::p2p::request::{From, Mode};

/// Areas of collective segments that persistent collectives leave to communicators: a program may
/// describe as many as it likes, and those that find no area use messages.
const AREAS_FOR_COMMS: usize = COLL_AREAS_PER_RANK / 2;

/// What a persistent request does each time it is started.
#[derive(Debug)]
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
    /// Takes part in a collective, on a segment of its own where there is one.
    Collective(PersistentCollective),
}

/// Begins a collective on the fast path.
pub(crate) type FastStart = Box<dyn Fn(&Engine) -> RequestId>;

/// A collective that is described once.
pub struct PersistentCollective {
    pub(crate) schedule: Rc<Schedule>,
    pub(crate) module: Option<Rc<CollModule>>,
    /// Begins it on the fast path, if it can take that.
    fast: OnceCell<FastStart>,
}

impl PersistentCollective {
    fn start(&self, engine: &Engine) -> RequestId {
        match self.fast.get() {
            Some(start) => start(engine),
            None => engine.begin_on(&self.schedule, self.module.as_ref()),
        }
    }
}

impl fmt::Debug for PersistentCollective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.schedule)
    }
}

/// A persistent request and the transfer it is in, if it is active.
#[derive(Debug)]
pub(crate) struct Persistent {
    pub(crate) comm: Rc<Comm>,
    pub(crate) spec: Spec,
    pub(crate) active: Cell<Option<Active>>,
}

impl Persistent {
    /// What it does, if that is a collective.
    pub(crate) fn collective(&self) -> Option<&PersistentCollective> {
        match &self.spec {
            Spec::Collective(collective) => Some(collective),
            _ => None,
        }
    }

    /// From now on `start` begins the collective.
    pub(crate) fn start_fast_by(&self, start: FastStart) {
        let is_first = self.collective().map(|collective| collective.fast.set(start).is_ok());
        debug_assert_eq!(is_first, Some(true), "a collective is described once");
    }
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

/// A partitioned operation.
#[derive(Debug)]
pub struct Partitioned {
    pub(crate) direction: Direction,
    pub(crate) buffer: UserBuffer,
    pub(crate) peer: Rank,
    pub(crate) tag: Tag,
    pub(crate) context: u64,
    /// Which partitions of a send are ready since it was started.
    pub(crate) ready: RefCell<Vec<bool>>,
    /// How many are not.
    pub(crate) left: Cell<usize>,
}

impl Partitioned {
    pub(crate) fn check(&self, partition: usize) -> Result<()> {
        let count = self.ready.borrow().len();
        if partition < count {
            return Ok(());
        }
        let text = format!("partition is {partition}; the request has {count}, from 0");
        Err(Error::new(ErrorClass::Arg, text))
    }
}

impl Operation for Persistent {
    fn is_complete(&self, engine: &Engine) -> bool {
        match self.active.get() {
            Some(Active::Transfer(inner)) => engine.is_complete(inner),
            Some(Active::Filling) => false,
            Some(Active::Complete) | None => true,
        }
    }

    fn status(&self, engine: &Engine) -> Result<Status> {
        match (self.active.get(), &self.spec) {
            (Some(Active::Transfer(inner)), _) => {
                Ok(engine.peek_status(inner)?.unwrap_or(Status::EMPTY))
            }
            (Some(_), Spec::Nothing { receive: true }) => Ok(Status::PROC_NULL),
            _ => Ok(Status::EMPTY),
        }
    }

    fn finish(&self, engine: &Engine) -> Result<Status> {
        let status = match self.active.get() {
            Some(Active::Transfer(inner)) => {
                engine.finish(inner)?.map_or(Status::EMPTY, |finished| finished.status)
            }
            _ => self.status(engine)?,
        };
        self.active.set(None);
        Ok(status)
    }

    fn is_active(&self) -> bool {
        self.active.get().is_some()
    }

    fn is_persistent(&self) -> bool {
        true
    }

    fn inner(&self) -> Option<RequestId> {
        match self.active.get() {
            Some(Active::Transfer(inner)) => Some(inner),
            _ => None,
        }
    }

    fn cancel(&self, engine: &Engine) -> Result<()> {
        self.inner().map_or(Ok(()), |inner| engine.cancel(inner))
    }

    fn free(&self, engine: &Engine, id: RequestId) -> Result<()> {
        engine.remove_operation(id);
        match self.inner() {
            Some(inner) if is_operation(inner) => {
                engine.finish_when_complete(inner);
                Ok(())
            }
            Some(inner) => engine.request_free(inner).map(drop),
            None => Ok(()),
        }
    }
}

impl Engine {
    /// Describes an operation; [`Engine::start`] begins it.
    pub fn persistent(&self, comm: &Rc<Comm>, spec: Spec) -> Result<RequestId> {
        if let Spec::Send { to, .. } | Spec::Buffered { to, .. } = spec {
            comm.process(to)?;
        }
        let persistent = Persistent { comm: comm.clone(), spec, active: Cell::new(None) };
        Ok(self.add_operation(comm, Rc::new(persistent)))
    }

    /// Describes a collective. All members take part in that, in the same order; they may start it
    /// in different ones.
    pub fn persistent_collective(&self, schedule: Rc<Schedule>) -> Result<RequestId> {
        let module = match schedule.may_share() {
            true => self.make_coll_module(&schedule.comm, AREAS_FOR_COMMS)?.map(Rc::new),
            false => None,
        };
        let comm = schedule.comm.clone();
        let fast = OnceCell::new();
        self.persistent(&comm, Spec::Collective(PersistentCollective { schedule, module, fast }))
    }

    /// Begins the operation once more.
    pub fn start(&self, id: RequestId) -> Result<()> {
        if self.start_staged(id)?.is_some() {
            return Ok(());
        }
        let Some(persistent) = self.operation_of_kind::<Persistent>(id)? else {
            return Err(refused("is not persistent; only persistent requests can be started"));
        };
        if persistent.active.get().is_some() {
            return Err(refused("is active already; complete it before starting it again"));
        }
        let comm = &persistent.comm;
        let begun = match &persistent.spec {
            Spec::Nothing { .. } => Active::Complete,
            Spec::Send { buffer, to, tag, mode } => {
                Active::Transfer(self.isend(comm, buffer.clone(), *to, *tag, *mode)?)
            }
            Spec::Buffered { buffer, to, tag } => {
                let owners = BufferOwner::candidates(self, comm);
                self.buffered_send(comm, &owners, buffer.clone(), *to, *tag)?;
                Active::Complete
            }
            Spec::Receive { buffer, from, tag } => {
                Active::Transfer(self.irecv(comm, buffer.clone(), *from, *tag)?)
            }
            Spec::Partitioned(p) => self.start_partitioned(comm, p)?,
            Spec::Collective(collective) => Active::Transfer(collective.start(self)),
        };
        persistent.active.set(Some(begun));
        Ok(())
    }
}

fn refused(why: &str) -> Error {
    Error::new(ErrorClass::Request, format!("the request {why}"))
}
