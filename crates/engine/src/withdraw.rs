//! Cancelling what has been begun; MPI 5.0 section 3.8.4. A receive is taken back where it is
//! posted. A send that waits for its receive is taken back where its message waits: the sender asks
//! there, and if no receive has matched it, the message is dropped and the send completes as
//! cancelled. What the receiver has taken completes as if nothing had been asked.

use dunlin_base::Rank;
use dunlin_shm::RankState;
use dunlin_wire::Head;

use crate::matching::Envelope;
use crate::messages::{Messages, Outgoing, Route, Unexpected};
use crate::packet::{self, Done, NO_CLAIMS, WITHDRAW, WITHDRAWN};
use crate::reads::Pull;
use crate::request::{Kind, RequestId};
use crate::status::Status;

/// The context of a message between nodes that takes back what its tag, a send, has offered: it is
/// that of no communicator.
const WITHDRAWAL: u64 = u64::MAX;

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
            (Kind::Send { .. }, Some(route)) => self.withdraw(id, route),
            _ => {}
        }
    }

    fn withdraw(&mut self, id: RequestId, route: Route) {
        match route {
            Route::Myself => {
                let is_it = |m: &Unexpected| matches!(m, Unexpected::OwnOffer(send) if *send == id);
                if self.matching.withdraw(is_it).is_some() {
                    self.requests.complete(id, CANCELLED);
                }
            }
            Route::Node(peer) => self.withdraw_from(peer, id),
            Route::Net(to) => {
                let (context, tag) = (WITHDRAWAL, id as i32);
                self.net().endpoint().send_whole(to, Head { context, source: 0, tag }, &[]);
                self.transmit();
            }
        }
    }

    fn withdraw_from(&mut self, peer: usize, id: RequestId) {
        let backlog = &mut self.links[peer].backlog;
        let is_it = |out: &Outgoing| matches!(out, Outgoing::Eager(_, send) if *send == id);
        if let Some(at) = backlog.iter().position(is_it) {
            backlog.remove(at);
            return self.requests.complete(id, CANCELLED);
        }
        if std::mem::replace(&mut self.requests.own(id).withdrawing, true) {
            return;
        }
        let nobody = Envelope { context: WITHDRAWAL, source: 0, tag: 0 };
        let withdraw = Done { request: id, claims: NO_CLAIMS };
        self.control(peer, packet::head(WITHDRAW, &nobody), &withdraw);
        self.withdrawals.push((peer, id));
    }

    /// A peer of this node takes back what it has offered.
    pub(crate) fn on_withdraw(&mut self, peer: usize, asked: Done) {
        let is_it = |m: &Unexpected| {
            matches!(m, Unexpected::Offered { peer: from, offer }
                if *from == peer && offer.request == asked.request)
        };
        if let Some((envelope, Unexpected::Offered { offer, .. })) = self.matching.withdraw(is_it) {
            let done = Done { request: offer.request, claims: offer.claims };
            self.control(peer, packet::head(WITHDRAWN, &envelope), &done);
        }
    }

    /// What was taken back is dropped.
    pub(crate) fn on_withdrawn(&mut self, done: Done) {
        self.free_claims.give_back(done.claims);
        if self.is_withdrawing(done.request) {
            self.requests.complete(done.request, CANCELLED);
        }
    }

    fn is_withdrawing(&self, id: RequestId) -> bool {
        self.requests.get(id).is_ok_and(|request| request.withdrawing && !request.done)
    }

    /// A peer that has finalized answers no more, nor does it receive: what it was asked to give
    /// back is given back.
    #[cold]
    pub(crate) fn withdraw_from_the_gone(&mut self) -> bool {
        let mut withdrawals = std::mem::take(&mut self.withdrawals);
        let before = withdrawals.len();
        withdrawals.retain(|&(peer, id)| {
            if !self.is_withdrawing(id) {
                return false;
            }
            let is_gone = self.node.view(peer).state() == RankState::Finalized;
            if is_gone {
                self.requests.complete(id, CANCELLED);
            }
            !is_gone
        });
        let moved = withdrawals.len() < before;
        self.withdrawals = withdrawals;
        moved
    }

    /// Whether a message from another node is one that takes back what `from` has offered: then
    /// that is done.
    pub(crate) fn takes_back(&mut self, from: Rank, head: &Head) -> bool {
        if head.context != WITHDRAWAL {
            return false;
        }
        let is_it = |m: &Unexpected| {
            matches!(m, Unexpected::RemoteOffer { from: by, send, .. }
                if *by == from && *send == head.tag as u32)
        };
        if self.matching.withdraw(is_it).is_some() {
            let send = head.tag as u32;
            let receive = dunlin_wire::WITHDRAWN;
            self.remote.pulls.push(Pull { from, send, receive, wanted: 0 });
        }
        true
    }

    /// What another node was offered is taken back.
    pub(crate) fn remote_withdrawn(&mut self, send: RequestId) {
        self.remote.reads.sent(send);
        self.requests.complete(send, CANCELLED);
    }
}
