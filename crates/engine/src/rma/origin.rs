//! What the origin of an operation does: checks it, and does it itself where it gets at the
//! target's memory (`direct.rs`); otherwise sends it, and awaits its result. Data is copied as it
//! is sent, so an operation without a result is complete at its origin at once, but for long puts
//! between nodes (`remote.rs`, `zero_copy.rs`) and accumulates whose data the target reads.

use std::cell::Cell;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_datatype::Datatype;
use dunlin_datatype::reduce::{self, Op};

use crate::engine::Engine;
use crate::engine::operation::Operation;
use crate::memory::bounce::BounceBuffer;
use crate::objects::buffer::UserBuffer;
use crate::objects::status::{RequestId, Status};
use crate::objects::window::{Flavor, Reply, Window};
use crate::p2p::request::OpInfo;
use crate::rma::direct::{DoneBy, Place};
use crate::rma::fast_path::takes_turn;
use crate::rma::message::{Data, HEADER_BYTES_MAX, Header, Kind};
use crate::rma::target_buffer::Target;
use crate::rma::update;

/// Polls for what a rank of this node does, before progress is made everywhere: about 2 us.
const POLLS: u32 = 40;
/// Looks in vain between two times that a waiting origin finds out whether the target polls.
const LOOKS_IN_VAIN: u32 = 8;
/// Data that is on its way between an origin and one target, both ways: whoever sends it has copied
/// it. Between nodes a target answered 100,000 gets of 128 KiB (MPICH's test `manyget`) faster than
/// the network took the answers, until the system ended it for its 13 GB. To wait once in so many
/// bytes costs a round trip for 10 ms of copies.
const UNSETTLED_BYTES_MAX: usize = 64 << 20;

impl Engine {
    /// MPI 5.0 section 12.3.1. The request completes when the origin's buffer may be used again;
    /// `None` if it may.
    pub fn put(
        &self,
        window: &Window,
        from: &UserBuffer,
        target: &Target,
    ) -> Result<Option<RequestId>> {
        self.confirm_other_lock(window)?;
        let Some(start) = check(window, target, Some(from))? else { return Ok(None) };
        let place = self.place(window, target, start, Kind::Put)?;
        let is_timed = matches!(place, Place::Target { is_timed: true });
        match place {
            Place::Here(mut memory) => {
                memory.copy_from(from);
                Ok(None)
            }
            Place::There(there) if self.put_there(window, target.rank, there, from)? => Ok(None),
            _ => {
                if let Some(moving) = self.move_apart(window, Kind::Put, from, (target, start))? {
                    return Ok(Some(moving));
                }
                let send = || self.send_by_pieces(window, Kind::Put, target, Op::Replace, from);
                self.by_messages(window, target.rank, (target.bytes(), is_timed), send)?;
                Ok(None)
            }
        }
    }

    /// MPI 5.0 section 12.3.2. The request completes when the data is there; `None` if it is.
    pub fn get(
        &self,
        window: &Window,
        mut into: UserBuffer,
        target: &Target,
    ) -> Result<Option<RequestId>> {
        self.confirm_other_lock(window)?;
        let Some(start) = check(window, target, Some(&into))? else { return Ok(None) };
        let place = self.place(window, target, start, Kind::Get)?;
        let is_timed = matches!(place, Place::Target { is_timed: true });
        match place {
            Place::Here(memory) => {
                into.copy_from(&memory);
                Ok(None)
            }
            Place::There(there) if self.get_there(window, target.rank, there, &mut into)? => {
                Ok(None)
            }
            _ => {
                if let Some(moving) = self.move_apart(window, Kind::Get, &into, (target, start))? {
                    return Ok(Some(moving));
                }
                let ask = || self.get_by_pieces(window, into, target);
                let replies =
                    self.by_messages(window, target.rank, (target.bytes(), is_timed), ask)?;
                Ok(Some(self.add_operation(&window.comm, Rc::new(Awaited(replies)))))
            }
        }
    }

