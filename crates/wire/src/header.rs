//! The first 48 bytes of every packet.
//!
//! ```text
//!  0 tag 8 | 8 stamp 8 | 16 source 4 | 20 sequence 4 | 24 ack 4 | 28 taken 4
//! 32 sacks 8 | 40 limit 4 | 44 sack block 2 | 46 kind 1 | 47 asks 1        (little endian)
//! ```

use dunlin_base::Rank;

use crate::Malformed;
use crate::frame::Reader;
use crate::seq::Seq;

/// Bytes of a header.
pub const HEADER_BYTES: usize = 48;

/// What follows the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Frames; the packet has a number and is acknowledged.
    Frames,
    /// Nothing: an acknowledgement, without a number.
    Answer,
    /// Nothing: the sender is alive but busy; ignore the other fields of the header.
    Alive,
    /// Frames on the reliable path; the packet has no number, and of the other fields only those of
    /// credit count.
    Bulk,
}

const KINDS: [Kind; 4] = [Kind::Frames, Kind::Answer, Kind::Alive, Kind::Bulk];

/// Which packets beyond the first that is missing have arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sacks {
    /// How many times 64 packets after the first missing one the bits begin.
    pub block: u16,
    /// Bit i: that packet has arrived.
    pub bits: u64,
}

/// The header of every packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Proves that a process of the job has made this packet: see `sealing.rs`.
    pub tag: u64,
    /// Counts the packets from this sender to this receiver, those sent again too: no two have the
    /// same.
    pub stamp: u64,
    /// Who sent it: rank in `MPI_COMM_WORLD`.
    pub source: Rank,
    /// What follows.
    pub kind: Kind,
    /// The sender requests an acknowledgement.
    pub asks: bool,
    /// The number of this packet.
    pub(crate) sequence: Seq,
    /// All packets before this one have arrived at the sender.
    pub(crate) ack: Seq,
    /// Those after it that have.
    pub(crate) sacks: Sacks,
    /// Packets before this one may be sent to the sender.
    pub(crate) limit: Seq,
    /// Eager bytes that receives at the sender have consumed so far.
    pub(crate) taken: u32,
}

impl Header {
    /// Reads the beginning of a packet; the rest of it are frames.
    pub fn read(packet: &[u8]) -> Result<(Header, &[u8]), Malformed> {
        let mut reader = Reader(packet);
        let tag = reader.u64()?;
        let stamp = reader.u64()?;
        let source = reader.u32()?;
        let sequence = Seq(reader.u32()?);
        let ack = Seq(reader.u32()?);
        let taken = reader.u32()?;
        let bits = reader.u64()?;
        let limit = Seq(reader.u32()?);
        let block = reader.u16()?;
        let kind = *KINDS.get(usize::from(reader.u8()?)).ok_or(Malformed)?;
        let asks = match reader.u8()? {
            0 => false,
            1 => true,
            _ => return Err(Malformed),
        };
        let sacks = Sacks { block, bits };
        let header = Header { tag, stamp, source, kind, asks, sequence, ack, sacks, limit, taken };
        Ok((header, reader.0))
    }

    /// Writes it to the beginning of a packet: in whole words, which the tag is then made of. Words
    /// that were stored in parts are not read before all stores so far have left the core.
    pub fn write(&self, packet: &mut [u8]) {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let kind = u32::from(self.kind as u8) << 16 | u32::from(self.asks) << 24;
        let words = [
            self.tag,
            self.stamp,
            pair(self.source, self.sequence.0),
            pair(self.ack.0, self.taken),
            self.sacks.bits,
            pair(self.limit.0, u32::from(self.sacks.block) | kind),
        ];
        let words = words.map(u64::to_le_bytes);
        packet[..HEADER_BYTES].copy_from_slice(words.as_flattened());
    }
}

impl Header {
    /// That of a keep-alive.
    pub(crate) fn alive(source: Rank, stamp: u64) -> Header {
        let none = Seq(0);
        Header {
            tag: 0,
            stamp,
            source,
            kind: Kind::Alive,
            asks: false,
            sequence: none,
            ack: none,
            sacks: Sacks::default(),
            limit: none,
            taken: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_header() -> Header {
        Header {
            tag: 0x0102_0304_0506_0708,
            stamp: 1 << 63,
            source: 9,
            kind: Kind::Answer,
            asks: true,
            sequence: Seq(10),
            ack: Seq(u32::MAX),
            sacks: Sacks { block: 3, bits: 1 << 63 },
            limit: Seq(12),
            taken: 13,
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut packet = [0xff; HEADER_BYTES + 2];
        a_header().write(&mut packet);
        let (header, rest) = Header::read(&packet).unwrap();
        assert_eq!((header, rest), (a_header(), &[0xff; 2][..]));
    }

    #[test]
    fn short_packets_and_unknown_kinds_are_refused() {
        let mut packet = [0; HEADER_BYTES];
        a_header().write(&mut packet);
        for len in 0..HEADER_BYTES {
            assert_eq!(Header::read(&packet[..len]), Err(Malformed), "{len}");
        }
        for at in [HEADER_BYTES - 2, HEADER_BYTES - 1] {
            let mut wrong = packet;
            wrong[at] = KINDS.len() as u8;
            assert_eq!(Header::read(&wrong), Err(Malformed));
        }
    }
}
