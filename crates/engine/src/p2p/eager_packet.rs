//! Eager messages in one packet that are longer than all are that are eager everywhere: those that
//! fit into a fast box, those for which that takes less time than rendezvous (`copy_choice.rs`),
//! and scattered data.

use std::time::Duration;

use dunlin_shm::cell::Packet;
use dunlin_shm::fast_box::FAST_BOX_BYTES;
use dunlin_shm::queue_pair::Arrived;

use crate::adaptive::Stopwatch;
use crate::matching::Envelope;
use crate::objects::process_table::Route;
use crate::objects::status::Status;
use crate::p2p::node::{InRing, NodePeer, NodeTransport};
use crate::p2p::packet::{self, EAGER, EAGER_TIMED, TIMING_REPLY, TimingReply};
use crate::p2p::request::RequestId;
use crate::p2p::transfers::Transfers;

impl NodeTransport {
    /// Sends a message that is a little too long for the ring as one packet all the same, where
    /// those that are longer go in many bounce buffers: in a fast box 8 KiB take 0.6 instead of 0.8
    /// us to a receiver that waits (Zen 4).
    #[inline(never)]
    pub(crate) fn send_in_long_packet(
        &mut self,
        transfers: &mut Transfers,
        to: usize,
        envelope: &Envelope,
        data: &[u8],
    ) -> bool {
        let NodePeer { backlog, pair, .. } = &mut self.connections[to];
        let goes = data.len() <= FAST_BOX_BYTES
            && self.holders.is_wide()
            && backlog.is_empty()
            && pair.try_push_long(&packet::head(EAGER, envelope), data);
        if goes {
            transfers.count_eager_sent(data.len());
            self.node.wake_for_short(to);
        }
        goes
    }

    /// Sends an eager message in one packet, if there is room for it.
    pub(crate) fn send_in_packet(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: &Envelope,
        send: RequestId,
        is_timed: bool,
    ) -> bool {
        let connection = &mut self.connections[peer];
        let bytes = transfers.send_bytes(send);
        if !connection.backlog.is_empty() || !connection.pair.has_room(bytes) {
            return false;
        }
        let number = if is_timed { connection.copy_choice.timing_number() } else { None };
        let head = match number {
            Some(number) => Packet { flags: number, ..packet::head(EAGER_TIMED, envelope) },
            None => packet::head(EAGER, envelope),
        };
        let watch = Stopwatch::start(number.is_some());
        let pushed = transfers.with_packed(send, |data| connection.pair.try_push(&head, data));
        assert!(pushed, "there was room for {bytes} bytes");
        if let Some(time) = watch.time() {
            connection.copy_choice.written(bytes, time);
        }
        self.node.wake(peer);
        transfers.requests.complete(send, Status::EMPTY);
        transfers.count_eager_sent(bytes);
        true
    }

    /// Such a message has arrived whose sender asks how long it takes. The reply is dropped where
    /// it finds no room: a sender that does not look for it must not hold up this rank.
    pub(crate) fn on_eager_timed(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        arrived: Arrived,
    ) {
        let number = arrived.packet.flags;
        let watch = Stopwatch::start(true);
        let NodePeer { pair, backlog, .. } = &mut self.connections[peer];
        transfers.eager(Route::Node(peer), envelope, InRing { pair, arrived });
        let reply = TimingReply { ns: watch.time().map_or(0, |time| time.as_nanos() as u64) };
        if backlog.is_empty() {
            let (words, len) = packet::to_bytes(&reply);
            let head = Packet { kind: TIMING_REPLY, flags: number, ..Packet::default() };
            let _ = pair.try_push(&head, &words[..len]);
        }
    }

    /// The receiver says how long it took.
    pub(crate) fn on_timing_reply(&mut self, peer: usize, number: u8, reply: TimingReply) {
        self.connections[peer].copy_choice.read(number, Duration::from_nanos(reply.ns));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::p2p::messages::Messages;
    use crate::p2p::messages_tests::{
        CONTEXT, bytes, dense, done, op_info, pair, receive, send, settle,
    };
    use crate::p2p::request::{Kind, Mode};
    use dunlin_base::single_copy::SingleCopy;

    const LEN: usize = 10_000;
    const TAG: i32 = 3;

    /// A send that has not begun.
    fn unsent(m: &mut Messages, data: &mut [u8]) -> RequestId {
        m.transfers.requests.insert(Kind::Send { buffer: dense(data), keep: None }, op_info())
    }

    #[test]
    fn a_reply_that_finds_no_room_is_dropped() {
        let (mut a, mut b) = pair(SingleCopy::Together);
        // More than there is room for in the ring back.
        let mut short = vec![vec![7; 8]; 400];
        let sends: Vec<_> =
            short.iter_mut().map(|out| send(&mut b, 0, TAG, out, Mode::Standard)).collect();
        let backlog = b.node.connections[0].backlog.len();
        assert!(backlog > 0);
        let envelope = Envelope { context: CONTEXT, source: 0, tag: TAG };
        let (mut out, mut into) = (bytes(LEN), vec![0; LEN]);
        let received = receive(&mut b, Some(TAG), &mut into);
        let timed = unsent(&mut a, &mut out);
        assert!(a.node.send_in_packet(&mut a.transfers, 1, &envelope, timed, true));
        done(&mut a, timed);
        b.node.take_from(&mut b.transfers, 0);
        done(&mut b, received);
        assert!(into == out && b.node.connections[0].backlog.len() == backlog);
        // Others are not timed while its sender waits for a reply.
        assert_eq!(a.node.connections[1].copy_choice.timing_number(), None);
        settle(&mut a, &mut b);
        sends.into_iter().for_each(|id| drop(done(&mut b, id)));
        assert!(a.is_flushed() && b.is_flushed());
    }

    #[test]
    fn a_reply_is_for_the_message_with_its_number() {
        let (mut a, mut b) = pair(SingleCopy::Together);
        let envelope = Envelope { context: CONTEXT, source: 0, tag: TAG };
        let (mut out, mut into) = (bytes(LEN), vec![0; LEN]);
        let received = receive(&mut b, Some(TAG), &mut into);
        let timed = unsent(&mut a, &mut out);
        assert!(a.node.send_in_packet(&mut a.transfers, 1, &envelope, timed, true));
        // An old one, of a message that was given up.
        a.node.on_timing_reply(1, 0, TimingReply { ns: 1 });
        assert_eq!(a.node.connections[1].copy_choice.timing_number(), None);
        settle(&mut a, &mut b);
        done(&mut a, timed);
        done(&mut b, received);
        assert_eq!(a.node.connections[1].copy_choice.timing_number(), Some(2));
    }
}
