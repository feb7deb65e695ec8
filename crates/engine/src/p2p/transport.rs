//! What the message layer asks of a transport: the loopback within this process, shared memory
//! within the node, packets between nodes. Matching, requests and the delivery of what arrives are
//! theirs together ([`Transfers`]); a transport only moves data and the messages of the protocols.

use dunlin_wire::RemoteKey;

use crate::matching::Envelope;
use crate::objects::buffer::UserBuffer;
use crate::p2p::request::{Mode, RequestId};
use crate::p2p::transfers::Transfers;

/// A rendezvous message, as its sender announces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rts {
    /// Bytes of the message.
    pub bytes: u64,
    /// The sender's request.
    pub send: RequestId,
    /// Where a receiver may read it, if it lies in one piece. What the key means is the
    /// transport's own.
    pub rkey: Option<RemoteKey>,
}

/// A way to other processes.
pub(crate) trait Transport {
    /// How it names a process.
    type Peer: Copy;

    /// Sends a short message at once, without a request; false if it must take the slow path.
    fn send_now(
        &mut self,
        transfers: &mut Transfers,
        to: Self::Peer,
        envelope: &Envelope,
        data: &[u8],
    ) -> bool;

    /// Begins to send a message that does not go at once: eagerly, or with an RTS.
    fn send(
        &mut self,
        transfers: &mut Transfers,
        to: Self::Peer,
        envelope: Envelope,
        send: RequestId,
        mode: Mode,
    );

    /// Brings a rendezvous message into the receive that has matched it, now or later.
    fn accept(
        &mut self,
        transfers: &mut Transfers,
        from: Self::Peer,
        envelope: &Envelope,
        rts: Rts,
        receive: RequestId,
    );

    /// A receive has taken an unexpected message of so many bytes: its sender has credit again.
    fn consumed(&mut self, transfers: &mut Transfers, from: Self::Peer, bytes: u64);

    /// Takes back a send that its peer has not matched; it completes as cancelled if that succeeds.
    fn cancel(&mut self, transfers: &mut Transfers, to: Self::Peer, send: RequestId);

    /// Whether all that was sent has left this process.
    fn is_flushed(&self) -> bool;
}

/// The data of an eager message that has just arrived.
pub(crate) trait Payload: Sized {
    /// Bytes of it.
    fn len(&self) -> usize;

    /// Moves it into memory of as many bytes.
    fn read(self, into: &mut [u8]);

    /// Moves as much as fits into a receive's buffer; `scratch` is room to unpack from.
    #[inline]
    fn unpack(self, into: &mut UserBuffer, scratch: &mut Vec<u8>) {
        let len = self.len();
        scratch.resize(scratch.len().max(len), 0);
        self.read(&mut scratch[..len]);
        into.unpack(0, &scratch[..len]);
    }

    /// Keeps it.
    fn into_boxed(self) -> Box<[u8]> {
        let mut data = vec![0; self.len()].into_boxed_slice();
        self.read(&mut data);
        data
    }
}

impl Payload for &[u8] {
    fn len(&self) -> usize {
        <[u8]>::len(self)
    }

    fn read(self, into: &mut [u8]) {
        into.copy_from_slice(self);
    }

    fn unpack(self, into: &mut UserBuffer, _: &mut Vec<u8>) {
        into.unpack(0, self);
    }

    fn into_boxed(self) -> Box<[u8]> {
        self.into()
    }
}
