//! Messages that came before their receive.

use dunlin_base::Rank;
use dunlin_wire::RemoteKey;

use crate::p2p::packet::Rts;
use crate::p2p::request::{Kind, RequestId, Requests};

/// A message that came before its receive.
#[derive(Debug)]
pub enum Unexpected {
    /// All of it.
    Whole(Box<[u8]>),
    /// Still in the memory of a peer.
    Rendezvous {
        /// Its sender, by place in the node.
        peer: usize,
        /// What the sender said.
        rts: Rts,
    },
    /// Still in our own memory, sent to ourselves; names the sending request.
    OwnRendezvous(RequestId),
    /// All of it, from another node.
    Packet {
        /// Its sender.
        from: Rank,
        /// The message.
        data: Box<[u8]>,
    },
    /// It comes in parts from another node, or has come.
    Coming {
        /// Which of those that come.
        number: u32,
        /// Bytes of the message.
        bytes: u64,
    },
    /// It waits at its sender on another node.
    RemoteRendezvous {
        /// Its sender,
        from: Rank,
        /// who calls it so.
        send: u32,
        /// Bytes of the message.
        bytes: u64,
        /// Where it can be read.
        rkey: Option<RemoteKey>,
    },
}

impl Unexpected {
    /// Bytes of the message.
    pub fn bytes(&self, requests: &Requests) -> u64 {
        match self {
            Unexpected::Whole(data) | Unexpected::Packet { data, .. } => data.len() as u64,
            Unexpected::Coming { bytes, .. } | Unexpected::RemoteRendezvous { bytes, .. } => *bytes,
            Unexpected::Rendezvous { rts, .. } => rts.bytes,
            Unexpected::OwnRendezvous(id) => requests.get(*id).map_or(0, |r| match &r.kind {
                Kind::Send { buffer, .. } => buffer.bytes() as u64,
                _ => 0,
            }),
        }
    }
}
