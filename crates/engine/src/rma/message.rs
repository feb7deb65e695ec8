//! The messages of a window. Their tags say what they are; their bodies are numbers, the
//! description of a datatype, and data.

use dunlin_base::{Error, ErrorClass, Result, Tag};
use dunlin_datatype::Datatype;
use dunlin_datatype::reduce::Op;

use crate::objects::window_layouts::{Described, Remembered};

/// What stands before a message among several: its kind and its length.
pub(crate) const PACKED_HEAD_BYTES: usize = 5;

/// Bytes of a header at most, without the description of a datatype.
pub(crate) const HEADER_BYTES_MAX: usize = 56;

/// Bytes of the description of a predefined datatype.
const PREDEFINED_BYTES: u64 = 2;

/// Bits of a number in a byte, and the mark that more follow.
const NUMBER_BITS: u32 = 7;
const MORE: u8 = 1 << NUMBER_BITS;

/// The kinds of [`Data`], as bytes.
const HERE: u8 = 0;
const BOUNCED: u8 = 1;
const APART: u8 = 2;
const AT_ORIGIN: u8 = 3;

/// In place of the first byte of a datatype's description: a number follows, of a datatype that the
/// target knows.
const KNOWN: u8 = 0x80;
/// The same; the description follows, which the target is to remember under that number.
const NEW: u8 = 0x81;

/// What a message of a window asks or tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Put,
    Get,
    Accumulate,
    GetAccumulate,
    CompareAndSwap,
    /// All before it shall be acknowledged.
    Flush,
    LockShared,
    LockExclusive,
    /// As [`Kind::LockShared`], unless it would wait.
    TryLockShared,
    /// The lock is given back; acknowledged as a flush is.
    Unlock,
    /// `MPI_Win_post`: the origin may begin.
    Post,
    /// `MPI_Win_complete`: the origin has sent all.
    Complete,
    /// The result of an operation.
    Reply,
    /// All before a flush or an unlock is done, or has failed.
    Acknowledge,
    Granted,
    /// A lock that was tried is not free.
    Refused,
    /// Several messages, see [`pack`].
    Packed,
    /// Several answers to an origin, see `answers.rs`.
    Answers,
}

impl Kind {
    const ALL: [Kind; 18] = [
        Kind::Put,
        Kind::Get,
        Kind::Accumulate,
        Kind::GetAccumulate,
        Kind::CompareAndSwap,
        Kind::Flush,
        Kind::LockShared,
        Kind::LockExclusive,
        Kind::TryLockShared,
        Kind::Unlock,
        Kind::Post,
        Kind::Complete,
        Kind::Reply,
        Kind::Acknowledge,
        Kind::Granted,
        Kind::Refused,
        Kind::Packed,
        Kind::Answers,
    ];

    pub fn tag(self) -> Tag {
        self as Tag
    }

    /// Whether it asks for an operation.
    pub fn is_operation(self) -> bool {
        matches!(self, Kind::Put | Kind::Accumulate) || self.has_result()
    }

    /// Whether it moves data alone: such operations come in any order.
    pub fn is_transfer(self) -> bool {
        matches!(self, Kind::Put | Kind::Get)
    }

    /// Whether it changes what is there by what was there.
    pub fn accumulates(self) -> bool {
        matches!(self, Kind::Accumulate | Kind::GetAccumulate | Kind::CompareAndSwap)
    }

    /// Whether the origin waits for its result.
    pub fn has_result(self) -> bool {
        matches!(self, Kind::Get | Kind::GetAccumulate | Kind::CompareAndSwap)
    }

    /// Whether a target tells it to an origin.
    pub fn is_answer(self) -> bool {
        use Kind::{Acknowledge, Answers, Granted, Post, Refused, Reply};
        matches!(self, Post | Reply | Answers | Acknowledge | Granted | Refused)
    }

    pub fn from_tag(tag: Tag) -> Option<Kind> {
        Kind::ALL.get(usize::try_from(tag).ok()?).copied()
    }
}

/// What an operation says beside its data.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    /// The number under which the origin waits for the result, or under which data comes apart;
    /// 0 for neither.
    pub reply: u64,
    /// Units of displacement.
    pub displacement: i64,
    /// Elements at the target.
    pub count: usize,
    /// Their type.
    pub datatype: Datatype,
    /// The operator of an accumulate.
    pub op: Op,
    /// Where its data and its result are.
    pub data: Data,
}

/// Where the data of an operation is, and where its result comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Data {
    /// In the messages that say what is asked, and what came of it.
    Here,
    /// At this address in memory of the node, see `rma/bounce.rs`.
    Bounced(u64),
    /// In a message of its own, see `rma/zero_copy.rs`.
    Apart,
    /// At this address of the origin's memory, which the kernel reads; a reply says when it has.
    AtOrigin(u64),
}

