//! The messages of a window. Their tags say what they are; their bodies are numbers, the
//! description of a datatype, and data.

use dunlin_base::{Error, ErrorClass, Result, Tag};
use dunlin_datatype::Datatype;
use dunlin_datatype::reduce::Op;

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
}

impl Kind {
    const ALL: [Kind; 14] = [
        Kind::Put,
        Kind::Get,
        Kind::Accumulate,
        Kind::GetAccumulate,
        Kind::CompareAndSwap,
        Kind::Flush,
        Kind::LockShared,
        Kind::LockExclusive,
        Kind::Unlock,
        Kind::Post,
        Kind::Complete,
        Kind::Reply,
        Kind::Acknowledge,
        Kind::Granted,
    ];

    pub fn tag(self) -> Tag {
        self as Tag
    }

    /// Whether the origin waits for a [`Kind::Reply`].
    pub fn has_result(self) -> bool {
        matches!(self, Kind::Get | Kind::GetAccumulate | Kind::CompareAndSwap)
    }

    pub fn from_tag(tag: Tag) -> Option<Kind> {
        Kind::ALL.get(usize::try_from(tag).ok()?).copied()
    }
}

/// What an operation says beside its data.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    /// The number under which the origin waits for the result, if it does.
    pub reply: u64,
    /// Units of displacement.
    pub displacement: i64,
    /// Elements at the target.
    pub count: usize,
    /// Their type.
    pub datatype: Datatype,
    /// The operator of an accumulate.
    pub op: Op,
}

impl Header {
    /// The header's bytes, with room for `data` bytes after it.
    pub fn encode(&self, data: usize) -> Result<Vec<u8>> {
        let mut description = Vec::new();
        self.datatype.describe(&mut description);
        let mut out = Vec::new();
        let bytes = description.len() + data + 33;
        out.try_reserve_exact(bytes).map_err(|_| {
            Error::new(ErrorClass::NoMem, format!("there is no memory for {bytes} bytes"))
        })?;
        out.extend(self.reply.to_le_bytes());
        out.extend(self.displacement.to_le_bytes());
        out.extend((self.count as u64).to_le_bytes());
        out.push(self.op as u8);
        out.extend((description.len() as u64).to_le_bytes());
        out.extend(description);
        Ok(out)
    }

    /// The header of a message, and the data after it.
    pub fn decode(message: &[u8]) -> Result<(Header, &[u8])> {
        let mut rest = message;
        let reply = number(&mut rest)?;
        let displacement = number(&mut rest)? as i64;
        let count = usize::try_from(number(&mut rest)?).map_err(|_| nonsense())?;
        let (op, mut rest) = rest.split_first().ok_or_else(nonsense)?;
        let op = *Op::ALL.get(usize::from(*op)).ok_or_else(nonsense)?;
        let length = usize::try_from(number(&mut rest)?).map_err(|_| nonsense())?;
        let (description, data) = rest.split_at_checked(length).ok_or_else(nonsense)?;
        let datatype = Datatype::from_description(description)?;
        Ok((Header { reply, displacement, count, datatype, op }, data))
    }
}

/// Takes a number from the front of a message.
pub(crate) fn number(message: &mut &[u8]) -> Result<u64> {
    let (number, rest) = message.split_first_chunk().ok_or_else(nonsense)?;
    *message = rest;
    Ok(u64::from_le_bytes(*number))
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
        assert_eq!(Kind::from_tag(14), None);
        assert_eq!(Kind::from_tag(-1), None);
    }

    #[test]
    fn a_header_arrives_as_it_was_sent_or_is_refused() {
        let datatype = Datatype::vector(2, 1, 3, &Datatype::primitive(Primitive::Int)).unwrap();
        let header = Header { reply: 7, displacement: -3, count: 5, datatype, op: Op::Bxor };
        let mut message = header.encode(2).unwrap();
        message.extend([1, 2]);
        let (read, data) = Header::decode(&message).unwrap();
        assert_eq!((read.reply, read.displacement, read.count), (7, -3, 5));
        assert_eq!((read.op, read.datatype.size(), data), (Op::Bxor, 8, &[1, 2][..]));
        for len in 0..message.len() - 2 {
            assert!(Header::decode(&message[..len]).is_err());
        }
    }
}
