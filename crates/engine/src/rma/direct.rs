//! Operations that the origin does itself, without the target's help: on memory that it has mapped,
//! by loads and stores; on other memory of its node, by copies of the kernel. Accumulates hold the
//! lock that the target shares with its node, as the target does when it handles messages.
//!
//! Such an operation is complete when the call returns. Where an origin has sent some operations on
//! a target as messages, it waits for them before it accumulates itself, or calls the kernel: these
//! are in order.

use std::io;

use dunlin_base::one_sided::{BOUNCE_BYTES_MIN, Operation, Way};
use dunlin_base::single_copy::SingleCopy;
use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_datatype::Datatype;
use dunlin_datatype::reduce::Op;
use dunlin_shm::window_part::WindowPart;

use crate::engine::Engine;
use crate::memory::alloc::zeroed;
use crate::objects::buffer::UserBuffer;
use crate::objects::process_table::Route;
use crate::objects::window::{Flavor, Reach, Window};
use crate::rma::long::TimedWay;
use crate::rma::message::{Header, Kind, nonsense};
use crate::rma::target::{is_attached, outside};
use crate::rma::target_buffer::Target;
use crate::rma::update;

/// Bytes of an accumulate that the kernel copies at a time: they stay in the second cache.
const PIECE_BYTES: usize = 64 << 10;

/// Bytes of an accumulate at most whose data the target reads from the origin's memory.
const READ_BYTES_MAX: usize = 256 << 10;

/// Where the elements of an operation are.
pub(crate) enum Place {
    /// In memory that this process reads and writes itself.
    Here(UserBuffer),
    /// In contiguous memory from and to which the kernel copies.
    There(There),
    /// The target finds them; the messages that ask it may be timed.
    Target { is_timed: bool },
}

/// Who has done an accumulate, or shall do it.
pub(crate) enum DoneBy {
    /// This process has.
    Origin,
    /// The target shall; the messages that ask it may be timed.
    Target { is_timed: bool },
}

/// Contiguous memory of another process of this node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct There {
    pub peer: usize,
    pub address: u64,
    /// Whether the copy is timed.
    pub is_timed: bool,
}

impl Engine {
    /// Finds the elements that begin so many bytes behind the window's beginning, or at this
    /// address of a dynamic window; of an operation of this kind.
    pub(crate) fn place(
        &self,
        window: &Window,
        target: &Target,
        start: i64,
        kind: Kind,
    ) -> Result<Place> {
        let part = &window.parts[target.rank as usize];
        let mut found = match part.reach {
            Reach::Mapped(base) => elements(base.wrapping_offset(start as isize), target),
            Reach::Copied(peer) => Ok(copied(peer, part.base.wrapping_add_signed(start), target)),
            Reach::Attached(peer) => self.attached(window, peer, target, start),
            Reach::Network(_) | Reach::Messages => Ok(Place::Target { is_timed: false }),
        }?;
        if let Place::There(there) = &mut found {
            let (bytes, is_contiguous) = (target.bytes(), target.datatype.is_contiguous());
            let accumulates = kind.accumulates();
            let operation = Operation { bytes, is_contiguous, accumulates, is_short_form: false };
            // It could not be taken back, so it is not enough to expect that the target polls.
            let rank = target.rank;
            let polls = || self.expects_poll(window, rank) && self.is_polling(window, rank);
            match operation.rule(self.messages.borrow().node.single_copy).way() {
                Way::Message => return Ok(Place::Target { is_timed: false }),
                Way::MessageWhilePolled if polls() => {
                    return Ok(Place::Target { is_timed: false });
                }
                Way::MessageOrKernel => match self.timed_way(window, rank, (kind, bytes), polls) {
                    TimedWay::Message(is_timed) => return Ok(Place::Target { is_timed }),
                    TimedWay::Kernel(is_timed) => there.is_timed = is_timed,
                },
                _ => there.is_timed = self.is_left_and_timed(window, rank),
            }
            // The standard orders accumulates alone, but in other libraries a get sees what was put
            // before it. Behind what only the target can do it is a message, too, since who puts
            // must not wait for the target; or, with much of that, out of order.
            let has_others = window.origin.borrow().peers[rank as usize].sent.has_others();
            if has_others && self.is_little_unsettled(window, rank, bytes) {
                return Ok(Place::Target { is_timed: false });
            }
            if accumulates || !has_others {
                self.settle(window, rank)?;
            }
        }
        Ok(found)
    }

