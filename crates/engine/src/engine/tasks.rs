//! What progress advances beside messages: futures, which each push for progress polls. A
//! nonblocking collective is one; whatever else must go on while the program waits adds its own.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use dunlin_base::Result;

use crate::objects::status::Status;

/// Work that goes on beside the program.
pub(crate) type Task = Pin<Box<dyn Future<Output = ()>>>;

/// Who may run a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunBy {
    /// The progress thread, too.
    Anybody,
    /// The same; it ends when the program says so, and serves others until then.
    AnybodyForOthers,
    /// The program's threads: it may call functions of the program, such as operators.
    Program,
}

/// Lets a future go as far as it can.
pub(crate) fn push<T>(future: &mut Pin<Box<impl Future<Output = T> + ?Sized>>) -> Poll<T> {
    future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

/// Work that the program begins again and again. Its memory is kept: the future goes round in a
/// loop, and waits there to be begun.
pub(crate) struct RepeatedTask {
    state: Rc<RepeatedState>,
    /// Never ends.
    task: RefCell<Task>,
    run_by: RunBy,
}

struct RepeatedState {
    in_progress: Cell<bool>,
    /// How it ended last.
    outcome: RefCell<Status>,
}

impl RepeatedTask {
    pub fn new(run_by: RunBy, work: impl AsyncFn() -> Result<()> + 'static) -> RepeatedTask {
        let (in_progress, outcome) = (Cell::new(false), RefCell::new(Status::EMPTY));
        let state = Rc::new(RepeatedState { in_progress, outcome });
        let own = state.clone();
        let task = Box::pin(async move {
            loop {
                let begun = || if own.in_progress.get() { Poll::Ready(()) } else { Poll::Pending };
                poll_fn(|_| begun()).await;
                let outcome = work().await;
                own.outcome.replace(Status::of(outcome));
                own.in_progress.set(false);
            }
        });
        RepeatedTask { state, task: RefCell::new(task), run_by }
    }

    pub fn is_in_progress(&self) -> bool {
        self.state.in_progress.get()
    }

    /// How it ended last.
    pub fn outcome(&self) -> Status {
        self.state.outcome.borrow().clone()
    }

    /// Shows how it has ended, if it has, and well: true. False while it is in progress.
    pub fn show_if_ended_well(&self, show: &mut dyn FnMut(&Status)) -> Option<bool> {
        if self.is_in_progress() {
            return Some(false);
        }
        let outcome = self.state.outcome.borrow();
        outcome.error.is_none().then(|| {
            show(&outcome);
            true
        })
    }

    /// Lets it go as far as it can. True if it has ended.
    fn poll(&self) -> bool {
        // Polled already, if it has called the program, and that MPI.
        let Ok(mut task) = self.task.try_borrow_mut() else { return false };
        let _never_ends = push(&mut task);
        !self.is_in_progress()
    }
}

impl fmt::Debug for RepeatedTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a repeated task; in progress: {}", self.is_in_progress())
    }
}

enum Entry {
    Once(RunBy, Task),
    Repeated(Rc<RepeatedTask>),
}

impl RunBy {
    fn includes_helper(self) -> bool {
        self != RunBy::Program
    }
}

impl Entry {
    fn has_ended(&mut self) -> bool {
        match self {
            Entry::Once(_, task) => push(task).is_ready(),
            Entry::Repeated(task) => task.poll(),
        }
    }

    fn run_by(&self) -> RunBy {
        match self {
            Entry::Once(run_by, _) => *run_by,
            Entry::Repeated(task) => task.run_by,
        }
    }
}

/// What a task waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TaskAwaits {
    /// Messages, which progress brings.
    #[default]
    Messages,
    /// Memory that ranks of this node write.
    Memory,
    /// The same, where ranks share cores: of a single rank, which most likely runs right now.
    OneElsewhere,
}

/// Those in progress, oldest first.
#[derive(Default)]
pub(crate) struct Tasks {
    count: Cell<usize>,
    /// What those polled last wait for, so far as they say.
    awaited: Cell<TaskAwaits>,
    tasks: RefCell<Vec<Entry>>,
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tasks in progress", self.count.get())
    }
}

impl Tasks {
    /// One more.
    pub fn add(&self, run_by: RunBy, task: Task) {
        self.add_entry(Entry::Once(run_by, task));
    }

