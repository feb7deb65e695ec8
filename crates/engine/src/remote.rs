//! Messages to and from other nodes. Small ones go at once, in one packet or in segments; large and
//! synchronous ones are offered, and a receive that has matched asks for them.

use std::time::Duration;

use dunlin_base::{Error, Rank, Result};
use dunlin_shm::Nap;
use dunlin_wire::{Head, Spot, Taken, Upper};

use crate::buffer::UserBuffer;
use crate::landing::{Kept, Landing};
use crate::matching::Envelope;
use crate::messages::{Messages, Mode, Unexpected};
use crate::net::Net;
use crate::progress_thread::{self, Turn};
use crate::reads::Pull;
use crate::request::{Kind, RequestId};
use crate::route::Route;
use crate::status::Status;

/// Looks at the node for one at the network, while messages come from the node.
const LOOKS_AT_NODE: u32 = 16;

fn head(envelope: &Envelope) -> Head {
    Head { context: envelope.context, source: envelope.source, tag: envelope.tag }
}

fn envelope(head: &Head) -> Envelope {
    Envelope { context: head.context, source: head.source, tag: head.tag }
}

impl Messages {
    /// The network, of a job on several nodes.
    pub(crate) fn net(&mut self) -> &mut Net {
        self.net.as_deref_mut().expect("ranks on other nodes are reached over a network")
    }

    /// Does something with the network while it calls back here.
    fn with_net<T>(&mut self, act: impl FnOnce(&mut Net, &mut Messages) -> T) -> Option<T> {
        let mut net = self.net.take()?;
        let done = act(&mut net, self);
        self.net = Some(net);
        self.note_what_is_left();
        Some(done)
    }

    /// Tells the progress thread whether this process has promised something that is still to be
    /// done: all that has been queued leaves; and an offered message for which the program waits no
    /// more (`MPI_Bsend`, `MPI_Request_free`) goes when it is asked for.
    fn note_what_is_left(&self) {
        let Some(net) = &self.net else { return };
        let has_detached_offers = net.has_offers() && self.requests.has_detached_sends();
        progress_thread::want(!net.is_at_rest() || has_detached_offers);
    }

    /// A turn of the progress thread.
    pub(crate) fn carry_on(&mut self) -> Turn {
        if self.progress_net() {
            Turn::Moved
        } else if progress_thread::is_wanted() {
            Turn::Waits(self.nap(Duration::MAX))
        } else {
            Turn::Rested
        }
    }

    /// Gives a request up: it goes away now or when it completes.
    pub(crate) fn detach(&mut self, id: RequestId) -> Result<()> {
        self.requests.detach(id)?;
        self.note_what_is_left();
        Ok(())
    }

    /// Sends what may leave over the network. True if anything did.
    pub(crate) fn transmit(&mut self) -> bool {
        let moved = self.with_net(|net, messages| {
            if messages.remote.reads.have_new() {
                messages.begin_reads(net);
            }
            for pull in messages.remote.pulls.drain(..) {
                net.endpoint().pull(pull.from, pull.send, pull.receive, pull.wanted);
            }
            for (from, bytes) in messages.remote.taken.drain(..) {
                net.endpoint().taken(from, bytes);
            }
            let moved = net.transmit(messages);
            messages.remote.reads.hide_sent(net);
            moved
        });
        moved.unwrap_or(false)
    }

    /// Takes what has come over the network, and sends what may leave. True if anything moved.
    fn progress_net(&mut self) -> bool {
        let came = self.with_net(|net, messages| {
            let came = net.receive(messages) | messages.end_reads(net);
            messages.remote.lost.drain(..).for_each(|peer| net.lost(peer));
            came
        });
        let came = came.unwrap_or(false);
        if came {
            self.remote.looks = 0;
        }
        came | self.transmit()
    }

    /// Whether nothing of ours waits for progress, nor may anything come but from this node.
    pub(crate) fn is_idle(&self) -> bool {
        self.net.is_none() && self.is_idle_here()
    }

