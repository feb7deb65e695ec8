//! The error classes' numbers in the standard ABI, and what `MPI_Error_string` says of each.

use crate::standard::constants::*;
use dunlin_base::ErrorClass;
use std::ffi::c_int;

macro_rules! classes {
    ($($class:ident $code:ident $text:literal;)*) => {
        /// The number of a class.
        pub fn code(class: ErrorClass) -> c_int {
            match class {
                $(ErrorClass::$class => $code,)*
                ErrorClass::User(code) => code,
            }
        }

        /// The class a number stands for; numbers of no class of the standard are the user's.
        pub fn class(code: c_int) -> ErrorClass {
            match code {
                $($code => ErrorClass::$class,)*
                _ => ErrorClass::User(code),
            }
        }

        /// One sentence on a class of the standard, with its name.
        pub fn text(code: c_int) -> Option<&'static str> {
            match code {
                MPI_SUCCESS => Some("MPI_SUCCESS: no error"),
                $($code => Some(concat!(stringify!($code), ": ", $text)),)*
                _ => tool_text(code),
            }
        }

        #[cfg(test)]
        const CLASSES: &[ErrorClass] = &[$(ErrorClass::$class),*];
    };
}

classes! {
    Buffer MPI_ERR_BUFFER "a buffer's address is not valid";
    Count MPI_ERR_COUNT "a count is not valid";
    Type MPI_ERR_TYPE "a datatype is not valid here";
    Tag MPI_ERR_TAG "a tag is not valid";
    Comm MPI_ERR_COMM "a communicator is not valid";
    Rank MPI_ERR_RANK "a rank is not valid";
    Request MPI_ERR_REQUEST "a request is not valid";
    Root MPI_ERR_ROOT "a root is not valid";
    Group MPI_ERR_GROUP "a group is not valid";
    Op MPI_ERR_OP "a reduction operation is not valid here";
    Topology MPI_ERR_TOPOLOGY "the communicator does not have this topology";
    Dims MPI_ERR_DIMS "the dimensions are not valid";
    Arg MPI_ERR_ARG "an argument is not valid";
    Unknown MPI_ERR_UNKNOWN "the cause is not known";
    Truncate MPI_ERR_TRUNCATE "a message is longer than the receive buffer";
    Other MPI_ERR_OTHER "an error of no other class";
    Intern MPI_ERR_INTERN "an error inside the library";
    Pending MPI_ERR_PENDING "the operation is not complete";
    InStatus MPI_ERR_IN_STATUS "the statuses hold the errors";
    Access MPI_ERR_ACCESS "permission denied";
    Amode MPI_ERR_AMODE "the access mode of a file is not valid";
    Assert MPI_ERR_ASSERT "an assertion argument is not valid";
    BadFile MPI_ERR_BAD_FILE "a file name is not valid";
    Base MPI_ERR_BASE "the memory was not made by MPI_Alloc_mem";
    Conversion MPI_ERR_CONVERSION "a data conversion function failed";
    Disp MPI_ERR_DISP "a displacement is not valid";
    DupDatarep MPI_ERR_DUP_DATAREP "a data representation of this name exists";
    FileExists MPI_ERR_FILE_EXISTS "the file exists";
    FileInUse MPI_ERR_FILE_IN_USE "the file is open";
    File MPI_ERR_FILE "a file handle is not valid";
    InfoKey MPI_ERR_INFO_KEY "a key of an info object is too long or empty";
    InfoNokey MPI_ERR_INFO_NOKEY "the info object has no such key";
    InfoValue MPI_ERR_INFO_VALUE "a value of an info object is too long";
    Info MPI_ERR_INFO "an info object is not valid";
    Io MPI_ERR_IO "input or output failed";
    Keyval MPI_ERR_KEYVAL "an attribute key is not valid";
    Locktype MPI_ERR_LOCKTYPE "a lock type is not valid";
    Name MPI_ERR_NAME "the service name is not published";
    NoMem MPI_ERR_NO_MEM "memory is exhausted";
    NotSame MPI_ERR_NOT_SAME "an argument differs between the processes";
    NoSpace MPI_ERR_NO_SPACE "the device is full";
    NoSuchFile MPI_ERR_NO_SUCH_FILE "there is no such file";
    Port MPI_ERR_PORT "a port name is not valid";
    Quota MPI_ERR_QUOTA "a quota is exceeded";
    ReadOnly MPI_ERR_READ_ONLY "the file or file system is read-only";
    RmaAttach MPI_ERR_RMA_ATTACH "memory cannot be attached to the window";
    RmaConflict MPI_ERR_RMA_CONFLICT "accesses to a window conflict";
    RmaRange MPI_ERR_RMA_RANGE "the target memory is not part of the window";
    RmaShared MPI_ERR_RMA_SHARED "memory cannot be shared";
    RmaSync MPI_ERR_RMA_SYNC "synchronization calls on a window do not fit";
    Service MPI_ERR_SERVICE "a service name cannot be unpublished";
    Size MPI_ERR_SIZE "a size is not valid";
    Spawn MPI_ERR_SPAWN "processes could not be started";
    UnsupportedDatarep MPI_ERR_UNSUPPORTED_DATAREP "the data representation is not supported";
    UnsupportedOperation MPI_ERR_UNSUPPORTED_OPERATION "the operation is not supported";
    Win MPI_ERR_WIN "a window is not valid";
    RmaFlavor MPI_ERR_RMA_FLAVOR "the window has the wrong flavor";
    ProcAborted MPI_ERR_PROC_ABORTED "a process of the operation has aborted";
    ValueTooLarge MPI_ERR_VALUE_TOO_LARGE "a value does not fit into its argument";
    Session MPI_ERR_SESSION "a session is not valid";
    Errhandler MPI_ERR_ERRHANDLER "an error handler is not valid";
    Abi MPI_ERR_ABI "the ABI does not allow this";
}

