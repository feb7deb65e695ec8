//! Lengths of arrays that a call does not tell: its communicator does. And what the Fortran
//! subroutines of a family need beside MPI's functions (`staging.rs`), with the family's handles.

use std::ffi::{c_int, c_void};

use super::convert::{OneHandle, code_back};
use super::types::{Comm, Datatype, Request};
use super::{Family, Foreign, export_family, families};
use crate::staging::{self, ArrayLengths, StagingFunctions, Text};
use crate::standard::types::{MPI_Comm, MPI_Count};

families! {
    fn dunlin_array_lengths(comm: Comm<F>) -> ArrayLengths {
        of(comm)
    }

    fn dunlin_dense_size(datatype: Datatype<F>) -> MPI_Count {
        staging::dunlin_dense_size(datatype.to_standard())
    }

    fn dunlin_stage_request(
        request: *mut Request<F>, functions: StagingFunctions, state: *mut c_void,
    ) -> c_int {
        // SAFETY: promised by the caller.
        unsafe {
            let mut staged = OneHandle::given(request);
            let code = staging::dunlin_stage_request(staged.as_mut_ptr(), functions, state);
            staged.give_back(request);
            code_back::<F>(code)
        }
    }

    fn dunlin_refuse_buffer(function: Text, comm: *const Comm<F>, why: Text) -> c_int {
        // SAFETY: promised by the caller: null or a communicator, and static texts.
        unsafe {
            let comm = comm.as_ref().map(|comm| comm.to_standard());
            code_back::<F>(staging::dunlin_refuse_buffer(function, comm.as_ref(), why))
        }
    }
}

fn of(comm: impl Foreign<MPI_Comm>) -> ArrayLengths {
    staging::dunlin_array_lengths(comm.to_standard())
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
