//! Communicators: a group, a context that separates its messages from all others, and the
//! attributes, name and hints that a program sets.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::ffi::CString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};
use dunlin_coll::Nodes;

use crate::matching::NOTICE;
use crate::memory::pool::SharedPool;
use crate::objects::attribute::Attributes;
use crate::objects::coll_module::{CollModule, ModuleState, Turns};
use crate::objects::errhandler::Errhandler;
use crate::objects::group::Group;
use crate::objects::process_table::ProcessId;
use crate::objects::topology::{Neighbours, Topology};

/// The number of a communicator.
pub type CommId = u32;
/// `MPI_COMM_WORLD`.
pub const WORLD: CommId = 0;
/// `MPI_COMM_SELF`.
pub const SELF: CommId = 1;

/// Set in the context of messages of collectives, which must not match the program's receives.
pub const COLLECTIVE: u64 = 1;
/// Set in the context of messages that create communicators; their ranks name processes.
pub(crate) const MAKING: u64 = 1 << 63;
/// Set in the context of partitioned messages and of persistent collectives.
pub(crate) const PARTITIONED: u64 = 1 << 62;

/// Both bits are set in the context of the data of one-sided operations that is a message of its
/// own; below them are the numbers of leaders.
pub(crate) const ONE_SIDED_DATA: u64 = MAKING | PARTITIONED;

/// Set in the serial number of a communicator whose messages need not be in the first VCI: all its
/// members use as many.
pub(crate) const SPREAD: u32 = 1 << 31;

/// A context for a communicator, agreed without a server: the leader of the new communicator draws
/// it from a local counter, and the leader's process number, below 2^29, makes it unique in the
/// job.
pub const fn context(leader: ProcessId, serial: u32) -> u64 {
    (leader as u64) << 33 | (serial as u64) << 1
}

/// The serial number in a context.
const fn serial(context: u64) -> u32 {
    (context >> 1) as u32
}

/// The collective context of a communicator.
pub(crate) const fn collective(context: u64) -> u64 {
    context | COLLECTIVE
}

/// The direction of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From this process.
    Out,
    /// To this process.
    In,
}

/// Partitioned operations initialised on a communicator, by direction, peer and tag.
type PartitionedCounts = RefCell<HashMap<(Direction, Rank, Tag), u32>>;

/// A communicator.
#[derive(Debug)]
pub struct Comm {
    /// Its number, once it is registered.
    pub id: Cell<CommId>,
    /// Separates its messages from others; the lowest bit is free for [`COLLECTIVE`].
    pub context: u64,
    /// The processes; of an intercommunicator, the local group.
    pub group: Arc<Group>,
    /// The processes that ranks in point-to-point calls name: `group`, or the remote group.
    pub peers: Arc<Group>,
    /// An intercommunicator's local group as a communicator, for use inside an operation.
    pub local: Option<Rc<Comm>>,
    /// This process's rank in `group`.
    pub rank: Rank,
    /// The name that the program sets.
    pub name: RefCell<String>,
    /// Its attributes.
    pub attributes: Attributes,
    /// The error handler.
    pub errhandler: Cell<Errhandler>,
    /// Its virtual topology.
    pub topology: Option<Rc<Topology>>,
    /// This process's neighbours in it, once a collective has asked for them.
    pub(crate) neighbours: OnceCell<Neighbours>,
    /// Info hints in effect.
    pub hints: RefCell<Vec<(CString, CString)>>,
    /// Buffer space for buffered sends on it.
    pub(crate) pool: SharedPool,
    /// Partitioned operations initialised so far: numbers that separate the pairs.
    pub(crate) partitioned: PartitionedCounts,
    /// Blocking collectives begun so far: a number that separates those in flight.
    collectives: Cell<u32>,
    /// Nonblocking collectives begun so far.
    collectives_apart: Cell<u32>,
    /// Persistent collectives described so far.
    persistent_collectives: Cell<u32>,
    /// The collective module of its blocking collectives.
    pub(crate) sharing: RefCell<ModuleState>,
    /// That of its nonblocking ones, and the order in which they use it.
    pub(crate) sharing_apart: RefCell<Option<Rc<CollModule>>>,
    pub(crate) turns: Turns,
    /// A nonblocking barrier has ended, and no probe has looked since whether the program knows.
    pub(crate) may_have_news: Cell<bool>,
    /// The VCI of its point-to-point messages.
    pub(crate) vci: Cell<usize>,
    /// The nodes of the processes that ranks name, once they were determined.
    pub(crate) nodes: OnceCell<Rc<Nodes>>,
}

