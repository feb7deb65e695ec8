//! Eager messages in bounce buffers and long rings.

use super::*;
use crate::adaptive::AdaptiveChoice;
use crate::matching::Pattern;
use crate::p2p::copy_choice::CopyChoice;
use crate::p2p::fragments::{BYTES_OF_FEW, Crossing, PARTS};
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
    const LEN: usize = STREAMED_BYTES_MAX;
    let segments = segments_of(&Job::on_one_node("here", 3)).into_iter().zip(0..);
    let mut ranks: Vec<_> = segments.map(|(s, me)| messages(s, me, SingleCopy::Long)).collect();
    for rank in &mut ranks {
        rank.node.share_core(false);
        rank.node.connections.iter_mut().for_each(|c| c.copy_choice.give_up_single_copy());
    }
    // In what kind of packet a message goes.
    let mut kind = |from: usize, to: usize, len: usize| {
        let (out, mut into) = (bytes(len), vec![0; len]);
        let envelope = Envelope { context: CONTEXT, source: 0, tag: 3 };
        assert!(ranks[from].send_now(Route::Node(to), &envelope, &out));
        let kind = ranks[to].node.connections[from].pair.peek().unwrap().packet.kind;
        let received = receive(&mut ranks[to], Some(3), &mut into);
        ranks[to].progress();
        assert_eq!(done(&mut ranks[to], received).bytes, len as u64);
        assert!(into == out);
        kind
    };
    let mut send_many = |from, to| (0..1000).map(|_| kind(from, to, LEN)).collect::<Vec<_>>();
    let sent = send_many(0, 1);
    // 8 MiB, and the first few.
    let before = sent.iter().position(|&kind| kind == EAGER).unwrap();
    assert!((510..520).contains(&before), "{before}");
    assert!(sent[before..].iter().all(|&kind| kind == EAGER));
    send_many(1, 2);
    assert_eq!(kind(0, 1, LEN + 1), FRAGMENT);
    // It came in a fragment, and so the receiver's answer is divided.
    assert_eq!([kind(1, 2, LEN), kind(1, 2, LEN), kind(1, 2, LEN)], [FRAGMENT, FRAGMENT, EAGER]);
    // The same where it comes by the ring.
    assert_eq!(kind(0, 1, LEN), EAGER);
    assert_eq!(kind(1, 2, LEN), FRAGMENT);
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
    for (len, room) in [(8193, 8193), (32 << 10, 40_000), (200_000, 200_000), (20_000, 19_999)] {
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
    assert!(a.node.node.fill_bounce_buffer((0, 3), (0, 2 * PART), PART, fill, |_, _| ()));
    let mut name = |at: usize| {
        let fragment = Fragment {
            start: at as u32,
            is_timed: false,
            is_past_cache: false,
            has_more: at == 0,
            is_receivers: false,
            may_be_borrowed: false,
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

/// Two ranks whose fragments go round in all bounce buffers, as after many messages.
fn pair_of_many() -> (Messages, Messages) {
    let (mut a, mut b) = pair(SingleCopy::Off);
    for rank in [&mut a, &mut b] {
        rank.node.share_core(false);
        let node = rank.node.node;
        rank.node.holders.note_sent(node, BYTES_OF_FEW);
        assert!(rank.node.holders.uses_many());
        // The two share a cache.
        rank.node.connections.iter_mut().for_each(|c| c.stores = AdaptiveChoice::default());
    }
    (a, b)
}

/// Sends so many bytes from one rank to the other, which receives them. The first fragment.
fn passes(from: &mut Messages, to: &mut Messages, len: usize) -> Fragment {
    let peer = to.node.node.me();
    let (out, mut into) = (bytes(len), vec![0; len]);
    let envelope = Envelope { context: CONTEXT, source: 0, tag: 3 };
    assert!(from.send_now(Route::Node(peer), &envelope, &out));
    to.progress();
    let (_, held) = to.node.held.iter().next().unwrap();
    let first = held[0];
    let received = receive(to, Some(3), &mut into);
    done(to, received);
    assert!(into == out);
    first
}

#[test]
fn an_answer_goes_where_its_sender_has_read_last() {
    let (mut a, mut b) = pair_of_many();
    passes(&mut a, &mut b, 20_000);
    passes(&mut b, &mut a, 20_000);
    // From now on all go in the bounce buffer of b in which that has come.
    let to = passes(&mut a, &mut b, 20_000);
    let back = passes(&mut b, &mut a, 20_000);
    let again = passes(&mut a, &mut b, 20_000);
    assert!(to.is_receivers && !back.is_receivers && again.is_receivers);
    let places = [to, back, again].map(|f| (f.bounce_buffer, f.start));
    assert!(places.iter().all(|place| *place == places[0]), "{places:?}");
}

#[test]
fn what_goes_to_and_fro_goes_in_few_bounce_buffers_and_all_come_back_where_none_answers() {
    let (mut a, mut b) = pair_of_many();
    let mut places = vec![];
    for round in 0..60 {
        let to = passes(&mut a, &mut b, 100_000);
        passes(&mut b, &mut a, 100_000);
        if round >= 40 {
            places.push((to.is_receivers, to.bounce_buffer));
        }
    }
    places.sort();
    places.dedup();
    assert!(places.len() <= 4, "{places:?}");
    let away = |m: &Messages| (0..64).filter(|&n| !m.node.node.is_free(n)).count();
    assert!(away(&a) + away(&b) > 0);
    // By rendezvous, of which all goes in fragments, one way.
    let (mut out, mut into) = (bytes(3_000_000), vec![0; 3_000_000]);
    for _ in 0..2 {
        let sent = send(&mut b, 0, 3, &mut out, Mode::Standard);
        let received = receive(&mut a, Some(3), &mut into);
        settle(&mut a, &mut b);
        done(&mut b, sent);
        done(&mut a, received);
    }
    assert!(into == out && a.is_idle() && b.is_idle());
    assert_eq!(away(&b), 0);
}

#[test]
fn a_rank_that_shares_its_core_gives_back_what_it_has_borrowed() {
    let (mut a, mut b) = pair_of_many();
    for _ in 0..5 {
        passes(&mut a, &mut b, 100_000);
        passes(&mut b, &mut a, 100_000);
    }
    let away = |m: &Messages| (0..64).filter(|&n| !m.node.node.is_free(n)).count();
    assert!(away(&a) + away(&b) > 0);
    a.node.share_core(true);
    b.node.share_core(true);
    assert_eq!(away(&a) + away(&b), 0);
}

#[test]
fn a_rank_that_comes_to_share_its_core_finds_room_behind_what_nobody_receives() {
    let (mut a, mut b) = pair_of_many();
    let (out, mut into) = (bytes(20_000), vec![0; 20_000]);
    let envelope = Envelope { context: CONTEXT, source: 0, tag: 4 };
    assert!((0..20).all(|_| a.send_now(Route::Node(1), &envelope, &out)));
    b.progress();
    a.node.share_core(true);
    b.node.share_core(true);
    let (mut long, mut into_long) = (bytes(1_000_000), vec![0; 1_000_000]);
    let sent = send(&mut a, 1, 3, &mut long, Mode::Standard);
    let received = receive(&mut b, Some(3), &mut into_long);
    settle(&mut a, &mut b);
    done(&mut a, sent);
    done(&mut b, received);
    for _ in 0..20 {
        let received = receive(&mut b, Some(4), &mut into);
        done(&mut b, received);
    }
    assert!(long == into_long && into == out);
}

#[test]
fn where_messages_cross_a_rank_reads_as_much_as_it_sends_and_all_if_it_is_behind() {
    let (mut a, mut b) = pair_of_many();
    for _ in 0..3 {
        passes(&mut a, &mut b, 100_000);
        passes(&mut b, &mut a, 100_000);
    }
    let out = bytes(100_000);
    let envelope = Envelope { context: CONTEXT, source: 0, tag: 3 };
    let mut into = vec![vec![0; 100_000]; 9];
    let received: Vec<_> = into.iter_mut().map(|into| receive(&mut b, Some(3), into)).collect();
    // What b has received as it sends, if so many are sent to it before.
    for (sent, crosses, expected) in [(2, false, 0), (1, true, 1), (6, true, 9)] {
        for _ in 0..sent {
            a.node.connections[1].crossing.note(true);
            assert!(a.send_now(Route::Node(1), &envelope, &out));
        }
        b.node.connections[0].crossing = Crossing::default();
        b.node.connections[0].crossing.note(crosses);
        assert!(b.send_now(Route::Node(0), &envelope, &out));
        let came = received.iter().filter(|&&id| b.transfers.requests.is_done(id)).count();
        assert_eq!(came, expected, "crosses: {crosses}");
    }
    received.into_iter().for_each(|id| drop(done(&mut b, id)));
    assert!(into.iter().all(|into| *into == out));
}

#[test]
fn of_two_ranks_whose_messages_cross_one_chooses_whether_the_kernel_copies() {
    const LEN: usize = 100_000;
    let (mut a, mut b) = pair(SingleCopy::Long);
    for rank in [&mut a, &mut b] {
        rank.node.share_core(false);
        let node = rank.node.node;
        rank.node.holders.note_sent(node, BYTES_OF_FEW);
    }
    let (data, long) = (bytes(LEN), bytes(3 * LEN));
    for by_kernel in [true, false] {
        for (rank, peer, follows) in [(&mut a, 1, false), (&mut b, 0, true)] {
            let connection = &mut rank.node.connections[peer];
            connection.copy_choice.note_peers(LEN + 1, by_kernel);
            connection.crossing.note(true);
            let mut way = |len| rank.node.next_way(peer, len, Some(&data[..len])).by_kernel;
            let is_like_peers = (0..Crossing::MESSAGES).all(|_| way(LEN) == by_kernel);
            assert!(is_like_peers || !follows, "by the kernel: {by_kernel}");
            assert!(follows || !is_like_peers || !by_kernel);
            // Others say nothing of these, nor what has come long ago.
            let choice = &mut rank.node.connections[peer].copy_choice;
            let is_led = |choice: &mut CopyChoice| choice.as_peer(true, LEN, Some(&data)).is_some();
            choice.note_peers(LEN, by_kernel);
            assert!((0..Crossing::MESSAGES).all(|_| is_led(choice)) && !is_led(choice));
            choice.note_peers(LEN, by_kernel);
            assert!(choice.as_peer(true, 3 * LEN, Some(&long)).is_none());
            // What is kept counts once.
            let way = choice.as_peer(true, LEN, Some(&data)).unwrap();
            choice.keep(LEN, way);
            assert!(!is_led(choice) && choice.next(true, LEN, Some(&data)) == way);
            choice.note_peers(60_000, !by_kernel);
            assert_eq!(choice.as_peer(true, LEN, Some(&data)).unwrap().by_kernel, by_kernel);
        }
    }
}

#[test]
#[should_panic(expected = "is damaged: rank 1 of the node has sent data in a bounce buffer that")]
fn data_in_a_bounce_buffer_that_is_not_borrowed_is_refused() {
    let (mut a, mut b) = pair(SingleCopy::Long);
    let fragment = Fragment { is_receivers: true, offset: 0, total: 10, ..not_begun() };
    let head = packet::head(FRAGMENT, &Envelope { context: CONTEXT, source: 0, tag: 3 });
    b.node.control(&mut b.transfers, 0, head, &fragment);
    let mut into = [0; 10];
    receive(&mut a, Some(3), &mut into);
    a.progress();
}

#[test]
#[should_panic(expected = "is damaged: rank 1 of the node has sent a fragment that does not")]
fn a_fragment_of_a_message_that_has_not_begun_is_refused() {
    let (mut a, mut b) = pair(SingleCopy::Long);
    let head = packet::head(FRAGMENT, &Envelope { context: CONTEXT, source: 1, tag: 3 });
    b.node.control(&mut b.transfers, 0, head, &not_begun());
    a.progress();
}

/// The second half of a message.
fn not_begun() -> Fragment {
    Fragment {
        start: 0,
        is_timed: false,
        is_past_cache: false,
        has_more: false,
        is_receivers: false,
        may_be_borrowed: false,
        receiver: UNASKED,
        bounce_buffer: 0,
        len: 10,
        offset: 10,
        total: 20,
    }
}
