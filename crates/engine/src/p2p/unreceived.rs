//! Sends that nobody receives, at `MPI_Finalize`. A program with such is erroneous (MPI 5.0 section
//! 11.2.2), but MPICH and Open MPI let it end, and so do we: a rank in `MPI_Finalize` whose sends
//! are not complete asks the ranks that they go to again and again to drop them. They do so once
//! they are in `MPI_Finalize`, too, where they post no receive any more. A rank that has left MPI
//! gets nothing more.

use dunlin_base::Rank;
use dunlin_shm::RankState;
use dunlin_wire::MatchHeader;

use crate::matching::Envelope;
use crate::objects::process_table::Route;
use crate::objects::status::Status;
use crate::p2p::awaited_acks::NO_ACK;
use crate::p2p::cancel::CANCEL_REQUEST;
use crate::p2p::inbound_transfer::InboundTransfer;
use crate::p2p::messages::Messages;
use crate::p2p::node::{NodeTransport, Outgoing};
use crate::p2p::packet::{self, CANCEL_REQ, Fin, NO_SPLIT, RELEASE};
use crate::p2p::remote::NetTransport;
use crate::p2p::request::{Kind, OpInfo, RequestId};
use crate::p2p::transfers::Transfers;
use crate::p2p::unexpected::Unexpected;

/// In a cancel request, in place of one send: every one that no receive has matched.
pub(crate) const EVERY_SEND: RequestId = RequestId::MAX;

impl Transfers {
    /// A peer asks to drop what it has sent.
    #[cold]
    pub(crate) fn asked_to_drop(&mut self, from: Route) {
        if self.is_finalizing && !self.to_drop.contains(&from) {
            self.to_drop.push(from);
        }
    }

    /// A message from this peer that no receive has matched.
    fn take_unexpected_from(&mut self, peer: Route) -> Option<(Envelope, Unexpected)> {
        let Transfers { matching, inbound, .. } = self;
        matching.remove_matching(|message| match message {
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

    /// Forgets what waits for room in the ring to a rank that has left MPI. What it has taken
    /// before counts as received.
    fn forget_gone(&mut self, transfers: &mut Transfers, peer: usize) {
        while self.take_from(transfers, peer) {}
        let is_release =
            |out: &Outgoing| matches!(out, Outgoing::Control(head, ..) if head.kind == RELEASE);
        self.connections[peer].backlog.retain(is_release);
        self.fragment_streams.retain(|stream| stream.peer != peer);
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
    /// Whether this rank is in `MPI_Finalize` and posts no receive any more.
    pub(crate) fn set_finalizing(&mut self, is_finalizing: bool) {
        if self.transfers.is_finalizing != is_finalizing {
            self.transfers.is_finalizing = is_finalizing;
            self.transfers.to_drop.clear();
        }
    }

    /// Drops what peers have asked to drop.
    pub(crate) fn drop_unreceived(&mut self) {
        while let Some(from) = self.transfers.to_drop.pop() {
            while let Some((envelope, message)) = self.transfers.take_unexpected_from(from) {
                let receive = self.transfers.receive_nothing();
                self.deliver(receive, &envelope, message);
            }
        }
    }

    /// Asks the ranks that sends in progress go to to drop them, and ends those to ranks that have
    /// left; `route` says where a send goes.
    #[cold]
    pub(crate) fn end_unreceived(&mut self, route: impl Fn(&OpInfo) -> Option<Route>) {
        for peer in self.receivers(&route) {
            match peer {
                Route::Myself => self.transfers.asked_to_drop(peer),
                Route::Net(rank) => {
                    let Messages { net, transfers, .. } = self;
                    net.iter_mut().for_each(|net| net.ask_to_drop(transfers, rank));
                }
                Route::Node(place) if self.has_left(place) => {
                    self.node.forget_gone(&mut self.transfers, place);
                    for send in self.sends_to(&route, peer) {
                        let acks = &mut self.node.connections[place].acks;
                        acks.take(acks.number_of(send));
                        self.transfers.requests.complete(send, Status::CANCELLED);
                    }
                }
                Route::Node(place) => self.node.ask_to_drop(&mut self.transfers, place),
            }
        }
        self.drop_unreceived();
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
