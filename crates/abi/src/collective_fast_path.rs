//! The arguments of collectives on the fast path. The methods have the names of those in
//! `collective.rs` for the slow path; `None` for arguments that are wrong or that the fast path
//! does not support.

use std::ffi::{c_int, c_void};

use dunlin_base::Result;
use dunlin_datatype::Primitive;
use dunlin_datatype::byte_range::BYTES_MAX;
use dunlin_datatype::reduce::{Op, valid};
use dunlin_engine::{
    Beside, Bytes, CollAlone, CollFastPath, Described, Members, Operator, PlainBlocks, RequestId,
    Role, Typed,
};

use crate::collective::{Given, GivenBlocks, GivenVaried, Number};
use crate::convert::{self, is_no_buffer, plain_bytes, plain_length, type_id};
use crate::standard::constants::MPI_IN_PLACE;
use crate::standard::handles::{claimed, claimed_comm, predefined_op, primitive};
use crate::standard::types::*;

/// The members of a communicator, if it can take the fast path.
#[inline(always)]
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
fn predefined(op: MPI_Op, datatype: MPI_Datatype) -> Option<(Op, Primitive)> {
    let (op, primitive) = (predefined_op(op)?, Primitive::ALL[primitive(datatype)?]);
    let reduces = valid(op, primitive) && !op.is_one_sided();
    reduces.then_some((op, primitive))
}

/// The fast path of `MPI_Reduce_local`; `None` if it must take the slow path.
///
/// # Safety
/// The program's promises on its buffers.
#[inline(always)]
pub unsafe fn reduce_local(
    (input, inout): (*const c_void, *mut c_void),
    count: MPI_Count,
    datatype: MPI_Datatype,
    op: MPI_Op,
) -> Option<()> {
    let operator = predefined(op, datatype)?;
    // With the padding that lies between the parts of a pair.
    let bytes = usize::try_from(count).ok()?.checked_mul(operator.1.extent())?;
    if is_no_buffer(input) || is_no_buffer(inout) || input == inout || bytes > BYTES_MAX {
        return None;
    }
    // SAFETY: the caller's promise; neither is null.
    unsafe { dunlin_engine::reduce_local(input.cast(), inout.cast(), bytes, operator) }
}

/// The process of a communicator of one, if it can take the fast path.
#[inline]
pub fn alone_on(comm: MPI_Comm) -> Option<CollAlone> {
    CollAlone::on(claimed_comm(comm)?)
}

/// The role of a buffer for results beside what is sent.
#[inline]
fn of_result<T>(send: Option<&T>) -> Role {
    if send.is_some() { Role::WholeOutput } else { Role::Output }
}

/// Blocks of so many bytes at so many bytes from the buffer's start.
#[inline(always)]
fn laid(
    start: *mut u8,
    counts: impl ExactSizeIterator<Item = Option<usize>>,
    displacements: impl Iterator<Item = Option<usize>>,
) -> Option<PlainBlocks> {
    let blocks = counts.len();
    let mut numbers = Vec::with_capacity(2 * blocks);
    let mut total = 0usize;
    for count in counts {
        let count = count?;
        total = total.checked_add(count).filter(|total| *total <= BYTES_MAX)?;
        numbers.push(count);
    }
    for displacement in displacements {
        numbers.push(displacement.filter(|at| *at <= BYTES_MAX - total)?);
    }
    Some(PlainBlocks { start, blocks, numbers })
}

/// Decodes the arguments of a call.
pub struct Plain<'a, M>(pub &'a M);

