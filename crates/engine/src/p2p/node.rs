//! The transport within a node: rings and fast boxes for short messages, the kernel's single copy
//! or bounce buffers for long ones (`rendezvous.rs`, `cooperative_copy.rs`).

use std::collections::VecDeque;
use std::time::Duration;

use dunlin_base::single_copy::SingleCopy;
use dunlin_copy::shared;
use dunlin_shm::Node;
use dunlin_shm::cell::{DAMAGED, Packet};
use dunlin_shm::queue_pair::{Arrived, QueuePair};

use crate::adaptive::AdaptiveChoice;
use crate::matching::Envelope;
use crate::objects::process_table::Route;
use crate::objects::status::Status;
use crate::objects::table::Table;
use crate::p2p::arrival::{Payload, Rts};
use crate::p2p::awaited_acks::AwaitedAcks;
use crate::p2p::copy_choice::{CopyChoice, Way};
use crate::p2p::copy_split::{CooperativeCopy, FreeSplits};
use crate::p2p::fragments::{Crossing, EagerFragments, FragmentStream, HeldMessage, Holders};
use crate::p2p::inbound_transfer::Offer;
use crate::p2p::packet::{self, COOP_CTS, COOP_FIN, COOP_NACK, CTS, EAGER, FIN, FRAGMENT, RTS};
use crate::p2p::packet::{CANCEL_REQ, CANCEL_RESP, EAGER_SYNC, OFFER, RELEASE, SYNC_ACK};
use crate::p2p::packet::{CoopCts, Cts, EAGER_TIMED, Fin, Fragment, TIMING_REPLY, WORD_BYTES};
use crate::p2p::request::{Kind, LONG_BYTES, Mode, Request, RequestId};
use crate::p2p::reuse_distance::ReuseDistance;
use crate::p2p::sender_help::SenderHelp;
use crate::p2p::single_copy::{eager_bytes_max, goes_round};
use crate::p2p::transfers::Transfers;
use crate::p2p::transport::Transport;

/// The longest eager message that lies where its receiver can copy it without a call of the kernel,
/// if the limit for all ([`eager_bytes_max`]) is not lower.
/// A receiver that copies takes the lines of the data into its cache, and the sender's next stores
/// wait for them. Half round trips on an AMD EPYC (Zen 5, virtual machine), eager and copied by the
/// receiver, of data that its sender changes before each send, in us: 8 KB 0.45 and 0.59, 16 KB
/// 0.78 and 0.98, 32 KB 1.43 and 1.40; in an exchange 0.71 and 0.90, 1.18 and 1.49, 2.2 and 2.7; in
/// a state of that machine in which lines of the other core take longer, 1.2 and 2.1, 1.7 and 3.5,
/// 2.9 and 5.1. (Data that never changes stays in the receiver's cache: 0.31 and 0.30, 0.49 and
/// 0.34, 0.87 and 0.50.)
pub(crate) const MAPPED_EAGER_BYTES_MAX: usize = 32 << 10;

/// Packets taken from one peer before the others get their turn.
pub(crate) const PACKETS_PER_TURN: usize = 64;

/// What waits for room in a ring.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// A whole message, of this request.
    Eager(Packet, RequestId),
    /// A packet of the protocol itself.
    Control(Packet, [u8; WORD_BYTES], usize),
}

impl Outgoing {
    /// Whether this may stay where it is when this rank ends: its reader may have left MPI, and
    /// takes no more packets.
    pub fn may_stay(&self) -> bool {
        matches!(self, Outgoing::Control(head, ..) if matches!(head.kind, RELEASE | CANCEL_REQ))
    }
}

/// A long message that a receive has matched.
#[derive(Debug)]
pub(crate) struct Later {
    pub peer: usize,
    pub envelope: Envelope,
    pub rts: Rts,
    pub receive: RequestId,
}

