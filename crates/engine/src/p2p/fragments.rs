//! Messages of which fragments go out in bounce buffers, and who has the bounce buffers. A receiver
//! that is not inside MPI leaves them filled, so the last few are kept for other receivers. One
//! that answers borrows some (`last_read.rs`).

use std::time::Duration;

use dunlin_copy::{nontemporal, shared};
use dunlin_shm::Node;
use dunlin_shm::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;
use dunlin_shm::layout::{BOUNCE_BUFFERS, CACHE_LINE};

use crate::adaptive::{AdaptiveChoice, Choice};
use crate::matching::Envelope;
use crate::p2p::last_read::{LastRead, Room};
use crate::p2p::packet::Fragment;
use crate::p2p::request::RequestId;
use crate::p2p::timed_fill::TimedFill;
use crate::p2p::transfers::Transfers;

/// Bounce buffers that only fragments to peers use to which none is on its way.
const RESERVED: usize = 4;

/// A message going out in bounce buffers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FragmentStream {
    pub peer: usize,
    pub envelope: Envelope,
    pub send: RequestId,
    /// The number by which the receiver places the fragments.
    pub receive: u32,
    /// The bytes in front of its next fragment.
    pub sent: usize,
    /// The work split from whose front each fragment is taken, if the receiver may copy the rest.
    pub split: Option<u32>,
    /// As in [`Outbound`].
    pub is_timed: bool,
}

impl FragmentStream {
    /// One of which the first bytes have been sent, and which the receiver does not help to copy.
    pub fn new(
        peer: usize,
        envelope: Envelope,
        send: RequestId,
        receive: u32,
        sent: usize,
    ) -> FragmentStream {
        FragmentStream { peer, envelope, send, receive, sent, split: None, is_timed: false }
    }

    /// The bytes of its next fragment, of a message of so many.
    pub fn next_len(&self, total: usize) -> usize {
        (total - self.sent).min(BOUNCE_BUFFER_DATA_BYTES)
    }
}

/// The bytes of a message that goes out.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OutboundData<'a> {
    /// They lie in one piece.
    Dense(&'a [u8]),
    /// They do not: this send packs them.
    Scattered(&'a Transfers, RequestId),
}

impl<'a> OutboundData<'a> {
    /// Those of a send.
    pub fn of(transfers: &'a Transfers, send: RequestId) -> OutboundData<'a> {
        match transfers.send_data(send) {
            Some(data) => OutboundData::Dense(data),
            None => OutboundData::Scattered(transfers, send),
        }
    }

    pub fn is_dense(&self) -> bool {
        matches!(self, OutboundData::Dense(_))
    }

    /// Writes some of them, from an offset on, to shared memory.
    #[inline]
    pub fn write(&self, offset: usize, into: &mut [u8], way: Choice) {
        let bytes = into.len();
        match (self, way) {
            (OutboundData::Dense(data), Choice::Usual) => {
                shared::write(&data[offset..offset + bytes], into);
            }
            (OutboundData::Dense(data), Choice::Other) => {
                nontemporal::copy_slice(&data[offset..offset + bytes], into);
            }
            (OutboundData::Scattered(transfers, send), _) => transfers.pack(*send, offset, into),
        }
    }
}

/// A message of which fragments go out.
#[derive(Debug)]
pub(crate) struct Outbound<'a> {
    pub peer: usize,
    pub envelope: Envelope,
    /// As in a [`FragmentStream`]; or [`UNASKED`].
    pub receive: u32,
    /// Whether its first fragment is timed, to compare the message with a copy by the kernel.
    pub is_timed: bool,
    /// Whether its fragments are written in parts.
    pub in_parts: bool,
    pub data: OutboundData<'a>,
    /// Bytes of all of it.
    pub total: usize,
}

impl<'a> Outbound<'a> {
    pub fn of_stream(transfers: &'a Transfers, stream: &FragmentStream) -> Outbound<'a> {
        Outbound {
            peer: stream.peer,
            envelope: stream.envelope,
            receive: stream.receive,
            is_timed: stream.is_timed,
            in_parts: false,
            data: OutboundData::of(transfers, stream.send),
            total: transfers.send_bytes(stream.send),
        }
    }
}

/// The packets of an eager message of so many bytes, at most.
pub(crate) fn packets(bytes: usize, in_parts: bool) -> u32 {
    fragments(bytes as u64) * if in_parts { PARTS as u32 } else { 1 }
}

/// The fragments of a message of so many bytes.
pub(crate) fn fragments(bytes: u64) -> u32 {
    bytes.div_ceil(BOUNCE_BUFFER_DATA_BYTES as u64) as u32
}

/// The bytes of each part of a fragment that is written in parts.
pub(crate) fn part(fragment: usize) -> usize {
    fragment.div_ceil(PARTS).next_multiple_of(CACHE_LINE)
}

/// Whether long messages to a peer cross others from it: both ranks write at the same time then,
/// and none waits for the first part of a message.
#[derive(Debug, Default)]
pub(crate) struct Crossing {
    /// Messages for which this is still expected.
    left: u8,
}

impl Crossing {
    /// For so many messages after one that has crossed another, the next are expected to.
    pub const MESSAGES: u8 = 8;

    pub fn is_likely(&self) -> bool {
        self.left > 0
    }

    /// A long message has left, or is announced; whether the next from its receiver, which had come
    /// by then, is one, too.
    pub fn note(&mut self, has_crossed: bool) {
        self.left = if has_crossed { Crossing::MESSAGES } else { self.left.saturating_sub(1) };
    }
}

/// An eager message of which fragments are to come.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EagerFragments {
    pub place: Place,
    /// Bytes that have come, and those of the whole message.
    pub arrived: u64,
    pub total: u64,
}

/// Where its fragments go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Into a receive: the number of the inbound transfer.
    Receive(u32),
    /// Nowhere yet: the number among the messages that are held.
    Held(u32),
}

