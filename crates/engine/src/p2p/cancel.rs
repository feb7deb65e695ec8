//! Cancelling what has been begun; MPI 5.0 section 3.8.4. A receive is taken back where it is
//! posted. A send that waits for its receive is taken back where its message waits: the sender asks
//! there, and if no receive has matched it, the message is dropped and the send completes as
//! cancelled. What the receiver has taken completes as if nothing had been asked.

use dunlin_base::Rank;
use dunlin_shm::RankState;
use dunlin_wire::MatchHeader;

use crate::matching::Envelope;
use crate::objects::status::Status;
use crate::p2p::inbound_transfer::PendingCts;
use crate::p2p::messages::{Messages, Outgoing, Route, Unexpected};
use crate::p2p::packet::{self, CANCEL_REQ, CANCEL_RESP, Fin, NO_SPLIT};
use crate::p2p::request::{Kind, RequestId};

/// The context of a message between nodes that takes back what its tag, a send, has announced: it
/// is that of no communicator.
const CANCEL_REQUEST: u64 = u64::MAX;

const CANCELLED: Status = Status { cancelled: true, ..Status::EMPTY };

impl Messages {
    /// Takes back what has met nothing: it completes as cancelled, at once or when the peer that
    /// has the message says so.
    pub fn cancel(&mut self, id: RequestId, route: Option<Route>) {
        let Ok(request) = self.requests.get(id) else { return };
        match (&request.kind, route) {
            _ if request.done => {}
            (Kind::Receive { posted: Some(place), .. }, _) => {
                let taken_back = self.matching.cancel(*place);
                if taken_back.is_some() {
                    self.requests.complete(id, CANCELLED);
                }
            }
            (Kind::Send { .. }, Some(route)) => self.cancel_send(id, route),
            _ => {}
        }
    }

    fn cancel_send(&mut self, id: RequestId, route: Route) {
        match route {
            Route::Myself => {
                let is_it =
                    |m: &Unexpected| matches!(m, Unexpected::OwnRendezvous(send) if *send == id);
                if self.matching.remove_matching(is_it).is_some() {
                    self.requests.complete(id, CANCELLED);
                }
            }
            Route::Node(peer) => self.cancel_send_from(peer, id),
            Route::Net(to) => {
                let (context, tag) = (CANCEL_REQUEST, id as i32);
                self.net().endpoint().send_whole(to, MatchHeader { context, source: 0, tag }, &[]);
                self.transmit();
            }
        }
    }

    fn cancel_send_from(&mut self, peer: usize, id: RequestId) {
        let backlog = &mut self.node_peers[peer].backlog;
        let is_it = |out: &Outgoing| matches!(out, Outgoing::Eager(_, send) if *send == id);
        if let Some(at) = backlog.iter().position(is_it) {
            backlog.remove(at);
            return self.requests.complete(id, CANCELLED);
        }
        if std::mem::replace(&mut self.requests.own(id).cancelling, true) {
            return;
        }
        let nobody = Envelope { context: CANCEL_REQUEST, source: 0, tag: 0 };
        let cancel_send = Fin { request: id, split: NO_SPLIT };
        self.control(peer, packet::head(CANCEL_REQ, &nobody), &cancel_send);
        self.cancel_requests.push((peer, id));
    }

    /// A peer of this node takes back what it has announced.
    pub(crate) fn on_cancel_req(&mut self, peer: usize, asked: Fin) {
        let is_it = |m: &Unexpected| {
            matches!(m, Unexpected::Rendezvous { peer: from, rts }
                if *from == peer && rts.request == asked.request)
        };
        if let Some((envelope, Unexpected::Rendezvous { rts, .. })) =
            self.matching.remove_matching(is_it)
        {
            let done = Fin { request: rts.request, split: rts.split };
            self.control(peer, packet::head(CANCEL_RESP, &envelope), &done);
        }
    }

    /// What was taken back is dropped.
    pub(crate) fn on_cancel_resp(&mut self, done: Fin) {
        self.free_splits.give_back(done.split);
        if self.is_cancelling(done.request) {
            self.requests.complete(done.request, CANCELLED);
        }
    }

    fn is_cancelling(&self, id: RequestId) -> bool {
        self.requests.get(id).is_ok_and(|request| request.cancelling && !request.done)
    }

    /// A peer that has finalized answers no more, nor does it receive: what it was asked to give
    /// back is given back.
    #[cold]
    pub(crate) fn cancel_send_from_the_gone(&mut self) -> bool {
        let mut cancel_requests = std::mem::take(&mut self.cancel_requests);
        let before = cancel_requests.len();
        cancel_requests.retain(|&(peer, id)| {
            if !self.is_cancelling(id) {
                return false;
            }
            let is_gone = self.node.view(peer).state() == RankState::Finalized;
            if is_gone {
                // It may have received the message and said so just before it finalized.
                while self.take_from(peer) {}
            }
            if is_gone && self.is_cancelling(id) {
                self.requests.complete(id, CANCELLED);
            }
            !is_gone
        });
        let moved = cancel_requests.len() < before;
        self.cancel_requests = cancel_requests;
        moved
    }

    /// Whether a message from another node is one that takes back what `from` has announced: then
    /// that is done.
    pub(crate) fn takes_back(&mut self, from: Rank, head: &MatchHeader) -> bool {
        if head.context != CANCEL_REQUEST {
            return false;
        }
        let is_it = |m: &Unexpected| {
            matches!(m, Unexpected::RemoteRendezvous { from: by, send, .. }
                if *by == from && *send == head.tag as u32)
        };
        if self.matching.remove_matching(is_it).is_some() {
            let send = head.tag as u32;
            let receive = dunlin_wire::CANCELLED;
            self.remote.pending_cts.push(PendingCts { from, send, receive, wanted: 0 });
        }
        true
    }

    /// What another node was announced is taken back.
    pub(crate) fn remote_cancelled(&mut self, send: RequestId) {
        self.remote.reads.sent(send);
        self.requests.complete(send, CANCELLED);
    }
}