    /// What is waited for comes from this node. How often the network was looked at before.
    pub(crate) fn expect_from_node(&mut self) -> u32 {
        std::mem::replace(&mut self.remote.looks, LOOKS_AT_NODE)
    }

    /// Looks at the network, which is a call of the system and costs as much as many looks at the
    /// node: each time while messages come from there, more rarely while they come from the node.
    pub(crate) fn progress_net_in_turn(&mut self, has_moved: bool) -> bool {
        if has_moved {
            self.expect_from_node();
        }
        self.remote.looked += 1;
        if self.remote.looked < self.remote.looks {
            return false;
        }
        self.remote.looked = 0;
        self.progress_net()
    }

    /// Whether the last look was at the network, too.
    pub(crate) fn has_just_looked_far(&self) -> bool {
        self.net.is_some() && self.remote.looked == 0
    }

    /// What a sleeper waits for beside its node.
    pub(crate) fn nap(&self, patience: Duration) -> Nap {
        match &self.net {
            Some(net) => net.nap(patience),
            None => Nap { fds: Vec::new(), patience },
        }
    }

    /// What has gone wrong with the network for good, once.
    pub(crate) fn net_failure(&mut self) -> Option<Error> {
        self.net.as_mut().and_then(|net| net.failure())
    }

    /// Sends a message at once to a rank that is not of this node, if that can be done.
    pub(crate) fn send_elsewhere_now(
        &mut self,
        route: Route,
        envelope: &Envelope,
        data: &[u8],
    ) -> bool {
        match route {
            Route::Net(to) => self.send_packet_now(to, envelope, data),
            Route::Myself | Route::Node(_) => false,
        }
    }

    /// Sends a message at once if it fits into a packet and the peer has room.
    fn send_packet_now(&mut self, to: Rank, envelope: &Envelope, data: &[u8]) -> bool {
        let net = self.net();
        if !net.may_send_eagerly(to, data.len()) {
            return false;
        }
        if data.len() > net.whole_bytes_max() {
            let sent = net.send_long_now(to, head(envelope), data);
            self.note_what_is_left();
            return sent;
        }
        net.endpoint().send_whole(to, head(envelope), data);
        self.transmit();
        true
    }

    /// Begins to send a message that does not go at once.
    pub(crate) fn send_remote(&mut self, to: Rank, envelope: Envelope, id: RequestId, mode: Mode) {
        let Kind::Send { buffer, .. } = &self.requests.own(id).kind else { unreachable!() };
        let bytes = buffer.bytes();
        let is_whole = bytes <= self.net().whole_bytes_max();
        let head = head(&envelope);
        if mode == Mode::Synchronous || !self.net().may_send_eagerly(to, bytes) {
            let spot = self.show(id);
            self.net().endpoint().offer(to, head, bytes as u64, id, spot);
        } else if is_whole {
            let Kind::Send { buffer, .. } = &self.requests.own(id).kind else { unreachable!() };
            let packed = buffer.packed();
            let sent = packed.map(|packed| self.net().endpoint().send_whole(to, head, &packed));
            self.requests.complete(id, Status::of(sent));
        } else {
            let id = if self.net().resends(bytes) { self.send_copy(id) } else { id };
            self.net().endpoint().send_segments(to, head, bytes as u32, id);
        }
        self.transmit();
    }

    /// Completes a send whose message may have to be sent again: from a copy, which is quicker than
    /// to wait for an answer. The request that sends it: the same where there is no memory for one.
    fn send_copy(&mut self, id: RequestId) -> RequestId {
        let request = self.requests.own(id);
        let Kind::Send { buffer, keep } = &request.kind else { unreachable!("only sends go out") };
        let copy = || buffer.packed().ok().map(std::rc::Rc::new);
        let Some(keep) = keep.clone().or_else(copy) else { return id };
        let (kind, about) =
            (Kind::Send { buffer: UserBuffer::EMPTY, keep: Some(keep) }, request.about.clone());
        let copy = self.requests.insert(kind, about);
        self.requests.detach_new(copy);
        self.requests.complete(id, Status::EMPTY);
        copy
    }

