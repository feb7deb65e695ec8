//! The Fortran entry points of MPI: `mpi_send_` and its kin convert their arguments and call the C
//! functions of `libmpi_abi.so`.
#![expect(non_camel_case_types, reason = "the names of MPI")]

mod attributes;
mod by_hand;
mod callbacks;
mod convert;
mod library;
mod removed;
mod sections;
mod special;

/// The generated part: declarations of the C functions, and the subroutines that call them.
#[allow(missing_docs, clippy::missing_safety_doc, reason = "each does what its function does")]
#[allow(clippy::too_many_arguments, reason = "MPI's functions have so many")]
mod subroutines {
    use std::ffi::{c_char, c_double, c_int, c_void};

    use crate::convert::*;
    use crate::integers::MPI_REQUEST_NULL;
    use crate::sections::{Descriptor, Sections};
    use crate::{convert, special};

    include!(concat!(env!("OUT_DIR"), "/subroutines.rs"));
}

/// The constants that are integers.
#[expect(dead_code, reason = "few are needed here")]
mod integers {
    use std::ffi::c_int;

    include!(concat!(env!("OUT_DIR"), "/integers.rs"));
}
