//! The arguments of collectives that go the short way; `None` for anything that is not plain or is
//! wrong.

use dunlin_datatype::Primitive;
use dunlin_datatype::reduce::valid;
use dunlin_engine::{Bytes, Operator, Plain};

use crate::collective::{Given, Number};
use crate::constants::MPI_IN_PLACE;
use crate::convert::{claimed_comm, plain_bytes};
use crate::handles::primitive;
use crate::op::predefined;
use crate::types::*;

/// The members of a communicator that can go the short way.
#[inline]
pub fn plain_on(function: &'static str, comm: MPI_Comm) -> Option<Plain> {
    Plain::on(function, claimed_comm(comm)?)
}

/// A buffer, or a block of one.
#[inline]
pub fn bytes((address, count, datatype): Given) -> Option<Bytes> {
    if address == MPI_IN_PLACE {
        return None;
    }
    plain_bytes(address, count, datatype)
}

/// A buffer that lies at `place`, if there is one, where the program gave `MPI_IN_PLACE`.
#[inline]
pub fn bytes_or(given: Given, place: Option<Bytes>) -> Option<Bytes> {
    if given.0 == MPI_IN_PLACE { place } else { plain_bytes(given.0, given.1, given.2) }
}

/// Block `block` of a buffer of equal blocks.
#[inline]
pub fn block((start, bytes): Bytes, block: usize) -> Bytes {
    (start.wrapping_add(block * bytes), bytes)
}

/// Where each of `len` blocks begins, and where the last one ends.
///
/// # Safety
/// `counts` is null or points to `len` counts.
#[inline]
pub unsafe fn starts<T: Number>(counts: *const T, len: usize) -> Option<Vec<usize>> {
    if counts.is_null() {
        return None;
    }
    // SAFETY: promised by the caller.
    let counts = unsafe { std::slice::from_raw_parts(counts, len) };
    let mut starts = Vec::with_capacity(len + 1);
    let mut end = 0usize;
    starts.push(end);
    for count in counts {
        end = end.checked_add(usize::try_from(count.wide()).ok()?)?;
        starts.push(end);
    }
    Some(starts)
}

/// An operator with the datatype it works on.
#[inline]
pub fn operator(op: MPI_Op, datatype: MPI_Datatype) -> Option<Operator> {
    let (op, primitive) = (predefined(op)?, Primitive::ALL[primitive(datatype)?]);
    valid(op, primitive).then_some(Operator { op, primitive })
}