    /// Moves data from or to another node without the messages of the window; `None` if it is to be
    /// part of those.
    fn move_apart(
        &self,
        window: &Window,
        kind: Kind,
        buffer: &UserBuffer,
        (target, start): (&Target, i64),
    ) -> Result<Option<RequestId>> {
        let reply = match self.transfer_remotely(window, kind, buffer, (target, start))? {
            None if self.is_zero_copy(window, kind, target) => {
                Some(self.zero_copy(window, kind, buffer, target)?)
            }
            reply => reply,
        };
        Ok(reply.map(|reply| self.add_operation(&window.comm, Rc::new(Awaited(vec![reply])))))
    }

    /// MPI 5.0 section 12.3.4. The request completes when the origin's buffer may be used again;
    /// `None` if it may, at once where the program has a request that it `awaits`: what waits for
    /// that takes nothing back.
    pub fn accumulate(
        &self,
        window: &Window,
        from: &UserBuffer,
        target: &Target,
        op: Op,
        awaits: bool,
    ) -> Result<Option<RequestId>> {
        self.confirm_other_lock(window)?;
        let start = check(window, target, (op != Op::NoOp).then_some(from))?;
        check_op(target, op)?;
        let Some(start) = start else { return Ok(None) };
        let kind = Kind::Accumulate;
        let done_by = self.accumulate_directly(window, target, start, (kind, op), from, None)?;
        let DoneBy::Target { is_timed } = done_by else { return Ok(None) };
        let send = || match from.as_dense().filter(|_| !awaits && self.reads_origin(window, target))
        {
            Some(data) => self.accumulate_from_here(window, target, op, data).map(Some),
            None => self.send_by_pieces(window, kind, target, op, from).map(|()| None),
        };
        let replies = self.by_messages(window, target.rank, (target.bytes(), is_timed), send)?;
        Ok(replies.map(|replies| self.add_operation(&window.comm, Rc::new(Awaited(replies)))))
    }

    /// Asks a target to accumulate what it finds in this process's memory.
    fn accumulate_from_here(
        &self,
        window: &Window,
        target: &Target,
        op: Op,
        data: &[u8],
    ) -> Result<Vec<Rc<Reply>>> {
        let (to, nothing) = (target.rank, UserBuffer::EMPTY);
        self.limit_unsettled(window, to, data.len())?;
        let (number, reply) = window.origin.borrow_mut().await_reply(to, nothing, None);
        let address = data.as_ptr().expose_provenance() as u64;
        let header = target.header(op, number, Data::AtOrigin(address));
        if let Err(error) = self.send_operation(window, Kind::Accumulate, to, &header, &[]) {
            window.origin.borrow_mut().take_reply(number);
            return Err(error);
        }
        Ok(vec![reply])
    }

    /// MPI 5.0 section 12.3.4. The request completes when what was there before has come; `None`
    /// if it has.
    pub fn get_accumulate(
        &self,
        window: &Window,
        from: &UserBuffer,
        mut into: UserBuffer,
        target: &Target,
        op: Op,
    ) -> Result<Option<RequestId>> {
        self.confirm_other_lock(window)?;
        check(window, target, (op != Op::NoOp).then_some(from))?;
        let start = check(window, target, Some(&into))?;
        check_op(target, op)?;
        let Some(start) = start else { return Ok(None) };
        let how = (Kind::GetAccumulate, op);
        let done_by =
            self.accumulate_directly(window, target, start, how, from, Some(&mut into))?;
        let DoneBy::Target { is_timed } = done_by else { return Ok(None) };
        let data = (op != Op::NoOp).then_some(from);
        let send = || {
            let bounce = self.bounce(window, target.rank, how.0, target.bytes(), data);
            let sent = data.filter(|_| bounce.is_none());
            self.request(window, how.0, target, op, (into, bounce), sent.as_slice())
        };
        self.by_messages(window, target.rank, (target.bytes(), is_timed), send).map(Some)
    }

