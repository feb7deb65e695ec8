//! Lengths of arrays that a call does not tell: its communicator does.

use std::ffi::c_int;

use super::Foreign;
use crate::staging::{ArrayLengths, dunlin_array_lengths};
use crate::standard::types::MPI_Comm;

fn of(comm: impl Foreign<MPI_Comm>) -> ArrayLengths {
    dunlin_array_lengths(comm.to_standard())
}

/// As many as there are ranks to talk to.
pub fn peers(comm: impl Foreign<MPI_Comm>) -> c_int {
    of(comm).peers
}

/// Neighbours that send to this rank.
pub fn indegree(comm: impl Foreign<MPI_Comm>) -> c_int {
    of(comm).sources
}

/// Neighbours that this rank sends to.
pub fn outdegree(comm: impl Foreign<MPI_Comm>) -> c_int {
    of(comm).destinations
}
