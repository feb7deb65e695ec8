//! Packets in flight to a peer over a fabric that may lose them: what must be kept until the peer
//! has it, what is lost, and when to request an acknowledgement.

use std::collections::VecDeque;

use crate::config::Nanos;
use crate::fragmenter::Fragment;
use crate::header::Sacks;
use crate::seq::Seq;

/// Packets' worth of memory kept for the next ones.
const SPARE_MAX: usize = 8;

/// What a packet carried, to write it again.
#[derive(Debug, Default)]
pub(crate) struct Load {
    /// Frames that are nowhere else.
    pub frames: Vec<u8>,
    /// A fragment of a long message, which is still in the program's memory.
    pub fragment: Option<Fragment>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PacketState {
    Flying,
    /// To be sent again.
    Lost,
    Arrived,
}

#[derive(Debug)]
struct Sent {
    at: Nanos,
    fate: PacketState,
    again: bool,
    load: Load,
}

/// What an acknowledgement brought.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Answered {
    /// Packets that are now known to have arrived.
    pub packets: u32,
    /// The round trip of the one sent last, if it was sent once.
    pub time: Option<Nanos>,
}

/// The packets in flight to one peer.
#[derive(Debug, Default)]
pub(crate) struct RetransmitQueue {
    /// The number of the first in `sent`.
    first: Seq,
    sent: VecDeque<Sent>,
    in_flight: u32,
    lost: u32,
    /// When the packet was sent that was sent last of those that have arrived.
    arrived_at: Nanos,
    spare: Vec<Vec<u8>>,
}

impl RetransmitQueue {
    /// The number of the next new packet.
    pub fn next(&self) -> Seq {
        self.first.plus(self.sent.len() as u32)
    }

    /// The oldest packet that may still be missing.
    pub fn first(&self) -> Seq {
        self.first
    }

    /// Packets in flight.
    pub fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// Whether packets wait to be sent again.
    pub fn has_lost(&self) -> bool {
        self.lost > 0
    }

    /// Whether everything has arrived.
    pub fn is_empty(&self) -> bool {
        self.sent.is_empty()
    }

    /// Empty memory for the frames of a packet.
    pub fn memory(&mut self) -> Vec<u8> {
        self.spare.pop().unwrap_or_default()
    }

    /// Keeps a new packet; its number was [`RetransmitQueue::next`].
    #[inline]
    pub fn keep(&mut self, at: Nanos, load: Load) {
        self.sent.push_back(Sent { at, fate: PacketState::Flying, again: false, load });
        self.in_flight += 1;
    }

    /// Counts a packet that cannot be lost.
    pub fn count(&mut self) {
        self.first = self.first.plus(1);
    }

    /// Handles an acknowledgement. `arrived` is called with every fragment that is now known to
    /// have arrived.
    pub fn on_answer(
        &mut self,
        now: Nanos,
        ack: Seq,
        sacks: Sacks,
        mut arrived: impl FnMut(Fragment),
    ) -> Answered {
        let mut answered = Answered::default();
        let mut newest = None;
        let ends = self.next();
        if ack.is_before(self.first) || ends.is_before(ack) {
            return answered;
        }
        let mut mark = |this: &mut Self, number: Seq| {
            if number.is_before(this.first) || !number.is_before(ends) {
                return;
            }
            if let Some((at, again)) = this.mark(number, &mut arrived) {
                answered.packets += 1;
                if newest.is_none_or(|(newest, _)| newest <= at) {
                    newest = Some((at, again));
                }
            }
        };
        for n in 0..ack.from(self.first) {
            mark(self, self.first.plus(n));
        }
        let base = ack.plus(64 * u32::from(sacks.block));
        let mut bits = sacks.bits;
        while bits != 0 {
            mark(self, base.plus(bits.trailing_zeros()));
            bits &= bits - 1;
        }
        self.forget_arrived();
        answered.time = newest.filter(|n| !n.1).map(|(at, _)| now.saturating_sub(at));
        answered
    }

    /// Notes that a packet has arrived: when it was sent, and whether again; `None` if it is known.
    fn mark(&mut self, number: Seq, arrived: &mut impl FnMut(Fragment)) -> Option<(Nanos, bool)> {
        let sent = &mut self.sent[number.from(self.first) as usize];
        match std::mem::replace(&mut sent.fate, PacketState::Arrived) {
            PacketState::Flying => self.in_flight -= 1,
            PacketState::Lost => self.lost -= 1,
            PacketState::Arrived => return None,
        }
        let (at, again) = (sent.at, sent.again);
        let Load { mut frames, fragment } = std::mem::take(&mut sent.load);
        self.arrived_at = self.arrived_at.max(at);
        if let Some(fragment) = fragment {
            arrived(fragment);
        }
        if self.spare.len() < SPARE_MAX && frames.capacity() > 0 {
            frames.clear();
            self.spare.push(frames);
        }
        Some((at, again))
    }

    fn forget_arrived(&mut self) {
        while self.sent.front().is_some_and(|s| s.fate == PacketState::Arrived) {
            self.sent.pop_front();
            self.first = self.first.plus(1);
        }
    }

