//! Which packets are accepted: those that a process of the job has sealed for this one, each only
//! once.
//!
//! Every packet has a *stamp*, which its sender never uses twice for this receiver, and a tag over
//! both ([`dunlin_seal::Seal`]). A repeated packet has no effect: frames are recognised by their
//! packet's number, and an acknowledgement reports progress, which never goes back. These numbers
//! are short and wrap around: so the acknowledgement in a packet with an old stamp is ignored
//! ([`RECENT`]), and a packet with a very old one is dropped ([`STALE`]). Only the newest stamp
//! counts as a sign that a peer is alive, or that it waits for an acknowledgement.

use dunlin_base::Rank;
use dunlin_seal::{Direction, Keys, Seal, TAG_BYTES, TRAILER_BYTES};

use crate::header::{HEADER_BYTES, Header};

/// Acknowledgements this many stamps behind the newest are read: networks that do not keep order
/// bring them late. Between two packets of a peer, what receives have taken there grows by its
/// budget at most, 4 MiB and their overhead: less than 2^31, half of the circle of
/// [`Header::taken`], in so many.
const RECENT: u64 = 255;
/// A packet this many stamps behind the newest is dropped. Numbers of packets compare right within
/// 2^31, and each takes a stamp. On a connection that was held up, packets may well come a million
/// stamps late.
const STALE: u64 = 1 << 30;

/// The tag, and the stamp, which goes into it as its number.
const OPEN_BYTES: usize = TAG_BYTES + size_of::<u64>();

/// Who a process is among those of its job.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// The keys of the job.
    pub keys: Keys,
    /// [`dunlin_seal::draw_incarnation`], of which the peers have been told.
    pub incarnation: u64,
}

/// How late a packet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Age {
    /// It was sent after all that have come.
    Newest,
    /// A little late, or repeated.
    Recent,
    /// So late that newer packets have acknowledged more.
    Old,
    /// So late that its numbers may mean something else by now.
    Stale,
}

/// The stamps of one peer.
#[derive(Debug, Default)]
pub(crate) struct Stamps {
    newest: u64,
}

impl Stamps {
    /// Notes the stamp of a packet that its sender has sealed.
    pub fn note(&mut self, stamp: u64) -> Age {
        if stamp > self.newest {
            self.newest = stamp;
            return Age::Newest;
        }
        match self.newest - stamp {
            age if age <= RECENT => Age::Recent,
            age if age < STALE => Age::Old,
            _ => Age::Stale,
        }
    }
}

/// Seals the first `len` bytes of a packet, behind which there is room; its length then.
pub(crate) fn close(seal: &Seal, stamp: u64, packet: &mut [u8], len: usize) -> usize {
    if seal.encrypts() {
        let len = len + TRAILER_BYTES;
        let (header, body) = packet[..len].split_at_mut(HEADER_BYTES);
        seal.encrypt(stamp, &header[TAG_BYTES..], body);
        return len;
    }
    let tag = seal.tag(stamp, [&packet[OPEN_BYTES..len], b""]);
    packet[..TAG_BYTES].copy_from_slice(&tag.to_le_bytes());
    len
}

/// What stands behind the header of a packet, if that was sealed so; decrypted, it is in `scratch`.
pub(crate) fn open<'a>(
    seal: &Seal,
    header: &Header,
    packet: &'a [u8],
    scratch: &'a mut Vec<u8>,
) -> Option<&'a [u8]> {
    let (head, body) = packet.split_at_checked(HEADER_BYTES)?;
    if seal.encrypts() {
        scratch.clear();
        scratch.extend_from_slice(body);
        let text = seal.decrypt(header.stamp, &head[TAG_BYTES..], scratch)?;
        return (header.tag == 0).then_some(text);
    }
    (seal.tag(header.stamp, [&packet[OPEN_BYTES..], b""]) == header.tag).then_some(body)
}

/// A packet by which `direction.from` says that it is alive though it does not answer. Each has a
/// higher stamp than the one before.
pub fn alive(keys: &Keys, direction: Direction, stamp: u64) -> [u8; HEADER_BYTES] {
    let mut packet = [0; HEADER_BYTES];
    Header::alive(direction.from, stamp).write(&mut packet);
    close(&keys.keep_alive_seal(direction), stamp, &mut packet, HEADER_BYTES);
    packet
}

/// Whether a packet is a keep-alive from `from` to `me`.
pub(crate) fn is_alive(
    credentials: &Credentials,
    (from, me): (Rank, Rank),
    header: &Header,
    packet: &[u8],
) -> bool {
    let direction = Direction { from, to: me, incarnation: credentials.incarnation };
    let seal = credentials.keys.keep_alive_seal(direction);
    packet.len() == HEADER_BYTES && open(&seal, header, packet, &mut Vec::new()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_newest_once_and_then_ages() {
        let mut stamps = Stamps::default();
        let first = 1 << 50;
        assert_eq!(stamps.note(first), Age::Newest, "wherever the sender begins");
        assert_eq!(stamps.note(first), Age::Recent);
        assert_eq!(stamps.note(first + 256), Age::Newest);
        assert_eq!((stamps.note(first), stamps.note(first + 1)), (Age::Old, Age::Recent));
        assert_eq!(stamps.note(first + STALE), Age::Newest);
        assert_eq!((stamps.note(first), stamps.note(first + 1)), (Age::Stale, Age::Old));
    }
}
