//! The bounce buffers that this rank was the last to read of those that went to and fro between it
//! and a peer: some of the peer's, which it has borrowed, and its own, which the peer had. What it
//! sends to that peer goes in these first.
//!
//! A core that reads lines which another has written takes them over with the right to write them,
//! as far as AMD's processors are concerned. To write what it has read last costs it nothing; to
//! write what the other has read last, it has to take each line from there. Bare copies by two
//! processes of a Zen 4, half a round trip in us, through memory of each that goes round in 2 MiB,
//! and through what was read last: 16 KiB 0.96 and 0.78, 64 KiB 2.4 and 2.0, 256 KiB 8.0 and 6.9;
//! where the cores share no cache 6.3 and 1.8, 26 and 4.8, 100 and 15.

use dunlin_shm::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;

use crate::p2p::timed_fill::TimedFill;

/// Bounce buffers that a rank borrows from all others at most: half of what a core's cache has.
const BORROWED_MAX: usize = 16;
/// Fragments from a peer in a row, behind which none seems to go back to it.
const ONE_WAY: usize = 64;

/// Of so many that go where the rank has read last, one is timed.
const TIMED_ONE_IN: u32 = 17;
/// Behind so many, those that were timed before are no longer waited for: their owner holds them
/// unread.
const UNTIMED_MAX: u32 = 64;

/// Where a fragment goes: a bounce buffer, and where in it the data begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Room {
    pub owner: usize,
    pub number: usize,
    pub start: usize,
    /// Whether we were the last to read what was there.
    pub is_last_read: bool,
    /// How often we had filled it by then, if it is ours.
    pub fills: u32,
}

/// Those of one peer, the last one at the end.
#[derive(Debug)]
pub(crate) struct LastRead {
    rooms: Vec<Room>,
    /// How many of them may be, and are, the peer's.
    borrowed_max: usize,
    borrowed: usize,
    /// Fragments from the peer since one went to it.
    since_sent: usize,
    /// Fragments that went where we had read last since one of them was timed.
    untimed: u32,
    timed: Vec<Timed>,
}

/// A fragment that was timed in a bounce buffer of the peer.
#[derive(Debug)]
struct Timed {
    number: usize,
    fill: TimedFill,
}

impl LastRead {
    /// In a node of so many ranks.
    pub fn new(ranks: usize) -> LastRead {
        LastRead {
            rooms: Vec::new(),
            borrowed_max: BORROWED_MAX / (ranks - 1).max(1),
            borrowed: 0,
            since_sent: ONE_WAY,
            untimed: 0,
            timed: Vec::new(),
        }
    }

    /// A fragment goes to the peer.
    pub fn note_sent(&mut self) {
        self.since_sent = 0;
    }

    /// All of a fragment was read. If the buffer is the peer's, whether it is borrowed now.
    pub fn note_read(&mut self, room: Room, is_own: bool, may_be_borrowed: bool) -> bool {
        self.since_sent += 1;
        let is_answered = self.since_sent < ONE_WAY;
        let is_kept = if is_own {
            self.rooms.len() < 2 * self.borrowed_max
        } else {
            may_be_borrowed && is_answered && self.borrowed < self.borrowed_max
        };
        if is_kept {
            self.rooms.push(room);
            self.borrowed += usize::from(!is_own);
        }
        is_kept && !is_own
    }

    /// Whether what is borrowed should go back: nothing seems to go to the peer.
    pub fn is_one_way(&self) -> bool {
        self.since_sent == ONE_WAY && self.borrowed > 0
    }

    /// The last one for so many bytes. Of our own buffers only those are left that nothing was
    /// filled into since.
    pub fn take(&mut self, me: usize, len: usize, is_left: impl Fn(&Room) -> bool) -> Option<Room> {
        loop {
            let room = self.rooms.pop()?;
            let is_own = room.owner == me;
            if is_own && !is_left(&room) {
                continue;
            }
            self.borrowed -= usize::from(!is_own);
            let start = if room.start + len <= BOUNCE_BUFFER_DATA_BYTES { room.start } else { 0 };
            return Some(Room { start, ..room });
        }
    }

    /// Nothing was filled in here after all.
    pub fn put_back(&mut self, room: Room, is_own: bool) {
        if !is_own {
            self.rooms.push(room);
            self.borrowed += 1;
        }
    }

    /// Whether the next one that goes where we have read last is to be timed.
    pub fn is_sample(&mut self) -> bool {
        self.untimed += 1;
        let is_sample = self.timed.is_empty() || self.untimed >= UNTIMED_MAX;
        let is_sample = is_sample && self.untimed >= TIMED_ONE_IN;
        if is_sample {
            self.untimed = 0;
        }
        is_sample
    }

