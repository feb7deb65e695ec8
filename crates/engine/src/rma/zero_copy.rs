//! Long puts and gets between nodes. The data is a message of its own, from the memory of one
//! process to that of the other; the operation's message says under which number. So windows keep
//! no copy; messages may keep one of what they send eagerly. What an origin asks next waits at its
//! target until the data has moved, but for other puts and gets, which have no order.

use std::ops::Range;
use std::rc::Rc;

use dunlin_base::{Rank, Result, Tag};
use dunlin_datatype::reduce::Op;

use crate::engine::Engine;
use crate::matching::Pattern;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::ONE_SIDED_DATA;
use crate::objects::status::RequestId;
use crate::objects::window::{Flavor, Origin, Reply, Window};
use crate::objects::zero_copies::{ZeroCopies, ZeroCopy};
use crate::p2p::request::{Mode, OpInfo};
use crate::rma::message::{Data, Header, Kind, nonsense};
use crate::rma::target::note_failure;
use crate::rma::target_buffer::Target;

/// Bytes of a put that goes so: a message more takes as long as two copies of so many bytes.
const PUT_BYTES_MIN: usize = 128 << 10;
/// Bytes of a get, which takes no message more; shorter results come together.
const GET_BYTES_MIN: usize = 8 << 10;
/// Each counts as so many bytes under way at least ([`Engine::limit_unsettled`]), so that there are
/// 1024 with one target at most.
const UNSETTLED_BYTES_MIN: usize = 64 << 10;

impl Engine {
    /// Whether an operation goes so.
    pub(crate) fn is_zero_copy(&self, window: &Window, kind: Kind, target: &Target) -> bool {
        let least = if kind == Kind::Put { PUT_BYTES_MIN } else { GET_BYTES_MIN };
        target.bytes() >= least && self.is_far(window, target.rank)
    }

    /// Begins such an operation. What it returns is done when the origin's buffer may be used
    /// again.
    pub(crate) fn zero_copy(
        &self,
        window: &Window,
        kind: Kind,
        buffer: &UserBuffer,
        target: &Target,
    ) -> Result<Rc<Reply>> {
        self.limit_zero_copies(window, target)?;
        let nothing = UserBuffer::EMPTY;
        let (number, reply) = window.origin.borrow_mut().await_reply(target.rank, nothing, None);
        let outcome = self.begin_zero_copy(window, kind, buffer, target, number);
        if !matches!(outcome, Ok(false)) {
            window.origin.borrow_mut().take_reply(number);
            reply.is_done.set(true);
        }
        outcome.map(|_| reply)
    }

    /// The same, of an operation that is awaited under this number; true if it need not be any
    /// more.
    pub(crate) fn begin_zero_copy(
        &self,
        window: &Window,
        kind: Kind,
        buffer: &UserBuffer,
        target: &Target,
        number: u64,
    ) -> Result<bool> {
        let (peer, tag) = (target.rank, tag(kind, number));
        let header = target.header(Op::Replace, number, Data::Apart);
        let ask = || self.send_operation(window, kind, peer, &header, &[]);
        let is_put = kind == Kind::Put;
        let transfer = match is_put {
            true => ask().and_then(|()| self.send_data(window, buffer.clone(), peer, tag))?,
            // Before it can come.
            false => Some(self.receive_data(window, buffer.clone(), peer, tag)),
        };
        let Some(transfer) = transfer else { return Ok(true) };
        let new = ZeroCopy { peer, number, transfer, span: 0..0 };
        window.origin.borrow_mut().zero_copies.push(new);
        let outcome = if is_put { Ok(()) } else { ask() };
        if outcome.is_err() {
            self.cancel_zero_copy(&mut window.origin.borrow_mut(), number);
        }
        outcome.map(|()| false)
    }

    /// Waits for those under way if they would become too many: each costs time in every round of
    /// progress, here and at the target.
    pub(crate) fn limit_zero_copies(&self, window: &Window, target: &Target) -> Result<()> {
        self.limit_unsettled(window, target.rank, target.bytes().max(UNSETTLED_BYTES_MIN))
    }

