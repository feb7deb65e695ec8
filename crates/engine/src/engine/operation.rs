//! What a request may stand for beside one send or receive: an open set. A collective, a persistent
//! or a generalized request implements [`Operation`], and so does whatever else is begun in one
//! call and completed in another. Point-to-point knows nothing of these.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use dunlin_base::{Error, ErrorClass, Result};

use crate::engine::Engine;
use crate::engine::tasks::{RepeatedTask, RunBy};
use crate::engine::vci::of_vci;
use crate::objects::comm::Comm;
use crate::objects::status::{OPERATION, RequestId, Status};
use crate::objects::table::Table;

/// Whether this is the number of an operation.
#[inline(always)]
pub(crate) fn is_operation(id: RequestId) -> bool {
    id & OPERATION != 0
}

/// One operation in progress, or a persistent one.
pub(crate) trait Operation: AsAny + fmt::Debug {
    /// Whether it has completed. An inactive persistent one has.
    fn is_complete(&self, engine: &Engine) -> bool;

    /// Its outcome, once it is complete; may be read several times.
    fn status(&self, engine: &Engine) -> Result<Status>;

    /// Its outcome, once it is complete, for the call that completes it.
    fn finish(&self, engine: &Engine) -> Result<Status> {
        self.status(engine)
    }

    /// The same on the fast path, of one that has ended well, whose outcome is shown: true. False
    /// while it is in progress, `None` if the slow path must finish it.
    fn finish_well(&self, _: &Engine, _show: &mut dyn FnMut(&Status)) -> Option<bool> {
        None
    }

    /// Starts an inactive persistent one; `None` if the slow path must.
    fn start_well(&self, _: &Engine) -> Option<Started> {
        None
    }

    /// False while a persistent one waits to be started.
    fn is_active(&self) -> bool {
        true
    }

    /// Whether it stays, inactive, when it has been finished.
    fn is_persistent(&self) -> bool {
        false
    }

    /// Whether something goes on for it that is no request of its own.
    fn is_under_way(&self, engine: &Engine) -> bool {
        !self.is_persistent() && !self.is_complete(engine)
    }

    /// Whether it is a nonblocking barrier that has ended, which the program does not know: true
    /// once.
    fn is_news(&self) -> bool {
        false
    }

    /// The request that does its work, for the stall report.
    fn inner(&self) -> Option<RequestId> {
        None
    }

    /// `MPI_Cancel`. What cannot be cancelled completes as it would.
    fn cancel(&self, _: &Engine) -> Result<()> {
        Ok(())
    }

    /// `MPI_Request_free`: what has begun still completes.
    fn free(&self, engine: &Engine, id: RequestId) -> Result<()> {
        engine.finish_when_complete(id);
        Ok(())
    }
}

/// What has become of a persistent operation that was started.
#[derive(Debug)]
pub(crate) enum Started {
    /// It has begun.
    Begun,
    /// It is active, and this task runs it, which is to be begun.
    By(Rc<RepeatedTask>),
}

/// The way from an operation of any kind to one of a known kind.
pub(crate) trait AsAny {
    fn as_any(self: Rc<Self>) -> Rc<dyn Any>;
}

impl<T: Any> AsAny for T {
    fn as_any(self: Rc<Self>) -> Rc<dyn Any> {
        self
    }
}

/// An operation, and the communicator whose error handler it uses.
type Entry = (Rc<Comm>, Rc<dyn Operation>);

/// The operations of a process.
#[derive(Debug, Default)]
pub(crate) struct Operations(RefCell<Table<Entry>>);

impl Operations {
    fn get(&self, id: RequestId) -> Option<Entry> {
        self.0.borrow().get(id & !OPERATION).cloned()
    }

    fn remove(&self, id: RequestId) {
        // What an operation owns may come here again when it is dropped: not within the borrow.
        let removed = self.0.borrow_mut().remove(id & !OPERATION);
        drop(removed);
    }

    /// Calls `f` with one, if it exists. It must not add nor remove any.
    #[inline]
    pub fn peek<T>(&self, id: RequestId, f: impl FnOnce(&dyn Operation) -> Option<T>) -> Option<T> {
        f(&*self.0.borrow().get(id & !OPERATION)?.1)
    }

    /// Whether one is as `f` asks.
    pub fn any(&self, f: impl Fn(&Rc<dyn Operation>) -> bool) -> bool {
        self.0.borrow().iter().any(|(_, (_, operation))| f(operation))
    }

    /// Whether there is such news of a communicator.
    pub fn have_news(&self, comm: &Rc<Comm>) -> bool {
        let table = self.0.borrow();
        table.iter().any(|(_, (on, operation))| Rc::ptr_eq(on, comm) && operation.is_news())
    }

