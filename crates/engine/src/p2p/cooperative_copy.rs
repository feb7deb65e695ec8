//! Cooperative copy of large messages: the receiver reads from the sender's memory, front first,
//! while the sender, if it is inside MPI, writes into the receiver's, back first. Each claims work
//! as it goes, so nobody waits for a rank that computes.
//!
//! The receiver answers an RTS with the address of its buffer (COOP_CTS) and begins to copy. The
//! rank that finishes last tells the other: FIN from the receiver, COOP_FIN from the sender. A
//! sender that the kernel does not let write returns what it had claimed (COOP_NACK) and never
//! helps that peer again.

use std::io;
use std::ops::Range;

use dunlin_shm::work_split::{End, Next};

use crate::adaptive::Stopwatch;
use crate::matching::Envelope;
use crate::objects::status::Status;
use crate::p2p::arrival::Rts;
use crate::p2p::copy_split::{
    CooperativeCopy, Cut, LATER_BYTES_MAX, TOGETHER_BYTES_MIN, first_portion, portion,
};
use crate::p2p::node::{NodeTransport, damaged};
use crate::p2p::packet::{
    self, COOP_CTS, COOP_FIN, COOP_NACK, CoopCts, CoopFin, CoopNack, NO_SPLIT,
};
use crate::p2p::request::RequestId;
use crate::p2p::transfers::Transfers;

impl NodeTransport {
    /// Begins a cooperative copy of a rendezvous message, or does without the sender's help where
    /// that has taken less time. False, without effect, if it cannot help, or had better not.
    pub(crate) fn copy_together(
        &mut self,
        transfers: &mut Transfers,
        receive: RequestId,
        envelope: &Envelope,
        peer: usize,
        rts: &Rts,
    ) -> bool {
        let bytes = rts.bytes as usize;
        let others_wait = bytes <= LATER_BYTES_MAX && self.connections[peer].pair.peek().is_some();
        // Where messages go both ways at once, each rank has enough to do with what it receives;
        // where ranks share cores, the sender may not run before the copy is done.
        let is_exchange = self.free_splits.some_are_taken();
        let alone = bytes <= LATER_BYTES_MAX && (is_exchange || self.shared_core);
        if alone || (bytes < TOGETHER_BYTES_MIN && !others_wait) {
            return false;
        }
        let Some(cut) = self.cut(transfers, receive, peer, rts) else { return false };
        // In an exchange the sender helps when it has nothing else to do.
        let has_choice = !is_exchange;
        if has_choice && !self.connections[peer].help.begin(bytes) {
            let is_copied = self.copy_alone(transfers, receive, envelope, peer, rts);
            self.connections[peer].help.end(is_copied);
            return true;
        }
        let first = if others_wait { 0 } else { first_portion(cut.units()) };
        let mut copy = CooperativeCopy::new(peer, *envelope, receive, *rts, cut);
        copy.has_choice = has_choice;
        let units = self.coop_cts(transfers, &copy, first);
        if others_wait {
            self.accepted.push_back(copy);
        } else {
            copy.begin(1);
            self.copy_from(transfers, units, copy);
        }
        true
    }

    /// Copies one accepted message: the oldest, unless its sender has begun it; then the newest,
    /// because the sender works from the oldest on.
    pub(crate) fn copy_accepted(&mut self, transfers: &mut Transfers) {
        let Some(oldest) = self.accepted.front() else { return };
        let split = self.node.split(oldest.peer, oldest.rts.split() as usize);
        let next =
            if split.is_untouched() { self.accepted.pop_front() } else { self.accepted.pop_back() };
        if let Some(mut copy) = next {
            copy.begin(2);
            self.copy_from(transfers, 0..0, copy);
        }
    }

    /// How a message is cut that two ranks copy; `None` if they cannot.
    fn cut(
        &mut self,
        transfers: &mut Transfers,
        receive: RequestId,
        peer: usize,
        rts: &Rts,
    ) -> Option<Cut> {
        let to = transfers.receive_buffer(receive).as_dense_mut(rts.bytes as usize)?;
        let cut = Cut::new(to.as_ptr() as u64, to.len() as u64);
        (rts.split() != NO_SPLIT && !to.is_empty() && self.can_reach(peer)).then_some(cut)
    }

    /// Claims the first units of a message and sends the COOP_CTS.
    fn coop_cts(
        &mut self,
        transfers: &mut Transfers,
        copy: &CooperativeCopy,
        first: u32,
    ) -> Range<u32> {
        let CooperativeCopy { peer, envelope, receive, rts, cut, .. } = copy;
        self.node.split(*peer, rts.split() as usize).begin(first);
        let coop_cts = CoopCts {
            request: rts.send,
            receiver: *receive,
            split: rts.split(),
            unit_shift: cut.unit.trailing_zeros(),
            to: cut.to,
            len: cut.len,
            is_timed: rts.is_timed,
        };
        self.control(transfers, *peer, packet::head(COOP_CTS, envelope), &coop_cts);
        0..first
    }

