//! Windows: memory that other processes of a communicator may access; MPI 5.0 chapter 12.

use std::any::Any;
use std::cell::{BorrowError, Cell, OnceCell, Ref, RefCell, RefMut};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::CString;
use std::fmt;
use std::ptr::{from_ref, null};
use std::rc::Rc;

use dunlin_base::{Error, Rank, Result, Tag};
use dunlin_shm::shared_memory::SharedMemory;
use dunlin_shm::window_part::{LockKind, OwnPart, WindowPart};

use crate::memory::alloc::zeroed;
use crate::memory::bounce::{BounceBuffer, BounceBuffers};
use crate::net::rma::RemotePart;
use crate::objects::attribute::Attributes;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::Comm;
use crate::objects::errhandler::Errhandler;
use crate::objects::long_ways::LongWays;
use crate::objects::poll_guess::PollGuess;
use crate::objects::remote_transfers::RemoteTransfers;
use crate::objects::sent_packets::SentPackets;
use crate::objects::status::RequestId;
use crate::objects::target_cache::{MappedTarget, TARGETS};
use crate::objects::window_layouts::{Described, Remembered};
use crate::objects::window_lock::LockProxy;
use crate::objects::zero_copies::ZeroCopies;

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

/// What one process has put into a window, and how this process gets there.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// Bytes.
    pub size: usize,
    /// Bytes of one unit of displacement.
    pub unit: usize,
    /// Where it begins in the memory that the processes share, if they do.
    pub(crate) offset: usize,
    /// Its first byte, as its owner addresses it.
    pub(crate) base: u64,
    /// What the owner shares about it with its node, as the owner addresses it; 0 if nothing.
    pub(crate) shares: u64,
    /// How this process gets at its memory.
    pub(crate) reach: Reach,
    /// What its owner shares about it, where this process is on that node and no message need ask.
    pub(crate) shared: Option<WindowPart<'static>>,
}

impl Part {
    /// The rank of the node, and the address, where the kernel finds what begins so many bytes
    /// behind the beginning, or at this address of a dynamic window; `None` if it copies nothing.
    pub(crate) fn copied_at(&self, start: i64) -> Option<(usize, u64)> {
        match self.reach {
            Reach::Copied(peer) => Some((peer, self.base.wrapping_add_signed(start))),
            Reach::Attached(peer) => Some((peer, start as u64)),
            Reach::Mapped(_) | Reach::Network(_) | Reach::Messages => None,
        }
    }
}

/// How an origin gets at the memory of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// By loads and stores: here is its first byte.
    Mapped(*mut u8),
    /// The kernel copies, from and to the memory of this rank of the node.
    Copied(usize),
    /// A dynamic window of this rank of the node, which has mapped or copied memory.
    Attached(usize),
    /// On another node: the network reads it, and perhaps writes there.
    Network(RemotePart),
    /// The target helps.
    Messages,
}

