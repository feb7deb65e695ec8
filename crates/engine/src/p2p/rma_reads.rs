//! Large messages from other nodes that the receiver reads straight out of the sender's memory,
//! where the fabric can do that: the RTS says where the message lies; when it has been read, the
//! sender is told that nothing of it is wanted any more. What cannot be read comes in packets.

use std::collections::HashMap;

use dunlin_base::Rank;
use dunlin_wire::RemoteKey;

use crate::net::network::Net;
use crate::p2p::inbound_transfer::InboundTransfer;
use crate::p2p::remote::{NetTransport, Outbox};
use crate::p2p::request::RequestId;
use crate::p2p::transfers::Transfers;

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
    new: Vec<(PendingCts, RemoteKey)>,
    /// By the number of the transfer.
    under_way: HashMap<u32, PendingCts>,
    /// Messages out of this process that its peers may read, and have.
    registered: usize,
    sent: Vec<u32>,
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
        if self.registered > 0 {
            self.sent.push(send);
        }
    }

    /// Nobody reads any more what is not needed. This happens before the program hears of it.
    pub fn deregister_sent(&mut self, net: &mut Net) {
        for send in self.sent.drain(..) {
            self.registered -= usize::from(net.deregister(send));
        }
    }
}

impl NetTransport {
    /// Lets peers read the message of a send, if its data lies in one piece.
    pub(crate) fn register(&mut self, transfers: &Transfers, send: RequestId) -> Option<RemoteKey> {
        let data: *const [u8] = transfers.send_data(send)?;
        // SAFETY: the program leaves it alone until the send completes; it is deregistered then.
        let rkey = unsafe { self.net.register(send, &*data) };
        self.outbox.reads.registered += usize::from(rkey.is_some());
        rkey
    }
}

impl Outbox {
    /// Begins what was planned. Into a buffer of several pieces nothing is read.
    #[cold]
    pub(crate) fn begin_reads(&mut self, transfers: &mut Transfers, net: &mut Net) {
        for (pending, rkey) in std::mem::take(&mut self.reads.new) {
            let Some(&mut InboundTransfer::Receive { receive, .. }) =
                transfers.inbound.get_mut(pending.receive)
            else {
                unreachable!("what is planned has a transfer")
            };
            let into = transfers.receive_buffer(receive).as_dense_mut(pending.wanted as usize);
            let begun = into.is_some_and(|into| {
                let into: *mut [u8] = into;
                // SAFETY: the program leaves it alone until the receive completes, which is not
                // before the end of the read is told.
                unsafe { net.read(pending.from, rkey, into, pending.receive) }
            });
            match begun {
                true => _ = self.reads.under_way.insert(pending.receive, pending),
                false => self.pending_cts.push(pending),
            }
        }
    }

    /// Completes receives whose messages were read; the others ask for theirs. True if any ended.
    pub(crate) fn end_reads(&mut self, transfers: &mut Transfers, net: &mut Net) -> bool {
        if self.reads.under_way.is_empty() {
            return false;
        }
        let mut any = false;
        net.reads_done(&mut |number, is_good| {
            any = true;
            let pending = self.reads.under_way.remove(&number);
            let pending = pending.expect("reads that end were under way");
            self.pending_cts.push(match is_good {
                true => PendingCts { receive: 0, wanted: 0, ..pending },
                false => pending,
            });
            if is_good {
                transfers.completed(number);
            }
        });
        any
    }
}
