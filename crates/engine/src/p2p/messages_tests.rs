//! The message layer between two ranks that live in one process, driven by hand: no waiting, no
//! scheduling, every step chosen by the test.

use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::sync::Arc;

use dunlin_base::single_copy::SingleCopy;
use dunlin_base::{ErrorClass, Rank};
use dunlin_datatype::{Datatype, Primitive};
use dunlin_shm::job_map::Job;
use dunlin_shm::layout::WIDE_BOUNCE_BUFFERS;
use dunlin_shm::{Node, RankState, Segment};

use crate::matching::{Envelope, Pattern};
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::Comm;
use crate::objects::errhandler::Errhandler;
use crate::objects::group::Group;
use crate::objects::status::{Source, Status};
use crate::p2p::copy_split::{Cut, FreeSplits};
use crate::p2p::loopback::SHORT_BYTES_MAX;
use crate::p2p::messages::{Messages, Origin, Route};
use crate::p2p::packet;
use crate::p2p::request::{LONG_BYTES, Mode};
use crate::p2p::request::{OpInfo, RequestId};

pub(crate) const CONTEXT: u64 = 4;
pub(crate) const WAYS: [SingleCopy; 4] =
    [SingleCopy::Together, SingleCopy::Receiver, SingleCopy::Long, SingleCopy::Off];

pub(crate) fn pair(single_copy: SingleCopy) -> (Messages, Messages) {
    let (a, b) = segments();
    (messages(a, 0, single_copy), messages(b, 1, single_copy))
}

/// One segment of two ranks, mapped twice.
pub(crate) fn segments() -> (Segment, Segment) {
    let mut all = segments_of(&Job::on_one_node("here", 2)).into_iter();
    (all.next().unwrap(), all.next().unwrap())
}

/// One segment of a job, mapped once for each of its ranks.
pub(crate) fn segments_of(job: &Job) -> Vec<Segment> {
    let ranks = job.locals().len();
    let made = Segment::create(job, ranks).unwrap();
    let again = |fd: &OwnedFd| Segment::open(fd.try_clone().unwrap().into()).unwrap();
    let others: Vec<_> = (1..ranks).map(|_| again(made.fd())).collect();
    std::iter::once(made).chain(others).collect()
}

/// A rank of a node. It lives as long as the process, as in programs.
pub(crate) fn node(segment: Segment, me: usize) -> &'static Node {
    Box::leak(Box::new(Node::join(segment, me, &mut |_, _| Ok(())).unwrap()))
}

pub(crate) fn messages(segment: Segment, me: usize, single_copy: SingleCopy) -> Messages {
    let mut messages = Messages::new(node(segment, me), single_copy);
    // Whatever machine the tests run on.
    messages.node.shared_core = false;
    messages
}

pub(crate) fn op_info() -> OpInfo {
    op_info_of(2, 0, CONTEXT)
}

/// What rank `me` of `ranks` does in a context.
pub(crate) fn op_info_of(ranks: usize, me: usize, context: u64) -> OpInfo {
    let group = Arc::new(Group::new((0..ranks as Rank).collect()));
    let comm = Rc::new(Comm::new(context, group, me as Rank, Errhandler::Return));
    OpInfo { comm, peer: None, tag: None }
}

pub(crate) fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 31 % 251) as u8).collect()
}

pub(crate) fn dense(data: &mut [u8]) -> UserBuffer {
    // SAFETY: every test keeps its buffers until its transfers are done.
    unsafe { UserBuffer::dense(data.as_mut_ptr(), data.len()) }
}

pub(crate) fn send(
    m: &mut Messages,
    to: usize,
    tag: i32,
    data: &mut [u8],
    mode: Mode,
) -> RequestId {
    let envelope = Envelope { context: CONTEXT, source: 0, tag };
    m.send(Route::Node(to), envelope, dense(data), None, mode, op_info())
}

pub(crate) fn receive(m: &mut Messages, tag: Option<i32>, into: &mut [u8]) -> RequestId {
    m.receive(&Pattern { context: CONTEXT, source: Some(0), tag }, dense(into), op_info())
}

/// Progress on both sides until neither finds anything to do.
pub(crate) fn settle(a: &mut Messages, b: &mut Messages) {
    while a.progress() | b.progress() {}
}

