//! Reductions: `right := left op right`, element by element, for every operator and type of MPI
//! 5.0, section 6.9.2. Each operator is written once, generic over the representation of the type.
//!
//! Semantics the standard leaves open:
//! - Integer sums and products wrap around.
//! - `Min` and `Max` of floating-point numbers answer `left` where it is strictly smaller (larger),
//!   else `right`. So a comparison with NaN answers the right operand, and of `-0.0` and `0.0` the
//!   right one is taken. This is what one vector instruction computes.
//! - `Minloc` and `Maxloc` of equal values take the smaller index; where a value is NaN they take
//!   the right pair.
//! - A logical value is true unless all its bits are 0; a logical result is 1 or 0.
//! - `long double` and binary128 are computed in software, correctly rounded.

mod item;

use crate::primitive::{Family, Primitive, Rep};
use crate::softfloat::{LongDoubleFormat, QuadFormat};
use bytemuck::{bytes_of, bytes_of_mut, cast_slice, cast_slice_mut};
use dunlin_base::{Error, ErrorClass, Result};
use half::f16;
use item::{Complex, Field, Integer, Item, Pair, Real, Soft16};

/// A predefined reduction operator.
#[allow(missing_docs, reason = "the names are the standard's own")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Sum,
    Min,
    Max,
    Prod,
    Band,
    Bor,
    Bxor,
    Land,
    Lor,
    Lxor,
    Minloc,
    Maxloc,
    /// `right := left`; for one-sided operations.
    Replace,
    /// Does not change `right`; for one-sided operations.
    NoOp,
}

impl Op {
    /// Every operator, in the order of their numbers.
    pub const ALL: &'static [Op] = &[
        Op::Sum,
        Op::Min,
        Op::Max,
        Op::Prod,
        Op::Band,
        Op::Bor,
        Op::Bxor,
        Op::Land,
        Op::Lor,
        Op::Lxor,
        Op::Minloc,
        Op::Maxloc,
        Op::Replace,
        Op::NoOp,
    ];

    /// The operator's name in the standard, e.g. `MPI_SUM`.
    pub const fn name(self) -> &'static str {
        match self {
            Op::Sum => "MPI_SUM",
            Op::Min => "MPI_MIN",
            Op::Max => "MPI_MAX",
            Op::Prod => "MPI_PROD",
            Op::Band => "MPI_BAND",
            Op::Bor => "MPI_BOR",
            Op::Bxor => "MPI_BXOR",
            Op::Land => "MPI_LAND",
            Op::Lor => "MPI_LOR",
            Op::Lxor => "MPI_LXOR",
            Op::Minloc => "MPI_MINLOC",
            Op::Maxloc => "MPI_MAXLOC",
            Op::Replace => "MPI_REPLACE",
            Op::NoOp => "MPI_NO_OP",
        }
    }

    /// Whether `a op b` equals `b op a`: true for every predefined operator but `Replace` and
    /// `NoOp`.
    pub const fn is_commutative(self) -> bool {
        !self.is_one_sided()
    }

    /// Whether the operator is for one-sided operations only (MPI 5.0, section 12.3.4): reductions
    /// reject it.
    pub const fn is_one_sided(self) -> bool {
        matches!(self, Op::Replace | Op::NoOp)
    }
}

/// Whether `op` can be applied to `primitive`.
#[inline]
pub fn valid(op: Op, primitive: Primitive) -> bool {
    VALID[primitive as usize] & 1 << op as u32 != 0
}

/// Bytes of an integer that a processor adds in one instruction, and that wraps, whatever its sign:
/// what counters in windows are; `None` for every other element.
pub const fn word_bytes(primitive: Primitive) -> Option<usize> {
    match primitive.rep() {
        _ if !applies(Op::Sum, primitive.family()) => None,
        Rep::I64 | Rep::U64 => Some(8),
        Rep::I32 | Rep::U32 => Some(4),
        _ => None,
    }
}

/// The valid operators by primitive, as bits. Every reduction reads this.
static VALID: [u16; Primitive::ALL.len()] = all_valid();

