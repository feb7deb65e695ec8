//! Long operations that go as messages inside a node. The origin copies its data to a bounce buffer
//! in its shared heap, which the node maps; the target works on the data there, without a copy of
//! its own, and puts the result there, too.
//!
//! Accumulates, and puts and gets where the kernel copies slowly, go this way if that takes less
//! time than by the kernel (`long.rs`) and the target polls: the kernel needs no target.

use std::rc::Rc;

use dunlin_base::one_sided::{BOUNCE_BYTES_MIN, BOUNCED_BYTES_MAX};
use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_datatype::reduce::Op;
use dunlin_shm::window_counters::Polls;

use crate::engine::Engine;
use crate::memory::bounce::BounceBuffer;
use crate::objects::buffer::UserBuffer;
use crate::objects::process_table::Route;
use crate::objects::window::{Bounced, Flavor, Reply, Window};
use crate::rma::message::{Data, Kind};
use crate::rma::target_buffer::Target;

/// Looks for a poll of the target, 300 ns in all: a rank that waits on a core of its own polls more
/// often than that.
const LOOKS: u32 = 6;
/// Bytes in bounce buffers of one window, before their origin waits for all targets.
const IN_USE_BYTES_MAX: usize = 64 << 20;
/// Bytes of data in one bounce buffer, if the operation can be cut: while the target works on one
/// piece, the origin copies the next.
const PIECE_BYTES: usize = 128 << 10;

/// Pieces of an operation.
#[derive(Debug, Clone, Copy)]
struct Cut {
    /// Bytes of each.
    bytes: usize,
    /// Units of displacement from one to the next.
    units: usize,
}

impl Cut {
    /// What the n-th piece, of so many bytes, names.
    fn piece(self, target: &Target, n: usize, bytes: usize) -> Target {
        let displacement = target.displacement + (n * self.units) as i64;
        let (count, datatype) = (bytes / target.datatype.size(), target.datatype.clone());
        Target { rank: target.rank, displacement, count, datatype }
    }
}

impl Engine {
    /// Whether a target looks for operations just now, or does one, and on another core.
    pub(crate) fn is_polling(&self, window: &Window, target: Rank) -> bool {
        let Some(part) = window.shared_part(target) else { return false };
        let polls = &part.header.polls;
        let now = polls.so_far();
        let has_polled = {
            let peer = &mut window.origin.borrow_mut().peers[target as usize];
            // Between operations of one epoch passes little time.
            std::mem::replace(&mut peer.polls, now) != now && !peer.is_settled()
        };
        has_polled || self.polls_soon(polls, now)
    }

    /// Whether a target goes on to look for operations within a moment, if it has a core; it had
    /// looked so often before.
    pub(crate) fn polls_soon(&self, polls: &Polls, before: u32) -> bool {
        let looks = if self.own_core.get() { LOOKS } else { 0 };
        polls.goes_on(before)
            || (0..looks).any(|_| {
                self.node.pause();
                polls.goes_on(before)
            })
    }

    /// Whether an operation of so many bytes may go in a bounce buffer, if the kernel can do it,
    /// too.
    pub(crate) fn is_little_unsettled(&self, window: &Window, to: Rank, bytes: usize) -> bool {
        let unsettled = window.origin.borrow().peers[to as usize].unsettled_bytes;
        unsettled.saturating_add(bytes) <= BOUNCED_BYTES_MAX
    }

    /// Sends an operation without a result.
    pub(crate) fn send_by_pieces(
        &self,
        window: &Window,
        kind: Kind,
        target: &Target,
        op: Op,
        from: &UserBuffer,
    ) -> Result<()> {
        let cut = self.cut(window, target);
        let Some((data, cut)) = from.as_dense().zip(cut) else {
            return self.send_piece(window, kind, target, op, from);
        };
        for (n, data) in data.chunks(cut.bytes).enumerate() {
            // SAFETY: a part of what the caller has promised.
            let from = unsafe { UserBuffer::dense(data.as_ptr().cast_mut(), data.len()) };
            self.send_piece(window, kind, &cut.piece(target, n, data.len()), op, &from)?;
        }
        Ok(())
    }

    /// Sends a get.
    pub(crate) fn get_by_pieces(
        &self,
        window: &Window,
        mut into: UserBuffer,
        target: &Target,
    ) -> Result<Vec<Rc<Reply>>> {
        let ask = |into: UserBuffer, target: &Target| {
            let bounce = self.bounce(window, target.rank, Kind::Get, target.bytes(), None);
            self.ask(window, Kind::Get, target, Op::NoOp, (into, bounce), &[])
        };
        let bytes = into.bytes();
        let Some((room, cut)) = into.as_dense_mut(bytes).zip(self.cut(window, target)) else {
            return Ok(vec![ask(into, target)?]);
        };
        let pieces = room.chunks_mut(cut.bytes).enumerate();
        let ask_piece = |(n, room): (usize, &mut [u8])| {
            // SAFETY: a part of what the caller has promised.
            let into = unsafe { UserBuffer::dense(room.as_mut_ptr(), room.len()) };
            ask(into, &cut.piece(target, n, room.len()))
        };
        let outcome: Result<Vec<_>> = pieces.map(ask_piece).collect();
        if outcome.is_err() {
            // The program may free its buffer, for which the first pieces are meant.
            self.wait_for_replies(window, Some(target.rank));
        }
        outcome
    }

