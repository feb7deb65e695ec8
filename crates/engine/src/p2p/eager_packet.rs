//! Eager messages that would be rendezvous messages if that took less time (`eager_choice.rs`), in
//! one packet.

use std::time::Duration;

use dunlin_shm::cell::Packet;
use dunlin_shm::queue_pair::Arrived;

use crate::adaptive::Stopwatch;
use crate::matching::Envelope;
use crate::objects::process_table::Route;
use crate::objects::status::Status;
use crate::p2p::node::{InRing, NodeTransport, damaged};
use crate::p2p::packet::{self, EAGER, EAGER_TIMED, TOOK, Took};
use crate::p2p::request::RequestId;
use crate::p2p::transfers::Transfers;

impl NodeTransport {
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
        let head = packet::head(if is_timed { EAGER_TIMED } else { EAGER }, envelope);
        let watch = Stopwatch::start(is_timed);
        let pushed = transfers.with_packed(send, |data| connection.pair.try_push(&head, data));
        assert!(pushed, "there was room for {bytes} bytes");
        if let Some(time) = watch.time() {
            connection.eager.written(bytes, time);
        }
        self.node.wake(peer);
        transfers.requests.complete(send, Status::EMPTY);
        transfers.count_eager_sent(bytes);
        true
    }

    /// Such a message has arrived whose sender asks how long it takes.
    pub(crate) fn on_eager_timed(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        arrived: Arrived,
    ) {
        let watch = Stopwatch::start(true);
        let pair = &mut self.connections[peer].pair;
        transfers.eager(Route::Node(peer), envelope, InRing { pair, arrived });
        let took = Took { ns: watch.time().map_or(0, |time| time.as_nanos() as u64) };
        let head = Packet { kind: TOOK, ..Packet::default() };
        self.control(transfers, peer, head, &took);
    }

    /// The receiver says how long it took.
    pub(crate) fn on_took(&mut self, peer: usize, took: Took) {
        if !self.connections[peer].eager.read(Duration::from_nanos(took.ns)) {
            damaged(peer, "the time of a message that was not timed");
        }
    }
}
