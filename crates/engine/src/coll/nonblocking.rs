//! Nonblocking collectives: the algorithms that the blocking ones run, beside the program; MPI 5.0
//! section 6.12.

use std::cell::OnceCell;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};

use crate::coll::collective::perform;
use crate::engine::Engine;
use crate::engine::global;
use crate::engine::operation::Operation;
use crate::objects::schedule::Schedule;
use crate::objects::status::{RequestId, Status};

/// The outcome of a collective, once it has one.
#[derive(Debug, Default)]
struct Collective(OnceCell<Status>);

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

impl Engine {
    /// Begins a collective.
    pub fn begin(&self, schedule: &Rc<Schedule>) -> RequestId {
        let collective = Rc::new(Collective::default());
        let id = self.add_operation(&schedule.comm, collective.clone());
        let schedule = schedule.clone();
        self.tasks.add(Box::pin(async move {
            let outcome = perform(global::installed(), &schedule, None).await;
            collective.0.set(Status::of(outcome)).expect("a collective ends once");
        }));
        // Its first messages leave now.
        self.push_tasks();
        id
    }
}

/// What collectives do not allow; MPI 5.0 section 6.12.
fn refused(call: &str) -> Error {
    let text = format!("{call} of a collective in progress; complete it with MPI_Wait or MPI_Test");
    Error::new(ErrorClass::Request, text)
}
