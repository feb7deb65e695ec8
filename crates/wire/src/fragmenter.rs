//! Outgoing long messages: eager ones cut into segments, and those for which a CTS has come. Their
//! data stays in the program's memory and is read fragment by fragment.

use std::ops::Range;

use crate::frame::{DATA_BYTES, Frame, MatchHeader, Order, SEGMENT_BYTES};

/// A fragment of a long message, to be read again if it is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fragment {
    pub target: Target,
    /// What the sender calls the message.
    pub send: u32,
    pub offset: u64,
    pub len: u16,
}

/// Where the fragments of a message go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// A message like any other, in the order of messages.
    Message { order: Order, head: MatchHeader, total: u32 },
    /// A receive that has sent a CTS.
    Receive(u32),
}

impl Target {
    /// The frame of a fragment.
    pub fn frame<'a>(&self, offset: u64, payload: &'a [u8]) -> Frame<'a> {
        match *self {
            Target::Message { order, head, total } => {
                Frame::Segment { order, head, total, offset: offset as u32, payload }
            }
            Target::Receive(receive) => Frame::Data { receive, offset, payload },
        }
    }

    /// Bytes of a frame before the payload.
    pub fn front_bytes(&self) -> usize {
        match self {
            Target::Message { .. } => SEGMENT_BYTES,
            Target::Receive(_) => DATA_BYTES,
        }
    }
}

impl Fragment {
    /// Writes the frame; `fill` writes the payload.
    pub fn write(&self, into: &mut [u8], fill: impl FnOnce(&mut [u8])) -> usize {
        let len = usize::from(self.len);
        let front = self.write_front(into);
        fill(&mut into[front..front + len]);
        front + len
    }

    /// Writes the frame without the payload; its length.
    pub fn write_front(&self, into: &mut [u8]) -> usize {
        self.target.frame(self.offset, &[]).write_front(usize::from(self.len), into)
    }
}

/// A long message of which some has not been sent yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fragmenter {
    pub target: Target,
    pub send: u32,
    sent: u64,
    /// Where it ends, without the end that was sent first.
    total: u64,
}

impl Fragmenter {
    pub fn new(target: Target, send: u32, total: u64) -> Self {
        Fragmenter { target, send, sent: 0, total }
    }

    /// The next fragment, to fit with its frame into `room` bytes; it leaves with this call. `None`
    /// if not a byte fits.
    pub fn next(&mut self, room: usize) -> Option<Fragment> {
        let fits = room.saturating_sub(self.target.front_bytes()) as u64;
        let len = fits.min(self.total - self.sent).min(u64::from(u16::MAX));
        if len == 0 {
            return None;
        }
        let (target, send, offset) = (self.target, self.send, self.sent);
        self.sent += len;
        Some(Fragment { target, send, offset, len: len as u16 })
    }

    /// The same, but all fragments have about the same length: the receiver of a message in two
    /// fragments takes the first while the second leaves.
    pub fn next_even(&mut self, room: usize) -> Option<Fragment> {
        let front = self.target.front_bytes();
        let fits = room.saturating_sub(front) as u64;
        let fragments = self.left().checked_div(fits)? + u64::from(self.left() % fits > 0);
        self.next(front + self.left().div_ceil(fragments.max(1)) as usize)
    }

    /// Cuts off the remainder beyond full packets of `room` bytes, if that is `bytes_max` at most
    /// and nothing has left: returns which bytes these are.
    pub fn split_end(&mut self, room: usize, bytes_max: usize) -> Option<Range<u64>> {
        let fits = room.saturating_sub(self.target.front_bytes()) as u64;
        let end = self.total;
        let (packets, out) = (end.checked_div(fits)?, end % fits);
        let is_worth_it = self.sent == 0 && packets > 0 && 0 < out && out <= bytes_max as u64;
        is_worth_it.then(|| {
            self.total -= out;
            self.total..end
        })
    }

    /// Whether all of it has left.
    pub fn is_over(&self) -> bool {
        self.sent == self.total
    }

    /// Bytes still to leave.
    pub fn left(&self) -> u64 {
        self.total - self.sent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sticks_out_of_full_packets_is_left_out_once() {
        let room = Target::Receive(0).front_bytes() + 100;
        for (total, end) in [
            (210, Some(200..210)),
            (200, None),
            (231, None),
            (230, Some(200..230)),
            (110, Some(100..110)),
            (10, None),
        ] {
            let mut fragmenter = Fragmenter::new(Target::Receive(0), 0, total);
            assert_eq!(fragmenter.split_end(room, 30), end, "{total}");
            assert_eq!(fragmenter.left(), end.map_or(total, |end| end.start));
            assert_eq!(fragmenter.split_end(room, 30), None);
        }
        let mut fragmenter = Fragmenter::new(Target::Receive(0), 0, 210);
        fragmenter.next(room);
        assert_eq!(fragmenter.split_end(room, 30), None, "some has left");
    }

    #[test]
    fn even_pieces_are_as_few_as_fit_and_make_up_the_message() {
        let front = Target::Receive(0).front_bytes();
        for (total, fits) in [(1, 1), (100, 100), (101, 100), (65_536, 61_000), (1 << 20, 99)] {
            let mut fragmenter = Fragmenter::new(Target::Receive(0), 0, total);
            let mut lens = Vec::new();
            while let Some(fragment) = fragmenter.next_even(front + fits) {
                assert_eq!(fragment.offset, lens.iter().sum::<u64>());
                lens.push(u64::from(fragment.len));
            }
            assert!(fragmenter.is_over() && lens.iter().sum::<u64>() == total, "{lens:?}");
            assert_eq!(lens.len() as u64, total.div_ceil(fits as u64));
            assert!(lens.iter().max().unwrap() - lens.iter().min().unwrap() <= 1, "{lens:?}");
        }
        assert!(Fragmenter::new(Target::Receive(0), 0, 9).next_even(front).is_none());
    }
}
