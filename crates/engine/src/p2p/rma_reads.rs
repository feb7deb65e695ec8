//! Rendezvous by remote reads, where the fabric can: the RTS has the remote key of the message, the
//! receiver reads it, and a CTS for 0 bytes tells the sender that it is done. A message that cannot
//! be read comes in packets.

use std::collections::HashMap;

use dunlin_base::Rank;
use dunlin_wire::RemoteKey;

use crate::net::network::Net;
use crate::net::rma::{RmaOwner, Transfer};
use crate::p2p::inbound_transfer::InboundTransfer;
use crate::p2p::request::RequestId;
use crate::p2p::transfers::Transfers;

/// A CTS to be sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PendingCts {
    pub from: Rank,
    pub send: u32,
    /// The number of the transfer; 0 if no bytes are wanted.
    pub receive: u32,
    pub wanted: u64,
}

/// Remote reads by this process, and its own messages that peers read.
#[derive(Debug, Default)]
pub(crate) struct RmaReads {
    new: Vec<(PendingCts, RemoteKey)>,
    /// By the number of the transfer.
    under_way: HashMap<u32, PendingCts>,
    /// Messages of this process that are registered, and those of them that are sent.
    registered: usize,
    sent: Vec<u32>,
    /// Reads and writes of windows that have ended: window, number, and whether all was moved.
    of_windows: Vec<(u32, u32, bool)>,
}

impl RmaReads {
    /// Plans a read.
    pub fn plan(&mut self, pending: PendingCts, rkey: RemoteKey) {
        self.new.push((pending, rkey));
    }

    /// Whether reads are planned.
    pub fn have_new(&self) -> bool {
        !self.new.is_empty()
    }

    /// What has ended of a window's.
    pub fn take_of_window(&mut self, window: u32) -> Vec<(u32, bool)> {
        let mut taken = Vec::new();
        self.of_windows.retain(|&(of, number, is_good)| {
            if of == window {
                taken.push((number, is_good));
            }
            of != window
        });
        taken
    }

    /// A message of this process has been sent.
    pub fn sent(&mut self, send: u32) {
        if self.registered > 0 {
            self.sent.push(send);
        }
    }

    /// Deregisters sent messages, before the program sees that they are complete.
    pub fn deregister_sent(&mut self, net: &mut Net) {
        for send in self.sent.drain(..) {
            self.registered -= usize::from(net.deregister(send));
        }
    }

    /// Registers the message of a send for remote reads, if its data is contiguous.
    pub fn register(
        &mut self,
        transfers: &Transfers,
        net: &mut Net,
        send: RequestId,
    ) -> Option<RemoteKey> {
        let data: *const [u8] = transfers.send_data(send)?;
        // SAFETY: the program leaves it alone until the send completes; it is deregistered then.
        let rkey = unsafe { net.register(send, &*data) };
        self.registered += usize::from(rkey.is_some());
        rkey
    }

    /// Begins planned reads; buffers that are not contiguous get their message in packets, for
    /// which `cts` asks.
    #[cold]
    pub fn begin(&mut self, transfers: &mut Transfers, net: &mut Net, cts: &mut Vec<PendingCts>) {
        for (pending, rkey) in std::mem::take(&mut self.new) {
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
                unsafe {
                    let owner = RmaOwner::Message(pending.receive);
                    net.transfer(pending.from, rkey, Transfer::Read(into), owner)
                }
            });
            match begun {
                true => _ = self.under_way.insert(pending.receive, pending),
                false => cts.push(pending),
            }
        }
    }

    /// Completes receives whose reads have succeeded; a CTS asks for the others. Keeps what has
    /// ended of windows. True if any ended.
    pub fn end(
        &mut self,
        transfers: &mut Transfers,
        net: &mut Net,
        cts: &mut Vec<PendingCts>,
    ) -> bool {
        let mut any = false;
        net.rma_done(&mut |owner, is_good| {
            any = true;
            let number = match owner {
                RmaOwner::Message(number) => number,
                RmaOwner::Window(window, number) => {
                    return self.of_windows.push((window, number, is_good));
                }
            };
            let pending = self.under_way.remove(&number);
            let pending = pending.expect("reads that end were under way");
            cts.push(match is_good {
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
