//! A datatype as bytes, for a process that knows it only by them: the target of a one-sided
//! operation. They tell where the data lies, in which order, and of which primitive it is, if it
//! is of one only; they do not tell how the type was made. What is read may be nonsense: it is an
//! error then, never a wrong datatype.

use dunlin_base::{Error, ErrorClass, Result};

use crate::datatype::Datatype;
use crate::envelope::{Combiner, Contents};
use crate::layout::{Layout, Node, Sequence, too_large};
use crate::primitive::Primitive;
use crate::signature::Signature;
use crate::type_map::Typemap;

/// Lists within lists go no deeper in any datatype that a program can make.
const DEPTH_MAX: u32 = 2048;
/// In place of a primitive: the data is of several.
const MIXED: u8 = u8::MAX;

const NAMED: u8 = 0;
const DERIVED: u8 = 1;

const DENSE: u8 = 0;
const REPEAT: u8 = 1;
const RUNS: u8 = 2;
const PARTS: u8 = 3;

impl Datatype {
    /// Appends the description of this datatype.
    pub fn describe(&self, out: &mut Vec<u8>) {
        if let Some(primitive) = self.as_primitive() {
            return out.extend([NAMED, primitive as u8]);
        }
        out.extend([DERIVED, self.element().map_or(MIXED, |p| p as u8)]);
        put(out, self.lb());
        put(out, self.extent());
        describe_layout(self.layout(), out);
    }

    /// The datatype of a description, which must have no other bytes after it.
    pub fn from_description(bytes: &[u8]) -> Result<Datatype> {
        let mut reader = Reader(bytes);
        let datatype = reader.datatype()?;
        if reader.0.is_empty() { Ok(datatype) } else { Err(nonsense()) }
    }
}

fn put(out: &mut Vec<u8>, number: i64) {
    out.extend(number.to_le_bytes());
}

