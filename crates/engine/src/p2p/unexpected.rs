//! Messages that came before their receive.

use crate::objects::process_table::Route;
use crate::p2p::arrival::Rts;

/// A message that came before its receive.
#[derive(Debug)]
pub enum Unexpected {
    /// All of it.
    Whole {
        /// Its sender.
        from: Route,
        /// The message.
        data: Box<[u8]>,
    },
    /// All of it, in synchronous mode: its sender, on this node, waits for a receive.
    Synchronous {
        /// The place of its sender in the node.
        peer: usize,
        /// The number of the acknowledgement that it awaits.
        number: u8,
        /// The message.
        data: Box<[u8]>,
    },
    /// It comes in fragments, or has come.
    Coming {
        /// Which of those that come.
        number: u32,
        /// Bytes of the message.
        bytes: u64,
    },
    /// It waits in bounce buffers, or will.
    Held {
        /// The place of its sender in the node.
        peer: usize,
        /// Which of those that are held.
        number: u32,
        /// Bytes of the message.
        bytes: u64,
    },
    /// It waits at its sender.
    Rendezvous {
        /// Its sender.
        from: Route,
        /// What the sender said.
        rts: Rts,
    },
}

impl Unexpected {
    /// Bytes of the message.
    pub fn bytes(&self) -> u64 {
        match self {
            Unexpected::Whole { data, .. } | Unexpected::Synchronous { data, .. } => {
                data.len() as u64
            }
            Unexpected::Coming { bytes, .. } | Unexpected::Held { bytes, .. } => *bytes,
            Unexpected::Rendezvous { rts, .. } => rts.bytes,
        }
    }
}
