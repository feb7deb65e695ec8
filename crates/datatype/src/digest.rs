//! A digest of the type signature, to check that sender and receiver describe the same data. It is
//! a polynomial over the sequence of basic elements, so a repetition costs logarithmic time, and
//! two types made by different constructors agree where their elements do.

use crate::signature::{SigNode, Signature};
use crate::{Datatype, Primitive};

/// The prime 2^61 - 1: products fit in a `u128` and the remainder is two additions.
const MODULUS: u64 = (1 << 61) - 1;

/// The base of the polynomial: a fixed number without structure.
const BASE: u64 = 0x0d1b_54a3_2d19_2ed0;

/// The digest of a sequence, and the power of the base by which a preceding digest is multiplied.
#[derive(Clone, Copy)]
struct Digest {
    value: u64,
    power: u64,
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(MODULUS)) as u64
}

impl Digest {
    const EMPTY: Digest = Digest { value: 0, power: 1 };

    /// One basic element. Types of one representation (`MPI_INT`, `MPI_INT32_T`) count as one:
    /// mixing them transfers the right bytes, and programs do it.
    fn element(p: Primitive) -> Digest {
        let alike = |q: &&Primitive| q.rep() == p.rep();
        let code = Primitive::ALL.iter().find(alike).map_or(0, |q| *q as u64);
        Digest { value: code + 1, power: BASE }
    }

    fn then(self, next: Digest) -> Digest {
        let value = (times(self.value, next.power) + next.value) % MODULUS;
        Digest { value, power: times(self.power, next.power) }
    }

    fn repeated(self, mut count: usize) -> Digest {
        let (mut all, mut unit) = (Digest::EMPTY, self);
        while count > 0 {
            if count & 1 == 1 {
                all = all.then(unit);
            }
            unit = unit.then(unit);
            count >>= 1;
        }
        all
    }
}

/// The digest of the first `elements` of a signature, or of all of them if there are fewer.
fn prefix(signature: &Signature, elements: usize) -> Digest {
    if elements == 0 {
        return Digest::EMPTY;
    }
    match &signature.node {
        SigNode::Run(p) => run(*p, elements),
        SigNode::Repeat { child, .. } => {
            let (whole, rest) = (elements / child.total.elements, elements % child.total.elements);
            let all = prefix(child, child.total.elements).repeated(whole);
            all.then(prefix(child, rest))
        }
        SigNode::Parts(parts) => {
            let begun = parts.iter().take_while(|p| p.start.elements < elements);
            begun.fold(Digest::EMPTY, |all, part| {
                let rest = elements - part.start.elements;
                let part = &part.signature;
                all.then(prefix(part, rest.min(part.total.elements)))
            })
        }
    }
}

fn run(p: Primitive, elements: usize) -> Digest {
    let Some((value, index)) = p.pair() else { return Digest::element(p).repeated(elements) };
    let value = Digest::element(value);
    let pairs = value.then(Digest::element(index)).repeated(elements / p.elements());
    if elements % p.elements() == 0 { pairs } else { pairs.then(value) }
}

impl Datatype {
    /// A digest of the first `elements` basic elements of an array of this type: equal for equal
    /// sequences; different sequences collide with a probability of 2^-60. A sender passes its
    /// number of elements and digest along; a receiver compares them with those of its own type.
    /// `MPI_PACKED` matches any data, so the caller must not compare it. A type without data has
    /// the digest 0.
    pub fn signature_digest(&self, elements: usize) -> u64 {
        let signature = self.signature();
        let Some(whole) = elements.checked_div(signature.total.elements) else { return 0 };
        let rest = elements % signature.total.elements;
        let all = prefix(signature, signature.total.elements).repeated(whole);
        all.then(prefix(signature, rest)).value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(p: Primitive) -> Datatype {
        Datatype::primitive(p)
    }

    #[test]
    fn the_constructor_does_not_matter_but_the_elements_do() {
        let vector = Datatype::vector(3, 2, 5, &of(Primitive::Double)).unwrap();
        let digest = vector.signature_digest(6);
        assert_eq!(digest, of(Primitive::Double).signature_digest(6));
        assert_ne!(digest, of(Primitive::Double).signature_digest(5));
        assert_ne!(digest, of(Primitive::Float).signature_digest(6));
    }

    #[test]
    fn order_matters() {
        let types = [of(Primitive::Int), of(Primitive::Double)];
        let t = Datatype::structure(&[1, 1], &[0, 8], &types).unwrap();
        let reversed = Datatype::structure(&[1, 1], &[8, 0], &[types[1].clone(), types[0].clone()]);
        assert_ne!(t.signature_digest(2), reversed.unwrap().signature_digest(2));
        assert_eq!(t.signature_digest(1), types[0].signature_digest(1));
    }

    #[test]
    fn a_pair_is_its_value_and_its_index() {
        let types = [of(Primitive::Double), of(Primitive::Int)];
        let t = Datatype::structure(&[1, 1], &[0, 8], &types).unwrap();
        for n in 0..7 {
            assert_eq!(t.signature_digest(n), of(Primitive::DoubleInt).signature_digest(n));
        }
    }
}
