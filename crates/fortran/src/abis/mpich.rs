//! The ABI of MPICH and of the libraries that keep it. Handles are INTEGERs in C too, but those of
//! files.

use std::ffi::{c_int, c_void};

use integers::*;

use super::{family, handle_types, library_functions, predefined_attributes};
use crate::convert::{Handle, MPI_Count, handle, number};
use crate::gfortran;
use crate::library::{Held, Library, StagingFunctions, Text};
use crate::sections::{Descriptor, Sections};

handle_types! { c_int:
    MPI_Comm MPI_Datatype MPI_Errhandler MPI_Group MPI_Info MPI_Message MPI_Op MPI_Request
    MPI_Session MPI_Win
}

impl Handle for c_int {
    #[inline]
    fn from_fortran(number: c_int) -> Self {
        number
    }

    #[inline]
    fn to_fortran(self) -> c_int {
        self
    }
}

/// A file is an address in C.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct MPI_File(usize);

impl Handle for MPI_File {
    fn from_fortran(number: c_int) -> Self {
        MPI_File(number as u32 as usize)
    }

    fn to_fortran(self) -> c_int {
        self.0 as c_int
    }
}

/// A status; Fortran's is an array of as many INTEGERs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct MPI_Status([c_int; 5]);

/// The constants that are integers.
#[expect(dead_code, reason = "few are needed here")]
pub mod integers {
    use std::ffi::c_int;

    include!(concat!(env!("OUT_DIR"), "/mpich_integers.rs"));
}

predefined_attributes! {}

/// The key of an attribute in C, and how C holds it. Fortran's numbers of the predefined ones are
/// those of C plus one.
pub fn attribute(keyval: c_int) -> (c_int, Held) {
    match predefined(keyval - 1) {
        Some(held) => (keyval - 1, held),
        None => (keyval, Held::Value),
    }
}

pub mod special {
    use super::MPI_Status;
    use crate::sentinels::{MPICH, functions};

    functions! { MPICH }
}

family! { "/mpich_subroutines.rs" "mpich_dunlin_array_lengths" }

library_functions! {
    "mpich_" MPI_Type_commit MPI_Type_free MPI_Type_contiguous_c MPI_Type_create_hvector_c
    MPI_Type_create_struct_c MPI_Type_create_resized_c
}