/// The same on two ranks that wait.
fn settle_waiting(a: &mut Messages, b: &mut Messages) {
    while a.progress_awaited() | b.progress_awaited() {}
}

/// Each way of single copy, with ranks that wait and with others.
fn ways_to_settle() -> impl Iterator<Item = (SingleCopy, fn(&mut Messages, &mut Messages))> {
    WAYS.into_iter().flat_map(|way| [(way, settle as fn(&mut _, &mut _)), (way, settle_waiting)])
}

pub(crate) fn done(m: &mut Messages, id: RequestId) -> Status {
    m.transfers.requests.take_if_done(id).expect("complete")
}

#[test]
fn a_short_message_that_is_kept_is_taken_without_a_request() {
    let (mut a, mut b) = pair(SingleCopy::Off);
    let pattern = |tag| Pattern { context: CONTEXT, source: None, tag };
    let to_myself = Envelope { context: CONTEXT, source: 1, tag: 7 };
    let mut into = [0; 4];
    send(&mut a, 1, 6, &mut [6; 4], Mode::Standard);
    settle(&mut a, &mut b);
    assert!(b.send_now(Route::Myself, &to_myself, &[7; 4]));
    assert!(b.receive_kept(&pattern(Some(8)), &mut into).is_none());
    assert!(b.receive_kept(&pattern(None), &mut into[..3]).is_none(), "it does not fit");
    let (envelope, len) = b.receive_kept(&pattern(Some(7)), &mut into).unwrap();
    assert_eq!((envelope.source, len, into), (1, 4, [7; 4]));
    let (envelope, len) = b.receive_kept(&pattern(None), &mut into).unwrap();
    assert_eq!((envelope.source, len, into), (0, 4, [6; 4]));
    assert!(b.receive_kept(&pattern(None), &mut into).is_none());
}

#[test]
fn a_short_message_to_oneself_goes_at_once() {
    let (_, mut b) = pair(SingleCopy::Off);
    let envelope = Envelope { context: CONTEXT, source: 0, tag: 7 };
    let mut into = [0; 4];
    let posted = receive(&mut b, Some(7), &mut into);
    assert!(b.send_now(Route::Myself, &envelope, &[7; 4]));
    assert_eq!(done(&mut b, posted).bytes, 4);
    assert_eq!(into, [7; 4]);
    assert!(!b.send_now(Route::Myself, &envelope, &bytes(SHORT_BYTES_MAX + 1)));
}

#[test]
fn every_protocol_delivers_whole_messages_early_and_late() {
    for (single_copy, settle) in ways_to_settle() {
        let (mut a, mut b) = pair(single_copy);
        for len in [0, 1, 40, 41, 100, 7660, 7661, 32_704, 32_705, 1_000_000] {
            for receive_first in [true, false] {
                let (mut out, mut into) = (bytes(len), vec![0; len]);
                let early = receive_first.then(|| receive(&mut b, Some(9), &mut into));
                let s = send(&mut a, 1, 9, &mut out, Mode::Standard);
                settle(&mut a, &mut b);
                let r = early.unwrap_or_else(|| receive(&mut b, Some(9), &mut into));
                settle(&mut a, &mut b);
                let status = done(&mut b, r);
                assert_eq!((status.bytes, status.error), (len as u64, None));
                assert_eq!((status.source, status.tag), (Source::Rank(0), Some(9)));
                done(&mut a, s);
                assert!(into == out, "{len} bytes, single copy {single_copy:?}");
            }
        }
        assert!(a.is_flushed() && b.is_flushed());
    }
}

#[test]
fn a_synchronous_send_is_not_done_before_its_receive() {
    let (mut a, mut b) = pair(SingleCopy::Together);
    let (mut out, mut into) = (bytes(8), vec![0; 8]);
    let s = send(&mut a, 1, 1, &mut out, Mode::Synchronous);
    settle(&mut a, &mut b);
    assert!(!a.transfers.requests.is_done(s));
    let r = receive(&mut b, None, &mut into);
    settle(&mut a, &mut b);
    assert!(a.transfers.requests.is_done(s) && b.transfers.requests.is_done(r) && into == out);
}

