//! Two ranks that copy a message together: step by step, and as two threads.

use dunlin_base::ErrorClass;
use dunlin_base::single_copy::SingleCopy;

use super::*;
use dunlin_shm::layout::{PAGE, SPLITS_PER_RANK};
use dunlin_shm::work_split::UNITS_MAX;

use crate::matching::Pattern;
use crate::p2p::messages::{Messages, Route, Unexpected};
use crate::p2p::messages_tests::{
    CONTEXT, bytes, dense, done, messages, op_info, pair, receive, segments, send, settle,
};
use crate::p2p::request::{Kind, Mode};

const TAG: i32 = 3;
/// Bytes behind a receive buffer, which must stay zero.
const GUARD: usize = 5000;
/// No process has this number.
const NOBODY: u32 = i32::MAX as u32;

#[test]
fn units_cover_the_message_and_meet_at_pages_of_the_receiver() {
    for (to, len) in [(0, 1), (4096, 4096), (100, 4096), (4095, 70_000), (8192 + 64, 1 << 20)] {
        let cut = Cut::new(to, len);
        let mut end = 0;
        for unit in 0..cut.units() {
            let bytes = cut.bytes(&(unit..unit + 1));
            assert_eq!(bytes.start, end);
            assert!(bytes.start < bytes.end);
            assert!(unit == 0 || (to as usize + bytes.start) % PAGE == 0);
            end = bytes.end;
        }
        assert_eq!(end as u64, len);
    }
}

#[test]
fn a_huge_message_has_few_enough_units() {
    let cut = Cut::new(12_345, 1 << 40);
    assert!(cut.units() <= UNITS_MAX);
    assert_eq!(cut.bytes(&(0..cut.units())), 0..1 << 40);
}

/// A message that the receiver has accepted and not begun to copy.
struct Accepted {
    a: Messages,
    b: Messages,
    out: Vec<u8>,
    into: Vec<u8>,
    send: RequestId,
    receive: RequestId,
    units: Range<u32>,
    copy: CooperativeCopy,
}

impl Accepted {
    fn new(len: usize, room: usize) -> Accepted {
        let (mut a, mut b) = pair(SingleCopy::Together);
        assert!(a.node.can_reach(1) && b.node.can_reach(0));
        let (mut out, mut into) = (bytes(len), vec![0; room + GUARD]);
        let send = send(&mut a, 1, TAG, &mut out, Mode::Standard);
        settle(&mut a, &mut b);
        let pattern = Pattern { context: CONTEXT, source: None, tag: None };
        let Some((envelope, Unexpected::Rendezvous { from: Route::Node(peer), rts })) =
            b.transfers.matching.take(&pattern)
        else {
            panic!("a large message goes by rendezvous")
        };
        let kind = Kind::Receive { buffer: dense(&mut into[..room]), posted: None };
        let receive = b.transfers.requests.insert(kind, op_info());
        let cut = b.node.cut(&mut b.transfers, receive, peer, &rts).expect("large enough");
        let copy = CooperativeCopy::new(peer, envelope, receive, rts, cut);
        let units = b.node.coop_cts(&mut b.transfers, &copy, first_portion(cut.units()));
        Accepted { a, b, out, into, send, receive, units, copy }
    }

    /// The receiver copies; then everything takes its course.
    fn finish(&mut self) -> Status {
        self.b.node.copy_from(&mut self.b.transfers, self.units.clone(), self.copy);
        settle(&mut self.a, &mut self.b);
        done(&mut self.a, self.send);
        assert!(
            self.a.is_flushed()
                && self.b.node.cooperatives.is_empty()
                && self.b.node.accepted.is_empty()
        );
        assert_eq!(self.a.node.free_splits.count(), SPLITS_PER_RANK);
        let (data, guard) = self.into.split_at(self.into.len() - GUARD);
        assert!(guard.iter().all(|&b| b == 0));
        assert!(data == &self.out[..data.len()]);
        done(&mut self.b, self.receive)
    }
}