/// The fragments that have come of a message that no receive has matched yet.
pub(crate) type HeldMessage = Vec<Fragment>;

/// To which peer each bounce buffer of ours was last named.
#[derive(Debug)]
pub(crate) struct Holders {
    of: Box<[Option<usize>]>,
    /// Fragments that are timed: each until its bounce buffer is filled again.
    timed: Box<[Option<TimedFill>]>,
    /// The one behind the last one taken.
    next: usize,
    /// Of those that are timed, the first of which it is not known whether it was read.
    awaited: Option<usize>,
    /// How many are used, and whether these are more memory than a core's cache has.
    used: usize,
    is_wide: bool,
    /// If they are: how many are taken in turn by now, and the bytes that have gone out while these
    /// were few.
    in_turn: usize,
    sent: usize,
    /// Where in each the next fragment begins, if it has room there: behind the last one, so that
    /// short ones, too, go round in all of that memory.
    starts: Box<[usize]>,
    /// How often each was filled: the first time takes page faults.
    fills: Box<[u32]>,
    /// Fragments sent, to whomever, since one came.
    unanswered: usize,
    /// Which are known to be free: seen so, and not filled since. To look at a flag is to fetch a
    /// line that its reader has written.
    free: Box<[bool]>,
    /// Of each peer.
    last_read: Box<[LastRead]>,
}

/// Shorter fragments are written as usual, and not timed.
pub(crate) const CHOICE_BYTES_MIN: usize = 8 << 10;

/// Up to this many fragments in a row, buffers are taken in turn; beyond, the first that is free. A
/// buffer that is filled again at once has its lines in the caches of both cores, and each line has
/// to be taken from the other; when its turn comes later, they have left for the cache that the
/// cores share. On a Zen 3, half round trips of 256 KiB take 14 us so and 21 by the same few
/// buffers. But long streams one way run at 7 GB/s by 12 buffers in turn and at 11 by few. (By 60
/// in turn, on a Zen 4, at 31, by few at 13.)
const UNANSWERED_MAX: usize = 64;
/// The first use of a page costs a page fault. So where there are many, a few are taken in turn
/// until so many bytes have gone out in them, more if none of these is free: see
/// `dunlin_shm::long_rooms`.
const IN_TURN_FIRST: usize = 4;
pub(crate) const BYTES_OF_FEW: usize = 8 << 20;

/// Parts of an eager fragment: its receiver copies the first while the second is written. Half
/// round trips of 16 and 32 KiB by bare copies of two cores of a Zen 3, in one part and in two:
/// 1.26 and 1.06 us, 2.25 and 1.75; in four 0.97 and 1.75, but each takes a packet more.
pub(crate) const PARTS: usize = 2;
/// Fragments in a row, to whomever, behind which the receiver does not seem to wait. (One that
/// answers in other ways than by fragments may: then nothing is divided.)
const IN_PARTS_MAX: usize = 2;