#[test]
fn a_full_ring_keeps_messages_back_in_order() {
    let (mut a, mut b) = pair(SingleCopy::Together);
    let mut out: Vec<Vec<u8>> = (0..1000).map(|i| vec![i as u8; 100]).collect();
    let sends: Vec<_> =
        out.iter_mut().map(|data| send(&mut a, 1, 2, data, Mode::Standard)).collect();
    assert!(!a.transfers.requests.is_done(sends[999]), "1000 messages do not fit into the ring");
    let mut into = vec![vec![0; 100]; 1000];
    let receives: Vec<_> = into.iter_mut().map(|data| receive(&mut b, Some(2), data)).collect();
    settle(&mut a, &mut b);
    assert!(sends.iter().all(|&s| a.transfers.requests.is_done(s)));
    assert!(receives.iter().all(|&r| b.transfers.requests.is_done(r)));
    assert!(into == out);
}

#[test]
fn too_long_a_message_fills_the_buffer_and_is_an_error() {
    for (single_copy, settle) in ways_to_settle() {
        let (mut a, mut b) = pair(single_copy);
        for len in [100, 100_000] {
            let (mut out, mut into) = (bytes(len), vec![0; 64]);
            let guard = into.clone();
            let r = receive(&mut b, Some(3), &mut into[..60]);
            let s = send(&mut a, 1, 3, &mut out, Mode::Standard);
            settle(&mut a, &mut b);
            let status = done(&mut b, r);
            assert_eq!(status.error.expect("an error").class, ErrorClass::Truncate);
            assert_eq!((status.bytes, &into[..60]), (60, &out[..60]));
            assert_eq!(into[60..], guard[60..]);
            done(&mut a, s);
        }
    }
}

#[test]
fn scattered_data_meets_dense_data() {
    let every_second = Datatype::vector(20_000, 1, 2, &Datatype::primitive(Primitive::Byte));
    let every_second = every_second.unwrap();
    let modes = [Mode::Standard, Mode::Synchronous];
    let ways = ways_to_settle().flat_map(|way| modes.map(|mode| (way, mode)));
    for ((single_copy, settle), mode) in ways {
        let (mut a, mut b) = pair(single_copy);
        let (mut out, mut into) = (bytes(40_000), vec![0; 20_000]);
        // SAFETY: `out` outlives the transfer.
        let scattered = unsafe { UserBuffer::new(out.as_mut_ptr(), 1, &every_second) }.unwrap();
        let r = receive(&mut b, Some(5), &mut into);
        let envelope = Envelope { context: CONTEXT, source: 0, tag: 5 };
        let s = a.send(Route::Node(1), envelope, scattered, None, mode, op_info());
        settle(&mut a, &mut b);
        done(&mut a, s);
        assert_eq!(done(&mut b, r).bytes, 20_000);
        assert!(into.iter().zip(out.iter().step_by(2)).all(|(x, y)| x == y));
        // It came in bounce buffers, which says nothing about data in one piece.
        let copy_choice = &mut a.node.connections[1].copy_choice;
        let is_choice = copy_choice.next(false, out.len(), Some(&out)).is_choice;
        assert_eq!(is_choice, !single_copy.is_slow(), "{single_copy:?}");
    }
}

#[test]
fn a_cancelled_receive_lets_the_next_one_have_the_message() {
    let (mut a, mut b) = pair(SingleCopy::Together);
    let (mut first, mut second) = (vec![0; 8], vec![0; 8]);
    let r1 = receive(&mut b, Some(6), &mut first);
    let r2 = receive(&mut b, Some(6), &mut second);
    b.cancel(r1, None);
    assert!(done(&mut b, r1).cancelled);
    let mut out = bytes(8);
    send(&mut a, 1, 6, &mut out, Mode::Standard);
    settle(&mut a, &mut b);
    assert!(!done(&mut b, r2).cancelled);
    assert!(second == out && first == [0; 8]);
}