    /// Marks as lost those that have been in flight for `overdue`, while one that was sent with
    /// them or after them has arrived. The number of the last of them, if there are any.
    pub fn find_lost(&mut self, now: Nanos, overdue: Nanos) -> Option<Seq> {
        let mut last = None;
        for (n, sent) in self.sent.iter_mut().enumerate() {
            if sent.at > self.arrived_at {
                if !sent.again {
                    // Those behind it were sent later still.
                    break;
                }
            } else if sent.fate == PacketState::Flying && sent.at.saturating_add(overdue) <= now {
                sent.fate = PacketState::Lost;
                self.in_flight -= 1;
                self.lost += 1;
                last = Some(n);
            }
        }
        last.map(|n| self.first.plus(n as u32))
    }

    /// When the oldest packet in flight was sent, if one sent with it or after it has arrived.
    pub fn overtaken(&self) -> Option<Nanos> {
        self.oldest().filter(|&at| at <= self.arrived_at)
    }

    /// No answer has come: the oldest packet in flight is sent again, to get one.
    pub fn lose_oldest(&mut self) {
        if let Some(sent) = self.sent.iter_mut().find(|s| s.fate == PacketState::Flying) {
            sent.fate = PacketState::Lost;
            self.in_flight -= 1;
            self.lost += 1;
        }
    }

    /// When the oldest packet in flight was sent.
    pub fn oldest(&self) -> Option<Nanos> {
        self.sent.iter().find(|s| s.fate == PacketState::Flying).map(|s| s.at)
    }

    /// The first packet that must be sent again, which is now in flight.
    pub fn send_lost(&mut self, now: Nanos) -> Option<(Seq, &Load)> {
        if self.lost == 0 {
            return None;
        }
        let n = self.sent.iter().position(|s| s.fate == PacketState::Lost)?;
        let sent = &mut self.sent[n];
        (sent.fate, sent.at, sent.again) = (PacketState::Flying, now, true);
        self.lost -= 1;
        self.in_flight += 1;
        Some((self.first.plus(n as u32), &sent.load))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(n: u64) -> RetransmitQueue {
        let mut retransmit_queue = RetransmitQueue::default();
        (0..n).for_each(|at| retransmit_queue.keep(at * 10, Load::default()));
        retransmit_queue
    }

    fn answer(retransmit_queue: &mut RetransmitQueue, ack: u32, bits: u64) -> Answered {
        retransmit_queue.on_answer(1000, Seq(ack), Sacks { block: 0, bits }, |_| ())
    }

    #[test]
    fn answers_are_counted_once() {
        let mut retransmit_queue = sent(4);
        assert_eq!(
            answer(&mut retransmit_queue, 1, 0b10),
            Answered { packets: 2, time: Some(980) }
        );
        assert_eq!(answer(&mut retransmit_queue, 1, 0b10).packets, 0);
        assert_eq!((retransmit_queue.in_flight(), retransmit_queue.next()), (2, Seq(4)));
        assert_eq!(answer(&mut retransmit_queue, 4, 0).packets, 2);
        assert!(retransmit_queue.is_empty());
    }

    #[test]
    fn what_was_sent_well_before_an_arrival_is_lost_and_sent_again() {
        let mut retransmit_queue = sent(6);
        answer(&mut retransmit_queue, 0, 0b10000);
        assert_eq!(retransmit_queue.overtaken(), Some(0));
        assert_eq!(retransmit_queue.find_lost(45, 35), Some(Seq(1)));
        assert_eq!(retransmit_queue.find_lost(45, 35), None);
        assert_eq!(retransmit_queue.send_lost(500).unwrap().0, Seq(0));
        assert_eq!(retransmit_queue.send_lost(500).unwrap().0, Seq(1));
        assert!(retransmit_queue.send_lost(500).is_none() && !retransmit_queue.has_lost());
        assert_eq!(answer(&mut retransmit_queue, 2, 0), Answered { packets: 2, time: None });
    }

    #[test]
    fn of_packets_sent_at_once_those_that_do_not_come_with_the_others_are_lost() {
        let mut retransmit_queue = RetransmitQueue::default();
        (0..4).for_each(|_| retransmit_queue.keep(7, Load::default()));
        answer(&mut retransmit_queue, 0, 0b10);
        assert_eq!(retransmit_queue.find_lost(16, 10), None);
        assert_eq!(retransmit_queue.find_lost(17, 10), Some(Seq(3)));
    }

    #[test]
    fn answers_to_what_was_never_sent_are_ignored() {
        let mut retransmit_queue = sent(2);
        answer(&mut retransmit_queue, 2, 0);
        for ack in [1, 3, 1 << 31] {
            assert_eq!(answer(&mut retransmit_queue, ack, u64::MAX), Answered::default(), "{ack}");
        }
        let mut retransmit_queue = sent(2);
        assert_eq!(answer(&mut retransmit_queue, 0, u64::MAX).packets, 2);
    }
}
