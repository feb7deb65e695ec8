//! Nonblocking collectives: the algorithms that the blocking ones run, beside the program; MPI 5.0
//! section 6.12.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};

use crate::collective::perform;
use crate::engine::Engine;
use crate::global;
use crate::request::{Kind, OpInfo, RequestId};
use crate::schedule::Schedule;

impl Engine {
    /// Begins a collective.
    pub fn begin(&self, schedule: &Rc<Schedule>) -> RequestId {
        let op_info = OpInfo { comm: schedule.comm.clone(), peer: None, tag: None };
        let id = self.messages.borrow_mut().requests.insert(Kind::Collective, op_info);
        let schedule = schedule.clone();
        let work = async move { perform(global::installed(), &schedule, None).await };
        self.collectives.add(id, Box::pin(work));
        // Its first messages leave now.
        self.push_collectives();
        id
    }
}

/// Refuses what collectives do not allow; MPI 5.0 section 6.12.
pub(crate) fn refuse_collective(kind: &Kind, call: &str) -> Result<()> {
    if !matches!(kind, Kind::Collective) {
        return Ok(());
    }
    let text = format!("{call} of a collective in progress; complete it with MPI_Wait or MPI_Test");
    Err(Error::new(ErrorClass::Request, text))
}
