//! Which packets of a peer have arrived: finds duplicates, and says what to acknowledge.

use crate::header::Sacks;
use crate::seq::Seq;

/// The widest window: packets that may arrive before one that is missing.
pub(crate) const WINDOW_MAX: u32 = 1024;
const WORDS: usize = (WINDOW_MAX / 64) as usize;

/// What a packet's number says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// It has arrived for the first time.
    New,
    /// It has arrived before.
    Duplicate,
    /// It may not be sent yet: not one of ours, or very late.
    Beyond,
}

/// The numbers seen of one peer.
#[derive(Debug)]
pub(crate) struct ReceiveWindow {
    /// All before it have arrived.
    next: Seq,
    window: u32,
    /// One bit for each number of the window, in a circular buffer.
    seen: [u64; WORDS],
    /// The packet that arrived last.
    last: Seq,
}

impl ReceiveWindow {
    pub fn new(window: u32) -> Self {
        assert!((1..=WINDOW_MAX).contains(&window), "a window of {window} packets");
        ReceiveWindow { next: Seq(0), window, seen: [0; WORDS], last: Seq(0) }
    }

    /// Notes the arrival of a packet.
    pub fn arrive(&mut self, number: Seq) -> Arrival {
        if number.is_before(self.next) {
            return Arrival::Duplicate;
        }
        if number.from(self.next) >= self.window {
            return Arrival::Beyond;
        }
        self.last = number;
        let (word, bit) = place(number);
        if self.seen[word] & bit != 0 {
            return Arrival::Duplicate;
        }
        self.seen[word] |= bit;
        self.advance();
        Arrival::New
    }

    fn advance(&mut self) {
        loop {
            let (word, bit) = place(self.next);
            if self.seen[word] & bit == 0 {
                return;
            }
            self.seen[word] &= !bit;
            self.next = self.next.plus(1);
        }
    }

    /// All packets before this one have arrived.
    pub fn ack(&self) -> Seq {
        self.next
    }

    /// Packets before this one may come.
    pub fn limit(&self) -> Seq {
        self.next.plus(self.window)
    }

    /// What has arrived beyond, around the packet that came last.
    pub fn sacks(&self) -> Sacks {
        if self.last.is_before(self.next) {
            return Sacks { block: 0, bits: self.bits(0) };
        }
        let block = (self.last.from(self.next) / 64) as u16;
        Sacks { block, bits: self.bits(u32::from(block)) }
    }

    /// The 64 bits of a block that begins 64 `block` packets after the first missing one.
    fn bits(&self, block: u32) -> u64 {
        let first = self.next.plus(64 * block);
        let (word, bit) = place(first);
        let shift = bit.trailing_zeros();
        let low = self.seen[word] >> shift;
        let high = self.seen[(word + 1) % WORDS].checked_shl(64 - shift).unwrap_or(0);
        low | high
    }
}

fn place(number: Seq) -> (usize, u64) {
    let at = number.0 % WINDOW_MAX;
    ((at / 64) as usize, 1 << (at % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_in_order_move_the_window() {
        let mut receive_window = ReceiveWindow::new(4);
        for n in 0..5000 {
            assert_eq!(receive_window.arrive(Seq(n)), Arrival::New);
        }
        assert_eq!((receive_window.ack(), receive_window.limit()), (Seq(5000), Seq(5004)));
        assert_eq!(receive_window.sacks(), Sacks::default());
    }

    #[test]
    fn doubles_are_found_before_and_behind_the_gap() {
        let mut receive_window = ReceiveWindow::new(8);
        for n in [0, 2, 3] {
            assert_eq!(receive_window.arrive(Seq(n)), Arrival::New);
        }
        for n in [0, 2, 3, u32::MAX] {
            assert_eq!(receive_window.arrive(Seq(n)), Arrival::Duplicate);
        }
        assert_eq!(receive_window.arrive(Seq(9)), Arrival::Beyond);
        assert_eq!(receive_window.sacks(), Sacks { block: 0, bits: 0b110 });
        assert_eq!(receive_window.arrive(Seq(1)), Arrival::New);
        assert_eq!(receive_window.ack(), Seq(4));
    }

    #[test]
    fn sacks_show_the_block_of_the_last_packet_across_the_seam() {
        let mut receive_window = ReceiveWindow::new(WINDOW_MAX);
        for n in 0..1000 {
            receive_window.arrive(Seq(n));
        }
        for ahead in [1, 70, 127, 128, 1023] {
            assert_eq!(receive_window.arrive(Seq(1000 + ahead)), Arrival::New);
            let sacks = receive_window.sacks();
            assert_eq!(u32::from(sacks.block), ahead / 64);
            assert_ne!(sacks.bits & 1 << (ahead % 64), 0, "{ahead}");
        }
    }
}
