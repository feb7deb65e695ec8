//! One process of a job, and its peers on other nodes.

use std::collections::VecDeque;

use dunlin_base::Rank;
use dunlin_seal::Direction;

use crate::config::{Config, Nanos};
use crate::frame::{MatchHeader, RemoteKey, SEGMENT_BYTES, WHOLE_BYTES};
use crate::header::{HEADER_BYTES, Header, Kind};
use crate::peer::{Leaving, Peer};
use crate::prediction::Predicted;
use crate::sealing::{self, Credentials};
use crate::stats::Stats;
use crate::upper_layer::{PacketSink, UpperLayer};

/// One process. Memory for a peer is allocated when it is first used, and is bounded: packets kept
/// for retransmission, and messages kept for their turn, are at most a window of packets each;
/// eager messages that no receive has consumed, at most [`Config::eager_budget`] bytes, beyond
/// which 37 bytes a message are sent. What the upper layer keeps of a peer's messages is its own
/// affair.
#[derive(Debug)]
pub struct Endpoint {
    /// Packets are shorter here than on the fabric by the bytes that seal them.
    config: Config,
    trailer_bytes: usize,
    own: Credentials,
    me: Rank,
    peers: Vec<Option<Box<Peer>>>,
    /// Those that may have something to send, in turn.
    ready: VecDeque<Rank>,
    /// Those that may have deadlines, and the first of these.
    timed: Vec<Rank>,
    deadline: Nanos,
    /// Peers to which something has not left, or not arrived where that is known.
    unflushed: usize,
    /// Peers that have not sent a CTS for all that was announced to them.
    rts: usize,
    stats: Stats,
    leaving: Option<Leaving>,
    /// The rest of the last message is known to come over the second path.
    awaits_bulk: bool,
    /// What was decrypted last.
    scratch: Vec<u8>,
}

impl Endpoint {
    /// Process `me` of a job of `world` processes.
    pub fn new(mut config: Config, own: Credentials, me: Rank, world: u32) -> Self {
        assert!(config.is_sound() && me < world, "{config:?}, rank {me} of {world}");
        let security = own.keys.security();
        let trailer_bytes = if config.is_authenticated { 0 } else { security.trailer_bytes() };
        config.packet_bytes_max -= trailer_bytes;
        Endpoint {
            config,
            trailer_bytes,
            own,
            me,
            peers: (0..world).map(|_| None).collect(),
            ready: VecDeque::new(),
            timed: Vec::new(),
            deadline: Nanos::MAX,
            unflushed: 0,
            rts: 0,
            stats: Stats::default(),
            leaving: None,
            awaits_bulk: false,
            scratch: Vec::new(),
        }
    }

    /// Bytes of the largest message that fits into one packet.
    pub fn whole_bytes_max(&self) -> usize {
        self.config.packet_bytes_max - HEADER_BYTES - WHOLE_BYTES
    }

    /// Whether a message of `bytes` may be sent eagerly: whether the peer has consumed enough of
    /// those before. Otherwise it must go by rendezvous.
    pub fn may_send_eagerly(&self, to: Rank, bytes: u64) -> bool {
        match &self.peers[to as usize] {
            Some(peer) => peer.out.may_send_eagerly(bytes, &self.config),
            None => bytes < self.config.eager_budget.into(),
        }
    }

    /// Sends a message of at most [`Endpoint::whole_bytes_max`] bytes.
    pub fn send_whole(&mut self, to: Rank, head: MatchHeader, payload: &[u8]) {
        assert!(payload.len() <= self.whole_bytes_max(), "{} bytes in a packet", payload.len());
        self.peer(to).out.whole(head, payload);
        self.make_ready(to);
    }

    /// Sends a message of at most [`Endpoint::whole_bytes_max`] bytes in a packet that leaves now.
    /// False if something goes before it, or there is no room: then [`Endpoint::send_whole`].
    pub fn send_whole_now(
        &mut self,
        now: Nanos,
        to: Rank,
        message: (MatchHeader, &[u8]),
        out: &mut impl PacketSink,
    ) -> bool {
        let Some(peer) = &mut self.peers[to as usize] else { return false };
        if !peer.is_free(&self.config) {
            return false;
        }
        let Some(space) = out.space(to) else { return false };
        let space = &mut space[..self.config.packet_bytes_max + self.trailer_bytes];
        let len = peer.write_whole(now, self.me, &self.config, space, message);
        out.post(to, len);
        self.stats.sent += 1;
        self.note(to, now);
        true
    }

