//! Offered messages: large ones, and those sent in synchronous mode. The sender says where the
//! message lies; once a receive matches, the receiver copies it straight out of the sender's memory
//! and says it is done. Where the kernel forbids that, it asks for the message in slabs, which
//! name their offset and are placed as they come.

use dunlin_shm::slab::SLAB_DATA_BYTES;

use crate::matching::Envelope;
use crate::messages::{Messages, Unexpected};
use crate::packet::{self, ASK, Ask, DONE, Done, FRAGMENT, Fragment, NO_CLAIMS, OFFER, Offer};
use crate::request::{Kind, RequestId};
use crate::status::Status;

/// What stands for the address of a message that does not lie in one piece.
const NO_ADDRESS: u64 = 0;

/// A message going out in slabs.
#[derive(Debug)]
pub(crate) struct Stream {
    peer: usize,
    envelope: Envelope,
    send: RequestId,
    receive: RequestId,
    sent: usize,
}

impl Messages {
    /// Offers a message to a peer. Scattered data has no address: it is packed slab by slab when
    /// the peer asks for it, so that no copy of the whole is ever made.
    pub(crate) fn offer(&mut self, peer: usize, envelope: Envelope, id: RequestId) {
        let Kind::Send { buffer, .. } = &self.requests.own(id).kind else { unreachable!() };
        let address = buffer.as_dense().map_or(NO_ADDRESS, |data| data.as_ptr() as u64);
        let bytes = buffer.bytes();
        let claims = if address == NO_ADDRESS { NO_CLAIMS } else { self.free_claims.take() };
        let offer = Offer { bytes: bytes as u64, address, request: id, claims };
        self.control(peer, packet::head(OFFER, &envelope), &offer);
    }

    pub(crate) fn on_offer(&mut self, peer: usize, envelope: Envelope, offer: Offer) {
        match self.matching.arrive(&envelope) {
            Some(receive) => self.take_offer(receive, &envelope, peer, offer),
            None => self.matching.store(envelope, Unexpected::Offered { peer, offer }),
        }
    }

    /// Moves an offered message into a matched receive, or asks for it.
    pub(crate) fn take_offer(
        &mut self,
        receive: RequestId,
        envelope: &Envelope,
        peer: usize,
        offer: Offer,
    ) {
        if self.copy_together(receive, envelope, peer, &offer) {
            return;
        }
        if self.copy_from_peer(receive, peer, &offer) {
            self.done(peer, envelope, &offer);
            self.received(receive, envelope, offer.bytes);
        } else {
            self.ask(peer, envelope, &offer, receive);
        }
    }

    /// Tells the sender that its message is received.
    pub(crate) fn done(&mut self, peer: usize, envelope: &Envelope, offer: &Offer) {
        let done = Done { request: offer.request, claims: offer.claims };
        self.control(peer, packet::head(DONE, envelope), &done);
    }

    /// Asks the sender for its message in slabs.
    pub(crate) fn ask(&mut self, peer: usize, envelope: &Envelope, offer: &Offer, id: RequestId) {
        let ask = Ask { request: offer.request, receiver: id, claims: offer.claims };
        self.control(peer, packet::head(ASK, envelope), &ask);
    }

    pub(crate) fn on_done(&mut self, done: Done) {
        self.free_claims.give_back(done.claims);
        self.requests.complete(done.request, Status::EMPTY);
    }

    /// Whether the kernel lets us reach this peer's memory, and it is this peer's.
    pub(crate) fn can_reach(&mut self, peer: usize) -> bool {
        let node = self.node;
        *self.links[peer].single_copy.get_or_insert_with(|| node.can_read(peer))
    }

    /// Single copy of what fits; false where the kernel does not let us read this peer.
    fn copy_from_peer(&mut self, receive: RequestId, peer: usize, offer: &Offer) -> bool {
        let Kind::Receive { buffer, .. } = &mut self.requests.own(receive).kind else {
            unreachable!("a posted receive is a receive")
        };
        let len = (offer.bytes as usize).min(buffer.bytes());
        if len == 0 {
            return true;
        }
        if offer.address == NO_ADDRESS {
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
            Some(to) => node.read(peer, offer.address, to),
            None => (0..len).step_by(SLAB_DATA_BYTES).try_for_each(|at| {
                let piece = (len - at).min(SLAB_DATA_BYTES);
                self.scratch.resize(self.scratch.len().max(piece), 0);
                let piece = &mut self.scratch[..piece];
                node.read(peer, offer.address + at as u64, piece)?;
                buffer.unpack(at, piece);
                Ok::<_, std::io::Error>(())
            }),
        };
        // A refusal now (the peer changed its credentials, say) is a refusal from now on.
        if copied.is_err() {
            self.links[peer].single_copy = Some(false);
        }
        copied.is_ok()
    }

    pub(crate) fn on_ask(&mut self, peer: usize, envelope: Envelope, ask: Ask) {
        self.free_claims.give_back(ask.claims);
        let (send, receive) = (ask.request, ask.receiver);
        self.streams.push_back(Stream { peer, envelope, send, receive, sent: 0 });
        self.feed_streams();
    }

    /// Fills free slabs with what the streams have left to send. True if anything went.
    pub(crate) fn feed_streams(&mut self) -> bool {
        let mut moved = false;
        while let Some(mut stream) = self.streams.pop_front() {
            let Some((slab, data)) = self.node.take_slab() else {
                self.streams.push_front(stream);
                break;
            };
            let Kind::Send { buffer, keep } = &self.requests.own(stream.send).kind else {
                unreachable!("only sends are offered")
            };
            let total = buffer.bytes();
            let len = (total - stream.sent).min(SLAB_DATA_BYTES);
            let range = stream.sent..stream.sent + len;
            match keep.as_ref().map(|k| &k[..]).or(buffer.as_dense()) {
                Some(from) => data[..len].copy_from_slice(&from[range]),
                None => buffer.pack(stream.sent, &mut data[..len]),
            }
            let fragment = Fragment {
                receiver: stream.receive,
                slab: slab as u32,
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
                self.streams.push_back(stream);
            }
        }
        moved
    }

    pub(crate) fn on_fragment(&mut self, peer: usize, envelope: Envelope, f: Fragment) {
        let Kind::Receive { buffer, arrived, .. } = &mut self.requests.own(f.receiver).kind else {
            unreachable!("a posted receive is a receive")
        };
        self.node.read_slab(peer, f.slab as usize, f.len as usize, |data| {
            buffer.unpack(f.offset as usize, data);
        });
        *arrived += u64::from(f.len);
        if *arrived == f.total {
            self.received(f.receiver, &envelope, f.total);
        }
    }
}
