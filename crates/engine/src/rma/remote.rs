//! Puts and gets that the network does by itself (RDMA), where the fabric reads and writes memory
//! of other nodes: from the memory of one process to that of the other, and where a device does it,
//! while the target computes.
//!
//! The memory of a window is registered when the window is made, and each process says where the
//! fabric finds it. Other operations stay active messages. Accumulates must: what an adapter adds
//! is atomic beside no load or store of a processor, and ranks of the target's node accumulate by
//! those.
//!
//! No message overtakes such a transfer where that could be seen: before a flush, an unlock, the
//! end of an epoch, and before an accumulate, the origin waits until the transfers have ended,
//! which they do when the target sees the data. And a transfer begins when nothing else is under
//! way to that target, or the messages before it could come later. If the network fails, the target
//! is asked by a message.

use std::rc::Rc;

use dunlin_base::one_sided::Operation;
use dunlin_base::{Rank, Result};

use crate::engine::Engine;
use crate::net::rma::{RemotePart, RmaOwner, Transfer};
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::Comm;
use crate::objects::remote_transfers::RemoteTransfer;
use crate::objects::window::{Flavor, Origin, Reach, Reply, Window};
use crate::rma::message::Kind;
use crate::rma::target_buffer::Target;

impl Engine {
    /// Lets the network reach this process's part of a window that is being made: the number of the
    /// registration, and what others need. `None` if the network cannot, or nobody would.
    pub(crate) fn show_part(
        &self,
        comm: &Rc<Comm>,
        flavor: Flavor,
        base: *mut u8,
        bytes: usize,
    ) -> Option<(u32, RemotePart)> {
        let is_fixed = matches!(flavor, Flavor::Create | Flavor::Allocate);
        let is_worth_it = bytes >= self.rma_remote_min && self.nodes_of(comm).count() > 1;
        if !is_fixed || !is_worth_it || !self.rma_direct {
            return None;
        }
        let memory = std::ptr::slice_from_raw_parts(base, bytes);
        let net = &mut self.messages.borrow_mut().net;
        // SAFETY: the program leaves the memory in place until it frees the window, which hides it
        // again; that others read and write it meanwhile is what a window is for.
        unsafe { net.as_mut()?.net.show(memory) }
    }

    /// Ends that.
    pub(crate) fn hide_part(&self, registration: Option<u32>) {
        let messages = &mut self.messages.borrow_mut();
        let shown = messages.net.as_mut().zip(registration);
        shown.into_iter().for_each(|(transport, number)| transport.net.hide(number));
    }

    /// Lets the network do an operation on what begins so many bytes behind the window's beginning;
    /// `None` if it cannot, or should not now.
    pub(crate) fn transfer_remotely(
        &self,
        window: &Window,
        kind: Kind,
        buffer: &UserBuffer,
        (target, start): (&Target, i64),
    ) -> Result<Option<Rc<Reply>>> {
        let Reach::Network(part) = window.parts[target.rank as usize].reach else {
            return Ok(None);
        };
        let (peer, bytes, is_put) = (target.rank, target.bytes(), kind == Kind::Put);
        let (is_contiguous, accumulates) = (target.datatype.is_contiguous(), kind.accumulates());
        let operation = Operation { bytes, is_contiguous, accumulates, is_short_form: false };
        let is_able =
            operation.is_for_network(self.rma_remote_min) && (part.is_writable || !is_put);
        let mut into = buffer.clone();
        let transfer = match is_put {
            true => buffer.as_dense().map(|from| Transfer::Write(&raw const *from)),
            false => into.as_dense_mut(bytes).map(|into| Transfer::Read(&raw mut *into)),
        };
        let Some(transfer) = transfer.filter(|_| is_able) else { return Ok(None) };
        if !self.may_go_remotely(window, peer) {
            return Ok(None);
        }
        // It must not come before the lock; if that was sent, something behind it is under way.
        if window.origin.borrow().peers[peer as usize].unsent_lock.is_some() {
            self.flush_lock(window, peer)?;
        }
        self.limit_zero_copies(window, target)?;
        // Other threads may have sent something while this one waited.
        if !self.may_go_remotely(window, peer) {
            return Ok(None);
        }
        let process = window.comm.process(peer)?;
        let (reply, number) = {
            let origin = &mut *window.origin.borrow_mut();
            let (number, reply) = origin.await_reply(peer, UserBuffer::EMPTY, None);
            let Target { displacement, count, ref datatype, .. } = *target;
            let (buffer, datatype) = (buffer.clone(), datatype.clone());
            origin.peers[peer as usize].remote_transfers += 1;
            let new = RemoteTransfer {
                reply: number,
                peer,
                is_put,
                buffer,
                displacement,
                count,
                datatype,
            };
            (reply, origin.remote_transfers.add(new))
        };
        let (first, _) = target.datatype.bounds(target.count);
        let there = part.key_at(start.wrapping_add(first) as u64);
        let owner = RmaOwner::Window(window.id.get(), number);
        // SAFETY: the program leaves the memory alone until the operation is complete, which is not
        // before its end is told.
        let has_begun = unsafe {
            let net = &mut self.messages.borrow_mut().net;
            net.as_mut()
                .is_some_and(|transport| transport.net.transfer(process, there, transfer, owner))
        };
        if !has_begun {
            let origin = &mut *window.origin.borrow_mut();
            if let Some(transfer) = take_remote(origin, number) {
                origin.take_reply(transfer.reply);
            }
            return Ok(None);
        }
        Ok(Some(reply))
    }