#[test]
fn the_sender_copies_the_back_while_the_receiver_copies_the_front() {
    for len in [32 << 10, 100_001, 3 << 20] {
        let mut t = Accepted::new(len, len);
        t.a.progress();
        let middle = t.copy.cut.bytes(&t.units).end;
        assert!(t.into[middle..len] == t.out[middle..], "{len} bytes: the sender's part");
        assert!(t.into[..middle].iter().all(|&b| b == 0), "{len} bytes: the receiver's part");
        assert!(!t.a.transfers.requests.is_done(t.send));
        assert_eq!(t.finish().bytes, len as u64);
    }
}

#[test]
fn a_sender_that_comes_late_finds_nothing_to_do() {
    let mut t = Accepted::new(1 << 20, 1 << 20);
    t.finish();
}

#[test]
fn a_short_buffer_is_filled_and_nothing_behind_it_touched() {
    let mut t = Accepted::new(300_000, 200_000);
    t.a.progress();
    let status = t.finish();
    assert_eq!(status.error.expect("an error").class, ErrorClass::Truncate);
    assert_eq!(status.bytes, 200_000);
}

#[test]
fn a_sender_that_may_not_write_leaves_its_part_to_the_receiver() {
    let mut t = Accepted::new(1 << 20, 1 << 20);
    t.a.node.node.view(1).set_pid(NOBODY);
    t.a.progress();
    assert_eq!(t.a.node.connections[1].single_copy, Some(false));
    t.finish();
}

#[test]
fn where_nobody_may_copy_the_message_comes_in_bounce_buffers() {
    for sender_first in [true, false] {
        let mut t = Accepted::new(1 << 20, 1 << 20);
        t.a.node.node.view(0).set_pid(NOBODY);
        t.a.node.node.view(1).set_pid(NOBODY);
        if sender_first {
            t.a.progress();
        }
        t.finish();
    }
}

#[test]
fn of_messages_that_wait_in_line_the_sender_copies_what_the_receiver_has_not() {
    const LEN: usize = 20_000;
    let (mut a, mut b) = pair(SingleCopy::Together);
    let (mut out, mut into) = (bytes(4 * LEN), vec![0; 4 * LEN]);
    let receives: Vec<_> = into.chunks_mut(LEN).map(|d| receive(&mut b, Some(TAG), d)).collect();
    let sends: Vec<_> =
        out.chunks_mut(LEN).map(|d| send(&mut a, 1, TAG, d, Mode::Standard)).collect();
    // The last has nothing behind it and is copied at once; of the others one, the oldest.
    b.progress();
    let done_by_receiver: Vec<_> =
        receives.iter().map(|&id| b.transfers.requests.is_done(id)).collect();
    assert_eq!(done_by_receiver, [true, false, false, true]);
    assert!(into[LEN..3 * LEN].iter().all(|&b| b == 0));
    a.progress();
    assert!(into == out && sends.iter().all(|&id| a.transfers.requests.is_done(id)));
    b.progress();
    assert!(
        receives.iter().all(|&id| b.transfers.requests.is_done(id)) && b.node.accepted.is_empty()
    );
}

#[test]
fn where_ranks_share_a_core_the_receiver_does_not_wait_for_help() {
    let (mut a, mut b) = pair(SingleCopy::Together);
    b.node.shared_core = true;
    let (mut out, mut into) = (bytes(100_000), vec![0; 100_000]);
    send(&mut a, 1, TAG, &mut out, Mode::Standard);
    let r = receive(&mut b, Some(TAG), &mut into);
    b.progress();
    assert!(b.transfers.requests.is_done(r) && into == out);
    // The only packet that comes back is the end, not where the message goes.
    a.node.connections[1].single_copy = None;
    settle(&mut a, &mut b);
    assert!(a.is_flushed() && a.node.connections[1].single_copy.is_none());
}