    /// MPI 5.0 section 12.3.4.
    pub fn compare_and_swap(
        &self,
        window: &Window,
        [new, compare]: [&UserBuffer; 2],
        mut into: UserBuffer,
        target: &Target,
    ) -> Result<Option<RequestId>> {
        self.confirm_other_lock(window)?;
        check_swap(&target.datatype)?;
        let Some(start) = check(window, target, Some(&into))? else { return Ok(None) };
        let into_now = &mut into;
        let change =
            |memory: &mut UserBuffer| update::compare_and_swap(memory, [new, compare], into_now);
        if self.update_directly(window, target, start, change)? {
            return Ok(None);
        }
        let sent = [new, compare];
        let into = (into, None);
        self.request(window, Kind::CompareAndSwap, target, Op::Replace, into, &sent).map(Some)
    }

    /// Sends an operation that has a result; the request completes when that has come.
    fn request(
        &self,
        window: &Window,
        kind: Kind,
        target: &Target,
        op: Op,
        into: (UserBuffer, Option<BounceBuffer>),
        sent: &[&UserBuffer],
    ) -> Result<RequestId> {
        let reply = self.ask(window, kind, target, op, into, sent)?;
        Ok(self.add_operation(&window.comm, Rc::new(Awaited(vec![reply]))))
    }

    /// Sends an operation that has a result.
    pub(crate) fn ask(
        &self,
        window: &Window,
        kind: Kind,
        target: &Target,
        op: Op,
        (into, bounce): (UserBuffer, Option<BounceBuffer>),
        sent: &[&UserBuffer],
    ) -> Result<Rc<Reply>> {
        let data = sent.iter().map(|buffer| buffer.bytes()).sum::<usize>();
        self.limit_unsettled(window, target.rank, into.bytes().saturating_add(data))?;
        let place = bounce.as_ref().map_or(Data::Here, |buffer| Data::Bounced(buffer.address()));
        let (number, reply) = window.origin.borrow_mut().await_reply(target.rank, into, bounce);
        let header = target.header(op, number, place);
        if let Err(error) = self.send_operation(window, kind, target.rank, &header, sent) {
            window.origin.borrow_mut().take_reply(number);
            return Err(error);
        }
        Ok(reply)
    }

    pub(crate) fn send_operation(
        &self,
        window: &Window,
        kind: Kind,
        to: Rank,
        header: &Header,
        sent: &[&UserBuffer],
    ) -> Result<()> {
        if kind.accumulates() {
            self.wait_for_remote_transfers(window, to);
        }
        let data: usize = sent.iter().map(|buffer| buffer.bytes()).sum();
        let (place, has_result) = (to as usize, kind.has_result());
        // What the target can begin with should not wait, unless it is busy with others: between
        // nodes, results that come together take a packet for all. Behind a lock comes its unlock.
        let is_first = {
            let origin = &mut *window.origin.borrow_mut();
            let moving = origin.zero_copies.with(to);
            let peer = origin.active_peer(to);
            match header.data {
                // Its reply says that it is done.
                Data::AtOrigin(_) => {}
                _ => {
                    peer.sent.note_others();
                    peer.is_dirty |= !has_result;
                }
            }
            let results = peer.replies.saturating_sub(moving + peer.remote_transfers);
            results == 1 && peer.unsent_lock.is_none()
        };
        let description = header.description(&window.origin.borrow().peers[place].described);
        let bytes = data.saturating_add(HEADER_BYTES_MAX + description.len());
        let at_once =
            header.data != Data::Here || has_result && (is_first || self.is_near(window, to));
        self.send_in_order(window, to, (kind, bytes), at_once, |out, described| {
            header.encode(&description, data, described, out)?;
            sent.iter().for_each(|buffer| buffer.append_to(out));
            Ok(())
        })
    }

