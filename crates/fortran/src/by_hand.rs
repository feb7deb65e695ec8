//! Subroutines and functions whose form in Fortran is not that of C: beginning, results, text whose
//! length both sides count differently.

use std::ffi::{c_char, c_double, c_int, c_void};
use std::ptr::{null, null_mut};

use crate::convert::*;
use crate::integers::*;
use crate::sections::Descriptor;

/// Each subroutine for each ABI: for the standard's under its name and its profiling name, which
/// calls the profiling name of C, for the others under a name that says which.
macro_rules! both {
    ($($(#[$doc:meta])* $fortran:ident $profiling:ident $($c:ident $pc:ident)*
       ($($name:ident: $ty:ty),*) $(-> $returns:ty)? $body:block)*) => {$(
        both!(@one standard "" $(#[$doc])* $fortran ($($name: $ty),*) $(-> $returns)?
              [$($c = $c)*] $body);
        both!(@one standard "" $(#[$doc])* $profiling ($($name: $ty),*) $(-> $returns)?
              [$($c = $pc)*] $body);
        both!(@one mpich "mpich_" $(#[$doc])* $fortran ($($name: $ty),*) $(-> $returns)?
              [$($c = $c)*] $body);
        both!(@one openmpi "openmpi_" $(#[$doc])* $fortran ($($name: $ty),*) $(-> $returns)?
              [$($c = $c)*] $body);
    )*};
    (@one $abi:ident $prefix:literal $(#[$doc:meta])* $symbol:ident ($($name:ident: $ty:ty),*)
     $(-> $returns:ty)? [$($c:ident = $callee:ident)*] $body:block) => {
        const _: () = {
            #[allow(unused_imports, reason = "each subroutine needs some")]
            use $crate::abis::$abi::{MPI_Comm, MPI_Datatype, MPI_Win, attribute, special};
            $(use $crate::abis::$abi::subroutines::$callee as $c;)*

            $(#[$doc])*
            #[unsafe(export_name = concat!($prefix, stringify!($symbol)))]
            unsafe extern "C" fn exported($($name: $ty),*) $(-> $returns)? {
                // SAFETY: the program passes what the standard says.
                unsafe { $body }
            }
        };
    };
}
pub(crate) use both;

both! {
    /// `MPI_Init`, which has no arguments in Fortran.
    mpi_init_ pmpi_init_ MPI_Init PMPI_Init (ierror: *mut c_int) {
        set(ierror, MPI_Init(null_mut(), null_mut()));
    }

    /// `MPI_Init_thread`, the same.
    mpi_init_thread_ pmpi_init_thread_ MPI_Init_thread PMPI_Init_thread
    (required: *const c_int, provided: *mut c_int, ierror: *mut c_int) {
        set(ierror, MPI_Init_thread(null_mut(), null_mut(), *required, provided));
    }

    /// `MPI_Wtime`, a function.
    mpi_wtime_ pmpi_wtime_ MPI_Wtime PMPI_Wtime () -> c_double {
        MPI_Wtime()
    }

    /// `MPI_Wtick`, a function.
    mpi_wtick_ pmpi_wtick_ MPI_Wtick PMPI_Wtick () -> c_double {
        MPI_Wtick()
    }

    /// `MPI_Aint_add`, a function.
    mpi_aint_add_ pmpi_aint_add_ MPI_Aint_add PMPI_Aint_add
    (base: *const MPI_Aint, disp: *const MPI_Aint) -> MPI_Aint {
        MPI_Aint_add(*base, *disp)
    }

    /// `MPI_Aint_diff`, a function.
    mpi_aint_diff_ pmpi_aint_diff_ MPI_Aint_diff PMPI_Aint_diff
    (first: *const MPI_Aint, second: *const MPI_Aint) -> MPI_Aint {
        MPI_Aint_diff(*first, *second)
    }

    /// `MPI_Pcontrol`, which has no error code in Fortran.
    mpi_pcontrol_ pmpi_pcontrol_ MPI_Pcontrol PMPI_Pcontrol (level: *const c_int) {
        MPI_Pcontrol(*level);
    }

    /// `MPI_Buffer_detach`. Fortran has no pointer to return.
    mpi_buffer_detach_ pmpi_buffer_detach_ MPI_Buffer_detach PMPI_Buffer_detach
    (_buffer: *mut c_void, size: *mut c_int, ierror: *mut c_int) {
        let mut address: *mut c_void = null_mut();
        set(ierror, MPI_Buffer_detach((&raw mut address).cast(), size));
    }

    /// `MPI_Comm_detach_buffer`, the same.
    mpi_comm_detach_buffer_ pmpi_comm_detach_buffer_
    MPI_Comm_detach_buffer PMPI_Comm_detach_buffer
    (comm: *const c_int, _buffer: *mut c_void, size: *mut c_int, ierror: *mut c_int) {
        let mut address: *mut c_void = null_mut();
        set(ierror, MPI_Comm_detach_buffer(handle(*comm), (&raw mut address).cast(), size));
    }

    /// `MPI_Session_detach_buffer`, the same.
    mpi_session_detach_buffer_ pmpi_session_detach_buffer_
    MPI_Session_detach_buffer PMPI_Session_detach_buffer
    (session: *const c_int, _buffer: *mut c_void, size: *mut c_int, ierror: *mut c_int) {
        let mut address: *mut c_void = null_mut();
        set(ierror, MPI_Session_detach_buffer(handle(*session), (&raw mut address).cast(), size));
    }

    /// `MPI_Buffer_detach` of `mpi_f08`.
    mpi_buffer_detach_f08_ pmpi_buffer_detach_f08_ MPI_Buffer_detach PMPI_Buffer_detach
    (buffer: *mut *mut c_void, size: *mut c_int, ierror: *mut c_int) {
        set(ierror, MPI_Buffer_detach(buffer.cast(), size));
    }

    /// `MPI_Comm_detach_buffer` of `mpi_f08`.
    mpi_comm_detach_buffer_f08_ pmpi_comm_detach_buffer_f08_
    MPI_Comm_detach_buffer PMPI_Comm_detach_buffer
    (comm: *const c_int, buffer: *mut *mut c_void, size: *mut c_int, ierror: *mut c_int) {
        set(ierror, MPI_Comm_detach_buffer(handle(*comm), buffer.cast(), size));
    }

    /// `MPI_Session_detach_buffer` of `mpi_f08`.
    mpi_session_detach_buffer_f08_ pmpi_session_detach_buffer_f08_
    MPI_Session_detach_buffer PMPI_Session_detach_buffer
    (session: *const c_int, buffer: *mut *mut c_void, size: *mut c_int, ierror: *mut c_int) {
        set(ierror, MPI_Session_detach_buffer(handle(*session), buffer.cast(), size));
    }

    /// `MPI_Info_create_env`, which has no arguments in Fortran.
    mpi_info_create_env_ pmpi_info_create_env_ MPI_Info_create_env PMPI_Info_create_env
    (info: *mut c_int, ierror: *mut c_int) {
        let mut made = handle(read(info));
        let code = MPI_Info_create_env(0, null_mut(), &raw mut made);
        set(info, number(made));
        set(ierror, code);
    }

    /// `MPI_Info_get`, which leaves the value alone where there is none.
    mpi_info_get_ pmpi_info_get_ MPI_Info_get PMPI_Info_get
    (info: *const c_int, key: *const c_char, valuelen: *const c_int, value: *mut c_char,
     flag: *mut c_int, ierror: *mut c_int, key_len: usize, value_len: usize) {
        let (key, mut room) = (info_text(key, key_len), Room::new((*valuelen).max(0) as usize));
        let code = MPI_Info_get(handle(*info), key.as_ptr(), *valuelen, room.as_mut_ptr(), flag);
        if code == MPI_SUCCESS && *flag != 0 {
            room.give(value, value_len);
        }
        set(ierror, code);
    }

    /// `MPI_Info_get_string`. C counts the zero that ends a text; Fortran has none.
    mpi_info_get_string_ pmpi_info_get_string_ MPI_Info_get_string PMPI_Info_get_string
    (info: *const c_int, key: *const c_char, buflen: *mut c_int, value: *mut c_char,
     flag: *mut c_int, ierror: *mut c_int, key_len: usize, value_len: usize) {
        let wanted = (*buflen).max(0);
        let (mut length, mut room) = (wanted + 1, Room::new(wanted as usize));
        let key = info_text(key, key_len);
        let to = room.as_mut_ptr();
        let code = MPI_Info_get_string(handle(*info), key.as_ptr(), &raw mut length, to, flag);
        if code == MPI_SUCCESS && *flag != 0 {
            *buflen = length - 1;
            if wanted > 0 {
                room.give(value, value_len);
            }
        }
        set(ierror, code);
    }

    /// `MPI_Session_get_nth_pset`, the same.
    mpi_session_get_nth_pset_ pmpi_session_get_nth_pset_
    MPI_Session_get_nth_pset PMPI_Session_get_nth_pset
    (session: *const c_int, info: *const c_int, n: *const c_int, pset_len: *mut c_int,
     pset_name: *mut c_char, ierror: *mut c_int, name_len: usize) {
        let wanted = (*pset_len).max(0);
        let (mut length, mut room) = (wanted + 1, Room::new(wanted as usize));
        if wanted == 0 {
            length = 0;
        }
        let (session, info, to) = (handle(*session), handle(*info), room.as_mut_ptr());
        let code = MPI_Session_get_nth_pset(session, info, *n, &raw mut length, to);
        if code == MPI_SUCCESS {
            *pset_len = length - 1;
            if wanted > 0 {
                room.give(pset_name, name_len);
            }
        }
        set(ierror, code);
    }

    /// `MPI_Abi_get_fortran_booleans`.
    mpi_abi_get_fortran_booleans_ pmpi_abi_get_fortran_booleans_
    MPI_Abi_get_fortran_booleans PMPI_Abi_get_fortran_booleans
    (size: *const c_int, yes: *mut c_void, no: *mut c_void, is_set: *mut c_int,
     ierror: *mut c_int) {
        set(ierror, MPI_Abi_get_fortran_booleans(*size, yes, no, is_set));
    }

    /// `MPI_Abi_set_fortran_booleans`.
    mpi_abi_set_fortran_booleans_ pmpi_abi_set_fortran_booleans_
    MPI_Abi_set_fortran_booleans PMPI_Abi_set_fortran_booleans
    (size: *const c_int, yes: *mut c_void, no: *mut c_void, ierror: *mut c_int) {
        set(ierror, MPI_Abi_set_fortran_booleans(*size, yes, no));
    }

    /// `MPI_Comm_spawn`. The library does not start processes yet: C's function says so.
    mpi_comm_spawn_ pmpi_comm_spawn_ MPI_Comm_spawn PMPI_Comm_spawn
    (command: *const c_char, _argv: *const c_char, maxprocs: *const c_int, info: *const c_int,
     root: *const c_int, comm: *const c_int, intercomm: *mut c_int, codes: *mut c_int,
     ierror: *mut c_int, command_len: usize, _argv_len: usize) {
        let (command, mut made) = (text(command, command_len), handle(read(intercomm)));
        let code = MPI_Comm_spawn(command.as_ptr(), null_mut(), *maxprocs, handle(*info), *root,
            handle(*comm), &raw mut made, special::error_codes(codes));
        set(intercomm, number(made));
        set(ierror, code);
    }

    /// `MPI_Comm_spawn_multiple`, the same.
    mpi_comm_spawn_multiple_ pmpi_comm_spawn_multiple_
    MPI_Comm_spawn_multiple PMPI_Comm_spawn_multiple
    (_count: *const c_int, _commands: *const c_char, _argv: *const c_char,
     _maxprocs: *const c_int, _infos: *const c_int, root: *const c_int, comm: *const c_int,
     intercomm: *mut c_int, codes: *mut c_int, ierror: *mut c_int, _commands_len: usize,
     _argv_len: usize) {
        let mut made = handle(read(intercomm));
        let code = MPI_Comm_spawn_multiple(0, null_mut(), null_mut(), null(), null(), *root,
            handle(*comm), &raw mut made, special::error_codes(codes));
        set(intercomm, number(made));
        set(ierror, code);
    }
}

/// `MPI_F_sync_reg`: that it may read and write the buffer is all that a compiler is to know.
#[unsafe(no_mangle)]
pub extern "C" fn mpi_f_sync_reg_(_buf: *mut c_void) {}

/// Its profiling name.
#[unsafe(no_mangle)]
pub extern "C" fn pmpi_f_sync_reg_(_buf: *mut c_void) {}

/// `MPI_Sizeof` of the modules, for every type.
///
/// # Safety
/// `x` is a descriptor; the others are integers, of which Fortran may leave out the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mpi_sizeof_cdesc_(
    x: *const Descriptor,
    size: *mut c_int,
    ierror: *mut c_int,
) {
    // SAFETY: promised by the caller.
    unsafe {
        set(size, Descriptor::element(x) as c_int);
        set(ierror, MPI_SUCCESS);
    }
}
