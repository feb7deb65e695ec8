//! Other ABIs: programs that were built with the headers of MPICH (Intel MPI, MVAPICH and Cray have
//! the same) or of Open MPI. Each is a *family*: a type with the handles, statuses and constants of
//! its header. For each function of MPI a generic one converts the arguments, calls that of the
//! standard, and converts what comes back; `build.rs` makes them from `api/`, with the constants of
//! `api/families`. The library exports them as `mpich_MPI_Send` and `openmpi_MPI_Send`; the
//! libraries in `families/` bear the names that the programs look for, and jump here.
//!
//! A type parameter, and not tables at run time: a conversion costs a compare or two, and a
//! function of another family is compiled like one of ours.

use std::ffi::{c_int, c_void};

use crate::standard::types::*;

mod bounds;
mod by_hand;
mod callbacks;
mod convert;
mod fault_tolerance;
mod functions;
mod lengths;
mod mpich;
mod openmpi;
mod removed;
#[cfg(test)]
mod tests;

pub use mpich::Mpich;
pub use openmpi::OpenMpi;

/// Constants: the standard's number and the family's.
pub type Pairs = &'static [(c_int, c_int)];

/// A handle of a family.
pub trait Foreign<S>: Copy {
    /// The standard's.
    fn to_standard(self) -> S;
    /// The family's.
    fn from_standard(handle: S) -> Self;
    /// Fortran's.
    fn to_fortran(self) -> c_int;
    /// The family's for Fortran's.
    fn from_fortran(handle: c_int) -> Self;
}

include!(concat!(env!("OUT_DIR"), "/family_constants.rs"));

/// A family of MPI libraries.
pub trait Family: Constants + 'static {
    /// What `MPI_Get_library_version` calls it.
    const NAME: &str;
    /// The version of MPI that its header declares.
    const VERSION: (c_int, c_int);
    /// Error classes that only the family has.
    const OWN_CLASSES: &[(c_int, &str)];
    /// The lowest error code that a program can make.
    const FIRST_USER_CODE: c_int;
    /// Handles of communicators.
    type Comm: Foreign<MPI_Comm>;
    /// Of datatypes.
    type Datatype: Foreign<MPI_Datatype>;
    /// Of error handlers.
    type Errhandler: Foreign<MPI_Errhandler>;
    /// Of files.
    type File: Foreign<MPI_File>;
    /// Of groups.
    type Group: Foreign<MPI_Group>;
    /// Of info objects.
    type Info: Foreign<MPI_Info>;
    /// Of messages.
    type Message: Foreign<MPI_Message>;
    /// Of operators.
    type Op: Foreign<MPI_Op>;
    /// Of requests.
    type Request: Foreign<MPI_Request>;
    /// Of sessions.
    type Session: Foreign<MPI_Session>;
    /// Of windows.
    type Win: Foreign<MPI_Win>;
    /// Its status.
    type Status: ForeignStatus;

    /// The standard's address for one that stands for no buffer, and every other as it is.
    fn buffer(address: *mut c_void) -> *mut c_void;
    /// The family's address for one of the standard that stands for no buffer.
    fn buffer_back(address: *mut c_void) -> *mut c_void;
    /// The standard's address for one that stands for no weights of edges.
    fn weights(address: *mut c_int) -> *mut c_int;
    /// Whether an address stands for no status, or none at all.
    fn is_ignored(status: *const Self::Status) -> bool;
}

/// A status of a family.
pub trait ForeignStatus: Copy + Default {
    /// Source, tag and error.
    fn fields(&mut self) -> [&mut c_int; 3];
    /// Bytes received, and whether the operation was cancelled.
    fn received(&self) -> (u64, bool);
    /// Sets them.
    fn set_received(&mut self, bytes: u64, cancelled: bool);
}

/// Handles and statuses by their family, as the functions' arguments name them.
mod types {
    use super::Family;

    macro_rules! of_family {
        ($($name:ident)*) => {$(pub type $name<F> = <F as Family>::$name;)*};
    }
    of_family! { Comm Datatype Errhandler File Group Info Message Op Request Session Win Status }
}

/// Makes each function generic in the family `F`, and exports it for each family.
macro_rules! families {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident($($argument:ident: $ty:ty),* $(,)?) -> $ret:ty $body:block
    )*) => {$(
        $(#[$attribute])*
        #[inline(always)]
        #[allow(non_snake_case, reason = "functions keep their C names")]
        pub(in crate::families) unsafe fn $name<F: Family>($($argument: $ty),*) -> $ret $body

        export_family! { "mpich_" Mpich fn $name($($argument: $ty),*) -> $ret }
        export_family! { "openmpi_" OpenMpi fn $name($($argument: $ty),*) -> $ret }
    )*};
}
use families;

/// Exports a function for one family.
macro_rules! export_family {
    ($prefix:literal $family:ident
     fn $name:ident($($argument:ident: $ty:ty),*) -> $ret:ty) => {
        const _: () = {
            type F = crate::families::$family;

            #[unsafe(export_name = concat!($prefix, stringify!($name)))]
            unsafe extern "C" fn exported($($argument: $ty),*) -> $ret {
                // SAFETY: promised by the caller.
                unsafe { $name::<F>($($argument),*) }
            }
        };
    };
}
use export_family;
