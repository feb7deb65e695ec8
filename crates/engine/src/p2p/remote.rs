//! Messages to and from other nodes. Small ones go at once, in one packet or in segments; large and
//! synchronous ones go by rendezvous, and a receive that has matched asks for them.

use std::time::Duration;

use dunlin_base::{Error, Rank, Result};
use dunlin_shm::FdSleep;
use dunlin_wire::{Consumed, MatchHeader, RemoteKey, UpperLayer};

use crate::matching::Envelope;
use crate::net::network::Net;
use crate::objects::buffer::UserBuffer;
use crate::objects::status::Status;
use crate::p2p::inbound_transfer::PendingCts;
use crate::p2p::inbound_transfer::{InboundTransfer, StagedMessage};
use crate::p2p::messages::{Messages, Unexpected};
use crate::p2p::request::Mode;
use crate::p2p::request::{Kind, RequestId};
use crate::p2p::route::Route;
use crate::threads::progress_thread::{self, Turn};

/// Looks at the node for one at the network, while messages come from the node.
const POLLS_OF_NODE: u32 = 16;

fn head(envelope: &Envelope) -> MatchHeader {
    MatchHeader { context: envelope.context, source: envelope.source, tag: envelope.tag }
}

fn envelope(head: &MatchHeader) -> Envelope {
    Envelope { context: head.context, source: head.source, tag: head.tag }
}

impl Messages {
    /// The network, of a job on several nodes.
    pub(crate) fn net(&mut self) -> &mut Net {
        self.net.as_deref_mut().expect("ranks on other nodes are reached over a network")
    }

    /// Does something with the network while it calls back here. Each look at the network ends in
    /// [`Messages::transmit`], which tells the progress thread what is left.
    fn with_net<T>(&mut self, act: impl FnOnce(&mut Net, &mut Messages) -> T) -> Option<T> {
        let mut net = self.net.take()?;
        let done = act(&mut net, self);
        self.net = Some(net);
        Some(done)
    }

    /// Tells the progress thread whether this process has promised something that is still to be
    /// done: all that has been queued leaves; and a rendezvous message for which the program waits
    /// no more (`MPI_Bsend`, `MPI_Request_free`) goes when it is asked for.
    fn note_what_is_left(&self) {
        let Some(net) = &self.net else { return };
        let has_detached_rts = net.awaits_cts() && self.requests.has_detached_sends();
        progress_thread::want(!net.is_at_rest() || has_detached_rts);
    }