/// Flags that are looked at together.
const LOOKED_AT_TOGETHER: usize = 8;

impl Holders {
    /// Of a rank in a node of so many, of whom each has so many bounce buffers, and uses few of
    /// them.
    pub fn new(ranks: usize, all: usize) -> Holders {
        Holders {
            last_read: (0..ranks).map(|_| LastRead::new(ranks)).collect(),
            of: vec![None; all].into(),
            timed: vec![None; all].into(),
            next: 0,
            awaited: None,
            used: all.min(BOUNCE_BUFFERS),
            is_wide: false,
            in_turn: IN_TURN_FIRST,
            sent: 0,
            starts: vec![0; all].into(),
            fills: vec![0; all].into(),
            unanswered: 0,
            free: vec![false; all].into(),
        }
    }

    /// Whether a bounce buffer may be filled.
    fn is_free(&mut self, node: &Node, number: usize) -> bool {
        let is_free = &mut self.free[number];
        *is_free = *is_free || node.is_free(number);
        *is_free
    }

    /// Looks at the flags of those from this one on together, so that their lines come at the same
    /// time: behind one that has become free others have, too.
    fn look(&mut self, node: &Node, from: usize) {
        for number in from..self.open().0.min(from + LOOKED_AT_TOGETHER) {
            self.is_free(node, number);
        }
    }

    /// Whether all of them are used, if there are many.
    pub fn set_wide(&mut self, is_wide: bool) {
        self.is_wide = is_wide && self.of.len() > BOUNCE_BUFFERS;
        self.used = self.of.len().min(if is_wide { usize::MAX } else { BOUNCE_BUFFERS });
        self.next = 0;
    }

    /// Gives all back that are borrowed.
    pub fn give_back_borrowed(&mut self, node: &Node) {
        self.last_read.iter_mut().for_each(|those| give_back_borrowed(node, those));
    }

    /// How many are borrowed from a peer.
    #[cfg(test)]
    pub fn borrowed(&self, peer: usize) -> usize {
        self.last_read[peer].borrowed()
    }

    /// Whether fragments go round in more memory than a core's cache has.
    pub fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// Between two ways of what is written into bounce buffers.
    pub fn choice<const PERCENT: u32>(&self) -> AdaptiveChoice<PERCENT> {
        match self.is_wide {
            true => AdaptiveChoice::of_memory(self.shared() * BOUNCE_BUFFER_DATA_BYTES),
            false => AdaptiveChoice::default(),
        }
    }

    /// Whether fragments go round in all that there are; until then times say little of later ones.
    pub fn are_all_in_turn(&self) -> bool {
        !self.is_wide || self.sent >= BYTES_OF_FEW
    }

    /// Where in a bounce buffer a fragment of so many bytes begins.
    fn start(&mut self, bounce_buffer: usize, len: usize) -> usize {
        let next = &mut self.starts[bounce_buffer];
        let has_room = self.is_wide && *next + len <= BOUNCE_BUFFER_DATA_BYTES;
        let start = if has_room { *next } else { 0 };
        *next = (start + len).next_multiple_of(CACHE_LINE);
        start
    }

    /// Whether the receiver of what is sent now seems to wait for it.
    pub fn is_awaited(&self) -> bool {
        self.is_wide && self.unanswered < IN_PARTS_MAX
    }

    /// Bounce buffers that any fragment may use.
    fn shared(&self) -> usize {
        self.used - RESERVED
    }

    /// Of these, those that may be used by now, and how many of them are taken in turn.
    fn open(&self) -> (usize, usize) {
        let all = self.shared();
        if !self.is_wide {
            return (all, all);
        }
        (self.in_turn.max(BOUNCE_BUFFERS - RESERVED).min(all), self.in_turn.min(all))
    }

    /// Whether fragments go round in many.
    pub fn uses_many(&self) -> bool {
        self.is_wide && self.are_all_in_turn()
    }

    /// Whether a bounce buffer has had data before.
    pub fn was_filled(&self, bounce_buffer: usize) -> bool {
        self.fills[bounce_buffer] > 0
    }