/// Memory that a window owns.
pub(crate) enum WindowMemory {
    /// None: it belongs to the program.
    None,
    /// Of this process alone.
    Own(#[expect(dead_code, reason = "it lives as long as the window")] Box<[u8]>),
    /// In this process's heap, which its node maps.
    Heap,
    /// Of all processes of the window.
    Shared(#[expect(dead_code, reason = "it lives as long as the window")] SharedMemory),
}

/// What windows share whose operations among processes of this node may go as messages.
#[derive(Debug, Default)]
pub(crate) struct NearWindows {
    /// How many there are.
    pub count: Cell<u32>,
    /// For long operations, see `rma/bounce.rs`.
    pub bounce_buffers: BounceBuffers,
    /// Room for a message that is handled as it comes.
    pub arrived: RefCell<Vec<u8>>,
    /// Room for elements of a target that the kernel has copied.
    scratch: RefCell<Box<[u8]>>,
    /// Answers to the message that is being handled, also of another node (`rma/answers.rs`).
    pub answers: RefCell<Vec<u8>>,
}

impl NearWindows {
    /// So many bytes for elements of a target, which keep what was in them.
    pub fn scratch(&self, bytes: usize) -> Result<RefMut<'_, [u8]>> {
        let mut scratch = self.scratch.borrow_mut();
        if scratch.len() < bytes {
            *scratch = zeroed(bytes)?;
        }
        Ok(RefMut::map(scratch, |scratch| &mut scratch[..bytes]))
    }

    /// One more, or one less, if it is such a window.
    pub fn add(&self, is_near: bool, change: i32) {
        self.count.set(self.count.get().wrapping_add_signed(change * i32::from(is_near)));
    }
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
    /// What this process shares about its own part.
    pub(crate) own: OwnPart,
    /// The others of this node, by their ranks in the node.
    pub(crate) neighbours: Box<[usize]>,
    /// Whether operations among processes of this node may go as messages.
    pub(crate) near_messages: bool,
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
    pub(crate) origin: OriginCell,
    pub(crate) target: RefCell<Target>,
    /// The number of this process's part at the network, if that reads it.
    pub(crate) registration: Option<u32>,
    /// Messages that have been matched and not been handled, in their order.
    pub(crate) inbox: RefCell<VecDeque<Arriving>>,
    /// Whether messages may wait in a buffer, see `rma/packing.rs`.
    pub(crate) has_packed: Cell<bool>,
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
    /// What brings its data, if that has not come.
    pub receive: Option<RequestId>,
    pub data: Box<[u8]>,
}

/// What this process does to others.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    /// Whether the last fence allows operations after it; no more when an epoch of another kind has
    /// begun.
    pub fence_open: bool,
    /// The processes of `MPI_Win_start`.
    pub started: Option<Vec<Rank>>,
    /// How many locks of single processes are held.
    pub locks: u32,
    /// `MPI_Win_lock_all` was called; `false` where the program has promised that no lock is
    /// needed.
    pub lock_all: Option<bool>,
    pub peers: Vec<Peer>,
    /// Those of them that may not be at rest, each once ([`Origin::active_peer`]): what completes
    /// operations on all processes looks at these alone.
    pub active: Vec<Rank>,
    /// Operations whose results have not come, or whose data has not left, by number.
    pub replies: HashMap<u64, Rc<Reply>>,
    pub next_reply: u64,
    /// Data between their memory and this process's.
    pub zero_copies: ZeroCopies,
    /// The same, moved by the network alone.
    pub remote_transfers: RemoteTransfers,
    /// What targets use until they have acknowledged the operations that came with it.
    pub bounce_buffers: Vec<Bounced>,
    /// What a target could not do, until a synchronisation tells.
    pub failure: Option<Error>,
}

/// The origin's state. Who changes it changes what the fast path may do.
pub(crate) struct OriginCell(RefCell<Origin>);

impl OriginCell {
    pub fn new(origin: Origin) -> OriginCell {
        OriginCell(RefCell::new(origin))
    }

    pub fn borrow(&self) -> Ref<'_, Origin> {
        self.0.borrow()
    }

    pub fn borrow_mut(&self) -> RefMut<'_, Origin> {
        TARGETS.invalidate();
        self.0.borrow_mut()
    }

    /// Without counting the borrow.
    ///
    /// # Safety
    /// Nobody changes it as long as it is used.
    unsafe fn try_borrow_unguarded(&self) -> std::result::Result<&Origin, BorrowError> {
        // SAFETY: promised by the caller.
        unsafe { self.0.try_borrow_unguarded() }
    }
}

/// What the origin knows of one process.
#[derive(Debug, Clone, Default)]
pub(crate) struct Peer {
    /// The lock of `MPI_Win_lock` that is held.
    pub lock: Option<Held>,
    /// Whether `MPI_Win_start` has named it.
    pub is_started: bool,
    /// Its place in [`Origin::active`], if it is there.
    pub place: Option<usize>,
    /// Operations were sent since it was last known that all had been done.
    pub is_dirty: bool,
    /// Bytes of operations that were sent, and of their results, since it was last known that all
    /// had been done.
    pub unsettled_bytes: usize,
    /// Acknowledgements that have not come.
    pub awaited: u32,
    /// A thread is inside `MPI_Win_lock` for its lock: the epoch has not begun.
    pub is_lock_being_taken: bool,
    /// Those that have been asked for.
    pub flushes: u32,
    /// Results that have not come, and data that has not left.
    pub replies: u32,
    /// Those of them that come in the order in which they were asked for (`rma/short.rs`).
    pub short_results: VecDeque<ShortResult>,
    /// Those of them that the network moves by itself.
    pub remote_transfers: u32,
    /// Whether it has sent an answer to this process, and so knows it.
    pub has_answered: bool,
    /// Whether long puts and gets go as messages or by the kernel, once both could.
    pub long_ways: Option<Box<LongWays>>,
    /// How often it had looked for operations when this process last wanted to know.
    pub polls: u32,
    /// Whether a lock that was asked for was granted, until the program hears of it.
    pub lock_answer: Option<bool>,
    /// A lock that goes with the next message to it.
    pub unsent_lock: Option<LockKind>,
    /// Messages that go to it together (`rma/packing.rs`).
    pub packed: Vec<u8>,
    /// Where in these the last one begins, if it is a short operation.
    pub last_short: Option<usize>,
    /// Those that were sent to a process of this node.
    pub sent: SentPackets,
    /// Whether that process is expected to handle them soon.
    pub poll_guess: PollGuess,
    /// Datatypes that it knows.
    pub described: Described,
    /// Messages of `MPI_Win_post` for us; other calls are counted in what this process shares.
    pub posts: u32,
    /// Calls of `MPI_Win_post`, of both kinds, that a `MPI_Win_start` has used.
    pub starts: u32,
    /// Calls of `MPI_Win_complete` of this process for it, counted in what that process shares.
    pub completes: u32,
}

