//! Messages from other nodes that come in parts, placed where they belong in whatever order they
//! come.

use std::collections::HashMap;

use dunlin_base::Rank;
use dunlin_wire::RemoteKey;

use crate::matching::Envelope;
use crate::net::network::Net;
use crate::objects::status::RequestId;

/// One of them.
#[derive(Debug)]
pub(crate) enum InboundTransfer {
    /// Into the buffer of a receive, a message of so many bytes.
    Receive { receive: RequestId, envelope: Envelope, bytes: u64 },
    /// Into memory of ours, because no receive had matched it when it began.
    Staged(StagedMessage),
}

/// A message that waits, whole or in part.
#[derive(Debug)]
pub(crate) struct StagedMessage {
    pub from: Rank,
    pub data: Box<[u8]>,
    pub is_whole: bool,
    /// The receive that has matched it meanwhile.
    pub claimed: Option<(RequestId, Envelope)>,
}

/// A message that a receive has taken, to be asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PendingCts {
    pub from: Rank,
    pub send: u32,
    /// The number of its transfer; 0 if nothing is wanted.
    pub receive: u32,
    pub wanted: u64,
}

/// Reads of this process, and its messages that were read.
#[derive(Debug, Default)]
pub(crate) struct RmaReads {
    pub new: Vec<(PendingCts, RemoteKey)>,
    /// By the number of the transfer.
    pub under_way: HashMap<u32, PendingCts>,
    /// Messages out of this process that its peers may read, and have.
    pub shown: usize,
    pub sent: Vec<u32>,
}

impl RmaReads {
    /// A message is to be read.
    pub fn plan(&mut self, pending: PendingCts, rkey: RemoteKey) {
        self.new.push((pending, rkey));
    }

    /// Whether reads are planned.
    pub fn have_new(&self) -> bool {
        !self.new.is_empty()
    }

    /// A message of ours is needed no more.
    pub fn sent(&mut self, send: u32) {
        if self.shown > 0 {
            self.sent.push(send);
        }
    }

    /// Nobody reads any more what is not needed. This happens before the program hears of it.
    pub fn deregister_sent(&mut self, net: &mut Net) {
        for send in self.sent.drain(..) {
            self.shown -= usize::from(net.deregister(send));
        }
    }
}