    /// Begins one more time what is not in progress; it goes as far as it can at once, unless it is
    /// left to others.
    pub fn begin(&self, task: &Rc<RepeatedTask>, at_once: bool) {
        task.state.in_progress.set(true);
        let waits = !at_once && task.run_by.includes_helper();
        if waits || !task.poll() {
            self.add_entry(Entry::Repeated(task.clone()));
        }
    }

    fn add_entry(&self, entry: Entry) {
        self.tasks.borrow_mut().push(entry);
        self.count.set(self.count.get() + 1);
    }

    /// What a task of a collective waits for.
    #[inline]
    pub fn say_awaited(&self, awaited: TaskAwaits) {
        self.awaited.set(awaited);
    }

    /// What has been said since this was asked last.
    pub fn take_awaited(&self) -> TaskAwaits {
        self.awaited.take()
    }

    /// Whether there are any.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count.get() == 0
    }

    /// Lets every task go as far as it can. True if one has ended.
    pub fn poll(&self) -> bool {
        self.poll_each(Entry::has_ended)
    }

    /// The same in the progress thread, of the tasks that it may run.
    pub fn poll_as_helper(&self) -> bool {
        self.poll_each(|entry| entry.run_by().includes_helper() && entry.has_ended())
    }

    /// Whether there are any that the progress thread may run.
    pub fn has_some_for_helper(&self) -> bool {
        self.has_any(RunBy::includes_helper)
    }

    /// Whether there are any with which it could go on while the program computes.
    pub fn has_some_to_overlap(&self) -> bool {
        !self.is_empty() && self.has_any(|run_by| run_by == RunBy::Anybody)
    }

    fn has_any(&self, is_one: impl Fn(RunBy) -> bool) -> bool {
        // While they are polled the list is empty; the outer call looks again.
        let tasks = self.tasks.try_borrow();
        tasks.is_ok_and(|tasks| tasks.iter().any(|entry| is_one(entry.run_by())))
    }

    #[inline(always)]
    fn poll_each(&self, mut has_ended: impl FnMut(&mut Entry) -> bool) -> bool {
        // A callback of the program may call MPI, and come here again: it finds nothing to do.
        let mut tasks = self.tasks.take();
        let before = tasks.len();
        tasks.retain_mut(|entry| !has_ended(entry));
        let ended = before - tasks.len();
        tasks.append(&mut self.tasks.borrow_mut());
        self.count.set(tasks.len());
        self.tasks.replace(tasks);
        ended > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_task_goes_on_where_it_was_until_it_ends() {
        let (gate, rounds) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(0)));
        let (opens, counts) = (gate.clone(), rounds.clone());
        let task = Rc::new(RepeatedTask::new(RunBy::Anybody, async move || {
            counts.set(counts.get() + 1);
            poll_fn(|_| if opens.get() { Poll::Ready(()) } else { Poll::Pending }).await;
            Ok(())
        }));
        let tasks = Tasks::default();
        for round in 1..=3 {
            gate.set(false);
            tasks.begin(&task, true);
            assert!(task.is_in_progress() && !tasks.poll() && !tasks.is_empty());
            gate.set(true);
            assert!(tasks.poll() && !task.is_in_progress() && tasks.is_empty());
            assert_eq!(rounds.get(), round);
        }
        tasks.begin(&task, true);
        assert!(!task.is_in_progress() && tasks.is_empty());
        assert_eq!(
            task.show_if_ended_well(&mut |outcome| assert_eq!(outcome, &Status::EMPTY)),
            Some(true)
        );
    }

    #[test]
    fn the_progress_thread_leaves_tasks_that_may_call_the_program_alone() {
        let (tasks, ran) = (Tasks::default(), Rc::new(RefCell::new(Vec::new())));
        for run_by in [RunBy::Program, RunBy::Anybody, RunBy::AnybodyForOthers] {
            let ran = ran.clone();
            tasks.add(run_by, Box::pin(async move { ran.borrow_mut().push(run_by) }));
        }
        assert!(tasks.has_some_for_helper() && tasks.poll_as_helper());
        assert_eq!(*ran.borrow(), [RunBy::Anybody, RunBy::AnybodyForOthers]);
        assert!(!tasks.has_some_for_helper() && !tasks.poll_as_helper() && !tasks.is_empty());
        assert!(tasks.poll() && tasks.is_empty());
        assert_eq!(ran.borrow()[2..], [RunBy::Program]);
    }
}