/// The connection to one rank of the node.
#[derive(Debug)]
pub(crate) struct NodePeer {
    pub pair: QueuePair<'static>,
    pub backlog: VecDeque<Outgoing>,
    pub acks: AwaitedAcks,
    /// The eager message from this peer of which fragments are to come.
    pub eager_fragments: Option<EagerFragments>,
    /// How to write into bounce buffers that it was the last to read. Stores past the cache must
    /// gain much: where they do, they take 0.4 of the time; where the receiver is what a stream
    /// waits for, its part of the time counts more than the sum says.
    pub stores: AdaptiveChoice<65>,
    /// How long results are written: through the cache, or past it. Where their memory is in no
    /// cache, lines are read before they are overwritten, and they arrive at half the rate.
    pub results: AdaptiveChoice<65>,
    /// Whether long messages to it cross others from it.
    pub crossing: Crossing,
    /// Which messages to it the kernel copies.
    pub copy_choice: CopyChoice,
    /// Whether it is to help with long messages that it sends.
    pub help: SenderHelp,
    /// Whether we can reach this peer's memory; `None` until tried.
    pub single_copy: Option<bool>,
}

/// The transport.
#[derive(Debug)]
pub(crate) struct NodeTransport {
    pub node: &'static Node,
    pub connections: Vec<NodePeer>,
    /// Whether packets may wait for room in a ring, or messages to be accepted, which only progress
    /// looks for.
    pub has_backlog: bool,
    /// Places in the node of everybody else.
    pub peers: Vec<usize>,
    pub fragment_streams: VecDeque<FragmentStream>,
    /// Room for the fragments of a message that is received without a request, and the times they
    /// took; empty between receives.
    pub fragments_taken: Vec<(Fragment, Option<Duration>)>,
    /// Eager messages in bounce buffers that no receive has matched yet.
    pub held: Table<HeldMessage>,
    pub holders: Holders,
    pub reuse: ReuseDistance,
    /// Messages we receive whose senders copy the last part.
    pub cooperatives: Vec<CooperativeCopy>,
    /// Messages we receive that their senders may copy, before we come to them.
    pub accepted: VecDeque<CooperativeCopy>,
    /// Messages we receive that are accepted at the next progress: see [`NodeTransport::put_off`].
    pub later: VecDeque<Later>,
    /// Messages we receive that their senders may send in bounce buffers.
    pub offers: VecDeque<Offer>,
    pub offers_made: u64,
    /// Looks of this rank at the first of them since a fragment came from that sender.
    pub looks: usize,
    /// Whether this rank stays inside MPI until something comes.
    pub waits: bool,
    pub free_splits: FreeSplits,
    /// Sends that peers were asked to give back.
    pub cancel_requests: Vec<(usize, RequestId)>,
    /// Some ranks of the node share a core, as far as is known, or the user has told ranks to yield
    /// theirs: nobody helps to copy, or fills bounce buffers, that others wait for.
    pub shared_core: bool,
    /// A nonblocking call copies no long message, neither eagerly nor what has come already: the
    /// program may compute next, and the progress thread copy.
    pub defers_long: bool,
    eager_bytes_max: usize,
    /// The longest message that is eager in one packet where that takes less time.
    packet_bytes_max: usize,
    pub single_copy: SingleCopy,
}

/// The payload of a packet that is still in its ring.
pub(crate) struct InRing<'a> {
    pub pair: &'a mut QueuePair<'static>,
    pub arrived: Arrived,
}

impl Payload for InRing<'_> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.arrived.packet.len.into()
    }

    #[inline(always)]
    fn read(self, into: &mut [u8]) {
        self.pair.read(self.arrived, into);
    }
}

impl NodeTransport {
    /// That of the rank that `node` is.
    pub fn new(node: &'static Node, single_copy: SingleCopy) -> NodeTransport {
        let connections = (0..node.ranks())
            .map(|peer| NodePeer {
                pair: node.pair(peer),
                backlog: VecDeque::new(),
                acks: AwaitedAcks::default(),
                eager_fragments: None,
                stores: AdaptiveChoice::default(),
                results: AdaptiveChoice::default(),
                crossing: Crossing::default(),
                copy_choice: CopyChoice::new(single_copy, AdaptiveChoice::default()),
                help: SenderHelp::default(),
                single_copy: (single_copy == SingleCopy::Off).then_some(false),
            })
            .collect();
        let mut made = NodeTransport {
            peers: (0..node.ranks()).filter(|&p| p != node.me()).collect(),
            eager_bytes_max: 0,
            packet_bytes_max: 0,
            single_copy,
            node,
            connections,
            has_backlog: false,
            fragment_streams: VecDeque::new(),
            fragments_taken: Vec::new(),
            held: Table::default(),
            holders: Holders::new(node.ranks(), node.bounce_buffers()),
            reuse: ReuseDistance::new(node.ranks()),
            cooperatives: Vec::new(),
            accepted: VecDeque::new(),
            later: VecDeque::new(),
            offers: VecDeque::new(),
            offers_made: 0,
            looks: 0,
            waits: false,
            free_splits: FreeSplits::new(single_copy),
            cancel_requests: Vec::new(),
            shared_core: false,
            defers_long: false,
        };
        made.share_core(!node.own_core());
        made
    }

