//! Eager messages in bounce buffers: of up to 256 KiB, where the kernel does not copy, or two
//! copies take less time than one by it (`copy_choice.rs`), and scattered data, while the sender
//! has enough bounce buffers. They need no answer, and neither rank waits for the other. The
//! fragments of one follow each other in the ring, the first of them finds its receive. As long as
//! no receive has matched, the data stays in the sender's bounce buffers.

use dunlin_shm::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;
use dunlin_shm::queue_pair::Arrived;

use crate::matching::Envelope;
use crate::objects::status::Status;
use crate::p2p::copy_choice::EAGER_BYTES_MAX;
use crate::p2p::fragments::{EagerFragments, HeldMessage, Outbound, OutboundData, Place};
use crate::p2p::fragments::{fragments, packets};
use crate::p2p::messages::Messages;
use crate::p2p::node::{MAPPED_EAGER_BYTES_MAX, NodePeer, NodeTransport, damaged};
use crate::p2p::packet::{self, EAGER, FRAGMENT, Fragment, RTS, UNASKED, WORD_BYTES};
use crate::p2p::rendezvous::copy_out_of;
use crate::p2p::request::{LONG_BYTES, RequestId};
use crate::p2p::transfers::Transfers;
use crate::p2p::unexpected::Unexpected;

/// Bounce buffers that no eager message takes: it has them until a receive matches it, and that may
/// come after one whose message goes out in fragments.
const KEPT_FOR_STREAMS: usize = 4;
/// Longer messages do not go by long rings, of which a window of them takes up too much.
const STREAMED_BYTES_MAX: usize = 16 << 10;
/// Looks for the next fragment of a message, whose sender does nothing else until all are there,
/// before it seems to have lost its core: some 20 us, of which it needs one or two.
const LOOKS_FOR_NEXT: u32 = 500;

impl NodeTransport {
    /// Sends a message in bounce buffers, if there are enough of them.
    pub(crate) fn send_in_fragments(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        send: RequestId,
        is_timed: bool,
    ) -> bool {
        let (data, total) = (OutboundData::of(transfers, send), transfers.send_bytes(send));
        let message = self.eager_message(peer, envelope, data, is_timed, total);
        let goes = self.sends_at_once(&message);
        if goes {
            transfers.requests.complete(send, Status::EMPTY);
            transfers.count_eager_sent(total);
        }
        goes
    }

    /// Sends a message that is not much longer than the packets of fast boxes in one packet of a
    /// long ring, where its receiver does not seem to wait for it, who could copy the first part of
    /// it while this rank writes the second. Windows of 16 KiB take 0.52 us a message so, 0.66 in
    /// bounce buffers, both ways 1.05 and 1.49; half round trips 1.25 and 0.93 (Zen 4).
    fn send_in_stream(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: &Envelope,
        data: &[u8],
    ) -> bool {
        let NodePeer { backlog, pair, .. } = &mut self.connections[peer];
        if pair.take_read_long() {
            self.holders.note_answer();
        }
        if self.holders.is_awaited()
            || !backlog.is_empty()
            || !pair.try_push_in_long_ring(&packet::head(EAGER, envelope), data)
        {
            pair.count_elsewhere(data.len());
            return false;
        }
        transfers.count_eager_sent(data.len());
        self.node.wake(peer);
        true
    }

    /// The same without a request, if such a message is to go so ([`CopyChoice`]).
    ///
    /// [`CopyChoice`]: crate::p2p::copy_choice::CopyChoice
    #[inline(never)]
    pub(crate) fn send_in_fragments_now(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: &Envelope,
        data: &[u8],
    ) -> bool {
        let total = data.len();
        let is_deferred = self.defers_long && total >= LONG_BYTES;
        let is_copied_once =
            || total > MAPPED_EAGER_BYTES_MAX && self.node.is_shared(data.as_ptr());
        if total > EAGER_BYTES_MAX || !self.holders.is_wide() || is_deferred || is_copied_once() {
            return false;
        }
        if total <= STREAMED_BYTES_MAX && self.send_in_stream(transfers, peer, envelope, data) {
            return true;
        }
        let has_many = self.holders.uses_many();
        let way = self.connections[peer].copy_choice.next(has_many, total, Some(data));
        let (envelope, data) = (*envelope, OutboundData::Dense(data));
        let message = self.eager_message(peer, envelope, data, way.is_timed, total);
        let goes = !way.by_kernel && self.sends_at_once(&message);
        if goes {
            transfers.count_eager_sent(total);
        } else {
            self.connections[peer].copy_choice.keep(total, way);
        }
        goes
    }

