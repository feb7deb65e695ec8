//! Nonblocking collectives: the algorithms that the blocking ones run, each as a future that every
//! push for progress polls, until it completes its request; MPI 5.0 section 6.12.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use dunlin_base::{Error, ErrorClass, Result};

use crate::collective::{Recipe, perform};
use crate::engine::Engine;
use crate::global;
use crate::request::{About, Kind, RequestId};
use crate::status::Status;

type Work = Pin<Box<dyn Future<Output = Result<()>>>>;

/// The collectives in progress, oldest first.
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

impl Engine {
    /// Begins a collective.
    pub fn begin(&self, recipe: &Rc<Recipe>) -> RequestId {
        let about = About { comm: recipe.comm.clone(), peer: None, tag: None };
        let id = self.messages.borrow_mut().requests.insert(Kind::Collective, about);
        let recipe = recipe.clone();
        let work: Work = Box::pin(async move { perform(global::installed(), &recipe, None).await });
        self.collectives.works.borrow_mut().push((id, work));
        self.collectives.count.set(self.collectives.count.get() + 1);
        // Its first messages leave now.
        self.push_collectives();
        id
    }

    /// Lets every collective go as far as it can. True if one completed.
    #[inline]
    pub(crate) fn push_collectives(&self) -> bool {
        self.collectives.count.get() > 0 && self.poll_collectives()
    }

    fn poll_collectives(&self) -> bool {
        // An operator of the program may call MPI, and come here again: it finds nothing to do.
        let mut works = self.collectives.works.take();
        let before = works.len();
        works.retain_mut(|(id, work)| match work.as_mut().poll(&mut waker()) {
            Poll::Pending => true,
            Poll::Ready(outcome) => {
                let status = Status { error: outcome.err().map(Box::new), ..Status::EMPTY };
                self.messages.borrow_mut().requests.complete(*id, status);
                false
            }
        });
        let finished = before - works.len();
        works.append(&mut self.collectives.works.borrow_mut());
        self.collectives.count.set(works.len());
        self.collectives.works.replace(works);
        finished > 0
    }
}

fn waker() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

/// Refuses what collectives do not allow; MPI 5.0 section 6.12.
pub(crate) fn refuse_collective(kind: &Kind, call: &str) -> Result<()> {
    if !matches!(kind, Kind::Collective) {
        return Ok(());
    }
    let text = format!("{call} of a collective in progress; complete it with MPI_Wait or MPI_Test");
    Err(Error::new(ErrorClass::Request, text))
}
