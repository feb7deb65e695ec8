//! The types of the standard ABI: integers, handles, statuses, callbacks.
#![allow(missing_docs, reason = "the names are the standard's own")]

use std::ffi::{c_int, c_uint, c_void};

pub type MPI_Aint = isize;
pub type MPI_Offset = i64;
pub type MPI_Count = i64;

/// A handle is a pointer to the C compiler and a number to us: nothing is ever behind it.
macro_rules! handle_types {
    ($($name:ident),* $(,)?) => {$(
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name(pub(in crate::standard) usize);
    )*};
}

handle_types! {
    MPI_Comm, MPI_Datatype, MPI_Errhandler, MPI_File, MPI_Group, MPI_Info, MPI_Message, MPI_Op,
    MPI_Request, MPI_Session, MPI_Win,
    MPI_T_enum, MPI_T_cvar_handle, MPI_T_pvar_handle, MPI_T_pvar_session,
    MPI_T_event_registration, MPI_T_event_instance,
}

pub type MPI_T_cb_safety = c_uint;
pub type MPI_T_source_order = c_uint;

/// What a completed operation tells.
#[allow(non_snake_case, reason = "the names are the standard's own")]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MPI_Status {
    /// Rank of the sender.
    pub MPI_SOURCE: c_int,
    /// Tag of the message.
    pub MPI_TAG: c_int,
    /// Error code; set only by functions that complete several operations.
    pub MPI_ERROR: c_int,
    /// Ours (`status.rs`).
    pub(in crate::standard) MPI_internal: [c_int; 5],
}

pub type MPI_User_function =
    unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut MPI_Datatype);
pub type MPI_User_function_c =
    unsafe extern "C" fn(*mut c_void, *mut c_void, *mut MPI_Count, *mut MPI_Datatype);

pub type MPI_Comm_errhandler_function = unsafe extern "C" fn(*mut MPI_Comm, *mut c_int, ...);
pub type MPI_Win_errhandler_function = unsafe extern "C" fn(*mut MPI_Win, *mut c_int, ...);
pub type MPI_File_errhandler_function = unsafe extern "C" fn(*mut MPI_File, *mut c_int, ...);
pub type MPI_Session_errhandler_function = unsafe extern "C" fn(*mut MPI_Session, *mut c_int, ...);

pub type CopyAttr<H> =
    unsafe extern "C" fn(H, c_int, *mut c_void, *mut c_void, *mut c_void, *mut c_int) -> c_int;
pub type DeleteAttr<H> = unsafe extern "C" fn(H, c_int, *mut c_void, *mut c_void) -> c_int;
pub type MPI_Copy_function = CopyAttr<MPI_Comm>;
pub type MPI_Delete_function = DeleteAttr<MPI_Comm>;
pub type MPI_Comm_copy_attr_function = CopyAttr<MPI_Comm>;
pub type MPI_Comm_delete_attr_function = DeleteAttr<MPI_Comm>;
pub type MPI_Type_copy_attr_function = CopyAttr<MPI_Datatype>;
pub type MPI_Type_delete_attr_function = DeleteAttr<MPI_Datatype>;
pub type MPI_Win_copy_attr_function = CopyAttr<MPI_Win>;
pub type MPI_Win_delete_attr_function = DeleteAttr<MPI_Win>;

pub type MPI_Grequest_query_function = unsafe extern "C" fn(*mut c_void, *mut MPI_Status) -> c_int;
pub type MPI_Grequest_free_function = unsafe extern "C" fn(*mut c_void) -> c_int;
pub type MPI_Grequest_cancel_function = unsafe extern "C" fn(*mut c_void, c_int) -> c_int;

pub type MPI_Datarep_extent_function =
    unsafe extern "C" fn(MPI_Datatype, *mut MPI_Aint, *mut c_void) -> c_int;
pub type Conversion<N> = unsafe extern "C" fn(
    *mut c_void,
    MPI_Datatype,
    N,
    *mut c_void,
    MPI_Offset,
    *mut c_void,
) -> c_int;
pub type MPI_Datarep_conversion_function = Conversion<c_int>;
pub type MPI_Datarep_conversion_function_c = Conversion<MPI_Count>;

pub type MPI_T_event_cb_function = unsafe extern "C" fn(
    MPI_T_event_instance,
    MPI_T_event_registration,
    MPI_T_cb_safety,
    *mut c_void,
);
pub type MPI_T_event_free_cb_function =
    unsafe extern "C" fn(MPI_T_event_registration, MPI_T_cb_safety, *mut c_void);
pub type MPI_T_event_dropped_cb_function =
    unsafe extern "C" fn(MPI_Count, MPI_T_event_registration, c_int, MPI_T_cb_safety, *mut c_void);
