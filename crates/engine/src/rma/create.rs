//! Making and freeing windows, and the memory of dynamic ones; MPI 5.0 section 12.2.

use std::cell::{Cell, OnceCell, RefCell};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::ptr::NonNull;
use std::rc::Rc;

use dunlin_base::one_sided::{Memory, Rule, Way};
use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_shm::handover::{self, SegmentHandover};
use dunlin_shm::layout::PAGE;
use dunlin_shm::shared_memory::SharedMemory;
use dunlin_shm::window_part::{self, OwnPart};

use crate::engine::Engine;
use crate::memory::alloc::zeroed;
use crate::net::rma::RemotePart;
use crate::objects::attribute::Attributes;
use crate::objects::comm::Comm;
use crate::objects::errhandler::Errhandler;
use crate::objects::process_table::Route;
use crate::objects::target_cache::TARGETS;
use crate::objects::window::{
    Flavor, Origin, OriginCell, Part, Peer, Reach, Target, Window, WindowId, WindowMemory,
};
use crate::objects::window_layouts::Remembered;
use crate::rma::epoch::refuse_open_epoch;

/// Memory of a window begins at a multiple of this: a cache line.
const ALIGNMENT: usize = 64;
/// In place of the address of what a process shares: it could not allocate its part.
const NO_MEMORY: u64 = u64::MAX;
/// What the network does with a part.
const NOT_REMOTE: u64 = 0;
const READABLE: u64 = 1;
const WRITABLE: u64 = 2;

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
        let own = self.comm_within(comm)?;
        let own = self.comm(own)?;
        let shared = OwnPart::new(self.node, own.size() as usize);
        let memory = self.own_memory(source);
        let at = memory.as_ref().map(|(_, base)| (*base, shared.address()));
        let of_network = memory
            .as_ref()
            .ok()
            .and_then(|(_, base)| self.show_part(&own, source.flavor(), *base, source.bytes()));
        let (registration, remote) = of_network.unzip();
        let parts = self.exchange_parts(&own, source, unit, (at.ok(), remote));
        let mut parts = parts.inspect_err(|_| self.hide_part(registration))?;
        let memory = match source {
            WindowSource::Shared { is_contiguous, .. } => {
                self.map_shared(&own, &mut parts, is_contiguous)?
            }
            _ => memory?.0,
        };
        self.find_ways(&own, source.flavor(), &mut parts);
        let near = neighbours(&self.routes(&own));
        let mut window = new_window(own, source.flavor(), parts, memory, shared, near);
        window.registration = registration;
        window.near_messages = self.sends_within_node(&window);
        let window = Rc::new(window);
        let id = self.windows.borrow_mut().insert(window.clone());
        window.id.set(id);
        window.set_errhandler(Errhandler::Fatal);
        *window.comm.name.borrow_mut() = window.shown_name();
        self.near_windows.add(window.near_messages, 1);
        self.serve_window(&window);
        Ok(id)
    }

    /// The memory of this process's part, and its first byte.
    fn own_memory(&self, source: WindowSource) -> Result<(WindowMemory, *mut u8)> {
        match source {
            WindowSource::Program(base, _) => Ok((WindowMemory::None, base)),
            WindowSource::Dynamic | WindowSource::Shared { .. } => {
                Ok((WindowMemory::None, std::ptr::null_mut()))
            }
            WindowSource::Allocated(bytes) => {
                if let Some(base) = self.node.allocate(bytes.max(PAGE)) {
                    return Ok((WindowMemory::Heap, base.as_ptr()));
                }
                let mut memory = zeroed(bytes + ALIGNMENT)?;
                let start = memory.as_mut_ptr();
                let base = start.wrapping_add(start.align_offset(ALIGNMENT));
                Ok((WindowMemory::Own(memory), base))
            }
        }
    }

    /// Every process's part, as its owner says: where it is, and what the owner shares about it.
    /// `at` is `None` in a process that has no memory for its part; then all fail. `remote` is
    /// where the network finds it.
    fn exchange_parts(
        &self,
        comm: &Rc<Comm>,
        source: WindowSource,
        unit: usize,
        (at, remote): (Option<(*mut u8, u64)>, Option<RemotePart>),
    ) -> Result<Box<[Part]>> {
        let (base, shares) = at.unwrap_or((std::ptr::null_mut(), NO_MEMORY));
        let base = base.expose_provenance() as u64;
        let [address, key, reach] = remote.map_or([0, 0, NOT_REMOTE], |part| {
            [part.address, part.key, if part.is_writable { WRITABLE } else { READABLE }]
        });
        let mine = [source.bytes() as u64, unit as u64, base, shares, address, key, reach];
        let mine = mine.map(u64::to_le_bytes);
        let all = self.allgather_bytes(comm, mine.as_flattened())?;
        let mut parts = Vec::new();
        let mut offset = 0;
        for (rank, said) in all.chunks_exact(mine.as_flattened().len()).enumerate() {
            let word = |n: usize| {
                let bytes = said[n * size_of::<u64>()..].first_chunk().copied();
                bytes.map_or(0, u64::from_le_bytes)
            };
            let (size, unit) = (word(0) as usize, word(1) as usize);
            let (base, shares) = (word(2), word(3));
            if shares == NO_MEMORY {
                let text = format!("rank {rank} has no memory for its {size} bytes of the window");
                return Err(Error::new(ErrorClass::NoMem, text));
            }
            let (address, key, is_writable) = (word(4), word(5), word(6) == WRITABLE);
            let reach = match word(6) {
                NOT_REMOTE => Reach::Messages,
                _ => Reach::Network(RemotePart { address, key, is_writable }),
            };
            let shared = None;
            parts.push(Part { size, unit, offset, base, shares, reach, shared });
            offset += size;
            if !matches!(source, WindowSource::Shared { is_contiguous: true, .. }) {
                offset = offset.next_multiple_of(PAGE);
            }
        }
        Ok(parts.into())
    }

    /// Maps the memory of a shared window, and says where each part begins.
    fn map_shared(
        &self,
        comm: &Rc<Comm>,
        parts: &mut [Part],
        is_contiguous: bool,
    ) -> Result<WindowMemory> {
        let last = parts[parts.len() - 1];
        let shared = self.share_memory(comm, (last.offset + last.size).max(1));
        let shared = self.all_or_none(comm, shared)?;
        parts.iter().for_each(|part| shared.ask_for_huge_pages(part.offset, part.size));
        // Where parts do not follow one another, one without memory begins nowhere: at a null
        // pointer, as with MPICH and Open MPI.
        for part in parts.iter_mut().filter(|part| part.size > 0 || is_contiguous) {
            part.base = shared.address().wrapping_add(part.offset).expose_provenance() as u64;
        }
        Ok(WindowMemory::Shared(shared))
    }

    fn routes(&self, comm: &Comm) -> Vec<Route> {
        comm.group.members().iter().map(|process| self.route(*process)).collect()
    }

    /// Finds out how this process gets at each part.
    fn find_ways(&self, comm: &Comm, flavor: Flavor, parts: &mut [Part]) {
        let ranks = parts.len();
        for (part, route) in parts.iter_mut().zip(self.routes(comm)) {
            match route {
                Route::Node(peer) if self.rma_direct => {
                    part.shared = window_part::find(self.node, peer, part.shares, ranks);
                    if let Some(shared) = part.shared {
                        shared.counters[comm.rank as usize].map();
                    }
                    part.reach = self.reach(peer, flavor, part);
                }
                // Accumulates need the lock, which a process has for itself in any case.
                Route::Myself => part.reach = own_reach(self.node.me(), flavor, part),
                Route::Node(_) => part.reach = Reach::Messages,
                Route::Net(_) => {}
            }
        }
    }

    /// Whether operations among processes of this node may go as messages.
    fn sends_within_node(&self, window: &Window) -> bool {
        let is_mapped = |part: &Part| matches!(part.reach, Reach::Mapped(_));
        let near = window.parts.iter().filter(|part| part.shared.is_some() || !self.rma_direct);
        let has_neighbours = !window.neighbours.is_empty();
        let shows_own = window.flavor == Flavor::Shared || self.node.is_shared(window.base);
        has_neighbours && !(near.into_iter().all(is_mapped) && shows_own)
    }

    fn reach(&self, peer: usize, flavor: Flavor, part: &Part) -> Reach {
        let mapped = match flavor {
            Flavor::Shared => Some(std::ptr::with_exposed_provenance_mut(part.base as usize)),
            // Whether memory that is attached is mapped, each operation finds out.
            Flavor::Dynamic => None,
            Flavor::Create | Flavor::Allocate => {
                self.node.mapped(peer, part.base, part.size).map(NonNull::as_ptr)
            }
        };
        let memory = Memory {
            is_near: true,
            remote_bytes_min: None,
            by_origin: self.rma_direct,
            is_mapped: mapped.is_some(),
            is_copied: mapped.is_none() && self.messages.borrow_mut().node.can_reach(peer),
        };
        match (mapped, memory.rule().map(Rule::way)) {
            (Some(base), Some(Way::Direct)) => Reach::Mapped(base),
            // Only what the owner shares says what is attached.
            (_, None) if flavor == Flavor::Dynamic && part.shared.is_some() => {
                Reach::Attached(peer)
            }
            (_, None) if flavor != Flavor::Dynamic => Reach::Copied(peer),
            _ => Reach::Messages,
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
        self.wait_for_skips(&window);
        self.barrier_of(&window)?;
        self.wait_for_zero_copies(&window);
        window.is_closed.set(true);
        TARGETS.clear();
        self.windows.borrow_mut().remove(id);
        self.near_windows.add(window.near_messages, -1);
        // Nobody reaches for it any more: all have come to the barrier.
        self.hide_part(window.registration);
        window.own.free(self.node);
        if matches!(window.memory, WindowMemory::Heap) {
            self.node.free(window.base);
        }
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
        window.own.get().header.attached.add(start as u64, bytes as u64);
        Ok(())
    }

    /// `MPI_Win_detach`.
    pub fn win_detach(&self, window: &Window, base: *const u8) -> Result<()> {
        require_dynamic(window, "MPI_Win_detach")?;
        let removed = window.target.borrow_mut().attached.remove(&base.addr());
        if let Some(bytes) = removed {
            let start = base.addr() as i64;
            self.wait_for_zero_copies_of(window, &(start..start.saturating_add(bytes as i64)));
        }
        let detach = |bytes| window.own.get().header.attached.remove(base.addr() as u64, bytes);
        removed.map(|bytes| detach(bytes as u64)).ok_or_else(|| {
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

/// The way to a part that lies in this process's own address space.
fn own_reach(me: usize, flavor: Flavor, part: &Part) -> Reach {
    match flavor {
        Flavor::Dynamic => Reach::Attached(me),
        _ => Reach::Mapped(std::ptr::with_exposed_provenance_mut(part.base as usize)),
    }
}

/// The other ranks of this node among those at the ends of these ways.
fn neighbours(routes: &[Route]) -> Box<[usize]> {
    let here = |route: &Route| match route {
        Route::Node(peer) => Some(*peer),
        _ => None,
    };
    routes.iter().filter_map(here).collect()
}

fn new_window(
    comm: Rc<Comm>,
    flavor: Flavor,
    parts: Box<[Part]>,
    memory: WindowMemory,
    own: OwnPart,
    neighbours: Box<[usize]>,
) -> Window {
    let size = comm.size() as usize;
    let base = std::ptr::with_exposed_provenance_mut(parts[comm.rank as usize].base as usize);
    let [completes, waits, posts, packets] = [(); 4].map(|()| vec![0; size]);
    let remembered = std::iter::repeat_with(Remembered::default).take(size).collect();
    let target = Target { completes, waits, posts, packets, remembered, ..Target::default() };
    Window {
        id: Cell::new(WindowId::MAX),
        comm,
        flavor,
        base,
        parts,
        memory,
        own,
        neighbours,
        near_messages: false,
        registration: None,
        name: RefCell::default(),
        attributes: Attributes::default(),
        errhandler: Cell::new(Errhandler::Fatal),
        hints: RefCell::default(),
        front_end: OnceCell::new(),
        origin: OriginCell::new(Origin { peers: vec![Peer::default(); size], ..Origin::default() }),
        target: RefCell::new(target),
        inbox: RefCell::default(),
        has_packed: Cell::new(false),
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
