//! What travels between two ranks of a node: the kinds of packet and the words they carry.

use dunlin_shm::cell::Packet;
use dunlin_wire::RemoteKey;

use crate::matching::Envelope;
use crate::p2p::arrival::Rts;

/// A whole message: its payload follows.
pub const EAGER: u8 = 1;
/// A message waits at its sender ([`Rts`]): a large one, or one in synchronous mode while no number
/// of an acknowledgement is free.
pub const RTS: u8 = 2;
/// The receiver has taken a rendezvous message out of the sender's memory ([`Fin`]).
pub const FIN: u8 = 3;
/// The receiver cannot read the sender's memory and asks for the message in bounce buffers
/// ([`Cts`]).
pub const CTS: u8 = 4;
/// One bounce buffer of a message ([`Fragment`]).
pub const FRAGMENT: u8 = 5;

/// The receiver of a rendezvous message has begun to copy it and says where to ([`CoopCts`]).
pub const COOP_CTS: u8 = 6;
/// The sender has copied the last part of its message into the receiver's memory ([`CoopFin`]).
pub const COOP_FIN: u8 = 7;
/// The sender may not write a part of its message that it had claimed ([`CoopNack`]).
pub const COOP_NACK: u8 = 8;
/// The sender takes back a message that it has announced, or that awaits the acknowledgement whose
/// number the flags have, if no receive has matched it ([`Fin`]).
pub const CANCEL_REQ: u8 = 9;
/// That message is dropped, as its sender has asked ([`Fin`]); the flags as there.
pub const CANCEL_RESP: u8 = 10;
/// The receiver of a rendezvous message lets its sender choose to send it in bounce buffers
/// ([`Cts`]).
pub const OFFER: u8 = 11;
/// The receiver of an offered message has taken nothing of it and no longer looks at its work
/// split, which is free again ([`Fin`]).
pub const RELEASE: u8 = 12;
/// A whole message in synchronous mode: its payload follows. The flags have the number of the
/// acknowledgement that it awaits.
pub const EAGER_SYNC: u8 = 13;
/// A receive has matched such a message. The flags have the number.
pub const SYNC_ACK: u8 = 14;

/// A whole message, as [`EAGER`], whose sender asks how long it takes to read.
pub const EAGER_TIMED: u8 = 15;
/// That is how long ([`TimingReply`]). The flags of both have the number of the message.
pub const TIMING_REPLY: u8 = 16;

/// Stands for the work split of a message that only its receiver copies.
pub const NO_SPLIT: u32 = u32::MAX;

/// Room for the words of any packet of the protocol itself; they fit into a ring's first line.
pub const WORD_BYTES: usize = 32;

/// A packet of this kind for a message with this envelope.
#[inline(always)]
pub fn head(kind: u8, envelope: &Envelope) -> Packet {
    Packet {
        kind,
        source: envelope.source,
        tag: envelope.tag,
        context: envelope.context,
        ..Packet::default()
    }
}

/// The envelope a packet carries.
#[inline(always)]
pub fn envelope(packet: &Packet) -> Envelope {
    Envelope { context: packet.context, source: packet.source, tag: packet.tag }
}

/// Fixed 64-bit words as a payload.
pub trait Words<const N: usize>: Sized {
    /// The words, in order.
    fn to_words(&self) -> [u64; N];
    /// The mirror of `to_words`.
    fn from_words(words: [u64; N]) -> Self;
}

/// In the length of a message whose copy is timed, or of the part that is copied; or in a wish for
/// one.
const TIMED: u64 = 1 << 63;
/// Beside the length of a rendezvous message that the kernel is to copy.
const BY_KERNEL: u64 = 1 << 62;
/// Beside the length of a fragment that was written past the cache.
const PAST_CACHE: u64 = 1 << 62;
/// Beside the length of one after which another lies in the same bounce buffer.
const HAS_MORE: u64 = 1 << 61;

/// Beside the length of one that lies in a bounce buffer of its receiver.
const RECEIVERS_OWN: u64 = 1 << 60;
/// Beside the length of one in a bounce buffer that the receiver may borrow.
const MAY_BE_BORROWED: u64 = 1 << 59;

/// Two numbers in one word, and back.
const fn pair(high: u32, low: u32) -> u64 {
    (high as u64) << 32 | low as u64
}

const fn halves(word: u64) -> (u32, u32) {
    ((word >> 32) as u32, word as u32)
}

/// What the key of a message's memory is within a node: the work split of the sender that serves to
/// copy it together, or [`NO_SPLIT`]. A message that lies in several pieces has no address.
impl Words<3> for Rts {
    fn to_words(&self) -> [u64; 3] {
        let rkey = self.rkey.unwrap_or(RemoteKey { address: 0, key: NO_SPLIT.into() });
        let is_timed = if self.is_timed { TIMED } else { 0 };
        let by_kernel = if self.by_kernel { BY_KERNEL } else { 0 };
        [self.bytes | is_timed | by_kernel, rkey.address, pair(rkey.key as u32, self.send)]
    }
    fn from_words([bytes, address, who]: [u64; 3]) -> Self {
        let (split, send) = halves(who);
        let rkey = RemoteKey { address, key: split.into() };
        let rkey = (address != 0).then_some(rkey);
        let [is_timed, by_kernel] = [TIMED, BY_KERNEL].map(|bit| bytes & bit != 0);
        Rts { bytes: bytes & !(TIMED | BY_KERNEL), send, rkey, is_timed, by_kernel }
    }
}

