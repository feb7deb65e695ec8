//! Large messages that both ranks copy: the receiver reads them out of the sender's memory from the
//! front while the sender, if it is inside MPI, writes them into the receiver's from the back. Who
//! comes late finds less to do, so nobody waits for a rank that computes.
//!
//! The receiver answers an offer by saying where the message goes (ACCEPT) and begins. Whoever
//! finishes last tells the other: DONE from the receiver, COPIED from the sender. A sender that is
//! not allowed to write gives back what it had claimed (REFUSE) and never helps that peer again.

use std::io;
use std::ops::Range;

use dunlin_shm::claims::{End, Left, Next, UNITS_MAX};
use dunlin_shm::layout::{CLAIMS_PER_RANK, PAGE};

use crate::buffer::UserBuffer;
use crate::matching::Envelope;
use crate::messages::Messages;
use crate::packet::{self, ACCEPT, Accept, COPIED, Copied, NO_CLAIMS, Offer, REFUSE, Refuse};
use crate::request::{Kind, RequestId};
use crate::status::Status;

/// From this size the help is worth its packets. Half round trips on a 2-core Intel Xeon, together
/// and receiver alone, in us: 16 KB 1.77 and 1.59, 32 KB 2.25 and 2.51, 64 KB 3.0 and 3.9.
const TOGETHER_BYTES_MIN: usize = 32 << 10;
/// Up to this size a message behind which others wait is first offered to its sender whole, and
/// then copied by whoever comes first: of a window of messages each rank copies some, in one call
/// each, instead of both a part of each. Windows of 64, with and without, MB/s: 8 KB 8,700 and
/// 5,400, 16 KB 13,400 and 8,000, 64 KB 24,100 and 15,000, 128 KB 22,900 and 18,300.
const LATER_BYTES_MAX: usize = 128 << 10;
/// Units (pages) that the receiver takes beyond its half, as it begins earlier. 64 KB take 3.3 us
/// with none, 3.05 with one or two, 3.4 with three.
const LEAD_UNITS: u32 = 1;
/// What is left is not divided any more from here down. 256 KB take 8.5 us with 8 units, 7.8 with
/// 16, 7.3 with 32 to 64; undivided, 1 MB takes 41 instead of 33.
const WHOLE_UNITS: u32 = 48;
/// The same while the other side has not come: each further call costs 0.4 us, as much as half a
/// dozen pages.
const WHOLE_UNITS_ALONE: u32 = 32;

/// Who copies a large message that lies in one piece on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SingleCopy {
    /// Receiver and sender together.
    Together,
    /// The receiver.
    Receiver,
    /// The kernel is not asked: messages go through slabs.
    Off,
}

/// How a message is cut into units: at page borders of the receive buffer, so that the two ranks
/// write no cache line and no page table entry in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cut {
    /// Where the message goes in the receiver.
    to: u64,
    /// Bytes that are copied.
    len: u64,
    /// Bytes of a unit, a power of two.
    unit: u64,
}

impl Cut {
    fn new(to: u64, len: u64) -> Cut {
        let mut unit = PAGE as u64;
        while len / unit >= u64::from(UNITS_MAX) - 1 {
            unit *= 2;
        }
        Cut { to, len, unit }
    }

    /// Bytes by which the first unit is short.
    fn head(&self) -> u64 {
        self.to % self.unit
    }

    fn units(&self) -> u32 {
        (self.head() + self.len).div_ceil(self.unit) as u32
    }

    /// The place in the message of a range of units.
    fn bytes(&self, units: &Range<u32>) -> Range<usize> {
        let place = |unit: u32| {
            (u64::from(unit) * self.unit).saturating_sub(self.head()).min(self.len) as usize
        };
        place(units.start)..place(units.end)
    }
}

/// A message we receive of which the sender still copies a part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Joint {
    peer: usize,
    envelope: Envelope,
    receive: RequestId,
    offer: Offer,
    cut: Cut,
}

/// The claims that messages we have offered may use.
#[derive(Debug)]
pub(crate) struct FreeClaims(Vec<u32>);

impl FreeClaims {
    pub fn new(single_copy: SingleCopy) -> FreeClaims {
        let all = if single_copy == SingleCopy::Together { CLAIMS_PER_RANK as u32 } else { 0 };
        FreeClaims((0..all).rev().collect())
    }