    /// Copies units that this rank has claimed, then claims more.
    fn copy_from(
        &mut self,
        transfers: &mut Transfers,
        mut units: Range<u32>,
        copy: CooperativeCopy,
    ) {
        let CooperativeCopy { peer, rts, cut, has_choice, .. } = copy;
        let split = self.node.split(peer, rts.split() as usize);
        let watch = Stopwatch::start(has_choice && self.connections[peer].help.is_timed());
        loop {
            if self.read_units(transfers, &units, &copy).is_err() {
                self.connections[peer].single_copy = Some(false);
                if has_choice {
                    self.connections[peer].help.end(false);
                }
                self.cts(transfers, peer, &copy.envelope, &rts, copy.receive);
                return;
            }
            match split.next(End::Front, units.len() as u32, cut.units(), portion) {
                Next::Copy(more) => units = more,
                Next::Leave => {
                    self.connections[peer].help.add_copying(watch.time());
                    self.cooperatives.push(copy);
                    return;
                }
                Next::Complete => {
                    self.connections[peer].help.add_copying(watch.time());
                    // Before the sender may use it for another message.
                    let has_helped = split.taken()[1] > 0;
                    self.fin(transfers, peer, &copy.envelope, &rts, copy.time());
                    self.complete_copy(transfers, &copy, has_helped);
                    return;
                }
            }
        }
    }

    fn read_units(
        &mut self,
        transfers: &mut Transfers,
        units: &Range<u32>,
        copy: &CooperativeCopy,
    ) -> io::Result<()> {
        let node = self.node;
        let bytes = copy.cut.bytes(units);
        let to = transfers
            .receive_buffer(copy.receive)
            .as_dense_mut(bytes.end)
            .expect("seen before the copy began");
        let rkey = copy.rts.rkey.expect("only data in one piece has a work split");
        let from = rkey.address.wrapping_add(bytes.start as u64);
        node.read(copy.peer, from, &mut to[bytes])
    }

    /// Helps the receiver of a message of ours to copy it.
    pub(crate) fn on_coop_cts(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        coop_cts: CoopCts,
    ) {
        if !self.can_reach(peer) {
            return;
        }
        let Some(cut) = Cut::named(&coop_cts, transfers.send_bytes(coop_cts.request)) else {
            damaged(peer, "a copy of another message than ours")
        };
        let split = self.node.split(self.node.me(), coop_cts.split as usize);
        let watch = Stopwatch::start(coop_cts.is_timed);
        let mut done = 0;
        loop {
            match split.next(End::Back, done, cut.units(), portion) {
                Next::Copy(units) => {
                    if self.write_units(transfers, peer, &units, coop_cts.request, &cut).is_err() {
                        self.send_coop_nack(transfers, peer, &envelope, coop_cts.receiver, units);
                        return;
                    }
                    done = units.len() as u32;
                }
                Next::Leave => return,
                Next::Complete => {
                    let copied = CoopFin { receiver: coop_cts.receiver };
                    self.control(transfers, peer, packet::head(COOP_FIN, &envelope), &copied);
                    if let Some(time) = watch.time() {
                        // Of several that wait each rank copies some.
                        let ranks = if split.taken()[0] == 0 { 2 } else { 1 };
                        self.copied(peer, transfers.send_bytes(coop_cts.request), time / ranks);
                    }
                    self.free_splits.give_back(coop_cts.split);
                    transfers.requests.complete(coop_cts.request, Status::EMPTY);
                    return;
                }
            }
        }
    }

    fn write_units(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        units: &Range<u32>,
        send: RequestId,
        cut: &Cut,
    ) -> io::Result<()> {
        let bytes = cut.bytes(units);
        let to = cut.to.wrapping_add(bytes.start as u64);
        let from = transfers.send_data(send).expect("only data in one piece has a work split");
        // SAFETY: the peer has said that the message goes there, and `can_reach` that it is who we
        // think it is.
        unsafe { self.node.write(peer, &from[bytes], to) }
    }

    /// Returns claimed units that the kernel does not let us write; does not help this peer again.
    fn send_coop_nack(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: &Envelope,
        receiver: u32,
        units: Range<u32>,
    ) {
        self.connections[peer].single_copy = Some(false);
        let send_coop_nack = CoopNack { receiver, first: units.start, end: units.end };
        self.control(transfers, peer, packet::head(COOP_NACK, envelope), &send_coop_nack);
    }

    /// The sender has finished the copy.
    pub(crate) fn on_coop_fin(&mut self, transfers: &mut Transfers, peer: usize, copied: CoopFin) {
        let Some(copy) = self.take_cooperative_copy(copied.receiver) else {
            damaged(peer, "the end of a copy that was not left to it")
        };
        self.complete_copy(transfers, &copy, true);
    }

    /// A message is complete, which its sender has helped to copy, or not.
    fn complete_copy(
        &mut self,
        transfers: &mut Transfers,
        copy: &CooperativeCopy,
        has_helped: bool,
    ) {
        if copy.has_choice {
            self.connections[copy.peer].help.end(has_helped);
        }
        transfers.received(copy.receive, &copy.envelope, copy.rts.bytes);
    }

    /// The sender cannot write into our memory and returns its units.
    pub(crate) fn on_coop_nack(&mut self, transfers: &mut Transfers, peer: usize, nack: CoopNack) {
        // Not found if reading failed as well: then bounce buffers carry the message.
        if let Some(copy) = self.take_cooperative_copy(nack.receiver) {
            if nack.first > nack.end || nack.end > copy.cut.units() {
                damaged(peer, "a part of a message that has no such part");
            }
            self.copy_from(transfers, nack.first..nack.end, copy);
        }
    }

    fn take_cooperative_copy(&mut self, receive: RequestId) -> Option<CooperativeCopy> {
        let wanted = |copy: &CooperativeCopy| copy.receive == receive;
        if let Some(place) = self.cooperatives.iter().position(wanted) {
            return Some(self.cooperatives.swap_remove(place));
        }
        let place = self.accepted.iter().position(wanted)?;
        self.accepted.remove(place)
    }
}

#[cfg(test)]
#[path = "cooperative_copy_tests.rs"]
mod tests;
