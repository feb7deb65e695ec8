//! The space that a program gives to buffered sends, and what is in it; MPI 5.0 section 3.6.

use std::rc::Weak;

/// What a program attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolMemory {
    /// Memory of its own; the library keeps its copies elsewhere, but within this size.
    Attached {
        /// The address, which detaching returns.
        address: usize,
        /// Bytes.
        bytes: usize,
    },
    /// `MPI_BUFFER_AUTOMATIC`: as much as it takes.
    Automatic,
}

/// Buffer space and the messages in it.
#[derive(Debug, Default)]
pub struct Pool {
    pub(crate) memory: Option<PoolMemory>,
    /// The copies, alive until they have left, and their sizes.
    pub(crate) in_flight: Vec<(Weak<Box<[u8]>>, usize)>,
}