    /// Whether messages that we offered are still to be copied.
    fn some_are_taken(&self) -> bool {
        self.0.len() < CLAIMS_PER_RANK
    }

    /// Claims for a message, if some are free.
    pub fn take(&mut self) -> u32 {
        self.0.pop().unwrap_or(NO_CLAIMS)
    }

    pub fn give_back(&mut self, number: u32) {
        if number != NO_CLAIMS {
            self.0.push(number);
        }
    }
}

/// What the receiver begins with: a little more than half, because the sender hears of it later.
fn first_portion(units: u32) -> u32 {
    (units.div_ceil(2) + LEAD_UNITS).min(units)
}

/// What a side takes next: large pieces while much is left, so that there are few calls, and
/// smaller ones towards the end, so that both finish at about the same time.
fn portion(left: Left) -> u32 {
    let whole = if left.other_came { WHOLE_UNITS } else { WHOLE_UNITS_ALONE };
    if left.units <= whole { left.units } else { left.units.div_ceil(2) }
}

impl Messages {
    /// Receives an offered message together with its sender; false if that is not to be done, and
    /// then nothing has happened.
    pub(crate) fn copy_together(
        &mut self,
        receive: RequestId,
        envelope: &Envelope,
        peer: usize,
        offer: &Offer,
    ) -> bool {
        let bytes = offer.bytes as usize;
        let others_wait = bytes <= LATER_BYTES_MAX && self.links[peer].pair.peek().is_some();
        // Where messages go both ways at once, each rank has enough to do with what it receives;
        // where ranks share cores, the sender may not run before the copy is done.
        let no_help = self.free_claims.some_are_taken() || self.shared_core;
        let alone = bytes <= LATER_BYTES_MAX && no_help;
        if alone || (bytes < TOGETHER_BYTES_MIN && !others_wait) {
            return false;
        }
        let portion = if others_wait { |_| 0 } else { first_portion };
        let Some((units, joint)) = self.accept(receive, envelope, peer, offer, portion) else {
            return false;
        };
        if others_wait {
            self.accepted.push_back(joint);
        } else {
            self.copy_from(units, joint);
        }
        true
    }

    /// Copies one message that we have accepted and not begun: the oldest if its sender has not
    /// begun it either, else the newest, for the sender works from the oldest upwards.
    pub(crate) fn copy_accepted(&mut self) {
        let Some(oldest) = self.accepted.front() else { return };
        let claims = self.node.claims(oldest.peer, oldest.offer.claims as usize);
        let next = if claims.is_untouched() {
            self.accepted.pop_front()
        } else {
            self.accepted.pop_back()
        };
        next.into_iter().for_each(|joint| self.copy_from(0..0, joint));
    }

    /// Claims the first units of an offered message and tells the sender where the rest goes.
    fn accept(
        &mut self,
        receive: RequestId,
        envelope: &Envelope,
        peer: usize,
        offer: &Offer,
        portion: impl Fn(u32) -> u32,
    ) -> Option<(Range<u32>, Joint)> {
        let to = self.receive_buffer(receive).as_dense_mut(offer.bytes as usize)?;
        let cut = Cut::new(to.as_ptr() as u64, to.len() as u64);
        if offer.claims == NO_CLAIMS || to.is_empty() || !self.can_reach(peer) {
            return None;
        }
        let first = portion(cut.units());
        self.node.claims(peer, offer.claims as usize).begin(first);
        let accept = Accept {
            request: offer.request,
            receiver: receive,
            claims: offer.claims,
            unit_shift: cut.unit.trailing_zeros(),
            to: cut.to,
            len: cut.len,
        };
        self.control(peer, packet::head(ACCEPT, envelope), &accept);
        Some((0..first, Joint { peer, envelope: *envelope, receive, offer: *offer, cut }))
    }