fn describe_layout(layout: &Layout, out: &mut Vec<u8>) {
    let head = |out: &mut Vec<u8>, tag| {
        out.push(tag);
        put(out, layout.at);
    };
    let mut list = |count: usize, runs: &mut dyn Iterator<Item = (i64, usize)>| {
        head(out, RUNS);
        put(out, count as i64);
        for (at, len) in runs {
            put(out, at);
            put(out, len as i64);
        }
    };
    match &layout.node {
        Node::Runs(runs) => list(runs.len(), &mut runs.iter().map(|run| (run.at, run.len))),
        Node::BlockIndexed { len, displs } => {
            list(displs.len(), &mut displs.iter().map(|at| (i64::from(*at), *len)));
        }
        Node::Dense => {
            head(out, DENSE);
            put(out, layout.size as i64);
        }
        Node::Repeat { count, stride, child } => {
            head(out, REPEAT);
            put(out, *count as i64);
            put(out, *stride);
            describe_layout(child, out);
        }
        Node::Parts(parts) => {
            head(out, PARTS);
            put(out, parts.len() as i64);
            parts.iter().for_each(|part| describe_layout(&part.layout, out));
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8> {
        let (byte, rest) = self.0.split_first().ok_or_else(nonsense)?;
        self.0 = rest;
        Ok(*byte)
    }

    fn number(&mut self) -> Result<i64> {
        let (number, rest) = self.0.split_first_chunk().ok_or_else(nonsense)?;
        self.0 = rest;
        Ok(i64::from_le_bytes(*number))
    }

    fn count(&mut self) -> Result<usize> {
        usize::try_from(self.number()?).map_err(|_| nonsense())
    }

    fn primitive(&mut self) -> Result<Option<Primitive>> {
        match self.byte()? {
            MIXED => Ok(None),
            place => Primitive::ALL.get(usize::from(place)).copied().map(Some).ok_or_else(nonsense),
        }
    }

    fn datatype(&mut self) -> Result<Datatype> {
        let kind = self.byte()?;
        let element = self.primitive()?;
        match (kind, element) {
            (NAMED, Some(primitive)) => Ok(Datatype::primitive(primitive)),
            (DERIVED, _) => self.derived(element),
            _ => Err(nonsense()),
        }
    }

    fn derived(&mut self, element: Option<Primitive>) -> Result<Datatype> {
        let (lb, extent) = (self.number()?, self.number()?);
        let layout = self.layout(0)?;
        let element = element.unwrap_or(Primitive::Byte);
        if layout.size % element.size() != 0 {
            return Err(nonsense());
        }
        let signature = Signature::primitive(element).repeated(layout.size / element.size())?;
        let (parts_end, align) = (layout.hi, 1);
        let bare =
            Typemap { layout, signature, align, parts_end, lb_marker: None, ub_marker: None };
        let ub = lb.checked_add(extent).ok_or_else(too_large)?;
        Datatype::derived(bare.with_bounds(lb, ub), Combiner::Resized, Contents::default())
    }

    fn layout(&mut self, depth: u32) -> Result<Layout> {
        if depth > DEPTH_MAX {
            return Err(nonsense());
        }
        let (tag, at) = (self.byte()?, self.number()?);
        let layout = match tag {
            DENSE => Layout::dense(0, self.count()?)?,
            REPEAT => {
                let (count, stride) = (self.count()?, self.number()?);
                self.layout(depth + 1)?.repeated(count, stride)?
            }
            RUNS | PARTS => self.list(tag, depth)?,
            _ => return Err(nonsense()),
        };
        layout.shifted(at)
    }

    fn list(&mut self, tag: u8, depth: u32) -> Result<Layout> {
        let mut sequence = Sequence::default();
        for _ in 0..self.count()? {
            let (part, at) = match tag {
                RUNS => {
                    let at = self.number()?;
                    (Layout::dense(0, self.count()?)?, at)
                }
                _ => (self.layout(depth + 1)?, 0),
            };
            sequence.push(&part, at)?;
        }
        Ok(sequence.finish())
    }
}

fn nonsense() -> Error {
    Error::new(ErrorClass::Intern, "another process has sent a description of no datatype")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Piece;

    fn types() -> Vec<Datatype> {
        let int = Datatype::primitive(Primitive::Int);
        let vector = Datatype::vector(5, 2, 3, &int).unwrap();
        let blocks = Datatype::hindexed(&[3, 1, 2], &[40, 0, 100], &vector).unwrap();
        let irregular: Vec<i64> = (0..30).map(|i| i * i * 5).collect();
        let lengths: Vec<i64> = (0..30).map(|i| 1 + i % 3).collect();
        vec![
            Datatype::contiguous(7, &int).unwrap(),
            Datatype::indexed(&lengths, &irregular, &int).unwrap(),
            Datatype::resized(&vector, -8, 200).unwrap(),
            Datatype::structure(&[1, 20, 1], &[0, 600, 9000], &[int.clone(), blocks, vector])
                .unwrap(),
            Datatype::primitive(Primitive::DoubleInt),
            int,
        ]
    }

    fn described(t: &Datatype) -> Vec<u8> {
        let mut bytes = Vec::new();
        t.describe(&mut bytes);
        bytes
    }

    #[test]
    fn a_described_datatype_names_the_same_bytes_in_the_same_order() {
        for t in types() {
            let read = Datatype::from_description(&described(&t)).unwrap();
            assert_eq!((read.lb(), read.extent(), read.size()), (t.lb(), t.extent(), t.size()));
            assert_eq!((read.bounds(3), read.element()), (t.bounds(3), t.element()));
            let (lo, hi) = t.bounds(3);
            let bytes: Vec<u8> = (0..hi - lo).map(|i| (i * 7 % 251) as u8).collect();
            let memory = Piece { bytes: &bytes[..], lo };
            let (mut a, mut b) = (vec![0; 3 * t.size()], vec![0; 3 * t.size()]);
            t.pack(3, &memory, 0, &mut a);
            read.pack(3, &memory, 0, &mut b);
            assert_eq!(a, b);
        }
    }

    #[test]
    fn nonsense_is_refused_and_never_a_panic() {
        for t in types() {
            let whole = described(&t);
            for len in 0..whole.len() {
                assert!(Datatype::from_description(&whole[..len]).is_err());
            }
            for place in 0..whole.len() {
                for change in [1, 0x80, 0xff] {
                    let mut changed = whole.clone();
                    changed[place] ^= change;
                    // Whatever it is now, an answer comes.
                    let _ = Datatype::from_description(&changed);
                }
            }
        }
    }
}
