//! Cancelling sends; MPI 5.0 section 3.8.4. The sender sends a cancel request to the rank where its
//! RTS, or its short message in synchronous mode, waits. If no receive has matched it, that rank
//! drops it and answers, and the send completes as cancelled. Otherwise the send completes as
//! usual.

use dunlin_base::Rank;
use dunlin_shm::RankState;
use dunlin_shm::cell::Packet;
use dunlin_wire::MatchHeader;

use crate::matching::Envelope;
use crate::objects::process_table::Route;
use crate::objects::status::Status;
use crate::p2p::awaited_acks::NO_ACK;
use crate::p2p::messages::Messages;
use crate::p2p::node::{NodePeer, NodeTransport, Outgoing};
use crate::p2p::packet::{self, CANCEL_REQ, CANCEL_RESP, Fin, NO_SPLIT};
use crate::p2p::remote::{NetTransport, Outbox};
use crate::p2p::request::{Kind, Request, RequestId};
use crate::p2p::rma_reads::PendingCts;
use crate::p2p::transfers::Transfers;

/// The context of a cancel request between nodes, whose tag is the send request: no communicator
/// has this context.
pub(crate) const CANCEL_REQUEST: u64 = u64::MAX;
/// In a cancel request, in place of one send: every one that no receive has matched.
pub(crate) const EVERY_SEND: RequestId = RequestId::MAX;

impl Transfers {
    fn is_cancelling(&self, id: RequestId) -> bool {
        self.requests.get(id).is_ok_and(|request| request.cancelling && !request.done)
    }
}

impl Messages {
    /// Cancels a posted receive; false if this is none, or a message has matched it.
    #[inline]
    pub(crate) fn cancel_posted(&mut self, id: RequestId) -> bool {
        let Transfers { requests, matching, .. } = &mut self.transfers;
        let place = match requests.get(id) {
            Ok(&Request { kind: Kind::Receive { posted: Some(place), .. }, .. }) => place,
            _ => return false,
        };
        let is_posted = matching.cancel(place).is_some();
        if is_posted {
            requests.complete(id, Status::CANCELLED);
        }
        is_posted
    }
}

impl NodeTransport {
    pub(crate) fn cancel_send(&mut self, transfers: &mut Transfers, peer: usize, id: RequestId) {
        let NodePeer { backlog, acks, .. } = &mut self.connections[peer];
        let number = acks.number_of(id);
        let is_it = |out: &Outgoing| matches!(out, Outgoing::Eager(_, send) if *send == id);
        if let Some(at) = backlog.iter().position(is_it) {
            backlog.remove(at);
            acks.take(number);
            return transfers.requests.complete(id, Status::CANCELLED);
        }
        if std::mem::replace(&mut transfers.requests.own(id).cancelling, true) {
            return;
        }
        let nobody = Envelope { context: CANCEL_REQUEST, source: 0, tag: 0 };
        let request = Fin { request: id, split: NO_SPLIT, took_ns: 0 };
        let head = Packet { flags: number, ..packet::head(CANCEL_REQ, &nobody) };
        self.control(transfers, peer, head, &request);
        self.cancel_requests.push((peer, id));
    }

    /// A peer cancels a send: drops its RTS or its message, if no receive has matched it.
    pub(crate) fn on_cancel_req(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        number: u8,
        asked: Fin,
    ) {
        if asked.request == EVERY_SEND {
            return transfers.asked_to_drop(Route::Node(peer));
        }
        let dropped = if number == NO_ACK {
            let dropped = transfers.withdraw_rts(Route::Node(peer), asked.request);
            dropped.map(|(envelope, rts)| (envelope, rts.split()))
        } else {
            transfers.withdraw_sync(peer, number).map(|envelope| (envelope, NO_SPLIT))
        };
        if let Some((envelope, split)) = dropped {
            let head = Packet { flags: number, ..packet::head(CANCEL_RESP, &envelope) };
            self.control(transfers, peer, head, &Fin { split, ..asked });
        }
    }

    /// The peer has dropped the RTS or the message of a cancelled send.
    pub(crate) fn on_cancel_resp(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        number: u8,
        fin: Fin,
    ) {
        self.free_splits.give_back(fin.split);
        self.connections[peer].acks.take(number);
        if transfers.is_cancelling(fin.request) {
            transfers.requests.complete(fin.request, Status::CANCELLED);
        }
    }

    /// Completes cancel requests to peers that have finalized: they neither answer nor receive.
    #[cold]
    pub(crate) fn cancel_send_from_the_gone(&mut self, transfers: &mut Transfers) -> bool {
        let mut cancel_requests = std::mem::take(&mut self.cancel_requests);
        let before = cancel_requests.len();
        cancel_requests.retain(|&(peer, id)| {
            if !transfers.is_cancelling(id) {
                return false;
            }
            let is_gone = self.node.process(peer).state() == RankState::Finalized;
            if is_gone {
                // Its last packets may say that it has received the message.
                while self.take_from(transfers, peer) {}
            }
            if is_gone && transfers.is_cancelling(id) {
                // If it comes back, its answer has the number of the acknowledgement.
                transfers.requests.complete(id, Status::CANCELLED);
            }
            !is_gone
        });
        let moved = cancel_requests.len() < before;
        self.cancel_requests = cancel_requests;
        moved
    }
}

impl NetTransport {
    pub(crate) fn cancel_send(&mut self, transfers: &mut Transfers, to: Rank, id: RequestId) {
        let (context, tag) = (CANCEL_REQUEST, id as i32);
        self.net.endpoint().send_whole(to, MatchHeader { context, source: 0, tag }, &[]);
        self.transmit(transfers);
    }
}

impl Outbox {
    /// Whether a message from another node is a cancel request; if so, serves it.
    pub(crate) fn takes_back(
        &mut self,
        transfers: &mut Transfers,
        from: Rank,
        head: &MatchHeader,
    ) -> bool {
        if head.context != CANCEL_REQUEST {
            return false;
        }
        let send = head.tag as u32;
        if send == EVERY_SEND {
            transfers.asked_to_drop(Route::Net(from));
        } else if transfers.withdraw_rts(Route::Net(from), send).is_some() {
            let receive = dunlin_wire::CANCELLED;
            self.pending_cts.push(PendingCts { from, send, receive, wanted: 0 });
        }
        true
    }
}