    /// Says whether ranks of this node share cores. Where none do, and the kernel copies slowly,
    /// messages go round in many bounce buffers and in rings that become long.
    pub fn share_core(&mut self, shared_core: bool) {
        self.shared_core = shared_core;
        let was_wide = self.holders.is_wide();
        self.holders.set_wide(goes_round(self.single_copy) && !shared_core);
        let is_wide = self.holders.is_wide();
        let most = |single_copy| eager_bytes_max(single_copy, self.node.ring_bytes(), is_wide);
        self.eager_bytes_max = most(self.single_copy);
        self.packet_bytes_max = most(SingleCopy::Off);
        if was_wide != is_wide {
            self.holders.give_back_borrowed(self.node);
            for connection in &mut self.connections {
                connection.stores = match is_wide {
                    true => self.holders.choice().other_first(),
                    false => self.holders.choice(),
                };
                connection.copy_choice.begin_again(self.holders.choice());
                connection.pair.let_become_long(is_wide);
            }
        }
        shared::set_apart(!shared_core);
    }

    /// Whether a message of so many bytes, that lies there, is sent before its receive is known.
    #[inline(always)]
    fn is_eager(&self, bytes: usize, start: *const u8) -> bool {
        bytes <= self.eager_bytes_max
            && (bytes <= MAPPED_EAGER_BYTES_MAX || !self.node.is_shared(start))
    }

    /// Whether nothing of ours waits for progress.
    pub fn is_idle(&self) -> bool {
        self.fragment_streams.is_empty()
            && self.cooperatives.is_empty()
            && self.accepted.is_empty()
            && self.later.is_empty()
            && self.offers.is_empty()
            && self.connections.iter().all(|l| l.backlog.is_empty())
    }

    /// Takes what has arrived and sends what found no room before. True if anything moved.
    #[inline(always)]
    pub fn progress(&mut self, transfers: &mut Transfers) -> bool {
        let mut moved = false;
        let had_backlog = std::mem::take(&mut self.has_backlog);
        for i in 0..self.peers.len() {
            let peer = self.peers[i];
            moved |= self.take_from(transfers, peer);
            if !self.connections[peer].backlog.is_empty() {
                moved |= self.flush(transfers, peer);
            }
        }
        if !self.accepted.is_empty() {
            self.copy_accepted(transfers);
            moved = true;
        }
        if had_backlog {
            moved |= self.accept_later(transfers);
        }
        if !self.offers.is_empty() {
            moved |= self.look_at_offers(transfers);
        }
        if !self.fragment_streams.is_empty() {
            moved |= self.feed_streams(transfers);
        }
        if !self.cancel_requests.is_empty() {
            moved |= self.cancel_send_from_the_gone(transfers);
        }
        moved
    }

    /// A long message that a receive has matched is accepted at the next progress, by whatever
    /// thread: the program may compute next.
    pub fn put_off(&mut self, later: Later) {
        self.later.push_back(later);
        self.has_backlog = true;
    }

    /// Accepts the oldest of those. True if there was one.
    #[inline(never)]
    fn accept_later(&mut self, transfers: &mut Transfers) -> bool {
        let Some(Later { peer, envelope, rts, receive }) = self.later.pop_front() else {
            return false;
        };
        self.has_backlog |= !self.later.is_empty();
        self.accept(transfers, peer, &envelope, rts, receive);
        true
    }

