//! Sessions: isolated users of MPI in one process, each with an error handler and buffer space of
//! its own; MPI 5.0 section 11.3.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result};

use crate::buffered::Pool;
use crate::engine::Engine;
use crate::errhandler::Errhandler;
use crate::group::Group;

/// The number of a session.
pub type SessionId = u32;

/// A session.
#[derive(Debug)]
pub struct Session {
    /// What happens on an error.
    pub errhandler: Cell<Errhandler>,
    /// Space for buffered sends on its communicators.
    pub(crate) pool: RefCell<Pool>,
}

/// A set of processes that the program can ask for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessSet {
    /// Every process of the job.
    World,
    /// This process.
    Myself,
}

impl ProcessSet {
    /// All of them, in the order of their numbers.
    pub const ALL: [ProcessSet; 2] = [ProcessSet::World, ProcessSet::Myself];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            ProcessSet::World => "mpi://WORLD",
            ProcessSet::Myself => "mpi://SELF",
        }
    }

    /// The set with this name. The standard's names know no case; section 11.3.2.
    pub fn named(name: &str) -> Option<ProcessSet> {
        Self::ALL.into_iter().find(|set| set.name().eq_ignore_ascii_case(name))
    }
}

impl Engine {
    /// Adds a session; `open` was called for it.
    pub fn add_session(&self, errhandler: Errhandler) -> SessionId {
        let errhandler = Cell::new(errhandler);
        self.had_sessions.set(true);
        let session = Session { errhandler, pool: RefCell::default() };
        self.sessions.borrow_mut().insert(Rc::new(session))
    }

    /// The session with this number.
    pub fn session(&self, id: SessionId) -> Result<Rc<Session>> {
        self.sessions.borrow().get(id).cloned().ok_or_else(|| {
            Error::new(ErrorClass::Session, format!("session number {id} does not exist"))
        })
    }

    /// Ends a session: its buffered messages leave, then it does.
    pub fn remove_session(&self, id: SessionId) -> Result<()> {
        self.buffer_flush(&crate::engine::Place::Session(self.session(id)?));
        self.sessions.borrow_mut().remove(id);
        self.close();
        Ok(())
    }

    /// The processes of a set, as a group of a session.
    pub fn process_set(&self, set: ProcessSet, session: SessionId) -> Result<Group> {
        let members = match set {
            ProcessSet::World => (0..self.comm(crate::comm::WORLD)?.size()).collect(),
            ProcessSet::Myself => vec![self.world_rank() as Rank],
        };
        Ok(Group::new(members).of_session(Some(session)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_sets_are_found_whatever_the_case() {
        assert_eq!(ProcessSet::named("MPI://world"), Some(ProcessSet::World));
        assert_eq!(ProcessSet::named("mpi://SELF"), Some(ProcessSet::Myself));
        assert_eq!(ProcessSet::named("mpi://OTHER"), None);
    }
}