const fn all_valid() -> [u16; Primitive::ALL.len()] {
    let (mut table, mut i) = ([0; Primitive::ALL.len()], 0);
    while i < table.len() {
        let mut k = 0;
        while k < Op::ALL.len() {
            table[i] |= (applies(Op::ALL[k], Primitive::ALL[i].family()) as u16) << k;
            k += 1;
        }
        i += 1;
    }
    table
}

/// MPI 5.0, section 6.9.2, and two common extensions: MPICH, Open MPI and Intel MPI compute with
/// `MPI_CHAR` as with other integers, and most of them accept every integer as a truth value.
const fn applies(op: Op, family: Family) -> bool {
    use Family::*;
    match op {
        Op::Sum | Op::Prod => is_integer(family) || matches!(family, Float | Complex),
        Op::Min | Op::Max => is_integer(family) || matches!(family, Float),
        Op::Band | Op::Bor | Op::Bxor => is_integer(family) || matches!(family, Byte),
        Op::Land | Op::Lor | Op::Lxor => is_integer(family) || matches!(family, Logical),
        Op::Minloc | Op::Maxloc => matches!(family, Pair),
        Op::Replace | Op::NoOp => true,
    }
}

const fn is_integer(family: Family) -> bool {
    matches!(
        family,
        Family::CInteger | Family::FortranInteger | Family::MultiLanguage | Family::Character
    )
}

/// `right := left op right` for every element. Both slices hold the same whole number of elements,
/// `primitive.extent()` bytes apart, with any alignment.
///
/// # Errors
/// `Op` where the operator does not apply to the type, `Count` where the lengths do not fit.
pub fn reduce(op: Op, primitive: Primitive, left: &[u8], right: &mut [u8]) -> Result<()> {
    reduce_inline(op, primitive, Operands::OntoRight(left, right))
}

/// Two operands and the destination of the result.
#[derive(Debug)]
pub enum Operands<'a> {
    /// `left := left op right`
    OntoLeft(&'a mut [u8], &'a [u8]),
    /// `right := left op right`
    OntoRight(&'a [u8], &'a mut [u8]),
    /// Left, right, and separate memory for the result.
    Into(&'a [u8], &'a [u8], &'a mut [u8]),
}

impl Operands<'_> {
    /// The lengths of left and right; memory for the result has the same length.
    pub fn bytes(&self) -> (usize, usize) {
        match self {
            Operands::OntoLeft(left, right) => (left.len(), right.len()),
            Operands::OntoRight(left, right) => (left.len(), right.len()),
            Operands::Into(left, right, into) if left.len() == right.len() => {
                (left.len(), into.len())
            }
            Operands::Into(left, right, _) => (left.len(), right.len()),
        }
    }

    fn keep_left(self) {
        match self {
            Operands::OntoLeft(..) => {}
            Operands::OntoRight(left, into) | Operands::Into(left, _, into) => {
                into.copy_from_slice(left);
            }
        }
    }

    fn keep_right(self) {
        match self {
            Operands::OntoRight(..) => {}
            Operands::OntoLeft(into, right) | Operands::Into(_, right, into) => {
                into.copy_from_slice(right);
            }
        }
    }
}

/// As [`reduce`], but the result may go elsewhere, and the code is inlined: a caller compiled for
/// more processor features than the rest of the library gets wider vector loops.
///
/// # Errors
/// As [`reduce`].
#[inline(always)]
pub fn reduce_inline(op: Op, primitive: Primitive, on: Operands<'_>) -> Result<()> {
    let (left, right) = on.bytes();
    check(op, primitive, left, right)?;
    match op {
        Op::Replace => on.keep_left(),
        Op::NoOp => on.keep_right(),
        _ => dispatch(op, primitive.rep(), on),
    }
    Ok(())
}

/// As [`reduce_inline`] on elements of which those with padding are packed: the parts of a pair one
/// after the other.
///
/// # Errors
/// As [`reduce`].
#[inline(always)]
pub fn reduce_packed_inline(op: Op, primitive: Primitive, on: Operands<'_>) -> Result<()> {
    if primitive.size() == primitive.extent() {
        return reduce_inline(op, primitive, on);
    }
    let (left, right) = on.bytes();
    if op.is_one_sided() || !valid(op, primitive) || left != right || left % primitive.size() != 0 {
        return Err(refusal(op, primitive, left, right));
    }
    packed_pair(op, primitive.rep(), on);
    Ok(())
}

