use super::item::{Item, Pair, Soft16};
use super::*;
use crate::softfloat::QuadFormat;
use half::f16;

fn apply(op: Op, p: Primitive, on: Operands<'_>) -> Result<()> {
    kernel::<AnyProcessor>(op, p, &on)?(on);
    Ok(())
}

fn apply_packed(op: Op, p: Primitive, on: Operands<'_>) -> Result<()> {
    packed_kernel::<AnyProcessor>(op, p, &on)?(on);
    Ok(())
}

fn bytes<T: Item>(values: &[T]) -> Vec<u8> {
    let mut all = vec![0; values.len() * T::EXTENT];
    for (value, slot) in values.iter().zip(all.chunks_exact_mut(T::EXTENT)) {
        value.store(slot);
    }
    all
}

fn values<T: Item>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(T::EXTENT).map(T::load).collect()
}

/// The result, which must be the same in every destination.
fn run<T: Item>(op: Op, p: Primitive, left: &[T], right: &[T]) -> Vec<T> {
    let (left, right) = (bytes(left), bytes(right));
    let mut onto_right = right.clone();
    reduce(op, p, &left, &mut onto_right).unwrap();
    let mut onto_left = left.clone();
    apply(op, p, Operands::OntoLeft(&mut onto_left, &right)).unwrap();
    let mut apart = vec![0; left.len()];
    apply(op, p, Operands::Into(&left, &right, &mut apart)).unwrap();
    assert_eq!((&onto_left, &apart), (&onto_right, &onto_right), "{op:?} of {p:?}");
    values(&onto_right)
}

#[test]
fn a_result_that_goes_elsewhere_has_the_length_of_both_operands() {
    for (left, right, into) in [(8, 8, 16), (16, 8, 8), (8, 16, 16), (8, 16, 8)] {
        let (left, right, mut into) = (vec![0; left], vec![0; right], vec![0; into]);
        let on = Operands::Into(&left, &right, &mut into);
        let error = apply(Op::Sum, Primitive::Double, on).unwrap_err();
        assert_eq!(error.class, ErrorClass::Count);
    }
}

#[test]
fn words_are_added_as_reductions_add_them() {
    let words = |bytes| Primitive::ALL.iter().filter(move |p| word_bytes(**p) == Some(bytes));
    let (eight, four): (Vec<_>, Vec<_>) = (words(8).collect(), words(4).collect());
    assert!(eight.contains(&&Primitive::Int64) && four.contains(&&Primitive::Uint32));
    for other in [Primitive::Double, Primitive::Float, Primitive::Byte, Primitive::CBool] {
        assert_eq!(word_bytes(other), None, "{other:?}");
    }
    for p in eight {
        assert_eq!((p.size(), p.extent()), (8, 8), "{p:?}");
        assert_eq!(run(Op::Sum, *p, &[u64::MAX, 3], &[2, 4]), [1, 7], "{p:?}");
    }
    for p in four {
        assert_eq!((p.size(), p.extent()), (4, 4), "{p:?}");
        assert_eq!(run(Op::Sum, *p, &[u32::MAX, 3], &[2, 4]), [1, 7], "{p:?}");
    }
}

#[test]
fn integers_know_every_arithmetic_and_bitwise_operator() {
    let (l, r) = ([6i32, -3, i32::MAX], [3i32, -5, 1]);
    let of = |op| run(op, Primitive::Int, &l, &r);
    assert_eq!(of(Op::Sum), [9, -8, i32::MIN]);
    assert_eq!(of(Op::Prod), [18, 15, i32::MAX]);
    assert_eq!(of(Op::Min), [3, -5, 1]);
    assert_eq!(of(Op::Max), [6, -3, i32::MAX]);
    assert_eq!(of(Op::Band), [6 & 3, -3 & -5, 1]);
    assert_eq!(of(Op::Bor), [6 | 3, -3 | -5, i32::MAX]);
    assert_eq!(of(Op::Bxor), [6 ^ 3, -3 ^ -5, i32::MAX ^ 1]);
}

#[test]
fn logical_results_are_one_or_zero() {
    let (l, r) = ([7u32, 0, 2, 0], [1u32, 5, 2, 0]);
    let of = |op| run(op, Primitive::Logical, &l, &r);
    assert_eq!(of(Op::Land), [1, 0, 1, 0]);
    assert_eq!(of(Op::Lor), [1, 1, 1, 0]);
    assert_eq!(of(Op::Lxor), [0, 1, 0, 0]);
}

