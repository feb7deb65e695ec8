//! Sessions: isolated instances of MPI in one process, each with an error handler and buffer space;
//! MPI 5.0, section 11.3.

use std::cell::Cell;

use crate::memory::pool::SharedPool;
use crate::objects::errhandler::Errhandler;

/// The number of a session.
pub type SessionId = u32;

/// A session.
#[derive(Debug)]
pub struct Session {
    /// Its error handler.
    pub errhandler: Cell<Errhandler>,
    /// Buffer space for buffered sends on its communicators.
    pub(crate) pool: SharedPool,
}

/// A process set, which a program selects by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessSet {
    /// Every process of the job.
    World,
    /// This process.
    Myself,
}

impl ProcessSet {
    /// All sets, in the order of their numbers.
    pub const ALL: [ProcessSet; 2] = [ProcessSet::World, ProcessSet::Myself];

    /// The name of the set.
    pub fn name(self) -> &'static str {
        match self {
            ProcessSet::World => "mpi://WORLD",
            ProcessSet::Myself => "mpi://SELF",
        }
    }

    /// The set with this name. Names of the standard are case-insensitive; section 11.3.2.
    pub fn named(name: &str) -> Option<ProcessSet> {
        Self::ALL.into_iter().find(|set| set.name().eq_ignore_ascii_case(name))
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