const _: () = {
    let mut i = 0;
    while i < Primitive::ALL.len() {
        assert!(Primitive::ALL[i].extent().is_power_of_two(), "`check` needs no division");
        i += 1;
    }
};

#[inline]
fn check(op: Op, primitive: Primitive, left: usize, right: usize) -> Result<()> {
    // No division, which takes longer than a short reduction.
    let whole = left & (primitive.extent() - 1) == 0;
    if valid(op, primitive) && left == right && whole {
        return Ok(());
    }
    Err(refusal(op, primitive, left, right))
}

#[cold]
fn refusal(op: Op, primitive: Primitive, left: usize, right: usize) -> Error {
    let (op_name, type_name) = (op.name(), primitive.name());
    if !valid(op, primitive) {
        let text = format!(
            "{op_name} does not apply to {type_name}; MPI 5.0, section 6.9.2 lists the types it \
             applies to"
        );
        return Error::new(ErrorClass::Op, text);
    }
    let text = format!(
        "{op_name} on {left} and {right} bytes; both must be the same multiple of {}, the extent \
         of {type_name}",
        primitive.extent()
    );
    Error::new(ErrorClass::Count, text)
}

#[inline(always)]
fn dispatch(op: Op, rep: Rep, on: Operands<'_>) {
    match rep {
        Rep::I8 => integer::<i8>(op, on),
        Rep::I16 => integer::<i16>(op, on),
        Rep::I32 => integer::<i32>(op, on),
        Rep::I64 => integer::<i64>(op, on),
        Rep::I128 => integer::<i128>(op, on),
        Rep::U8 => integer::<u8>(op, on),
        Rep::U16 => integer::<u16>(op, on),
        Rep::U32 => integer::<u32>(op, on),
        Rep::U64 => integer::<u64>(op, on),
        Rep::F16 => real::<f16>(op, on),
        Rep::F32 => real::<f32>(op, on),
        Rep::F64 => real::<f64>(op, on),
        Rep::Ext => real::<Soft16<LongDoubleFormat>>(op, on),
        Rep::F128 => real::<Soft16<QuadFormat>>(op, on),
        Rep::C16 => field::<Complex<f16>>(op, on),
        Rep::C32 => field::<Complex<f32>>(op, on),
        Rep::C64 => field::<Complex<f64>>(op, on),
        Rep::CExt => field::<Complex<Soft16<LongDoubleFormat>>>(op, on),
        Rep::C128 => field::<Complex<Soft16<QuadFormat>>>(op, on),
        Rep::Pair(value, index) => pair(op, value.rep(), index.rep(), on),
    }
}

#[inline(always)]
fn pair(op: Op, value: Rep, index: Rep, on: Operands<'_>) {
    match (value, index) {
        (Rep::F32, Rep::I32) => located::<f32, i32, 8>(op, on),
        (Rep::F64, Rep::I32) => located::<f64, i32, 16>(op, on),
        (Rep::Ext, Rep::I32) => located::<Soft16<LongDoubleFormat>, i32, 32>(op, on),
        (Rep::I16, Rep::I32) => located::<i16, i32, 8>(op, on),
        (Rep::I32, Rep::I32) => located::<i32, i32, 8>(op, on),
        (Rep::I64, Rep::I32) => located::<i64, i32, 16>(op, on),
        (Rep::F32, Rep::F32) => located::<f32, f32, 8>(op, on),
        (Rep::F64, Rep::F64) => located::<f64, f64, 16>(op, on),
        _ => unreachable!("no predefined pair of {value:?} and {index:?}"),
    }
}

/// The padded ones of the above, without their padding.
#[inline(always)]
fn packed_pair(op: Op, rep: Rep, on: Operands<'_>) {
    match rep {
        Rep::Pair(value, index) => match (value.rep(), index.rep()) {
            (Rep::F64, Rep::I32) => located::<f64, i32, 12>(op, on),
            (Rep::Ext, Rep::I32) => located::<Soft16<LongDoubleFormat>, i32, 20>(op, on),
            (Rep::I16, Rep::I32) => located::<i16, i32, 6>(op, on),
            (Rep::I64, Rep::I32) => located::<i64, i32, 12>(op, on),
            (value, index) => unreachable!("no padded pair of {value:?} and {index:?}"),
        },
        _ => unreachable!("only pairs have padding"),
    }
}

