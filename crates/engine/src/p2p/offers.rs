//! Where a call of the kernel is slow, two copies through bounce buffers move a message sooner than
//! one by the kernel, but they take its sender: a sender that computes must not keep the receiver
//! waiting. So the receiver of a message offers (OFFER) that the sender sends it in bounce buffers.
//! A sender that waits takes the offer, and so does one that can send the whole message at once;
//! if it does not for a while, the receiver copies the message alone. Who of them does, the
//! message's work split decides, of one unit. Fragments must not come when the receiver is no
//! longer there: only one that waits makes an offer, and at the end of the wait it takes back those
//! that no sender has taken, and copies the messages.
//!
//! The sender needs the split until the receiver no longer looks at it (RELEASE). Its message may
//! have gone by then, and it may have left MPI: nobody waits until it takes a RELEASE.

use dunlin_base::single_copy::SingleCopy;
use dunlin_shm::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;
use dunlin_shm::work_split::{End, Next};

use crate::matching::Envelope;
use crate::p2p::arrival::Rts;
use crate::p2p::fragments::FragmentStream;
use crate::p2p::node::NodeTransport;
use crate::p2p::packet::{self, Cts, Fin, NO_SPLIT, OFFER, RELEASE};
use crate::p2p::request::RequestId;
use crate::p2p::transfers::Transfers;

/// For so many bytes of a message its receiver looks once whether the sender has taken the offer,
/// and for a short one as often as this: 30 ns each, together about half the time in which the
/// kernel copies the message.
const BYTES_PER_LOOK: usize = 1 << 10;
const LOOKS_MIN: usize = 64;

/// A message that its sender may send in bounce buffers, or else this rank copies.
#[derive(Debug)]
pub(crate) struct Offer {
    peer: usize,
    envelope: Envelope,
    receive: RequestId,
    rts: Rts,
    /// By which the fragments are placed.
    number: u32,
}

impl Offer {
    fn looks_max(&self) -> usize {
        (self.rts.bytes as usize / BYTES_PER_LOOK).max(LOOKS_MIN)
    }
}

impl NodeTransport {
    /// Offers the sender of a rendezvous message to send it in bounce buffers. False, without
    /// effect, where that is no gain.
    pub(crate) fn offer(
        &mut self,
        transfers: &mut Transfers,
        receive: RequestId,
        envelope: &Envelope,
        peer: usize,
        rts: &Rts,
    ) -> bool {
        let Some(rkey) = rts.rkey else { return false };
        let bytes = rts.bytes as usize;
        // Ranks that share a core cannot both copy.
        let is_gain = self.single_copy == SingleCopy::Long
            && self.waits
            && !self.shared_core
            && bytes > 0
            && rts.split() != NO_SPLIT
            && !self.node.maps(peer, rkey.address, bytes);
        if !is_gain {
            return false;
        }
        self.node.split(peer, rts.split() as usize).begin(0);
        let number = transfers.expect_fragments(receive, envelope, rts.bytes);
        let cts = Cts { request: rts.send, receiver: number, split: rts.split() };
        self.control(transfers, peer, packet::head(OFFER, envelope), &cts);
        if self.offers.is_empty() {
            self.looks = 0;
        }
        self.offers.push_back(Offer { peer, envelope: *envelope, receive, rts: *rts, number });
        true
    }

    /// Takes a receiver's offer, unless it has begun to copy, or this rank may leave MPI before it
    /// could send the whole message.
    pub(crate) fn on_offer(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        cts: Cts,
    ) {
        let is_now = || {
            let room = self.holders.room(self.node) * BOUNCE_BUFFER_DATA_BYTES;
            self.fragment_streams.is_empty() && transfers.send_bytes(cts.request) <= room
        };
        let split = self.node.split(self.node.me(), cts.split as usize);
        if !(self.waits || is_now()) {
            return;
        }
        if split.next(End::Back, 0, 1, |_| 1) == Next::Leave {
            return;
        }
        let (send, receive) = (cts.request, cts.receiver);
        self.fragment_streams.push_back(FragmentStream { peer, envelope, send, receive, sent: 0 });
        self.feed_streams(transfers);
    }

    /// The receiver no longer looks at the split.
    pub(crate) fn on_release(&mut self, fin: Fin) {
        self.free_splits.give_back(fin.split);
    }

    /// Looks whether the oldest offer was taken; copies the message if it was not for long. True
    /// until it is decided.
    pub(crate) fn look_at_offers(&mut self, transfers: &mut Transfers) -> bool {
        let Some(offer) = self.offers.front() else { return false };
        self.looks += 1;
        let is_late = !self.waits || self.looks >= offer.looks_max();
        let split = self.node.split(offer.peer, offer.rts.split() as usize);
        if split.is_untouched() && !is_late {
            return true;
        }
        self.looks = 0;
        let Some(offer) = self.offers.pop_front() else { return false };
        if split.next(End::Front, 0, 1, |_| 1) == Next::Leave {
            self.release(transfers, &offer);
        } else {
            self.copy_offered(transfers, &offer);
        }
        true
    }

    fn copy_offered(&mut self, transfers: &mut Transfers, offer: &Offer) {
        let Offer { peer, envelope, receive, rts, number, .. } = offer;
        transfers.inbound.remove(*number);
        if self.copy_from_peer(transfers, *receive, *peer, rts) {
            self.fin(transfers, *peer, envelope, rts);
            transfers.received(*receive, envelope, rts.bytes);
        } else {
            self.cts(transfers, *peer, envelope, rts, *receive);
        }
    }

