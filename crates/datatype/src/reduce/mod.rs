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
mod kernels;

use crate::primitive::{Family, Primitive, Rep};
use dunlin_base::{Error, ErrorClass, Result};

pub use kernels::{AnyProcessor, Compiled, Features, Kernel, Kernels};

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
    let on = Operands::OntoRight(left, right);
    kernel::<AnyProcessor>(op, primitive, &on)?(on);
    Ok(())
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
}

/// What applies `op` to such operands, by loops that are compiled for the processor features `F`.
///
/// # Errors
/// As [`reduce`].
#[inline(always)]
pub fn kernel<F: Features>(op: Op, primitive: Primitive, on: &Operands<'_>) -> Result<F::Call> {
    let (left, right) = on.bytes();
    check(op, primitive, left, right)?;
    Ok(F::KERNELS.of(op, primitive))
}

/// As [`kernel`] on elements of which those with padding are packed: the parts of a pair one after
/// the other.
///
/// # Errors
/// As [`reduce`].
#[inline(always)]
pub fn packed_kernel<F: Features>(
    op: Op,
    primitive: Primitive,
    on: &Operands<'_>,
) -> Result<F::Call> {
    if primitive.size() == primitive.extent() {
        return kernel::<F>(op, primitive, on);
    }
    let (left, right) = on.bytes();
    if op.is_one_sided() || !valid(op, primitive) || left != right || left % primitive.size() != 0 {
        return Err(refusal(op, primitive, left, right));
    }
    Ok(F::KERNELS.of_packed(op, primitive))
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

#[cfg(test)]
mod tests;
