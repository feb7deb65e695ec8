//! Sends that nobody receives, at the end of MPI. A program with such is erroneous (MPI 5.0 section
//! 11.2.2), but MPICH and Open MPI let it end, and so do we: a rank that ends MPI while its sends
//! are not complete asks the ranks that they go to, again and again, to drop them. Those do so once
//! they end MPI, too, and post no receive any more. Only what has come before the request is
//! dropped: its sender may begin another session, and send again. A rank that has left MPI gets
//! nothing more.

use std::sync::atomic::{AtomicBool, Ordering};

use dunlin_base::Rank;
use dunlin_shm::RankState;
use dunlin_wire::MatchHeader;

use crate::matching::Envelope;
use crate::objects::process_table::Route;
use crate::p2p::awaited_acks::NO_ACK;
use crate::p2p::cancel::{CANCEL_REQUEST, EVERY_SEND};
use crate::p2p::inbound_transfer::InboundTransfer;
use crate::p2p::messages::Messages;
use crate::p2p::node::{NodeTransport, Outgoing};
use crate::p2p::packet::{self, CANCEL_REQ, Fin, NO_SPLIT};
use crate::p2p::remote::NetTransport;
use crate::p2p::request::{Kind, OpInfo, RequestId};
use crate::p2p::transfers::Transfers;
use crate::p2p::unexpected::Unexpected;

/// Whether this process ends MPI and posts no receive any more, in whatever VCI.
static IS_FINALIZING: AtomicBool = AtomicBool::new(false);

/// Says whether it does.
pub(crate) fn set_finalizing(is_finalizing: bool) {
    // Relaxed: what is received again is sent by ranks that have heard of this one since.
    IS_FINALIZING.store(is_finalizing, Ordering::Relaxed);
}

impl Transfers {
    /// A peer asks to drop what it has sent.
    #[cold]
    pub(crate) fn asked_to_drop(&mut self, from: Route) {
        // Relaxed: as above.
        if IS_FINALIZING.load(Ordering::Relaxed) {
            let mut dropped = self.take_unexpected_from(from);
            self.dropped.append(&mut dropped);
        }
    }

    /// The messages from this peer that no receive has matched.
    fn take_unexpected_from(&mut self, peer: Route) -> Vec<(Envelope, Unexpected)> {
        let Transfers { matching, inbound, .. } = self;
        matching.remove_all_matching(|message| match message {
            Unexpected::Whole { from, .. } | Unexpected::Rendezvous { from, .. } => *from == peer,
            Unexpected::Synchronous { peer: place, .. } | Unexpected::Held { peer: place, .. } => {
                Route::Node(*place) == peer
            }
            Unexpected::Coming { number, .. } => match inbound.get(*number) {
                Some(InboundTransfer::Staged(staged)) => staged.from == peer,
                _ => false,
            },
        })
    }
}

impl NodeTransport {
    fn ask_to_drop(&mut self, transfers: &mut Transfers, peer: usize) {
        let nobody = Envelope { context: CANCEL_REQUEST, source: 0, tag: 0 };
        let every = Fin { request: EVERY_SEND, split: NO_SPLIT, took_ns: 0 };
        let head = packet::head(CANCEL_REQ, &nobody);
        self.control(transfers, peer, dunlin_shm::cell::Packet { flags: NO_ACK, ..head }, &every);
    }

    /// Ends sends to a rank that has left MPI, and forgets what waits for room in the ring to it.
    /// If it comes back, it finds that they are cancelled before anything new. What it has taken
    /// before counts as received.
    fn end_sends_to_gone(&mut self, transfers: &mut Transfers, peer: usize, sends: &[RequestId]) {
        while self.take_from(transfers, peer) {}
        let is_pending = |id: &RequestId| transfers.requests.get(*id).is_ok_and(|r| !r.done);
        let sends: Vec<_> = sends.iter().copied().filter(is_pending).collect();
        sends.into_iter().for_each(|send| self.cancel_send(transfers, peer, send));
        self.connections[peer].backlog.retain(Outgoing::may_stay);
        self.fragment_streams.retain(|stream| stream.peer != peer);
        self.cancel_send_from_the_gone(transfers);
    }
}

impl NetTransport {
    fn ask_to_drop(&mut self, transfers: &mut Transfers, rank: Rank) {
        let head = MatchHeader { context: CANCEL_REQUEST, source: 0, tag: EVERY_SEND as i32 };
        self.net.endpoint().send_whole(rank, head, &[]);
        self.transmit(transfers);
    }
}

impl Messages {
    /// Drops what peers have asked to drop.
    pub(crate) fn drop_unreceived(&mut self) {
        while let Some((envelope, message)) = self.transfers.dropped.pop() {
            let receive = self.transfers.receive_nothing();
            self.deliver(receive, &envelope, message);
        }
    }

    /// Asks the ranks that sends in progress go to to drop them; `route` says where a send goes.
    #[cold]
    pub(crate) fn ask_to_drop(&mut self, route: impl Fn(&OpInfo) -> Option<Route>) {
        for peer in self.receivers(&route) {
            let Messages { transfers, node, net, .. } = self;
            match peer {
                Route::Myself => transfers.asked_to_drop(peer),
                Route::Node(place) => node.ask_to_drop(transfers, place),
                Route::Net(rank) => {
                    net.iter_mut().for_each(|net| net.ask_to_drop(transfers, rank));
                }
            }
        }
    }

    /// Ends sends to ranks of this node that have left MPI.
    #[cold]
    pub(crate) fn end_sends_to_the_gone(&mut self, route: impl Fn(&OpInfo) -> Option<Route>) {
        for peer in self.receivers(&route) {
            if let Route::Node(place) = peer {
                if self.has_left(place) {
                    let sends = self.sends_to(&route, peer);
                    self.node.end_sends_to_gone(&mut self.transfers, place, &sends);
                }
            }
        }
    }

    fn has_left(&self, peer: usize) -> bool {
        self.node.node.process(peer).state() == RankState::Finalized
    }

    /// The processes that sends in progress go to, or that packets wait for.
    fn receivers(&self, route: &impl Fn(&OpInfo) -> Option<Route>) -> Vec<Route> {
        let mut peers = Vec::new();
        let mut add = |peer| {
            if !peers.contains(&peer) {
                peers.push(peer);
            }
        };
        let NodeTransport { connections, fragment_streams, .. } = &self.node;
        let waits = |place: &usize| !connections[*place].backlog.is_empty();
        self.node.peers.iter().filter(|place| waits(place)).for_each(|&p| add(Route::Node(p)));
        fragment_streams.iter().for_each(|stream| add(Route::Node(stream.peer)));
        self.sends().filter_map(|(_, to)| route(to)).for_each(add);
        peers
    }

    fn sends_to(&self, route: &impl Fn(&OpInfo) -> Option<Route>, peer: Route) -> Vec<RequestId> {
        let goes = |&(_, to): &(RequestId, &OpInfo)| route(to) == Some(peer);
        self.sends().filter(goes).map(|(id, _)| id).collect()
    }

    /// Sends in progress, and where they go.
    pub(crate) fn sends(&self) -> impl Iterator<Item = (RequestId, &OpInfo)> {
        let pending = self.transfers.requests.pending();
        pending.filter(|(_, r)| matches!(r.kind, Kind::Send { .. })).map(|(id, r)| (id, &r.op_info))
    }
}
