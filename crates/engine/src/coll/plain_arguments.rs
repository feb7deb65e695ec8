//! The arguments of collectives on the fast path: addresses, bytes, and operators.

use dunlin_coll::BlockLayout;
use dunlin_datatype::{Primitive, reduce as kernels};

use crate::objects::schedule::Typed;
pub use crate::objects::staged_arguments::Role;

/// An address and a number of bytes.
pub type Bytes = (*mut u8, usize);

/// The members of a communicator whose collectives take a fast path.
pub trait Members {
    /// Their number.
    fn size(&self) -> usize;

    /// This process's rank.
    fn rank(&self) -> usize;

    /// A packed copy of elements that have gaps, which stands for them until the operation is
    /// complete. `None` if the slow path must run.
    ///
    /// # Safety
    /// The program's promises on its buffer.
    unsafe fn staged(&self, _elements: Typed, _role: Role) -> Option<Bytes> {
        None
    }

    /// The program's operator with this number on elements of so many bytes without gaps. `None` if
    /// the slow path must run.
    fn operator_of_program(
        &self,
        _op: u32,
        _type_id: u32,
        _element_bytes: usize,
    ) -> Option<Operator> {
        None
    }

    /// A root that the program names.
    #[inline]
    fn root(&self, root: i32) -> Option<usize> {
        usize::try_from(root).ok().filter(|root| *root < self.size())
    }
}

/// Block `number` of a buffer of equal blocks.
#[inline]
pub(crate) fn block((start, bytes): Bytes, number: usize) -> Bytes {
    (start.wrapping_add(number * bytes), bytes)
}

/// The contribution of a rank: `own` for `MPI_IN_PLACE` (`None`). `None` where both buffers begin
/// at the same address, which the slow path refuses.
#[inline]
pub(crate) fn resolved(given: Option<Bytes>, own: Option<Bytes>) -> Option<Bytes> {
    match given {
        None => own,
        Some(given) => own.is_none_or(|own| own.0 != given.0).then_some(given),
    }
}

/// The same where both sides give a length: `None` if they differ.
#[inline]
pub(crate) fn resolved_alike(given: Option<Bytes>, own: Option<Bytes>) -> Option<Bytes> {
    resolved(given, own).filter(|given| own.is_none_or(|own| own.1 == given.1))
}

/// Blocks of different lengths in a buffer, in bytes.
#[derive(Debug)]
pub struct PlainBlocks {
    /// Where the buffer begins.
    pub start: *mut u8,
    /// How many blocks there are.
    pub blocks: usize,
    /// Their lengths, then their displacements.
    pub numbers: Vec<usize>,
}

impl PlainBlocks {
    #[inline]
    pub(crate) fn layout(&self) -> BlockLayout<'_> {
        let (counts, displacements) = self.numbers.split_at(self.blocks);
        BlockLayout { counts, displacements }
    }

    #[inline]
    pub(crate) fn block(&self, block: usize) -> Bytes {
        let (count, at) = (self.numbers[block], self.numbers[self.blocks + block]);
        (self.start.wrapping_add(at), count)
    }
}

/// The buffer and the blocks that only the root has.
#[inline]
pub(crate) fn at_root(blocks: Option<&PlainBlocks>) -> (*mut u8, BlockLayout<'_>) {
    blocks.map_or((std::ptr::dangling_mut(), BlockLayout::NONE), |b| (b.start, b.layout()))
}

/// An operator, and what it works on.
#[derive(Debug, Clone, Copy)]
pub enum Operator {
    /// A predefined operator that is valid on the datatype. Elements with padding
    /// (`MPI_DOUBLE_INT`) are packed.
    Predefined(kernels::Op, Primitive),
    /// One of the program.
    OfProgram(OperatorOfProgram),
}

/// An operator of the program on elements without gaps.
#[derive(Debug, Clone, Copy)]
pub struct OperatorOfProgram {
    /// Its number.
    pub op: u32,
    /// The number of the datatype, which its function asks for.
    pub type_id: u32,
    /// Bytes of an element.
    pub element_bytes: u32,
    /// Whether it is commutative.
    pub is_commutative: bool,
}

impl Operator {
    #[inline]
    pub(crate) fn element_bytes(self) -> usize {
        match self {
            Operator::Predefined(_, primitive) => primitive.size(),
            Operator::OfProgram(own) => own.element_bytes as usize,
        }
    }

    #[inline]
    pub(crate) fn elements(self, bytes: usize) -> usize {
        bytes / self.element_bytes()
    }

    #[inline]
    pub(crate) fn is_commutative(self) -> bool {
        match self {
            Operator::Predefined(op, _) => op.is_commutative(),
            Operator::OfProgram(own) => own.is_commutative,
        }
    }
}
