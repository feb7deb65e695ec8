//! Functions of the program that C calls: each has a C function in front of it, which finds it
//! through the pointer that C passes on for the program. (Operators and error handlers have none:
//! they take the addresses of their arguments in both languages, and a C handle begins with the
//! INTEGER that is the Fortran handle.)

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

use crate::attributes::{forget, keep, value};
use crate::by_hand::both;
use crate::convert::*;
use crate::integers::*;

const _: () = assert!(cfg!(target_endian = "little"), "a handle of C begins with its lowest bytes");

type Copy = unsafe extern "C" fn(
    *const c_int,
    *const c_int,
    *const c_void,
    *const c_void,
    *mut c_void,
    *mut c_int,
    *mut c_int,
);
type Delete =
    unsafe extern "C" fn(*const c_int, *const c_int, *const c_void, *const c_void, *mut c_int);

/// The functions of an attribute key, and what they get. It lives as long as the process: a key
/// that was freed is still used by the attributes that there are.
struct Key {
    copy: Copy,
    delete: Delete,
    extra_state: MPI_Aint,
}

unsafe extern "C" fn copy<H: Handle>(
    object: H,
    keyval: c_int,
    key: *mut c_void,
    held: *mut c_void,
    to: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    let (number, mut ierror, mut copied) = (number(object), MPI_SUCCESS, 0 as MPI_Aint);
    // SAFETY: `key` was made by `create`; the other addresses are C's, or of our variables.
    unsafe {
        let (key, value) = (&*key.cast::<Key>(), value(held));
        let (extra, from, into) = (&raw const key.extra_state, &raw const value, &raw mut copied);
        let (number, keyval) = (&raw const number, &raw const keyval);
        let (extra, from, into) = (extra.cast(), from.cast(), into.cast());
        (key.copy)(number, keyval, extra, from, into, flag, &raw mut ierror);
        if ierror == MPI_SUCCESS && *flag != 0 {
            *to.cast::<*mut c_void>() = keep(copied);
        }
    }
    ierror
}

unsafe extern "C" fn delete<H: Handle>(
    object: H,
    keyval: c_int,
    held: *mut c_void,
    key: *mut c_void,
) -> c_int {
    let (number, mut ierror) = (number(object), MPI_SUCCESS);
    // SAFETY: as above.
    unsafe {
        let (key, value) = (&*key.cast::<Key>(), value(held));
        let (extra, from) = (&raw const key.extra_state, &raw const value);
        let (number, keyval) = (&raw const number, &raw const keyval);
        (key.delete)(number, keyval, from.cast(), extra.cast(), &raw mut ierror);
    }
    if ierror == MPI_SUCCESS {
        forget(held);
    }
    ierror
}

type Create = unsafe extern "C" fn(
    Option<AnyFunction>,
    Option<AnyFunction>,
    *mut c_int,
    *mut c_void,
) -> c_int;

unsafe fn create<H: Handle>(
    function: Create,
    [copy_fn, delete_fn]: [*const c_void; 2],
    keyval: *mut c_int,
    extra_state: MPI_Aint,
) -> c_int {
    // SAFETY: the program passes functions of these types, the C function calls ours with what its
    // own types say.
    unsafe {
        let key = Key {
            copy: std::mem::transmute::<*const c_void, Copy>(copy_fn),
            delete: std::mem::transmute::<*const c_void, Delete>(delete_fn),
            extra_state,
        };
        let key: *mut c_void = Box::into_raw(Box::new(key)).cast();
        let (copy, delete) = (copy::<H> as *const c_void, delete::<H> as *const c_void);
        function(crate::convert::function(copy), crate::convert::function(delete), keyval, key)
    }
}

both! {
    /// `MPI_Comm_create_keyval`.
    mpi_comm_create_keyval_ pmpi_comm_create_keyval_
    MPI_Comm_create_keyval PMPI_Comm_create_keyval
    (copy: *const c_void, delete: *const c_void, keyval: *mut c_int, extra: *const MPI_Aint,
     ierror: *mut c_int) {
        set(ierror, create::<MPI_Comm>(MPI_Comm_create_keyval, [copy, delete], keyval, *extra));
    }

    /// `MPI_Type_create_keyval`.
    mpi_type_create_keyval_ pmpi_type_create_keyval_
    MPI_Type_create_keyval PMPI_Type_create_keyval
    (copy: *const c_void, delete: *const c_void, keyval: *mut c_int, extra: *const MPI_Aint,
     ierror: *mut c_int) {
        set(ierror, create::<MPI_Datatype>(MPI_Type_create_keyval, [copy, delete], keyval, *extra));
    }

    /// `MPI_Win_create_keyval`.
    mpi_win_create_keyval_ pmpi_win_create_keyval_
    MPI_Win_create_keyval PMPI_Win_create_keyval
    (copy: *const c_void, delete: *const c_void, keyval: *mut c_int, extra: *const MPI_Aint,
     ierror: *mut c_int) {
        set(ierror, create::<MPI_Win>(MPI_Win_create_keyval, [copy, delete], keyval, *extra));
    }

    /// `MPI_Keyval_create`, whose functions have INTEGERs: the first half of ours.
    mpi_keyval_create_ pmpi_keyval_create_ MPI_Keyval_create PMPI_Keyval_create
    (copy: *const c_void, delete: *const c_void, keyval: *mut c_int, extra: *const c_int,
     ierror: *mut c_int) {
        let extra = *extra as MPI_Aint;
        set(ierror, create::<MPI_Comm>(MPI_Keyval_create, [copy, delete], keyval, extra));
    }
}

