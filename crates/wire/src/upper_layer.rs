//! The layers above and below an endpoint.

use dunlin_base::Rank;

use crate::frame::{MatchHeader, RemoteKey};

/// Whether a receive has consumed a message, or it is unexpected and takes memory that its sender
/// must not fill without limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consumed {
    /// It has, or will as soon as the parts are there.
    Now,
    /// [`crate::Endpoint::taken`] will say.
    Later,
}

/// The layer that gets the messages and has the data: the engine.
///
/// Messages of one source are begun ([`UpperLayer::whole`], [`UpperLayer::begin`],
/// [`UpperLayer::rts`]) in the order in which they were sent. Numbers named `receive` are the upper
/// layer's own; two transfers from one peer must not use the same number at a time.
pub trait UpperLayer {
    /// A whole message.
    fn whole(&mut self, from: Rank, head: MatchHeader, payload: &[u8]) -> Consumed;
    /// A message of this many bytes comes in fragments; returns the number by which they are to be
    /// delivered.
    fn begin(&mut self, from: Rank, head: MatchHeader, bytes: u64) -> (u32, Consumed);
    /// A fragment of a message that was begun or requested by a CTS; each comes once.
    fn part(&mut self, from: Rank, receive: u32, offset: u64, payload: &[u8]);
    /// Where a fragment of such a message belongs, if that memory is contiguous.
    fn destination(
        &mut self,
        _from: Rank,
        _receive: u32,
        _offset: u64,
        _bytes: usize,
    ) -> Option<&mut [u8]> {
        None
    }
    /// All fragments have arrived.
    fn completed(&mut self, from: Rank, receive: u32);
    /// An RTS: a message waits at its sender, which calls it `send`, and can be read by its remote
    /// key, if any.
    fn rts(
        &mut self,
        from: Rank,
        head: MatchHeader,
        bytes: u64,
        send: u32,
        rkey: Option<RemoteKey>,
    );
    /// Copies a fragment of an outgoing message into a packet.
    fn fill(&mut self, send: u32, offset: u64, into: &mut [u8]);
    /// The same data in place, if it is contiguous.
    fn data(&self, _send: u32, _offset: u64, _len: usize) -> Option<&[u8]> {
        None
    }
    /// A message that went out in fragments is no longer needed.
    fn sent(&mut self, send: u32);
    /// The peer has not taken a message that was announced to it, and never will.
    fn cancelled(&mut self, send: u32) {
        self.sent(send);
    }
    /// A peer has not answered for as long as [`crate::Config::peer_timeout`]. Reported once.
    fn lost(&mut self, peer: Rank);
}

/// The layer that takes packets: the fabric.
pub trait PacketSink {
    /// The incarnation of a peer, for which packets to it are sealed; `None` until it is known. Not
    /// called where the fabric authenticates its packets.
    fn incarnation(&mut self, peer: Rank) -> Option<u64>;
    /// Room for one packet to `peer`, of the largest size; `None` while the fabric is busy.
    fn space(&mut self, peer: Rank) -> Option<&mut [u8]>;
    /// The first `len` bytes of the room given last are a packet.
    fn post(&mut self, peer: Rank, len: usize);
    /// Room for one packet on the second way, of the largest size; `None` while it is busy.
    fn bulk_space(&mut self, _peer: Rank) -> Option<&mut [u8]> {
        None
    }
    /// The same as `post`, of what `bulk_space` gave.
    fn post_bulk(&mut self, _peer: Rank, _len: usize) {}
    /// Takes a packet in two parts from the caller's memory; false while it is busy.
    fn post_parts(&mut self, peer: Rank, front: &[u8], data: &[u8]) -> bool {
        let Some(space) = self.bulk_space(peer) else { return false };
        space[..front.len()].copy_from_slice(front);
        space[front.len()..front.len() + data.len()].copy_from_slice(data);
        self.post_bulk(peer, front.len() + data.len());
        true
    }
}
