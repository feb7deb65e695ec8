//! The type signature: the sequence of primitives of an element, without their offsets. It serves
//! `MPI_Get_elements`, the conversion to external32, and the check that a type consists of one
//! primitive only.

use crate::Primitive;
use crate::layout::too_large;
use dunlin_base::Result;
use std::sync::Arc;

/// The length of a part of a signature, in several units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Amount {
    /// Packed bytes in the native representation.
    pub bytes: usize,
    /// Basic elements as `MPI_Get_elements` counts them.
    pub elements: usize,
    /// Packed bytes in external32.
    pub external: usize,
}

impl Amount {
    fn plus(self, other: Amount) -> Result<Amount> {
        let add = |a: usize, b: usize| a.checked_add(b).ok_or_else(too_large);
        Ok(Amount {
            bytes: add(self.bytes, other.bytes)?,
            elements: add(self.elements, other.elements)?,
            external: add(self.external, other.external)?,
        })
    }

    fn times(self, count: usize) -> Result<Amount> {
        let mul = |a: usize| a.checked_mul(count).ok_or_else(too_large);
        Ok(Amount {
            bytes: mul(self.bytes)?,
            elements: mul(self.elements)?,
            external: mul(self.external)?,
        })
    }
}

/// The primitives of one element in order.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub total: Amount,
    pub node: SigNode,
}

#[derive(Clone, Debug)]
pub(crate) enum SigNode {
    /// Copies of one primitive, as many as the total has; an empty signature has any primitive.
    Run(Primitive),
    Repeat {
        count: usize,
        child: Arc<Signature>,
    },
    Parts(Arc<[SigPart]>),
}

/// One part of a list.
#[derive(Clone, Debug)]
pub(crate) struct SigPart {
    /// The length of what precedes it.
    pub start: Amount,
    pub signature: Signature,
}

impl Signature {
    pub const EMPTY: Signature = Signature {
        total: Amount { bytes: 0, elements: 0, external: 0 },
        node: SigNode::Run(Primitive::Byte),
    };

    /// One primitive.
    pub fn primitive(p: Primitive) -> Signature {
        let external = p.external32_size();
        let total = Amount { bytes: p.size(), elements: p.elements(), external };
        Signature { total, node: SigNode::Run(p) }
    }

    pub fn is_empty(&self) -> bool {
        self.total.bytes == 0
    }

    /// `count` consecutive copies.
    pub fn repeated(&self, count: usize) -> Result<Signature> {
        if count == 0 || self.is_empty() {
            return Ok(Signature::EMPTY);
        }
        if count == 1 {
            return Ok(self.clone());
        }
        let total = self.total.times(count)?;
        let node = match &self.node {
            SigNode::Run(p) => SigNode::Run(*p),
            SigNode::Repeat { count: inner, child } => {
                SigNode::Repeat { count: count * inner, child: child.clone() }
            }
            SigNode::Parts(_) => SigNode::Repeat { count, child: Arc::new(self.clone()) },
        };
        Ok(Signature { total, node })
    }

    /// The primitive that all elements are, if there is only one kind.
    pub fn element(&self) -> Option<Primitive> {
        match &self.node {
            SigNode::Run(p) if !self.is_empty() => Some(*p),
            _ => None,
        }
    }

    /// The repeated part of a repetition, and its count.
    fn unit(&self) -> (usize, &SigNode) {
        match &self.node {
            SigNode::Repeat { count, child } => (*count, &child.node),
            node => (1, node),
        }
    }

    /// This signature followed by `next` if both repeat the same part, else `None`.
    fn joined(&self, next: &Signature) -> Result<Option<Signature>> {
        let total = self.total.plus(next.total)?;
        let ((n, a), (m, b)) = (self.unit(), next.unit());
        let node = match (a, b) {
            (SigNode::Run(p), SigNode::Run(q)) if p == q => SigNode::Run(*p),
            (SigNode::Parts(x), SigNode::Parts(y)) if Arc::ptr_eq(x, y) => {
                let child = match &self.node {
                    SigNode::Repeat { child, .. } => child.clone(),
                    _ => Arc::new(self.clone()),
                };
                SigNode::Repeat { count: n + m, child }
            }
            _ => return Ok(None),
        };
        Ok(Some(Signature { total, node }))
    }

    /// Visits the primitives in order, as runs of `(primitive, count)`; stops at the first error.
    pub fn visit_runs(&self, visit: &mut impl FnMut(Primitive, usize) -> Result<()>) -> Result<()> {
        match &self.node {
            SigNode::Run(_) if self.is_empty() => Ok(()),
            SigNode::Run(p) => visit(*p, self.total.bytes / p.size()),
            SigNode::Repeat { count, child } => {
                (0..*count).try_for_each(|_| child.visit_runs(visit))
            }
            SigNode::Parts(parts) => parts.iter().try_for_each(|p| p.signature.visit_runs(visit)),
        }
    }