impl Header {
    /// The description of its datatype, for a target that knows what was `described` to it; empty
    /// if none is needed.
    pub fn description(&self, described: &Described) -> Vec<u8> {
        let mut description = Vec::new();
        if !self.datatype.is_predefined() && described.number(&self.datatype).is_none() {
            self.datatype.describe(&mut description);
        }
        description
    }

    /// Adds the header's bytes, with the datatype's description, and room for `data` bytes.
    pub fn encode(
        &self,
        description: &[u8],
        data: usize,
        described: &mut Described,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let bytes = HEADER_BYTES_MAX + description.len() + data;
        out.try_reserve(bytes).map_err(|_| {
            Error::new(ErrorClass::NoMem, format!("there is no memory for {bytes} bytes"))
        })?;
        put_number(out, self.reply);
        put_number(out, self.displacement as u64);
        put_number(out, self.count as u64);
        out.push(self.op as u8);
        match self.data {
            Data::Here => out.push(HERE),
            Data::Bounced(address) => {
                out.push(BOUNCED);
                put_number(out, address);
            }
            Data::Apart => out.push(APART),
            Data::AtOrigin(address) => {
                out.push(AT_ORIGIN);
                put_number(out, address);
            }
        }
        if self.datatype.is_predefined() {
            put_number(out, PREDEFINED_BYTES);
            self.datatype.describe(out);
            return Ok(());
        }
        if let Some(number) = described.number(&self.datatype) {
            put_number(out, 2);
            out.extend([KNOWN, number]);
            return Ok(());
        }
        put_number(out, description.len() as u64 + 2);
        out.extend([NEW, described.add(&self.datatype)]);
        out.extend(description);
        Ok(())
    }

    /// The header of a message, and the data after it, from an origin that has described what is
    /// `remembered`.
    pub fn decode<'a>(
        message: &'a [u8],
        remembered: &mut Remembered,
    ) -> Result<(Header, &'a [u8])> {
        let mut rest = message;
        let reply = number(&mut rest)?;
        let displacement = number(&mut rest)? as i64;
        let count = usize::try_from(number(&mut rest)?).map_err(|_| nonsense())?;
        let ([op, place], mut rest) = rest.split_first_chunk().ok_or_else(nonsense)?;
        let op = *Op::ALL.get(usize::from(*op)).ok_or_else(nonsense)?;
        let place = match *place {
            HERE => Data::Here,
            BOUNCED => Data::Bounced(number(&mut rest)?),
            APART => Data::Apart,
            AT_ORIGIN => Data::AtOrigin(number(&mut rest)?),
            _ => return Err(nonsense()),
        };
        let length = usize::try_from(number(&mut rest)?).map_err(|_| nonsense())?;
        let (description, data) = rest.split_at_checked(length).ok_or_else(nonsense)?;
        let datatype = match *description {
            [KNOWN, number] => remembered.get(number).ok_or_else(nonsense)?,
            [NEW, number, ref description @ ..] => {
                let datatype = Datatype::from_description(description)?;
                if !remembered.set(number, &datatype) {
                    return Err(nonsense());
                }
                datatype
            }
            _ => Datatype::from_description(description)?,
        };
        Ok((Header { reply, displacement, count, datatype, op, data: place }, data))
    }
}

/// Adds a message, which `write` writes, to several that go together; nothing if it fails.
pub(crate) fn pack(
    packed: &mut Vec<u8>,
    kind: Kind,
    write: impl FnOnce(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    let before = packed.len();
    let start = before + PACKED_HEAD_BYTES;
    packed.push(kind as u8);
    packed.extend([0; PACKED_HEAD_BYTES - 1]);
    let outcome = write(packed);
    match outcome {
        Ok(()) => {
            let length = (packed.len() - start) as u32;
            packed[before + 1..start].copy_from_slice(&length.to_le_bytes());
        }
        Err(_) => packed.truncate(before),
    }
    outcome
}

/// Takes the first of several messages.
pub(crate) fn unpack<'a>(packed: &mut &'a [u8]) -> Result<(Kind, &'a [u8])> {
    let (head, rest) = packed.split_first_chunk::<PACKED_HEAD_BYTES>().ok_or_else(nonsense)?;
    let [kind, length @ ..] = *head;
    let kind = Kind::from_tag(kind.into()).ok_or_else(nonsense)?;
    let length = u32::from_le_bytes(length) as usize;
    let (body, rest) = rest.split_at_checked(length).ok_or_else(nonsense)?;
    *packed = rest;
    Ok((kind, body))
}