#[test]
fn a_send_that_a_peer_received_just_before_it_left_is_not_cancelled() {
    let (mut a, mut b) = pair(SingleCopy::Together);
    let (mut out, mut into) = (bytes(100_000), vec![0; 100_000]);
    let s = send(&mut a, 1, 6, &mut out, Mode::Synchronous);
    let r = receive(&mut b, Some(6), &mut into);
    while b.progress() {}
    done(&mut b, r);
    a.cancel(s, Some(Route::Node(1)));
    // It leaves between our look at its ring and our look at its state.
    b.node.node.view(1).set_state(RankState::Finalized);
    a.node.cancel_send_from_the_gone(&mut a.transfers);
    assert!(!done(&mut a, s).cancelled && into == out);
}

#[test]
fn a_process_sends_to_itself_in_every_mode() {
    let (mut a, _b) = pair(SingleCopy::Together);
    for mode in [Mode::Standard, Mode::Synchronous] {
        for receive_first in [true, false] {
            let (mut out, mut into) = (bytes(100_000), vec![0; 100_000]);
            let early = receive_first.then(|| receive(&mut a, Some(7), &mut into));
            let envelope = Envelope { context: CONTEXT, source: 0, tag: 7 };
            let s = a.send(Route::Myself, envelope, dense(&mut out), None, mode, op_info());
            let waits = mode == Mode::Synchronous && !receive_first;
            assert_eq!(a.transfers.requests.is_done(s), !waits);
            let r = early.unwrap_or_else(|| receive(&mut a, Some(7), &mut into));
            assert!(
                a.transfers.requests.is_done(s) && a.transfers.requests.is_done(r) && into == out
            );
        }
    }
}

#[test]
fn a_detached_send_goes_away_by_itself() {
    let (mut a, mut b) = pair(SingleCopy::Together);
    let (mut out, mut into) = (bytes(500_000), vec![0; 500_000]);
    let s = send(&mut a, 1, 8, &mut out, Mode::Standard);
    a.transfers.requests.detach(s).unwrap();
    assert!(!a.is_flushed());
    receive(&mut b, Some(8), &mut into);
    settle(&mut a, &mut b);
    assert!(a.is_flushed() && a.transfers.requests.get(s).is_err() && into == out);
}

#[test]
fn a_rank_with_packets_that_found_no_room_is_not_idle_until_they_have_left() {
    const MESSAGES: usize = 500;
    let (mut a, mut b) = pair(SingleCopy::Off);
    assert!(a.is_idle());
    for _ in 0..MESSAGES {
        send(&mut a, 1, 3, &mut bytes(1000), Mode::Standard);
    }
    assert!(!a.is_idle());
    settle(&mut a, &mut b);
    assert!(a.is_idle());
}

#[test]
fn calls_that_defer_copy_no_long_message() {
    for (way, settle) in ways_to_settle() {
        let (mut a, mut b) = pair(way);
        a.node.defers_long = true;
        let mut outs = [bytes(200_000), vec![7; 2 * LONG_BYTES], bytes(LONG_BYTES - 1)];
        let mut into = outs.each_ref().map(|out| vec![0; out.len()]);
        let sends = outs.each_mut().map(|out| send(&mut a, 1, 1, out, Mode::Standard));
        b.progress();
        b.node.defers_long = true;
        let receives = into.each_mut().map(|into| receive(&mut b, Some(1), into));
        b.node.defers_long = false;
        assert!(into[..2].iter().flatten().all(|&byte| byte == 0), "{way:?}");
        // What is shorter is not left to others: nobody may come for it.
        assert_eq!(b.node.later.len(), 2, "{way:?}");
        assert!(!b.is_idle() && !b.is_flushed() && b.is_under_way_here(true));
        assert!(a.transfers.requests.has_long() && b.transfers.requests.has_long());
        settle(&mut a, &mut b);
        assert!(sends.iter().all(|&id| a.transfers.requests.is_done(id)), "{way:?}");
        assert!(receives.iter().all(|&id| b.transfers.requests.is_done(id)) && into == outs);
        assert!(a.is_idle() && b.is_idle() && b.is_flushed());
        assert!(!a.transfers.requests.has_long() && !b.transfers.requests.has_long());
    }
}

/// Rank 1 receives this packet from rank 0, and fails.
fn on_damage<const N: usize>(kind: u8, words: &impl packet::Words<N>) {
    let (mut a, mut b) = pair(SingleCopy::Together);
    let head = packet::head(kind, &Envelope { context: CONTEXT, source: 0, tag: 9 });
    let Messages { transfers, node, .. } = &mut a;
    node.control(transfers, 1, head, words);
    let mut into = [0; 8];
    assert_eq!(receive(&mut b, Some(9), &mut into), RECEIVE);
    b.progress();
}

