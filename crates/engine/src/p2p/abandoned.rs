//! Messages of collectives that have failed at this rank. Nobody will receive them, so they are
//! taken and dropped: their senders do not wait for ever, and none is kept.

use crate::matching::{Envelope, NOTICE, Pattern};
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::CollTag;
use crate::p2p::messages::Messages;
use crate::p2p::request::{COMPLETE, Kind, RequestId};
use crate::p2p::transfers::Transfers;

impl Transfers {
    /// The receive that gets a message, if one is posted for it, or if the message is of an
    /// operation that has failed.
    #[inline]
    pub fn arrive(&mut self, envelope: &Envelope) -> Option<RequestId> {
        let posted = self.matching.arrive(envelope);
        if posted.is_some() || self.abandoned.is_empty() {
            return posted;
        }
        let operation = (envelope.context, envelope.tag & !NOTICE);
        self.abandoned.contains(&operation).then(|| self.receive_nothing())
    }

    /// A receive of no bytes for which nobody waits.
    #[cold]
    pub(crate) fn receive_nothing(&mut self) -> RequestId {
        // It belongs to nobody. A stall report may show it, as one of the world, while it comes.
        let op_info = self.requests.own(COMPLETE).op_info.clone();
        let kind = Kind::Receive { buffer: UserBuffer::EMPTY, posted: None };
        let id = self.requests.insert(kind, op_info);
        self.requests.detach_new(id);
        id
    }
}

impl Messages {
    /// Drops the messages of an operation that have come and those that will.
    #[cold]
    pub(crate) fn abandon(&mut self, CollTag { context, tag }: CollTag) {
        self.transfers.abandoned.insert((context, tag));
        for tag in [tag, tag | NOTICE] {
            let pattern = Pattern { context, source: None, tag: Some(tag) };
            while let Some((envelope, message)) = self.transfers.matching.take(&pattern) {
                let receive = self.transfers.receive_nothing();
                self.deliver(receive, &envelope, message);
            }
        }
    }
}
