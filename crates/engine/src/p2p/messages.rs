//! The message layer of one process: what it sends and receives ([`Transfers`]), over its
//! transports.
//!
//! Nothing here calls back into the program, so it may be borrowed as a whole.

use std::time::Duration;

use dunlin_base::single_copy::SingleCopy;
use dunlin_base::{Error, Result};
use dunlin_shm::cell::Packet;
use dunlin_shm::queue_pair::Arrived;
use dunlin_shm::{FdSleep, Node};

use crate::matching::{Envelope, Pattern};
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::CommId;
pub use crate::objects::process_table::Route;
use crate::objects::status::Status;
use crate::p2p::arrival::Rts;
use crate::p2p::completed_receive::CompletedReceive;
use crate::p2p::loopback::Loopback;
use crate::p2p::node::{InRing, Later, NodeTransport, PACKETS_PER_TURN};
use crate::p2p::packet::{self, EAGER, EAGER_SYNC, EAGER_TIMED, FRAGMENT, SYNC_ACK};
use crate::p2p::remote::NetTransport;
use crate::p2p::request::{Kind, LONG_BYTES, Mode, OpInfo, RequestId, StagedCopy};
use crate::p2p::transfers::Transfers;
use crate::p2p::transport::Transport;
pub use crate::p2p::unexpected::Unexpected;
use crate::threads::progress_thread::Turn;

/// The most nonblocking receives that are counted as ahead of sends. From half as many on, they
/// come in a window.
const RECEIVES_AHEAD_MAX: u32 = 32;

/// Where the message of a receive comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Any rank of this node, which is the whole job.
    Any,
    /// This place in the node, of another process.
    Node(usize),
    /// This process.
    Myself,
}

impl Origin {
    /// The place in the node, if it is one.
    #[inline(always)]
    pub(crate) fn node(self) -> Option<usize> {
        match self {
            Origin::Node(peer) => Some(peer),
            Origin::Any | Origin::Myself => None,
        }
    }
}

/// The message layer.
#[derive(Debug)]
pub struct Messages {
    pub(crate) transfers: Transfers,
    pub(crate) node: NodeTransport,
    /// Of a job on several nodes.
    pub(crate) net: Option<Box<NetTransport>>,
    /// Nonblocking receives from ranks of this node begun by the fast path, less sends (one that
    /// does not leave at once may count several times): from 0 to [`RECEIVES_AHEAD_MAX`].
    receives_ahead: u32,
}

impl Messages {
    /// The message layer of the rank that `node` is.
    pub fn new(node: &'static Node, single_copy: SingleCopy) -> Self {
        Messages {
            transfers: Transfers::new(node.counters()),
            node: NodeTransport::new(node, single_copy),
            net: None,
            receives_ahead: 0,
        }
    }

    /// Sends a small message at once, without a request; false if it must take the slow path.
    #[inline(always)]
    pub fn send_now(&mut self, route: Route, envelope: &Envelope, data: &[u8]) -> bool {
        self.receives_ahead = self.receives_ahead.saturating_sub(1);
        let Messages { transfers, node, .. } = self;
        match route {
            Route::Node(peer) => node.send_now(transfers, peer, envelope, data),
            _ => self.send_elsewhere_now(route, envelope, data),
        }
    }

    fn send_elsewhere_now(&mut self, route: Route, envelope: &Envelope, data: &[u8]) -> bool {
        let Messages { transfers, net, .. } = self;
        match route {
            Route::Net(rank) => network(net).send_now(transfers, rank, envelope, data),
            Route::Myself => Loopback.send_now(transfers, (), envelope, data),
            Route::Node(_) => unreachable!("its caller serves the node"),
        }
    }