    /// It was timed, in this bounce buffer of the peer.
    pub fn time(&mut self, number: usize, fill: TimedFill) {
        if self.timed.len() == BORROWED_MAX {
            self.timed.remove(0);
        }
        self.timed.push(Timed { number, fill });
    }

    /// One that was timed, if it was read.
    pub fn take_timed(&mut self, was_read: impl Fn(usize) -> bool) -> Option<(usize, TimedFill)> {
        let place = self.timed.iter().position(|timed| was_read(timed.number))?;
        let timed = self.timed.remove(place);
        Some((timed.number, timed.fill))
    }

    /// How many of the peer's are borrowed.
    pub fn borrowed(&self) -> usize {
        self.borrowed
    }

    /// Those that were borrowed, which are to go back; none is left, nor what was timed in them.
    pub fn clear(&mut self, me: usize) -> impl Iterator<Item = Room> + '_ {
        self.borrowed = 0;
        self.timed.clear();
        self.rooms.drain(..).filter(move |room| room.owner != me)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: usize = 1;

    fn room(owner: usize, number: usize) -> Room {
        Room { owner, number, start: 0, is_last_read: true, fills: 0 }
    }

    fn borrow(last_read: &mut LastRead, number: usize) -> bool {
        last_read.note_read(room(PEER, number), false, true)
    }

    #[test]
    fn only_who_answers_borrows_and_not_too_many() {
        for ranks in [2, 3, 5] {
            let mut last_read = LastRead::new(ranks);
            assert!(!borrow(&mut last_read, 0), "nothing has gone to the peer");
            last_read.note_sent();
            assert!(!last_read.note_read(room(PEER, 0), false, false), "its owner needs it");
            let borrowed = (0..40).filter(|&number| borrow(&mut last_read, number)).count();
            assert_eq!((borrowed, last_read.borrowed()), (16 / (ranks - 1), borrowed));
        }
    }

    #[test]
    fn where_nothing_goes_back_all_do() {
        let mut last_read = LastRead::new(2);
        last_read.note_sent();
        assert!(borrow(&mut last_read, 3) && borrow(&mut last_read, 5));
        assert!(!last_read.note_read(room(0, 9), true, false), "it is its own");
        let one_way = (0..ONE_WAY).position(|number| {
            borrow(&mut last_read, number + 10);
            last_read.is_one_way()
        });
        assert_eq!(one_way, Some(ONE_WAY - 4));
        let back: Vec<_> = last_read.clear(0).map(|room| room.number).collect();
        assert_eq!((back.len(), &back[..2]), (16, &[3, 5][..]));
        assert!(last_read.borrowed() == 0 && !last_read.is_one_way());
    }

    #[test]
    fn the_last_one_that_is_left_is_taken() {
        let mut last_read = LastRead::new(2);
        last_read.note_sent();
        borrow(&mut last_read, 3);
        for fills in [4, 5] {
            last_read.note_read(Room { start: 100, fills, ..room(0, 9) }, true, false);
        }
        let mut take = |len| {
            let room = last_read.take(0, len, |own| own.fills == 4)?;
            Some((room.owner, room.number, room.start))
        };
        assert_eq!(take(BOUNCE_BUFFER_DATA_BYTES), Some((0, 9, 0)), "it has no room behind it");
        assert_eq!([take(1), take(1)], [Some((PEER, 3, 0)), None]);
        assert_eq!(last_read.borrowed(), 0);
        last_read.put_back(room(PEER, 3), false);
        assert_eq!(last_read.borrowed(), 1);
    }

    #[test]
    fn what_was_timed_counts_once_it_was_read() {
        let mut last_read = LastRead::new(2);
        last_read.note_sent();
        let fill = TimedFill {
            peer: PEER,
            stores: crate::adaptive::Use::USUAL,
            of_message: None,
            crosses: false,
            time: std::time::Duration::ZERO,
            bytes: 1,
        };
        let samples = (0..40).filter(|_| last_read.is_sample()).count();
        assert_eq!(samples, 2);
        last_read.time(7, fill);
        assert!((0..20).all(|_| !last_read.is_sample()), "one at a time");
        assert!(last_read.take_timed(|_| false).is_none());
        last_read.time(8, fill);
        assert_eq!(last_read.take_timed(|number| number == 8).map(|(n, _)| n), Some(8));
        assert_eq!(last_read.take_timed(|number| number == 7).map(|(n, _)| n), Some(7));
        assert!(last_read.is_sample());
        last_read.time(9, fill);
        let next = (1..).find(|_| last_read.is_sample());
        assert_eq!(next, Some(UNTIMED_MAX), "one that is never seen as read");
    }
}
