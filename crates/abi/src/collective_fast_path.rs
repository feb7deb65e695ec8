//! The arguments of collectives on the fast path. The methods have the names of those in
//! `collective.rs` for the slow path; `None` for arguments that are wrong or that the fast path
//! does not support.

use std::ffi::c_int;

use dunlin_base::Result;
use dunlin_datatype::Primitive;
use dunlin_datatype::byte_range::BYTES_MAX;
use dunlin_datatype::reduce::valid;
use dunlin_engine::{
    Beside, Bytes, CollAlone, CollFastPath, Described, Members, Operator, PlainBlocks, RequestId,
};

use crate::collective::{Given, GivenBlocks, Number};
use crate::convert::{self, plain_bytes};
use crate::standard::constants::MPI_IN_PLACE;
use crate::standard::handles::{claimed, claimed_comm, predefined_op, primitive};
use crate::standard::types::*;

/// The members of a communicator, if it can take the fast path.
#[inline]
pub fn plain_on(function: &'static str, comm: MPI_Comm) -> Option<CollFastPath> {
    CollFastPath::on(function, claimed_comm(comm)?)
}

/// Begins a nonblocking operation, if it can take the fast path.
///
/// # Safety
/// `request` is null or points to a request.
pub unsafe fn begin(
    function: &'static str,
    comm: MPI_Comm,
    request: *mut MPI_Request,
    operation: impl FnOnce(CollFastPath<Beside>) -> Option<RequestId>,
) -> Option<Result<()>> {
    if request.is_null() {
        return None;
    }
    let id = operation(CollFastPath::beside(function, claimed_comm(comm)?)?)?;
    // SAFETY: promised by the caller; not null.
    Some(convert::made_or_full(id).map(|handle| unsafe { request.write(handle) }))
}

/// Lets the persistent operation that has been made take the fast path, if it can.
///
/// # Safety
/// `request` points to its request.
pub unsafe fn describe(
    function: &'static str,
    request: *const MPI_Request,
    operation: impl FnOnce(CollFastPath<Described>) -> Option<()>,
) {
    // SAFETY: promised by the caller.
    let id = claimed(unsafe { request.read() });
    let _takes_it = id.and_then(|id| CollFastPath::described(function, id)).and_then(operation);
}

/// A predefined operator of reductions that is valid on the datatype.
#[inline]
fn operator(op: MPI_Op, datatype: MPI_Datatype) -> Option<Operator> {
    let (op, primitive) = (predefined_op(op)?, Primitive::ALL[primitive(datatype)?]);
    let reduces = valid(op, primitive) && !op.is_one_sided();
    reduces.then_some(Operator { op, primitive })
}

/// The fast path of `MPI_Reduce_local`; false if it must take the slow path.
///
/// # Safety
/// The program's promises on its buffers.
#[inline]
pub unsafe fn reduce_local(input: Given, inout: Given, op: MPI_Op) -> bool {
    let plain = |given: Given| plain_bytes(given.0, given.1, given.2);
    match (plain(input), plain(inout), operator(op, inout.2)) {
        // SAFETY: the caller's promise.
        (Some(input), Some(inout), Some(operator)) => unsafe {
            dunlin_engine::reduce_local(input, inout, operator)
        },
        _ => false,
    }
}

/// The process of a communicator of one, if it can take the fast path.
#[inline]
pub fn alone_on(comm: MPI_Comm) -> Option<CollAlone> {
    CollAlone::on(claimed_comm(comm)?)
}

/// Decodes the arguments of a call.
pub struct Plain<'a, M>(pub &'a M);

