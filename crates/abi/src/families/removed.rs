//! Functions that MPI 3.0 removed and programs still call, and those that convert handles to
//! Fortran's and back, which the standard ABI has by other names.

use std::ffi::{CStr, c_char, c_int, c_void};

use super::convert::code_back;
use super::functions::*;
use super::types::*;
use super::{Family, Foreign, callbacks, export_family, families};
use crate::raise::{self, Owner};
use crate::standard::constants::{MPI_ERR_ARG, MPI_SUCCESS};
use crate::standard::types::*;

/// The lower bound and the extent of a datatype.
///
/// # Safety
/// As MPI_Type_get_extent.
unsafe fn extent<F: Family>(
    datatype: Datatype<F>,
    to: *mut MPI_Aint,
    choose: fn(MPI_Aint, MPI_Aint) -> MPI_Aint,
) -> c_int {
    let (mut lb, mut extent) = (0, 0);
    // SAFETY: promised by the caller.
    unsafe {
        let code = MPI_Type_get_extent::<F>(datatype, &raw mut lb, &raw mut extent);
        match (code, to.as_mut()) {
            (MPI_SUCCESS, None) => code_back::<F>(MPI_ERR_ARG),
            (MPI_SUCCESS, Some(to)) => {
                *to = choose(lb, extent);
                code
            }
            _ => code,
        }
    }
}

families! {
    fn MPI_Address(location: *const c_void, address: *mut MPI_Aint) -> c_int {
        // SAFETY: the program promises what the replacement requires.
        unsafe { MPI_Get_address::<F>(location, address) }
    }

    fn MPI_Type_extent(datatype: Datatype<F>, to: *mut MPI_Aint) -> c_int {
        // SAFETY: as above.
        unsafe { extent::<F>(datatype, to, |_, extent| extent) }
    }

    fn MPI_Type_lb(datatype: Datatype<F>, displacement: *mut MPI_Aint) -> c_int {
        // SAFETY: as above.
        unsafe { extent::<F>(datatype, displacement, |lb, _| lb) }
    }

    fn MPI_Type_ub(datatype: Datatype<F>, displacement: *mut MPI_Aint) -> c_int {
        // SAFETY: as above.
        unsafe { extent::<F>(datatype, displacement, |lb, extent| lb + extent) }
    }

    fn MPI_Type_hvector(
        count: c_int, blocklength: c_int, stride: MPI_Aint, oldtype: Datatype<F>,
        newtype: *mut Datatype<F>,
    ) -> c_int {
        // SAFETY: as above.
        unsafe { MPI_Type_create_hvector::<F>(count, blocklength, stride, oldtype, newtype) }
    }

    fn MPI_Type_hindexed(
        count: c_int, blocklengths: *const c_int, displacements: *const MPI_Aint,
        oldtype: Datatype<F>, newtype: *mut Datatype<F>,
    ) -> c_int {
        // SAFETY: as above.
        unsafe {
            MPI_Type_create_hindexed::<F>(count, blocklengths, displacements, oldtype, newtype)
        }
    }

    fn MPI_Type_struct(
        count: c_int, blocklengths: *const c_int, displacements: *const MPI_Aint,
        types: *const Datatype<F>, newtype: *mut Datatype<F>,
    ) -> c_int {
        // SAFETY: as above.
        unsafe {
            MPI_Type_create_struct::<F>(count, blocklengths, displacements, types, newtype)
        }
    }

    fn MPI_Errhandler_create(
        function: Option<callbacks::Handle<Comm<F>>>, errhandler: *mut Errhandler<F>,
    ) -> c_int {
        // SAFETY: as above.
        unsafe { callbacks::MPI_Comm_create_errhandler::<F>(function, errhandler) }
    }

    fn MPI_Errhandler_get(comm: Comm<F>, errhandler: *mut Errhandler<F>) -> c_int {
        // SAFETY: as above.
        unsafe { MPI_Comm_get_errhandler::<F>(comm, errhandler) }
    }

    fn MPI_Errhandler_set(comm: Comm<F>, errhandler: Errhandler<F>) -> c_int {
        // SAFETY: as above.
        unsafe { MPI_Comm_set_errhandler::<F>(comm, errhandler) }
    }
}

/// The functions that convert handles.
macro_rules! fortran {
    ($($kind:ident $to:ident $from:ident;)*) => {
        families! {$(
            fn $to(handle: $kind<F>) -> c_int {
                handle.to_fortran()
            }

            fn $from(handle: c_int) -> $kind<F> {
                Foreign::from_fortran(handle)
            }
        )*}
    };
}

fortran! {
    Comm MPI_Comm_c2f MPI_Comm_f2c;
    Datatype MPI_Type_c2f MPI_Type_f2c;
    Errhandler MPI_Errhandler_c2f MPI_Errhandler_f2c;
    File MPI_File_c2f MPI_File_f2c;
    Group MPI_Group_c2f MPI_Group_f2c;
    Info MPI_Info_c2f MPI_Info_f2c;
    Message MPI_Message_c2f MPI_Message_f2c;
    Op MPI_Op_c2f MPI_Op_f2c;
    Request MPI_Request_c2f MPI_Request_f2c;
    Session MPI_Session_c2f MPI_Session_f2c;
    Win MPI_Win_c2f MPI_Win_f2c;
}

/// Copies a status: in both families Fortran's has the members of C's, in their order.
///
/// # Safety
/// `from` stands for none or points to a status, `to` points to one.
unsafe fn copy_status<F: Family>(from: *const c_void, to: *mut c_void) -> c_int {
    let from = from.cast::<Status<F>>();
    if F::is_ignored(from) || to.is_null() {
        return code_back::<F>(MPI_ERR_ARG);
    }
    // SAFETY: promised by the caller. Integers of Fortran may lie at addresses of half a long.
    unsafe { to.cast::<Status<F>>().write_unaligned(from.read_unaligned()) };
    MPI_SUCCESS
}

macro_rules! statuses {
    ($($name:ident)*) => {
        families! {$(
            fn $name(from: *const c_void, to: *mut c_void) -> c_int {
                // SAFETY: the program passes the addresses of statuses.
                unsafe { copy_status::<F>(from, to) }
            }
        )*}
    };
}

statuses! {
    MPI_Status_c2f MPI_Status_f2c MPI_Status_c2f08 MPI_Status_f082c MPI_Status_f082f
    MPI_Status_f2f08
}

families! {
    // Whether buffers in the memory of an accelerator may be passed.
    fn MPIX_Query_cuda_support() -> c_int {
        0
    }

    fn MPIX_Query_rocm_support() -> c_int {
        0
    }

    fn MPIX_Query_hip_support() -> c_int {
        0
    }

    fn MPIX_Query_ze_support() -> c_int {
        0
    }

    // A function of the family that is not there.
    fn unsupported(name: *const c_char) -> c_int {
        // SAFETY: the library of the family's name passes a static text.
        let name = unsafe { CStr::from_ptr::<'static>(name) }.to_str().unwrap_or("the function");
        code_back::<F>(raise::unsupported(name, Owner::None))
    }
}