    /// Takes what has arrived from a peer. True if that is anything.
    #[inline(always)]
    pub fn take_from(&mut self, transfers: &mut Transfers, peer: usize) -> bool {
        let mut moved = false;
        for _ in 0..PACKETS_PER_TURN {
            let Some(arrived) = self.connections[peer].pair.peek() else { break };
            self.on_packet(transfers, peer, arrived);
            moved = true;
        }
        self.wake_if_made_room(peer);
        moved
    }

    /// Takes one packet that has arrived from a peer for whose message this rank waits.
    #[inline(always)]
    pub fn take_awaited(&mut self, transfers: &mut Transfers, peer: usize, arrived: Arrived) {
        self.waits = true;
        self.on_packet(transfers, peer, arrived);
        self.waits = false;
        self.wake_if_made_room(peer);
    }

    /// Whether messages, or parts of them, wait for progress, whatever may arrive.
    #[inline(always)]
    pub fn moves_by_progress(&self) -> bool {
        self.has_backlog
            || !(self.fragment_streams.is_empty()
                && self.accepted.is_empty()
                && self.offers.is_empty())
    }

    /// Whether every packet that a peer has sent so far was taken.
    #[inline(always)]
    pub fn has_nothing_from(&self, peer: usize) -> bool {
        self.connections[peer].pair.peek().is_none()
    }

    /// Whether any peer has sent a packet that was not taken.
    #[inline]
    pub fn has_something(&self) -> bool {
        self.peers.iter().any(|&peer| !self.has_nothing_from(peer))
    }

    /// What a peer that waits for room in its ring to us gets.
    #[inline(always)]
    pub fn wake_if_made_room(&mut self, peer: usize) {
        if self.connections[peer].pair.made_room() {
            self.node.wake(peer);
        }
    }

    pub(crate) fn on_packet(&mut self, transfers: &mut Transfers, peer: usize, arrived: Arrived) {
        let (kind, envelope) = (arrived.packet.kind, packet::envelope(&arrived.packet));
        let pair = &mut self.connections[peer].pair;
        if kind == EAGER {
            transfers.eager(Route::Node(peer), envelope, InRing { pair, arrived });
            return;
        }
        if kind == EAGER_SYNC {
            return self.on_eager_sync(transfers, peer, envelope, arrived);
        }
        if kind == EAGER_TIMED {
            return self.on_eager_timed(transfers, peer, envelope, arrived);
        }
        let number = arrived.packet.flags;
        if usize::from(arrived.packet.len) > WORD_BYTES {
            damaged(peer, "a packet of the protocol that is too long");
        }
        let mut words = [0; WORD_BYTES];
        pair.read(arrived, &mut words);
        match kind {
            RTS => {
                let rts: Rts = packet::from_bytes(&words);
                self.connections[peer].copy_choice.note_peers(rts.bytes as usize, rts.by_kernel);
                if let Some(receive) = transfers.rts(Route::Node(peer), envelope, rts) {
                    self.accept(transfers, peer, &envelope, rts, receive);
                }
            }
            FIN => {
                let fin: Fin = packet::from_bytes(&words);
                check_send(transfers, peer, fin.request);
                self.on_fin(transfers, peer, fin);
            }
            CTS => {
                let cts: Cts = packet::from_bytes(&words);
                check_send(transfers, peer, cts.request);
                self.on_cts(transfers, peer, envelope, cts);
            }
            FRAGMENT => self.on_fragment(transfers, peer, envelope, packet::from_bytes(&words)),
            COOP_CTS => {
                let coop_cts: CoopCts = packet::from_bytes(&words);
                check_send(transfers, peer, coop_cts.request);
                self.on_coop_cts(transfers, peer, envelope, coop_cts);
            }
            OFFER => {
                let cts: Cts = packet::from_bytes(&words);
                check_send(transfers, peer, cts.request);
                self.check_asked_for(transfers, peer, &cts);
                self.on_offer(peer, envelope, cts);
            }
            RELEASE => self.on_release(transfers, peer, packet::from_bytes(&words)),
            COOP_FIN => self.on_coop_fin(transfers, peer, packet::from_bytes(&words)),
            COOP_NACK => self.on_coop_nack(transfers, peer, packet::from_bytes(&words)),
            CANCEL_REQ => self.on_cancel_req(transfers, peer, number, packet::from_bytes(&words)),
            CANCEL_RESP => self.on_cancel_resp(transfers, peer, number, packet::from_bytes(&words)),
            SYNC_ACK => self.on_sync_ack(transfers, peer, number),
            TIMING_REPLY => self.on_timing_reply(peer, number, packet::from_bytes(&words)),
            _ => damaged(peer, "a packet of no kind that there is"),
        }
    }