/// The number of the only request of [`on_damage`].
const RECEIVE: RequestId = 0;

#[test]
#[should_panic(expected = "is damaged: rank 0 of the node has sent something about a message")]
fn the_end_of_a_message_that_is_not_being_sent_is_an_error() {
    on_damage(packet::FIN, &packet::Fin { request: RECEIVE, split: 200, took_ns: 0 });
}

#[test]
#[should_panic(expected = "is damaged: rank 0 of the node has sent something about a message")]
fn fragments_of_a_message_that_is_not_being_sent_are_not_made() {
    let (receiver, split, first, is_timed) = (0, 0, 0, false);
    let cts = packet::Cts { request: u32::MAX, receiver, split, first, is_timed };
    on_damage(packet::CTS, &cts);
}

#[test]
#[should_panic(expected = "is damaged: rank 0 of the node has sent a bounce buffer")]
fn a_bounce_buffer_that_does_not_exist_is_not_read() {
    let (receiver, bounce_buffer, len) = (0, WIDE_BOUNCE_BUFFERS as u32, 8);
    on_damage(
        packet::FRAGMENT,
        &packet::Fragment {
            receiver,
            bounce_buffer,
            start: 0,
            len,
            is_timed: false,
            is_past_cache: false,
            has_more: false,
            is_receivers: false,
            may_be_borrowed: false,
            offset: 0,
            total: 8,
        },
    );
}

#[test]
#[should_panic(expected = "is damaged: rank 0 of the node has sent the end of a copy")]
fn the_end_of_a_copy_that_nobody_makes_is_an_error() {
    on_damage(packet::COOP_FIN, &packet::CoopFin { receiver: RECEIVE });
}

#[test]
#[should_panic(expected = "is damaged: rank 0 of the node has sent a packet of no kind")]
fn a_packet_of_no_kind_is_an_error() {
    on_damage(99, &packet::CoopFin { receiver: RECEIVE });
}

#[test]
fn a_copy_of_another_message_has_no_cut() {
    let to = 1 << 20;
    let coop_cts = |len, unit_shift| packet::CoopCts {
        request: 0,
        receiver: 0,
        split: 0,
        unit_shift,
        to,
        len,
        is_timed: false,
    };
    let is_cut = |coop_cts| Cut::named(&coop_cts, 1 << 20).is_some();
    assert!(is_cut(coop_cts(1 << 20, 12)));
    for (len, shift) in [((1 << 20) + 1, 12), (u64::MAX, 12), (8, 11), (8, 64), (8, u32::MAX)] {
        assert!(!is_cut(coop_cts(len, shift)), "{len} bytes in units of 2^{shift}");
    }
}

#[test]
fn a_work_split_is_given_back_once_and_is_one_that_exists() {
    let mut splits = FreeSplits::new(SingleCopy::Together);
    let all = splits.count();
    let taken = splits.take();
    for number in [taken + 1, all as u32, u32::MAX, taken, taken] {
        splits.give_back(number);
    }
    assert_eq!((splits.count(), splits.some_are_taken()), (all, false));
}

#[test]
fn a_wait_for_a_posted_receive_takes_what_comes_from_its_sender() {
    const LOOKS: u32 = 5;
    let (mut a, mut b) = pair(SingleCopy::Together);
    let mut into = [[0; 8], [0; 8]];
    let [first, second] = into.each_mut().map(|into| receive(&mut b, Some(3), into));
    assert_eq!(b.await_posted(second, 0, LOOKS, || ()), Some(false));
    let mut out = [bytes(8), bytes(8)];
    out[1][0] = 99;
    let sent = out.each_mut().map(|out| send(&mut a, 1, 3, out, Mode::Standard));
    assert_eq!(b.await_posted(second, 0, LOOKS, || ()), Some(true));
    for id in sent {
        done(&mut a, id);
    }
    for id in [first, second] {
        done(&mut b, id);
    }
    assert!(into[0] == out[0][..] && into[1] == out[1][..]);
    let (mut long, mut into) = (bytes(100_000), vec![0; 100_000]);
    let received = receive(&mut b, None, &mut into);
    let sent = send(&mut a, 1, 3, &mut long, Mode::Synchronous);
    assert_eq!(b.await_posted(received, 0, LOOKS, || ()), Some(true));
    settle(&mut a, &mut b);
    done(&mut a, sent);
    done(&mut b, received);
    assert!(into == long);
}