    /// Begins to send.
    pub fn send(
        &mut self,
        route: Route,
        envelope: Envelope,
        buffer: UserBuffer,
        keep: Option<StagedCopy>,
        mode: Mode,
        op_info: OpInfo,
    ) -> RequestId {
        if mode == Mode::Standard
            && buffer.as_dense().is_some_and(|data| self.send_now(route, &envelope, data))
        {
            let kind = Kind::Send { buffer, keep: None };
            return self.transfers.requests.insert_complete(kind, op_info, Status::EMPTY);
        }
        if mode == Mode::Synchronous {
            self.receives_ahead = self.receives_ahead.saturating_sub(1);
        }
        let Messages { transfers, node, net, .. } = self;
        let id = transfers.requests.insert(Kind::Send { buffer, keep }, op_info);
        match route {
            Route::Myself => Loopback.send(transfers, (), envelope, id, mode),
            Route::Node(peer) => node.send(transfers, peer, envelope, id, mode),
            Route::Net(rank) => network(net).send(transfers, rank, envelope, id, mode),
        }
        id
    }

    /// Receives a message that has just arrived or is about to, without a request: looks for it
    /// `polls` times, with a `pause` between, in the ring from a peer or in all. `None` means that
    /// the receive must take the slow path; its message has not been received then, though some of
    /// `into` may have been written. While no other receive is posted and no message is kept, the
    /// first packet of a ring is ours if it fits. While packets of ours wait for room in a ring,
    /// each receive makes progress.
    #[inline(always)]
    pub fn receive_now(
        &mut self,
        origin: Origin,
        pattern: &Pattern,
        into: &mut [u8],
        mut polls: u32,
        pause: impl Fn(),
    ) -> Option<(Envelope, usize)> {
        if self.node.has_backlog {
            return None;
        }
        if !self.transfers.matching.is_empty() || origin == Origin::Myself {
            return self.receive_among(origin, pattern, into, polls, pause);
        }
        let peer = origin.node();
        loop {
            for &peer in peer.as_ref().map_or(&self.node.peers[..], std::slice::from_ref) {
                let pair = &mut self.node.connections[peer].pair;
                let Some(arrived) = pair.peek() else { continue };
                let envelope = packet::envelope(&arrived.packet);
                let len = usize::from(arrived.packet.len);
                if arrived.packet.kind != EAGER || !pattern.fits(&envelope) || len > into.len() {
                    return self.receive_other_now(peer, arrived, pattern, into);
                }
                pair.read(arrived, into);
                if pair.made_room() {
                    self.node.node.wake(peer);
                }
                return Some((envelope, len));
            }
            polls -= 1;
            if polls == 0 {
                return None;
            }
            pause();
        }
    }

    /// Whether a receive that [`Messages::receive_now`] does not serve has to be posted: its
    /// message has come, but needs a request, or something else waits in a ring.
    pub(crate) fn must_post(&mut self, pattern: &Pattern) -> bool {
        let has_come = self.transfers.matching.peek(pattern).is_some();
        has_come || self.node.has_backlog || self.node.has_something()
    }

    /// Takes what comes from a peer of the node until this posted receive of a message from it, or
    /// send to it in synchronous mode, is complete: up to `polls` packets, with a `pause` where
    /// there is none. False if it is not complete then, `None` if only general progress moves it
    /// on.
    #[inline(always)]
    pub(crate) fn await_posted(
        &mut self,
        id: RequestId,
        peer: usize,
        mut polls: u32,
        pause: impl Fn(),
    ) -> Option<bool> {
        let Messages { transfers, node, .. } = self;
        if node.moves_by_progress() {
            return None;
        }
        loop {
            match node.connections[peer].pair.peek() {
                Some(arrived) => {
                    let kind = arrived.packet.kind;
                    let has_data =
                        matches!(kind, EAGER | EAGER_SYNC | EAGER_TIMED | FRAGMENT | SYNC_ACK);
                    node.take_awaited(transfers, peer, arrived);
                    if transfers.requests.is_done(id) {
                        return Some(true);
                    }
                    if !has_data {
                        return None;
                    }
                }
                None => pause(),
            }
            polls -= 1;
            if polls == 0 {
                return Some(false);
            }
        }
    }

