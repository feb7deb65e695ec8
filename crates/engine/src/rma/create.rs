//! Making and freeing windows, and the memory of dynamic ones; MPI 5.0 section 12.2.

use std::cell::{Cell, OnceCell, RefCell};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_shm::handover::{self, SegmentHandover};
use dunlin_shm::shared_memory::SharedMemory;

use crate::engine::Engine;
use crate::memory::alloc::zeroed;
use crate::objects::attribute::Attributes;
use crate::objects::comm::Comm;
use crate::objects::errhandler::Errhandler;
use crate::objects::window::{Flavor, Origin, Part, Peer, Target, Window, WindowId, WindowMemory};
use crate::rma::epoch::refuse_open_epoch;
use crate::rma::message::number;

/// Memory of a window begins at a multiple of this: a cache line.
const ALIGNMENT: usize = 64;
/// Parts that need not be contiguous begin at a page of their own.
const PAGE_BYTES: usize = 4096;

/// The memory of a new window.
#[derive(Debug, Clone, Copy)]
pub enum WindowSource {
    /// The program's, with its address and bytes.
    Program(*mut u8, usize),
    /// So many bytes, to be allocated.
    Allocated(usize),
    /// The same, in memory that all processes share; one part directly behind the other if
    /// `is_contiguous`.
    Shared {
        /// Bytes.
        bytes: usize,
        /// Whether parts follow one another without a gap.
        is_contiguous: bool,
    },
    /// What will be attached.
    Dynamic,
}

impl WindowSource {
    fn flavor(self) -> Flavor {
        match self {
            WindowSource::Program(..) => Flavor::Create,
            WindowSource::Allocated(_) => Flavor::Allocate,
            WindowSource::Shared { .. } => Flavor::Shared,
            WindowSource::Dynamic => Flavor::Dynamic,
        }
    }

    fn bytes(self) -> usize {
        match self {
            WindowSource::Program(_, bytes) | WindowSource::Allocated(bytes) => bytes,
            WindowSource::Shared { bytes, .. } => bytes,
            WindowSource::Dynamic => 0,
        }
    }
}

impl Engine {
    /// Makes a window; collective.
    pub fn win_create(
        &self,
        comm: &Rc<Comm>,
        source: WindowSource,
        unit: usize,
    ) -> Result<WindowId> {
        if comm.is_inter() {
            let text = "a window needs an intracommunicator; merge the two groups first";
            return Err(Error::new(ErrorClass::Comm, text));
        }
        if source.flavor() == Flavor::Shared && self.nodes_of(comm).count() != 1 {
            let text = format!(
                "the processes of {} are on several nodes and cannot share memory; split it with \
                 MPI_COMM_TYPE_SHARED",
                comm.shown_name()
            );
            return Err(Error::new(ErrorClass::RmaShared, text));
        }
        let own = self.comm_alike(comm, None)?;
        let own = self.comm(own)?;
        let parts = self.exchange_parts(&own, source, unit)?;
        let made = self.window_memory(&own, source, &parts)?;
        let window = Rc::new(new_window(own, source.flavor(), parts, made));
        let id = self.windows.borrow_mut().insert(window.clone());
        window.id.set(id);
        window.set_errhandler(Errhandler::Fatal);
        *window.comm.name.borrow_mut() = window.shown_name();
        self.serve_window(&window);
        Ok(id)
    }

    fn exchange_parts(
        &self,
        comm: &Rc<Comm>,
        source: WindowSource,
        unit: usize,
    ) -> Result<Box<[Part]>> {
        let mut mine = (source.bytes() as u64).to_le_bytes().to_vec();
        mine.extend((unit as u64).to_le_bytes());
        let all = self.allgather_bytes(comm, &mine)?;
        let mut rest = &all[..];
        let mut parts = Vec::new();
        let mut offset = 0;
        for _ in 0..comm.size() {
            let (size, unit) = (number(&mut rest)? as usize, number(&mut rest)? as usize);
            parts.push(Part { size, unit, offset });
            offset += size;
            if !matches!(source, WindowSource::Shared { is_contiguous: true, .. }) {
                offset = offset.next_multiple_of(PAGE_BYTES);
            }
        }
        Ok(parts.into())
    }

    /// The memory, and where this process's part begins.
    fn window_memory(
        &self,
        comm: &Rc<Comm>,
        source: WindowSource,
        parts: &[Part],
    ) -> Result<(WindowMemory, *mut u8)> {
        match source {
            WindowSource::Program(base, _) => Ok((WindowMemory::None, base)),
            WindowSource::Dynamic => Ok((WindowMemory::None, std::ptr::null_mut())),
            WindowSource::Allocated(bytes) => {
                let mut memory = zeroed(bytes + ALIGNMENT)?;
                let start = memory.as_mut_ptr();
                let base = start.wrapping_add(start.align_offset(ALIGNMENT));
                Ok((WindowMemory::Own(memory), base))
            }
            WindowSource::Shared { .. } => {
                let last = parts[parts.len() - 1];
                let shared = self.share_memory(comm, (last.offset + last.size).max(1));
                let shared = self.all_or_none(comm, shared)?;
                let base = shared.address().wrapping_add(parts[comm.rank as usize].offset);
                Ok((WindowMemory::Shared(shared), base))
            }
        }
    }

