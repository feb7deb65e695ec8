//! Messages that come in fragments, placed where they belong in whatever order they come.

use crate::matching::Envelope;
use crate::objects::process_table::Route;
use crate::objects::status::RequestId;
use crate::p2p::arrival::Rts;

/// One of them.
#[derive(Debug)]
pub(crate) enum InboundTransfer {
    /// Into the buffer of a receive, a message of so many bytes, of which so many have come.
    Receive { receive: RequestId, envelope: Envelope, bytes: u64, arrived: u64 },
    /// Into memory of ours, because no receive had matched it when it began.
    Staged(StagedMessage),
}

/// A message that waits, whole or in part.
#[derive(Debug)]
pub(crate) struct StagedMessage {
    pub from: Route,
    pub data: Box<[u8]>,
    pub is_whole: bool,
    /// The receive that has matched it meanwhile.
    pub claimed: Option<(RequestId, Envelope)>,
}

/// A message that its sender may send in bounce buffers, of which this rank has taken nothing
/// (`offers.rs`).
#[derive(Debug)]
pub(crate) struct Offer {
    pub peer: usize,
    pub envelope: Envelope,
    pub receive: RequestId,
    pub rts: Rts,
    /// By which the fragments are placed.
    pub number: u32,
    /// Its number among all that this rank has made.
    pub serial: u64,
}