impl Comm {
    /// A communicator of `group` with this context.
    pub fn new(context: u64, group: Arc<Group>, rank: Rank, errhandler: Errhandler) -> Comm {
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
            neighbours: OnceCell::new(),
            hints: RefCell::default(),
            pool: SharedPool::default(),
            vci: Cell::new(0),
            partitioned: RefCell::default(),
            collectives: Cell::new(0),
            collectives_apart: Cell::new(0),
            persistent_collectives: Cell::new(0),
            sharing: RefCell::default(),
            sharing_apart: RefCell::default(),
            turns: Turns::default(),
            may_have_news: Cell::new(false),
            nodes: OnceCell::new(),
        }
    }

    /// Makes it an intercommunicator with the remote group `peers`; `local` is its local group.
    pub(crate) fn toward(self, peers: Arc<Group>, local: Rc<Comm>) -> Comm {
        Comm { peers, local: Some(local), ..self }
    }

    /// Gives it the buffer space of another.
    pub(crate) fn with_pool(self, pool: SharedPool) -> Comm {
        Comm { pool, ..self }
    }

    /// Sets its topology.
    pub(crate) fn with_topology(self, topology: Option<Rc<Topology>>) -> Comm {
        Comm { topology, ..self }
    }

    /// Number of processes; of an intercommunicator, of the local group.
    #[inline]
    pub fn size(&self) -> u32 {
        self.group.size()
    }

    /// Number of processes that ranks in point-to-point calls can name.
    #[inline]
    pub fn peer_count(&self) -> u32 {
        self.peers.size()
    }

    /// The number by which its leader tells it from its other communicators.
    pub(crate) fn serial(&self) -> u32 {
        serial(self.context)
    }

    /// Whether it is an intercommunicator.
    pub fn is_inter(&self) -> bool {
        self.local.is_some()
    }

    /// Refuses an intercommunicator where there must be one group.
    pub(crate) fn require_intra(&self) -> Result<()> {
        if !self.is_inter() {
            return Ok(());
        }
        let text = format!("{} is an intercommunicator; merge it first", self.shown_name());
        Err(Error::new(ErrorClass::Comm, text))
    }

    /// The process that a rank in point-to-point calls names; `None` if the rank is invalid.
    #[inline(always)]
    pub fn peer(&self, rank: Rank) -> Option<ProcessId> {
        self.peers.process(rank)
    }

    /// The process that a rank in point-to-point calls names; an error if the rank is invalid.
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

    /// The name, or a substitute for an unnamed communicator.
    pub fn shown_name(&self) -> String {
        let name = self.name.borrow();
        if name.is_empty() { format!("communicator {:#x}", self.context) } else { name.clone() }
    }

    /// The tag of the next blocking collective on this communicator; all members count the same.
    pub fn next_collective(&self) -> i32 {
        count(&self.collectives)
    }

    /// Blocking collectives begun so far.
    pub(crate) fn collectives_begun(&self) -> u32 {
        self.collectives.get()
    }

    /// Whether it has requested no collective segment yet, and has several members in one group.
    pub(crate) fn is_new(&self) -> bool {
        matches!(*self.sharing.borrow(), ModuleState::Untried)
            && self.size() > 1
            && !self.is_inter()
    }

    /// The tag of the next nonblocking collective.
    pub fn next_collective_apart(&self) -> i32 {
        count(&self.collectives_apart) | APART
    }

    /// What messages of the next blocking collective match by.
    pub(crate) fn next_blocking(&self) -> CollTag {
        CollTag { context: collective(self.context), tag: self.next_collective() }
    }

    /// The same of the blocking collective in progress.
    pub(crate) fn blocking(&self) -> CollTag {
        let begun = i64::from(self.collectives_begun());
        let tag = (begun - 1).rem_euclid(APART.into()) as i32;
        CollTag { context: collective(self.context), tag }
    }

    /// The same of the next nonblocking collective.
    pub(crate) fn next_apart(&self) -> CollTag {
        CollTag { context: collective(self.context), tag: self.next_collective_apart() }
    }

    /// The same of the next persistent collective, before its first start: it has a context of its
    /// own.
    pub(crate) fn next_persistent(&self) -> CollTag {
        let mut hasher = DefaultHasher::new();
        ("persistent collective", self.context, count(&self.persistent_collectives))
            .hash(&mut hasher);
        let context = (hasher.finish() | PARTITIONED | COLLECTIVE) & !MAKING;
        CollTag { context, tag: 0 }
    }
}

/// What the messages of a collective match by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CollTag {
    pub context: u64,
    pub tag: i32,
}

impl CollTag {
    /// That of its notices.
    pub fn of_notices(self) -> CollTag {
        CollTag { tag: self.tag | NOTICE, ..self }
    }

    /// That of a persistent collective for its next start. All members start it equally often. What
    /// comes late of a start that has failed is not taken for a part of another.
    pub fn of_next_start(self) -> CollTag {
        CollTag { tag: (self.tag + 1) % APART, ..self }
    }
}

/// Set in the tags of nonblocking collectives, which are counted separately.
const APART: i32 = 1 << 30;

/// Increments the counter; the result is below [`APART`].
fn count(counter: &Cell<u32>) -> i32 {
    let n = counter.get();
    counter.set((n + 1) % APART as u32);
    n as i32
}
