//! Words every part of Dunlin shares: error classes and errors, the settings a user may give, and
//! memory that may be refused. Depends on nothing.
#![forbid(unsafe_code)]

pub mod counters;
mod error;
pub mod memory;
pub mod one_sided;
pub mod settings;
pub mod single_copy;
pub mod text;

pub use error::{Error, ErrorClass, Result};

/// The number of a process within a group or communicator; never negative here. Wildcards and
/// `MPI_PROC_NULL` are decoded at the edge and do not reach this type.
pub type Rank = u32;

/// A message tag. Non-negative in user messages; collectives use the whole range in their own
/// contexts.
pub type Tag = i32;
