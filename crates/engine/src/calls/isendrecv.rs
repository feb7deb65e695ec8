//! A send and a receive that are one operation (`MPI_Isendrecv`); MPI 5.0 section 3.11.

use std::cell::OnceCell;
use std::rc::Rc;

use dunlin_base::Result;

use crate::engine::Engine;
use crate::engine::operation::Operation;
use crate::objects::comm::Comm;
use crate::objects::status::{RequestId, Status};
use crate::p2p::request::StagedCopy;

#[derive(Debug)]
struct SendReceive {
    send: RequestId,
    receive: RequestId,
    /// What is sent, where the library keeps it.
    #[expect(dead_code, reason = "owned until the send is done, read through a pointer")]
    keep: Option<StagedCopy>,
    outcome: OnceCell<Status>,
}

impl Operation for SendReceive {
    fn is_complete(&self, engine: &Engine) -> bool {
        self.outcome.get().is_some()
            || engine.is_complete(self.send) && engine.is_complete(self.receive)
    }

    fn status(&self, engine: &Engine) -> Result<Status> {
        let take = || {
            let requests = &mut engine.messages.borrow_mut().transfers.requests;
            let sent = requests.take_if_done(self.send).and_then(|status| status.error);
            let mut status = requests.take_if_done(self.receive).unwrap_or(Status::EMPTY);
            status.error = status.error.or(sent);
            status
        };
        Ok(self.outcome.get_or_init(take).clone())
    }
}

impl Engine {
    /// One request for a send and a receive, which keeps what is sent.
    pub fn send_receive(
        &self,
        comm: &Rc<Comm>,
        [send, receive]: [RequestId; 2],
        keep: Option<StagedCopy>,
    ) -> RequestId {
        let outcome = OnceCell::new();
        self.add_operation(comm, Rc::new(SendReceive { send, receive, keep, outcome }))
    }
}