    /// Room for a fragment of so many bytes to a peer: where we have read last, or in a bounce
    /// buffer of ours that is free.
    pub fn room(&mut self, node: &Node, peer: usize, len: usize) -> Option<Room> {
        let fills = &self.fills;
        let is_left = |own: &Room| own.fills == fills[own.number] && node.is_free(own.number);
        self.last_read[peer].take(node.me(), len, is_left).or_else(|| {
            let number = self.free(node, peer)?;
            let start = self.start(number, len);
            let fills = self.fills[number];
            Some(Room { owner: node.me(), number, start, is_last_read: false, fills })
        })
    }

    /// Whether the peer that reads this bounce buffer of ours may borrow it: of those that are used
    /// where few are, one in four, and none that is kept for other peers. (A rank whose peer has
    /// borrowed some may come to share its core, and then uses few.)
    pub fn may_be_borrowed(&self, number: usize) -> bool {
        let is_one_of_few = number < BOUNCE_BUFFERS - RESERVED && number % 4 == 0;
        let is_one_of_many = (BOUNCE_BUFFERS..self.shared()).contains(&number);
        self.is_wide && (is_one_of_few || is_one_of_many && self.are_all_in_turn())
    }

    /// Nothing goes there after all.
    pub fn put_back(&mut self, node: &Node, peer: usize, room: Room) {
        self.last_read[peer].put_back(room, room.owner == node.me());
    }

    /// A free bounce buffer for a fragment to a peer.
    fn free(&mut self, node: &Node, peer: usize) -> Option<usize> {
        let first = if self.is_wide || self.unanswered < UNANSWERED_MAX { self.next } else { 0 };
        let (open, in_turn) = self.open();
        let mut in_turn = (first..in_turn).chain(0..first).chain(in_turn..open);
        if let Some(number) = in_turn.find(|&number| self.is_free(node, number)) {
            return Some(number);
        }
        let has_some = (0..self.of.len()).any(|n| self.of[n] == Some(peer) && !node.was_read(n));
        // Behind those that are used now are more where a rank used many before.
        let mut kept = self.shared()..self.of.len();
        if has_some { None } else { kept.find(|&number| self.is_free(node, number)) }
    }

    /// Whether all that any fragment may use are free.
    pub fn are_free(&mut self, node: &Node) -> bool {
        (0..self.shared()).all(|number| self.is_free(node, number))
    }

    /// Whether there are so many for fragments to a peer, those that are borrowed from it and our
    /// own that are free; and so many more of our own.
    pub fn has_free(&mut self, node: &Node, peer: usize, needed: usize, more: usize) -> bool {
        let count = needed.saturating_sub(self.last_read[peer].borrowed()) + more;
        // The next ones in turn, most often.
        let mut found = 0;
        for number in (self.next..self.open().0).chain(0..self.next) {
            let was_known = self.free[number];
            let is_free = self.is_free(node, number);
            found += usize::from(is_free);
            if is_free && !was_known {
                self.look(node, number + 1);
            }
            if found == count {
                return true;
            }
        }
        false
    }

    /// A fragment goes to a peer there. If the peer has not asked for it, it does not count as one
    /// that the peer has: it stays until a receive matches it.
    pub fn note_fragment(&mut self, node: &Node, peer: usize, room: Room, is_asked_for: bool) {
        self.last_read[peer].note_sent();
        self.unanswered += 1;
        if room.owner != node.me() {
            return;
        }
        let number = room.number;
        self.of[number] = is_asked_for.then_some(peer);
        self.fills[number] = self.fills[number].wrapping_add(1).max(1);
        self.free[number] = false;
        // It was its turn, unless we had read there last.
        if number < self.shared() && !room.is_last_read {
            if self.is_wide {
                self.in_turn = self.in_turn.max(number + 1);
            }
            self.next = (number + 1) % self.open().1;
        }
    }

    /// Told of each fragment that goes out: from some on, all of them are taken in turn.
    pub fn note_sent(&mut self, node: &Node, bytes: usize) {
        if !self.are_all_in_turn() {
            self.sent += bytes;
            if self.are_all_in_turn() {
                self.in_turn = self.of.len();
                node.prefault_bounce_buffers();
            }
        }
    }

    /// The fragment that is being written into a bounce buffer of ours, or one that is borrowed, is
    /// timed.
    pub fn time(&mut self, own: Option<usize>, number: usize, fill: TimedFill) {
        if own.is_none() {
            return self.last_read[fill.peer].time(number, fill);
        }
        self.timed[number] = Some(fill);
        self.awaited = self.awaited.or(Some(number));
    }