    /// Whether a target of this node does a long accumulate on data that the kernel reads from this
    /// process's memory. Alone it takes less time than with a bounce buffer, which is filled before
    /// the target begins; among others the next is filled meanwhile. In us, 64 KiB 5.2 and 11.7,
    /// 256 KiB 16 and 26, 1 MiB, in pieces, 100 and 70.
    pub(crate) fn reads_origin(&self, window: &Window, target: &Target) -> bool {
        let part = &window.parts[target.rank as usize];
        let Some((peer, _)) = part.copied_at(0) else { return false };
        let messages = &mut self.messages.borrow_mut().node;
        let peer_state = &window.origin.borrow().peers[target.rank as usize];
        part.shared.is_some()
            && !peer_state.sent.is_unreadable()
            && matches!(messages.single_copy, SingleCopy::Together | SingleCopy::Receiver)
            && (BOUNCE_BYTES_MIN..=READ_BYTES_MAX).contains(&target.bytes())
            && peer_state.unsettled_bytes == 0
            && target.datatype.is_predefined()
            && target.datatype.is_contiguous()
            && messages.can_reach(peer)
    }

    /// The same accumulate, by this process.
    pub(crate) fn accumulate_by_kernel(
        &self,
        window: &Window,
        target: &Target,
        op: Op,
        data: &[u8],
    ) -> Result<()> {
        let part = &window.parts[target.rank as usize];
        let unit = if window.flavor == Flavor::Dynamic { 1 } else { part.unit as i64 };
        let at = part.copied_at(target.displacement.wrapping_mul(unit));
        let ((peer, address), part) = at.zip(part.shared).ok_or_else(nonsense)?;
        let address = address.wrapping_add_signed(target.datatype.true_lb());
        let there = There { peer, address, is_timed: false };
        // SAFETY: the data outlives the buffer, from which it is only read.
        let from = unsafe { UserBuffer::dense(data.as_ptr().cast_mut(), data.len()) };
        let _guard = part.header.updates.lock();
        let piece = whole_elements(&target.datatype);
        match self.accumulate_there(there, target, op, &from, None, piece)? {
            true => Ok(()),
            false => Err(self.half_done(there)),
        }
    }

    /// At a target: accumulates the data at this address of an origin of this node; false if the
    /// kernel does not read it.
    pub(crate) fn accumulate_from(
        &self,
        window: &Window,
        (from, address): (Rank, u64),
        header: &Header,
        memory: &mut UserBuffer,
    ) -> Result<bool> {
        let Route::Node(peer) = self.route_in(window, from)? else { return Err(nonsense()) };
        let bytes = memory.bytes();
        if bytes > READ_BYTES_MAX {
            return Err(nonsense());
        }
        // All of it, before anything is changed.
        let mut brought = self.near_windows.scratch(bytes)?;
        if self.node.read(peer, address, &mut brought).is_err() {
            return Ok(false);
        }
        let _guard = window.own.get().header.updates.lock();
        // SAFETY: it lives until the end of this function.
        let brought = unsafe { dense(&mut brought) };
        let element = header.datatype.element();
        update::accumulate(memory, element, header.op, &brought, None).map(|()| true)
    }

    fn attached(&self, window: &Window, peer: usize, target: &Target, start: i64) -> Result<Place> {
        let (lo, hi) = target.datatype.bounds(target.count);
        let (first, end) = (start.saturating_add(lo), start.saturating_add(hi));
        let is_own = peer == self.node.me();
        let shared = window.shared_part(target.rank);
        let has = |part: WindowPart<'_>| part.header.attached.has(first as u64, end as u64);
        match shared.and_then(has) {
            Some(false) => {
                return Err(outside(window, target.rank, target.displacement, target.bytes()));
            }
            None if !is_own => return Ok(Place::Target { is_timed: false }),
            None if !is_attached(window, first, end) => {
                return Err(outside(window, target.rank, target.displacement, target.bytes()));
            }
            _ => {}
        }
        if is_own {
            return elements(std::ptr::with_exposed_provenance_mut(start as usize), target);
        }
        match self.node.mapped(peer, first as u64, (end - first) as usize) {
            Some(first) => elements(first.as_ptr().wrapping_offset(-lo as isize), target),
            None => Ok(copied(peer, start as u64, target)),
        }
    }

