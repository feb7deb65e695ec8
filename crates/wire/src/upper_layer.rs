//! What stands above an endpoint and what stands below it.

use dunlin_base::Rank;

use crate::frame::{MatchHeader, RemoteKey};

/// Whether a receive has taken a message, or it lies in memory that its sender must not fill on
/// and on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consumed {
    /// It has, or will as soon as the parts are there.
    Now,
    /// [`crate::Endpoint::taken`] will say.
    Later,
}

/// Who gets the messages and has the data: the engine.
///
/// Messages of one source are begun ([`UpperLayer::whole`], [`UpperLayer::begin`],
/// [`UpperLayer::rts`]) in the order in which they were sent. Numbers named `receive` are the
/// upper's own; the same number may not stand for two transfers from one peer at a time.
pub trait UpperLayer {
    /// A whole message.
    fn whole(&mut self, from: Rank, head: MatchHeader, payload: &[u8]) -> Consumed;
    /// A message of this many bytes comes in parts; answers with the number they shall be handed up
    /// by.
    fn begin(&mut self, from: Rank, head: MatchHeader, bytes: u64) -> (u32, Consumed);
    /// A part of a message that was begun or asked for; each comes once.
    fn part(&mut self, from: Rank, receive: u32, offset: u64, payload: &[u8]);
    /// Where a part of such a message belongs, if it can be put there in one piece.
    fn destination(
        &mut self,
        _from: Rank,
        _receive: u32,
        _offset: u64,
        _bytes: usize,
    ) -> Option<&mut [u8]> {
        None
    }
    /// All parts have come.
    fn completed(&mut self, from: Rank, receive: u32);
    /// A message waits at its sender, who calls it `send`, and can be read at a remote key, if any.
    fn rts(
        &mut self,
        from: Rank,
        head: MatchHeader,
        bytes: u64,
        send: u32,
        rkey: Option<RemoteKey>,
    );
    /// Shows a part of a message that goes out.
    fn fill(&mut self, send: u32, offset: u64, into: &mut [u8]);
    /// The same, if it lies in one piece.
    fn data(&self, _send: u32, _offset: u64, _len: usize) -> Option<&[u8]> {
        None
    }
    /// A message that went out in pieces is needed no more.
    fn sent(&mut self, send: u32);
    /// The peer has not taken a message that was announced to it, and never will.
    fn cancelled(&mut self, send: u32) {
        self.sent(send);
    }
    /// A peer has not answered for as long as [`crate::Config::peer_timeout`]. Said once.
    fn lost(&mut self, peer: Rank);
}

/// Who takes packets: the fabric.
pub trait PacketSink {
    /// The incarnation of a peer, for which packets to it are sealed; `None` until it is known. Not
    /// asked where the fabric vouches for its packets.
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
    /// Takes a packet that lies in two parts, without room for it; false while it is busy.
    fn post_parts(&mut self, peer: Rank, front: &[u8], data: &[u8]) -> bool {
        let Some(space) = self.bulk_space(peer) else { return false };
        space[..front.len()].copy_from_slice(front);
        space[front.len()..front.len() + data.len()].copy_from_slice(data);
        self.post_bulk(peer, front.len() + data.len());
        true
    }
}