    fn eager_message<'a>(
        &self,
        peer: usize,
        envelope: Envelope,
        data: OutboundData<'a>,
        is_timed: bool,
        total: usize,
    ) -> Outbound<'a> {
        let crosses = self.connections[peer].crossing.is_likely();
        let in_parts = data.is_dense() && self.holders.is_awaited() && !crosses;
        Outbound { peer, envelope, receive: UNASKED, is_timed, in_parts, data, total }
    }

    /// Sends all of it, or nothing.
    fn sends_at_once(&mut self, message: &Outbound<'_>) -> bool {
        let &Outbound { peer, total, .. } = message;
        let needed = fragments(total as u64) as usize;
        // Streams wait for bounce buffers, too, and came first. Nothing of a message that is done
        // may wait for room in the ring: its sender need not come again.
        if total > EAGER_BYTES_MAX
            || !self.fragment_streams.is_empty()
            || !self.connections[peer].backlog.is_empty()
            || !self.connections[peer].pair.has_cells(packets(total, message.in_parts))
            || !self.holders.has_free(self.node, needed + KEPT_FOR_STREAMS)
        {
            return false;
        }
        for offset in (0..total).step_by(BOUNCE_BUFFER_DATA_BYTES) {
            let len = (total - offset).min(BOUNCE_BUFFER_DATA_BYTES);
            let bounce_buffer = self.holders.free(self.node, peer).expect("counted as free");
            self.send_fragment(message, bounce_buffer, offset, len);
        }
        self.note_crossing(peer);
        true
    }

    /// A long message to this peer has left, or is announced.
    pub(crate) fn note_crossing(&mut self, peer: usize) {
        let NodePeer { pair, crossing, .. } = &mut self.connections[peer];
        crossing.note(pair.peek().is_some_and(|next| [FRAGMENT, RTS].contains(&next.packet.kind)));
    }

    pub(crate) fn on_eager_fragment(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        f: Fragment,
    ) {
        let coming = self.connections[peer].eager_fragments.take();
        let before = coming.map(|coming| (coming.arrived, coming.total));
        let arrived = check_next(peer, before, &f);
        let place = match coming {
            Some(coming) => coming.place,
            None => self.begin_eager(transfers, peer, envelope, f.total),
        };
        let is_last = arrived == f.total;
        let coming = EagerFragments { place, arrived, total: f.total };
        if !is_last {
            self.connections[peer].eager_fragments = Some(coming);
        }
        match coming.place {
            Place::Held(number) => {
                let held = self.held.get_mut(number).expect("a claimed message has a receive");
                held.push(f);
            }
            Place::Receive(number) => {
                self.place_fragment(transfers, peer, number, &f);
                if is_last {
                    transfers.completed(number);
                }
            }
        }
    }

    fn begin_eager(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        bytes: u64,
    ) -> Place {
        if let Some(receive) = transfers.arrive(&envelope) {
            return Place::Receive(transfers.expect_fragments(receive, &envelope, bytes));
        }
        let packets = packets(bytes as usize, true) as usize;
        let number = self.held.insert(HeldMessage::with_capacity(packets));
        transfers.keep_unexpected(envelope, Unexpected::Held { peer, number, bytes });
        Place::Held(number)
    }

    /// A receive has matched a message that is held, of so many bytes.
    pub(crate) fn claim_held(
        &mut self,
        transfers: &mut Transfers,
        receive: RequestId,
        envelope: &Envelope,
        peer: usize,
        (number, bytes): (u32, u64),
    ) {
        let held = self.held.remove(number).expect("an unexpected message is held");
        let receiver = transfers.expect_fragments(receive, envelope, bytes);
        for f in &held {
            self.place_fragment(transfers, peer, receiver, f);
        }
        match &mut self.connections[peer].eager_fragments {
            Some(coming) if coming.place == Place::Held(number) => {
                coming.place = Place::Receive(receiver);
            }
            _ => drop(transfers.completed(receiver)),
        }
    }
}

