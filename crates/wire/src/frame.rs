//! What a packet carries behind its header: any number of frames, one after another.

use dunlin_base::{Rank, Tag};
use dunlin_copy::append;

use crate::Malformed;
use crate::seq::Seq;

/// What matching compares: MPI 5.0 section 3.2.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchHeader {
    /// The communicator's context.
    pub context: u64,
    /// The sender's rank in it.
    pub source: Rank,
    /// The tag.
    pub tag: Tag,
}

/// Where to read a message that waits at its sender: two words of the fabric, opaque here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemoteKey {
    /// Where it begins.
    pub address: u64,
    /// The key to it.
    pub key: u64,
}

/// The number of a message from one process to another: match headers are delivered in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order(pub(crate) Seq);

/// One frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A whole message.
    Whole {
        /// Its place among the messages of its sender.
        order: Order,
        /// What matching compares.
        head: MatchHeader,
        /// All of it.
        payload: &'a [u8],
    },
    /// A fragment of an eager message of several packets. Every fragment has the whole match
    /// header.
    Segment {
        /// Its place among the messages of its sender.
        order: Order,
        /// What matching compares.
        head: MatchHeader,
        /// Bytes of the message.
        total: u32,
        /// Where this part belongs.
        offset: u32,
        /// The part.
        payload: &'a [u8],
    },
    /// A message that waits at its sender.
    Rts {
        /// Its place among the messages of its sender.
        order: Order,
        /// What matching compares.
        head: MatchHeader,
        /// Its bytes.
        bytes: u64,
        /// What the sender calls it.
        send: u32,
        /// Where it can be read.
        rkey: Option<RemoteKey>,
    },
    /// The CTS: a receive has matched a rendezvous message.
    Cts {
        /// What the sender of the message calls it.
        send: u32,
        /// What the receiver calls it.
        receive: u32,
        /// How much of it is wanted.
        wanted: u64,
    },
    /// The sender leaves MPI: it needs nothing more, unless it comes back in another session.
    Close {
        /// The number of its next message.
        next: Order,
    },
    /// A fragment of a message for which a CTS was sent.
    Data {
        /// What the receiver calls it.
        receive: u32,
        /// Where this part belongs.
        offset: u64,
        /// The part.
        payload: &'a [u8],
    },
}

const WHOLE: u8 = 1;
const SEGMENT: u8 = 2;
const RTS: u8 = 3;
const CTS: u8 = 4;
const DATA: u8 = 5;
const CLOSE: u8 = 6;
const RTS_RKEY: u8 = 7;

const HEAD_BYTES: usize = 16;
/// Bytes of a [`Frame::Whole`] without its payload.
pub(crate) const WHOLE_BYTES: usize = 1 + 4 + HEAD_BYTES + 2;
/// Bytes of a [`Frame::Segment`] without its payload.
pub(crate) const SEGMENT_BYTES: usize = 1 + 4 + HEAD_BYTES + 4 + 4 + 2;
/// Bytes of a [`Frame::Rts`] without its remote key.
pub(crate) const RTS_BYTES: usize = 1 + 4 + HEAD_BYTES + 8 + 4;
/// Bytes of a [`RemoteKey`].
pub(crate) const RKEY_BYTES: usize = 8 + 8;
/// The longest front of a payload, or frame without one.
const FRONT_BYTES_MAX: usize = RTS_BYTES + RKEY_BYTES;
/// Bytes of a [`Frame::Cts`].
pub(crate) const CTS_BYTES: usize = 1 + 4 + 4 + 8;
/// Bytes of a [`Frame::Close`].
pub(crate) const CLOSE_BYTES: usize = 1 + 4;
/// Bytes of a [`Frame::Data`] without its payload.
pub(crate) const DATA_BYTES: usize = 1 + 4 + 8 + 2;

impl<'a> Frame<'a> {
    /// Bytes it takes in a packet.
    pub fn bytes(&self) -> usize {
        match self {
            Frame::Whole { payload, .. } => WHOLE_BYTES + payload.len(),
            Frame::Segment { payload, .. } => SEGMENT_BYTES + payload.len(),
            Frame::Rts { rkey, .. } => RTS_BYTES + rkey.map_or(0, |_| RKEY_BYTES),
            Frame::Cts { .. } => CTS_BYTES,
            Frame::Close { .. } => CLOSE_BYTES,
            Frame::Data { payload, .. } => DATA_BYTES + payload.len(),
        }
    }