    /// A put by the kernel; false if it cannot.
    pub(crate) fn put_there(
        &self,
        window: &Window,
        rank: Rank,
        there: There,
        from: &UserBuffer,
    ) -> Result<bool> {
        let copy = || match from.as_dense() {
            Some(data) => self.write_there(there, data),
            None => self.write_there(there, &from.packed()?),
        };
        self.by_kernel(window, rank, (from.bytes(), there.is_timed), copy)
    }

    /// A get by the kernel; false if it cannot.
    pub(crate) fn get_there(
        &self,
        window: &Window,
        rank: Rank,
        there: There,
        into: &mut UserBuffer,
    ) -> Result<bool> {
        let bytes = into.bytes();
        self.by_kernel(window, rank, (bytes, there.is_timed), || self.copy_there(there, into))
    }

    fn copy_there(&self, there: There, into: &mut UserBuffer) -> Result<bool> {
        let bytes = into.bytes();
        if let Some(into) = into.as_dense_mut(bytes) {
            return self.read_there(there, into);
        }
        let mut data = zeroed(bytes)?;
        let is_done = self.read_there(there, &mut data)?;
        if is_done {
            into.unpack(0, &data);
        }
        Ok(is_done)
    }

    pub(crate) fn write_there(&self, there: There, data: &[u8]) -> Result<bool> {
        // SAFETY: within the part of a window, which its owner has set apart for this; that the
        // peer is who we think it is was found out when the window was made.
        let copied = unsafe { self.node.write(there.peer, data, there.address) };
        self.told(copied, there, data.len())
    }

    pub(crate) fn read_there(&self, there: There, into: &mut [u8]) -> Result<bool> {
        let bytes = into.len();
        self.told(self.node.read(there.peer, there.address, into), there, bytes)
    }

    /// What the kernel's copy came to; false if it refuses to copy at all.
    fn told(&self, outcome: io::Result<()>, there: There, bytes: usize) -> Result<bool> {
        let Err(error) = outcome else { return Ok(true) };
        self.end_if_ended(there.peer, &error);
        if error.raw_os_error() != Some(libc::EFAULT) {
            return Ok(false);
        }
        let text = format!(
            "{bytes} bytes at address {:#x} of rank {} are not all memory that may be read and \
             written, though they are in a window",
            there.address,
            self.node.job_map().locals()[there.peer]
        );
        Err(Error::new(ErrorClass::RmaRange, text))
    }

    /// The kernel has begun to copy and refuses to go on; the target cannot know how far it was.
    pub(crate) fn half_done(&self, there: There) -> Error {
        let rank = self.node.job_map().locals()[there.peer];
        let text = format!("the kernel no longer copies from and to rank {rank} of this node");
        Error::new(ErrorClass::Other, text)
    }

    /// An accumulate, if this process does it; `into` gets what was there before.
    pub(crate) fn accumulate_directly(
        &self,
        window: &Window,
        target: &Target,
        start: i64,
        (kind, op): (Kind, Op),
        from: &UserBuffer,
        into: Option<&mut UserBuffer>,
    ) -> Result<DoneBy> {
        let by_target = |is_timed| Ok(DoneBy::Target { is_timed });
        let Some(part) = window.shared_part(target.rank) else { return by_target(false) };
        let element = target.datatype.element();
        match self.place(window, target, start, kind)? {
            Place::Target { is_timed } => by_target(is_timed),
            Place::Here(mut memory) => {
                self.settle(window, target.rank)?;
                let _guard = part.header.updates.lock();
                update::accumulate(&mut memory, element, op, from, into).map(|()| DoneBy::Origin)
            }
            Place::There(there) => {
                let _guard = part.header.updates.lock();
                let piece = whole_elements(&target.datatype);
                let (rank, timed) = (target.rank, (target.bytes(), there.is_timed));
                let change = || self.accumulate_there(there, target, op, from, into, piece);
                match self.by_kernel(window, rank, timed, change)? {
                    true => Ok(DoneBy::Origin),
                    false => by_target(false),
                }
            }
        }
    }

