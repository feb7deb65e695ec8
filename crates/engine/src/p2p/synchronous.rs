//! Short messages in synchronous mode within a node. They are eager, and the receiver acknowledges
//! one as soon as a receive has matched it, by a packet without a payload: that is one line there
//! and one back. By rendezvous the receiver asks the kernel for the data, too.

use dunlin_shm::cell::Packet;
use dunlin_shm::queue_pair::Arrived;

use crate::matching::Envelope;
use crate::objects::status::Status;
use crate::p2p::arrival::Payload;
use crate::p2p::copy_choice::Way;
use crate::p2p::messages::Messages;
use crate::p2p::node::{InRing, NodeTransport, Outgoing, damaged};
use crate::p2p::packet::{self, EAGER_SYNC, SYNC_ACK};
use crate::p2p::request::RequestId;
use crate::p2p::transfers::Transfers;
use crate::p2p::unexpected::Unexpected;

impl NodeTransport {
    /// Sends a short message in synchronous mode; with an RTS if too many await an acknowledgement.
    pub(crate) fn send_synchronous(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        send: RequestId,
    ) {
        let connection = &mut self.connections[peer];
        let Some(number) = connection.acks.add(send) else {
            return self.rts(transfers, peer, envelope, send, Way::DEFAULT);
        };
        let head = Packet { flags: number, ..packet::head(EAGER_SYNC, &envelope) };
        connection.backlog.push_back(Outgoing::Eager(head, send));
        self.flush(transfers, peer);
    }

    /// Such a message has arrived: into the receive that it matches, or it is kept.
    pub(crate) fn on_eager_sync(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        arrived: Arrived,
    ) {
        let number = arrived.packet.flags;
        let payload = InRing { pair: &mut self.connections[peer].pair, arrived };
        if let Some(receive) = transfers.matching.arrive(&envelope) {
            transfers.deliver(receive, &envelope, payload);
            return self.acknowledge(transfers, peer, number);
        }
        let data = payload.into_boxed();
        transfers.keep_unexpected(envelope, Unexpected::Synchronous { peer, number, data });
    }

    /// Tells the sender of a message in synchronous mode that a receive has matched it.
    pub(crate) fn acknowledge(&mut self, transfers: &mut Transfers, peer: usize, number: u8) {
        let head = Packet { kind: SYNC_ACK, flags: number, ..Packet::default() };
        self.push_control(transfers, peer, head, &[]);
    }

    pub(crate) fn on_sync_ack(&mut self, transfers: &mut Transfers, peer: usize, number: u8) {
        let Some(send) = self.connections[peer].acks.take(number) else {
            damaged(peer, "an acknowledgement that nothing awaits");
        };
        transfers.requests.complete(send, Status::EMPTY);
    }
}

impl Messages {
    /// Receives a message in synchronous mode that has just arrived, without a request; `None` if
    /// there is no room for it.
    pub(crate) fn receive_sync_now(
        &mut self,
        peer: usize,
        arrived: Arrived,
        into: &mut [u8],
    ) -> Option<(Envelope, usize)> {
        let packet = arrived.packet;
        let (envelope, len) = (packet::envelope(&packet), usize::from(packet.len));
        if len > into.len() {
            return None;
        }
        let Messages { transfers, node, .. } = self;
        node.connections[peer].pair.read(arrived, into);
        node.wake_if_made_room(peer);
        node.acknowledge(transfers, peer, packet.flags);
        Some((envelope, len))
    }
}

#[cfg(test)]
mod tests {
    use crate::p2p::messages::Route;
    use crate::p2p::messages_tests::{bytes, done, pair, receive, send, settle};
    use crate::p2p::request::Mode;
    use dunlin_base::single_copy::SingleCopy;

    /// More than there are numbers, and than a ring has room for.
    #[test]
    fn many_synchronous_sends_arrive_in_order_and_end_with_their_receives() {
        const MESSAGES: usize = 1000;
        let (mut a, mut b) = pair(SingleCopy::Together);
        let mut out: Vec<_> = (0..MESSAGES).map(|i| vec![i as u8; 100]).collect();
        let sends: Vec<_> =
            out.iter_mut().map(|out| send(&mut a, 1, 3, out, Mode::Synchronous)).collect();
        settle(&mut a, &mut b);
        let mut into = vec![vec![0; 100]; MESSAGES];
        for (i, into) in into.iter_mut().enumerate() {
            let r = receive(&mut b, Some(3), into);
            settle(&mut a, &mut b);
            done(&mut b, r);
            done(&mut a, sends[i]);
            assert!(sends[i + 1..].iter().all(|&later| !a.transfers.requests.is_done(later)));
        }
        assert!(into == out && !a.node.connections[1].acks.has_any());
    }

    #[test]
    fn synchronous_sends_that_are_kept_or_wait_for_room_can_be_cancelled() {
        const MESSAGES: usize = 200;
        let (mut a, mut b) = pair(SingleCopy::Together);
        let mut out: Vec<_> = (0..MESSAGES).map(|_| bytes(1000)).collect();
        let sends: Vec<_> =
            out.iter_mut().map(|out| send(&mut a, 1, 3, out, Mode::Synchronous)).collect();
        let mut into = bytes(1000);
        // The first is matched before its sender asks; the last have not left.
        let first = receive(&mut b, Some(3), &mut into);
        while b.progress() {}
        for &s in &sends {
            a.cancel(s, Some(Route::Node(1)));
        }
        settle(&mut a, &mut b);
        done(&mut b, first);
        let cancelled = sends.iter().filter(|&&s| done(&mut a, s).cancelled).count();
        assert_eq!((cancelled, b.transfers.matching.unexpected_len()), (MESSAGES - 1, 0));
        assert!(!a.node.connections[1].acks.has_any());
    }
}
