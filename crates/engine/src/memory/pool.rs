//! The buffer space that a program attaches for buffered sends, and the messages in it; MPI 5.0,
//! section 3.6.

use std::sync::{Arc, Weak};

use parking_lot::Mutex;

/// The buffer space that a program attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolMemory {
    /// The program's memory. The library stores its copies elsewhere, but within this size.
    Attached {
        /// The address, which `MPI_Buffer_detach` returns.
        address: usize,
        /// The size in bytes.
        bytes: usize,
    },
    /// `MPI_BUFFER_AUTOMATIC`: the library allocates as much as it needs.
    Automatic,
}

/// A pool that the VCIs of a process share. While it is locked no other lock is taken.
pub(crate) type SharedPool = Arc<Mutex<Pool>>;

/// Buffer space, and the messages in it.
#[derive(Debug, Default)]
pub struct Pool {
    pub(crate) memory: Option<PoolMemory>,
    /// The copies, alive until they are sent, and their sizes.
    pub(crate) in_flight: Vec<(Weak<Box<[u8]>>, usize)>,
}
