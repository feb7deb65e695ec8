//! Messages from other nodes that come in parts, placed where they belong in whatever order they
//! come.

use dunlin_base::Rank;

use crate::matching::Envelope;
use crate::request::RequestId;

/// One of them.
#[derive(Debug)]
pub(crate) enum Landing {
    /// Into the buffer of a receive, a message of so many bytes.
    Receive { receive: RequestId, envelope: Envelope, bytes: u64 },
    /// Into memory of ours, because no receive had matched it when it began.
    Kept(Kept),
}

/// A message that waits, whole or in part.
#[derive(Debug)]
pub(crate) struct Kept {
    pub from: Rank,
    pub data: Box<[u8]>,
    pub is_whole: bool,
    /// The receive that has matched it meanwhile.
    pub claimed: Option<(RequestId, Envelope)>,
}
