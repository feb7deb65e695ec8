//! Persistent requests: an operation described once and started many times; MPI 5.0 section 3.9.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};
use dunlin_shm::layout::COLL_AREAS_PER_RANK;

use crate::calls::buffered::BufferOwner;
use crate::calls::transfer_units::Partitioned;
use crate::engine::Engine;
use crate::engine::operation::{Operation, Started, in_progress, is_operation};
use crate::engine::tasks::RepeatedTask;
use crate::matching::Envelope;
use crate::objects::buffer::UserBuffer;
use crate::objects::coll_module::CollModule;
use crate::objects::comm::Comm;
use crate::objects::schedule::Schedule;
use crate::objects::status::{RequestId, Status};
use crate::p2p::request::{From, LONG_BYTES, Mode};

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

/// A collective that is described once.
pub struct PersistentCollective {
    pub(crate) schedule: Rc<Schedule>,
    pub(crate) module: Option<Rc<CollModule>>,
    /// What runs it: the fast path, if it can take that; made when it is known.
    task: OnceCell<Rc<RepeatedTask>>,
}

impl PersistentCollective {
    fn start(&self, engine: &Engine) {
        self.schedule.next_start();
        let of_schedule = || Rc::new(engine.repeated(&self.schedule, self.module.as_ref()));
        engine.tasks.begin(self.task.get_or_init(of_schedule), !engine.defers());
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

    /// From now on `task` runs the collective.
    pub(crate) fn run_by(&self, task: RepeatedTask) {
        let is_first = self.collective().map(|collective| collective.task.set(task.into()).is_ok());
        debug_assert_eq!(is_first, Some(true), "a collective is described once");
    }

    /// What it does, if that is a partitioned message.
    pub(crate) fn partitioned(&self) -> Option<&Rc<Partitioned>> {
        match &self.spec {
            Spec::Partitioned(partitioned) => Some(partitioned),
            _ => None,
        }
    }

    /// It is inactive again.
    fn end(&self) {
        if let Some(partitioned) = self.partitioned() {
            partitioned.end();
        }
        self.active.set(None);
    }

    /// The task of an active collective.
    fn collective_task(&self) -> Option<&RepeatedTask> {
        let is_active = matches!(self.active.get(), Some(Active::Collective));
        is_active.then(|| self.collective()?.task.get().map(Rc::as_ref)).flatten()
    }
}

/// What a started persistent request is doing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Active {
    /// A transfer of its own.
    Transfer(RequestId),
    /// A collective.
    Collective,
    /// A partitioned message.
    Partitioned,
    /// Nothing more: it completed as it was started.
    Complete,
}

impl Operation for Persistent {
    fn is_complete(&self, engine: &Engine) -> bool {
        match self.active.get() {
            Some(Active::Transfer(inner)) => engine.is_complete(inner),
            Some(Active::Collective) => !self.collective_task().is_some_and(|t| t.is_in_progress()),
            Some(Active::Partitioned) => self.partitioned().is_none_or(|p| p.is_complete(engine)),
            Some(Active::Complete) | None => true,
        }
    }

    fn status(&self, engine: &Engine) -> Result<Status> {
        match (self.active.get(), &self.spec) {
            (Some(Active::Transfer(inner)), _) => {
                Ok(engine.status_of(inner)?.unwrap_or(Status::EMPTY))
            }
            (Some(_), Spec::Nothing { receive: true }) => Ok(Status::PROC_NULL),
            (Some(Active::Partitioned), Spec::Partitioned(p)) => Ok(p.status()),
            _ => Ok(self.collective_task().map_or(Status::EMPTY, RepeatedTask::outcome)),
        }
    }

    fn finish(&self, engine: &Engine) -> Result<Status> {
        let status = match self.active.get() {
            Some(Active::Transfer(inner)) => {
                engine.finish(inner)?.map_or(Status::EMPTY, |finished| finished.status)
            }
            _ => self.status(engine)?,
        };
        self.end();
        Ok(status)
    }