impl Peer {
    /// Whether all is done that was sent to it as messages, or goes there by the network alone.
    #[inline(always)]
    pub fn is_settled(&self) -> bool {
        !self.is_dirty && self.awaited == 0 && self.replies == 0
    }

    /// Something has been done that was sent to it: if that was all, nothing is taken back.
    #[inline]
    pub fn forget_if_settled(&mut self) {
        if self.is_settled() {
            self.sent.forget();
        }
    }

    /// Whether nothing waits to be sent to it, either.
    pub fn is_at_rest(&self) -> bool {
        self.is_settled() && self.packed.is_empty()
    }
}

/// A bounce buffer that a target uses.
#[derive(Debug)]
pub(crate) struct Bounced {
    pub to: Rank,
    /// Acknowledgements that had been asked for before: the next says that it is free.
    pub flushes: u32,
    pub buffer: BounceBuffer,
}

/// A lock that this process holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    pub kind: LockKind,
    /// `false` where the program has promised that no lock is needed.
    pub asked: bool,
}

/// Messages of an origin that must wait, in their order: tags and bodies.
pub(crate) type HeldMessages = VecDeque<(Tag, Box<[u8]>)>;

/// Where the result of an operation goes, if it has one, and whether it is complete here.
#[derive(Debug)]
pub(crate) struct Reply {
    pub target: Rank,
    pub buffer: RefCell<UserBuffer>,
    /// Where the result comes, if it does not come in the reply.
    pub bounce: RefCell<Option<BounceBuffer>>,
    pub is_done: Cell<bool>,
    pub error: RefCell<Option<Error>>,
}

/// Where the result of a short operation goes, until the program may use that memory again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShortResult {
    pub into: *mut u8,
    pub bytes: usize,
}

/// What others do to this process.
#[derive(Debug, Default)]
pub(crate) struct Target {
    /// Requests for the lock that came by messages.
    pub lock: LockProxy,
    /// Whether the launcher is told who holds the lock.
    pub is_lock_told: bool,
    /// What origins on other nodes have sent that must wait ([`Target::must_wait`]), in its order.
    pub held: HashMap<Rank, HeldMessages>,
    /// Origins that perhaps need not wait any more, if they did.
    pub released: VecDeque<Rank>,
    /// Packets that have come from each origin of this node.
    pub packets: Vec<u32>,
    /// Datatypes that origins have described, by origin.
    pub remembered: Vec<Remembered>,
    /// Messages of `MPI_Win_complete` for us, by origin; other calls are counted in what this
    /// process shares.
    pub completes: Vec<u32>,
    /// Calls of `MPI_Win_complete`, of both kinds, that a `MPI_Win_wait` has used.
    pub waits: Vec<u32>,
    /// Calls of `MPI_Win_post` of this process for each other, counted in what that one shares.
    pub posts: Vec<u32>,
    /// The processes of `MPI_Win_post`.
    pub posted: Option<Vec<Rank>>,
    /// Memory of a dynamic window: addresses and lengths.
    pub attached: BTreeMap<usize, usize>,
    /// What could not be done for each origin since it last asked.
    pub failures: HashMap<Rank, Error>,
    /// Data between their memory and this process's.
    pub zero_copies: ZeroCopies,
}

impl Target {
    /// Whether nothing is under way that progress pushes on, and nobody waits for the lock.
    pub fn is_idle(&self) -> bool {
        let is_lock_of_interest = self.lock.is_awaited() || self.is_lock_told;
        self.zero_copies.is_empty() && self.released.is_empty() && !is_lock_of_interest
    }