    /// Those on a communicator.
    pub fn on(&self, comm: &Rc<Comm>) -> Vec<Rc<dyn Operation>> {
        let table = self.0.borrow();
        let on_comm = table.iter().filter(|(_, (on, _))| Rc::ptr_eq(on, comm));
        on_comm.map(|(_, (_, operation))| operation.clone()).collect()
    }
}

impl Engine {
    /// Makes a request of an operation.
    pub(crate) fn add_operation(&self, on: &Rc<Comm>, operation: Rc<dyn Operation>) -> RequestId {
        OPERATION | self.operations.0.borrow_mut().insert((on.clone(), operation))
    }

    /// The request is gone.
    pub(crate) fn remove_operation(&self, id: RequestId) {
        self.operations.remove(id);
    }

    /// The operation that a request stands for.
    pub(crate) fn operation(&self, id: RequestId) -> Result<Rc<dyn Operation>> {
        self.operations.get(id).map(|(_, operation)| operation).ok_or_else(|| unknown(id))
    }

    /// The communicator it belongs to.
    pub(crate) fn comm_of_operation(&self, id: RequestId) -> Option<Rc<Comm>> {
        self.operations.get(id).map(|(comm, _)| comm)
    }

    /// Starts a persistent operation; false if the slow path must.
    pub(crate) fn start_well(&self, id: RequestId) -> bool {
        match self.operations.peek(id, |operation| operation.start_well(self)) {
            Some(Started::By(task)) => self.tasks.begin(&task, !self.defers()),
            Some(Started::Begun) => {}
            None => return false,
        }
        true
    }

    /// Finishes an operation if it has ended well, and shows its outcome and whether the request is
    /// gone; `None` if the slow path must, false while it is in progress.
    pub(crate) fn finish_well(
        &self,
        id: RequestId,
        mut show: impl FnMut(&Status, bool),
    ) -> Option<bool> {
        let (has_ended, is_gone) = self.operations.peek(id, |operation| {
            let is_gone = !operation.is_persistent();
            let has_ended = operation.finish_well(self, &mut |outcome| show(outcome, is_gone))?;
            Some((has_ended, is_gone))
        })?;
        if has_ended && is_gone {
            self.remove_operation(id);
        }
        Some(has_ended)
    }

    /// The operation that a request stands for, if it is one of this kind.
    pub(crate) fn operation_of_kind<T: Any>(&self, id: RequestId) -> Result<Option<Rc<T>>> {
        if !is_operation(id) {
            return self.messages.borrow().transfers.requests.get(id).map(|_| None);
        }
        Ok(self.operation(id)?.as_any().downcast().ok())
    }

    /// Finishes an operation that nobody waits for.
    pub(crate) fn finish_when_complete(&self, id: RequestId) {
        let is_finished = move |engine: &Engine| !matches!(engine.finish(id), Ok(None));
        if is_finished(self) {
            return;
        }
        let vci = self.vci;
        let finish = poll_fn(move |_| match is_finished(of_vci(vci)) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        });
        // To finish a generalized request is to call functions of the program.
        self.tasks.add(RunBy::Program, Box::pin(finish));
    }
}

/// What collectives do not allow; MPI 5.0 section 6.12.
pub(crate) fn in_progress(call: &str) -> Error {
    let text = format!("{call} of a collective in progress; complete it with MPI_Wait or MPI_Test");
    Error::new(ErrorClass::Request, text)
}

pub(crate) fn unknown(id: RequestId) -> Error {
    let text = format!("request number {id} does not exist; it was completed or freed before");
    Error::new(ErrorClass::Request, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::p2p::messages_tests::op_info;

    #[derive(Debug)]
    struct LooksAgain(Rc<Operations>, Rc<Comm>);

    impl Operation for LooksAgain {
        fn is_complete(&self, _: &Engine) -> bool {
            true
        }

        fn status(&self, _: &Engine) -> Result<Status> {
            Ok(Status::EMPTY)
        }
    }

    impl Drop for LooksAgain {
        fn drop(&mut self) {
            assert!(self.0.on(&self.1).is_empty());
        }
    }

    #[test]
    fn an_operation_may_look_at_the_others_when_it_is_dropped() {
        let (operations, comm) = (Rc::new(Operations::default()), op_info().comm);
        let operation: Rc<dyn Operation> = Rc::new(LooksAgain(operations.clone(), comm.clone()));
        let id = operations.0.borrow_mut().insert((comm.clone(), operation));
        operations.remove(id);
        assert!(operations.on(&comm).is_empty());
    }
}
