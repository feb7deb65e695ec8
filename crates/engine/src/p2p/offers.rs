//! Where a call of the kernel is slow, two copies through bounce buffers move a message sooner than
//! one by the kernel, but they take its sender: a sender that computes must not keep the receiver
//! waiting. So the receiver of a message offers (OFFER) that the sender sends it in bounce buffers.
//! A sender that is inside MPI takes the fragments from the front of the message's work split, each
//! when it has a bounce buffer for it. If none comes for a while, the receiver takes all that are
//! left and copies them alone. Nor must a receiver that computes keep the sender waiting: one that
//! makes an offer does not leave MPI before all that stand are done. It waits, or it begins to
//! receive what has come before, and the sender waits.
//!
//! If the receiver has taken a part, the rank that finishes last knows it: the sender completes its
//! send itself, or the receiver sends FIN. Else the sender needs the split until the receiver no
//! longer looks at it (RELEASE). Its message may have gone by then, and it may have left MPI:
//! nobody waits until it takes a RELEASE.

use std::ops::Range;

use dunlin_base::single_copy::SingleCopy;
use dunlin_shm::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;
use dunlin_shm::work_split::{End, Next, UNITS_MAX, WorkSplit};

use crate::matching::Envelope;
use crate::objects::status::Status;
use crate::p2p::arrival::Rts;
use crate::p2p::fragments::{FragmentStream, fragments};
use crate::p2p::inbound_transfer::Offer;
use crate::p2p::node::{NodeTransport, damaged};
use crate::p2p::packet::{self, CTS, Cts, Fin, NO_SPLIT, OFFER, RELEASE};
use crate::p2p::request::RequestId;
use crate::p2p::transfers::Transfers;

/// For so many bytes of a message its receiver looks once whether a fragment has come, and for a
/// short one as often as this: 30 ns each where it has one peer, together about half the time in
/// which the kernel copies the message.
const BYTES_PER_LOOK: usize = 1 << 10;
const LOOKS_MIN: usize = 64;
/// So many times longer a receiver with one offer looks whose sender waits inside MPI: that may
/// itself copy a message alone. If both give up as soon as the other does so, each waits for the
/// other's kernel, again and again: 64 KiB both ways then take 6.2 instead of 2.7 us. With more
/// offers, the sender has enough to do.
const PATIENCE: usize = 16;
/// So many more peers make a look take twice as long: a round of progress takes 13 ns with one
/// peer, 62 with 8, and 178 with 32.
const PEERS_PER_LOOK: usize = 4;