#[test]
fn a_receive_beside_others_takes_its_own_message_and_leaves_them_theirs() {
    let (mut a, mut b) = pair(SingleCopy::Off);
    let now = |b: &mut Messages, tag, into: &mut [u8]| {
        let pattern = Pattern { context: CONTEXT, source: Some(0), tag };
        let received = b.receive_now(Origin::Node(0), &pattern, into, 3, || ());
        received.map(|(envelope, len)| (envelope.tag, len))
    };
    let (mut later, mut into) = ([[0; 4], [0; 4]], [0; 4]);
    let posted = receive(&mut b, Some(1), &mut later[0]);
    assert_eq!(now(&mut b, Some(2), &mut into), None, "nothing has come");
    for tag in [1, 2] {
        send(&mut a, 1, tag, &mut [tag as u8; 4], Mode::Standard);
    }
    assert_eq!(now(&mut b, Some(2), &mut into), Some((2, 4)));
    done(&mut b, posted);
    assert_eq!((later[0], into), ([1; 4], [2; 4]));
    // What is posted first gets the first message that both would take.
    let posted = receive(&mut b, None, &mut later[1]);
    for first in [3, 4] {
        send(&mut a, 1, 2, &mut [first; 4], Mode::Standard);
    }
    assert_eq!(now(&mut b, Some(2), &mut into), Some((2, 4)));
    done(&mut b, posted);
    assert_eq!((later[1], into), ([3; 4], [4; 4]));
    // A message that is kept comes before one in the ring, also one that cannot be taken so.
    for (tag, len) in [(5, 4), (6, 200)] {
        send(&mut a, 1, tag, &mut vec![tag as u8; len], Mode::Standard);
    }
    settle(&mut a, &mut b);
    for tag in [6, 7] {
        send(&mut a, 1, tag, &mut [tag as u8; 4], Mode::Standard);
    }
    assert_eq!(now(&mut b, Some(6), &mut into), None, "the first is too long");
    assert_eq!(now(&mut b, None, &mut into), Some((5, 4)));
    assert_eq!(now(&mut b, Some(7), &mut into), None, "another is before it in the ring");
    let mut long = [0; 200];
    let id = receive(&mut b, Some(6), &mut long);
    done(&mut b, id);
    assert_eq!((now(&mut b, Some(6), &mut into), into), (Some((6, 4)), [6; 4]));
    assert_eq!(now(&mut b, Some(7), &mut into), Some((7, 4)));
}

#[test]
fn a_receive_from_anybody_beside_others_leaves_what_it_cannot_take() {
    let (mut a, mut b) = pair(SingleCopy::Off);
    let pattern = Pattern { context: CONTEXT, source: None, tag: None };
    let mut into = [0; 4];
    let mut now = |b: &mut Messages| {
        let received = b.receive_now(Origin::Any, &pattern, &mut into, 3, || ());
        received.map(|(envelope, len)| (envelope.tag, len))
    };
    let mut later = [0; 4];
    let posted = receive(&mut b, Some(1), &mut later);
    for tag in [1, 2] {
        send(&mut a, 1, tag, &mut [tag as u8; 4], Mode::Standard);
    }
    assert_eq!(now(&mut b), Some((2, 4)), "the posted receive has the first");
    done(&mut b, posted);
    // Of others only a receive that is posted can take these.
    let mut rest = [0; 8];
    let posted = receive(&mut b, Some(9), &mut [0; 4]);
    let longer = send(&mut a, 1, 3, &mut [3; 8], Mode::Standard);
    assert_eq!(now(&mut b), None, "it is longer");
    let id = receive(&mut b, Some(3), &mut rest);
    settle(&mut a, &mut b);
    assert_eq!((done(&mut b, id).bytes, rest), (8, [3; 8]));
    let synchronous = send(&mut a, 1, 4, &mut [4; 4], Mode::Synchronous);
    assert_eq!(now(&mut b), None, "its sender waits for an answer");
    let id = receive(&mut b, Some(4), &mut rest);
    settle(&mut a, &mut b);
    assert_eq!(done(&mut b, id).bytes, 4);
    for id in [longer, synchronous] {
        done(&mut a, id);
    }
    send(&mut a, 1, 9, &mut [9; 4], Mode::Standard);
    settle(&mut a, &mut b);
    done(&mut b, posted);
}