/// Adds a number to a message: seven bits in each byte, the lowest first, and a mark in all but the
/// last. Most are short, and a message that fits into one cache line arrives sooner.
pub(crate) fn put_number(message: &mut Vec<u8>, mut number: u64) {
    while number >= MORE.into() {
        message.push(number as u8 | MORE);
        number >>= NUMBER_BITS;
    }
    message.push(number as u8);
}

/// Takes a number from the front of a message.
pub(crate) fn number(message: &mut &[u8]) -> Result<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (byte, rest) = message.split_first().ok_or_else(nonsense)?;
        *message = rest;
        if shift >= u64::BITS {
            return Err(nonsense());
        }
        number |= u64::from(byte & !MORE) << shift;
        shift += NUMBER_BITS;
        if byte & MORE == 0 {
            return Ok(number);
        }
    }
}

/// An outcome as bytes: the text of an error, or nothing.
pub(crate) fn encode_failure(failure: Option<&Error>) -> Vec<u8> {
    failure.map_or_else(Vec::new, |error| error.text.as_bytes().to_vec())
}

/// The error that a target reports.
pub(crate) fn decode_failure(text: &[u8]) -> Option<Error> {
    let text = String::from_utf8_lossy(text).into_owned();
    (!text.is_empty()).then(|| Error::new(ErrorClass::RmaRange, text))
}

pub(crate) fn nonsense() -> Error {
    Error::new(ErrorClass::Intern, "a message of a window makes no sense")
}

#[cfg(test)]
mod tests {
    use super::*;
    use dunlin_datatype::Primitive;

    #[test]
    fn tags_and_kinds_are_the_same() {
        for (place, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!((kind.tag(), Kind::from_tag(place as Tag)), (place as Tag, Some(kind)));
        }
        assert_eq!(Kind::from_tag(18), None);
        assert_eq!(Kind::from_tag(-1), None);
    }

    #[test]
    fn a_header_arrives_as_it_was_sent_or_is_refused() {
        let datatype = Datatype::vector(2, 1, 3, &Datatype::primitive(Primitive::Int)).unwrap();
        let place = Data::Bounced(1 << 40);
        let (displacement, count, op) = (-3, 5, Op::Bxor);
        let header = Header { reply: 7, displacement, count, datatype, op, data: place };
        let (mut described, mut remembered) = (Described::default(), Remembered::default());
        let encode = |described: &mut Described, data: &[u8]| {
            let mut out = Vec::new();
            header.encode(&header.description(described), data.len(), described, &mut out).unwrap();
            out.extend(data);
            out
        };
        let message = encode(&mut described, &[1, 2]);
        let (read, data) = Header::decode(&message, &mut remembered).unwrap();
        assert_eq!((read.reply, read.displacement, read.count), (7, -3, 5));
        assert_eq!((read.op, read.datatype.size(), data), (Op::Bxor, 8, &[1, 2][..]));
        assert_eq!(read.data, place);
        for len in 0..message.len() - 2 {
            assert!(Header::decode(&message[..len], &mut remembered).is_err());
        }
        let second = encode(&mut described, &[]);
        assert!(second.len() < message.len() - 2, "the description went with the first");
        let (again, _) = Header::decode(&second, &mut remembered).unwrap();
        assert!(again.datatype.is_same(&read.datatype));
        assert!(Header::decode(&second, &mut Remembered::default()).is_err());
    }

    #[test]
    fn numbers_arrive_as_they_were_sent_or_are_refused() {
        for sent in [0, 1, 127, 128, 300, 1 << 35, i64::MIN as u64, u64::MAX] {
            let mut message = Vec::new();
            put_number(&mut message, sent);
            assert_eq!(number(&mut &message[..]).unwrap(), sent);
            assert!(number(&mut &message[..message.len() - 1]).is_err());
        }
        assert!(number(&mut &[0xff; 11][..]).is_err());
    }

    #[test]
    fn packed_messages_come_out_in_their_order_or_are_refused() {
        let mut packed = Vec::new();
        let messages = [(Kind::LockShared, &b""[..]), (Kind::Put, b"data"), (Kind::Unlock, b"")];
        for (kind, body) in messages {
            pack(&mut packed, kind, |out| {
                out.extend_from_slice(body);
                Ok(())
            })
            .unwrap();
        }
        pack(&mut packed, Kind::Get, |out| {
            out.push(1);
            Err(nonsense())
        })
        .unwrap_err();
        let mut rest = &packed[..];
        for message in messages {
            assert_eq!(unpack(&mut rest).unwrap(), message);
        }
        assert!(rest.is_empty());
        assert!(
            unpack(&mut &packed[5..12]).is_err() && unpack(&mut &[99, 0, 0, 0, 0][..]).is_err()
        );
    }
}
