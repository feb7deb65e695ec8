//! Whether a peer has left MPI. It may come back in another session, and be in that one already
//! while this process still leaves the last one.

use crate::seq::Seq;

/// What a peer has said of its leaving.
#[derive(Debug, Default)]
pub(crate) struct Farewell {
    /// The packet in which it has announced that it leaves, and its next message then, if it has
    /// sent nothing since. Packets sent before may well arrive later.
    said: Option<(Seq, Seq)>,
    /// One past the latest of its packets and of its messages, on whichever path.
    seen: (Seq, Seq),
    /// This process is leaving,
    is_parting: bool,
    /// and the peer was away meanwhile: that counts, whatever it does next.
    was_away: bool,
}

impl Farewell {
    /// A packet of the peer has arrived for the first time.
    pub fn on_packet(&mut self, number: Seq) {
        self.seen.0 = self.seen.0.later(number.plus(1));
        self.said.take_if(|(packet, _)| packet.is_before(number));
    }

    /// A part of a message has arrived. On the second path packets have no numbers, and a packet
    /// with the announcement may hold messages that were sent after it.
    pub fn on_message(&mut self, order: Seq) {
        self.seen.1 = self.seen.1.later(order.plus(1));
        self.said.take_if(|(_, next)| !order.is_before(*next));
    }

    /// The peer has announced that it leaves, in packet `number`, before its message `next`.
    pub fn on_close(&mut self, number: Seq, next: Seq) {
        // Numbers are compared with the latest alone, or after half of all that there are an old
        // one would look new.
        if number.plus(1).is_before(self.seen.0) || next.is_before(self.seen.1) {
            return;
        }
        self.said = Some((number, next));
        self.was_away |= self.is_parting;
    }

    /// This process is leaving, or is back.
    pub fn part(&mut self, is_parting: bool) {
        self.is_parting = is_parting;
        self.was_away = is_parting && self.is_away();
    }

    /// Whether the peer has left, and has sent nothing since.
    pub fn is_away(&self) -> bool {
        self.said.is_some()
    }

    /// Whether the peer is away, or was while this process has been leaving.
    pub fn is_heard(&self) -> bool {
        self.is_away() || self.was_away
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_is_back_when_it_has_sent_something_later() {
        let mut farewell = Farewell::default();
        farewell.on_packet(Seq(3));
        assert!(!farewell.is_away());
        farewell.on_packet(Seq(4));
        farewell.on_close(Seq(4), Seq(7));
        assert!(farewell.is_away());
        farewell.on_packet(Seq(2));
        farewell.on_message(Seq(6));
        assert!(farewell.is_away(), "these were sent before");
        farewell.on_message(Seq(7));
        assert!(!farewell.is_away());
        farewell.on_packet(Seq(6));
        farewell.on_close(Seq(5), Seq(8));
        assert!(!farewell.is_away(), "an announcement that is late");
        farewell.on_close(Seq(6), Seq(8));
        assert!(farewell.is_away());
    }

    #[test]
    fn numbers_may_go_round() {
        let mut farewell = Farewell::default();
        let round = |farewell: &mut Farewell| {
            for part in 0..8 {
                farewell.on_packet(Seq((part << 29) + 5));
                farewell.on_message(Seq((part << 29) + 7));
            }
        };
        round(&mut farewell);
        farewell.on_close(Seq((7 << 29) + 5), Seq((7 << 29) + 8));
        assert!(farewell.is_away());
        for _ in 0..5 {
            round(&mut farewell);
            farewell.on_packet(Seq(3 << 29));
            assert!(!farewell.is_away());
            farewell.on_close(Seq(3 << 29), Seq(3 << 29));
            assert!(farewell.is_away());
        }
    }

    #[test]
    fn a_message_of_the_packet_that_has_announced_it_may_be_later() {
        let mut farewell = Farewell::default();
        farewell.on_packet(Seq(0));
        farewell.on_message(Seq(0));
        farewell.on_close(Seq(0), Seq(1));
        assert!(farewell.is_away());
        farewell.on_message(Seq(1));
        assert!(!farewell.is_away());
    }

    #[test]
    fn what_the_peer_has_said_while_this_process_leaves_counts_until_it_is_back() {
        let mut farewell = Farewell::default();
        farewell.part(true);
        farewell.on_close(Seq(0), Seq(0));
        farewell.on_packet(Seq(1));
        assert!(!farewell.is_away() && farewell.is_heard());
        farewell.part(false);
        assert!(!farewell.is_heard());
        farewell.part(true);
        assert!(!farewell.is_heard());
    }

    #[test]
    fn an_announcement_that_came_before_this_process_was_back_still_counts() {
        let mut farewell = Farewell::default();
        farewell.on_close(Seq(0), Seq(0));
        farewell.part(true);
        farewell.on_packet(Seq(1));
        farewell.on_close(Seq(2), Seq(1));
        farewell.part(false);
        farewell.part(true);
        assert!(farewell.is_heard());
    }
}