    /// Whether what this origin asks must wait until it has the lock, or its data has moved.
    pub fn must_wait(&self, origin: Rank) -> bool {
        self.lock.waits(origin) || self.zero_copies.with(origin) > 0
    }
}

impl Origin {
    /// Whether this process holds a lock of that one.
    #[inline(always)]
    fn has_locked(&self, peer: &Peer) -> bool {
        peer.lock.is_some() || self.lock_all.is_some()
    }

    /// A process to which something is about to be sent, or kept for it.
    #[inline(always)]
    pub fn active_peer(&mut self, rank: Rank) -> &mut Peer {
        let peer = &mut self.peers[rank as usize];
        if peer.place.is_none() {
            peer.place = Some(self.active.len());
            self.active.push(rank);
        }
        peer
    }

    /// It is known that something is done that was sent to a process.
    pub fn deactivate_at_rest(&mut self, rank: Rank) {
        let peer = &mut self.peers[rank as usize];
        let Some(place) = peer.place.filter(|_| peer.is_at_rest()) else { return };
        peer.place = None;
        self.active.swap_remove(place);
        if let Some(moved) = self.active.get(place) {
            self.peers[*moved as usize].place = Some(place);
        }
    }

    /// The processes to which something may be under way.
    pub fn active_peers(&self) -> impl Iterator<Item = &Peer> {
        self.active.iter().map(|rank| &self.peers[*rank as usize])
    }

    /// Expects the result of an operation, under this number.
    pub fn await_reply(
        &mut self,
        target: Rank,
        into: UserBuffer,
        bounce: Option<BounceBuffer>,
    ) -> (u64, Rc<Reply>) {
        let (buffer, bounce) = (RefCell::new(into), RefCell::new(bounce));
        let (is_done, error) = (Cell::new(false), RefCell::default());
        let reply = Rc::new(Reply { target, buffer, bounce, is_done, error });
        self.next_reply += 1;
        self.replies.insert(self.next_reply, reply.clone());
        self.active_peer(target).replies += 1;
        (self.next_reply, reply)
    }

    /// Expects it no more: it has come, or will not.
    pub fn take_reply(&mut self, number: u64) -> Option<Rc<Reply>> {
        let reply = self.replies.remove(&number)?;
        let peer = &mut self.peers[reply.target as usize];
        peer.replies = peer.replies.saturating_sub(1);
        peer.forget_if_settled();
        Some(reply)
    }
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

    /// Names it, also where its communicator is named.
    pub fn set_name(&self, name: &str) {
        *self.name.borrow_mut() = name.to_string();
        *self.comm.name.borrow_mut() = self.shown_name();
    }

    /// How errors and reports call it.
    pub fn shown_name(&self) -> String {
        let (id, name) = (self.id.get(), self.name.borrow());
        if name.is_empty() { format!("window {id}") } else { format!("window {id} ({name})") }
    }

    /// What this process does to others, and what it knows of one of them. Without counting the
    /// borrow, for the fast path; `None` if there is no such process, or all is being changed.
    ///
    /// # Safety
    /// Nobody changes it as long as it is used.
    #[inline(always)]
    unsafe fn seen(&self, rank: Rank) -> Option<(&Origin, &Peer)> {
        // SAFETY: promised by the caller.
        let origin = unsafe { self.origin.try_borrow_unguarded() }.ok()?;
        Some((origin, origin.peers.get(rank as usize)?))
    }

    /// Whether operations on `target` are allowed now.
    #[inline(always)]
    pub(crate) fn may_access(&self, target: Rank) -> bool {
        // SAFETY: used here alone, where nothing changes it.
        unsafe { self.seen(target) }.is_some_and(|(origin, peer)| {
            origin.has_locked(peer) || peer.is_started || origin.fence_open
        })
    }

    /// Whether this process holds a lock of `target`.
    #[inline(always)]
    fn is_locked(&self, target: Rank) -> bool {
        // SAFETY: as in `may_access`.
        unsafe { self.seen(target) }.is_some_and(|(origin, peer)| origin.has_locked(peer))
    }

    /// Whether all is done that was sent to `target` as messages.
    #[inline(always)]
    pub(crate) fn is_settled(&self, target: Rank) -> bool {
        // SAFETY: as in `may_access`.
        unsafe { self.seen(target) }.is_some_and(|(_, peer)| peer.is_settled())
    }

    /// Whether a flush of `target` is right and finds all done.
    #[inline(always)]
    pub(crate) fn has_flushed(&self, target: Rank) -> bool {
        // SAFETY: as in `may_access`.
        unsafe { self.seen(target) }.is_some_and(|(origin, peer)| {
            origin.has_locked(peer) && peer.is_settled() && origin.failure.is_none()
        })
    }