    /// Moves a message from another node, which waits here or there, into a receive.
    pub(crate) fn deliver_remote(
        &mut self,
        receive: RequestId,
        envelope: &Envelope,
        message: Unexpected,
    ) {
        match message {
            Unexpected::Packet { from, data } => {
                self.unpack_into(receive, 0, &data);
                self.received(receive, envelope, data.len() as u64);
                self.remote.taken.push((from, data.len() as u64));
            }
            Unexpected::Coming { number, .. } => self.deliver_kept(receive, envelope, number),
            Unexpected::RemoteOffer { from, send, bytes, spot } => {
                self.pull(receive, envelope, (from, send, spot), bytes);
            }
            Unexpected::Whole(_) | Unexpected::Offered { .. } | Unexpected::OwnOffer(_) => {
                unreachable!("a message of this node")
            }
        }
        self.transmit();
    }

    /// Moves a message that has begun to come into a receive, now or when it is whole.
    fn deliver_kept(&mut self, receive: RequestId, envelope: &Envelope, number: u32) {
        let Some(Landing::Kept(kept)) = self.remote.landings.get_mut(number) else {
            unreachable!("a message that waits is kept")
        };
        kept.claimed = Some((receive, *envelope));
        if kept.is_whole {
            self.release(number);
        }
    }

    fn release(&mut self, number: u32) {
        let Some(Landing::Kept(Kept { from, data, claimed: Some((receive, envelope)), .. })) =
            self.remote.landings.remove(number)
        else {
            unreachable!("a message that a receive has claimed is kept")
        };
        self.unpack_into(receive, 0, &data);
        self.received(receive, &envelope, data.len() as u64);
        self.remote.taken.push((from, data.len() as u64));
    }

    /// Asks for an offered message that a receive has matched.
    fn pull(
        &mut self,
        receive: RequestId,
        envelope: &Envelope,
        (from, send, spot): (Rank, u32, Option<Spot>),
        bytes: u64,
    ) {
        let Kind::Receive { buffer, .. } = &self.requests.own(receive).kind else {
            unreachable!("a posted receive is a receive")
        };
        let wanted = bytes.min(buffer.bytes() as u64);
        let number = if wanted == 0 {
            self.received(receive, envelope, bytes);
            0
        } else {
            self.remote.landings.insert(Landing::Receive { receive, envelope: *envelope, bytes })
        };
        let pull = Pull { from, send, receive: number, wanted };
        match spot {
            Some(spot) if wanted > 0 => self.remote.reads.plan(pull, spot),
            _ => self.remote.pulls.push(pull),
        }
    }

    /// All that a receive wants of a message is in its buffer.
    pub(crate) fn land(&mut self, number: u32) {
        if let Some(Landing::Receive { receive, envelope, bytes }) =
            self.remote.landings.remove(number)
        {
            self.received(receive, &envelope, bytes);
        }
    }

    /// Copies a part of a message into the buffer of a receive, as far as there is room.
    fn unpack_into(&mut self, receive: RequestId, offset: usize, data: &[u8]) {
        let Kind::Receive { buffer, .. } = &mut self.requests.own(receive).kind else {
            unreachable!("a posted receive is a receive")
        };
        buffer.unpack(offset, data);
    }
}

impl Upper for Messages {
    fn whole(&mut self, from: Rank, head: Head, data: &[u8]) -> Taken {
        if self.takes_back(from, &head) {
            return Taken::Now;
        }
        let envelope = envelope(&head);
        let Some(receive) = self.matching.arrive(&envelope) else {
            self.matching.store(envelope, Unexpected::Packet { from, data: data.into() });
            return Taken::Later;
        };
        self.unpack_into(receive, 0, data);
        self.received(receive, &envelope, data.len() as u64);
        Taken::Now
    }