    fn payload(&self) -> &[u8] {
        match self {
            Frame::Whole { payload, .. }
            | Frame::Segment { payload, .. }
            | Frame::Data { payload, .. } => payload,
            Frame::Rts { .. } | Frame::Cts { .. } | Frame::Close { .. } => &[],
        }
    }

    /// Writes it to the beginning of `into`, which is long enough; returns its length.
    pub fn write(&self, into: &mut [u8]) -> usize {
        let payload = self.payload();
        let front = self.write_front(payload.len(), into);
        into[front..front + payload.len()].copy_from_slice(payload);
        front + payload.len()
    }

    /// Writes it behind what is there.
    pub fn append_to(&self, bytes: &mut Vec<u8>) {
        let payload = self.payload();
        let mut front = [0; FRONT_BYTES_MAX];
        let len = self.write_front(payload.len(), &mut front);
        bytes.reserve(len + payload.len());
        bytes.extend_from_slice(&front[..len]);
        append(bytes, payload);
    }

    /// Writes all but the payload, of which there will be `len` bytes; returns its length.
    pub(crate) fn write_front(&self, len: usize, into: &mut [u8]) -> usize {
        let room = into.len();
        let mut rest = into;
        let len = &(len as u16).to_le_bytes();
        match self {
            Frame::Whole { order, head, .. } => {
                put_head(&mut rest, WHOLE, *order, head);
                put(&mut rest, len);
            }
            Frame::Segment { order, head, total, offset, .. } => {
                put_head(&mut rest, SEGMENT, *order, head);
                put(&mut rest, &total.to_le_bytes());
                put(&mut rest, &offset.to_le_bytes());
                put(&mut rest, len);
            }
            Frame::Rts { order, head, bytes, send, rkey } => {
                let kind = if rkey.is_some() { RTS_RKEY } else { RTS };
                put_head(&mut rest, kind, *order, head);
                put(&mut rest, &bytes.to_le_bytes());
                put(&mut rest, &send.to_le_bytes());
                if let Some(RemoteKey { address, key }) = rkey {
                    put(&mut rest, &address.to_le_bytes());
                    put(&mut rest, &key.to_le_bytes());
                }
            }
            Frame::Cts { send, receive, wanted } => {
                put(&mut rest, &[CTS]);
                put(&mut rest, &send.to_le_bytes());
                put(&mut rest, &receive.to_le_bytes());
                put(&mut rest, &wanted.to_le_bytes());
            }
            Frame::Close { next } => {
                put(&mut rest, &[CLOSE]);
                put(&mut rest, &next.0.0.to_le_bytes());
            }
            Frame::Data { receive, offset, .. } => {
                put(&mut rest, &[DATA]);
                put(&mut rest, &receive.to_le_bytes());
                put(&mut rest, &offset.to_le_bytes());
                put(&mut rest, len);
            }
        }
        room - rest.len()
    }

    fn read(reader: &mut Reader<'a>) -> Result<Frame<'a>, Malformed> {
        let kind = reader.u8()?;
        Ok(match kind {
            WHOLE => {
                let (order, head) = reader.head()?;
                Frame::Whole { order, head, payload: reader.payload()? }
            }
            SEGMENT => {
                let (order, head) = reader.head()?;
                let (total, offset) = (reader.u32()?, reader.u32()?);
                Frame::Segment { order, head, total, offset, payload: reader.payload()? }
            }
            RTS | RTS_RKEY => {
                let (order, head) = reader.head()?;
                let (bytes, send) = (reader.u64()?, reader.u32()?);
                let rkey = (kind == RTS_RKEY).then(|| reader.rkey()).transpose()?;
                Frame::Rts { order, head, bytes, send, rkey }
            }
            CTS => {
                let (send, receive) = (reader.u32()?, reader.u32()?);
                Frame::Cts { send, receive, wanted: reader.u64()? }
            }
            DATA => {
                let (receive, offset) = (reader.u32()?, reader.u64()?);
                Frame::Data { receive, offset, payload: reader.payload()? }
            }
            CLOSE => Frame::Close { next: Order(Seq(reader.u32()?)) },
            _ => return Err(Malformed),
        })
    }
}

/// The frames of a packet, from what follows its header. After an error nothing follows.
pub fn frames(bytes: &[u8]) -> impl Iterator<Item = Result<Frame<'_>, Malformed>> {
    let mut reader = Reader(bytes);
    std::iter::from_fn(move || {
        if reader.0.is_empty() {
            return None;
        }
        let frame = Frame::read(&mut reader);
        if frame.is_err() {
            reader.0 = &[];
        }
        Some(frame)
    })
}

