//! Nonblocking collectives: the algorithms that the blocking ones run, beside the program; MPI 5.0
//! section 6.12.

use std::rc::Rc;

use crate::coll::collective::perform;
use crate::engine::Engine;
use crate::engine::global;
use crate::objects::schedule::Schedule;
use crate::p2p::request::{Kind, OpInfo, RequestId};

impl Engine {
    /// Begins a collective.
    pub fn begin(&self, schedule: &Rc<Schedule>) -> RequestId {
        let op_info = OpInfo { comm: schedule.comm.clone(), peer: None, tag: None };
        let id = self.messages.borrow_mut().transfers.requests.insert(Kind::Collective, op_info);
        let schedule = schedule.clone();
        let work = async move { perform(global::installed(), &schedule, None).await };
        self.collectives.add(id, Box::pin(work));
        // Its first messages leave now.
        self.push_collectives();
        id
    }
}