    /// Takes the next packet from a peer of the node, if it is a whole message in a context for
    /// which `find` finds something, and no message that came before it is kept; with what was
    /// found.
    pub(crate) fn take_next<T>(
        &mut self,
        find: impl Fn(u64) -> Option<T>,
        into: &mut Vec<u8>,
    ) -> Option<(Envelope, T)> {
        for i in 0..self.node.peers.len() {
            let peer = self.node.peers[i];
            let pair = &mut self.node.connections[peer].pair;
            let Some(arrived) = pair.peek() else { continue };
            let packet = arrived.packet;
            if packet.kind != EAGER {
                continue;
            }
            let Some(found) = find(packet.context) else { continue };
            // What is stored was sent before.
            let in_context = Pattern { context: packet.context, source: None, tag: None };
            if self.transfers.matching.peek(&in_context).is_some() {
                continue;
            }
            into.resize(packet.len.into(), 0);
            pair.read(arrived, into);
            self.node.wake_if_made_room(peer);
            return Some((packet::envelope(&packet), found));
        }
        None
    }

    /// Whether a nonblocking receive that begins is to look for its message at once, and take it
    /// without posting: only where many receives come before a send, as in a window of messages.
    /// In an exchange each rank posts its receive, sends, and waits: one that took its message
    /// first would send later, and the other wait for that. Two ranks that exchange 1 KiB so take
    /// 0.17 instead of 0.23 us; a window of receives of 8 bytes by posting takes three times as
    /// long.
    #[inline(always)]
    pub fn takes_arrived(&mut self) -> bool {
        let ahead = self.receives_ahead;
        self.receives_ahead = (ahead + 1).min(RECEIVES_AHEAD_MAX);
        ahead >= RECEIVES_AHEAD_MAX / 2
    }

    /// Receives a small message that has arrived, without posting: half of the work of a receive is
    /// posting and matching. What came before it goes to the receives posted before. `None` if this
    /// one must be posted.
    #[inline(always)]
    pub fn receive_arrived(
        &mut self,
        peer: usize,
        pattern: &Pattern,
        into: &mut [u8],
        comm: CommId,
    ) -> Option<RequestId> {
        let mut short = None;
        if self.transfers.matching.is_empty() {
            let pair = &mut self.node.connections[peer].pair;
            if let Some(arrived) = pair.peek_ring() {
                let packet = arrived.packet;
                if takes(pattern, &packet, into.len()) {
                    pair.read(arrived, into);
                    short = Some(packet);
                }
            }
        }
        let packet = match short {
            Some(packet) => packet,
            None => self.receive_arrived_behind(peer, pattern, into)?,
        };
        self.node.wake_if_made_room(peer);
        let envelope = packet::envelope(&packet);
        let completed = CompletedReceive::new(comm, &envelope, packet.len.into());
        Some(self.transfers.requests.insert_completed(completed))
    }

    /// As [`Messages::receive_arrived`], where receives are posted, messages are kept, or this one
    /// is in the fast box.
    #[inline(never)]
    fn receive_arrived_behind(
        &mut self,
        peer: usize,
        pattern: &Pattern,
        into: &mut [u8],
    ) -> Option<Packet> {
        if self.transfers.matching.peek(pattern).is_some() {
            return None;
        }
        let arrived = if self.transfers.matching.posted_len() == 0 {
            self.node.connections[peer].pair.peek()?
        } else {
            self.first_not_posted(peer)?
        };
        let packet = arrived.packet;
        if !takes(pattern, &packet, into.len()) {
            return None;
        }
        self.node.connections[peer].pair.read(arrived, into);
        Some(packet)
    }

    /// Gives what has arrived to posted receives, up to the first packet that is for none of them.
    #[inline(never)]
    fn first_not_posted(&mut self, peer: usize) -> Option<Arrived> {
        let mut found = None;
        for _ in 0..PACKETS_PER_TURN {
            let Some(arrived) = self.node.connections[peer].pair.peek() else { break };
            if arrived.packet.kind != EAGER {
                break;
            }
            found = self.give_to_posted(peer, arrived);
            if found.is_some() {
                break;
            }
        }
        self.node.wake_if_made_room(peer);
        found
    }

