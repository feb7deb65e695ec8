//! Rendezvous messages: large ones, and those sent in synchronous mode. The sender says where the
//! message lies; once a receive matches, the receiver copies it straight out of the sender's memory
//! and says it is done. Where the kernel forbids that, it asks for the message in bounce buffers,
//! which name their offset and are placed as they come.

use dunlin_shm::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;

use crate::matching::Envelope;
use crate::objects::status::Status;
use crate::p2p::messages::{FragmentStream, Messages, Unexpected};
use crate::p2p::packet::{self, CTS, Cts, FIN, FRAGMENT, Fin, Fragment, NO_SPLIT, RTS, Rts};
use crate::p2p::request::{Kind, RequestId};

/// What stands for the address of a message that does not lie in one piece.
const NO_ADDRESS: u64 = 0;

impl Messages {
    /// Offers a message to a peer. Scattered data has no address: it is packed bounce buffer by
    /// bounce buffer when the peer asks for it, so that no copy of the whole is ever made.
    pub(crate) fn rts(&mut self, peer: usize, envelope: Envelope, id: RequestId) {
        let Kind::Send { buffer, .. } = &self.requests.own(id).kind else { unreachable!() };
        let address = buffer.as_dense().map_or(NO_ADDRESS, |data| data.as_ptr() as u64);
        let bytes = buffer.bytes();
        let split = if address == NO_ADDRESS { NO_SPLIT } else { self.free_splits.take() };
        let rts = Rts { bytes: bytes as u64, address, request: id, split };
        self.count_rendezvous_sent(rts.bytes);
        self.control(peer, packet::head(RTS, &envelope), &rts);
    }

    pub(crate) fn on_rts(&mut self, peer: usize, envelope: Envelope, rts: Rts) {
        self.count_rendezvous_received(rts.bytes);
        match self.matching.arrive(&envelope) {
            Some(receive) => self.take_rts(receive, &envelope, peer, rts),
            None => self.keep_unexpected(envelope, Unexpected::Rendezvous { peer, rts }),
        }
    }

    /// Moves a rendezvous message into a matched receive, or asks for it.
    pub(crate) fn take_rts(
        &mut self,
        receive: RequestId,
        envelope: &Envelope,
        peer: usize,
        rts: Rts,
    ) {
        if self.copy_together(receive, envelope, peer, &rts) {
            return;
        }
        if self.copy_from_peer(receive, peer, &rts) {
            self.done(peer, envelope, &rts);
            self.received(receive, envelope, rts.bytes);
        } else {
            self.cts(peer, envelope, &rts, receive);
        }
    }

    /// Tells the sender that its message is received.
    pub(crate) fn done(&mut self, peer: usize, envelope: &Envelope, rts: &Rts) {
        let done = Fin { request: rts.request, split: rts.split };
        self.control(peer, packet::head(FIN, envelope), &done);
    }

    /// Asks the sender for its message in bounce buffers.
    pub(crate) fn cts(&mut self, peer: usize, envelope: &Envelope, rts: &Rts, id: RequestId) {
        let cts = Cts { request: rts.request, receiver: id, split: rts.split };
        self.control(peer, packet::head(CTS, envelope), &cts);
    }

    pub(crate) fn on_fin(&mut self, done: Fin) {
        self.free_splits.give_back(done.split);
        self.requests.complete(done.request, Status::EMPTY);
    }

    /// Whether the kernel lets us reach this peer's memory, and it is this peer's.
    pub(crate) fn can_reach(&mut self, peer: usize) -> bool {
        let node = self.node;
        *self.node_peers[peer].single_copy.get_or_insert_with(|| node.can_read(peer))
    }

    /// Single copy of what fits; false where the kernel does not let us read this peer.
    fn copy_from_peer(&mut self, receive: RequestId, peer: usize, rts: &Rts) -> bool {
        let Kind::Receive { buffer, .. } = &mut self.requests.own(receive).kind else {
            unreachable!("a posted receive is a receive")
        };
        let len = (rts.bytes as usize).min(buffer.bytes());
        if len == 0 {
            return true;
        }
        if rts.address == NO_ADDRESS {
            return false;
        }
        if !self.can_reach(peer) {
            return false;
        }
        let Kind::Receive { buffer, .. } = &mut self.requests.own(receive).kind else {
            unreachable!("a posted receive is a receive")
        };
        let node = self.node;
        let copied = match buffer.as_dense_mut(len) {
            Some(to) => node.read(peer, rts.address, to),
            None => (0..len).step_by(BOUNCE_BUFFER_DATA_BYTES).try_for_each(|at| {
                let piece = (len - at).min(BOUNCE_BUFFER_DATA_BYTES);
                self.scratch.resize(self.scratch.len().max(piece), 0);
                let piece = &mut self.scratch[..piece];
                node.read(peer, rts.address + at as u64, piece)?;
                buffer.unpack(at, piece);
                Ok::<_, std::io::Error>(())
            }),
        };
        // A refusal now (the peer changed its credentials, say) is a refusal from now on.
        if copied.is_err() {
            self.node_peers[peer].single_copy = Some(false);
        }
        copied.is_ok()
    }

    pub(crate) fn on_cts(&mut self, peer: usize, envelope: Envelope, cts: Cts) {
        self.free_splits.give_back(cts.split);
        let (send, receive) = (cts.request, cts.receiver);
        self.fragment_streams.push_back(FragmentStream { peer, envelope, send, receive, sent: 0 });
        self.feed_streams();
    }

    /// Fills free bounce buffers with what the streams have left to send. True if anything went.
    pub(crate) fn feed_streams(&mut self) -> bool {
        let mut moved = false;
        while let Some(mut stream) = self.fragment_streams.pop_front() {
            let Some((bounce_buffer, data)) = self.node.take_bounce_buffer() else {
                self.fragment_streams.push_front(stream);
                break;
            };
            let Kind::Send { buffer, keep } = &self.requests.own(stream.send).kind else {
                unreachable!("only sends have an RTS")
            };
            let total = buffer.bytes();
            let len = (total - stream.sent).min(BOUNCE_BUFFER_DATA_BYTES);
            let range = stream.sent..stream.sent + len;
            match keep.as_ref().map(|k| &k[..]).or(buffer.as_dense()) {
                Some(from) => data[..len].copy_from_slice(&from[range]),
                None => buffer.pack(stream.sent, &mut data[..len]),
            }
            let fragment = Fragment {
                receiver: stream.receive,
                bounce_buffer: bounce_buffer as u32,
                len: len as u32,
                offset: stream.sent as u64,
                total: total as u64,
            };
            self.control(stream.peer, packet::head(FRAGMENT, &stream.envelope), &fragment);
            stream.sent += len;
            moved = true;
            if stream.sent == total {
                self.requests.complete(stream.send, Status::EMPTY);
            } else {
                self.fragment_streams.push_back(stream);
            }
        }
        moved
    }

    pub(crate) fn on_fragment(&mut self, peer: usize, envelope: Envelope, f: Fragment) {
        let Kind::Receive { buffer, arrived, .. } = &mut self.requests.own(f.receiver).kind else {
            unreachable!("a posted receive is a receive")
        };
        self.node.read_bounce_buffer(peer, f.bounce_buffer as usize, f.len as usize, |data| {
            buffer.unpack(f.offset as usize, data);
        });
        *arrived += u64::from(f.len);
        if *arrived == f.total {
            self.received(f.receiver, &envelope, f.total);
        }
    }
}