/// The bytes of an eager message that have come with this fragment. `before`: those that had come,
/// and those of the whole message, if it has begun.
fn check_next(peer: usize, before: Option<(u64, u64)>, f: &Fragment) -> u64 {
    let is_next = match before {
        Some(before) => before == (f.offset, f.total),
        None => f.offset == 0 && f.total <= EAGER_BYTES_MAX as u64,
    };
    if !is_next {
        damaged(peer, "a fragment that does not follow the one before");
    }
    let arrived = f.offset + u64::from(f.len);
    if f.len == 0 || arrived > f.total {
        damaged(peer, "a fragment that is not within its message");
    }
    arrived
}

impl Messages {
    /// Receives an eager message of which the first fragment has just arrived, without a request,
    /// while its sender writes the rest: a receive that is posted first begins to copy 0.2 us
    /// later. `None` if there is no room for it, or its sender seems to have lost its core: then it
    /// is kept until a receive matches it. A core that is shared is better given to the sender.
    pub(crate) fn receive_fragments_now(
        &mut self,
        peer: usize,
        arrived: Arrived,
        into: &mut [u8],
    ) -> Option<(Envelope, usize)> {
        let Messages { transfers, node, .. } = self;
        let envelope = packet::envelope(&arrived.packet);
        let mut f = node.take_fragment(peer, arrived);
        let is_begun = node.connections[peer].eager_fragments.is_some();
        let is_ours = f.receiver == UNASKED && !is_begun && f.total <= into.len() as u64;
        if !is_ours || node.shared_core {
            node.waits = true;
            node.on_fragment(transfers, peer, envelope, f);
            node.waits = false;
            node.wake_if_made_room(peer);
            return None;
        }
        let mut before = None;
        // Given back when all are there: if not all come, these are read again. (That they then
        // take less time does not matter, since the sender's time is wrong, too.)
        let mut taken = std::mem::take(&mut node.fragments_taken);
        let is_whole = loop {
            let come = check_next(peer, before, &f);
            let place = &mut into[f.offset as usize..come as usize];
            let copy = copy_out_of(&f);
            let time = node.read_fragment(peer, &f, f.is_timed, |data| copy(data, place));
            taken.push((f, time));
            before = Some((come, f.total));
            if come == f.total {
                break true;
            }
            let Some(next) = node.await_packet(peer) else { break false };
            if next.packet.kind != FRAGMENT {
                damaged(peer, "something else before all of a message");
            }
            f = node.take_fragment(peer, next);
        };
        if is_whole {
            let last_parts = taken.iter().filter(|(f, _)| !f.has_more);
            last_parts.for_each(|(f, time)| node.give_back(peer, f, *time));
        } else {
            for (f, _) in &taken {
                node.on_eager_fragment(transfers, peer, envelope, *f);
            }
        }
        taken.clear();
        node.fragments_taken = taken;
        node.wake_if_made_room(peer);
        is_whole.then_some((envelope, f.total as usize))
    }
}

impl NodeTransport {
    /// Takes a packet that is a fragment.
    fn take_fragment(&mut self, peer: usize, arrived: Arrived) -> Fragment {
        let mut words = [0; WORD_BYTES];
        if usize::from(arrived.packet.len) > WORD_BYTES {
            damaged(peer, "a packet of the protocol that is too long");
        }
        self.connections[peer].pair.read(arrived, &mut words);
        packet::from_bytes(&words)
    }