/// How often a receiver looks in vain for a fragment of an offered message before it gives up.
fn looks_max(offer: &Offer) -> usize {
    (offer.rts.bytes as usize / BYTES_PER_LOOK).max(LOOKS_MIN)
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
            && !rts.by_kernel
            && bytes > 0
            && bytes.div_ceil(BOUNCE_BUFFER_DATA_BYTES) <= UNITS_MAX as usize
            && rts.split() != NO_SPLIT
            && !self.node.maps(peer, rkey.address, bytes);
        if !is_gain {
            return false;
        }
        self.node.split(peer, rts.split() as usize).begin(0);
        let number = transfers.expect_fragments(receive, envelope, rts.bytes);
        let (split, is_timed) = (rts.split(), rts.is_timed);
        let cts = Cts { request: rts.send, receiver: number, split, first: 0, is_timed };
        self.control(transfers, peer, packet::head(OFFER, envelope), &cts);
        if self.offers.is_empty() {
            self.looks = 0;
        }
        self.offers_made += 1;
        let (envelope, serial) = (*envelope, self.offers_made);
        self.offers.push_back(Offer { peer, envelope, receive, rts: *rts, number, serial });
        true
    }

    /// Whether this offer is the only one, and its sender waits inside MPI.
    fn may_expect(&self, offer: &Offer) -> bool {
        self.offers.len() == 1 && self.node.view(offer.peer).is_waiting()
    }

    /// The same of the oldest offer, if it is among this rank's first `serial` ones.
    pub(crate) fn may_expect_up_to(&self, serial: u64) -> bool {
        self.offers.front().is_some_and(|offer| offer.serial <= serial && self.may_expect(offer))
    }

    /// Takes a receiver's offer.
    pub(crate) fn on_offer(&mut self, peer: usize, envelope: Envelope, cts: Cts) {
        let (send, receive, split) = (cts.request, cts.receiver, Some(cts.split));
        let stream = FragmentStream::new(peer, envelope, send, receive, 0);
        let stream = FragmentStream { split, is_timed: cts.is_timed, ..stream };
        // Progress feeds it when it has taken what came with the offer: the peer may wait for an
        // offer of ours.
        self.fragment_streams.push_back(stream);
    }

    /// Takes the next fragment of a message that goes out. False if that is over: this rank has
    /// found all finished, or the receiver will.
    pub(crate) fn takes_fragment(
        &mut self,
        transfers: &mut Transfers,
        stream: &FragmentStream,
    ) -> bool {
        let Some((number, split)) = self.own_split(stream) else { return true };
        let total = fragments(transfers.send_bytes(stream.send) as u64);
        match split.next(End::Front, u32::from(stream.sent > 0), total, |_| 1) {
            Next::Copy(_) => return true,
            Next::Leave => {}
            Next::Complete => {
                let [_, of_receiver] = split.taken();
                if of_receiver > 0 {
                    self.free_splits.give_back(number);
                }
                transfers.requests.complete(stream.send, Status::EMPTY);
            }
        }
        false
    }

    /// Whether a message goes out of which nothing is left to take.
    pub(crate) fn is_all_taken(&self, transfers: &Transfers, stream: &FragmentStream) -> bool {
        let total = fragments(transfers.send_bytes(stream.send) as u64);
        self.own_split(stream).is_some_and(|(_, split)| split.taken().iter().sum::<u32>() >= total)
    }

    fn own_split(&self, stream: &FragmentStream) -> Option<(u32, &'static WorkSplit)> {
        stream.split.map(|number| (number, self.node.split(self.node.me(), number as usize)))
    }

    /// No more fragments of the message with this split go out.
    pub(crate) fn end_stream(&mut self, split: u32) -> Option<FragmentStream> {
        let place = self.fragment_streams.iter().position(|stream| stream.split == Some(split))?;
        self.fragment_streams.remove(place)
    }

    /// The receiver no longer looks at the split, and has taken nothing.
    pub(crate) fn on_release(&mut self, transfers: &mut Transfers, peer: usize, fin: Fin) {
        if let Some(stream) = self.end_stream(fin.split) {
            if stream.sent < transfers.send_bytes(stream.send) {
                damaged(peer, "the end of a message that has not gone");
            }
            transfers.requests.complete(stream.send, Status::EMPTY);
        }
        self.free_splits.give_back(fin.split);
    }

    /// Looks whether the sender of the oldest offer is away, or this rank about to be: then copies
    /// what is left of the message. True while there was an offer.
    pub(crate) fn look_at_offers(&mut self, transfers: &mut Transfers) -> bool {
        let Some(offer) = self.offers.front() else { return false };
        self.looks += self.peers.len().div_ceil(PEERS_PER_LOOK);
        let enough = looks_max(offer);
        let is_hopeful =
            self.looks < enough || self.looks < PATIENCE * enough && self.may_expect(offer);
        if is_hopeful && self.waits {
            return true;
        }
        self.looks = 0;
        let Some(offer) = self.offers.pop_front() else { return false };
        let split = self.node.split(offer.peer, offer.rts.split() as usize);
        match split.next(End::Back, 0, fragments(offer.rts.bytes), |left| left.units) {
            Next::Copy(units) => self.copy_offered(transfers, &offer, split, &units),
            _ => self.release(transfers, &offer),
        }
        true
    }

    /// Copies the last fragments of a message.
    fn copy_offered(
        &mut self,
        transfers: &mut Transfers,
        offer: &Offer,
        split: &WorkSplit,
        units: &Range<u32>,
    ) {
        let &Offer { peer, envelope, receive, rts, number, .. } = offer;
        let begin = units.start as usize * BOUNCE_BUFFER_DATA_BYTES;
        if !self.copy_from_peer(transfers, receive, peer, &rts, begin) {
            let (split, first, is_timed) = (rts.split(), units.start, false);
            let cts = Cts { request: rts.send, receiver: number, split, first, is_timed };
            return self.control(transfers, peer, packet::head(CTS, &envelope), &cts);
        }
        let arrived = transfers.copied(number, rts.bytes - begin as u64);
        if split.next(End::Back, units.len() as u32, units.end, |_| 1) == Next::Complete {
            self.fin(transfers, peer, &envelope, &rts, None);
        } else {
            self.node.wake(peer);
        }
        if arrived == rts.bytes {
            transfers.completed(number);
        }
    }

    fn release(&mut self, transfers: &mut Transfers, offer: &Offer) {
        let fin = Fin { request: offer.rts.send, split: offer.rts.split(), took_ns: 0 };
        self.control(transfers, offer.peer, packet::head(RELEASE, &offer.envelope), &fin);
    }

    /// A fragment has come. Its sender is inside MPI, and comes to its other messages in turn.
    #[inline]
    pub(crate) fn hear_of_offer(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        number: u32,
        is_last: bool,
    ) {
        if self.offers.front().is_some_and(|offer| offer.peer == peer) {
            self.looks = 0;
        }
        let is_it = |offer: &Offer| offer.number == number;
        let place = if is_last { self.offers.iter().position(is_it) } else { None };
        if let Some(offer) = place.and_then(|place| self.offers.remove(place)) {
            self.release(transfers, &offer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::p2p::copy_choice::Way;
    use crate::p2p::fragments::BYTES_OF_FEW;
    use crate::p2p::messages::Messages;
    use crate::p2p::messages_tests::settle;
    use crate::p2p::messages_tests::{bytes, done, messages, pair, receive, segments_of, send};
    use crate::p2p::request::Mode;
    use dunlin_shm::job_map::Job;
    use dunlin_shm::layout::SPLITS_PER_RANK;

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

    #[test]
    fn the_sender_chooses_whether_it_may_be_asked_to_copy_and_learns_how_long_that_takes() {
        const LEN: usize = 300_000;
        for (by_kernel, mode) in [
            (true, Mode::Standard),
            (true, Mode::Synchronous),
            (false, Mode::Standard),
            (false, Mode::Synchronous),
        ] {
            let (mut a, mut b) = pair(SingleCopy::Long);
            a.node.share_core(false);
            b.node.share_core(false);
            let (mut out, mut into) = (bytes(LEN), vec![0; LEN]);
            // The first times that bounce buffers are filled tell nothing, and there is no choice
            // before all are used.
            for number in 0..50 {
                into.fill(0);
                let has_choice = a.node.holders.are_all_in_turn();
                assert_eq!(has_choice, number >= BYTES_OF_FEW.div_ceil(LEN));
                let way =
                    Way { by_kernel: by_kernel && has_choice, is_timed: true, is_choice: true };
                a.node.connections[1].copy_choice.keep(LEN, way);
                let sent = send(&mut a, 1, 3, &mut out, mode);
                let received = receive(&mut b, None, &mut into);
                b.progress_awaited();
                assert_eq!(b.node.offers.is_empty(), way.by_kernel);
                settle(&mut a, &mut b);
                done(&mut a, sent);
                done(&mut b, received);
                assert!(into == out);
            }
            let [shared, kernel] = a.node.connections[1].copy_choice.times(LEN);
            assert_eq!([shared > 0, kernel > 0], [!by_kernel, by_kernel], "{shared}, {kernel}");
        }
    }

    /// Both ranks have the whole message, and nothing is left.
    fn ends(mut a: Messages, mut b: Messages, [sent, received]: [RequestId; 2]) {
        done(&mut a, sent);
        done(&mut b, received);
        assert!(a.is_idle() && b.is_idle() && b.transfers.inbound.iter().next().is_none());
        assert_eq!(a.node.free_splits.count(), SPLITS_PER_RANK);
    }

    #[test]
    fn a_sender_that_leaves_mpi_leaves_the_rest_to_the_receiver() {
        let (mut a, mut b, out, into, ids) = offered(3_000_000);
        a.progress();
        while !b.transfers.requests.is_done(ids[1]) {
            b.progress_awaited();
        }
        assert!(out == into && !a.transfers.requests.is_done(ids[0]));
        a.progress();
        ends(a, b, ids);
    }

    #[test]
    fn a_receiver_that_leaves_mpi_does_not_keep_the_sender_waiting() {
        let (mut a, mut b, out, mut into, ids) = offered(3_000_000);
        let end = into.len();
        a.progress_awaited();
        into[end - 1] = !out[end - 1];
        b.settle_offers();
        assert!(out[end - 1] == into[end - 1] && out != into);
        a.progress_awaited();
        assert!(a.transfers.requests.is_done(ids[0]));
        settle(&mut a, &mut b);
        assert!(out == into);
        ends(a, b, ids);
    }

    #[test]
    fn a_receiver_whose_sender_waits_takes_what_comes_before_it_leaves_mpi() {
        let (mut a, mut b, out, into, ids) = offered(3_000_000);
        a.node.node.view(0).set_waiting(true);
        a.progress_awaited();
        b.settle_offers();
        assert!(out == into && !b.has_offers());
        a.progress_awaited();
        ends(a, b, ids);
    }

    #[test]
    fn what_has_come_before_its_receive_is_offered_if_its_sender_waits() {
        for sender_waits in [true, false] {
            let (mut a, mut b) = pair(SingleCopy::Long);
            let (mut out, mut into) = (bytes(1_000_000), vec![0; 1_000_000]);
            let sent = send(&mut a, 1, 3, &mut out, Mode::Standard);
            b.progress();
            a.node.node.view(0).set_waiting(sender_waits);
            let received = receive(&mut b, Some(3), &mut into);
            assert!(into == out && !b.has_offers());
            // It was not there to send, so the receiver has copied in the end.
            assert_eq!(b.node.offers_made, sender_waits.into());
            settle(&mut a, &mut b);
            ends(a, b, [sent, received]);
        }
    }

    #[test]
    fn where_the_kernel_refuses_the_rest_it_comes_in_bounce_buffers_too() {
        for begins in [false, true] {
            let (mut a, mut b, out, into, ids) = offered(3_000_000);
            if begins {
                a.progress_awaited();
            }
            b.node.connections[0].single_copy = Some(false);
            b.settle_offers();
            settle(&mut a, &mut b);
            assert!(out == into);
            ends(a, b, ids);
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

    #[test]
    fn while_the_sender_waits_in_mpi_the_receiver_is_patient() {
        let (mut a, mut b, out, into, ids) = offered(300_000);
        a.node.node.view(0).set_waiting(true);
        let looks = 300_000 / BYTES_PER_LOOK;
        for _ in 0..(PATIENCE - 1) * looks {
            b.progress_awaited();
            assert!(!b.transfers.requests.is_done(ids[1]));
        }
        for _ in 0..looks {
            b.progress_awaited();
        }
        assert!(out == into && b.transfers.requests.is_done(ids[1]));
        settle(&mut a, &mut b);
        ends(a, b, ids);
    }

    #[test]
    #[should_panic(expected = "is damaged: rank 1 of the node has sent the end of a message that")]
    fn a_message_that_has_not_gone_does_not_end() {
        let (mut a, mut b, _out, _into, _) = offered(3_000_000);
        if let Some(offer) = b.node.offers.pop_front() {
            b.node.release(&mut b.transfers, &offer);
        }
        a.progress();
    }

    /// Ranks of a node whose rings are short.
    const CROWD: usize = 33;

    #[test]
    fn where_a_look_takes_longer_there_are_fewer() {
        let segments = segments_of(&Job::on_one_node("here", CROWD)).into_iter().take(2);
        let mut ranks: Vec<_> =
            segments.zip(0..).map(|(s, me)| messages(s, me, SingleCopy::Long)).collect();
        let (mut out, mut into) = (bytes(1 << 20), vec![0; 1 << 20]);
        send(&mut ranks[0], 1, 3, &mut out, Mode::Standard);
        let received = receive(&mut ranks[1], None, &mut into);
        let is_waiting = |_: &usize| {
            ranks[1].progress_awaited();
            !ranks[1].transfers.requests.is_done(received)
        };
        let rounds = (0..).take_while(is_waiting).count();
        assert!((1 << 20) / BYTES_PER_LOOK / rounds >= CROWD / PEERS_PER_LOOK, "{rounds} rounds");
    }

    #[test]
    fn the_receiver_need_not_wait_until_a_sender_that_has_left_takes_its_last_packets() {
        let job = Job::on_one_node("here", CROWD);
        let mut ranks = segments_of(&job).into_iter().take(2).zip(0..);
        let mut join = || ranks.next().map(|(s, me)| messages(s, me, SingleCopy::Long)).unwrap();
        let (mut a, mut b) = (join(), join());
        let mut out = vec![bytes(10_000); 2 * CROWD];
        let mut into = vec![vec![0; 10_000]; 2 * CROWD];
        let sent: Vec<_> =
            out.iter_mut().map(|out| send(&mut a, 1, 3, out, Mode::Synchronous)).collect();
        let received: Vec<_> = into.iter_mut().map(|into| receive(&mut b, None, into)).collect();
        // The sender takes all offers, but has no bounce buffer yet.
        let fill = |number| {
            assert!(a.node.node.fill_bounce_buffer((0, number), (0, 0), 1, |_, _| (), |_, _| ()))
        };
        let all = a.node.node.bounce_buffers();
        (0..all).for_each(fill);
        while a.node.fragment_streams.len() < sent.len() {
            b.progress_awaited();
            a.progress_awaited();
        }
        (0..all).for_each(|number| b.node.node.give_back_bounce_buffer(0, number, None));
        // From here on, it takes no more packets.
        while received.iter().any(|&id| !b.transfers.requests.is_done(id)) {
            a.node.feed_streams(&mut a.transfers);
            b.progress_awaited();
        }
        assert!(sent.iter().all(|&id| a.transfers.requests.is_done(id)) && out == into);
        assert!(!b.node.connections[0].backlog.is_empty() && b.is_flushed());
    }

    #[test]
    fn in_whatever_order_the_ranks_come_and_leave_messages_come_whole() {
        const LEN: u64 = 1_500_000;
        let (mut a, mut b) = pair(SingleCopy::Long);
        let mut out = bytes(LEN as usize);
        for seed in 0..400 {
            let mut dice = Dice(seed);
            b.node.connections[0].single_copy = Some(true);
            let refused = if dice.chance(20) { dice.below(40) } else { u64::MAX };
            let lens: Vec<_> = (0..1 + dice.below(3)).map(|_| 70_000 + dice.below(LEN)).collect();
            let mut into: Vec<_> = lens.iter().map(|&len| vec![0; len.min(LEN) as usize]).collect();
            let mut ids = Vec::new();
            for into in &mut into {
                let out = &mut out[..into.len()];
                ids.push((send(&mut a, 1, 3, out, Mode::Synchronous), receive(&mut b, None, into)));
            }
            b.progress_awaited();
            for step in 0..100 {
                if step == refused {
                    b.node.connections[0].single_copy = Some(false);
                }
                let (rank, waits) = match dice.below(100) {
                    0 => {
                        (0..LEN as usize / BYTES_PER_LOOK).for_each(|_| {
                            b.progress_awaited();
                        });
                        continue;
                    }
                    1 => (&mut b, false),
                    2..30 => (&mut a, false),
                    30..65 => (&mut a, true),
                    _ => (&mut b, true),
                };
                if waits {
                    rank.progress_awaited()
                } else {
                    rank.progress()
                };
            }
            settle(&mut a, &mut b);
            for (sent, received) in ids {
                done(&mut a, sent);
                done(&mut b, received);
            }
            assert!(into.iter().all(|into| *into == out[..into.len()]), "seed {seed}");
            assert!(a.is_idle() && b.is_idle() && a.node.free_splits.count() == SPLITS_PER_RANK);
        }
        // Some are copied by the kernel, as their sender has chosen.
        let offers = b.node.offers_made;
        assert!(offers > 600, "{offers} offers");
    }
}