    /// Sends a packet of the protocol itself, or keeps it until there is room.
    pub fn control<const N: usize>(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        head: Packet,
        words: &impl packet::Words<N>,
    ) {
        let (bytes, len) = packet::to_bytes(words);
        self.push_control(transfers, peer, head, &bytes[..len]);
    }

    /// The same for the bytes of its words.
    pub fn push_control(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        head: Packet,
        words: &[u8],
    ) {
        let NodePeer { backlog, pair, .. } = &mut self.connections[peer];
        if backlog.is_empty() && pair.try_push(&head, words) {
            return self.node.wake(peer);
        }
        let mut bytes = [0; WORD_BYTES];
        bytes[..words.len()].copy_from_slice(words);
        backlog.push_back(Outgoing::Control(head, bytes, words.len()));
        self.flush(transfers, peer);
    }

    /// Whether nothing for a peer waits for room in its ring.
    pub fn has_sent_all(&self, peer: usize) -> bool {
        self.connections[peer].backlog.is_empty()
    }

    /// Sends as much of a peer's backlog as there is room for. True if anything went.
    pub fn flush(&mut self, transfers: &mut Transfers, peer: usize) -> bool {
        let mut moved = false;
        while let Some(next) = self.connections[peer].backlog.pop_front() {
            if let Err(next) = self.try_push(transfers, peer, next) {
                self.connections[peer].backlog.push_front(next);
                self.has_backlog = true;
                break;
            }
            moved = true;
        }
        // For want of room, too: the peer may compute, and its progress thread makes some.
        let is_full = !self.connections[peer].backlog.is_empty();
        if moved || is_full {
            self.node.wake(peer);
        }
        moved
    }

    /// Whether long messages of ours are on their way, to whomever.
    fn has_long_under_way(&mut self) -> bool {
        self.free_splits.some_are_taken() || !self.holders.are_free(self.node)
    }

    /// Sends a message that is too long for one packet: in bounce buffers, or by rendezvous.
    fn send_long(
        &mut self,
        transfers: &mut Transfers,
        to: usize,
        envelope: Envelope,
        send: RequestId,
        mode: Mode,
    ) {
        let (bytes, data) = (transfers.send_bytes(send), transfers.send_data(send));
        let is_wide = self.holders.is_wide();
        // Shorter data is eager wherever it lies.
        let is_copied_once = bytes > MAPPED_EAGER_BYTES_MAX || !is_wide;
        let is_shared = is_copied_once && data.is_some_and(|d| self.node.is_shared(d.as_ptr()));
        let is_deferred = self.defers_long && bytes >= LONG_BYTES;
        // Synchronous ones wait for their receiver: they are never eager.
        let is_synchronous = mode != Mode::Standard;
        let copy_choice = &mut self.connections[to].copy_choice;
        let has_choice = !is_synchronous || is_wide && copy_choice.exists(is_wide, bytes);
        let way = match has_choice && !is_shared {
            true if is_deferred => copy_choice.best(self.holders.uses_many(), bytes, data),
            true => self.next_way(to, bytes, data),
            false => Way::DEFAULT,
        };
        let may_be_eager = has_choice && !is_shared && !is_deferred && !is_synchronous;
        let goes = match bytes <= self.packet_bytes_max {
            _ if way.by_kernel || !may_be_eager => false,
            true => self.send_in_packet(transfers, to, &envelope, send, way.is_timed),
            // Of several at a time that go one way each rank copies some, and there are not enough
            // bounce buffers for a window. (Two at a time both ways would often gain.)
            false if way.is_choice && !is_wide && self.has_long_under_way() => false,
            false => self.send_in_fragments(transfers, to, envelope, send, way.is_timed),
        };
        if !goes {
            self.connections[to].copy_choice.not_eager(bytes, way);
            self.rts(transfers, to, envelope, send, way);
        }
    }