    fn finish_well(&self, engine: &Engine, show: &mut dyn FnMut(&Status)) -> Option<bool> {
        let has_ended = match self.active.get()? {
            Active::Transfer(inner) => {
                engine.messages.borrow_mut().transfers.requests.take_well(inner, show)?
            }
            Active::Collective => self.collective_task()?.show_if_ended_well(show)?,
            Active::Partitioned => self.partitioned()?.show_if_ended_well(engine, show)?,
            Active::Complete if !matches!(self.spec, Spec::Nothing { .. }) => {
                show(&Status::EMPTY);
                true
            }
            Active::Complete => return None,
        };
        if has_ended {
            self.end();
        }
        Some(has_ended)
    }

    fn start_well(&self, engine: &Engine) -> Option<Started> {
        if self.active.get().is_some() {
            return None;
        }
        let (begun, started) = match &self.spec {
            Spec::Send { buffer, to, tag, mode: Mode::Standard } => {
                let (comm, tag) = (&self.comm, *tag);
                let envelope = Envelope { context: comm.context, source: comm.rank, tag };
                let (data, route) = (buffer.as_dense()?, engine.route(comm.peer(*to)?));
                let is_short = data.len() < LONG_BYTES;
                let is_sent =
                    is_short && engine.messages.borrow_mut().send_now(route, &envelope, data);
                is_sent.then_some((Active::Complete, Started::Begun))?
            }
            Spec::Receive { buffer, from, tag } => {
                let inner = engine.irecv(&self.comm, buffer.clone(), *from, *tag).ok()?;
                (Active::Transfer(inner), Started::Begun)
            }
            Spec::Collective(collective) => {
                let task = collective.task.get()?.clone();
                collective.schedule.next_start();
                (Active::Collective, Started::By(task))
            }
            Spec::Partitioned(partitioned) => {
                partitioned.begin(engine);
                (Active::Partitioned, Started::Begun)
            }
            _ => return None,
        };
        self.active.set(Some(begun));
        Some(started)
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
            Some(Active::Partitioned) => self.partitioned()?.inner(),
            _ => None,
        }
    }

    fn cancel(&self, engine: &Engine) -> Result<()> {
        match self.active.get() {
            Some(Active::Collective) => Err(in_progress("MPI_Cancel")),
            Some(Active::Transfer(inner)) => engine.cancel(inner),
            Some(Active::Partitioned) => {
                self.partitioned().into_iter().for_each(|p| p.cancel(engine));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn free(&self, engine: &Engine, id: RequestId) -> Result<()> {
        engine.remove_operation(id);
        if let Some(Active::Collective) = self.active.get() {
            let task = self.collective().and_then(|collective| collective.task.get());
            let freed = Freed(task.expect("it was started").clone());
            engine.finish_when_complete(engine.add_operation(&self.comm, Rc::new(freed)));
        }
        if let Some(partitioned) = self.partitioned() {
            engine.free_partitioned(partitioned);
            return Ok(());
        }
        self.inner().map_or(Ok(()), |inner| engine.request_free(inner).map(drop))
    }

    /// The transfer of a send or receive is a request of its own.
    fn is_under_way(&self, _: &Engine) -> bool {
        self.collective_task().is_some_and(|task| task.is_in_progress())
    }
}

/// A persistent collective that was freed while it was active, until it ends.
#[derive(Debug)]
struct Freed(Rc<RepeatedTask>);

impl Operation for Freed {
    fn is_complete(&self, _: &Engine) -> bool {
        !self.0.is_in_progress()
    }

    fn status(&self, _: &Engine) -> Result<Status> {
        Ok(self.0.outcome())
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
        let task = OnceCell::new();
        self.persistent(&comm, Spec::Collective(PersistentCollective { schedule, module, task }))
    }

    /// Whether a persistent collective is in progress that was freed while it was active: peers may
    /// still read the memory of this process.
    pub(crate) fn has_freed_collectives(&self) -> bool {
        self.operations.any(|operation| operation.clone().as_any().is::<Freed>())
    }

    /// Begins the operation once more.
    pub fn start(&self, id: RequestId) -> Result<()> {
        if is_operation(id) && self.start_well(id) || self.start_staged(id)?.is_some() {
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
            Spec::Partitioned(p) => {
                p.begin(self);
                Active::Partitioned
            }
            Spec::Collective(collective) => {
                collective.start(self);
                Active::Collective
            }
        };
        persistent.active.set(Some(begun));
        Ok(())
    }
}

fn refused(why: &str) -> Error {
    Error::new(ErrorClass::Request, format!("the request {why}"))
}
