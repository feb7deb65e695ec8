//! Nonblocking collectives: the algorithms that the blocking ones run, beside the program; MPI 5.0
//! section 6.12. Members begin those of one communicator in the same order. Within a node these
//! have one collective segment, therefore, which they use one after another. Persistent ones, which
//! each member may start in an order of its own, have one each (section 6.13).

use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use std::task::Poll;

use dunlin_base::Result;

use crate::coll::collective::{Sharing, perform};
use crate::coll::module::AreaOffer;
use crate::coll::op_context::until;
use crate::engine::Engine;
use crate::engine::global;
use crate::engine::operation::{Operation, in_progress};
use crate::engine::tasks::{RepeatedTask, RunBy, push};
use crate::objects::coll_module::CollModule;
use crate::objects::comm::Comm;
use crate::objects::op::Op;
use crate::objects::schedule::{CollOp, Schedule};
use crate::objects::status::{RequestId, Status};
use crate::p2p::request::COMPLETE;

/// What a nonblocking collective is to those that ask of others meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Its end is told before messages of any rank: see [`Operation::is_news`].
    Barrier,
    /// It brings data.
    Other,
}

/// A collective in progress, and its outcome, once it has one.
#[derive(Debug, Default)]
pub(crate) struct Collective {
    outcome: OnceCell<Status>,
    /// It is a barrier that has ended, which the program does not know.
    is_news: Cell<bool>,
}

impl Collective {
    fn end(&self, outcome: Result<()>, kind: Kind, comm: &Comm) {
        self.outcome.set(Status::of(outcome)).expect("a collective ends once");
        if kind == Kind::Barrier {
            self.is_news.set(true);
            comm.may_have_news.set(true);
        }
    }
}

impl Operation for Collective {
    fn is_complete(&self, _: &Engine) -> bool {
        self.outcome.get().is_some()
    }

    fn status(&self, _: &Engine) -> Result<Status> {
        self.is_news.set(false);
        Ok(self.outcome.get().cloned().unwrap_or(Status::EMPTY))
    }

    fn finish_well(&self, _: &Engine, show: &mut dyn FnMut(&Status)) -> Option<bool> {
        match self.outcome.get() {
            None => Some(false),
            Some(status) => status.error.is_none().then(|| {
                show(status);
                true
            }),
        }
    }

    fn is_news(&self) -> bool {
        self.is_news.take()
    }

    fn cancel(&self, _: &Engine) -> Result<()> {
        Err(in_progress("MPI_Cancel"))
    }

    fn free(&self, engine: &Engine, id: RequestId) -> Result<()> {
        if !self.is_complete(engine) {
            return Err(in_progress("MPI_Request_free"));
        }
        engine.remove_operation(id);
        Ok(())
    }
}

/// The exchange by which the members of a communicator agree on a segment, beside the program.
struct Exchange {
    schedule: Rc<Schedule>,
    offer: AreaOffer,
    /// Where the exchange puts what all offer.
    entries: Box<[u8]>,
}

impl Schedule {
    fn kind(&self) -> Kind {
        if matches!(self.coll_op, CollOp::Barrier(_)) { Kind::Barrier } else { Kind::Other }
    }

    /// An operator of the program is called by its own threads alone.
    fn run_by(&self) -> RunBy {
        match self.op.as_deref() {
            Some(Op::User { .. }) => RunBy::Program,
            Some(Op::Predefined(_)) | None => RunBy::Anybody,
        }
    }
}

impl Engine {
    /// Begins a nonblocking collective.
    pub fn begin(&self, schedule: &Rc<Schedule>) -> RequestId {
        let comm = &schedule.comm;
        let turn = match self.takes_turns(schedule) {
            true => comm.turns.draw(),
            false => None,
        };
        let Some(turn) = turn else { return self.begin_over_messages(schedule) };
        let exchange = if turn == 0 { Some(self.begin_exchange(comm)) } else { None };
        let schedule = schedule.clone();
        // One block, because a future that one awaits is moved there: these have some kilobytes.
        self.begin_collective(&comm.clone(), schedule.kind(), schedule.run_by(), async move {
            let (engine, comm) = (global::installed(), &schedule.comm);
            until(|| comm.turns.has_come(turn)).await;
            let agreed = match exchange {
                Some(exchange) => Box::pin(agree(comm, exchange)).await,
                None => Ok(()),
            };
            let module = comm.sharing_apart.borrow().clone();
            let outcome = match agreed {
                Ok(()) => perform(engine, &schedule, sharing(module.as_deref())).await,
                Err(error) => Err(error),
            };
            comm.turns.pass();
            outcome
        })
    }