    /// Sends a message straight from its buffer, in one packet of the second path, if that takes it
    /// now. Otherwise it must be sent in fragments.
    pub fn send_long_now(
        &mut self,
        to: Rank,
        head: MatchHeader,
        payload: &[u8],
        out: &mut impl PacketSink,
    ) -> bool {
        let room = self.config.bulk_room(WHOLE_BYTES);
        let me = self.me;
        self.config.in_bulk(payload.len() as u64)
            && payload.len() <= room
            && self.peer(to).post_whole((me, to), head, payload, out)
    }

    /// Sends an eager message in fragments. [`UpperLayer::fill`] is called for `send` until
    /// [`UpperLayer::sent`].
    pub fn send_segments(&mut self, to: Rank, head: MatchHeader, bytes: u32, send: u32) {
        assert!(bytes > 0 && SEGMENT_BYTES + HEADER_BYTES < self.config.packet_bytes_max);
        let config = self.config;
        self.peer(to).out.segments(head, bytes, send, &config);
        self.make_ready(to);
    }

    /// Sends an RTS; the message goes when the peer sends a CTS, or the peer reads it itself if the
    /// RTS has a remote key; [`UpperLayer::sent`] ends it.
    pub fn rts(
        &mut self,
        to: Rank,
        head: MatchHeader,
        bytes: u64,
        send: u32,
        rkey: Option<RemoteKey>,
    ) {
        self.peer(to).out.rts(head, bytes, send, rkey);
        self.make_ready(to);
    }

    /// Sends a CTS for `wanted` bytes of a rendezvous message, whose fragments are to come as
    /// `receive`. With 0 the message is completed without data: there is no room for any of it, or
    /// it has been read.
    pub fn cts(&mut self, from: Rank, send: u32, receive: u32, wanted: u64) {
        let peer = self.peer(from);
        peer.incoming.matched();
        if wanted > 0 {
            peer.incoming.expect(receive, wanted);
        }
        peer.out.cts(send, receive, wanted);
        self.make_ready(from);
    }

    /// A receive has consumed an eager message of this many bytes, after
    /// [`crate::Consumed::Later`].
    pub fn taken(&mut self, from: Rank, bytes: u64) {
        let peer = self.peer(from);
        peer.incoming.matched();
        peer.incoming.take(bytes);
        self.make_ready(from);
    }

    /// Takes a packet from the fabric.
    pub fn on_packet(&mut self, now: Nanos, packet: &[u8], up: &mut impl UpperLayer) {
        self.on_packet_of(false, now, packet, up);
    }

    /// Takes a packet from the fabric's second path.
    pub fn on_bulk(&mut self, now: Nanos, packet: &[u8], up: &mut impl UpperLayer) {
        self.on_packet_of(true, now, packet, up);
    }