    fn release(&mut self, transfers: &mut Transfers, offer: &Offer) {
        let fin = Fin { request: offer.rts.send, split: offer.rts.split() };
        self.control(transfers, offer.peer, packet::head(RELEASE, &offer.envelope), &fin);
    }

    /// A fragment has come: if its sender has taken an offer, that is settled. Its sender is inside
    /// MPI, and comes to its other messages in turn.
    #[inline]
    pub(crate) fn settle_offer(&mut self, transfers: &mut Transfers, number: u32) {
        self.looks = 0;
        let is_it = |offer: &Offer| offer.number == number;
        if let Some(place) = self.offers.iter().position(is_it) {
            if let Some(offer) = self.offers.remove(place) {
                self.release(transfers, &offer);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::p2p::messages::Messages;
    use crate::p2p::messages_tests::settle;
    use crate::p2p::messages_tests::{bytes, done, messages, pair, receive, segments_of, send};
    use crate::p2p::request::Mode;
    use dunlin_shm::job_map::Job;
    use dunlin_shm::layout::{BOUNCE_BUFFERS_PER_RANK, SPLITS_PER_RANK};

    /// A message that was offered to its sender, which has not seen that.
    fn offered(len: usize) -> (Messages, Messages, Vec<u8>, Vec<u8>, [RequestId; 2]) {
        let (mut a, mut b) = pair(SingleCopy::Long);
        let (mut out, mut into) = (bytes(len), vec![0; len]);
        let sent = send(&mut a, 1, 3, &mut out, Mode::Standard);
        let received = receive(&mut b, None, &mut into);
        assert!(b.progress_awaited() && b.node.offers.len() == 1);
        (a, b, out, into, [sent, received])
    }

    #[test]
    fn a_sender_that_waits_takes_the_offer() {
        let (mut a, mut b, out, into, [sent, received]) = offered(300_000);
        a.progress_awaited();
        assert!(a.transfers.requests.is_done(sent) && into.iter().all(|&b| b == 0));
        settle(&mut a, &mut b);
        done(&mut a, sent);
        assert_eq!(done(&mut b, received).bytes, 300_000);
        assert!(out == into && b.node.offers.is_empty());
        assert_eq!(a.node.free_splits.count(), SPLITS_PER_RANK);
    }

    /// Within a call such as `MPI_Test`: the sender may not come back for long.
    #[test]
    fn a_sender_that_does_not_wait_takes_what_it_can_send_at_once() {
        for (len, takes) in [(300_000, true), (3_000_000, false)] {
            let (mut a, mut b, out, into, [sent, received]) = offered(len);
            a.progress();
            assert_eq!(a.transfers.requests.is_done(sent), takes);
            while !b.transfers.requests.is_done(received) {
                b.progress_awaited();
            }
            assert!(out == into);
            settle(&mut a, &mut b);
            done(&mut a, sent);
            assert_eq!(a.node.free_splits.count(), SPLITS_PER_RANK);
        }
    }

    #[test]
    fn a_wait_that_ends_before_the_message_has_come_leaves_no_offer() {
        let (mut a, mut b, out, into, [sent, received]) = offered(300_000);
        b.settle_offers();
        assert!(!b.has_offers() && out == into);
        done(&mut b, received);
        a.progress_awaited();
        done(&mut a, sent);
        assert_eq!(a.node.free_splits.count(), SPLITS_PER_RANK);
    }

    #[test]
    fn where_the_sender_computes_the_receiver_copies_alone() {
        let (mut a, mut b, out, into, [sent, received]) = offered(300_000);
        for _ in 0..300_000 / BYTES_PER_LOOK {
            b.progress_awaited();
        }
        assert_eq!(done(&mut b, received).bytes, 300_000);
        assert!(out == into && !a.transfers.requests.is_done(sent));
        settle(&mut a, &mut b);
        done(&mut a, sent);
        assert_eq!(a.node.free_splits.count(), SPLITS_PER_RANK);
    }

    /// Ranks of a node whose rings are short.
    const CROWD: usize = 33;

    #[test]
    fn the_receiver_need_not_wait_until_a_sender_that_has_left_takes_its_last_packets() {
        let job = Job::on_one_node("here", CROWD);
        let mut ranks = segments_of(&job).into_iter().take(2).zip(0..);
        let mut join = || ranks.next().map(|(s, me)| messages(s, me, SingleCopy::Long)).unwrap();
        let (mut a, mut b) = (join(), join());
        let mut out = vec![bytes(10_000); 2 * CROWD];
        let mut into = vec![vec![0; 10_000]; 2 * CROWD];
        let sent: Vec<_> =
            out.iter_mut().map(|out| send(&mut a, 1, 3, out, Mode::Standard)).collect();
        let received: Vec<_> = into.iter_mut().map(|into| receive(&mut b, None, into)).collect();
        // The sender takes all offers, but has no bounce buffer yet.
        let fill = |number| assert!(a.node.node.fill_bounce_buffer(number, |_| ()));
        (0..BOUNCE_BUFFERS_PER_RANK).for_each(fill);
        while a.node.fragment_streams.len() < sent.len() {
            b.progress_awaited();
            a.progress_awaited();
        }
        (0..BOUNCE_BUFFERS_PER_RANK)
            .for_each(|number| assert!(b.node.node.read_bounce_buffer(0, number, 0, |_| ())));
        // From here on, it takes no more packets.
        while received.iter().any(|&id| !b.transfers.requests.is_done(id)) {
            a.node.feed_streams(&mut a.transfers);
            b.progress_awaited();
        }
        assert!(sent.iter().all(|&id| a.transfers.requests.is_done(id)) && out == into);
        assert!(!b.node.connections[0].backlog.is_empty() && b.is_flushed());
    }
}
