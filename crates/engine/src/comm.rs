//! Communicators: a group, a context that keeps its messages apart from all others, and what users
//! hang on it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result};

use crate::buffered::Pool;
use crate::errhandler::Errhandler;
use crate::group::Group;

/// The number of a communicator.
pub type CommId = u32;
/// `MPI_COMM_WORLD`.
pub const WORLD: CommId = 0;
/// `MPI_COMM_SELF`.
pub const SELF: CommId = 1;

/// Set in the context of messages that collectives send, so that they never meet the user's.
pub const COLLECTIVE: u64 = 1;

/// A context for a communicator, agreed without a server: the process that leads the new
/// communicator draws it from its own counter, and its world rank makes it unique in the job.
pub const fn context(leader: Rank, serial: u32) -> u64 {
    (leader as u64) << 33 | (serial as u64) << 1
}

/// A communicator.
#[derive(Debug)]
pub struct Comm {
    /// Its number, once it has one.
    pub id: Cell<CommId>,
    /// Keeps its messages apart; the lowest bit is free for [`COLLECTIVE`].
    pub context: u64,
    /// The processes.
    pub group: Rc<Group>,
    /// This process's rank in `group`.
    pub rank: Rank,
    /// The name, for users to see.
    pub name: RefCell<String>,
    /// What happens on an error.
    pub errhandler: Cell<Errhandler>,
    /// Space for its buffered sends.
    pub(crate) pool: Rc<RefCell<Pool>>,
    /// Collectives begun so far: keeps those in flight apart.
    collectives: Cell<u32>,
}

impl Comm {
    /// A communicator of `group` with this context.
    pub fn new(context: u64, group: Rc<Group>, rank: Rank, errhandler: Errhandler) -> Comm {
        Comm {
            id: Cell::new(CommId::MAX),
            context,
            group,
            rank,
            name: RefCell::new(String::new()),
            errhandler: Cell::new(errhandler),
            pool: Rc::default(),
            collectives: Cell::new(0),
        }
    }

    /// Number of processes.
    #[inline]
    pub fn size(&self) -> u32 {
        self.group.size()
    }

    /// The world rank of a rank of this communicator.
    #[inline]
    pub fn world_rank(&self, rank: Rank) -> Result<Rank> {
        self.group.world_rank(rank).ok_or_else(|| self.no_such_rank(rank))
    }

    #[cold]
    fn no_such_rank(&self, rank: Rank) -> Error {
        let last = self.size() - 1;
        Error::new(
            ErrorClass::Rank,
            format!("rank is {rank}; in {} it must be 0 to {last}", self.shown_name()),
        )
    }

    /// The name, or something to call a nameless one.
    pub fn shown_name(&self) -> String {
        let name = self.name.borrow();
        if name.is_empty() { format!("communicator {:#x}", self.context) } else { name.clone() }
    }

    /// The tag of the next collective on this communicator: every member counts alike.
    pub fn next_collective(&self) -> i32 {
        let n = self.collectives.get();
        self.collectives.set((n + 1) & i32::MAX as u32);
        n as i32
    }
}