    /// The length of what precedes byte `bytes` of the native stream; `None` where that byte is
    /// inside a basic element.
    pub fn amount_before(&self, bytes: usize) -> Option<Amount> {
        self.locate(bytes, |a| a.bytes, |p, rest| split_primitive(p, rest, Split::Bytes))
    }

    /// The length of what precedes basic element `elements`.
    pub fn amount_of_elements(&self, elements: usize) -> Option<Amount> {
        self.locate(elements, |a| a.elements, |p, rest| split_primitive(p, rest, Split::Elements))
    }

    /// Finds the length of the prefix whose `key` is `target`.
    fn locate(
        &self,
        target: usize,
        key: impl Fn(Amount) -> usize + Copy,
        within: impl Fn(Primitive, usize) -> Option<Amount> + Copy,
    ) -> Option<Amount> {
        if target == 0 {
            return Some(Amount::default());
        }
        if target == key(self.total) {
            return Some(self.total);
        }
        if target > key(self.total) {
            return None;
        }
        let (before, inner) = match &self.node {
            SigNode::Run(p) => {
                let one = Signature::primitive(*p).total;
                let before = one.times(target / key(one)).ok()?;
                (before, within(*p, target % key(one))?)
            }
            SigNode::Repeat { child, .. } => {
                let before = child.total.times(target / key(child.total)).ok()?;
                (before, child.locate(target % key(child.total), key, within)?)
            }
            SigNode::Parts(parts) => {
                let part = &parts[parts.partition_point(|p| key(p.start) <= target) - 1];
                let rest = target - key(part.start);
                (part.start, part.signature.locate(rest, key, within)?)
            }
        };
        before.plus(inner).ok()
    }
}

/// The unit of a position within a primitive.
#[derive(Clone, Copy)]
enum Split {
    Bytes,
    Elements,
}

/// A position inside one primitive: valid at its start and between the halves of a pair.
fn split_primitive(p: Primitive, rest: usize, unit: Split) -> Option<Amount> {
    if rest == 0 {
        return Some(Amount::default());
    }
    let (value, _) = p.pair()?;
    let half = Signature::primitive(value).total;
    let at = match unit {
        Split::Bytes => half.bytes,
        Split::Elements => half.elements,
    };
    (rest == at).then_some(half)
}

/// Concatenates signatures; equal neighbours merge.
#[derive(Default)]
pub(crate) struct SigSequence {
    parts: Vec<SigPart>,
    total: Amount,
}

impl SigSequence {
    pub fn push(&mut self, next: &Signature) -> Result<()> {
        if next.is_empty() {
            return Ok(());
        }
        self.total = self.total.plus(next.total)?;
        if let Some(last) = self.parts.last_mut() {
            if let Some(joined) = last.signature.joined(next)? {
                last.signature = joined;
                return Ok(());
            }
        }
        let start = match self.parts.last() {
            Some(last) => last.start.plus(last.signature.total)?,
            None => Amount::default(),
        };
        self.parts.push(SigPart { start, signature: next.clone() });
        Ok(())
    }

    pub fn finish(mut self) -> Signature {
        match self.parts.len() {
            0 => Signature::EMPTY,
            1 => self.parts.remove(0).signature,
            _ => Signature { total: self.total, node: SigNode::Parts(self.parts.into()) },
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Datatype, Primitive};

    fn pair_of(a: Primitive, b: Primitive) -> Datatype {
        let fields = [Datatype::primitive(a), Datatype::primitive(b)];
        Datatype::structure(&[1, 1], &[0, 8], &fields).unwrap()
    }

    /// The end of the first `n` basic elements in bytes, for every `n`.
    fn ends(t: &Datatype) -> Vec<usize> {
        (0..=t.elements_each()).map(|n| t.bytes_of_elements(n).unwrap()).collect()
    }

    #[test]
    fn different_neighbours_are_told_apart_and_equal_ones_merge() {
        let a = pair_of(Primitive::Int, Primitive::Double);
        let b = pair_of(Primitive::Double, Primitive::Int);
        let t = Datatype::structure(&[2, 1, 1], &[0, 32, 48], &[a.clone(), a, b]).unwrap();
        assert_eq!(ends(&t), [0, 4, 12, 16, 24, 28, 36, 44, 48]);
    }

    #[test]
    fn a_long_list_of_equal_blocks_keeps_one_copy_of_the_signature() {
        let a = pair_of(Primitive::Int, Primitive::Double);
        let displacements: Vec<i64> = (0..1000).map(|i| i * i).collect();
        let t = Datatype::indexed_block(3, &displacements, &a).unwrap();
        assert!(matches!(t.signature().node, super::SigNode::Repeat { count: 3000, .. }));
    }

    #[test]
    fn a_type_of_one_primitive_has_an_element_and_a_mixed_one_has_none() {
        let ints = pair_of(Primitive::Int, Primitive::Int);
        assert_eq!(ints.element(), Some(Primitive::Int));
        assert_eq!(pair_of(Primitive::Int, Primitive::Float).element(), None);
        let empty = Datatype::contiguous(0, &ints).unwrap();
        assert_eq!(empty.element(), None);
    }
}