    /// How an operation is cut; `None` if it stays whole.
    fn cut(&self, window: &Window, target: &Target) -> Option<Cut> {
        let datatype = &target.datatype;
        let unit = match window.flavor {
            Flavor::Dynamic => 1,
            _ => window.parts[target.rank as usize].unit,
        };
        let step = datatype.size().checked_mul(unit).filter(|step| *step > 0)?;
        let bytes = (PIECE_BYTES / step).max(1).saturating_mul(step);
        let is_cut = datatype.is_predefined()
            && datatype.is_contiguous()
            && target.bytes() > bytes
            && self.can_bounce(window, target.rank, bytes);
        is_cut.then_some(Cut { bytes, units: bytes / unit })
    }

    fn can_bounce(&self, window: &Window, to: Rank, bytes: usize) -> bool {
        bytes >= BOUNCE_BYTES_MIN
            && self.is_near(window, to)
            && window.shared_part(to).is_some()
            && window.own.get().counters[to as usize].maps()
    }

    fn send_piece(
        &self,
        window: &Window,
        kind: Kind,
        target: &Target,
        op: Op,
        from: &UserBuffer,
    ) -> Result<()> {
        let to = target.rank;
        self.limit_unsettled(window, to, from.bytes())?;
        if bytes_in_use(window) > IN_USE_BYTES_MAX {
            self.flush_dirty(window)?;
        }
        let Some(buffer) = self.bounce(window, to, kind, target.bytes(), Some(from)) else {
            let header = target.header(op, 0, Data::Here);
            return self.send_operation(window, kind, to, &header, &[from]);
        };
        let header = target.header(op, 0, Data::Bounced(buffer.address()));
        {
            let mut origin = window.origin.borrow_mut();
            let flushes = origin.peers[to as usize].flushes;
            origin.bounce_buffers.push(Bounced { to, flushes, buffer });
        }
        self.send_operation(window, kind, to, &header, &[])
    }

    /// A bounce buffer for an operation, with its data; `None` if it goes as a message.
    pub(crate) fn bounce(
        &self,
        window: &Window,
        to: Rank,
        kind: Kind,
        bytes: usize,
        data: Option<&UserBuffer>,
    ) -> Option<BounceBuffer> {
        if !self.can_bounce(window, to, bytes) {
            return None;
        }
        let buffers = &self.near_windows.bounce_buffers;
        let mut buffer = buffers.take(self.node, bytes, rooms(kind))?;
        if let Some(data) = data {
            let [start, _] = buffer.places();
            // SAFETY: the buffer has so many bytes, and nobody else uses it yet.
            unsafe { UserBuffer::dense(start, bytes) }.copy_from(data);
        }
        Some(buffer)
    }

    /// Copies what a target has put into a bounce buffer to where the program wants it.
    pub(crate) fn copy_result(&self, mut buffer: BounceBuffer, into: &mut UserBuffer) {
        let [_, result] = buffer.places();
        // SAFETY: the target was told to put as many bytes there, and has.
        into.copy_from(&unsafe { UserBuffer::dense(result, buffer.room_bytes()) });
        self.near_windows.bounce_buffers.keep(buffer);
    }

    /// A target has acknowledged operations.
    pub(crate) fn note_acknowledgements(&self, window: &Window, from: Rank) {
        let (done, has_buffers) = {
            let origin = &mut *window.origin.borrow_mut();
            let peer = &mut origin.peers[from as usize];
            let done = peer.flushes.wrapping_sub(peer.awaited);
            if peer.is_settled() {
                peer.unsettled_bytes = 0;
                peer.sent.forget();
                origin.deactivate_at_rest(from);
            }
            (done, !origin.bounce_buffers.is_empty())
        };
        if has_buffers {
            // Another thread may have sent operations since, which are not acknowledged.
            self.free_bounce_buffers(window, from, |flushes| done.wrapping_sub(flushes) as i32 > 0);
        }
    }

    /// Takes back the bounce buffers of operations on a target that it has done: those before an
    /// acknowledgement, by the number of acknowledgements that had been asked for before them.
    pub(crate) fn free_bounce_buffers(
        &self,
        window: &Window,
        to: Rank,
        is_done: impl Fn(u32) -> bool,
    ) {
        let in_use = &mut window.origin.borrow_mut().bounce_buffers;
        let mut at = 0;
        while at < in_use.len() {
            match in_use[at].to == to && is_done(in_use[at].flushes) {
                true => self.near_windows.bounce_buffers.keep(in_use.swap_remove(at).buffer),
                false => at += 1,
            }
        }
    }

    /// The data in an origin's bounce buffer, and the room for the result.
    pub(crate) fn in_bounce_buffer(
        &self,
        window: &Window,
        from: Rank,
        address: u64,
        kind: Kind,
        bytes: usize,
    ) -> Result<[UserBuffer; 2]> {
        let all = bytes.saturating_mul(rooms(kind));
        let start = match self.route_in(window, from)? {
            Route::Node(peer) => self.node.mapped(peer, address, all),
            _ => None,
        };
        let Some(start) = start else {
            let text = format!(
                "a bounce buffer of {all} bytes at {address:#x} of rank {from} for an operation on \
                 {} cannot be mapped",
                window.shown_name()
            );
            return Err(Error::new(ErrorClass::Other, text));
        };
        let [first, last] = [start.as_ptr(), start.as_ptr().wrapping_add(all - bytes)];
        // SAFETY: mapped, and not used by its owner until this operation is known to be done
        // (`free_bounce_buffers`, `copy_result`). Where both are the same room, the operation has
        // either data or a result.
        Ok(unsafe { [UserBuffer::dense(first, bytes), UserBuffer::dense(last, bytes)] })
    }
}

fn bytes_in_use(window: &Window) -> usize {
    window.origin.borrow().bounce_buffers.iter().map(|used| used.buffer.room_bytes()).sum()
}

/// Rooms of the bounce buffer of an operation.
fn rooms(kind: Kind) -> usize {
    if kind == Kind::GetAccumulate { 2 } else { 1 }
}