#[test]
fn unsigned_types_compare_unsigned() {
    assert_eq!(run(Op::Max, Primitive::Uint8, &[200u8], &[100u8]), [200]);
    assert_eq!(run(Op::Max, Primitive::Int8, &[-56i8], &[100i8]), [100]);
    assert_eq!(run(Op::Min, Primitive::UnsignedLong, &[u64::MAX], &[1u64]), [1]);
}

#[test]
fn a_comparison_with_nan_answers_the_right_operand() {
    let got = run(Op::Min, Primitive::Double, &[f64::NAN, 1.0, 2.0], &[3.0, f64::NAN, 1.0]);
    assert_eq!(got[0], 3.0);
    assert!(got[1].is_nan());
    assert_eq!(got[2], 1.0);
}

#[test]
fn half_precision_rounds_once() {
    let (l, r) = ([f16::from_f32(2048.0)], [f16::from_f32(1.0)]);
    assert_eq!(run(Op::Sum, Primitive::Real2, &l, &r), [f16::from_f32(2048.0)]);
    let (l, r) = ([f16::from_f32(1.5)], [f16::from_f32(-2.0)]);
    assert_eq!(run(Op::Prod, Primitive::Real2, &l, &r), [f16::from_f32(-3.0)]);
}

#[test]
fn complex_products_mix_the_parts() {
    let got = run(Op::Prod, Primitive::CDoubleComplex, &[1.0f64, 2.0], &[3.0, 4.0]);
    assert_eq!(got, [-5.0, 10.0]);
    let got = run(Op::Sum, Primitive::Complex, &[1.0f32, 2.0], &[3.0, 4.0]);
    assert_eq!(got, [4.0, 6.0]);
}

#[test]
fn minloc_takes_the_smaller_index_of_equal_values() {
    let l = [Pair::new(1.0f64, 5i32), Pair::new(2.0, 1), Pair::new(7.0, 3)];
    let r = [Pair::new(1.0f64, 2i32), Pair::new(3.0, 0), Pair::new(4.0, 9)];
    let parts = |v: Vec<Pair<f64, i32, 16>>| v.iter().map(Pair::parts).collect::<Vec<_>>();
    let min = parts(run(Op::Minloc, Primitive::DoubleInt, &l, &r));
    assert_eq!(min, [(1.0, 2), (2.0, 1), (4.0, 9)]);
    let max = parts(run(Op::Maxloc, Primitive::DoubleInt, &l, &r));
    assert_eq!(max, [(1.0, 2), (3.0, 0), (7.0, 3)]);
}

#[test]
fn padding_of_pairs_stays_as_it_was() {
    type ShortInt = Pair<i16, i32, 8>;
    let left = bytes(&[ShortInt::new(1, 1)]);
    let mut right = bytes(&[ShortInt::new(2, 2)]);
    right[2..4].fill(0xaa);
    reduce(Op::Minloc, Primitive::ShortInt, &left, &mut right).unwrap();
    assert_eq!(right[2..4], [0xaa, 0xaa]);
    assert_eq!(i16::load(&right[..2]), 1);
}

#[test]
fn instances_have_the_extents_of_their_types() {
    assert_eq!(Pair::<i16, i32, 8>::EXTENT, Primitive::ShortInt.extent());
    assert_eq!(Pair::<f64, i32, 16>::EXTENT, Primitive::DoubleInt.extent());
    assert_eq!(Pair::<Soft16<QuadFormat>, i32, 32>::EXTENT, Primitive::LongDoubleInt.extent());
}

#[test]
fn every_valid_combination_computes_and_every_other_is_refused() {
    for &op in Op::ALL {
        for &p in Primitive::ALL {
            let (left, mut right) = (vec![1; 3 * p.extent()], vec![2; 3 * p.extent()]);
            let result = reduce(op, p, &left, &mut right);
            assert_eq!(result.is_ok(), valid(op, p), "{} on {}", op.name(), p.name());
        }
    }
}