    /// The same for a local flush: the program may use the buffers of its operations again.
    #[inline(always)]
    pub(crate) fn owns_buffers(&self, target: Rank) -> bool {
        // SAFETY: as in `may_access`.
        unsafe { self.seen(target) }.is_some_and(|(origin, peer)| {
            let owns_buffers = peer.replies == 0 && peer.packed.is_empty();
            origin.has_locked(peer) && owns_buffers && origin.failure.is_none()
        })
    }

    /// The memory of a target, if this process has mapped it and may access it now.
    pub(crate) fn mapped_target(&self, rank: Rank) -> Option<MappedTarget> {
        let part = self.parts.get(rank as usize)?;
        let Reach::Mapped(base) = part.reach else { return None };
        if !self.may_access(rank) {
            return None;
        }
        // Accumulates do not overtake those that are on their way to the target.
        let shared = self.shared_part(rank).filter(|_| self.is_settled(rank));
        let updates = shared.map_or(null(), |shared| from_ref(&shared.header.updates));
        let is_locked = self.is_locked(rank);
        Some(MappedTarget { base, size: part.size, unit: part.unit, updates, is_locked })
    }

    /// Whether the fast path need not ask again until something changes: all is done that was sent
    /// to a target, and nothing waits to be sent.
    pub(crate) fn is_at_rest(&self, rank: Rank) -> bool {
        // SAFETY: as in `may_access`.
        unsafe { self.seen(rank) }
            .is_some_and(|(origin, peer)| peer.is_at_rest() && origin.failure.is_none())
    }

    /// The same of all targets, where this process has any lock.
    pub(crate) fn is_at_rest_everywhere(&self) -> bool {
        let origin = self.origin.borrow();
        let has_lock = origin.locks > 0 || origin.lock_all.is_some();
        has_lock && origin.failure.is_none() && origin.active_peers().all(Peer::is_at_rest)
    }

    /// The processes to which something may be under way, or is kept.
    pub(crate) fn active_ranks(&self) -> Vec<Rank> {
        self.origin.borrow().active.clone()
    }

    /// What a process of this node, or this one, shares about its part.
    #[inline]
    pub(crate) fn shared_part(&self, rank: Rank) -> Option<WindowPart<'_>> {
        match rank == self.comm.rank {
            true => Some(self.own.get()),
            false => self.parts[rank as usize].shared,
        }
    }

    /// The address of another process's part, where this process can load and store it.
    pub fn shared_address(&self, rank: Rank) -> Option<*mut u8> {
        let part = &self.parts[rank as usize];
        match part.reach {
            Reach::Mapped(base) => Some(base),
            // Even where operations go by messages.
            _ if self.flavor == Flavor::Shared => {
                Some(std::ptr::with_exposed_provenance_mut(part.base as usize))
            }
            _ => None,
        }
    }

    /// This process has the lock of a process from now on.
    pub(crate) fn hold_lock(&self, rank: Rank, held: Held) {
        let mut origin = self.origin.borrow_mut();
        origin.peers[rank as usize].lock = Some(held);
        origin.locks += 1;
        origin.fence_open = false;
    }

    /// This process gives the lock of a process back; `None` if it has not got it.
    pub(crate) fn drop_lock(&self, rank: Rank) -> Option<Held> {
        let mut origin = self.origin.borrow_mut();
        let held = origin.peers[rank as usize].lock.take()?;
        origin.locks -= 1;
        Some(held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_active_until_they_are_at_rest_in_any_order() {
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]] {
            let mut origin = Origin { peers: vec![Peer::default(); 4], ..Origin::default() };
            for rank in [3, 1, 2, 3] {
                origin.active_peer(rank).awaited += 1;
            }
            assert_eq!(origin.active, [3, 1, 2], "each once");
            for (at, rank) in order.into_iter().map(|at| [3, 1, 2][at]).enumerate() {
                origin.deactivate_at_rest(rank);
                assert_eq!(origin.active.len(), 3 - at, "it is not at rest");
                origin.peers[rank as usize].awaited = 0;
                origin.deactivate_at_rest(rank);
                origin.deactivate_at_rest(rank);
                let places = origin.active.iter().map(|rank| origin.peers[*rank as usize].place);
                assert!(places.eq((0..2 - at).map(Some)), "{:?}", origin.active);
            }
        }
    }
}
