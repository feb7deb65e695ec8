//! Short operations on memory of this node that is not mapped: messages of a fixed form that an
//! origin writes, and a target does, in a few instructions. They are packed (`packing.rs`), also
//! those that have a result: it comes when the origin flushes, or waits for anything. The answers
//! to what came in one packet go in one packet, in order, so they need no numbers (`answers.rs`).
//! What a target does not handle soon, its origin takes back (`take_back.rs`).

use std::ptr::{null, null_mut};

use dunlin_base::one_sided::{Operation, SHORT_BYTES_MAX, Way};
use dunlin_base::{Rank, Result};
use dunlin_copy::append;
use dunlin_datatype::Primitive;
use dunlin_datatype::reduce::Op;

use crate::engine::Engine;
use crate::objects::window::{Flavor, Peer, Reach, ShortResult, Window, WindowId};
use crate::rma::fast_path::{Named, with};
use crate::rma::long::TimedWay;
use crate::rma::message::{Kind, nonsense};
use crate::rma::packing::NEAR_BYTES_MAX;
use crate::rma::update;

/// A packet of so many bytes goes at once. What is shorter may have a flush behind it: one packet
/// is sooner there than two.
const BYTES_AT_ONCE: usize = 2 << 10;
/// Bytes of what stands before the data.
const HEAD_BYTES: usize = 16;
/// In the first byte, beside the kind.
const MARK: u8 = 1 << 7;
/// The byte before the data that says whether a flush follows.
const FLUSH_AT: usize = 3;

/// What such a message says beside its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Short {
    pub kind: Kind,
    /// The operator and the element of an accumulate.
    pub op: Op,
    pub element: Primitive,
    /// Bytes at the target.
    pub bytes: u32,
    /// Bytes behind the window's beginning; in a dynamic window an address.
    pub start: u64,
    /// It and all before it shall be acknowledged, as by [`Kind::Flush`].
    pub flushes: bool,
}

impl Short {
    /// A put, a get or a compare-and-swap.
    pub fn plain(kind: Kind) -> Short {
        let (op, element) = (Op::Replace, Primitive::Byte);
        Short { kind, op, element, bytes: 0, start: 0, flushes: false }
    }

    /// `MPI_Accumulate`, or with a result `MPI_Get_accumulate`.
    pub fn accumulate(has_result: bool, (element, op): (Primitive, Op)) -> Short {
        let kind = if has_result { Kind::GetAccumulate } else { Kind::Accumulate };
        Short { op, element, ..Short::plain(kind) }
    }

    fn encode(&self) -> [u8; HEAD_BYTES] {
        let mut head = [0; HEAD_BYTES];
        head[..3].copy_from_slice(&[MARK | self.kind as u8, self.op as u8, self.element as u8]);
        head[FLUSH_AT] = self.flushes.into();
        head[4..8].copy_from_slice(&self.bytes.to_le_bytes());
        head[8..].copy_from_slice(&self.start.to_le_bytes());
        head
    }

    /// Whether the next of several messages is one of these.
    pub fn is_next(packed: &[u8]) -> bool {
        packed.first().is_some_and(|first| first & MARK != 0)
    }

    /// Takes the first of several messages, which is one of these, and its data.
    pub fn unpack<'a>(packed: &mut &'a [u8]) -> Result<(Short, &'a [u8])> {
        let (head, rest) = packed.split_first_chunk::<HEAD_BYTES>().ok_or_else(nonsense)?;
        let [kind, op, element, flush, b0, b1, b2, b3, start @ ..] = *head;
        let kind = Kind::from_tag((kind & !MARK).into()).filter(|kind| kind.is_operation());
        let op = Op::ALL.get(usize::from(op)).copied();
        let element = Primitive::ALL.get(usize::from(element)).copied();
        let (Some(kind), Some(op), Some(element)) = (kind, op, element) else {
            return Err(nonsense());
        };
        let bytes = u32::from_le_bytes([b0, b1, b2, b3]);
        let (start, flushes) = (u64::from_le_bytes(start), flush != 0);
        let short = Short { kind, op, element, bytes, start, flushes };
        let (data, rest) = rest.split_at_checked(short.data_bytes()).ok_or_else(nonsense)?;
        *packed = rest;
        Ok((short, data))
    }

    /// Bytes of it in a packet.
    fn packed_bytes(&self) -> usize {
        HEAD_BYTES + self.data_bytes()
    }

    /// Bytes that it, or its result, takes on its way.
    fn unsettled_bytes(&self) -> usize {
        self.packed_bytes().max(HEAD_BYTES + self.bytes as usize)
    }

    /// Bytes of data that go with it.
    fn data_bytes(&self) -> usize {
        let bytes = self.bytes as usize;
        match self.kind {
            Kind::Get => 0,
            Kind::GetAccumulate if self.op == Op::NoOp => 0,
            Kind::CompareAndSwap => 2 * bytes,
            _ => bytes,
        }
    }
}

