//! Subroutines that MPI 3.0 removed and programs still call: each calls its replacement. Their
//! displacements are INTEGERs, also those that are addresses.

use std::ffi::{c_int, c_void};

use crate::by_hand::both;
use crate::convert::*;

/// Displacements as C has them.
///
/// # Safety
/// There are as many INTEGERs.
unsafe fn wide(from: *const c_int, count: c_int) -> Vec<MPI_Aint> {
    // SAFETY: promised by the caller.
    (0..count.max(0) as usize).map(|i| unsafe { *from.add(i) } as MPI_Aint).collect()
}

both! {
    /// `MPI_Address`. On machines with long addresses only their differences are right.
    mpi_address_ pmpi_address_ MPI_Get_address PMPI_Get_address
    (location: *mut c_void, address: *mut c_int, ierror: *mut c_int) {
        let mut found = 0;
        let code = MPI_Get_address(special::buffer(location), &raw mut found);
        set(address, found as c_int);
        set(ierror, code);
    }

    /// `MPI_Type_extent`.
    mpi_type_extent_ pmpi_type_extent_ MPI_Type_get_extent PMPI_Type_get_extent
    (datatype: *const c_int, extent: *mut c_int, ierror: *mut c_int) {
        let (mut lb, mut found) = (0, 0);
        let code = MPI_Type_get_extent(handle(*datatype), &raw mut lb, &raw mut found);
        set(extent, found as c_int);
        set(ierror, code);
    }

    /// `MPI_Type_lb`.
    mpi_type_lb_ pmpi_type_lb_ MPI_Type_get_extent PMPI_Type_get_extent
    (datatype: *const c_int, displacement: *mut c_int, ierror: *mut c_int) {
        let (mut lb, mut extent) = (0, 0);
        let code = MPI_Type_get_extent(handle(*datatype), &raw mut lb, &raw mut extent);
        set(displacement, lb as c_int);
        set(ierror, code);
    }

    /// `MPI_Type_ub`.
    mpi_type_ub_ pmpi_type_ub_ MPI_Type_get_extent PMPI_Type_get_extent
    (datatype: *const c_int, displacement: *mut c_int, ierror: *mut c_int) {
        let (mut lb, mut extent) = (0, 0);
        let code = MPI_Type_get_extent(handle(*datatype), &raw mut lb, &raw mut extent);
        set(displacement, (lb + extent) as c_int);
        set(ierror, code);
    }

    /// `MPI_Type_hvector`.
    mpi_type_hvector_ pmpi_type_hvector_ MPI_Type_create_hvector PMPI_Type_create_hvector
    (count: *const c_int, blocklength: *const c_int, stride: *const c_int,
     oldtype: *const c_int, newtype: *mut c_int, ierror: *mut c_int) {
        let (mut made, stride) = (handle(read(newtype)), *stride as MPI_Aint);
        let code = MPI_Type_create_hvector(*count, *blocklength, stride, handle(*oldtype),
            &raw mut made);
        set(newtype, number(made));
        set(ierror, code);
    }

    /// `MPI_Type_hindexed`.
    mpi_type_hindexed_ pmpi_type_hindexed_ MPI_Type_create_hindexed PMPI_Type_create_hindexed
    (count: *const c_int, lengths: *const c_int, displacements: *const c_int,
     oldtype: *const c_int, newtype: *mut c_int, ierror: *mut c_int) {
        let (mut made, at) = (handle(read(newtype)), wide(displacements, *count));
        let code = MPI_Type_create_hindexed(*count, lengths, at.as_ptr(), handle(*oldtype),
            &raw mut made);
        set(newtype, number(made));
        set(ierror, code);
    }

    /// `MPI_Type_struct`.
    mpi_type_struct_ pmpi_type_struct_ MPI_Type_create_struct PMPI_Type_create_struct
    (count: *const c_int, lengths: *const c_int, displacements: *const c_int,
     types: *const c_int, newtype: *mut c_int, ierror: *mut c_int) {
        let (mut made, at) = (handle(read(newtype)), wide(displacements, *count));
        let types = handles(types, *count);
        let code = MPI_Type_create_struct(*count, lengths, at.as_ptr(), types.as_ptr(),
            &raw mut made);
        set(newtype, number(made));
        set(ierror, code);
    }

    /// `MPI_Errhandler_create`.
    mpi_errhandler_create_ pmpi_errhandler_create_
    MPI_Comm_create_errhandler PMPI_Comm_create_errhandler
    (handler: *const c_void, errhandler: *mut c_int, ierror: *mut c_int) {
        let mut made = handle(read(errhandler));
        let code = MPI_Comm_create_errhandler(function(handler), &raw mut made);
        set(errhandler, number(made));
        set(ierror, code);
    }

    /// `MPI_Errhandler_get`.
    mpi_errhandler_get_ pmpi_errhandler_get_ MPI_Comm_get_errhandler PMPI_Comm_get_errhandler
    (comm: *const c_int, errhandler: *mut c_int, ierror: *mut c_int) {
        let mut found = handle(read(errhandler));
        let code = MPI_Comm_get_errhandler(handle(*comm), &raw mut found);
        set(errhandler, number(found));
        set(ierror, code);
    }

    /// `MPI_Errhandler_set`.
    mpi_errhandler_set_ pmpi_errhandler_set_ MPI_Comm_set_errhandler PMPI_Comm_set_errhandler
    (comm: *const c_int, errhandler: *const c_int, ierror: *mut c_int) {
        set(ierror, MPI_Comm_set_errhandler(handle(*comm), handle(*errhandler)));
    }
}
