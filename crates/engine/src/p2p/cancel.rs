//! Cancelling sends; MPI 5.0 section 3.8.4. The sender sends a cancel request to the rank where its
//! RTS waits. If no receive has matched the RTS, that rank drops it and answers, and the send
//! completes as cancelled. Otherwise the send completes as usual.

use dunlin_base::Rank;
use dunlin_shm::RankState;
use dunlin_wire::MatchHeader;

use crate::matching::Envelope;
use crate::objects::process_table::Route;
use crate::objects::status::Status;
use crate::p2p::node::{NodeTransport, Outgoing};
use crate::p2p::packet::{self, CANCEL_REQ, CANCEL_RESP, Fin, NO_SPLIT};
use crate::p2p::remote::{NetTransport, Outbox};
use crate::p2p::request::RequestId;
use crate::p2p::rma_reads::PendingCts;
use crate::p2p::transfers::Transfers;

/// The context of a cancel request between nodes, whose tag is the send request: no communicator
/// has this context.
const CANCEL_REQUEST: u64 = u64::MAX;

impl Transfers {
    fn is_cancelling(&self, id: RequestId) -> bool {
        self.requests.get(id).is_ok_and(|request| request.cancelling && !request.done)
    }
}

impl NodeTransport {
    pub(crate) fn cancel_send(&mut self, transfers: &mut Transfers, peer: usize, id: RequestId) {
        let backlog = &mut self.connections[peer].backlog;
        let is_it = |out: &Outgoing| matches!(out, Outgoing::Eager(_, send) if *send == id);
        if let Some(at) = backlog.iter().position(is_it) {
            backlog.remove(at);
            return transfers.requests.complete(id, Status::CANCELLED);
        }
        if std::mem::replace(&mut transfers.requests.own(id).cancelling, true) {
            return;
        }
        let nobody = Envelope { context: CANCEL_REQUEST, source: 0, tag: 0 };
        let request = Fin { request: id, split: NO_SPLIT };
        self.control(transfers, peer, packet::head(CANCEL_REQ, &nobody), &request);
        self.cancel_requests.push((peer, id));
    }

    /// A peer cancels a send: drops its RTS, if no receive has matched it.
    pub(crate) fn on_cancel_req(&mut self, transfers: &mut Transfers, peer: usize, asked: Fin) {
        if let Some((envelope, rts)) = transfers.withdraw_rts(Route::Node(peer), asked.request) {
            let fin = Fin { request: rts.send, split: rts.split() };
            self.control(transfers, peer, packet::head(CANCEL_RESP, &envelope), &fin);
        }
    }

    /// The peer has dropped the RTS of a cancelled send.
    pub(crate) fn on_cancel_resp(&mut self, transfers: &mut Transfers, fin: Fin) {
        self.free_splits.give_back(fin.split);
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
        if transfers.withdraw_rts(Route::Net(from), send).is_some() {
            let receive = dunlin_wire::CANCELLED;
            self.pending_cts.push(PendingCts { from, send, receive, wanted: 0 });
        }
        true
    }
}