impl Engine {
    /// See [`send`].
    ///
    /// # Safety
    /// As there.
    unsafe fn send_short(
        &self,
        window: &Window,
        short: Short,
        named: Named,
        data: [*const u8; 2],
        into: *mut u8,
    ) -> Option<()> {
        let (rank, _, bytes) = named;
        let (start, is_timed) = self.short_start(window, named, short.kind)?;
        let short = Short { bytes: bytes as u32, start, ..short };
        // SAFETY: promised by the caller.
        let pack = || unsafe { self.pack_short(window, rank, short, data, into) };
        self.by_messages(window, rank, (short.unsettled_bytes(), is_timed), pack)
    }

    /// # Safety
    /// As for [`send`].
    unsafe fn pack_short(
        &self,
        window: &Window,
        rank: Rank,
        short: Short,
        data: [*const u8; 2],
        into: *mut u8,
    ) -> Option<()> {
        let bytes = short.bytes as usize;
        let needed = short.packed_bytes();
        if !self.has_room(window, rank, needed) {
            self.send_full(window, rank).ok()?;
        }
        let is_full = {
            let origin = &mut window.origin.borrow_mut();
            let peer = origin.active_peer(rank);
            peer.unsettled_bytes += short.unsettled_bytes();
            peer.last_short = Some(peer.packed.len());
            peer.packed.extend_from_slice(&short.encode());
            let parts = if short.kind == Kind::CompareAndSwap { 2 } else { 1 };
            for data in data.into_iter().take(parts).filter(|_| short.data_bytes() > 0) {
                // SAFETY: promised by the caller.
                append(&mut peer.packed, unsafe { std::slice::from_raw_parts(data, bytes) });
            }
            if short.kind.has_result() {
                peer.replies += 1;
                peer.short_results.push_back(ShortResult { into, bytes });
            } else {
                peer.is_dirty = true;
            }
            peer.packed.len() >= BYTES_AT_ONCE
        };
        window.has_packed.set(true);
        if is_full {
            // What could not be sent now is told by the next synchronisation.
            if let Err(error) = self.send_full(window, rank) {
                window.origin.borrow_mut().failure.get_or_insert(error);
            }
        }
        Some(())
    }

    fn has_room(&self, window: &Window, rank: Rank, needed: usize) -> bool {
        let packed = &window.origin.borrow().peers[rank as usize].packed;
        packed.is_empty() || packed.len() + needed <= NEAR_BYTES_MAX
    }

    /// Where the elements begin, if these are some that the target handles so, and whether that
    /// is timed.
    fn short_start(
        &self,
        window: &Window,
        (rank, displacement, bytes): Named,
        kind: Kind,
    ) -> Option<(u64, bool)> {
        let part = window.parts.get(rank as usize)?;
        let is_sent = window.near_messages && (1..=SHORT_BYTES_MAX).contains(&bytes);
        if !is_sent || !window.may_access(rank) || self.has_much_unsettled(window, rank, bytes) {
            return None;
        }
        let start = match window.flavor {
            Flavor::Dynamic => displacement as u64,
            _ => {
                let start = usize::try_from(displacement).ok()?.checked_mul(part.unit)?;
                (start.checked_add(bytes)? <= part.size).then_some(start as u64)?
            }
        };
        let is_timed = match part.reach {
            Reach::Mapped(_) => None,
            Reach::Copied(_) => self.short_way(window, rank, (kind, bytes)),
            Reach::Attached(peer) => {
                let end = start.checked_add(bytes as u64)?;
                let has = part.shared.and_then(|part| part.header.attached.has(start, end));
                let is_copied = has == Some(true) && !self.node.maps(peer, start, bytes);
                is_copied.then(|| self.short_way(window, rank, (kind, bytes))).flatten()
            }
            Reach::Network(_) | Reach::Messages => self.is_near(window, rank).then_some(false),
        }?;
        Some((start, is_timed))
    }

    /// Whether a message is timed that does it; `None` if the kernel does.
    fn short_way(&self, window: &Window, rank: Rank, (kind, bytes): (Kind, usize)) -> Option<bool> {
        let accumulates = kind.accumulates();
        let operation = Operation { bytes, is_contiguous: true, accumulates, is_short_form: true };
        let polls = || self.expects_poll(window, rank);
        match operation.rule(self.messages.borrow().node.single_copy).way() {
            Way::Message => Some(false),
            Way::MessageWhilePolled => polls().then_some(false),
            Way::MessageOrKernel => match self.timed_way(window, rank, (kind, bytes), polls) {
                TimedWay::Message(is_timed) => Some(is_timed),
                TimedWay::Kernel(_) => {
                    self.leave_to_slow_path(window, rank);
                    None
                }
            },
            _ => None,
        }
    }
}

impl Peer {
    /// Lets the last of the operations that wait to be sent say that a flush follows. False if that
    /// is no short one.
    pub(crate) fn flush_with_short(&mut self) -> bool {
        let head = self.last_short.take().and_then(|at| self.packed.get_mut(at + FLUSH_AT));
        head.map(|flush| *flush = true.into()).is_some()
    }
}

