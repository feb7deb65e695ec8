//! Messages of one source in the order in which they were sent: what comes too early is kept.

use std::collections::BTreeMap;

use crate::frame::{Frame, frames};
use crate::seq::Seq;

/// Frames that came before their turn, by how far ahead of the turn they were when the turn was at
/// `base`.
#[derive(Debug, Default)]
pub(crate) struct ReorderBuffer {
    /// The message whose turn it is.
    turn: Seq,
    /// The frames of each message that is early, written out.
    kept: BTreeMap<u64, Vec<u8>>,
    /// How many turns there have been: numbers that do not wrap.
    turns: u64,
}

impl ReorderBuffer {
    /// Whether it is this message's turn.
    pub fn is_turn(&self, order: Seq) -> bool {
        order == self.turn
    }

    /// Whether this message's turn is past.
    pub fn is_past(&self, order: Seq) -> bool {
        order.is_before(self.turn)
    }

    /// Keeps a frame of a message whose turn will come.
    pub fn keep(&mut self, order: Seq, frame: &Frame<'_>) {
        let place = self.turns + u64::from(order.from(self.turn));
        let kept = self.kept.entry(place).or_default();
        let at = kept.len();
        kept.resize(at + frame.bytes(), 0);
        frame.write(&mut kept[at..]);
    }

    /// The turn of the message has been; the frames kept of the next one, if it has come already.
    pub fn advance(&mut self) -> Option<Vec<u8>> {
        self.turn = self.turn.plus(1);
        self.turns += 1;
        // All that is kept lies ahead, so the first is the only one whose turn it can be.
        let first = self.kept.first_entry()?;
        (*first.key() == self.turns).then(|| first.remove())
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

/// The frames of a message that was kept.
pub(crate) fn kept_frames(bytes: &[u8]) -> impl Iterator<Item = Frame<'_>> {
    frames(bytes).map(|frame| frame.expect("written by `keep`"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{MatchHeader, Order};

    fn whole(order: u32) -> Frame<'static> {
        let head = MatchHeader { context: 0, source: 0, tag: 0 };
        Frame::Whole { order: Order(Seq(order)), head, payload: b"x" }
    }

    #[test]
    fn what_is_early_comes_when_its_turn_does() {
        let mut reorder = ReorderBuffer { turn: Seq(u32::MAX), ..ReorderBuffer::default() };
        assert!(reorder.is_turn(Seq(u32::MAX)) && reorder.is_past(Seq(u32::MAX - 1)));
        for order in [1, 0] {
            reorder.keep(Seq(order), &whole(order));
        }
        for order in [0, 1] {
            let kept = reorder.advance().unwrap();
            assert_eq!(kept_frames(&kept).collect::<Vec<_>>(), [whole(order)]);
        }
        assert!(reorder.advance().is_none() && reorder.is_empty());
    }
}