    fn try_push(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        next: Outgoing,
    ) -> Result<(), Outgoing> {
        let pair = &mut self.connections[peer].pair;
        match next {
            Outgoing::Control(head, bytes, len) if pair.try_push(&head, &bytes[..len]) => Ok(()),
            Outgoing::Eager(head, id) => {
                let bytes = transfers.send_bytes(id);
                if !pair.has_room(bytes) {
                    return Err(next);
                }
                let pushed = transfers.with_packed(id, |data| pair.try_push(&head, data));
                assert!(pushed, "there was room for {bytes} bytes");
                if head.kind == EAGER {
                    transfers.requests.complete(id, Status::EMPTY);
                }
                transfers.count_eager_sent(bytes);
                Ok(())
            }
            full => Err(full),
        }
    }
}

/// A peer has named this send: it must be one in progress, or nothing of what it says can be
/// believed.
fn check_send(transfers: &Transfers, peer: usize, send: RequestId) {
    let is_sending = |r: &Request| !r.done && matches!(r.kind, Kind::Send { .. });
    if !transfers.requests.get(send).is_ok_and(is_sending) {
        damaged(peer, "something about a message that is not being sent");
    }
}

/// A peer says what no rank says that runs this library undamaged: going on would spread it.
#[cold]
pub(crate) fn damaged(peer: usize, what: &str) -> ! {
    panic!("{DAMAGED}: rank {peer} of the node has sent {what}")
}

impl Transport for NodeTransport {
    type Peer = usize;

    #[inline(always)]
    fn send_now(
        &mut self,
        transfers: &mut Transfers,
        to: usize,
        envelope: &Envelope,
        data: &[u8],
    ) -> bool {
        let is_eager = self.is_eager(data.len(), data.as_ptr());
        let connection = &mut self.connections[to];
        if !is_eager {
            return self.send_in_long_packet(transfers, to, envelope, data)
                || self.send_in_fragments_now(transfers, to, envelope, data);
        }
        if !connection.backlog.is_empty()
            || !connection.pair.try_push(&packet::head(EAGER, envelope), data)
        {
            return false;
        }
        transfers.count_eager_sent(data.len());
        self.node.wake_for_short(to);
        true
    }

    fn send(
        &mut self,
        transfers: &mut Transfers,
        to: usize,
        envelope: Envelope,
        send: RequestId,
        mode: Mode,
    ) {
        let start = transfers.send_data(send).map_or(std::ptr::null(), <[u8]>::as_ptr);
        if !self.is_eager(transfers.send_bytes(send), start) {
            return self.send_long(transfers, to, envelope, send, mode);
        }
        if mode == Mode::Synchronous {
            return self.send_synchronous(transfers, to, envelope, send);
        }
        let head = packet::head(EAGER, &envelope);
        self.connections[to].backlog.push_back(Outgoing::Eager(head, send));
        self.flush(transfers, to);
    }

    /// In bounce buffers where that is faster and the sender is there, by single copy, alone or
    /// together with the sender, or else in bounce buffers.
    fn accept(
        &mut self,
        transfers: &mut Transfers,
        from: usize,
        envelope: &Envelope,
        rts: Rts,
        receive: RequestId,
    ) {
        if self.offer(transfers, receive, envelope, from, &rts) {
            return;
        }
        if !self.copy_together(transfers, receive, envelope, from, &rts) {
            self.copy_alone(transfers, receive, envelope, from, &rts);
        }
    }

    /// Rings have room of their own for each sender: there are no credits.
    fn consumed(&mut self, _: &mut Transfers, _: usize, _: u64) {}

    fn cancel(&mut self, transfers: &mut Transfers, to: usize, send: RequestId) {
        self.cancel_send(transfers, to, send);
    }

    fn is_flushed(&self) -> bool {
        let is_empty = |peer: &NodePeer| peer.backlog.iter().all(Outgoing::may_stay);
        self.fragment_streams.is_empty()
            && self.later.is_empty()
            && self.connections.iter().all(is_empty)
    }
}
