//! Receives, without a request, of short messages that came before them and are kept whole.

use dunlin_copy::copy_slice;

use crate::matching::{Envelope, Pattern};
use crate::objects::comm::CommId;
use crate::p2p::completed_receive::CompletedReceive;
use crate::p2p::loopback::SHORT_BYTES_MAX;
use crate::p2p::messages::Messages;
use crate::p2p::request::RequestId;
use crate::p2p::unexpected::Unexpected;

impl Messages {
    /// Receives a short message that is kept whole, if the first for this pattern is one.
    #[inline(never)]
    pub(crate) fn receive_kept(
        &mut self,
        pattern: &Pattern,
        into: &mut [u8],
    ) -> Option<(Envelope, usize)> {
        let room = into.len().min(SHORT_BYTES_MAX);
        let is_short_and_whole = |m: &Unexpected| match m {
            Unexpected::Whole { data, .. } | Unexpected::Synchronous { data, .. } => {
                data.len() <= room
            }
            _ => false,
        };
        let (envelope, taken) = self.transfers.matching.take_if(pattern, is_short_and_whole)?;
        let bytes = taken.bytes();
        match taken {
            Unexpected::Whole { from, data } => {
                copy_slice(&data, &mut into[..data.len()]);
                self.consumed(from, bytes);
            }
            Unexpected::Synchronous { peer, number, data } => {
                copy_slice(&data, &mut into[..data.len()]);
                self.node.acknowledge(&mut self.transfers, peer, number);
            }
            _ => unreachable!("a message that is whole was asked for"),
        }
        Some((envelope, bytes as usize))
    }

    /// The same for a nonblocking receive, which is complete then.
    pub(crate) fn begin_kept(
        &mut self,
        pattern: &Pattern,
        into: &mut [u8],
        comm: CommId,
    ) -> Option<RequestId> {
        if self.transfers.matching.unexpected_len() == 0 {
            return None;
        }
        let (envelope, bytes) = self.receive_kept(pattern, into)?;
        let completed = CompletedReceive::new(comm, &envelope, bytes as u32);
        Some(self.transfers.requests.insert_completed(completed))
    }
}
