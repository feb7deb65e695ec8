//! A request whose data stands in a staging buffer: filled when the operation starts, and drained
//! into the program's memory when it has completed. The Fortran interface has such requests for
//! array sections that no datatype describes (MPI 5.0, section 19.1.12).

use std::cell::Cell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use dunlin_base::{Error, ErrorClass, Result};

use crate::engine::Engine;
use crate::engine::operation::{Operation, is_operation, unknown};
use crate::engine::tasks::RunBy;
use crate::engine::vci::of_vci;
use crate::objects::status::{RequestId, Status};

/// The staging buffers of a request, which live as long as it.
pub trait Staging {
    /// Reads the program's memory, each time a persistent request is started.
    fn fill(&self);
    /// Writes it, each time the operation has completed.
    fn drain(&self);
}

struct Staged {
    inner: RequestId,
    staging: Box<dyn Staging>,
    is_persistent: bool,
    /// Whether the program's memory has what the operation brought.
    is_drained: Cell<bool>,
}

impl std::fmt::Debug for Staged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Staged({})", self.inner)
    }
}

impl Staged {
    fn drain(&self) {
        if !self.is_drained.replace(true) {
            self.staging.drain();
        }
    }

    fn start(&self, engine: &Engine) -> Result<()> {
        if engine.is_active(self.inner) {
            let text = "the request is active already; complete it before starting it again";
            return Err(Error::new(ErrorClass::Request, text.to_string()));
        }
        self.staging.fill();
        engine.start(self.inner)?;
        self.is_drained.set(false);
        Ok(())
    }

    /// Finishes the operation if it is complete, and gives the request behind it up.
    fn is_gone(&self, engine: &Engine) -> bool {
        if !self.is_complete(engine) {
            return false;
        }
        let _nobody_waits_for_the_outcome = self.finish(engine);
        if self.is_persistent {
            let _was_freed_by_the_program = engine.request_free(self.inner);
        }
        true
    }
}

impl Operation for Staged {
    fn is_complete(&self, engine: &Engine) -> bool {
        engine.is_complete(self.inner)
    }

    fn status(&self, engine: &Engine) -> Result<Status> {
        self.drain();
        Ok(engine.status_of(self.inner)?.unwrap_or(Status::EMPTY))
    }

    fn finish(&self, engine: &Engine) -> Result<Status> {
        self.drain();
        Ok(engine.finish(self.inner)?.map_or(Status::EMPTY, |finished| finished.status))
    }

    fn is_active(&self) -> bool {
        !self.is_persistent || !self.is_drained.get()
    }

    fn is_persistent(&self) -> bool {
        self.is_persistent
    }

    fn inner(&self) -> Option<RequestId> {
        Some(self.inner)
    }

    fn cancel(&self, engine: &Engine) -> Result<()> {
        engine.cancel(self.inner)
    }

    fn free(&self, engine: &Engine, id: RequestId) -> Result<()> {
        let found = engine.operation_of_kind::<Staged>(id)?;
        engine.remove_operation(id);
        if !self.is_active() {
            return engine.request_free(self.inner).map(drop);
        }
        // The buffers must live until the operation is complete.
        let vci = engine.vci;
        let end = poll_fn(move |_| {
            let is_gone = found.as_ref().is_none_or(|s| s.is_gone(of_vci(vci)));
            if is_gone { Poll::Ready(()) } else { Poll::Pending }
        });
        engine.tasks.add(RunBy::Program, Box::pin(end));
        Ok(())
    }
}

impl Engine {
    /// A request in the place of another one, whose data stands in staging buffers. They are taken
    /// only if there is such a request.
    pub fn stage(
        &self,
        inner: RequestId,
        staging: impl FnOnce() -> Box<dyn Staging>,
    ) -> Result<RequestId> {
        let comm = self.request_comm(inner).ok_or_else(|| unknown(inner))?;
        let is_persistent = is_operation(inner) && self.operation(inner)?.is_persistent();
        let is_drained = Cell::new(is_persistent);
        let staged = Staged { inner, staging: staging(), is_persistent, is_drained };
        Ok(self.add_operation(&comm, Rc::new(staged)))
    }

    /// Begins a persistent operation with staging buffers once more; `None` if this is none.
    pub(crate) fn start_staged(&self, id: RequestId) -> Result<Option<()>> {
        let staged = self.operation_of_kind::<Staged>(id)?;
        staged.filter(|staged| staged.is_persistent).map(|staged| staged.start(self)).transpose()
    }
}