    /// Whether the next fragment that goes where we have read last is to be timed.
    pub fn is_sample(&mut self, peer: usize) -> bool {
        self.last_read[peer].is_sample()
    }

    /// One that was timed in a bounce buffer of a peer that has read it: as the flag says, or since
    /// it has come to us again, in this one.
    pub fn take_timed_in_borrowed(
        &mut self,
        node: &Node,
        peer: usize,
        again: Option<usize>,
    ) -> Option<(usize, TimedFill)> {
        let is_read = |number| !node.is_returned(peer, number, node.me());
        self.last_read[peer].take_timed(|number| match again {
            Some(again) => number == again,
            None => is_read(number),
        })
    }

    /// A bounce buffer with one that is timed, if its reader is done with it.
    pub fn timed_and_read(&mut self, node: &Node) -> Option<usize> {
        self.awaited.take_if(|number| node.was_read(*number))
    }

    /// The one that was in it before, if that was.
    pub fn take_timed(&mut self, bounce_buffer: usize) -> Option<TimedFill> {
        self.timed[bounce_buffer].take()
    }

    /// All of a fragment of a peer was read in this time, if it is to be told: its bounce buffer
    /// goes back, or is borrowed for the next to that peer.
    pub fn note_read(&mut self, node: &Node, peer: usize, f: &Fragment, time: Option<Duration>) {
        let (is_own, number) = (f.is_receivers, f.bounce_buffer as usize);
        let owner = if is_own { node.me() } else { peer };
        let in_front = f.offset as usize % BOUNCE_BUFFER_DATA_BYTES;
        let start = (f.start as usize).saturating_sub(in_front);
        let fills = if is_own { self.fills[number] } else { 0 };
        let room = Room { owner, number, start, is_last_read: true, fills };
        let last_read = &mut self.last_read[peer];
        match self.is_wide && last_read.note_read(room, is_own, f.may_be_borrowed) {
            true => node.borrow_bounce_buffer(owner, number, time),
            false => node.give_back_bounce_buffer(owner, number, time),
        }
        if last_read.is_one_way() {
            give_back_borrowed(node, last_read);
        }
    }

    /// A fragment has come.
    pub fn note_answer(&mut self) {
        self.unanswered = 0;
    }
}

fn give_back_borrowed(node: &Node, last_read: &mut LastRead) {
    for room in last_read.clear(node.me()) {
        node.give_back_bounce_buffer(room.owner, room.number, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_fragments_go_round_in_all_of_a_bounce_buffer() {
        let mut holders = Holders::new(2, 64);
        let mut starts = |is_wide, len| {
            holders.set_wide(is_wide);
            [(); 4].map(|()| holders.start(3, len))
        };
        assert_eq!(starts(false, 8 << 10), [0; 4]);
        assert_eq!(starts(true, 10_000), [8 << 10, 18_240, 0, 10_048]);
        assert_eq!(starts(true, BOUNCE_BUFFER_DATA_BYTES), [0; 4]);
    }

    #[test]
    fn a_rank_that_uses_few_or_comes_to_keeps_most_of_these() {
        let mut holders = Holders::new(2, 64);
        let borrowable =
            |holders: &Holders| (0..64).filter(|&n| holders.may_be_borrowed(n)).collect();
        let none: Vec<usize> = borrowable(&holders);
        holders.set_wide(true);
        let while_few: Vec<_> = borrowable(&holders);
        holders.sent = BYTES_OF_FEW;
        let of_many: Vec<_> = borrowable(&holders);
        assert_eq!((none, while_few), (vec![], vec![0, 4, 8]));
        assert_eq!(of_many, [0, 4, 8].into_iter().chain(16..60).collect::<Vec<_>>());
    }

    #[test]
    fn where_there_are_few_none_goes_round_in_many() {
        let mut holders = Holders::new(2, BOUNCE_BUFFERS);
        holders.set_wide(true);
        assert!(!holders.is_wide() && holders.shared() == BOUNCE_BUFFERS - RESERVED);
        let mut holders = Holders::new(2, 64);
        holders.set_wide(true);
        assert!(holders.is_wide() && holders.shared() == 64 - RESERVED);
        holders.set_wide(false);
        assert!(!holders.is_wide() && holders.shared() == BOUNCE_BUFFERS - RESERVED);
    }
}
