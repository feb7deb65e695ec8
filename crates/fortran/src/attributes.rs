//! Attributes (MPI 5.0, section 19.3.7): Fortran's values are integers. C sees the address of such
//! an integer, and Fortran sees C's addresses as integers.

use std::collections::HashSet;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::by_hand::both;
use crate::convert::*;
use crate::integers::MPI_SUCCESS;
use crate::library::Held;

/// The addresses of values that Fortran has set.
static OF_FORTRAN: LazyLock<Mutex<HashSet<usize>>> = LazyLock::new(Mutex::default);

/// What C is to hold for a value of Fortran's. Given back by [`forget`].
pub fn keep(value: MPI_Aint) -> *mut c_void {
    let kept: *mut c_void = Box::into_raw(Box::new(value)).cast();
    of_fortran(|all| all.insert(kept.expose_provenance()));
    kept
}

/// Fortran's value for what C holds.
///
/// # Safety
/// It is what an attribute function of C returned.
pub unsafe fn value(held: *mut c_void) -> MPI_Aint {
    match of_fortran(|all| all.contains(&held.addr())) {
        // SAFETY: made by `keep`, and not forgotten.
        true => unsafe { *held.cast::<MPI_Aint>() },
        false => held.expose_provenance() as MPI_Aint,
    }
}

/// The attribute is gone.
pub fn forget(held: *mut c_void) {
    if of_fortran(|all| all.remove(&held.addr())) {
        // SAFETY: made by `keep`, and now forgotten.
        drop(unsafe { Box::from_raw(held.cast::<MPI_Aint>()) });
    }
}

fn of_fortran<R>(f: impl FnOnce(&mut HashSet<usize>) -> R) -> R {
    f(&mut OF_FORTRAN.lock().unwrap_or_else(PoisonError::into_inner))
}

type Get<H> = unsafe extern "C" fn(H, c_int, *mut c_void, *mut c_int) -> c_int;

/// Fortran's value of an attribute; `None` if there is none.
unsafe fn get<H: Handle>(
    function: Get<H>,
    object: c_int,
    (keyval, held_as): (c_int, Held),
    flag: *mut c_int,
) -> (c_int, Option<MPI_Aint>) {
    let mut held: *mut c_void = null_mut();
    // SAFETY: the program passes what the standard says, and the other variable is ours.
    unsafe {
        let code = function(handle(object), keyval, (&raw mut held).cast(), flag);
        if code != MPI_SUCCESS || *flag == 0 {
            return (code, None);
        }
        let found = match held_as {
            Held::Aint => *held.cast::<MPI_Aint>(),
            Held::Int => *held.cast::<c_int>() as MPI_Aint,
            Held::Value => value(held),
        };
        (code, Some(found))
    }
}

both! {
    /// `MPI_Comm_get_attr`.
    mpi_comm_get_attr_ pmpi_comm_get_attr_ MPI_Comm_get_attr PMPI_Comm_get_attr
    (comm: *const c_int, keyval: *const c_int, to: *mut MPI_Aint, flag: *mut c_int,
     ierror: *mut c_int) {
        let (code, found) = get(MPI_Comm_get_attr, *comm, attribute(*keyval), flag);
        found.inspect(|value| *to = *value);
        set(ierror, code);
    }

    /// `MPI_Type_get_attr`.
    mpi_type_get_attr_ pmpi_type_get_attr_ MPI_Type_get_attr PMPI_Type_get_attr
    (datatype: *const c_int, keyval: *const c_int, to: *mut MPI_Aint, flag: *mut c_int,
     ierror: *mut c_int) {
        let (code, found) = get(MPI_Type_get_attr, *datatype, attribute(*keyval), flag);
        found.inspect(|value| *to = *value);
        set(ierror, code);
    }

    /// `MPI_Win_get_attr`.
    mpi_win_get_attr_ pmpi_win_get_attr_ MPI_Win_get_attr PMPI_Win_get_attr
    (win: *const c_int, keyval: *const c_int, to: *mut MPI_Aint, flag: *mut c_int,
     ierror: *mut c_int) {
        let (code, found) = get(MPI_Win_get_attr, *win, attribute(*keyval), flag);
        found.inspect(|value| *to = *value);
        set(ierror, code);
    }

    /// `MPI_Attr_get`: the value is an INTEGER.
    mpi_attr_get_ pmpi_attr_get_ MPI_Attr_get PMPI_Attr_get
    (comm: *const c_int, keyval: *const c_int, to: *mut c_int, flag: *mut c_int,
     ierror: *mut c_int) {
        let (code, found) = get(MPI_Attr_get, *comm, attribute(*keyval), flag);
        found.inspect(|value| *to = *value as c_int);
        set(ierror, code);
    }

    /// `MPI_Comm_set_attr`.
    mpi_comm_set_attr_ pmpi_comm_set_attr_ MPI_Comm_set_attr PMPI_Comm_set_attr
    (comm: *const c_int, keyval: *const c_int, from: *const MPI_Aint, ierror: *mut c_int) {
        set(ierror, put(MPI_Comm_set_attr, *comm, attribute(*keyval), *from));
    }

    /// `MPI_Type_set_attr`.
    mpi_type_set_attr_ pmpi_type_set_attr_ MPI_Type_set_attr PMPI_Type_set_attr
    (datatype: *const c_int, keyval: *const c_int, from: *const MPI_Aint, ierror: *mut c_int) {
        set(ierror, put(MPI_Type_set_attr, *datatype, attribute(*keyval), *from));
    }

    /// `MPI_Win_set_attr`.
    mpi_win_set_attr_ pmpi_win_set_attr_ MPI_Win_set_attr PMPI_Win_set_attr
    (win: *const c_int, keyval: *const c_int, from: *const MPI_Aint, ierror: *mut c_int) {
        set(ierror, put(MPI_Win_set_attr, *win, attribute(*keyval), *from));
    }

    /// `MPI_Attr_put`: the value is an INTEGER.
    mpi_attr_put_ pmpi_attr_put_ MPI_Attr_put PMPI_Attr_put
    (comm: *const c_int, keyval: *const c_int, from: *const c_int, ierror: *mut c_int) {
        set(ierror, put(MPI_Attr_put, *comm, attribute(*keyval), *from as MPI_Aint));
    }
}

type Put<H> = unsafe extern "C" fn(H, c_int, *mut c_void) -> c_int;

unsafe fn put<H: Handle>(
    function: Put<H>,
    object: c_int,
    (keyval, _): (c_int, Held),
    value: MPI_Aint,
) -> c_int {
    let kept = keep(value);
    // SAFETY: the program passes what the standard says.
    let code = unsafe { function(handle(object), keyval, kept) };
    if code != MPI_SUCCESS {
        forget(kept);
    }
    code
}
