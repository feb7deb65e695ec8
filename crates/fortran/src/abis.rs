//! The ABIs that Fortran programs may have been built for: the standard's, and those of other
//! libraries (families), which differ in the numbers of handles, in the variables that stand for no
//! buffer, in the length of a status and in the C functions that a subroutine calls.
//!
//! Each module has the same names, so that one subroutine, written once, serves all: it is compiled
//! with each (`both!`), and what `build.rs` makes is included in each.

pub mod mpich;
pub mod openmpi;
pub mod standard;

/// Implements [`Library`] as `Functions` by C functions of an ABI.
macro_rules! library_functions {
    ($prefix:literal $commit:ident $free:ident $contiguous:ident $hvector:ident $struct:ident
     $resized:ident) => {
        unsafe extern "C" {
            #[link_name = concat!($prefix, "dunlin_stage_request")]
            fn stage(request: *mut MPI_Request, by: StagingFunctions, state: *mut c_void) -> c_int;
            #[link_name = concat!($prefix, "dunlin_dense_size")]
            safe fn dense(datatype: MPI_Datatype) -> MPI_Count;
            #[link_name = concat!($prefix, "dunlin_refuse_buffer")]
            fn refuse(function: Text, comm: *const MPI_Comm, why: Text) -> c_int;
        }

        /// The functions for array sections.
        pub struct Functions;

        /// What a function makes.
        fn made(make: impl FnOnce(*mut MPI_Datatype) -> c_int) -> c_int {
            let mut datatype = handle(MPI_DATATYPE_NULL);
            make(&raw mut datatype);
            number(datatype)
        }

        impl Library for Functions {
            const SUCCESS: c_int = MPI_SUCCESS;
            const REQUEST_NULL: c_int = MPI_REQUEST_NULL;

            fn dense_size(datatype: c_int) -> MPI_Count {
                dense(handle(datatype))
            }

            fn contiguous(count: MPI_Count, of: c_int) -> c_int {
                // SAFETY: the variable is ours, here and below.
                made(|to| unsafe { subroutines::$contiguous(count, handle(of), to) })
            }

            fn hvector(count: MPI_Count, stride: MPI_Count, of: c_int) -> c_int {
                // SAFETY: as above.
                made(|to| unsafe { subroutines::$hvector(count, 1, stride, handle(of), to) })
            }

            fn one_after_other(first: c_int, place: MPI_Count, second: c_int) -> c_int {
                let (lengths, places) = ([1, 1], [0, place]);
                let types = [handle(first), handle(second)];
                let (lengths, places, types) = (lengths.as_ptr(), places.as_ptr(), types.as_ptr());
                // SAFETY: arrays of two, and a variable of ours.
                made(|to| unsafe { subroutines::$struct(2, lengths, places, types, to) })
            }

            fn resized(of: c_int, extent: MPI_Count) -> c_int {
                // SAFETY: as above.
                made(|to| unsafe { subroutines::$resized(handle(of), 0, extent, to) })
            }

            fn commit(datatype: c_int) {
                let mut datatype = handle(datatype);
                // SAFETY: as above.
                unsafe { subroutines::$commit(&raw mut datatype) };
            }

            fn free(datatype: c_int) {
                let mut datatype = handle(datatype);
                // SAFETY: as above.
                unsafe { subroutines::$free(&raw mut datatype) };
            }

            unsafe fn stage_request(
                request: &mut c_int,
                functions: StagingFunctions,
                state: *mut c_void,
            ) -> c_int {
                let mut made = handle(*request);
                // SAFETY: promised by the caller.
                let code = unsafe { stage(&raw mut made, functions, state) };
                *request = number(made);
                code
            }

            fn refuse(function: Text, comm: Option<c_int>, why: Text) -> c_int {
                let comm = comm.map(handle);
                let comm = comm.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
                // SAFETY: both texts are static.
                unsafe { refuse(function, comm, why) }
            }
        }
    };
}
use library_functions;

/// How C holds the predefined attributes, by the keys of an ABI, whose `integers` are in scope.
macro_rules! predefined_attributes {
    () => {
        fn predefined(keyval: c_int) -> Option<Held> {
            match keyval {
                MPI_TAG_UB
                | MPI_IO
                | MPI_HOST
                | MPI_WTIME_IS_GLOBAL
                | MPI_APPNUM
                | MPI_LASTUSEDCODE
                | MPI_UNIVERSE_SIZE
                | MPI_WIN_DISP_UNIT
                | MPI_WIN_CREATE_FLAVOR
                | MPI_WIN_MODEL => Some(Held::Int),
                MPI_WIN_SIZE => Some(Held::Aint),
                MPI_WIN_BASE => Some(Held::Value),
                _ => None,
            }
        }
    };
}
use predefined_attributes;

/// Handles that are of one type.
macro_rules! handle_types {
    ($ty:ty: $($name:ident)*) => {
        $(pub type $name = $ty;)*
    };
}
use handle_types;

/// What both families have in the same words: the subroutines that were made for them, and lengths
/// that a communicator tells.
macro_rules! family {
    ($subroutines:literal $lengths:literal) => {
        /// The subroutines, and declarations of the C functions that they call.
        #[allow(missing_docs, clippy::missing_safety_doc, reason = "each does as its function")]
        #[allow(clippy::too_many_arguments, reason = "MPI's functions have so many")]
        pub mod subroutines {
            use std::ffi::{c_char, c_double, c_int, c_void};

            use super::*;
            use crate::convert;
            use crate::convert::*;

            include!(concat!(env!("OUT_DIR"), $subroutines));
        }

        unsafe extern "C" {
            #[link_name = $lengths]
            safe fn lengths(comm: MPI_Comm) -> crate::library::ArrayLengths;
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
    };
}
use family;