    /// Before so many further bytes are sent, or asked for: waits for what is under way if it would
    /// become too much.
    pub(crate) fn limit_unsettled(&self, window: &Window, rank: Rank, bytes: usize) -> Result<()> {
        let is_much = self.has_much_unsettled(window, rank, bytes);
        if is_much {
            self.settle(window, rank)?;
        }
        let peer = &mut window.origin.borrow_mut().peers[rank as usize];
        let unsettled = if is_much { 0 } else { peer.unsettled_bytes };
        peer.unsettled_bytes = unsettled.saturating_add(bytes);
        Ok(())
    }

    /// Whether so many bytes more would be too much.
    pub(crate) fn has_much_unsettled(&self, window: &Window, rank: Rank, bytes: usize) -> bool {
        let unsettled = window.origin.borrow().peers[rank as usize].unsettled_bytes;
        unsettled > 0 && unsettled.saturating_add(bytes) > UNSETTLED_BYTES_MAX
    }

    /// A request whose operation is complete at the origin. To wait for it makes no progress.
    pub fn complete_on_window(&self, window: &Window) -> RequestId {
        if takes_turn(self) {
            self.let_others_in();
        }
        self.complete_request(&window.comm, Status::EMPTY)
    }

    /// Forgets the request of an operation, which the next synchronisation completes.
    pub fn leave_to_epoch(&self, request: RequestId) {
        self.remove_operation(request);
    }

    /// Waits until the results of all operations on one process, or on all, have come.
    pub(crate) fn wait_for_replies(&self, window: &Window, target: Option<Rank>) {
        let Some(target) = target else {
            let all = window.active_ranks().into_iter();
            return all.for_each(|rank| self.wait_for_replies(window, Some(rank)));
        };
        let have_come =
            |window: &Window| window.origin.borrow().peers[target as usize].replies == 0;
        let wait = || self.wait_on_window(window, Some(target), have_come);
        self.timed_wait(window, target, wait);
    }

    /// Makes progress until the window is as it should be.
    pub(crate) fn wait_on_window(
        &self,
        window: &Window,
        peer: Option<Rank>,
        ready: impl Fn(&Window) -> bool,
    ) {
        let comm = &window.comm;
        if self.own_core.get() && peer.is_some_and(|rank| self.is_near(window, rank)) {
            for _ in 0..POLLS {
                if ready(window) {
                    return;
                }
                self.pause_or_handle();
            }
        }
        let patience = Patience::default();
        let ready = |window: &Window| {
            ready(window) || {
                let away = peer.filter(|_| patience.ends());
                away.is_some_and(|rank| self.take_back_if_away(window, rank)) && ready(window)
            }
        };
        // The lock may be what is awaited there.
        let far = peer.filter(|rank| window.shared_part(*rank).is_none());
        if let Some(rank) = far {
            self.awaited_lock.set(Some((window.id.get(), rank)));
        }
        self.wait_until(|| ready(window), || Some(OpInfo { comm: comm.clone(), peer, tag: None }));
        if far.is_some() {
            self.awaited_lock.set(None);
        }
    }

    /// Waits for a moment until what was sent to a process of this node is done; `None` if it is
    /// not by then.
    pub(crate) fn settle_shortly(&self, window: &Window, rank: Rank) -> Option<()> {
        if !self.own_core.get() || !self.is_near(window, rank) {
            return None;
        }
        self.begin_flush(window, rank).ok()?;
        let is_settled = || window.origin.borrow().peers[rank as usize].is_settled();
        let wait = || {
            let looks = || {
                self.pause_or_handle();
                is_settled()
            };
            is_settled()
                || (0..POLLS).any(|_| looks())
                || self.take_back_if_away(window, rank) && is_settled()
        };
        if !self.timed_wait(window, rank, wait) {
            return None;
        }
        self.note_acknowledgements(window, rank);
        window.origin.borrow().failure.is_none().then_some(())
    }
}

/// Counts looks of a wait in vain, after each few of which the origin may do itself what the target
/// has not begun.
#[derive(Debug, Default)]
struct Patience(Cell<u32>);