/// The loop of every reduction. Elements are read and written through byte slices of constant
/// length, which compiles to plain (vector) loads and stores without a need for alignment.
#[inline(always)]
fn apply<T: Item>(on: Operands<'_>, f: impl Fn(T, T) -> T) {
    let f = |l: &T::Bytes, r: &T::Bytes| f(T::load(bytes_of(l)), T::load(bytes_of(r)));
    match on {
        Operands::OntoLeft(left, right) => {
            each(elements_mut::<T>(left).iter_mut().zip(elements::<T>(right)), |(l, r)| {
                f(l, r).store(bytes_of_mut(l));
            });
        }
        Operands::OntoRight(left, right) => {
            each(elements::<T>(left).iter().zip(elements_mut::<T>(right)), |(l, r)| {
                f(l, r).store(bytes_of_mut(r));
            });
        }
        Operands::Into(left, right, into) => {
            let operands = elements::<T>(left).iter().zip(elements::<T>(right));
            each(operands.zip(elements_mut::<T>(into)), |((l, r), result)| {
                f(l, r).store(bytes_of_mut(result));
            });
        }
    }
}

#[inline(always)]
fn elements<T: Item>(bytes: &[u8]) -> &[T::Bytes] {
    cast_slice(bytes)
}

#[inline(always)]
fn elements_mut<T: Item>(bytes: &mut [u8]) -> &mut [T::Bytes] {
    cast_slice_mut(bytes)
}

/// Most short reductions have one element, which takes less time than the setup of a loop.
#[inline(always)]
fn each<E>(mut elements: impl ExactSizeIterator<Item = E>, mut f: impl FnMut(E)) {
    if elements.len() == 1 {
        return elements.next().into_iter().for_each(f);
    }
    for element in elements {
        f(element);
    }
}

#[inline(always)]
fn integer<T: Integer>(op: Op, on: Operands<'_>) {
    match op {
        Op::Sum => apply(on, T::sum),
        Op::Prod => apply(on, T::product),
        Op::Min => apply(on, |l: T, r| if l < r { l } else { r }),
        Op::Max => apply(on, |l: T, r| if l > r { l } else { r }),
        Op::Band => apply(on, |l: T, r| l & r),
        Op::Bor => apply(on, |l: T, r| l | r),
        Op::Bxor => apply(on, |l: T, r| l ^ r),
        Op::Land => apply(on, |l: T, r| T::truth(l.is_true() & r.is_true())),
        Op::Lor => apply(on, |l: T, r| T::truth(l.is_true() | r.is_true())),
        Op::Lxor => apply(on, |l: T, r| T::truth(l.is_true() ^ r.is_true())),
        _ => unreachable!("{} was checked not to meet integers", op.name()),
    }
}

#[inline(always)]
fn real<T: Real>(op: Op, on: Operands<'_>) {
    match op {
        Op::Min => apply(on, |l: T, r| if l < r { l } else { r }),
        Op::Max => apply(on, |l: T, r| if l > r { l } else { r }),
        _ => field::<T>(op, on),
    }
}

#[inline(always)]
fn field<T: Field>(op: Op, on: Operands<'_>) {
    match op {
        Op::Sum => apply(on, T::sum),
        Op::Prod => apply(on, T::product),
        _ => unreachable!("{} was checked not to meet complex numbers", op.name()),
    }
}

#[inline(always)]
fn located<V, I, const BYTES: usize>(op: Op, on: Operands<'_>)
where
    V: Item + PartialOrd,
    I: Item + PartialOrd,
{
    match op {
        Op::Minloc => apply(on, |l: Pair<V, I, BYTES>, r| l.better(r, l.value < r.value)),
        Op::Maxloc => apply(on, |l: Pair<V, I, BYTES>, r| l.better(r, l.value > r.value)),
        _ => unreachable!("{} was checked not to meet pairs", op.name()),
    }
}

#[cfg(test)]
mod tests;