/// Bytes that are being read; what is left of them.
pub(crate) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (first, rest) = self.0.split_first_chunk().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*first)
    }

    pub fn u8(&mut self) -> Result<u8, Malformed> {
        self.array().map(|[byte]| byte)
    }

    pub fn u16(&mut self) -> Result<u16, Malformed> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Result<u32, Malformed> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Malformed> {
        self.array().map(u64::from_le_bytes)
    }

    fn head(&mut self) -> Result<(Order, MatchHeader), Malformed> {
        let order = Order(Seq(self.u32()?));
        let context = self.u64()?;
        let source = self.u32()?;
        let tag = self.array().map(Tag::from_le_bytes)?;
        Ok((order, MatchHeader { context, source, tag }))
    }

    fn rkey(&mut self) -> Result<RemoteKey, Malformed> {
        Ok(RemoteKey { address: self.u64()?, key: self.u64()? })
    }

    fn payload(&mut self) -> Result<&'a [u8], Malformed> {
        let len = usize::from(self.u16()?);
        let (payload, rest) = self.0.split_at_checked(len).ok_or(Malformed)?;
        self.0 = rest;
        Ok(payload)
    }
}

/// Writes to the beginning of what is left to be written.
pub(crate) fn put(rest: &mut &mut [u8], bytes: &[u8]) {
    let (to, after) = std::mem::take(rest).split_at_mut(bytes.len());
    to.copy_from_slice(bytes);
    *rest = after;
}

fn put_head(rest: &mut &mut [u8], kind: u8, order: Order, head: &MatchHeader) {
    put(rest, &[kind]);
    put(rest, &order.0.0.to_le_bytes());
    put(rest, &head.context.to_le_bytes());
    put(rest, &head.source.to_le_bytes());
    put(rest, &head.tag.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> [Frame<'static>; 7] {
        let order = Order(Seq(u32::MAX));
        let rkey = Some(RemoteKey { address: 1 << 60 | 9, key: u64::MAX - 1 });
        let head = MatchHeader { context: 1 << 63 | 5, source: 7, tag: -3 };
        [
            Frame::Whole { order, head, payload: b"whole" },
            Frame::Segment { order, head, total: 1 << 20, offset: 99, payload: b"" },
            Frame::Rts { order, head, bytes: 1 << 40, send: 4, rkey: None },
            Frame::Rts { order, head, bytes: 1 << 41, send: 5, rkey },
            Frame::Cts { send: 1, receive: 2, wanted: u64::MAX },
            Frame::Close { next: order },
            Frame::Data { receive: 3, offset: 1 << 50, payload: b"data" },
        ]
    }

    fn written() -> Vec<u8> {
        let mut bytes = vec![0; 500];
        let mut at = 0;
        for frame in all() {
            let len = frame.write(&mut bytes[at..]);
            assert_eq!(len, frame.bytes());
            at += len;
        }
        bytes.truncate(at);
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = written();
        let read: Result<Vec<_>, _> = frames(&bytes).collect();
        assert_eq!(read.unwrap(), all());
    }

    #[test]
    fn a_packet_cut_anywhere_gives_whole_frames_and_at_most_one_error() {
        let bytes = written();
        let mut ends = vec![0];
        ends.extend(all().iter().scan(0, |at, f| {
            *at += f.bytes();
            Some(*at)
        }));
        for len in 0..bytes.len() {
            let read: Vec<_> = frames(&bytes[..len]).collect();
            let whole = ends.iter().filter(|&&end| end <= len).count() - 1;
            assert_eq!(read.iter().filter(|f| f.is_ok()).count(), whole, "{len}");
            assert_eq!(read.len() - whole, usize::from(!ends.contains(&len)), "{len}");
        }
    }
}