impl Patience {
    /// A look was in vain. Whether there were enough of them: where ranks share cores, the target
    /// should have had one meanwhile.
    fn ends(&self) -> bool {
        let looks = self.0.get().wrapping_add(1);
        self.0.set(looks);
        looks % LOOKS_IN_VAIN == 0
    }
}

/// What the request of an operation with a result remembers.
#[derive(Debug)]
struct Awaited(Vec<Rc<Reply>>);

impl Operation for Awaited {
    fn is_complete(&self, _: &Engine) -> bool {
        self.0.iter().all(|reply| reply.is_done.get())
    }

    fn status(&self, _: &Engine) -> Result<Status> {
        let error = self.0.iter().find_map(|reply| reply.error.borrow().clone()).map(Box::new);
        Ok(Status { error, ..Status::EMPTY })
    }
}

/// Refuses an operation outside an epoch, of unequal sizes or past the end of a window. Says how
/// many bytes behind the window's beginning, or at which address, the elements begin; `None` if
/// there are none. Whether memory is attached to a dynamic window, `place` finds out.
fn check(window: &Window, target: &Target, origin: Option<&UserBuffer>) -> Result<Option<i64>> {
    if !window.may_access(target.rank) {
        return Err(no_epoch(window, target.rank));
    }
    let bytes = target.datatype.bytes_of(target.count)?;
    if let Some(here) = origin.map(UserBuffer::bytes).filter(|here| *here != bytes) {
        let text = format!(
            "the origin's elements have {here} bytes, the target's {bytes}; both must be equal"
        );
        return Err(Error::new(ErrorClass::Truncate, text));
    }
    if bytes == 0 {
        return Ok(None);
    }
    if window.flavor == Flavor::Dynamic {
        return Ok(Some(target.displacement));
    }
    let part = window.parts[target.rank as usize];
    let (lo, hi) = target.datatype.bounds(target.count);
    let start = target.displacement.checked_mul(part.unit as i64);
    let ends = start.and_then(|start| Some((start.checked_add(lo)?, start.checked_add(hi)?)));
    if ends.is_some_and(|(lo, hi)| lo >= 0 && hi <= part.size as i64) {
        return Ok(start);
    }
    let (name, rank, at) = (window.shown_name(), target.rank, target.displacement);
    let text = format!(
        "{bytes} bytes at displacement {at} of rank {rank} in {name} are not all within its \
         {} bytes, which are counted in units of {}",
        part.size, part.unit
    );
    Err(Error::new(ErrorClass::RmaRange, text))
}

fn no_epoch(window: &Window, target: Rank) -> Error {
    let name = window.shown_name();
    let text = format!(
        "an operation on rank {target} in {name} outside an epoch; call MPI_Win_fence, \
         MPI_Win_start, MPI_Win_lock or MPI_Win_lock_all first"
    );
    Error::new(ErrorClass::RmaSync, text)
}

fn check_op(target: &Target, op: Op) -> Result<()> {
    // No element of any type is something that every operator works on.
    if op.is_one_sided() || target.count == 0 || target.datatype.size() == 0 {
        return Ok(());
    }
    let Some(element) = target.datatype.element() else {
        let text = "an accumulate needs a datatype whose elements are all of one predefined type";
        return Err(Error::new(ErrorClass::Type, text));
    };
    if reduce::valid(op, element) {
        return Ok(());
    }
    let text = format!("{} does not work on {}", op.name(), element.name());
    Err(Error::new(ErrorClass::Op, text))
}

/// The standard names integers, truth values and bytes; programs swap numbers of floating point,
/// too, which Open MPI takes and MPICH refuses. Bits are compared, as there.
fn check_swap(datatype: &Datatype) -> Result<()> {
    if datatype.is_predefined() {
        return Ok(());
    }
    let text = "a compare-and-swap needs a predefined datatype";
    Err(Error::new(ErrorClass::Type, text))
}