    /// Elements of the target go to and fro, so many bytes at a time.
    fn accumulate_there(
        &self,
        there: There,
        target: &Target,
        op: Op,
        from: &UserBuffer,
        mut into: Option<&mut UserBuffer>,
        piece: usize,
    ) -> Result<bool> {
        let bytes = target.bytes();
        let mut memory = self.near_windows.scratch(bytes.min(piece))?;
        let mut packed = Vec::new();
        for at in (0..bytes).step_by(piece) {
            let there = There { address: there.address + at as u64, ..there };
            let memory = &mut memory[..piece.min(bytes - at)];
            if !self.read_there(there, memory)? {
                return if at == 0 { Ok(false) } else { Err(self.half_done(there)) };
            }
            if let Some(into) = &mut into {
                into.unpack(at, memory);
            }
            if op == Op::NoOp {
                continue;
            }
            let brought = match from.as_dense() {
                Some(data) => &data[at..at + memory.len()],
                None => {
                    packed.resize(memory.len(), 0);
                    from.pack(at, &mut packed);
                    &packed[..]
                }
            };
            // SAFETY: both live until the end of this turn, and what is brought is only read.
            let (mut elements, brought) = unsafe {
                let brought = UserBuffer::dense(brought.as_ptr().cast_mut(), brought.len());
                (dense(memory), brought)
            };
            update::accumulate(&mut elements, target.datatype.element(), op, &brought, None)?;
            if !self.write_there(there, memory)? {
                return Err(self.half_done(there));
            }
        }
        Ok(true)
    }

    /// A change of one element, if this process can do it.
    pub(crate) fn update_directly(
        &self,
        window: &Window,
        target: &Target,
        start: i64,
        change: impl FnOnce(&mut UserBuffer) -> Result<()>,
    ) -> Result<bool> {
        let Some(part) = window.shared_part(target.rank) else { return Ok(false) };
        match self.place(window, target, start, Kind::CompareAndSwap)? {
            Place::Target { .. } => Ok(false),
            Place::Here(mut memory) => {
                self.settle(window, target.rank)?;
                let _guard = part.header.updates.lock();
                change(&mut memory).map(|()| true)
            }
            Place::There(there) => {
                let _guard = part.header.updates.lock();
                let mut memory = zeroed(target.bytes())?;
                if !self.read_there(there, &mut memory)? {
                    return Ok(false);
                }
                // SAFETY: it lives until the end of this block.
                change(&mut unsafe { dense(&mut memory) })?;
                self.write_there(there, &memory)
            }
        }
    }
}

/// Bytes of an accumulate that the kernel copies at a time: whole elements.
fn whole_elements(datatype: &Datatype) -> usize {
    let size = datatype.size().max(1);
    (PIECE_BYTES / size).max(1) * size
}

/// # Safety
/// The memory outlives the buffer.
unsafe fn dense(memory: &mut [u8]) -> UserBuffer {
    // SAFETY: promised by the caller.
    unsafe { UserBuffer::dense(memory.as_mut_ptr(), memory.len()) }
}

fn elements(address: *mut u8, target: &Target) -> Result<Place> {
    // SAFETY: within the part of a window, as `check` or the list of what is attached says. Its
    // owner has given the memory for such accesses until it frees the window or detaches it.
    unsafe { UserBuffer::new(address, target.count, &target.datatype) }.map(Place::Here)
}

/// Elements that the kernel copies.
fn copied(peer: usize, address: u64, target: &Target) -> Place {
    let address = address.wrapping_add_signed(target.datatype.true_lb());
    Place::There(There { peer, address, is_timed: false })
}