    /// A turn of the progress thread.
    pub(crate) fn carry_on(&mut self) -> Turn {
        if self.progress_net() {
            Turn::Moved
        } else if progress_thread::is_wanted() {
            Turn::Waits(self.fd_sleep(Duration::MAX))
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
            messages.hand_down(net);
            let moved = net.transmit(messages);
            messages.remote.reads.deregister_sent(net);
            moved
        });
        self.note_what_is_left();
        moved.unwrap_or(false)
    }

    /// Tells the protocol what receives have taken and what they ask for.
    fn hand_down(&mut self, net: &mut Net) {
        if self.remote.reads.have_new() {
            self.begin_reads(net);
        }
        for pending in self.remote.pending_cts.drain(..) {
            net.endpoint().cts(pending.from, pending.send, pending.receive, pending.wanted);
        }
        for (from, bytes) in self.remote.taken.drain(..) {
            net.endpoint().taken(from, bytes);
        }
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
            self.remote.polls = 0;
        }
        let moved = came | self.transmit();
        if moved {
            self.count_packets();
        }
        moved
    }

    /// Shows what the network has seen. Where something moved, the system was called, beside which
    /// this costs nothing.
    pub(crate) fn count_packets(&self) {
        self.net.iter().for_each(|net| net.count(self.node.counters()));
    }

    /// Whether nothing of ours waits for progress, nor may anything come but from this node.
    pub(crate) fn is_idle(&self) -> bool {
        self.net.is_none() && self.is_idle_here()
    }

    /// What is waited for comes from this node. How often the network was looked at before.
    pub(crate) fn expect_from_node(&mut self) -> u32 {
        std::mem::replace(&mut self.remote.polls, POLLS_OF_NODE)
    }

    /// Looks at the network, which is a call of the system and costs as much as many looks at the
    /// node: each time while messages come from there, more rarely while they come from the node.
    pub(crate) fn progress_net_in_turn(&mut self, has_moved: bool) -> bool {
        if has_moved {
            self.expect_from_node();
        }
        self.remote.polled += 1;
        if self.remote.polled < self.remote.polls {
            return false;
        }
        self.remote.polled = 0;
        self.progress_net()
    }

    /// Whether the last look was at the network, too.
    pub(crate) fn has_just_polled_net(&self) -> bool {
        self.net.is_some() && self.remote.polled == 0
    }

    /// What a sleeper waits for beside its node.
    pub(crate) fn fd_sleep(&self, timeout: Duration) -> FdSleep {
        match &self.net {
            Some(net) => net.fd_sleep(timeout),
            None => FdSleep { fds: Vec::new(), timeout },
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
            if sent {
                self.count_eager_sent(data.len());
            }
            return sent;
        }
        self.with_net(|net, messages| {
            messages.hand_down(net);
            net.send_whole(to, head(envelope), data, messages);
            messages.remote.reads.deregister_sent(net);
        });
        self.note_what_is_left();
        self.count_eager_sent(data.len());
        true
    }

    /// Begins to send a message that does not go at once.
    pub(crate) fn send_remote(&mut self, to: Rank, envelope: Envelope, id: RequestId, mode: Mode) {
        let Kind::Send { buffer, .. } = &self.requests.own(id).kind else { unreachable!() };
        let bytes = buffer.bytes();
        let is_whole = bytes <= self.net().whole_bytes_max();
        let head = head(&envelope);
        if mode == Mode::Synchronous || !self.net().may_send_eagerly(to, bytes) {
            let rkey = self.register(id);
            self.net().endpoint().rts(to, head, bytes as u64, id, rkey);
            self.count_rendezvous_sent(bytes as u64);
        } else if is_whole {
            self.count_eager_sent(bytes);
            let Kind::Send { buffer, .. } = &self.requests.own(id).kind else { unreachable!() };
            let packed = buffer.packed();
            let sent = packed.map(|packed| self.net().endpoint().send_whole(to, head, &packed));
            self.requests.complete(id, Status::of(sent));
        } else {
            self.count_eager_sent(bytes);
            let id = if self.net().retransmits(bytes) { self.send_copy(id) } else { id };
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
        let (kind, op_info) =
            (Kind::Send { buffer: UserBuffer::EMPTY, keep: Some(keep) }, request.op_info.clone());
        let copy = self.requests.insert(kind, op_info);
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
            Unexpected::Coming { number, .. } => self.deliver_staged(receive, envelope, number),
            Unexpected::RemoteRendezvous { from, send, bytes, rkey } => {
                self.send_cts(receive, envelope, (from, send, rkey), bytes);
            }
            Unexpected::Whole(_) | Unexpected::Rendezvous { .. } | Unexpected::OwnRendezvous(_) => {
                unreachable!("a message of this node")
            }
        }
        self.transmit();
    }

    /// Moves a message that has begun to come into a receive, now or when it is whole.
    fn deliver_staged(&mut self, receive: RequestId, envelope: &Envelope, number: u32) {
        let Some(InboundTransfer::Staged(staged)) = self.remote.inbound.get_mut(number) else {
            unreachable!("a message that waits is kept")
        };
        staged.claimed = Some((receive, *envelope));
        if staged.is_whole {
            self.release(number);
        }
    }

    fn release(&mut self, number: u32) {
        let Some(InboundTransfer::Staged(StagedMessage {
            from,
            data,
            claimed: Some((receive, envelope)),
            ..
        })) = self.remote.inbound.remove(number)
        else {
            unreachable!("a message that a receive has claimed is kept")
        };
        self.unpack_into(receive, 0, &data);
        self.received(receive, &envelope, data.len() as u64);
        self.remote.taken.push((from, data.len() as u64));
    }

    /// Asks for a rendezvous message that a receive has matched.
    fn send_cts(
        &mut self,
        receive: RequestId,
        envelope: &Envelope,
        (from, send, rkey): (Rank, u32, Option<RemoteKey>),
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
            self.remote.inbound.insert(InboundTransfer::Receive {
                receive,
                envelope: *envelope,
                bytes,
            })
        };
        let send_cts = PendingCts { from, send, receive: number, wanted };
        match rkey {
            Some(rkey) if wanted > 0 => self.remote.reads.plan(send_cts, rkey),
            _ => self.remote.pending_cts.push(send_cts),
        }
    }

    /// All that a receive wants of a message is in its buffer.
    pub(crate) fn finish_inbound(&mut self, number: u32) {
        if let Some(InboundTransfer::Receive { receive, envelope, bytes }) =
            self.remote.inbound.remove(number)
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

impl UpperLayer for Messages {
    fn whole(&mut self, from: Rank, head: MatchHeader, data: &[u8]) -> Consumed {
        if self.takes_back(from, &head) {
            return Consumed::Now;
        }
        let envelope = envelope(&head);
        let Some(receive) = self.matching.arrive(&envelope) else {
            self.keep_unexpected(envelope, Unexpected::Packet { from, data: data.into() });
            return Consumed::Later;
        };
        self.unpack_into(receive, 0, data);
        self.received(receive, &envelope, data.len() as u64);
        Consumed::Now
    }

    fn begin(&mut self, from: Rank, head: MatchHeader, bytes: u64) -> (u32, Consumed) {
        let envelope = envelope(&head);
        if let Some(receive) = self.matching.arrive(&envelope) {
            let transfer = InboundTransfer::Receive { receive, envelope, bytes };
            return (self.remote.inbound.insert(transfer), Consumed::Now);
        }
        let data = vec![0; bytes as usize].into_boxed_slice();
        let staged = StagedMessage { from, data, is_whole: false, claimed: None };
        let number = self.remote.inbound.insert(InboundTransfer::Staged(staged));
        self.keep_unexpected(envelope, Unexpected::Coming { number, bytes });
        (number, Consumed::Later)
    }

    fn part(&mut self, _: Rank, number: u32, offset: u64, data: &[u8]) {
        let offset = offset as usize;
        match self.remote.inbound.get_mut(number) {
            Some(InboundTransfer::Receive { receive, .. }) => {
                let receive = *receive;
                self.unpack_into(receive, offset, data);
            }
            Some(InboundTransfer::Staged(staged)) => {
                staged.data[offset..offset + data.len()].copy_from_slice(data);
            }
            None => unreachable!("parts come of messages that have begun"),
        }
    }

    fn destination(
        &mut self,
        _: Rank,
        number: u32,
        offset: u64,
        bytes: usize,
    ) -> Option<&mut [u8]> {
        let (begin, end) = (offset as usize, offset as usize + bytes);
        let data = match self.remote.inbound.get_mut(number)? {
            InboundTransfer::Staged(staged) => &mut staged.data[..],
            InboundTransfer::Receive { receive, .. } => {
                let Kind::Receive { buffer, .. } = &mut self.requests.own(*receive).kind else {
                    unreachable!("a posted receive is a receive")
                };
                buffer.as_dense_mut(end)?
            }
        };
        data.get_mut(begin..end)
    }

    fn completed(&mut self, _: Rank, number: u32) {
        if let Some(InboundTransfer::Staged(staged)) = self.remote.inbound.get_mut(number) {
            staged.is_whole = true;
            if staged.claimed.is_some() {
                self.release(number);
            }
            return;
        }
        self.finish_inbound(number);
    }

    fn rts(
        &mut self,
        from: Rank,
        head: MatchHeader,
        bytes: u64,
        send: u32,
        rkey: Option<RemoteKey>,
    ) {
        self.count_rendezvous_received(bytes);
        let envelope = envelope(&head);
        match self.matching.arrive(&envelope) {
            Some(receive) => self.send_cts(receive, &envelope, (from, send, rkey), bytes),
            None => {
                let rts = Unexpected::RemoteRendezvous { from, send, bytes, rkey };
                self.keep_unexpected(envelope, rts);
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

    fn cancelled(&mut self, send: u32) {
        self.remote_cancelled(send);
    }

    fn lost(&mut self, peer: Rank) {
        self.remote.lost.push(peer);
    }
}