    /// The first process makes the memory and hands it to the others.
    fn share_memory(&self, comm: &Rc<Comm>, bytes: usize) -> Result<SharedMemory> {
        let mut first = std::process::id().to_le_bytes();
        self.bcast_bytes(comm, &mut first, 0)?;
        let name = format!("dunlin-window-{}-{:x}", u32::from_le_bytes(first), comm.context);
        let fd = if comm.rank == 0 {
            make_memory(&name, comm.size() as usize - 1, bytes)
        } else {
            handover::join(&name, &[], &|| {})
        };
        let mapped = fd.and_then(|fd| SharedMemory::map(&fd, bytes));
        mapped.map_err(|error| {
            let text = format!("{bytes} bytes of memory cannot be shared: {error}");
            Error::new(ErrorClass::RmaShared, text)
        })
    }

    /// All processes have a window, or none has.
    fn all_or_none<T>(&self, comm: &Rc<Comm>, mine: Result<T>) -> Result<T> {
        let all = self.allgather_bytes(comm, &[u8::from(mine.is_ok())])?;
        let Some(place) = all.iter().position(|good| *good == 0) else { return mine };
        mine.and_then(|_| {
            let text = format!("rank {place} has failed to make its part of the window");
            Err(Error::new(ErrorClass::RmaShared, text))
        })
    }

    /// The window with this number.
    pub fn window(&self, id: WindowId) -> Result<Rc<Window>> {
        self.windows.borrow().get(id).cloned().ok_or_else(|| {
            Error::new(ErrorClass::Win, format!("window number {id} does not exist"))
        })
    }

    /// Frees a window; collective.
    pub fn win_free(&self, id: WindowId) -> Result<()> {
        let window = self.window(id)?;
        refuse_open_epoch(&window)?;
        window.attributes.delete_all(id)?;
        self.flush_dirty(&window)?;
        self.wait_for_replies(&window, None);
        self.collect(&self.barrier(&window.comm)?)?;
        window.is_closed.set(true);
        self.windows.borrow_mut().remove(id);
        self.comm_free(window.comm.id.get())
    }

    /// `MPI_Win_attach`.
    pub fn win_attach(&self, window: &Window, base: *mut u8, bytes: usize) -> Result<()> {
        require_dynamic(window, "MPI_Win_attach")?;
        let (start, mut target) = (base.expose_provenance(), window.target.borrow_mut());
        let end = start.checked_add(bytes);
        let before = end.and_then(|end| target.attached.range(..end).next_back());
        let overlaps = before.is_some_and(|(other, bytes)| other + bytes > start);
        if end.is_none() || overlaps || target.attached.contains_key(&start) {
            let name = window.shown_name();
            let text = format!("{bytes} bytes at {start:#x} overlap what is attached to {name}");
            return Err(Error::new(ErrorClass::RmaAttach, text));
        }
        target.attached.insert(start, bytes);
        Ok(())
    }

    /// `MPI_Win_detach`.
    pub fn win_detach(&self, window: &Window, base: *const u8) -> Result<()> {
        require_dynamic(window, "MPI_Win_detach")?;
        let removed = window.target.borrow_mut().attached.remove(&base.addr());
        removed.map(|_| ()).ok_or_else(|| {
            let (at, name) = (base.addr(), window.shown_name());
            let text = format!("no memory at {at:#x} is attached to {name}");
            Error::new(ErrorClass::RmaAttach, text)
        })
    }
}

fn require_dynamic(window: &Window, function: &str) -> Result<()> {
    if window.flavor == Flavor::Dynamic {
        return Ok(());
    }
    let name = window.shown_name();
    let text = format!("{function} on {name}, which MPI_Win_create_dynamic has not made");
    Err(Error::new(ErrorClass::RmaFlavor, text))
}

fn make_memory(name: &str, others: usize, bytes: usize) -> io::Result<OwnedFd> {
    let handover = SegmentHandover::gather(name, others, &|_| {})?;
    let fd = SharedMemory::create(bytes)?;
    handover.hand_over(fd.as_fd())?;
    Ok(fd)
}

fn new_window(
    comm: Rc<Comm>,
    flavor: Flavor,
    parts: Box<[Part]>,
    (memory, base): (WindowMemory, *mut u8),
) -> Window {
    let size = comm.size() as usize;
    Window {
        id: Cell::new(WindowId::MAX),
        comm,
        flavor,
        base,
        parts,
        memory,
        name: RefCell::default(),
        attributes: Attributes::default(),
        errhandler: Cell::new(Errhandler::Fatal),
        hints: RefCell::default(),
        front_end: OnceCell::new(),
        origin: RefCell::new(Origin { peers: vec![Peer::default(); size], ..Origin::default() }),
        target: RefCell::new(Target { completes: vec![0; size], ..Target::default() }),
        inbox: RefCell::default(),
        is_closed: Cell::new(false),
    }
}

/// Ranks in the window of the processes of a group.
pub fn ranks_in_window(window: &Window, members: &[u32]) -> Result<Vec<Rank>> {
    let rank = |member: &u32| {
        window.comm.group.rank_of(*member).ok_or_else(|| {
            let text = format!("the group has a process that is not in {}", window.shown_name());
            Error::new(ErrorClass::Group, text)
        })
    };
    members.iter().map(rank).collect()
}