    /// Gives the next message of a peer to the posted receive that it fits; if there is none,
    /// returns it.
    pub(crate) fn give_to_posted(&mut self, peer: usize, arrived: Arrived) -> Option<Arrived> {
        let envelope = packet::envelope(&arrived.packet);
        let Some(id) = self.transfers.matching.arrive(&envelope) else { return Some(arrived) };
        let pair = &mut self.node.connections[peer].pair;
        self.transfers.deliver(id, &envelope, InRing { pair, arrived });
        None
    }

    /// Begins to receive.
    #[inline]
    pub fn receive(&mut self, pattern: &Pattern, buffer: UserBuffer, op_info: OpInfo) -> RequestId {
        let kind = Kind::Receive { buffer, posted: None };
        let id = self.transfers.requests.insert(kind, op_info);
        if let Some((envelope, message)) = self.transfers.matching.take(pattern) {
            self.deliver(id, &envelope, message);
        } else {
            let place = self.transfers.matching.post(pattern, id);
            if let Kind::Receive { posted, .. } = &mut self.transfers.requests.own(id).kind {
                *posted = Some(place);
            }
        }
        id
    }

    /// The same for a caller that waits for it.
    #[inline]
    pub fn receive_awaited(
        &mut self,
        pattern: &Pattern,
        buffer: UserBuffer,
        op_info: OpInfo,
    ) -> RequestId {
        self.node.waits = true;
        let id = self.receive(pattern, buffer, op_info);
        self.node.waits = false;
        id
    }

    /// Receives a message that a matching probe has taken out of the queue.
    pub fn receive_taken(
        &mut self,
        envelope: &Envelope,
        message: Unexpected,
        buffer: UserBuffer,
        op_info: OpInfo,
    ) -> RequestId {
        let kind = Kind::Receive { buffer, posted: None };
        let id = self.transfers.requests.insert(kind, op_info);
        self.deliver(id, envelope, message);
        id
    }

    /// The data of a message that a matching probe has taken out of the queue, without a copy; the
    /// message itself, if not all of it has come.
    pub fn take_data(&mut self, message: Unexpected) -> Result<Box<[u8]>, Unexpected> {
        let (from, data) = match message {
            Unexpected::Whole { from, data } => (from, data),
            Unexpected::Coming { number, .. } => {
                self.transfers.take_whole(number).ok_or(message)?
            }
            _ => return Err(message),
        };
        self.consumed(from, data.len() as u64);
        Ok(data)
    }

    /// Moves an unexpected message into the receive that has matched it, now or as it comes.
    pub(crate) fn deliver(&mut self, receive: RequestId, envelope: &Envelope, message: Unexpected) {
        match message {
            Unexpected::Whole { from, data } => {
                self.transfers.deliver(receive, envelope, &data[..]);
                self.consumed(from, data.len() as u64);
            }
            Unexpected::Synchronous { peer, number, data } => {
                self.transfers.deliver(receive, envelope, &data[..]);
                self.node.acknowledge(&mut self.transfers, peer, number);
            }
            Unexpected::Coming { number, .. } => {
                if let Some((from, bytes)) = self.transfers.claim(receive, envelope, number) {
                    self.consumed(from, bytes);
                }
            }
            Unexpected::Held { peer, number, bytes } => {
                let Messages { transfers, node, .. } = self;
                node.claim_held(transfers, receive, envelope, peer, (number, bytes));
            }
            Unexpected::Rendezvous { from, rts } => self.accept(from, envelope, rts, receive),
        }
    }

    pub(crate) fn consumed(&mut self, from: Route, bytes: u64) {
        let Messages { transfers, node, net, .. } = self;
        match from {
            Route::Myself => Loopback.consumed(transfers, (), bytes),
            Route::Node(peer) => node.consumed(transfers, peer, bytes),
            Route::Net(rank) => network(net).consumed(transfers, rank, bytes),
        }
    }