impl<M: Members> Plain<'_, M> {
    /// The root.
    #[inline]
    pub fn root(&self, root: c_int) -> Option<usize> {
        self.0.root(root)
    }

    /// A buffer.
    #[inline]
    pub fn buffer(&self, (address, count, datatype): Given) -> Option<Bytes> {
        plain_bytes(address, count, datatype)
    }

    /// A buffer that is significant on every rank.
    #[inline]
    pub fn buffer_around(&self, _root: usize, given: Given) -> Option<Bytes> {
        self.buffer(given)
    }

    /// The first of equal blocks, one per rank.
    #[inline]
    pub fn blocks(&self, given: Given) -> Option<Bytes> {
        let block = self.buffer(given)?;
        block.1.checked_mul(self.0.size()).is_some_and(|all| all <= BYTES_MAX).then_some(block)
    }

    /// A buffer; `MPI_IN_PLACE` is allowed.
    #[inline]
    pub fn buffer_or_in_place(&self, given: Given) -> Option<Option<Bytes>> {
        if given.0 == MPI_IN_PLACE { Some(None) } else { self.buffer(given).map(Some) }
    }

    /// Equal blocks; `MPI_IN_PLACE` is allowed.
    #[inline]
    pub fn blocks_or_in_place(&self, given: Given) -> Option<Option<Bytes>> {
        if given.0 == MPI_IN_PLACE { Some(None) } else { self.blocks(given).map(Some) }
    }

    /// A buffer that is significant only at the root.
    #[inline]
    pub fn at_root(&self, root: usize, given: Given) -> Option<Option<Bytes>> {
        if self.0.rank() == root { self.buffer(given).map(Some) } else { Some(None) }
    }

    /// Equal blocks that are significant only at the root.
    #[inline]
    pub fn blocks_at_root(&self, root: usize, given: Given) -> Option<Option<Bytes>> {
        if self.0.rank() == root { self.blocks(given).map(Some) } else { Some(None) }
    }

    /// A buffer on every rank. `MPI_IN_PLACE` is allowed at the root, which the operation checks.
    #[inline]
    pub fn at_others(&self, _root: usize, given: Given) -> Option<Option<Bytes>> {
        self.buffer_or_in_place(given)
    }

    /// An operator and the datatype to which it is applied.
    #[inline]
    pub fn op(&self, op: MPI_Op, datatype: MPI_Datatype) -> Option<Operator> {
        operator(op, datatype)
    }

    /// The start of each rank's block, and the end of the last one.
    ///
    /// # Safety
    /// `counts` is null or points to one count per rank.
    #[inline]
    pub unsafe fn counts<T: Number>(&self, counts: *const T) -> Option<Vec<usize>> {
        let len = self.0.size();
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

    /// The sum of the counts, and this rank's count.
    #[inline]
    pub fn total_and_own(&self, starts: &[usize]) -> Option<(MPI_Count, MPI_Count)> {
        let own = starts[self.0.rank() + 1] - starts[self.0.rank()];
        Some((MPI_Count::try_from(starts[self.0.size()]).ok()?, own as MPI_Count))
    }

    /// Blocks of different lengths, none of which begins before the buffer's address.
    ///
    /// # Safety
    /// The arrays are null or have an entry for each rank.
    #[inline]
    pub unsafe fn irregular<N: Number, D: Number>(
        &self,
        given: GivenBlocks<N, D>,
    ) -> Option<PlainBlocks> {
        let ((address, counts, displacements, datatype), len) = (given, self.0.size());
        let (start, each) = self.buffer((address, 1, datatype))?;
        if counts.is_null() || displacements.is_null() {
            return None;
        }
        // SAFETY: promised by the caller.
        let (counts, displacements) = unsafe {
            (
                std::slice::from_raw_parts(counts, len),
                std::slice::from_raw_parts(displacements, len),
            )
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

    /// The same; a call with `MPI_IN_PLACE` takes the slow path.
    ///
    /// # Safety
    /// As for `irregular`.
    #[inline]
    pub unsafe fn irregular_or_in_place<N: Number, D: Number>(
        &self,
        given: GivenBlocks<N, D>,
    ) -> Option<Option<PlainBlocks>> {
        // SAFETY: promised by the caller.
        unsafe { self.irregular(given) }.map(Some)
    }

    /// Blocks of different lengths that are significant only at the root.
    ///
    /// # Safety
    /// As for `irregular`.
    #[inline]
    pub unsafe fn irregular_at_root<N: Number, D: Number>(
        &self,
        root: usize,
        given: GivenBlocks<N, D>,
    ) -> Option<Option<PlainBlocks>> {
        if self.0.rank() != root {
            return Some(None);
        }
        // SAFETY: promised by the caller.
        unsafe { self.irregular(given) }.map(Some)
    }
}