    /// Whether nothing is under way to a target but such transfers. It must have sent something to
    /// this process, too: a device lets only those in that it knows.
    fn may_go_remotely(&self, window: &Window, rank: Rank) -> bool {
        let origin = window.origin.borrow();
        let peer = &origin.peers[rank as usize];
        let has_messages = peer.is_dirty
            || peer.awaited > 0
            || peer.replies > peer.remote_transfers
            || !peer.packed.is_empty();
        peer.has_answered && !has_messages
    }

    /// Progress: notes what has ended. What has failed is asked for by a message.
    pub(crate) fn end_remote_transfers(&self, window: &Window) {
        if window.origin.borrow().remote_transfers.is_empty() {
            return;
        }
        let done = self.messages.borrow_mut().take_rma_done(window.id.get());
        for (number, is_good) in done {
            let Some(transfer) = window.origin.borrow_mut().remote_transfers.take(number) else {
                continue;
            };
            // What is sent next must not come before: nothing lets others in meanwhile.
            let outcome = if is_good { Ok(true) } else { self.ask_instead(window, &transfer) };
            let origin = &mut *window.origin.borrow_mut();
            origin.peers[transfer.peer as usize].remote_transfers -= 1;
            if matches!(outcome, Ok(false)) {
                continue;
            }
            let error = outcome.err();
            origin.failure = origin.failure.take().or(error.clone());
            if let Some(reply) = origin.take_reply(transfer.reply) {
                reply.error.replace(error);
                reply.is_done.set(true);
            }
        }
    }

    /// Asks the target for what the network has not done; true if that is done at once.
    fn ask_instead(&self, window: &Window, transfer: &RemoteTransfer) -> Result<bool> {
        let RemoteTransfer { peer, displacement, count, .. } = *transfer;
        let datatype = transfer.datatype.clone();
        let target = Target { rank: peer, displacement, count, datatype };
        let kind = if transfer.is_put { Kind::Put } else { Kind::Get };
        self.begin_zero_copy(window, kind, &transfer.buffer, &target, transfer.reply)
    }

    /// Waits until those transfers to a target have ended that were begun before this call: what is
    /// sent to it next must not come before.
    pub(crate) fn wait_for_remote_transfers(&self, window: &Window, rank: Rank) {
        if window.origin.borrow().peers[rank as usize].remote_transfers == 0 {
            return;
        }
        // Other threads may begin others meanwhile.
        let last = window.origin.borrow().remote_transfers.last();
        self.wait_on_window(window, Some(rank), |window| {
            let origin = window.origin.borrow();
            origin.peers[rank as usize].remote_transfers == 0
                || !origin.remote_transfers.have_older(rank, last)
        });
    }
}

/// A transfer was not begun.
fn take_remote(origin: &mut Origin, number: u32) -> Option<RemoteTransfer> {
    let transfer = origin.remote_transfers.take(number)?;
    origin.peers[transfer.peer as usize].remote_transfers -= 1;
    Some(transfer)
}