    /// A target: begins to move the data of an operation from or to this memory, if it is there.
    pub(crate) fn serve_zero_copy(
        &self,
        window: &Window,
        peer: Rank,
        kind: Kind,
        header: &Header,
        memory: Result<UserBuffer>,
    ) -> Result<()> {
        let (memory, outcome) = match memory {
            Ok(memory) => (memory, Ok(())),
            Err(error) => (UserBuffer::EMPTY, Err(error)),
        };
        let (number, tag) = (header.reply, tag(kind, header.reply));
        let transfer = match kind {
            // What there is no memory for must be received, too, and is dropped.
            Kind::Put => Some(self.receive_data(window, memory, peer, tag)),
            // Its origin hears why nothing comes.
            Kind::Get if outcome.is_err() => None,
            Kind::Get => self.send_data(window, memory, peer, tag)?,
            _ => return Err(nonsense()),
        };
        let (lo, hi) = header.datatype.bounds(header.count);
        let at = |offset| header.displacement.saturating_add(offset);
        let span = if window.flavor == Flavor::Dynamic { at(lo)..at(hi) } else { 0..0 };
        if let Some(transfer) = transfer {
            let new = ZeroCopy { peer, number, transfer, span };
            window.target.borrow_mut().zero_copies.push(new);
        }
        outcome
    }

    /// Sends data; `None` if it has left, or is kept.
    fn send_data(
        &self,
        window: &Window,
        from: UserBuffer,
        to: Rank,
        tag: Tag,
    ) -> Result<Option<RequestId>> {
        let (context, comm) = (window.comm.context | ONE_SIDED_DATA, &window.comm);
        let id = self.isend_in(context, comm, from, None, to, tag, Mode::Standard)?;
        let is_done = self.messages.borrow_mut().transfers.requests.take_if_done(id).is_some();
        Ok((!is_done).then_some(id))
    }

    fn receive_data(&self, window: &Window, into: UserBuffer, from: Rank, tag: Tag) -> RequestId {
        let context = window.comm.context | ONE_SIDED_DATA;
        let pattern = Pattern { context, source: Some(from), tag: Some(tag) };
        let op_info = OpInfo { comm: window.comm.clone(), peer: Some(from), tag: None };
        self.messages.borrow_mut().receive(&pattern, into, op_info)
    }

    /// No data will come for an operation, if it is one of these.
    pub(crate) fn cancel_zero_copy(&self, origin: &mut Origin, number: u64) {
        let Some(ZeroCopy { transfer, .. }) = origin.zero_copies.take(number) else { return };
        let mut messages = self.messages.borrow_mut();
        messages.cancel(transfer, None);
        messages.transfers.requests.take_if_done(transfer);
    }

    /// Progress: looks at so many transfers of either direction, and notes what has moved.
    pub(crate) fn end_zero_copies(&self, window: &Window, looks: usize) {
        let take = |all: &mut ZeroCopies| {
            let mut messages = self.messages.borrow_mut();
            all.take_done(looks, |id| messages.transfers.requests.take_if_done(id))
        };
        {
            let origin = &mut *window.origin.borrow_mut();
            for (moved, status) in take(&mut origin.zero_copies) {
                let error = status.error.map(|error| *error);
                let Some(reply) = origin.take_reply(moved.number) else { continue };
                origin.failure = origin.failure.take().or(error.clone());
                reply.error.replace(error);
                reply.is_done.set(true);
            }
        }
        let moved = take(&mut window.target.borrow_mut().zero_copies);
        for (moved, status) in moved {
            note_failure(window, moved.peer, status.error.map_or(Ok(()), |error| Err(*error)));
            window.target.borrow_mut().released.push_back(moved.peer);
        }
    }

    /// Waits until no data leaves this process's memory any more, or comes there: its origin may
    /// have all of it, and not have said so.
    pub(crate) fn wait_for_zero_copies(&self, window: &Window) {
        self.wait_for_those(window, |all| !all.is_empty());
    }

    /// The same for memory between these addresses, which the program wants to take away.
    pub(crate) fn wait_for_zero_copies_of(&self, window: &Window, memory: &Range<i64>) {
        self.wait_for_those(window, |all| all.use_any_of(memory));
    }

    fn wait_for_those(&self, window: &Window, are_under_way: impl Fn(&ZeroCopies) -> bool) {
        let are_done = |window: &Window| !are_under_way(&window.target.borrow().zero_copies);
        if !are_done(window) {
            self.wait_on_window(window, None, are_done);
        }
    }
}

/// The tag of the data of an operation. An operation of the peer on this process may have the same
/// number: its data goes the same way if one puts and the other gets.
fn tag(kind: Kind, number: u64) -> Tag {
    ((2 * number + u64::from(kind == Kind::Get)) & Tag::MAX as u64) as Tag
}