/// Sends an operation, if it can go so; `None` if it must take the slow path. `data` is its data:
/// for a compare-and-swap the new value and the one to compare with.
///
/// # Safety
/// As many bytes as are named are readable at what `data` needs, and writable at `into`, until the
/// operation is complete.
unsafe fn send(
    window: WindowId,
    short: Short,
    named: Named,
    data: [*const u8; 2],
    into: *mut u8,
) -> Option<()> {
    // SAFETY: promised by the caller; no window is made or freed in it.
    unsafe { with(window, |engine, window| engine.send_short(window, short, named, data, into)) }
}

// Those that follow are cold beside the fast path of mapped windows: they must cost it nothing.

/// `MPI_Put`, if it can go so.
///
/// # Safety
/// `from` has as many readable bytes as are named.
#[cold]
#[inline(never)]
pub unsafe fn put(window: WindowId, from: *const u8, named: Named) -> Option<()> {
    // SAFETY: promised by the caller.
    unsafe { send(window, Short::plain(Kind::Put), named, [from, null()], null_mut()) }
}

/// `MPI_Get`, if it can go so.
///
/// # Safety
/// `into` has as many writable bytes as are named, until the operation is complete.
#[cold]
#[inline(never)]
pub unsafe fn get(window: WindowId, into: *mut u8, named: Named) -> Option<()> {
    // SAFETY: promised by the caller.
    unsafe { send(window, Short::plain(Kind::Get), named, [null(); 2], into) }
}

/// `MPI_Accumulate`, or with `into` `MPI_Get_accumulate`, if it can go so.
///
/// # Safety
/// `from` and, if given, `into` have as many bytes as are named; those of `from` are readable
/// unless the operator is [`Op::NoOp`], those of `into` writable until the operation is complete.
#[cold]
#[inline(never)]
pub unsafe fn accumulate(
    window: WindowId,
    from: *const u8,
    into: Option<*mut u8>,
    kind: (Primitive, Op),
    named: Named,
) -> Option<()> {
    if !update::is_plain(kind) {
        return None;
    }
    let short = Short::accumulate(into.is_some(), kind);
    // SAFETY: promised by the caller.
    unsafe { send(window, short, named, [from, null()], into.unwrap_or(null_mut())) }
}

/// `MPI_Compare_and_swap`, if it can go so.
///
/// # Safety
/// All have as many bytes as are named; those of `into` are writable until the operation is
/// complete.
#[cold]
#[inline(never)]
pub unsafe fn compare_and_swap(
    window: WindowId,
    values: [*const u8; 2],
    into: *mut u8,
    named: Named,
) -> Option<()> {
    // SAFETY: promised by the caller.
    unsafe { send(window, Short::plain(Kind::CompareAndSwap), named, values, into) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_operation_says_that_a_flush_follows_if_it_waits_and_is_short() {
        let short = Short { bytes: 8, ..Short::plain(Kind::Get) };
        let mut peer = Peer::default();
        assert!(!peer.flush_with_short(), "nothing waits");
        for _ in 0..2 {
            peer.last_short = Some(peer.packed.len());
            peer.packed.extend(short.encode());
        }
        assert!(peer.flush_with_short() && !peer.flush_with_short(), "it is said once");
        let packed = peer.take_packed();
        let mut rest = &packed[..];
        let mut next = || Short::unpack(&mut rest).map(|(short, _)| short.flushes).unwrap();
        assert_eq!([next(), next()], [false, true]);
        peer.last_short = Some(peer.packed.len());
        peer.packed.extend(short.encode());
        peer.packed = peer.take_packed();
        assert!(!peer.flush_with_short(), "there was no room to send it");
    }

    #[test]
    fn a_short_message_arrives_as_it_was_sent_or_is_refused() {
        let kind = (Primitive::Double, Op::Sum);
        let sent =
            Short { bytes: 8, start: 1 << 40, flushes: true, ..Short::accumulate(true, kind) };
        let mut message = sent.encode().to_vec();
        message.extend([7; 8]);
        message.push(1);
        assert!(Short::is_next(&message) && !Short::is_next(&[Kind::Get as u8]));
        let mut rest = &message[..];
        assert_eq!(Short::unpack(&mut rest).unwrap(), (sent, &[7; 8][..]));
        assert_eq!(rest, [1]);
        for len in 0..message.len() - 1 {
            assert!(Short::unpack(&mut &message[..len]).is_err());
        }
        for (at, wrong) in [(0, MARK | Kind::Flush as u8), (1, 200), (2, 200)] {
            let mut message = message.clone();
            message[at] = wrong;
            assert!(Short::unpack(&mut &message[..]).is_err());
        }
    }

    #[test]
    fn a_short_message_has_the_data_that_its_kind_needs() {
        let bytes = |short: Short| Short { bytes: 8, ..short }.data_bytes();
        assert_eq!(bytes(Short::plain(Kind::Put)), 8);
        assert_eq!(bytes(Short::plain(Kind::Get)), 0);
        assert_eq!(bytes(Short::plain(Kind::CompareAndSwap)), 16);
        assert_eq!(bytes(Short::accumulate(true, (Primitive::Int, Op::NoOp))), 0);
        assert_eq!(bytes(Short::accumulate(false, (Primitive::Int, Op::Sum))), 8);
    }
}
