//! The arguments of collectives that take the fast path; `None` for anything that is not plain or
//! is wrong.

use dunlin_datatype::Primitive;
use dunlin_datatype::byte_range::BYTES_MAX;
use dunlin_datatype::reduce::valid;
use dunlin_engine::{BlockLayout, Bytes, CollFastPath, Operator};

use crate::collective::{Given, GivenBlocks, Number};
use crate::constants::MPI_IN_PLACE;
use crate::convert::plain_bytes;
use crate::handles::{claimed_comm, primitive};
use crate::op::predefined;
use crate::types::*;

/// The members of a communicator that can take the fast path.
#[inline]
pub fn plain_on(function: &'static str, comm: MPI_Comm) -> Option<CollFastPath> {
    CollFastPath::on(function, claimed_comm(comm)?)
}

/// A buffer, or a block of one.
#[inline]
pub fn bytes((address, count, datatype): Given) -> Option<Bytes> {
    if address == MPI_IN_PLACE {
        return None;
    }
    plain_bytes(address, count, datatype)
}

/// A block of a buffer of so many.
#[inline]
pub fn bytes_each(given: Given, blocks: usize) -> Option<Bytes> {
    let block = bytes(given)?;
    block.1.checked_mul(blocks).is_some_and(|all| all <= BYTES_MAX).then_some(block)
}

/// A buffer that lies at `place`, if there is one, where the program gave `MPI_IN_PLACE`; nowhere
/// else does it lie there.
#[inline]
pub fn bytes_or(given: Given, place: Option<Bytes>) -> Option<Bytes> {
    if given.0 == MPI_IN_PLACE {
        return place;
    }
    let is_apart = place.is_none_or(|place| place.0.cast_const().cast() != given.0);
    if is_apart { plain_bytes(given.0, given.1, given.2) } else { None }
}

/// Two buffers that do not begin at the same place.
#[inline]
pub fn apart(send: Bytes, recv: Bytes) -> Option<(Bytes, Bytes)> {
    (send.0 != recv.0).then_some((send, recv))
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
    let reduces = valid(op, primitive) && !op.is_one_sided();
    reduces.then_some(Operator { op, primitive })
}

/// Blocks of different lengths in a buffer, in bytes.
pub struct PlainBlocks {
    start: *mut u8,
    blocks: usize,
    /// The counts, then the displacements.
    numbers: Vec<usize>,
}

impl PlainBlocks {
    /// The buffer and where the blocks are.
    #[inline]
    pub fn places(&self) -> (*mut u8, BlockLayout<'_>) {
        let (counts, displacements) = self.numbers.split_at(self.blocks);
        (self.start, BlockLayout { counts, displacements })
    }

    /// One block.
    #[inline]
    pub fn block(&self, block: usize) -> Bytes {
        let (count, at) = (self.numbers[block], self.numbers[self.blocks + block]);
        (self.start.wrapping_add(at), count)
    }
}

/// A buffer of `len` blocks, none of which begins before the buffer.
///
/// # Safety
/// The arrays are null or have `len` entries.
#[inline]
pub unsafe fn plain_blocks<N: Number, D: Number>(
    given: GivenBlocks<N, D>,
    len: usize,
) -> Option<PlainBlocks> {
    let (address, counts, displacements, datatype) = given;
    let (start, each) = bytes((address, 1, datatype))?;
    if counts.is_null() || displacements.is_null() {
        return None;
    }
    // SAFETY: promised by the caller.
    let (counts, displacements) = unsafe {
        (std::slice::from_raw_parts(counts, len), std::slice::from_raw_parts(displacements, len))
    };
    let in_bytes = |number: i64| {
        usize::try_from(number).ok()?.checked_mul(each).filter(|bytes| *bytes <= BYTES_MAX)
    };
    let mut numbers = Vec::with_capacity(2 * len);
    let mut total = 0usize;
    for count in counts {
        let count = in_bytes(count.wide())?;
        total = total.checked_add(count).filter(|total| *total <= BYTES_MAX)?;
        numbers.push(count);
    }
    for displacement in displacements {
        numbers.push(in_bytes(displacement.wide()).filter(|at| *at <= BYTES_MAX - total)?);
    }
    Some(PlainBlocks { start, blocks: len, numbers })
}