impl<M: Members> Plain<'_, M> {
    /// The root.
    #[inline]
    pub fn root(&self, root: c_int) -> Option<usize> {
        self.0.root(root)
    }

    /// A buffer of the operation.
    #[inline]
    fn place(&self, given: Given, role: Role) -> Option<Bytes> {
        plain_bytes(given.0, given.1, given.2).or_else(|| self.staged(given, 1, role))
    }

    /// The first of equal blocks, one per rank.
    #[inline]
    fn first_of_blocks(&self, given: Given, role: Role) -> Option<Bytes> {
        let Some(block) = plain_bytes(given.0, given.1, given.2) else {
            return self.staged(given, self.0.size(), role);
        };
        block.1.checked_mul(self.0.size()).is_some_and(|all| all <= BYTES_MAX).then_some(block)
    }

    /// So many blocks that have gaps.
    #[cold]
    fn staged(
        &self,
        (address, count, datatype): Given,
        blocks: usize,
        role: Role,
    ) -> Option<Bytes> {
        if is_no_buffer(address) {
            return None;
        }
        let count = usize::try_from(count).ok()?.checked_mul(blocks)?;
        let type_id = type_id(datatype).ok()?;
        let elements = Typed { address: address.cast_mut().cast(), count, type_id };
        // SAFETY: the program's promises on its buffers.
        let (start, bytes) = unsafe { self.0.staged(elements, role) }?;
        Some((start, bytes / blocks))
    }

    /// A buffer for results.
    #[inline]
    pub fn buffer(&self, given: Given) -> Option<Bytes> {
        self.place(given, Role::Output)
    }

    /// A buffer whose data the root sends to all others.
    #[inline]
    pub fn buffer_around(&self, root: usize, given: Given) -> Option<Bytes> {
        let is_root = self.0.rank() == root;
        self.place(given, if is_root { Role::Input } else { Role::WholeOutput })
    }

    /// A buffer for results, which the operation writes as a whole and does not read unless what
    /// it sends is in place.
    #[inline]
    pub fn result<T>(&self, send: Option<&T>, given: Given) -> Option<Bytes> {
        self.place(given, of_result(send))
    }

    /// The same with equal blocks, one per rank.
    #[inline]
    pub fn result_blocks<T>(&self, send: Option<&T>, given: Given) -> Option<Bytes> {
        self.first_of_blocks(given, of_result(send))
    }

    /// A buffer that is read; `MPI_IN_PLACE` is allowed.
    #[inline]
    pub fn buffer_or_in_place(&self, given: Given) -> Option<Option<Bytes>> {
        if given.0 == MPI_IN_PLACE { Some(None) } else { self.place(given, Role::Input).map(Some) }
    }

    /// Equal blocks that are read; `MPI_IN_PLACE` is allowed.
    #[inline]
    pub fn blocks_or_in_place(&self, given: Given) -> Option<Option<Bytes>> {
        if given.0 == MPI_IN_PLACE {
            return Some(None);
        }
        self.first_of_blocks(given, Role::Input).map(Some)
    }

    /// A buffer for results that is significant only at the root.
    #[inline]
    pub fn at_root(&self, root: usize, given: Given) -> Option<Option<Bytes>> {
        if self.0.rank() == root { self.buffer(given).map(Some) } else { Some(None) }
    }

    /// Equal blocks for results that are significant only at the root.
    #[inline]
    pub fn blocks_at_root(&self, root: usize, given: Given) -> Option<Option<Bytes>> {
        if self.0.rank() != root {
            return Some(None);
        }
        self.first_of_blocks(given, Role::Output).map(Some)
    }

    /// Equal blocks that are read, significant only at the root.
    #[inline]
    pub fn blocks_from_root(&self, root: usize, given: Given) -> Option<Option<Bytes>> {
        if self.0.rank() != root {
            return Some(None);
        }
        self.first_of_blocks(given, Role::Input).map(Some)
    }

    /// A buffer that is read on every rank. `MPI_IN_PLACE` is allowed at the root, which the
    /// operation checks.
    #[inline]
    pub fn at_others(&self, _root: usize, given: Given) -> Option<Option<Bytes>> {
        self.buffer_or_in_place(given)
    }

    /// The same for results.
    #[inline]
    pub fn result_at_others(&self, _root: usize, given: Given) -> Option<Option<Bytes>> {
        if given.0 == MPI_IN_PLACE { Some(None) } else { self.buffer(given).map(Some) }
    }

    /// An operator and the datatype to which it is applied.
    #[inline]
    pub fn op(&self, op: MPI_Op, datatype: MPI_Datatype) -> Option<Operator> {
        match predefined(op, datatype) {
            Some((op, primitive)) => Some(Operator::Predefined(op, primitive)),
            None => self.op_of_program(op, datatype),
        }
    }

    #[cold]
    fn op_of_program(&self, op: MPI_Op, datatype: MPI_Datatype) -> Option<Operator> {
        let element_bytes = plain_length(1, datatype).filter(|_| predefined_op(op).is_none())?;
        self.0.operator_of_program(claimed(op)?, type_id(datatype).ok()?, element_bytes)
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
    #[inline(always)]
    pub unsafe fn irregular<N: Number, D: Number>(
        &self,
        given: GivenBlocks<N, D>,
    ) -> Option<PlainBlocks> {
        let ((address, counts, displacements, datatype), len) = (given, self.0.size());
        let (start, each) = plain_bytes(address, 1, datatype)?;
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
        let in_bytes = |number: i64| usize::try_from(number).ok()?.checked_mul(each);
        let counts = counts.iter().map(|count| in_bytes(count.wide()));
        laid(start, counts, displacements.iter().map(|at| in_bytes(at.wide())))
    }

    /// Blocks with a datatype each, as far as no block begins before the buffer's address.
    ///
    /// # Safety
    /// As for `irregular`.
    #[inline]
    pub unsafe fn varied<N: Number, D: Number>(
        &self,
        (address, counts, displacements, datatypes): GivenVaried<N, D>,
    ) -> Option<PlainBlocks> {
        let is_null = counts.is_null() || displacements.is_null() || datatypes.is_null();
        if is_null || is_no_buffer(address) {
            return None;
        }
        let len = self.0.size();
        // SAFETY: promised by the caller.
        let (counts, displacements, datatypes) = unsafe {
            (
                std::slice::from_raw_parts(counts, len),
                std::slice::from_raw_parts(displacements, len),
                std::slice::from_raw_parts(datatypes, len),
            )
        };
        let bytes = |(count, datatype): (&N, &MPI_Datatype)| match count.wide() {
            // The datatype of a block without elements is not significant.
            0 => Some(0),
            count => plain_length(count, *datatype),
        };
        let counts = counts.iter().zip(datatypes).map(bytes);
        let displacements = displacements.iter().map(|at| usize::try_from(at.wide()).ok());
        laid(address.cast_mut().cast(), counts, displacements)
    }

    /// The same; a call with `MPI_IN_PLACE` takes the slow path.
    ///
    /// # Safety
    /// As for `irregular`.
    #[inline]
    pub unsafe fn varied_or_in_place<N: Number, D: Number>(
        &self,
        given: GivenVaried<N, D>,
    ) -> Option<Option<PlainBlocks>> {
        // SAFETY: promised by the caller.
        unsafe { self.varied(given) }.map(Some)
    }

    /// The same; a call with `MPI_IN_PLACE` takes the slow path.
    ///
    /// # Safety
    /// As for `irregular`.
    #[inline(always)]
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
    #[inline(always)]
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
