//! Windows: memory that other processes of a communicator may access; MPI 5.0 chapter 12.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::CString;
use std::fmt;
use std::rc::Rc;

use dunlin_base::{Error, Rank, Tag};
use dunlin_shm::shared_memory::SharedMemory;

use crate::objects::attribute::Attributes;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::Comm;
use crate::objects::errhandler::Errhandler;
use crate::objects::status::RequestId;
use crate::objects::window_lock::{LockKind, WindowLock};

/// The number of a window.
pub type WindowId = u32;

/// How a window was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavor {
    /// `MPI_Win_create`: over memory of the program.
    Create,
    /// `MPI_Win_allocate`.
    Allocate,
    /// `MPI_Win_create_dynamic`: over what is attached.
    Dynamic,
    /// `MPI_Win_allocate_shared`.
    Shared,
}

/// What one process has put into a window, as all know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Bytes.
    pub size: usize,
    /// Bytes of one unit of displacement.
    pub unit: usize,
    /// Where it begins in the memory that the processes share, if they do.
    pub offset: usize,
}

/// Memory that a window owns.
pub(crate) enum WindowMemory {
    /// None: it belongs to the program.
    None,
    /// Of this process alone.
    Own(#[expect(dead_code, reason = "it lives as long as the window")] Box<[u8]>),
    /// Of all processes of the window.
    Shared(SharedMemory),
}

/// A window.
pub struct Window {
    /// Its number, once it is registered.
    pub id: Cell<WindowId>,
    /// Its processes; the library's own communicator, for the window's messages alone.
    pub(crate) comm: Rc<Comm>,
    /// How it was made.
    pub flavor: Flavor,
    /// The first byte of this process's part; null in a dynamic window.
    pub base: *mut u8,
    /// Every process's part.
    pub parts: Box<[Part]>,
    pub(crate) memory: WindowMemory,
    /// The name that the program sets.
    pub name: RefCell<String>,
    /// Its attributes.
    pub attributes: Attributes,
    /// The error handler.
    pub errhandler: Cell<Errhandler>,
    /// Info hints in effect.
    pub hints: RefCell<Vec<(CString, CString)>>,
    /// What the front end keeps with it.
    pub front_end: OnceCell<Box<dyn Any>>,
    pub(crate) origin: RefCell<Origin>,
    pub(crate) target: RefCell<Target>,
    /// Messages that have been matched and not been handled, in their order.
    pub(crate) inbox: RefCell<VecDeque<Arriving>>,
    /// Whether it has been freed.
    pub(crate) is_closed: Cell<bool>,
}

impl fmt::Debug for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Window({}, {:?})", self.id.get(), self.flavor)
    }
}

/// A message on its way to the handler.
pub(crate) struct Arriving {
    pub from: Rank,
    pub tag: Tag,
    pub receive: RequestId,
    pub data: Box<[u8]>,
}

/// What this process does to others.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    /// Whether the last fence allows operations after it.
    pub fence_open: bool,
    /// The processes of `MPI_Win_start`.
    pub started: Option<Vec<Rank>>,
    /// Locks held; `false` where the program has promised that no lock is needed.
    pub locks: HashMap<Rank, bool>,
    /// The same for `MPI_Win_lock_all`.
    pub lock_all: Option<bool>,
    pub peers: Vec<Peer>,
    /// Operations whose results have not come, by number.
    pub replies: HashMap<u64, Rc<Reply>>,
    pub next_reply: u64,
    /// What a target could not do, until a synchronisation tells.
    pub failure: Option<Error>,
}

/// What the origin knows of one process.
#[derive(Debug, Clone, Default)]
pub(crate) struct Peer {
    /// Operations were sent since it was last known that all had been done.
    pub is_dirty: bool,
    /// Acknowledgements that have not come.
    pub awaited: u32,
    /// Results that have not come.
    pub replies: u32,
    /// A lock was granted that the program has not heard of.
    pub is_granted: bool,
    /// Calls of `MPI_Win_post` for us that no `MPI_Win_start` has used.
    pub posts: u32,
}

/// Where the result of an operation goes.
#[derive(Debug)]
pub(crate) struct Reply {
    pub target: Rank,
    pub buffer: RefCell<UserBuffer>,
    pub is_done: Cell<bool>,
    pub error: RefCell<Option<Error>>,
}

/// What others do to this process.
#[derive(Debug, Default)]
pub(crate) struct Target {
    pub lock: WindowLock,
    /// Calls of `MPI_Win_complete` for us that no `MPI_Win_wait` has used, by origin.
    pub completes: Vec<u32>,
    /// The processes of `MPI_Win_post`.
    pub posted: Option<Vec<Rank>>,
    /// Memory of a dynamic window: addresses and lengths.
    pub attached: BTreeMap<usize, usize>,
    /// What could not be done for each origin since it last asked.
    pub failures: HashMap<Rank, Error>,
}

impl Window {
    /// The processes.
    pub fn comm(&self) -> &Rc<Comm> {
        &self.comm
    }

    /// Sets the error handler, which the requests of the window use too.
    pub fn set_errhandler(&self, handler: Errhandler) {
        self.errhandler.set(handler);
        self.comm.errhandler.set(handler);
    }

    /// This process's part.
    pub fn own_part(&self) -> Part {
        self.parts[self.comm.rank as usize]
    }

    /// How errors and reports call it.
    pub fn shown_name(&self) -> String {
        let (id, name) = (self.id.get(), self.name.borrow());
        if name.is_empty() { format!("window {id}") } else { format!("window {id} ({name})") }
    }

    /// Whether operations on `target` are allowed now.
    pub(crate) fn may_access(&self, target: Rank) -> bool {
        let origin = self.origin.borrow();
        origin.lock_all.is_some()
            || origin.locks.contains_key(&target)
            || origin.started.as_ref().is_some_and(|started| started.contains(&target))
            || origin.fence_open
    }

    /// The address of another process's part, where this process can load and store it.
    pub fn shared_address(&self, rank: Rank) -> Option<*mut u8> {
        match &self.memory {
            WindowMemory::Shared(shared) => {
                Some(shared.address().wrapping_add(self.parts[rank as usize].offset))
            }
            _ => (rank == self.comm.rank).then_some(self.base),
        }
    }
}

impl LockKind {
    /// How MPI calls it.
    pub fn name(self) -> &'static str {
        match self {
            LockKind::Shared => "MPI_LOCK_SHARED",
            LockKind::Exclusive => "MPI_LOCK_EXCLUSIVE",
        }
    }
}