impl Rts {
    /// The work split that its sender names, or [`NO_SPLIT`].
    pub fn split(&self) -> u32 {
        self.rkey.map_or(NO_SPLIT, |rkey| rkey.key as u32)
    }
}

/// The end of a rendezvous message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fin {
    /// The sender's request.
    pub request: u32,
    /// The work splits that the RTS named.
    pub split: u32,
    /// How long the copy has taken, if that was asked: else 0.
    pub took_ns: u32,
}

impl Words<2> for Fin {
    fn to_words(&self) -> [u64; 2] {
        [pair(self.split, self.request), self.took_ns.into()]
    }
    fn from_words([who, took_ns]: [u64; 2]) -> Self {
        let (split, request) = halves(who);
        Fin { request, split, took_ns: took_ns as u32 }
    }
}

/// How long it took to read an eager message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimingReply {
    /// Nanoseconds.
    pub ns: u64,
}

impl Words<1> for TimingReply {
    fn to_words(&self) -> [u64; 1] {
        [self.ns]
    }
    fn from_words([ns]: [u64; 1]) -> Self {
        TimingReply { ns }
    }
}

/// A wish for a rendezvous message in bounce buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cts {
    /// The sender's request.
    pub request: u32,
    /// The number by which the receiver places fragments.
    pub receiver: u32,
    /// The work splits that the RTS named.
    pub split: u32,
    /// The first fragment that is wanted.
    pub first: u32,
    /// The sender has asked how long its copy takes.
    pub is_timed: bool,
}

impl Words<2> for Cts {
    fn to_words(&self) -> [u64; 2] {
        let is_timed = if self.is_timed { TIMED } else { 0 };
        [pair(self.split, self.request), pair(self.first, self.receiver) | is_timed]
    }
    fn from_words([who, which]: [u64; 2]) -> Self {
        let ((split, request), (first, receiver)) = (halves(who), halves(which & !TIMED));
        Cts { request, receiver, split, first, is_timed: which & TIMED != 0 }
    }
}

/// Where a rendezvous message goes, for its sender to help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoopCts {
    /// The sender's request.
    pub request: u32,
    /// The receiver's request.
    pub receiver: u32,
    /// The work splits that the RTS named.
    pub split: u32,
    /// Logarithm of the bytes of a unit.
    pub unit_shift: u32,
    /// Address in the receiver.
    pub to: u64,
    /// Bytes that are copied.
    pub len: u64,
    /// The sender has asked how long that takes.
    pub is_timed: bool,
}

impl Words<4> for CoopCts {
    fn to_words(&self) -> [u64; 4] {
        let units = pair(self.split, self.unit_shift);
        let is_timed = if self.is_timed { TIMED } else { 0 };
        [pair(self.request, self.receiver), units, self.to, self.len | is_timed]
    }
    fn from_words([who, units, to, len]: [u64; 4]) -> Self {
        let ((request, receiver), (split, unit_shift)) = (halves(who), halves(units));
        let (len, is_timed) = (len & !TIMED, len & TIMED != 0);
        CoopCts { request, receiver, split, unit_shift, to, len, is_timed }
    }
}

/// The end of a message that its sender finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoopFin {
    /// The receiver's request.
    pub receiver: u32,
}

impl Words<1> for CoopFin {
    fn to_words(&self) -> [u64; 1] {
        [self.receiver.into()]
    }
    fn from_words([receiver]: [u64; 1]) -> Self {
        CoopFin { receiver: receiver as u32 }
    }
}

/// Units of a message that the sender leaves to the receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoopNack {
    /// The receiver's request.
    pub receiver: u32,
    /// The first of the units.
    pub first: u32,
    /// The one after the last.
    pub end: u32,
}

impl Words<2> for CoopNack {
    fn to_words(&self) -> [u64; 2] {
        [self.receiver.into(), pair(self.first, self.end)]
    }
    fn from_words([receiver, units]: [u64; 2]) -> Self {
        let (first, end) = halves(units);
        CoopNack { receiver: receiver as u32, first, end }
    }
}

/// The receiver's number in fragments that nobody has asked for: those of an eager message, which
/// follow one another.
pub const UNASKED: u32 = u32::MAX;

