//! What progress advances beside messages: futures, which each push for progress polls. A
//! nonblocking collective is one; whatever else must go on while the program waits adds its own.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Waker};

/// Work that goes on beside the program.
pub(crate) type Task = Pin<Box<dyn Future<Output = ()>>>;

/// Those in progress, oldest first.
#[derive(Default)]
pub(crate) struct Tasks {
    count: Cell<usize>,
    tasks: RefCell<Vec<Task>>,
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tasks in progress", self.count.get())
    }
}

impl Tasks {
    /// One more.
    pub fn add(&self, task: Task) {
        self.tasks.borrow_mut().push(task);
        self.count.set(self.count.get() + 1);
    }

    /// Whether there are any.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count.get() == 0
    }

    /// Lets every task go as far as it can. True if one has ended.
    pub fn poll(&self) -> bool {
        // A callback of the program may call MPI, and come here again: it finds nothing to do.
        let mut tasks = self.tasks.take();
        let before = tasks.len();
        let mut context = Context::from_waker(Waker::noop());
        tasks.retain_mut(|task| task.as_mut().poll(&mut context).is_pending());
        let ended = before - tasks.len();
        tasks.append(&mut self.tasks.borrow_mut());
        self.count.set(tasks.len());
        self.tasks.replace(tasks);
        ended > 0
    }
}