    /// Copies units of a message that were claimed for us, then what else can be claimed.
    fn copy_from(&mut self, mut units: Range<u32>, joint: Joint) {
        let Joint { peer, offer, cut, .. } = joint;
        let claims = self.node.claims(peer, offer.claims as usize);
        loop {
            if self.read_units(&units, &joint).is_err() {
                self.links[peer].single_copy = Some(false);
                self.ask(peer, &joint.envelope, &offer, joint.receive);
                return;
            }
            match claims.next(End::Front, units.len() as u32, cut.units(), portion) {
                Next::Copy(more) => units = more,
                Next::Leave => {
                    self.joints.push(joint);
                    return;
                }
                Next::Complete => {
                    self.done(peer, &joint.envelope, &offer);
                    self.received(joint.receive, &joint.envelope, offer.bytes);
                    return;
                }
            }
        }
    }

    fn receive_buffer(&mut self, receive: RequestId) -> &mut UserBuffer {
        match &mut self.requests.own(receive).kind {
            Kind::Receive { buffer, .. } => buffer,
            _ => unreachable!("a posted receive is a receive"),
        }
    }

    fn read_units(&mut self, units: &Range<u32>, joint: &Joint) -> io::Result<()> {
        let node = self.node;
        let bytes = joint.cut.bytes(units);
        let buffer = self.receive_buffer(joint.receive);
        let to = buffer.as_dense_mut(bytes.end).expect("seen before the copy began");
        let from = joint.offer.address + bytes.start as u64;
        node.read(joint.peer, from, &mut to[bytes])
    }

    /// The receiver of a message that we offered has begun to copy it: we help.
    pub(crate) fn on_accept(&mut self, peer: usize, envelope: Envelope, accept: Accept) {
        if !self.can_reach(peer) {
            return;
        }
        let cut = Cut { to: accept.to, len: accept.len, unit: 1 << accept.unit_shift };
        let claims = self.node.claims(self.node.me(), accept.claims as usize);
        let mut done = 0;
        loop {
            match claims.next(End::Back, done, cut.units(), portion) {
                Next::Copy(units) => {
                    if self.write_units(peer, &units, accept.request, &cut).is_err() {
                        self.refuse(peer, &envelope, accept.receiver, units);
                        return;
                    }
                    done = units.len() as u32;
                }
                Next::Leave => return,
                Next::Complete => {
                    let copied = Copied { receiver: accept.receiver };
                    self.control(peer, packet::head(COPIED, &envelope), &copied);
                    self.free_claims.give_back(accept.claims);
                    self.requests.complete(accept.request, Status::EMPTY);
                    return;
                }
            }
        }
    }

    fn write_units(
        &mut self,
        peer: usize,
        units: &Range<u32>,
        send: RequestId,
        cut: &Cut,
    ) -> io::Result<()> {
        let Kind::Send { buffer, .. } = &self.requests.own(send).kind else {
            unreachable!("only sends are offered")
        };
        let bytes = cut.bytes(units);
        let to = cut.to + bytes.start as u64;
        let from = buffer.as_dense().expect("only data in one piece has claims");
        self.node.write(peer, &from[bytes], to)
    }

    /// Leaves units that we claimed and may not write to their receiver, now and from now on.
    fn refuse(&mut self, peer: usize, envelope: &Envelope, receiver: u32, units: Range<u32>) {
        self.links[peer].single_copy = Some(false);
        let refuse = Refuse { receiver, first: units.start, end: units.end };
        self.control(peer, packet::head(REFUSE, envelope), &refuse);
    }

    /// The sender has finished last.
    pub(crate) fn on_copied(&mut self, copied: Copied) {
        let Some(joint) = self.take_joint(copied.receiver) else {
            unreachable!("only a copy that was left to its sender is finished by it")
        };
        self.received(joint.receive, &joint.envelope, joint.offer.bytes);
    }

    /// The sender cannot write into our memory: its part becomes ours.
    pub(crate) fn on_refuse(&mut self, refuse: Refuse) {
        // Not found where we could not read either and have asked for slabs.
        if let Some(joint) = self.take_joint(refuse.receiver) {
            self.copy_from(refuse.first..refuse.end, joint);
        }
    }

    fn take_joint(&mut self, receive: RequestId) -> Option<Joint> {
        let wanted = |joint: &Joint| joint.receive == receive;
        if let Some(place) = self.joints.iter().position(wanted) {
            return Some(self.joints.swap_remove(place));
        }
        let place = self.accepted.iter().position(wanted)?;
        self.accepted.remove(place)
    }
}

#[cfg(test)]
#[path = "joint_copy_tests.rs"]
mod tests;
