//! What the message layer asks of a transport: the loopback within this process, shared memory
//! within the node, packets between nodes. Matching, requests and the delivery of what arrives are
//! theirs together ([`Transfers`]); a transport only moves data and the messages of the protocols.

use crate::matching::Envelope;
use crate::p2p::arrival::Rts;
use crate::p2p::request::{Mode, RequestId};
use crate::p2p::transfers::Transfers;

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