#[test]
fn the_table_of_the_standard_is_kept_at_its_corners() {
    assert!(valid(Op::Sum, Primitive::Char));
    assert!(valid(Op::Bxor, Primitive::Character));
    assert!(!valid(Op::Sum, Primitive::Wchar));
    assert!(!valid(Op::Sum, Primitive::Byte));
    assert!(!valid(Op::Sum, Primitive::Logical));
    assert!(valid(Op::Band, Primitive::Byte));
    assert!(!valid(Op::Max, Primitive::Complex));
    assert!(valid(Op::Land, Primitive::Integer));
    assert!(valid(Op::Lor, Primitive::Count));
    assert!(!valid(Op::Land, Primitive::Float));
    assert!(valid(Op::Lxor, Primitive::CxxBool));
    assert!(valid(Op::Max, Primitive::Aint));
    assert!(!valid(Op::Minloc, Primitive::Int));
    assert!(valid(Op::Maxloc, Primitive::TwoReal));
    assert!(valid(Op::Replace, Primitive::Wchar));
}

#[test]
fn unequal_lengths_are_refused_with_the_numbers_seen() {
    let e = reduce(Op::Sum, Primitive::Int, &[0; 8], &mut [0; 4]).unwrap_err();
    assert_eq!(e.class, ErrorClass::Count);
    assert!(e.text.contains("8 and 4 bytes"), "{e}");
}

/// `n` as binary128, for small integers.
fn quad(n: u32) -> u128 {
    let exponent = u128::from(31 - n.leading_zeros());
    let fraction = (u128::from(n) << (112 - exponent)) & ((1 << 112) - 1);
    ((0x3fff + exponent) << 112) | fraction
}

#[test]
fn binary128_sums_and_products_are_exact_for_integers() {
    assert_eq!(run(Op::Sum, Primitive::Real16, &[quad(7)], &[quad(5)]), [quad(12)]);
    assert_eq!(run(Op::Prod, Primitive::Real16, &[quad(7)], &[quad(5)]), [quad(35)]);
    assert_eq!(run(Op::Min, Primitive::Real16, &[quad(7)], &[quad(5)]), [quad(5)]);
    // 1 + 2^-113 is a tie and stays 1; 1 + 2^-112 is the next number.
    let power = |e: u128| (0x3fff - e) << 112;
    assert_eq!(run(Op::Sum, Primitive::Real16, &[quad(1)], &[power(113)]), [quad(1)]);
    assert_eq!(run(Op::Sum, Primitive::Real16, &[quad(1)], &[power(112)]), [quad(1) + 1]);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn long_double_has_the_precision_and_padding_of_x87() {
    const ONE: u128 = 0x3fff_8000_0000_0000_0000;
    let power = |e: u128| ((0x3fff - e) << 64) | 1 << 63;
    assert_eq!(run(Op::Sum, Primitive::LongDouble, &[ONE], &[power(63)]), [ONE + 1]);
    assert_eq!(run(Op::Sum, Primitive::LongDouble, &[ONE], &[power(64)]), [ONE]);
    // Arbitrary bits in the six bytes of padding change nothing.
    assert_eq!(run(Op::Prod, Primitive::LongDouble, &[ONE | 0xabcd << 80], &[ONE]), [ONE]);
}

#[test]
fn packed_pairs_give_what_padded_ones_give() {
    let padded = Primitive::ALL.iter().filter(|p| p.size() != p.extent());
    for &p in padded {
        let (index_at, value_bytes) = (p.index_offset().unwrap(), p.size() - size_of::<i32>());
        let without_padding = |elements: &[u8]| -> Vec<u8> {
            let parts = |e: &[u8]| [&e[..value_bytes], &e[index_at..index_at + 4]].concat();
            elements.chunks_exact(p.extent()).flat_map(parts).collect()
        };
        // Small integers have few bits: values are often equal, and never NaN.
        let operand = |seed: usize| -> Vec<u8> {
            (0..5 * p.extent()).map(|i| ((i / p.extent() * seed) % 3) as u8).collect()
        };
        for op in [Op::Minloc, Op::Maxloc] {
            let (left, mut right) = (operand(1), operand(2));
            let (l, mut r) = (without_padding(&left), without_padding(&right));
            reduce(op, p, &left, &mut right).unwrap();
            apply_packed(op, p, Operands::OntoRight(&l, &mut r)).unwrap();
            assert_eq!(r, without_padding(&right), "{} on {}", op.name(), p.name());
        }
        let refused = apply_packed(Op::Sum, p, Operands::OntoRight(&[0; 12], &mut [0; 12]));
        assert_eq!(refused.unwrap_err().class, ErrorClass::Op);
    }
}
