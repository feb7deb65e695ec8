//! Large messages from other nodes that the receiver reads straight out of the sender's memory,
//! where the fabric can do that: the RTS says where the message lies; when it has been read, the
//! sender is told that nothing of it is wanted any more. What cannot be read comes in packets.

use dunlin_wire::RemoteKey;

use crate::net::network::Net;
use crate::p2p::inbound_transfer::{InboundTransfer, PendingCts};
use crate::p2p::messages::Messages;
use crate::p2p::request::Kind;

impl Messages {
    /// Lets peers read the message of a send, if its data lies in one piece.
    pub(crate) fn register(&mut self, send: u32) -> Option<RemoteKey> {
        let Kind::Send { buffer, keep } = &self.requests.own(send).kind else { unreachable!() };
        let data: *const [u8] = keep.as_ref().map(|k| &k[..]).or(buffer.as_dense())?;
        // SAFETY: the program leaves it alone until the send completes, which is when it is hidden.
        let rkey = unsafe { self.net().register(send, &*data) };
        self.remote.reads.shown += usize::from(rkey.is_some());
        rkey
    }

    /// Begins what was planned. Into a buffer of several pieces nothing is read.
    #[cold]
    pub(crate) fn begin_reads(&mut self, net: &mut Net) {
        for (pending, rkey) in std::mem::take(&mut self.remote.reads.new) {
            let Some(InboundTransfer::Receive { receive, .. }) =
                self.remote.inbound.get_mut(pending.receive)
            else {
                unreachable!("what is planned has a transfer")
            };
            let Kind::Receive { buffer, .. } = &mut self.requests.own(*receive).kind else {
                unreachable!("a posted receive is a receive")
            };
            let begun = buffer.as_dense_mut(pending.wanted as usize).is_some_and(|into| {
                let into: *mut [u8] = into;
                // SAFETY: the program leaves it alone until the receive completes, which is not
                // before the end of the read is told.
                unsafe { net.read(pending.from, rkey, into, pending.receive) }
            });
            match begun {
                true => _ = self.remote.reads.under_way.insert(pending.receive, pending),
                false => self.remote.pending_cts.push(pending),
            }
        }
    }

    /// Completes receives whose messages were read; the others ask for theirs. True if any ended.
    pub(crate) fn end_reads(&mut self, net: &mut Net) -> bool {
        if self.remote.reads.under_way.is_empty() {
            return false;
        }
        let mut any = false;
        net.reads_done(&mut |number, is_good| {
            any = true;
            let pending = self.remote.reads.under_way.remove(&number);
            let pending = pending.expect("reads that end were under way");
            self.remote.pending_cts.push(match is_good {
                true => PendingCts { receive: 0, wanted: 0, ..pending },
                false => pending,
            });
            if is_good {
                self.finish_inbound(number);
            }
        });
        any
    }
}