/// Copies nothing.
///
/// # Safety
/// `flag` and `ierror` point to variables.
unsafe fn copy_nothing(flag: *mut c_int, ierror: *mut c_int) {
    // SAFETY: promised by the caller.
    unsafe {
        *flag = 0;
        *ierror = MPI_SUCCESS;
    }
}

macro_rules! predefined {
    ($value:ty: $($null:ident $dup:ident $delete:ident)*) => {$(
        /// The predefined function that copies nothing.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $null(_: *const c_int, _: *const c_int, _: *const c_void,
            _: *const $value, _: *mut $value, flag: *mut c_int, ierror: *mut c_int) {
            // SAFETY: the addresses of the caller's variables.
            unsafe { copy_nothing(flag, ierror) };
        }

        /// The predefined function that copies the value as it is.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $dup(_: *const c_int, _: *const c_int, _: *const c_void,
            from: *const $value, to: *mut $value, flag: *mut c_int, ierror: *mut c_int) {
            // SAFETY: as above.
            unsafe {
                *to = *from;
                *flag = 1;
                *ierror = MPI_SUCCESS;
            }
        }

        /// The predefined function that has nothing to do.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $delete(_: *const c_int, _: *const c_int, _: *const c_void,
            _: *const c_void, ierror: *mut c_int) {
            // SAFETY: as above.
            unsafe { *ierror = MPI_SUCCESS };
        }
    )*};
}

predefined! { MPI_Aint:
    mpi_comm_null_copy_fn_ mpi_comm_dup_fn_ mpi_comm_null_delete_fn_
    mpi_type_null_copy_fn_ mpi_type_dup_fn_ mpi_type_null_delete_fn_
    mpi_win_null_copy_fn_ mpi_win_dup_fn_ mpi_win_null_delete_fn_
}
predefined! { c_int: mpi_null_copy_fn_ mpi_dup_fn_ mpi_null_delete_fn_ }

/// Stands for a conversion that is not needed; nobody calls it.
#[unsafe(no_mangle)]
pub extern "C" fn mpi_conversion_fn_null_() {}

/// The same with large counts.
#[unsafe(no_mangle)]
pub extern "C" fn mpi_conversion_fn_null_c_() {}

type Query = unsafe extern "C" fn(*const MPI_Aint, *mut c_void, *mut c_int);
type Free = unsafe extern "C" fn(*const MPI_Aint, *mut c_int);
type Cancel = unsafe extern "C" fn(*const MPI_Aint, *const c_int, *mut c_int);

/// The functions of a generalized request.
struct Grequest {
    query: Query,
    free: Free,
    cancel: Cancel,
    /// The program's variable, as other libraries pass it: functions may change it.
    extra_state: *const MPI_Aint,
}

unsafe extern "C" fn query(request: *mut c_void, status: *mut c_void) -> c_int {
    let mut ierror = MPI_SUCCESS;
    // SAFETY: `request` was made by `mpi_grequest_start_`, and lives until `free`.
    unsafe {
        let request = &*request.cast::<Grequest>();
        (request.query)(request.extra_state, status, &raw mut ierror);
    }
    ierror
}

unsafe extern "C" fn free(request: *mut c_void) -> c_int {
    let mut ierror = MPI_SUCCESS;
    // SAFETY: as above; nobody uses it after this.
    unsafe {
        let request = Box::from_raw(request.cast::<Grequest>());
        (request.free)(request.extra_state, &raw mut ierror);
    }
    ierror
}

unsafe extern "C" fn cancel(request: *mut c_void, complete: c_int) -> c_int {
    let mut ierror = MPI_SUCCESS;
    // SAFETY: as for `query`.
    unsafe {
        let request = &*request.cast::<Grequest>();
        (request.cancel)(request.extra_state, &raw const complete, &raw mut ierror);
    }
    ierror
}

both! {
    /// `MPI_Grequest_start`.
    mpi_grequest_start_ pmpi_grequest_start_ MPI_Grequest_start PMPI_Grequest_start
    (query_fn: *const c_void, free_fn: *const c_void, cancel_fn: *const c_void,
     extra: *const MPI_Aint, request: *mut c_int, ierror: *mut c_int) {
        let functions = Grequest {
            query: std::mem::transmute::<*const c_void, Query>(query_fn),
            free: std::mem::transmute::<*const c_void, Free>(free_fn),
            cancel: std::mem::transmute::<*const c_void, Cancel>(cancel_fn),
            extra_state: extra,
        };
        let state: *mut c_void = Box::into_raw(Box::new(functions)).cast();
        let [query, free, cancel] =
            [query as *const c_void, free as *const c_void, cancel as *const c_void].map(function);
        let mut made = handle(read(request));
        let code = MPI_Grequest_start(query, free, cancel, state, &raw mut made);
        set(request, number(made));
        set(ierror, code);
    }

    /// `MPI_Register_datarep`. The library does not convert files: C's function says so.
    mpi_register_datarep_ pmpi_register_datarep_ MPI_Register_datarep PMPI_Register_datarep
    (name: *const std::ffi::c_char, _read: *const c_void, _write: *const c_void,
     _extent: *const c_void, _extra: *const MPI_Aint, ierror: *mut c_int, name_len: usize) {
        let name = text(name, name_len);
        set(ierror, MPI_Register_datarep(name.as_ptr(), None, None, None, null_mut()));
    }
}