    fn accept(&mut self, from: Route, envelope: &Envelope, rts: Rts, receive: RequestId) {
        let Messages { transfers, node, net, .. } = self;
        match from {
            Route::Myself => Loopback.accept(transfers, (), envelope, rts, receive),
            Route::Node(peer) if node.defers_long && rts.bytes >= LONG_BYTES as u64 => {
                node.put_off(Later { peer, envelope: *envelope, rts, receive });
            }
            Route::Node(peer) => {
                // A sender that waits can send sooner than the kernel copies: for that, this rank
                // stays, whether it waits or not.
                let waits = node.waits;
                node.waits |= node.node.view(peer).is_waiting();
                node.accept(transfers, peer, envelope, rts, receive);
                node.waits = waits;
                if !waits && !node.offers.is_empty() {
                    self.settle_offers();
                }
            }
            Route::Net(rank) => network(net).accept(transfers, rank, envelope, rts, receive),
        }
    }

    /// Takes back what has met nothing: it completes as cancelled, at once or when the peer that
    /// has the message says so.
    pub fn cancel(&mut self, id: RequestId, route: Option<Route>) {
        if self.cancel_posted(id) {
            return;
        }
        let Messages { transfers, node, net, .. } = self;
        let Ok(request) = transfers.requests.get(id) else { return };
        match (&request.kind, route) {
            _ if request.done => {}
            (Kind::Send { .. }, Some(Route::Myself)) => Loopback.cancel(transfers, (), id),
            (Kind::Send { .. }, Some(Route::Node(peer))) => node.cancel(transfers, peer, id),
            (Kind::Send { .. }, Some(Route::Net(rank))) => network(net).cancel(transfers, rank, id),
            _ => {}
        }
    }

    /// Gives a request up: it goes away now or when it completes.
    pub(crate) fn detach(&mut self, id: RequestId) -> Result<()> {
        self.transfers.requests.detach(id)?;
        self.note_what_is_left();
        Ok(())
    }

    /// Takes what has arrived and sends what found no room before. True if anything moved.
    #[inline]
    pub fn progress(&mut self) -> bool {
        let Messages { transfers, node, net, .. } = self;
        let moved = node.progress(transfers);
        match net {
            Some(net) => moved | net.progress_in_turn(transfers, moved, node.shared_core),
            None => moved,
        }
    }

    /// The same within a wait, which goes on until what is awaited has come. Messages that come may
    /// be offered to their senders; at its end, [`Messages::settle_offers`] sees to them.
    #[inline]
    pub fn progress_awaited(&mut self) -> bool {
        self.node.waits = true;
        let moved = self.progress();
        self.node.waits = false;
        moved
    }

    /// Whether messages are offered to their senders.
    #[inline]
    pub(crate) fn has_offers(&self) -> bool {
        !self.node.offers.is_empty()
    }

    /// A wait has ended: no sender may have to wait for what this rank has offered. Senders that
    /// wait themselves finish sooner than the kernel would; of all others, and of messages that
    /// came meanwhile, this rank copies what is left.
    #[cold]
    pub(crate) fn settle_offers(&mut self) {
        let made = self.node.offers_made;
        while self.node.may_expect_up_to(made) {
            self.progress_awaited();
        }
        let Messages { transfers, node, .. } = self;
        while node.look_at_offers(transfers) {}
    }

    /// What has ended of a window's remote reads and writes: numbers, and whether all was moved.
    pub(crate) fn take_rma_done(&mut self, window: u32) -> Vec<(u32, bool)> {
        let net = self.net.as_mut();
        net.map_or_else(Vec::new, |net| net.outbox.reads.take_of_window(window))
    }

    /// Takes what has arrived from other nodes, which progress looks for now and then only. True if
    /// anything moved.
    pub(crate) fn look_at_network(&mut self) -> bool {
        let Messages { transfers, net, .. } = self;
        net.as_mut().is_some_and(|net| net.look_everywhere(transfers))
    }