#[test]
fn the_next_message_of_a_context_is_taken_unless_one_of_it_is_kept() {
    const OTHER: u64 = CONTEXT + 2;
    let (mut a, mut b) = pair(SingleCopy::Off);
    let sends = |a: &mut Messages, context, tag: i32| {
        let envelope = Envelope { context, source: 0, tag };
        assert!(a.send_now(Route::Node(1), &envelope, &[tag as u8]));
    };
    let mut body = Vec::new();
    let mut next = |b: &mut Messages| {
        b.take_next(|c| (c == CONTEXT).then_some(()), &mut body).map(|(e, ())| e.tag)
    };
    sends(&mut a, OTHER, 1);
    settle(&mut a, &mut b);
    sends(&mut a, CONTEXT, 2);
    assert_eq!(next(&mut b), Some(2), "what is kept is of another context");
    sends(&mut a, CONTEXT, 3);
    settle(&mut a, &mut b);
    sends(&mut a, CONTEXT, 4);
    assert_eq!(next(&mut b), None, "one that was sent before is kept");
    receive(&mut b, Some(3), &mut [0; 1]);
    assert_eq!(next(&mut b), Some(4));
    sends(&mut a, OTHER, 5);
    sends(&mut a, CONTEXT, 6);
    assert_eq!(next(&mut b), None, "another is before it in the ring");
}

#[test]
fn while_packets_wait_for_room_every_receive_makes_progress() {
    let segments = segments_of(&Job::on_one_node("here", 3)).into_iter().zip(0..);
    let mut ranks: Vec<_> = segments.map(|(s, me)| messages(s, me, SingleCopy::Together)).collect();
    let mut out: Vec<_> = (0..400).map(|_| bytes(8)).collect();
    let mut into = vec![[0; 8]; 400];
    for out in &mut out {
        send(&mut ranks[0], 2, 3, out, Mode::Standard);
    }
    send(&mut ranks[1], 0, 3, &mut bytes(8), Mode::Standard);
    let pattern = Pattern { context: CONTEXT, source: Some(0), tag: Some(3) };
    let looks = |ranks: &mut Vec<Messages>| {
        ranks[0].receive_now(Origin::Node(1), &pattern, &mut [0; 8], 1, || ()).is_some()
    };
    assert!(!looks(&mut ranks));
    for into in &mut into {
        receive(&mut ranks[2], Some(3), into);
    }
    while ranks[2].progress() | ranks[0].progress() {}
    receive(&mut ranks[0], Some(3), &mut [0; 8]);
    send(&mut ranks[1], 0, 3, &mut bytes(8), Mode::Standard);
    assert!(looks(&mut ranks));
}

#[test]
fn receives_take_what_has_arrived_in_windows_and_not_in_exchanges() {
    let (mut a, _b) = pair(SingleCopy::Off);
    let takes = |a: &mut Messages, receives: u32, sends: u32| {
        let taken = (0..receives).filter(|_| a.takes_arrived()).count();
        let envelope = Envelope { context: CONTEXT, source: 0, tag: 3 };
        assert!((0..sends).all(|_| a.send_now(Route::Node(1), &envelope, &[])));
        taken
    };
    for receives in [1, 4, 16, 1] {
        assert_eq!(takes(&mut a, receives, receives), 0, "halos of {receives} messages");
    }
    for window in [8, 64] {
        let in_time = (0..8).map(|_| takes(&mut a, window, 1)).last();
        assert_eq!(in_time, Some(window as usize), "windows of {window} messages");
    }
    takes(&mut a, 0, 64);
    assert_eq!(takes(&mut a, 4, 4), 0, "halos after windows");
}