    /// What the next packet from a peer on the second path probably is.
    pub fn predicted<'a>(
        &'a self,
        from: Rank,
        up: &'a mut impl UpperLayer,
    ) -> Option<Predicted<'a>> {
        self.peers.get(from as usize)?.as_ref()?.incoming.predicted(up)
    }

    /// Whether the rest of the last message is known to come over the second path.
    pub fn awaits_bulk(&self) -> bool {
        self.awaits_bulk
    }

    /// Takes a predicted packet from the second path: the bytes before its data, which is at its
    /// destination already.
    pub fn on_placed(&mut self, now: Nanos, front: &[u8], up: &mut impl UpperLayer) {
        let mut unused = Vec::new();
        let Some((header, frame)) = self.admit(true, now, front, &mut unused) else { return };
        let mut stats = self.stats;
        self.peer(header.source).on_placed(now, &header, frame, up, &mut stats);
        self.awaits_bulk = false;
        self.stats = stats;
        self.note(header.source, now);
    }

    fn on_packet_of(&mut self, bulk: bool, now: Nanos, packet: &[u8], up: &mut impl UpperLayer) {
        let mut scratch = std::mem::take(&mut self.scratch);
        if let Some((header, body)) = self.admit(bulk, now, packet, &mut scratch) {
            let (config, mut stats) = (self.config, self.stats);
            let peer = self.peer(header.source);
            peer.on_packet(now, &header, body, &config, up, &mut stats);
            self.awaits_bulk = peer.incoming.awaits_bulk();
            self.stats = stats;
            self.note(header.source, now);
        }
        self.scratch = scratch;
    }

    /// The header of a packet of this job that is not a mere keep-alive, and the rest.
    fn admit<'a>(
        &mut self,
        bulk: bool,
        now: Nanos,
        packet: &'a [u8],
        scratch: &'a mut Vec<u8>,
    ) -> Option<(Header, &'a [u8])> {
        let read = Header::read(packet);
        // Without numbers duplicates would not be noticed: only where there are none.
        let Some((header, body)) = read.ok().filter(|(h, _)| (h.kind == Kind::Bulk) == bulk) else {
            self.stats.malformed += 1;
            return None;
        };
        let from = header.source;
        if from as usize >= self.peers.len() || from == self.me {
            self.stats.foreign += 1;
            return None;
        }
        if header.kind == Kind::Alive {
            self.on_alive(now, &header, packet);
            return None;
        }
        if bulk || self.config.is_authenticated {
            return Some((header, body));
        }
        let opened = match &self.peers[from as usize] {
            Some(peer) => sealing::open(&peer.seal_in, &header, packet, scratch),
            // Unauthenticated packets cost no memory.
            None => {
                let incarnation = self.own.incarnation;
                let direction = Direction { from, to: self.me, incarnation };
                sealing::open(&self.own.keys.seal(direction), &header, packet, scratch)
            }
        };
        self.stats.foreign += u64::from(opened.is_none());
        opened.map(|body| (header, body))
    }

    /// A keep-alive. Those of peers that we do not use cost no memory.
    fn on_alive(&mut self, now: Nanos, header: &Header, packet: &[u8]) {
        let Some(peer) = &mut self.peers[header.source as usize] else { return };
        match sealing::is_alive(&self.own, (header.source, self.me), header, packet) {
            true => {
                peer.on_alive(now, header.stamp);
                self.note(header.source, now);
            }
            false => self.stats.foreign += 1,
        }
    }

    /// Writes the packets that should leave now, as far as the fabric takes them. True if any did.
    pub fn transmit(
        &mut self,
        now: Nanos,
        out: &mut impl PacketSink,
        up: &mut impl UpperLayer,
    ) -> bool {
        let mut moved = false;
        for _ in 0..self.ready.len() {
            let Some(rank) = self.ready.pop_front() else { break };
            let Some(peer) = &mut self.peers[rank as usize] else { continue };
            peer.is_ready = false;
            peer.queue_end(&self.config, up);
            for _ in 0..self.config.burst {
                if !peer.wants_packet(now, &self.config) {
                    break;
                }
                if !self.config.is_authenticated && !peer.has_seal() {
                    let Some(incarnation) = out.incarnation(rank) else { break };
                    peer.make_seal(&self.own, self.me, rank, incarnation);
                }
                let Some(space) = out.space(rank) else { break };
                let space = &mut space[..self.config.packet_bytes_max + self.trailer_bytes];
                let len = peer.write(now, self.me, &self.config, space, up, &mut self.stats);
                out.post(rank, len);
                moved = true;
            }
            for _ in 0..self.config.burst {
                if peer.is_given_up() || !peer.post_bulk((self.me, rank), &self.config, out, up) {
                    break;
                }
                moved = true;
            }
            self.note(rank, now);
        }
        moved
    }

    /// Whether packets wait for [`Endpoint::transmit`].
    pub fn has_packets(&self) -> bool {
        !self.ready.is_empty()
    }

    /// When [`Endpoint::on_time`] should be called at the latest.
    pub fn next_timeout(&self) -> Option<Nanos> {
        (self.deadline != Nanos::MAX).then_some(self.deadline)
    }

    /// Time has passed.
    pub fn on_time(&mut self, now: Nanos, up: &mut impl UpperLayer) {
        if now < self.deadline {
            return;
        }
        self.deadline = Nanos::MAX;
        for rank in std::mem::take(&mut self.timed) {
            let Some(peer) = &mut self.peers[rank as usize] else { continue };
            peer.is_timed = false;
            if peer.on_time(now, &self.config) {
                up.lost(rank);
            }
            self.note(rank, now);
        }
    }

    /// Tells all peers that this process leaves MPI, after all that it has sent; `may_return`: it
    /// may come back, in another session.
    pub fn leave(&mut self, now: Nanos, may_return: bool) {
        self.leaving = Some(Leaving { since: now, may_return });
        for rank in 0..self.peers.len() as Rank {
            if let Some(peer) = &mut self.peers[rank as usize] {
                peer.incoming.part(true);
                peer.out.close();
                self.make_ready(rank);
            }
        }
    }

    /// This process, which has left, is back.
    pub fn come_back(&mut self) {
        self.leaving = None;
        self.peers.iter_mut().flatten().for_each(|peer| peer.incoming.part(false));
    }

    /// Whether a process that leaves may go: its peers leave too and know that it does, or those
    /// that do not need not.
    pub fn may_go(&self, now: Nanos) -> bool {
        let Some(leaving) = &self.leaving else { return false };
        self.peers.iter().flatten().all(|peer| peer.is_done(leaving, now, &self.config))
    }

    /// Whether a peer may still send or receive messages, because it has not announced that it
    /// leaves.
    pub fn expects_farewell(&self, peer: Rank) -> bool {
        let is_with_us = |peer: &Peer| !peer.is_lost && !peer.incoming.is_away();
        self.leaving.is_none() && self.peers[peer as usize].as_deref().is_some_and(is_with_us)
    }

    /// Whether everything sent has left, and has arrived where that can be known; a
    /// rendezvous message has when its RTS leaves. Peers that are lost do not count, nor farewells,
    /// for which [`Endpoint::may_go`] waits: the peer may be gone.
    pub fn is_flushed(&self) -> bool {
        self.unflushed == 0
    }

    /// Whether messages wait for a CTS.
    pub fn awaits_cts(&self) -> bool {
        self.rts > 0
    }

    /// Whether no message has arrived in part.
    pub fn is_idle(&self) -> bool {
        self.peers.iter().flatten().all(|peer| peer.incoming.is_idle())
    }

    /// Bytes of small frames that wait for a packet to a peer.
    pub fn queued(&self, to: Rank) -> usize {
        self.peers[to as usize].as_ref().map_or(0, |peer| peer.out.queued())
    }

    /// The counters.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The limits it was made with.
    pub fn config(&self) -> &Config {
        &self.config
    }

    fn peer(&mut self, rank: Rank) -> &mut Peer {
        let (own, me, config) = (&self.own, self.me, &self.config);
        assert!(rank != me, "rank {rank} sends itself a packet");
        let is_leaving = self.leaving.is_some();
        self.peers[rank as usize].get_or_insert_with(|| {
            let mut peer = Box::new(Peer::new(own, me, rank, config));
            if is_leaving {
                peer.incoming.part(true);
                peer.out.close();
            }
            peer
        })
    }

    fn make_ready(&mut self, rank: Rank) {
        let Some(peer) = &mut self.peers[rank as usize] else { return };
        if self.leaving.is_some() {
            // After an answer to a message that is cancelled, say, the peer takes it for back.
            peer.out.close();
        }
        if !peer.is_ready {
            peer.is_ready = true;
            self.ready.push_back(rank);
        }
        self.count(rank);
    }

    /// Counts a peer again, of which something may have left or arrived.
    fn count(&mut self, rank: Rank) {
        let Some(peer) = &mut self.peers[rank as usize] else { return };
        let unflushed = !peer.is_lost && peer.out.has_spoken() && !peer.out.is_flushed();
        let rts = !peer.is_lost && peer.out.awaits_cts();
        let before = std::mem::replace(&mut peer.counted, (unflushed, rts));
        self.unflushed = self.unflushed + usize::from(unflushed) - usize::from(before.0);
        self.rts = self.rts + usize::from(rts) - usize::from(before.1);
    }

    /// Something happened with a peer: it may want to send, or have a nearer deadline.
    fn note(&mut self, rank: Rank, now: Nanos) {
        let Some(peer) = &mut self.peers[rank as usize] else { return };
        if peer.wants_to_send(now, &self.config) && !peer.is_ready {
            peer.is_ready = true;
            self.ready.push_back(rank);
        }
        let deadline = peer.deadline(&self.config);
        if deadline != Nanos::MAX && !peer.is_timed {
            peer.is_timed = true;
            self.timed.push(rank);
        }
        self.deadline = self.deadline.min(deadline);
        self.count(rank);
    }
}
