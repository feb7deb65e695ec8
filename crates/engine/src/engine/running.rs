//! The nonblocking collectives in progress: futures that every push for progress polls.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use dunlin_base::Result;

use crate::objects::status::RequestId;

/// A collective that runs beside the program.
pub(crate) type Work = Pin<Box<dyn Future<Output = Result<()>>>>;

/// Those in progress, oldest first.
#[derive(Default)]
pub(crate) struct Running {
    count: Cell<usize>,
    works: RefCell<Vec<(RequestId, Work)>>,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} collectives in progress", self.count.get())
    }
}

impl Running {
    /// One more.
    pub fn add(&self, id: RequestId, work: Work) {
        self.works.borrow_mut().push((id, work));
        self.count.set(self.count.get() + 1);
    }

    /// Whether there are any.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count.get() == 0
    }

    /// Lets every collective go as far as it can, and tells which have ended. True if any has.
    pub fn poll(&self, ended: impl Fn(RequestId, Result<()>)) -> bool {
        // An operator of the program may call MPI, and come here again: it finds nothing to do.
        let mut works = self.works.take();
        let before = works.len();
        let mut context = Context::from_waker(Waker::noop());
        works.retain_mut(|(id, work)| match work.as_mut().poll(&mut context) {
            Poll::Pending => true,
            Poll::Ready(outcome) => {
                ended(*id, outcome);
                false
            }
        });
        let finished = before - works.len();
        works.append(&mut self.works.borrow_mut());
        self.count.set(works.len());
        self.works.replace(works);
        finished > 0
    }
}