    /// The next packet of a peer that is about to send it.
    fn await_packet(&self, peer: usize) -> Option<Arrived> {
        (0..LOOKS_FOR_NEXT).find_map(|_| {
            let arrived = self.connections[peer].pair.peek();
            if arrived.is_none() {
                self.node.pause();
            }
            arrived
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matching::Pattern;
    use crate::p2p::fragments::Crossing;
    use crate::p2p::fragments::PARTS;
    use crate::p2p::messages::{Origin, Route};
    use crate::p2p::messages_tests::CONTEXT;
    use crate::p2p::messages_tests::settle;
    use crate::p2p::messages_tests::{bytes, done, messages, pair, receive, segments_of, send};
    use crate::p2p::request::Mode;
    use dunlin_base::single_copy::SingleCopy;
    use dunlin_shm::job_map::Job;

    const SLOW: [SingleCopy; 2] = [SingleCopy::Long, SingleCopy::Off];

    #[test]
    fn while_there_are_bounce_buffers_a_sender_waits_for_nobody() {
        for (way, is_posted) in SLOW.into_iter().flat_map(|way| [(way, true), (way, false)]) {
            let (mut a, mut b) = pair(way);
            let (mut out, mut into) = (bytes(100_000), vec![0; 100_000]);
            let posted = is_posted.then(|| receive(&mut b, Some(3), &mut into));
            let sent = send(&mut a, 1, 3, &mut out, Mode::Standard);
            done(&mut a, sent);
            b.progress();
            let received = posted.unwrap_or_else(|| receive(&mut b, Some(3), &mut into));
            assert_eq!(done(&mut b, received).bytes, 100_000);
            assert!(into == out && b.transfers.inbound.iter().next().is_none());
            assert!(b.node.held.iter().next().is_none());
            assert!(a.is_idle() && b.is_idle() && a.is_flushed());
        }
    }

    #[test]
    fn where_they_go_round_short_ones_go_in_two_parts() {
        for (len, is_posted) in [(8193, true), (20_000, false), (32 << 10, true), (10_000, false)] {
            let (mut a, mut b) = pair(SingleCopy::Long);
            a.node.share_core(false);
            assert!(a.node.holders.is_wide());
            let (out, mut into) = (bytes(len), vec![0; len]);
            let envelope = Envelope { context: CONTEXT, source: 0, tag: 3 };
            for _ in 0..2 {
                let posted = is_posted.then(|| receive(&mut b, Some(3), &mut into));
                assert!(a.send_now(Route::Node(1), &envelope, &out));
                b.progress();
                let held = b.node.held.iter().next().map(|(_, held)| held.len());
                assert_eq!(held, (!is_posted).then_some(PARTS));
                let received = posted.unwrap_or_else(|| receive(&mut b, Some(3), &mut into));
                assert_eq!(done(&mut b, received).bytes, len as u64);
                assert!(into == out && a.node.holders.are_free(a.node.node));
                into.fill(0);
            }
        }
    }

    #[test]
    fn in_a_stream_short_ones_go_by_the_long_ring_until_an_answer_comes() {
        let (mut a, mut b) = pair(SingleCopy::Long);
        for messages in [&mut a, &mut b] {
            messages.node.share_core(false);
            messages.node.connections.iter_mut().for_each(|c| c.copy_choice.give_up_single_copy());
        }
        /// In what kind of packet a message goes.
        fn kind(from: &mut Messages, to: &mut Messages, len: usize) -> u8 {
            let me = from.node.node.me();
            let (out, mut into) = (bytes(len), vec![0; len]);
            let envelope = Envelope { context: CONTEXT, source: 0, tag: 3 };
            assert!(from.send_now(Route::Node(1 - me), &envelope, &out));
            let kind = to.node.connections[me].pair.peek().unwrap().packet.kind;
            let received = receive(to, Some(3), &mut into);
            to.progress();
            assert_eq!(done(to, received).bytes, len as u64);
            assert!(into == out);
            kind
        }
        const LEN: usize = STREAMED_BYTES_MAX;
        let sent: Vec<_> = (0..1000).map(|_| kind(&mut a, &mut b, LEN)).collect();
        // 8 MiB, and the first few.
        let before = sent.iter().position(|&kind| kind == EAGER).unwrap();
        assert!((510..520).contains(&before), "{before}");
        assert!(sent[before..].iter().all(|&kind| kind == EAGER));
        assert_eq!(kind(&mut a, &mut b, LEN + 1), FRAGMENT);
        // An answer: now the receiver seems to wait.
        assert_eq!(kind(&mut b, &mut a, LEN), FRAGMENT);
        assert_eq!(kind(&mut a, &mut b, LEN), FRAGMENT);
        // So does one that comes by the ring.
        for _ in 0..1000 {
            kind(&mut b, &mut a, LEN);
        }
        for _ in 0..10 {
            kind(&mut a, &mut b, LEN);
        }
        assert_eq!(kind(&mut b, &mut a, LEN), FRAGMENT);
    }

    #[test]
    fn a_receive_that_is_posted_between_the_parts_gets_both() {
        const LEN: usize = 20_000;
        for (room, is_probed) in [(LEN, false), (LEN, true), (5_000, false), (15_000, false)] {
            let (mut a, mut b) = pair(SingleCopy::Long);
            a.node.share_core(false);
            let (out, mut into) = (bytes(LEN), vec![0; room]);
            let envelope = Envelope { context: CONTEXT, source: 0, tag: 3 };
            assert!(a.send_now(Route::Node(1), &envelope, &out));
            let arrived = b.node.connections[0].pair.peek().unwrap();
            b.node.take_awaited(&mut b.transfers, 0, arrived);
            if is_probed {
                let pattern = Pattern { context: CONTEXT, source: Some(0), tag: Some(3) };
                assert_eq!(b.transfers.matching.peek(&pattern).unwrap().1.bytes(), LEN as u64);
            }
            let received = receive(&mut b, Some(3), &mut into);
            assert!(!b.transfers.requests.is_done(received));
            assert!(!a.node.holders.are_free(a.node.node));
            b.progress();
            let status = b.transfers.requests.take_if_done(received).unwrap();
            assert_eq!((status.bytes, status.error.is_some()), (room as u64, room < LEN));
            assert!(into == out[..room] && a.node.holders.are_free(a.node.node));
        }
    }

    #[test]
    fn a_receive_that_waits_copies_without_a_request_what_comes() {
        for (len, room) in [(8193, 8193), (32 << 10, 40_000), (200_000, 200_000), (20_000, 19_999)]
        {
            let (mut a, mut b) = pair(SingleCopy::Long);
            a.node.share_core(false);
            b.node.share_core(false);
            let (out, mut into) = (bytes(len), vec![0; room]);
            let envelope = Envelope { context: CONTEXT, source: 0, tag: 3 };
            let pattern = Pattern { context: CONTEXT, source: Some(0), tag: Some(3) };
            assert!(a.send_now(Route::Node(1), &envelope, &out));
            let received = b.receive_now(Origin::Node(0), &pattern, &mut into, 3, || ());
            let fits = room >= len;
            assert_eq!(received, fits.then_some((envelope, len)));
            assert_eq!(a.node.holders.are_free(a.node.node), fits);
            if !fits {
                let received = receive(&mut b, Some(3), &mut into);
                settle(&mut a, &mut b);
                let status = b.transfers.requests.take_if_done(received).unwrap();
                assert!(status.error.is_some());
            }
            assert!(into[..len.min(room)] == out[..len.min(room)] && b.is_idle());
            assert!(b.node.held.iter().next().is_none() && b.node.fragments_taken.is_empty());
        }
    }

    #[test]
    fn what_a_sender_has_not_finished_is_kept_until_it_has() {
        const PART: usize = 8 << 10;
        let (mut a, mut b) = pair(SingleCopy::Long);
        b.node.share_core(false);
        let (out, mut into) = (bytes(2 * PART), vec![0; 2 * PART]);
        let envelope = Envelope { context: CONTEXT, source: 0, tag: 3 };
        let pattern = Pattern { context: CONTEXT, source: Some(0), tag: Some(3) };
        let fill = |at, to: &mut [u8]| to.copy_from_slice(&out[at..at + to.len()]);
        assert!(a.node.node.fill_bounce_buffer(3, (0, 2 * PART), PART, fill, |_, _| ()));
        let mut name = |at: usize| {
            let fragment = Fragment {
                start: at as u32,
                is_timed: false,
                is_past_cache: false,
                has_more: at == 0,
                receiver: UNASKED,
                bounce_buffer: 3,
                len: PART as u32,
                offset: at as u64,
                total: 2 * PART as u64,
            };
            let head = packet::head(FRAGMENT, &envelope);
            a.node.control(&mut a.transfers, 1, head, &fragment);
        };
        name(0);
        assert_eq!(b.receive_now(Origin::Node(0), &pattern, &mut into, 3, || ()), None);
        assert!(into[..PART] == out[..PART], "it was copied");
        name(PART);
        into.fill(0);
        let received = receive(&mut b, Some(3), &mut into);
        settle(&mut a, &mut b);
        assert_eq!(done(&mut b, received).bytes, 2 * PART as u64);
        assert!(into == out && a.node.node.is_free(3));
    }

    #[test]
    fn messages_that_cross_are_not_divided() {
        let (mut a, mut b) = pair(SingleCopy::Long);
        a.node.share_core(false);
        b.node.share_core(false);
        let (out, mut into) = (bytes(20_000), vec![0; 20_000]);
        let envelope = Envelope { context: CONTEXT, source: 0, tag: 3 };
        let mut parts = |crosses: bool| {
            if crosses {
                assert!(b.send_now(Route::Node(0), &envelope, &out));
            }
            assert!(a.send_now(Route::Node(1), &envelope, &out));
            b.progress();
            let parts = b.node.held.iter().next().map(|(_, held)| held.len());
            let received = receive(&mut b, Some(3), &mut into);
            done(&mut b, received);
            if crosses {
                let received = receive(&mut a, Some(3), &mut into);
                a.progress();
                done(&mut a, received);
            }
            a.node.holders.note_answer();
            parts.unwrap()
        };
        let seen: Vec<usize> = [false, true, false].map(&mut parts).to_vec();
        assert_eq!(seen, [PARTS, PARTS, 1], "the first that crosses is not expected to");
        for _ in 0..Crossing::MESSAGES {
            parts(false);
        }
        // One that is timed is not divided.
        assert!((0..Crossing::MESSAGES).any(|_| parts(false) == PARTS));
    }

    #[test]
    fn a_message_for_which_the_ring_has_no_room_is_announced() {
        let (mut a, mut b) = pair(SingleCopy::Long);
        let mut short: Vec<_> = (0..400).map(|_| bytes(8)).collect();
        let shorts: Vec<_> =
            short.iter_mut().map(|out| send(&mut a, 1, 3, out, Mode::Standard)).collect();
        let (mut out, mut into) = (bytes(100_000), vec![0; 100_000]);
        let sent = send(&mut a, 1, 4, &mut out, Mode::Standard);
        assert!(!a.transfers.requests.is_done(sent));
        let received = receive(&mut b, Some(4), &mut into);
        settle(&mut a, &mut b);
        shorts.into_iter().chain([sent]).for_each(|id| drop(done(&mut a, id)));
        done(&mut b, received);
        assert!(into == out);
    }

    #[test]
    fn held_messages_do_not_shut_their_receiver_out() {
        const LEN: usize = 1_000_000;
        let segments = segments_of(&Job::on_one_node("here", 3)).into_iter().zip(0..);
        let mut ranks: Vec<_> = segments.map(|(s, me)| messages(s, me, SingleCopy::Off)).collect();
        let (mut first, mut out) = (bytes(262_144), bytes(LEN));
        let (mut into, mut away) = (vec![0; LEN], vec![0; LEN]);
        let held = send(&mut ranks[0], 1, 3, &mut first, Mode::Standard);
        done(&mut ranks[0], held);
        let other = &mut bytes(LEN);
        send(&mut ranks[0], 2, 3, other, Mode::Standard);
        receive(&mut ranks[2], None, &mut away);
        // It has asked for its message, and leaves.
        ranks[2].progress();
        ranks[0].progress();
        let sent = send(&mut ranks[0], 1, 4, &mut out, Mode::Standard);
        let received = receive(&mut ranks[1], Some(4), &mut into);
        while ranks[1].progress() | ranks[0].progress() {}
        done(&mut ranks[0], sent);
        done(&mut ranks[1], received);
        assert!(into == out && ranks[1].node.held.iter().count() == 1);
    }

    #[test]
    fn messages_for_which_there_are_none_keep_their_place() {
        for (way, before) in SLOW.into_iter().flat_map(|way| [(way, 0), (way, 60)]) {
            let (mut a, mut b) = pair(way);
            // Else some would go by the kernel, to see how long that takes.
            a.node.connections[1].copy_choice.give_up_single_copy();
            let mut first = (bytes(150_000), vec![0; 150_000]);
            for _ in 0..before {
                let sent = send(&mut a, 1, 3, &mut first.0, Mode::Standard);
                let received = receive(&mut b, Some(3), &mut first.1);
                settle(&mut a, &mut b);
                done(&mut a, sent);
                done(&mut b, received);
            }
            let mut out: Vec<_> = (0..14).map(|i| bytes(150_000 + i)).collect();
            let mut into: Vec<_> = out.iter().map(|out| vec![0; out.len()]).collect();
            let mut sends: Vec<_> =
                out.iter_mut().map(|out| send(&mut a, 1, 3, out, Mode::Standard)).collect();
            let are_done = |a: &Messages| {
                sends.iter().map(|&id| a.transfers.requests.is_done(id)).collect::<Vec<_>>()
            };
            // Of 16 bounce buffers, or 64 after much use, 8 are kept for others, and each message
            // needs 5.
            let eager = if a.node.holders.is_wide() && before > 0 { 11 } else { 1 };
            assert_eq!(are_done(&a), (0..14).map(|i| i < eager).collect::<Vec<_>>());
            let received: Vec<_> = into.iter_mut().map(|i| receive(&mut b, Some(3), i)).collect();
            settle(&mut a, &mut b);
            sends.drain(..).for_each(|id| drop(done(&mut a, id)));
            received.into_iter().for_each(|id| drop(done(&mut b, id)));
            assert!(into == out && a.is_idle() && b.is_idle());
        }
    }

    #[test]
    fn what_does_not_fit_is_dropped() {
        let (mut a, mut b) = pair(SingleCopy::Long);
        let (mut out, mut into) = (bytes(100_000), vec![0; 40_000]);
        let received = receive(&mut b, Some(3), &mut into);
        let sent = send(&mut a, 1, 3, &mut out, Mode::Standard);
        settle(&mut a, &mut b);
        done(&mut a, sent);
        let status = b.transfers.requests.take_if_done(received).unwrap();
        assert!(status.error.is_some_and(|e| e.class == dunlin_base::ErrorClass::Truncate));
        assert!(status.bytes == 40_000 && into == out[..40_000]);
    }

    #[test]
    #[should_panic(expected = "is damaged: rank 1 of the node has sent a fragment that does not")]
    fn a_fragment_of_a_message_that_has_not_begun_is_refused() {
        let (mut a, mut b) = pair(SingleCopy::Long);
        let (receiver, bounce_buffer, len) = (UNASKED, 0, 10);
        let fragment = Fragment {
            start: 0,
            is_timed: false,
            is_past_cache: false,
            has_more: false,
            receiver,
            bounce_buffer,
            len,
            offset: 10,
            total: 20,
        };
        let head = packet::head(FRAGMENT, &Envelope { context: 4, source: 1, tag: 3 });
        b.node.control(&mut b.transfers, 0, head, &fragment);
        a.progress();
    }
}