/// One bounce buffer's worth of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment {
    /// The number that the CTS named, or [`UNASKED`].
    pub receiver: u32,
    /// Which bounce buffer, of the sender or the receiver.
    pub bounce_buffer: u32,
    /// Where in it they begin, and how many there are.
    pub start: u32,
    pub len: u32,
    /// Whether the receiver is to say how long it takes to read them.
    pub is_timed: bool,
    /// Whether they were written past the cache.
    pub is_past_cache: bool,
    /// Whether the bounce buffer has more of the message, which its filler names next.
    pub has_more: bool,
    /// Whether the bounce buffer is the receiver's, from whom its sender had borrowed it.
    pub is_receivers: bool,
    /// Whether the receiver may borrow the bounce buffer.
    pub may_be_borrowed: bool,
    /// Where they belong in the message.
    pub offset: u64,
    /// Bytes of the whole message.
    pub total: u64,
}

impl Words<4> for Fragment {
    fn to_words(&self) -> [u64; 4] {
        let mark = |is_so: bool, mark: u64| if is_so { mark } else { 0 };
        let marks = mark(self.is_timed, TIMED)
            | mark(self.is_past_cache, PAST_CACHE)
            | mark(self.has_more, HAS_MORE)
            | mark(self.is_receivers, RECEIVERS_OWN)
            | mark(self.may_be_borrowed, MAY_BE_BORROWED);
        let who = pair(self.receiver, self.bounce_buffer);
        [self.offset, self.total, who, pair(self.start, self.len) | marks]
    }
    fn from_words([offset, total, who, place]: [u64; 4]) -> Self {
        let (receiver, bounce_buffer) = halves(who);
        let (start, len) =
            halves(place & !(TIMED | PAST_CACHE | HAS_MORE | RECEIVERS_OWN | MAY_BE_BORROWED));
        let is = |mark: u64| place & mark != 0;
        Fragment {
            receiver,
            bounce_buffer,
            start,
            len,
            is_timed: is(TIMED),
            is_past_cache: is(PAST_CACHE),
            has_more: is(HAS_MORE),
            is_receivers: is(RECEIVERS_OWN),
            may_be_borrowed: is(MAY_BE_BORROWED),
            offset,
            total,
        }
    }
}

/// Words as bytes, for the ring.
pub fn to_bytes<const N: usize>(words: &impl Words<N>) -> ([u8; WORD_BYTES], usize) {
    let mut bytes = [0; WORD_BYTES];
    for (chunk, word) in bytes.chunks_exact_mut(8).zip(words.to_words()) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    (bytes, N * 8)
}

/// The mirror of `to_bytes`.
pub fn from_bytes<const N: usize, W: Words<N>>(bytes: &[u8; WORD_BYTES]) -> W {
    let word = |i: usize| u64::from_le_bytes(std::array::from_fn(|b| bytes[i * 8 + b]));
    W::from_words(std::array::from_fn(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_ring() {
        let rkey = RemoteKey { address: u64::MAX, key: NO_SPLIT.into() };
        for rkey in [Some(rkey), Some(RemoteKey { key: 3, ..rkey }), None] {
            for (is_timed, by_kernel) in [(false, false), (true, false), (true, true)] {
                let rts = Rts { bytes: 1 << 40, send: 7, rkey, is_timed, by_kernel };
                assert_eq!(from_bytes::<3, Rts>(&to_bytes(&rts).0), rts);
            }
        }
        let f = Fragment {
            receiver: 9,
            bounce_buffer: 15,
            start: 4096,
            len: 32704,
            is_timed: true,
            is_past_cache: false,
            has_more: false,
            is_receivers: false,
            may_be_borrowed: false,
            offset: 1 << 33,
            total: 1 << 34,
        };
        let others = [
            Fragment { is_timed: false, is_past_cache: true, ..f },
            Fragment { is_timed: false, has_more: true, ..f },
            Fragment { is_timed: false, is_receivers: true, ..f },
            Fragment { is_timed: false, may_be_borrowed: true, ..f },
        ];
        for f in others.into_iter().chain([f]) {
            assert_eq!(from_bytes::<4, Fragment>(&to_bytes(&f).0), f);
        }
        for is_timed in [false, true] {
            let cts = Cts { request: 1, receiver: u32::MAX, split: 3, first: 4, is_timed };
            assert_eq!(from_bytes::<2, Cts>(&to_bytes(&cts).0), cts);
        }
        let (to, len) = (u64::MAX, 1 << 50);
        for is_timed in [false, true] {
            let (split, unit_shift) = (3, 12);
            let cts = CoopCts { request: 1, receiver: 2, split, unit_shift, to, len, is_timed };
            assert_eq!(from_bytes::<4, CoopCts>(&to_bytes(&cts).0), cts);
        }
        let fin = Fin { request: 1, split: NO_SPLIT, took_ns: u32::MAX };
        assert_eq!(from_bytes::<2, Fin>(&to_bytes(&fin).0), fin);
        let send_coop_nack = CoopNack { receiver: 4, first: 5, end: u32::MAX };
        assert_eq!(from_bytes::<2, CoopNack>(&to_bytes(&send_coop_nack).0), send_coop_nack);
    }
}
