//! Nonblocking collectives: the algorithms that the blocking ones run, beside the program; MPI 5.0
//! section 6.12. Members begin those of one communicator in the same order. Within a node these
//! have one collective segment, therefore, which they use one after another. Persistent ones, which
//! each member may start in an order of its own, have one each (section 6.13).

use std::cell::OnceCell;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};

use crate::coll::collective::{Sharing, perform};
use crate::coll::module::AreaOffer;
use crate::coll::op_context::until;
use crate::engine::Engine;
use crate::engine::global;
use crate::engine::operation::Operation;
use crate::engine::tasks::Task;
use crate::objects::coll_module::CollModule;
use crate::objects::comm::Comm;
use crate::objects::schedule::Schedule;
use crate::objects::status::{RequestId, Status};

/// The outcome of a collective, once it has one.
#[derive(Debug, Default)]
pub(crate) struct Collective(OnceCell<Status>);

impl Collective {
    pub(crate) fn end(&self, outcome: Result<()>) {
        self.0.set(Status::of(outcome)).expect("a collective ends once");
    }
}

impl Operation for Collective {
    fn is_complete(&self, _: &Engine) -> bool {
        self.0.get().is_some()
    }

    fn status(&self, _: &Engine) -> Result<Status> {
        Ok(self.0.get().cloned().unwrap_or(Status::EMPTY))
    }

    fn cancel(&self, _: &Engine) -> Result<()> {
        Err(refused("MPI_Cancel"))
    }

    fn free(&self, engine: &Engine, id: RequestId) -> Result<()> {
        if !self.is_complete(engine) {
            return Err(refused("MPI_Request_free"));
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

impl Engine {
    /// Begins a nonblocking collective.
    pub fn begin(&self, schedule: &Rc<Schedule>) -> RequestId {
        let comm = &schedule.comm;
        let turn = match self.takes_turns(schedule) {
            true => comm.turns.draw(),
            false => None,
        };
        let Some(turn) = turn else { return self.begin_on(schedule, None) };
        let exchange = if turn == 0 { Some(self.begin_exchange(comm)) } else { None };
        let (id, collective) = self.new_collective(comm);
        let schedule = schedule.clone();
        // One block, because a future that one awaits is moved there: these have some kilobytes.
        self.begin_task(Box::pin(async move {
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
            collective.end(outcome);
        }));
        id
    }

    /// Whether it uses the communicator's segment, and so waits for those begun before. Between
    /// nodes, where most of its time may be latency, many in flight over messages are sooner done.
    fn takes_turns(&self, schedule: &Schedule) -> bool {
        schedule.may_share() && !(self.spans_nodes && self.nodes_of(&schedule.comm).count() > 1)
    }

    /// Begins a collective on a segment of its own, or over messages.
    pub(crate) fn begin_on(
        &self,
        schedule: &Rc<Schedule>,
        module: Option<&Rc<CollModule>>,
    ) -> RequestId {
        let (id, collective) = self.new_collective(&schedule.comm);
        let (schedule, module) = (schedule.clone(), module.cloned());
        self.begin_task(Box::pin(async move {
            let sharing = sharing(module.as_deref());
            collective.end(perform(global::installed(), &schedule, sharing).await);
        }));
        id
    }

    /// A collective that is still to end, and its request.
    pub(crate) fn new_collective(&self, comm: &Rc<Comm>) -> (RequestId, Rc<Collective>) {
        let collective = Rc::new(Collective::default());
        (self.add_operation(comm, collective.clone()), collective)
    }

    /// Begins what goes on beside the program.
    pub(crate) fn begin_task(&self, task: Task) {
        self.tasks.add(task);
        // Its first data leaves now.
        self.push_tasks();
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
    let outcome = perform(engine, &schedule, Sharing::Nothing).await;
    if outcome.is_err() {
        // Transfers in progress may still use them.
        std::mem::forget((offer, entries));
        return outcome;
    }
    let module = engine.accept_areas(comm, offer, &entries);
    comm.sharing_apart.replace(module.map(Rc::new));
    Ok(())
}

fn sharing(module: Option<&CollModule>) -> Sharing<'_> {
    module.map_or(Sharing::Nothing, Sharing::Suspending)
}

/// What collectives do not allow; MPI 5.0 section 6.12.
fn refused(call: &str) -> Error {
    let text = format!("{call} of a collective in progress; complete it with MPI_Wait or MPI_Test");
    Error::new(ErrorClass::Request, text)
}