    fn begin(&mut self, from: Rank, head: Head, bytes: u64) -> (u32, Taken) {
        let envelope = envelope(&head);
        if let Some(receive) = self.matching.arrive(&envelope) {
            let landing = Landing::Receive { receive, envelope, bytes };
            return (self.remote.landings.insert(landing), Taken::Now);
        }
        let data = vec![0; bytes as usize].into_boxed_slice();
        let kept = Kept { from, data, is_whole: false, claimed: None };
        let number = self.remote.landings.insert(Landing::Kept(kept));
        self.matching.store(envelope, Unexpected::Coming { number, bytes });
        (number, Taken::Later)
    }

    fn part(&mut self, _: Rank, number: u32, offset: u64, data: &[u8]) {
        let offset = offset as usize;
        match self.remote.landings.get_mut(number) {
            Some(Landing::Receive { receive, .. }) => {
                let receive = *receive;
                self.unpack_into(receive, offset, data);
            }
            Some(Landing::Kept(kept)) => {
                kept.data[offset..offset + data.len()].copy_from_slice(data);
            }
            None => unreachable!("parts come of messages that have begun"),
        }
    }

    fn place(&mut self, _: Rank, number: u32, offset: u64, bytes: usize) -> Option<&mut [u8]> {
        let (begin, end) = (offset as usize, offset as usize + bytes);
        let data = match self.remote.landings.get_mut(number)? {
            Landing::Kept(kept) => &mut kept.data[..],
            Landing::Receive { receive, .. } => {
                let Kind::Receive { buffer, .. } = &mut self.requests.own(*receive).kind else {
                    unreachable!("a posted receive is a receive")
                };
                buffer.as_dense_mut(end)?
            }
        };
        data.get_mut(begin..end)
    }

    fn landed(&mut self, _: Rank, number: u32) {
        if let Some(Landing::Kept(kept)) = self.remote.landings.get_mut(number) {
            kept.is_whole = true;
            if kept.claimed.is_some() {
                self.release(number);
            }
            return;
        }
        self.land(number);
    }

    fn offer(&mut self, from: Rank, head: Head, bytes: u64, send: u32, spot: Option<Spot>) {
        let envelope = envelope(&head);
        match self.matching.arrive(&envelope) {
            Some(receive) => self.pull(receive, &envelope, (from, send, spot), bytes),
            None => {
                let offer = Unexpected::RemoteOffer { from, send, bytes, spot };
                self.matching.store(envelope, offer);
            }
        }
    }

    fn fill(&mut self, send: u32, offset: u64, into: &mut [u8]) {
        let Kind::Send { buffer, keep } = &self.requests.own(send).kind else {
            unreachable!("only sends go out")
        };
        let offset = offset as usize;
        match keep.as_ref().map(|k| &k[..]).or(buffer.as_dense()) {
            Some(data) => into.copy_from_slice(&data[offset..offset + into.len()]),
            None => buffer.pack(offset, into),
        }
    }

    fn data(&self, send: u32, offset: u64, len: usize) -> Option<&[u8]> {
        let Ok(Kind::Send { buffer, keep }) = self.requests.get(send).map(|r| &r.kind) else {
            unreachable!("only sends go out")
        };
        let data = keep.as_ref().map(|k| &k[..]).or(buffer.as_dense())?;
        data.get(offset as usize..offset as usize + len)
    }

    fn sent(&mut self, send: u32) {
        self.remote.reads.sent(send);
        self.requests.complete(send, Status::EMPTY);
    }

    fn withdrawn(&mut self, send: u32) {
        self.remote_withdrawn(send);
    }

    fn lost(&mut self, peer: Rank) {
        self.remote.lost.push(peer);
    }
}
