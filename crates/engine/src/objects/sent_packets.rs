//! Packets that an origin has sent to a target of its node, until it is known that they are done:
//! what the target has not begun, the origin can take back and do itself (`rma/take_back.rs`).

use std::collections::VecDeque;

/// Packets that are kept before the target is asked how far it is.
const KEPT_MAX: usize = 64;
/// Buffers for the next packets.
const SPARE_MAX: usize = 4;

/// See the module. Packets are numbered from 1, those too that are not kept.
#[derive(Debug, Clone, Default)]
pub(crate) struct SentPackets {
    last: u32,
    /// Those that were sent last, in their order.
    kept: VecDeque<Vec<u8>>,
    spare: Vec<Vec<u8>>,
    /// Messages are under way that only the target can handle.
    has_others: bool,
    /// The target could not read data from this process's memory.
    is_unreadable: bool,
    /// The last packet that was taken back, if any.
    last_taken: Option<u32>,
}

impl SentPackets {
    /// Counts a packet that is sent now, and keeps it.
    pub fn keep(&mut self, packet: Vec<u8>) {
        self.count();
        self.kept.push_back(packet);
    }

    /// The same of one that cannot be taken back.
    pub fn count(&mut self) {
        self.last = self.last.wrapping_add(1);
    }

    /// Memory for the next packet.
    pub fn buffer(&mut self) -> Vec<u8> {
        self.spare.pop().unwrap_or_default()
    }

    /// Something is sent that only the target can handle.
    pub fn note_others(&mut self) {
        self.has_others = true;
    }

    /// Whether that may be so now.
    pub fn has_others(&self) -> bool {
        self.has_others
    }

    /// Whether the last packet was taken back, and so all is done.
    pub fn are_all_taken(&self) -> bool {
        !self.has_others && self.last_taken == Some(self.last)
    }

    /// The target could not read data from this process's memory.
    pub fn note_unreadable(&mut self) {
        self.is_unreadable = true;
    }

    /// Whether that has been so.
    pub fn is_unreadable(&self) -> bool {
        self.is_unreadable
    }

    /// All is done that was sent.
    #[inline]
    pub fn forget(&mut self) {
        self.has_others = false;
        while let Some(packet) = self.kept.pop_front() {
            self.recycle(packet);
        }
    }

    /// Whether so many are kept that some may be done.
    pub fn are_many(&self) -> bool {
        self.kept.len() > KEPT_MAX
    }

    /// All up to this packet are done.
    pub fn forget_until(&mut self, done: u32) {
        while self.kept.len() > self.last.wrapping_sub(done) as usize {
            let Some(packet) = self.kept.pop_front() else { break };
            self.recycle(packet);
        }
    }

    fn recycle(&mut self, mut packet: Vec<u8>) {
        if self.spare.len() < SPARE_MAX {
            packet.clear();
            self.spare.push(packet);
        }
    }

    /// The last packet, if all can be taken back that may not be done.
    pub fn last_to_take(&self) -> Option<u32> {
        (!self.has_others && !self.kept.is_empty()).then_some(self.last)
    }

    /// Whether all packets behind this one are kept.
    pub fn keeps_all_behind(&self, done: u32) -> bool {
        self.last.wrapping_sub(done) as usize <= self.kept.len()
    }

    /// Those behind this one have been taken back, of which there are some.
    pub fn take_behind(&mut self, done: u32) -> VecDeque<Vec<u8>> {
        self.forget_until(done);
        self.last_taken = Some(self.last);
        std::mem::take(&mut self.kept)
    }

    /// The last packet that was taken back, if any.
    pub fn last_taken(&self) -> Option<u32> {
        self.last_taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_the_last_that_is_done_can_be_taken() {
        let mut sent = SentPackets::default();
        assert_eq!(sent.last_to_take(), None);
        sent.count();
        for packet in 2..=4 {
            sent.keep(vec![packet]);
        }
        assert_eq!((sent.last_to_take(), sent.last_taken()), (Some(4), None));
        assert_eq!((sent.keeps_all_behind(0), sent.keeps_all_behind(1)), (false, true));
        assert_eq!(sent.take_behind(2), [[3], [4]]);
        assert_eq!((sent.last_to_take(), sent.last_taken()), (None, Some(4)));
        assert_eq!(sent.buffer().capacity(), 1, "the second is used again");
    }

    #[test]
    fn nothing_is_taken_behind_what_only_the_target_can_handle() {
        let mut sent = SentPackets::default();
        sent.keep(vec![1]);
        sent.note_others();
        assert_eq!(sent.last_to_take(), None);
        sent.forget();
        sent.keep(vec![2]);
        assert_eq!(sent.last_to_take(), Some(2));
    }

    #[test]
    fn numbers_may_overflow() {
        let mut sent = SentPackets { last: u32::MAX - 1, ..SentPackets::default() };
        (0..3).for_each(|packet| sent.keep(vec![packet]));
        sent.forget_until(u32::MAX);
        assert_eq!(sent.take_behind(0), [[2]]);
    }
}
