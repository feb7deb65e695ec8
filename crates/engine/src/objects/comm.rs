//! Communicators: a group, a context that keeps its messages apart from all others, and what users
//! hang on it.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::ffi::CString;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};
use dunlin_coll::Nodes;

use crate::memory::pool::Pool;
use crate::objects::attribute::Attributes;
use crate::objects::coll_module::ModuleState;
use crate::objects::errhandler::Errhandler;
use crate::objects::group::Group;
use crate::objects::process_table::ProcessId;
use crate::objects::topology::Topology;

/// The number of a communicator.
pub type CommId = u32;
/// `MPI_COMM_WORLD`.
pub const WORLD: CommId = 0;
/// `MPI_COMM_SELF`.
pub const SELF: CommId = 1;

/// Set in the context of messages that collectives send, so that they never meet the user's.
pub const COLLECTIVE: u64 = 1;
/// Set in the context of messages by which communicators are made, which name processes.
pub(crate) const MAKING: u64 = 1 << 63;
/// Set in the context of partitioned messages.
pub(crate) const PARTITIONED: u64 = 1 << 62;

/// A context for a communicator, agreed without a server: the process that leads the new
/// communicator draws it from its own counter, and its number, below 2^29, makes it unique in the
/// job.
pub const fn context(leader: ProcessId, serial: u32) -> u64 {
    (leader as u64) << 33 | (serial as u64) << 1
}

/// The collective context of a communicator.
pub(crate) const fn collective(context: u64) -> u64 {
    context | COLLECTIVE
}

/// Which way a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From this process.
    Out,
    /// To this process.
    In,
}

/// How many partitioned operations were initialised on a communicator, by way, peer and tag.
type PartitionedCounts = RefCell<HashMap<(Direction, Rank, Tag), u32>>;

/// A communicator.
#[derive(Debug)]
pub struct Comm {
    /// Its number, once it has one.
    pub id: Cell<CommId>,
    /// Keeps its messages apart; the lowest bit is free for [`COLLECTIVE`].
    pub context: u64,
    /// The processes; of an intercommunicator, those on this process's side.
    pub group: Rc<Group>,
    /// Those that ranks in point-to-point calls mean: `group`, or the other side.
    pub peers: Rc<Group>,
    /// The side of this process alone, as a communicator for use inside an operation; an
    /// intercommunicator has one.
    pub local: Option<Rc<Comm>>,
    /// This process's rank in `group`.
    pub rank: Rank,
    /// The name, for users to see.
    pub name: RefCell<String>,
    /// What users hang on it.
    pub attributes: Attributes,
    /// What happens on an error.
    pub errhandler: Cell<Errhandler>,
    /// Who is whose neighbour.
    pub topology: Option<Rc<Topology>>,
    /// Info hints in force.
    pub hints: RefCell<Vec<(CString, CString)>>,
    /// Space for its buffered sends.
    pub(crate) pool: Rc<RefCell<Pool>>,
    /// Partitioned operations so far: each pair of them is kept apart.
    pub(crate) partitioned: PartitionedCounts,
    /// Blocking collectives begun so far: keeps those in flight apart.
    collectives: Cell<u32>,
    /// Nonblocking and persistent ones begun so far.
    collectives_apart: Cell<u32>,
    /// Memory in which its members show each other data.
    pub(crate) sharing: RefCell<ModuleState>,
    /// Which of those that messages can name share a node, once it was asked.
    pub(crate) nodes: OnceCell<Rc<Nodes>>,
}

impl Comm {
    /// A communicator of `group` with this context.
    pub fn new(context: u64, group: Rc<Group>, rank: Rank, errhandler: Errhandler) -> Comm {
        Comm {
            id: Cell::new(CommId::MAX),
            context,
            peers: group.clone(),
            group,
            local: None,
            rank,
            name: RefCell::new(String::new()),
            attributes: Attributes::default(),
            errhandler: Cell::new(errhandler),
            topology: None,
            hints: RefCell::default(),
            pool: Rc::default(),
            partitioned: RefCell::default(),
            collectives: Cell::new(0),
            collectives_apart: Cell::new(0),
            sharing: RefCell::default(),
            nodes: OnceCell::new(),
        }
    }

    /// Makes it an intercommunicator to `peers`; `local` is this side alone.
    pub(crate) fn toward(self, peers: Rc<Group>, local: Rc<Comm>) -> Comm {
        Comm { peers, local: Some(local), ..self }
    }

    /// Gives it a topology.
    pub(crate) fn with_topology(self, topology: Option<Rc<Topology>>) -> Comm {
        Comm { topology, ..self }
    }

    /// Number of processes; of an intercommunicator, on this process's side.
    #[inline]
    pub fn size(&self) -> u32 {
        self.group.size()
    }

    /// Number of processes that ranks in point-to-point calls can name.
    #[inline]
    pub fn peer_count(&self) -> u32 {
        self.peers.size()
    }

    /// Whether it joins two groups.
    pub fn is_inter(&self) -> bool {
        self.local.is_some()
    }

    /// The process that a rank in point-to-point calls means, if there is one.
    #[inline(always)]
    pub fn peer(&self, rank: Rank) -> Option<ProcessId> {
        self.peers.process(rank)
    }

    /// The process that a rank in point-to-point calls means: on the other side, if there is one.
    #[inline]
    pub fn process(&self, rank: Rank) -> Result<ProcessId> {
        self.peer(rank).ok_or_else(|| self.no_such_rank(rank))
    }

    #[cold]
    fn no_such_rank(&self, rank: Rank) -> Error {
        let last = self.peer_count() - 1;
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

    /// The tag of the next blocking collective on this communicator: every member counts alike.
    pub fn next_collective(&self) -> i32 {
        count(&self.collectives)
    }

    /// Blocking collectives begun so far.
    pub(crate) fn collectives_begun(&self) -> u32 {
        self.collectives.get()
    }

    /// Whether it has not been asked for a collective segment yet, and has others to talk to in one
    /// group.
    pub(crate) fn is_new(&self) -> bool {
        matches!(*self.sharing.borrow(), ModuleState::Untried)
            && self.size() > 1
            && !self.is_inter()
    }

    /// The tag of the next nonblocking or persistent collective.
    pub fn next_collective_apart(&self) -> i32 {
        count(&self.collectives_apart) | APART
    }
}

/// Set in the tags of collectives that are counted apart.
const APART: i32 = 1 << 30;

/// Counts one more, below [`APART`].
fn count(counter: &Cell<u32>) -> i32 {
    let n = counter.get();
    counter.set((n + 1) % APART as u32);
    n as i32
}