fn tool_text(code: c_int) -> Option<&'static str> {
    Some(match code {
        MPI_T_ERR_CANNOT_INIT => "MPI_T_ERR_CANNOT_INIT: the tool interface cannot start now",
        MPI_T_ERR_NOT_ACCESSIBLE => "MPI_T_ERR_NOT_ACCESSIBLE: this cannot be reached now",
        MPI_T_ERR_NOT_INITIALIZED => "MPI_T_ERR_NOT_INITIALIZED: call MPI_T_init_thread first",
        MPI_T_ERR_NOT_SUPPORTED => "MPI_T_ERR_NOT_SUPPORTED: this is not supported",
        MPI_T_ERR_MEMORY => "MPI_T_ERR_MEMORY: memory is exhausted",
        MPI_T_ERR_INVALID => "MPI_T_ERR_INVALID: an argument is not valid",
        MPI_T_ERR_INVALID_INDEX => "MPI_T_ERR_INVALID_INDEX: an index is out of range",
        MPI_T_ERR_INVALID_ITEM => "MPI_T_ERR_INVALID_ITEM: an item is out of range",
        MPI_T_ERR_INVALID_SESSION => "MPI_T_ERR_INVALID_SESSION: a session is not valid",
        MPI_T_ERR_INVALID_HANDLE => "MPI_T_ERR_INVALID_HANDLE: a handle is not valid",
        MPI_T_ERR_INVALID_NAME => "MPI_T_ERR_INVALID_NAME: there is nothing of this name",
        MPI_T_ERR_OUT_OF_HANDLES => "MPI_T_ERR_OUT_OF_HANDLES: no handle is left",
        MPI_T_ERR_OUT_OF_SESSIONS => "MPI_T_ERR_OUT_OF_SESSIONS: no session is left",
        MPI_T_ERR_CVAR_SET_NOT_NOW => "MPI_T_ERR_CVAR_SET_NOT_NOW: it cannot be set now",
        MPI_T_ERR_CVAR_SET_NEVER => "MPI_T_ERR_CVAR_SET_NEVER: it can never be set",
        MPI_T_ERR_PVAR_NO_WRITE => "MPI_T_ERR_PVAR_NO_WRITE: it cannot be written or reset",
        MPI_T_ERR_PVAR_NO_STARTSTOP => "MPI_T_ERR_PVAR_NO_STARTSTOP: it always runs",
        MPI_T_ERR_PVAR_NO_ATOMIC => "MPI_T_ERR_PVAR_NO_ATOMIC: it cannot be read and reset at once",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_numbered_without_gaps_and_back_again() {
        let codes: Vec<c_int> = CLASSES.iter().map(|c| code(*c)).collect();
        assert_eq!(codes, (MPI_ERR_BUFFER..=MPI_ERR_ABI).collect::<Vec<_>>());
        assert!(CLASSES.iter().all(|c| class(code(*c)) == *c));
    }

    #[test]
    fn every_class_has_a_text_that_fits() {
        for code in (MPI_SUCCESS..=MPI_ERR_ABI).chain(MPI_T_ERR_CANNOT_INIT..=1018) {
            let text = text(code).unwrap_or_else(|| panic!("no text for {code}"));
            assert!(text.starts_with("MPI_") && text.len() < MPI_MAX_ERROR_STRING as usize);
        }
        assert_eq!(text(MPI_ERR_LASTCODE), None);
    }

    #[test]
    fn a_users_code_passes_through() {
        assert_eq!(code(ErrorClass::User(20_000)), 20_000);
        assert_eq!(class(20_000), ErrorClass::User(20_000));
    }
}