    /// Says anew whether the network leaves anything for the progress thread.
    pub(crate) fn note_what_is_left(&self) {
        if let Some(net) = &self.net {
            net.note_what_is_left(&self.transfers);
        }
    }

    /// One reason more, or less, for the progress thread to serve packets that arrive.
    pub(crate) fn serve(&mut self, more: bool) {
        if let Some(net) = &mut self.net {
            net.serve(&self.transfers, more);
        }
    }

    /// A turn of the progress thread, which may serve the node, too.
    pub(crate) fn carry_on(&mut self, serves_node: bool) -> Turn {
        let Messages { transfers, node, net, .. } = self;
        let has_moved = serves_node && node.progress(transfers);
        let turn = net.as_mut().map_or(Turn::Rested, |net| net.carry_on(transfers));
        if has_moved { Turn::Moved } else { turn }
    }

    /// Whether anything that this rank has begun may move by what comes from the node; `surely`:
    /// not only because requests have not been completed by the program.
    pub(crate) fn is_under_way_here(&self, surely: bool) -> bool {
        let requests = &self.transfers.requests;
        let has_requests =
            if surely { requests.pending().next().is_some() } else { requests.has_some() };
        has_requests || self.node.moves_by_progress()
    }

    /// Whether nothing of ours waits for progress among the ranks of this node.
    pub(crate) fn is_idle_here(&self) -> bool {
        self.node.is_idle()
    }

    /// Whether nothing of ours waits for progress, nor may anything come but from this node.
    pub(crate) fn is_idle(&self) -> bool {
        self.net.is_none() && self.is_idle_here()
    }

    /// What is waited for comes from this node. How often the network was looked at before, for
    /// [`Messages::expect_as_before`].
    pub(crate) fn expect_from_node(&mut self) -> u32 {
        let shared_core = self.node.shared_core;
        self.net.as_mut().map_or(0, |net| net.expect_from_node(shared_core))
    }

    /// Looks at the network as often as before again.
    pub(crate) fn expect_as_before(&mut self, before: u32) {
        if let Some(net) = &mut self.net {
            net.look_after(before);
        }
    }

    /// Whether the last look was at the network, too.
    pub(crate) fn has_just_polled_net(&self) -> bool {
        self.net.as_ref().is_some_and(|net| net.has_just_polled())
    }

    /// What a sleeper waits for beside its node, after `sleeps` that found nothing.
    pub(crate) fn fd_sleep(&self, timeout: Duration, sleeps: u32) -> FdSleep {
        match &self.net {
            Some(net) => net.fd_sleep(timeout, sleeps),
            None => FdSleep { fds: Vec::new(), timeout },
        }
    }

    /// What has gone wrong with the network for good, once.
    pub(crate) fn net_failure(&mut self) -> Option<Error> {
        self.net.as_mut().and_then(|net| net.net.failure())
    }

    /// What the network has to tell the user, once.
    pub(crate) fn net_notice(&mut self) -> Option<String> {
        self.net.as_mut().and_then(|net| net.net.notice())
    }

    /// Whether everything handed over has left this process's hands.
    pub fn is_flushed(&self) -> bool {
        self.node.is_flushed()
            && self.sends().next().is_none()
            && self.net.as_ref().is_none_or(|net| net.is_flushed())
    }
}

/// The transport to other nodes, where one was named.
fn network(net: &mut Option<Box<NetTransport>>) -> &mut NetTransport {
    net.as_mut().expect("ranks on other nodes are reached over a network")
}

/// Whether a receive with this pattern gets all of the message in this packet, into `room` bytes.
#[inline(always)]
fn takes(pattern: &Pattern, packet: &Packet, room: usize) -> bool {
    packet.kind == EAGER
        && pattern.fits(&packet::envelope(packet))
        && usize::from(packet.len) <= room
}
