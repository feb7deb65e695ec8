//! The standard's ABI. A handle is as wide as an address, and its number the same in Fortran.

use std::ffi::{c_int, c_void};

use integers::*;

use super::{handle_types, library_functions, predefined_attributes};
use crate::convert::{Handle, MPI_Count, handle, number};
use crate::library::{ArrayLengths, Held, Library, StagingFunctions, Text, dunlin_array_lengths};
pub(crate) use crate::special;

handle_types! { usize:
    MPI_Comm MPI_Datatype MPI_Errhandler MPI_File MPI_Group MPI_Info MPI_Message MPI_Op MPI_Request
    MPI_Session MPI_Win
}

impl Handle for usize {
    #[inline]
    fn from_fortran(number: c_int) -> Self {
        number as u32 as usize
    }

    #[inline]
    fn to_fortran(self) -> c_int {
        self as c_int
    }
}

/// A status; Fortran's is an array of as many INTEGERs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct MPI_Status([c_int; special::STATUS]);

/// The constants that are integers.
#[expect(dead_code, reason = "few are needed here")]
pub mod integers {
    use std::ffi::c_int;

    include!(concat!(env!("OUT_DIR"), "/integers.rs"));
}

predefined_attributes! {}

/// The key of an attribute in C, and how C holds it.
pub fn attribute(keyval: c_int) -> (c_int, Held) {
    (keyval, predefined(keyval).unwrap_or(Held::Value))
}

/// The subroutines, and declarations of the C functions that they call.
#[allow(missing_docs, clippy::missing_safety_doc, reason = "each does what its function does")]
#[allow(clippy::too_many_arguments, reason = "MPI's functions have so many")]
pub mod subroutines {
    use std::ffi::{c_char, c_double, c_int, c_void};

    use super::*;
    use crate::convert;
    use crate::convert::*;
    use crate::sections::{Descriptor, Sections};

    include!(concat!(env!("OUT_DIR"), "/subroutines.rs"));
}

/// The processes that a communicator's collectives have data for.
pub fn peers(comm: MPI_Comm) -> c_int {
    lengths(comm).peers
}

/// The neighbors that a process receives from.
pub fn indegree(comm: MPI_Comm) -> c_int {
    lengths(comm).sources
}

/// The neighbors that a process sends to.
pub fn outdegree(comm: MPI_Comm) -> c_int {
    lengths(comm).destinations
}

fn lengths(comm: MPI_Comm) -> ArrayLengths {
    // SAFETY: it takes any number.
    unsafe { dunlin_array_lengths(comm) }
}

library_functions! {
    "" PMPI_Type_commit PMPI_Type_free PMPI_Type_contiguous_c PMPI_Type_create_hvector_c
    PMPI_Type_create_struct_c PMPI_Type_create_resized_c
}