#[test]
fn more_messages_than_work_splits_all_arrive() {
    const COUNT: usize = SPLITS_PER_RANK + 20;
    let (mut a, mut b) = pair(SingleCopy::Together);
    let (mut out, mut into) = (bytes(COUNT * 40_000), vec![0; COUNT * 40_000]);
    let sends: Vec<_> =
        out.chunks_mut(40_000).map(|d| send(&mut a, 1, TAG, d, Mode::Standard)).collect();
    assert!(a.node.free_splits.count() == 0);
    let receives: Vec<_> = into.chunks_mut(40_000).map(|d| receive(&mut b, Some(TAG), d)).collect();
    settle(&mut a, &mut b);
    sends.into_iter().for_each(|id| drop(done(&mut a, id)));
    receives.into_iter().for_each(|id| drop(done(&mut b, id)));
    assert!(into == out);
    assert_eq!(a.node.free_splits.count(), SPLITS_PER_RANK);
}

/// A generator of numbers that a failing run can be repeated with.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Both threads draw the same plan from the seed: sizes, room and tags of a window of messages.
fn window(seed: u64) -> Vec<(usize, usize)> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let count = 1 + random.below(12);
    (0..count)
        .map(|_| {
            let magnitude = 10 + random.below(11);
            let len = random.below(1 << magnitude);
            let short = random.below(4) == 0;
            (len, if short { random.below(len + 1) } else { len + random.below(100) })
        })
        .collect()
}

fn wait(m: &mut Messages, id: RequestId) -> Status {
    loop {
        if let Some(status) = m.transfers.requests.take_if_done(id) {
            return status;
        }
        if !m.progress() {
            std::thread::yield_now();
        }
    }
}

fn send_window(m: &mut Messages, seed: u64) {
    let mut data: Vec<_> = window(seed).iter().map(|&(len, _)| bytes(len)).collect();
    let ids: Vec<_> = data.iter_mut().map(|d| send(m, 1, TAG, d, Mode::Standard)).collect();
    ids.into_iter().for_each(|id| drop(wait(m, id)));
}

fn receive_window(m: &mut Messages, seed: u64) {
    let plan = window(seed);
    let mut data: Vec<_> = plan.iter().map(|&(_, room)| vec![0; room]).collect();
    let ids: Vec<_> = data.iter_mut().map(|d| receive(m, Some(TAG), d)).collect();
    for (i, id) in ids.into_iter().enumerate() {
        let (len, room) = plan[i];
        let status = wait(m, id);
        assert_eq!(status.bytes as usize, len.min(room), "seed {seed}, message {i}");
        assert_eq!(status.error.is_some(), len > room, "seed {seed}, message {i}");
        let whole = bytes(len);
        assert!(data[i][..len.min(room)] == whole[..len.min(room)], "seed {seed}, message {i}");
        assert!(data[i][len.min(room)..].iter().all(|&b| b == 0), "seed {seed}, message {i}");
    }
}

/// Two ranks as two threads send windows of random messages; `sender_may_write` or not.
fn two_ranks(sender_may_write: bool) {
    const WINDOWS: u64 = 150;
    let (mine, theirs) = segments();
    let begin = &std::sync::Barrier::new(2);
    std::thread::scope(|s| {
        s.spawn(move || {
            let mut m = messages(mine, 0, SingleCopy::Together);
            begin.wait();
            assert!(m.node.can_reach(1));
            if !sender_may_write {
                m.node.node.view(1).set_pid(NOBODY);
            }
            (0..WINDOWS).for_each(|seed| send_window(&mut m, seed));
        });
        s.spawn(move || {
            let mut m = messages(theirs, 1, SingleCopy::Together);
            begin.wait();
            (0..WINDOWS).for_each(|seed| receive_window(&mut m, seed));
        });
    });
}

#[test]
fn two_threads_copy_windows_of_messages_together() {
    two_ranks(true);
}

#[test]
fn two_threads_manage_where_the_sender_may_not_write() {
    two_ranks(false);
}
