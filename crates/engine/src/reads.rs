//! Large messages from other nodes that the receiver reads straight out of the sender's memory,
//! where the fabric can do that: the offer says where the message lies; when it has been read, the
//! sender is told that nothing of it is wanted any more. What cannot be read comes in packets.

use std::collections::HashMap;

use dunlin_base::Rank;
use dunlin_wire::Spot;

use crate::landing::Landing;
use crate::messages::Messages;
use crate::net::Net;
use crate::request::Kind;

/// A message that a receive has taken, to be asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pull {
    pub from: Rank,
    pub send: u32,
    /// The number of its landing; 0 if nothing is wanted.
    pub receive: u32,
    pub wanted: u64,
}

/// Reads of this process, and its messages that were read.
#[derive(Debug, Default)]
pub(crate) struct Reads {
    new: Vec<(Pull, Spot)>,
    /// By the number of the landing.
    under_way: HashMap<u32, Pull>,
    /// Messages out of this process that its peers may read, and have.
    shown: usize,
    sent: Vec<u32>,
}

impl Reads {
    /// A message is to be read.
    pub fn plan(&mut self, pull: Pull, spot: Spot) {
        self.new.push((pull, spot));
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
    pub fn hide_sent(&mut self, net: &mut Net) {
        for send in self.sent.drain(..) {
            self.shown -= usize::from(net.hide(send));
        }
    }
}

impl Messages {
    /// Lets peers read the message of a send, if its data lies in one piece.
    pub(crate) fn show(&mut self, send: u32) -> Option<Spot> {
        let Kind::Send { buffer, keep } = &self.requests.own(send).kind else { unreachable!() };
        let data: *const [u8] = keep.as_ref().map(|k| &k[..]).or(buffer.as_dense())?;
        // SAFETY: the program leaves it alone until the send completes, which is when it is hidden.
        let spot = unsafe { self.net().show(send, &*data) };
        self.remote.reads.shown += usize::from(spot.is_some());
        spot
    }

    /// Begins what was planned. Into a buffer of several pieces nothing is read.
    #[cold]
    pub(crate) fn begin_reads(&mut self, net: &mut Net) {
        for (pull, spot) in std::mem::take(&mut self.remote.reads.new) {
            let Some(Landing::Receive { receive, .. }) = self.remote.landings.get_mut(pull.receive)
            else {
                unreachable!("what is planned has a landing")
            };
            let Kind::Receive { buffer, .. } = &mut self.requests.own(*receive).kind else {
                unreachable!("a posted receive is a receive")
            };
            let begun = buffer.as_dense_mut(pull.wanted as usize).is_some_and(|into| {
                let into: *mut [u8] = into;
                // SAFETY: the program leaves it alone until the receive completes, which is not
                // before the end of the read is told.
                unsafe { net.read(pull.from, spot, into, pull.receive) }
            });
            match begun {
                true => _ = self.remote.reads.under_way.insert(pull.receive, pull),
                false => self.remote.pulls.push(pull),
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
            let pull = self.remote.reads.under_way.remove(&number);
            let pull = pull.expect("reads that end were under way");
            self.remote.pulls.push(match is_good {
                true => Pull { receive: 0, wanted: 0, ..pull },
                false => pull,
            });
            if is_good {
                self.land(number);
            }
        });
        any
    }
}