    /// Whether it uses the communicator's segment, and so waits for those begun before. Between
    /// nodes, where most of its time may be latency, many in flight over messages are sooner done.
    fn takes_turns(&self, schedule: &Schedule) -> bool {
        schedule.may_share() && !(self.spans_nodes && self.nodes_of(&schedule.comm).count() > 1)
    }

    fn begin_over_messages(&self, schedule: &Rc<Schedule>) -> RequestId {
        let schedule = schedule.clone();
        let (comm, kind) = (schedule.comm.clone(), schedule.kind());
        self.begin_collective(&comm, kind, schedule.run_by(), async move {
            perform(global::installed(), &schedule, Sharing::Nothing).await
        })
    }

    /// A collective that can be begun again and again, on a segment of its own or over messages.
    pub(crate) fn repeated(
        &self,
        schedule: &Rc<Schedule>,
        module: Option<&Rc<CollModule>>,
    ) -> RepeatedTask {
        let (schedule, module) = (schedule.clone(), module.cloned());
        RepeatedTask::new(schedule.run_by(), async move || {
            perform(global::installed(), &schedule, sharing(module.as_deref())).await
        })
    }

    /// Begins a collective that goes on beside the program: as far as it can at once. Its request.
    pub(crate) fn begin_collective(
        &self,
        comm: &Rc<Comm>,
        kind: Kind,
        run_by: RunBy,
        work: impl Future<Output = Result<()>> + 'static,
    ) -> RequestId {
        let mut work = Box::pin(work);
        let is_deferred = run_by == RunBy::Anybody && self.defers();
        let so_far = if is_deferred {
            Poll::Pending
        } else {
            // What was begun before goes first.
            self.push_tasks();
            push(&mut work)
        };
        // Of a barrier the program may learn late where it can lose its core.
        let may_be_news = kind == Kind::Barrier && !self.own_core.get();
        if matches!(so_far, Poll::Ready(Ok(()))) && !may_be_news {
            return COMPLETE;
        }
        let collective = Rc::new(Collective::default());
        let id = self.add_operation(comm, collective.clone());
        match so_far {
            Poll::Ready(outcome) => collective.end(outcome, kind, comm),
            Poll::Pending => {
                let comm = comm.clone();
                let task = async move { collective.end(work.await, kind, &comm) };
                self.tasks.add(run_by, Box::pin(task));
            }
        }
        id
    }

    /// `None` if no segment would be of use.
    fn begin_exchange(&self, comm: &Rc<Comm>) -> Result<Option<Exchange>> {
        let Some(offer) = self.offer_area(comm, 0)? else { return Ok(None) };
        let (schedule, entries) = self.allgather_of_bytes(comm, &offer.entry)?;
        Ok(Some(Exchange { schedule: schedule.apart(), offer, entries }))
    }
}

/// Agrees on the segment for nonblocking collectives of `comm`.
async fn agree(comm: &Rc<Comm>, exchange: Result<Option<Exchange>>) -> Result<()> {
    let Some(Exchange { schedule, offer, entries }) = exchange? else { return Ok(()) };
    let engine = global::installed();
    perform(engine, &schedule, Sharing::Nothing).await?;
    let module = engine.accept_areas(comm, offer, &entries);
    comm.sharing_apart.replace(module.map(Rc::new));
    Ok(())
}

fn sharing(module: Option<&CollModule>) -> Sharing<'_> {
    module.map_or(Sharing::Nothing, Sharing::Suspending)
}
