//! Sessions (MPI 5.0, section 11.3): MPI without `MPI_Init`, process sets and their groups.

use std::ffi::{CStr, CString, c_char, c_int};

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_engine::{ProcessSet, enter};

use crate::call::{finish, on_session, on_session_id};
use crate::convert::{error, get, made_or_full, put};
use crate::errhandler::decode_for_session;
use crate::group::give;
use crate::info::{self, Info, MEMORY_KINDS};
use crate::process::{begin, thread_level};
use crate::raise::{Owner, raise_to};
use crate::standard::constants::*;
use crate::standard::types::*;

/// The info key for a session's thread level, and its values.
const THREAD_LEVEL: &CStr = c"thread_level";
const THREAD_LEVELS: [(&str, c_int); 4] = [
    ("MPI_THREAD_SINGLE", MPI_THREAD_SINGLE),
    ("MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED),
    ("MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED),
    ("MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE),
];

/// The thread level that an info object requests; the lowest one by default.
fn level_asked(info: MPI_Info) -> Result<c_int> {
    info::read_or_none(info, |i| {
        let Some(asked) = i.value(THREAD_LEVEL) else { return Ok(MPI_THREAD_SINGLE) };
        let asked = asked.to_string_lossy();
        THREAD_LEVELS.iter().find(|l| l.0 == asked).map(|l| l.1).ok_or_else(|| {
            let text = format!(
                "thread_level is {asked}; it must be MPI_THREAD_SINGLE, \
                                MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE"
            );
            error(ErrorClass::InfoValue, text)
        })
    })
}

/// The name of the process's thread level. Every session has it, whatever it requested: the library
/// is as thread-safe for all sessions as the highest request made it.
fn level_provided() -> CString {
    let level = thread_level();
    let name = THREAD_LEVELS.iter().rfind(|l| l.1 <= level).map(|l| l.0);
    CString::new(name.unwrap_or_default()).unwrap_or_default()
}

/// The process set with this name.
///
/// # Safety
/// `name` is null or a C string.
unsafe fn process_set(name: *const c_char) -> Result<ProcessSet> {
    if name.is_null() {
        return Err(error(ErrorClass::Arg, "pset_name is a null pointer; pass a string"));
    }
    // SAFETY: promised by the caller; not null.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    ProcessSet::named(&name).ok_or_else(|| {
        let known = ProcessSet::ALL.map(ProcessSet::name).join(" and ");
        error(ErrorClass::Arg, format!("there is no process set {name}; there are {known}"))
    })
}

fn no_such_set(n: c_int) -> Error {
    let count = ProcessSet::ALL.len();
    error(ErrorClass::Arg, format!("n is {n}; there are {count} process sets, from 0"))
}

entry! {
    fn MPI_Session_init(
        info: MPI_Info,
        errhandler: MPI_Errhandler,
        session: *mut MPI_Session,
    ) -> c_int {
        let handler = match decode_for_session(errhandler) {
            Ok(handler) => handler,
            Err(error) => return finish(FUNCTION, Owner::None, Err(error)),
        };
        let outcome = level_asked(info).and_then(|level| {
            begin(level)?;
            let engine = enter(FUNCTION)?;
            let id = engine.add_session(handler);
            // SAFETY: the program passes null or the address of a session.
            unsafe { put(session, made_or_full(id)?, "session") }
        });
        outcome.map_or_else(|error| raise_to(handler, FUNCTION, &error), |()| MPI_SUCCESS)
    }

    fn MPI_Session_finalize(session: *mut MPI_Session) -> c_int {
        // SAFETY: the program passes null or the address of a session.
        let handle = unsafe { get(session, "session") }.unwrap_or(MPI_SESSION_NULL);
        on_session_id(FUNCTION, handle, |engine, id| {
            engine.remove_session(id)?;
            // SAFETY: as above; it was read.
            unsafe { put(session, MPI_SESSION_NULL, "session") }
        })
    }

    fn MPI_Session_get_info(session: MPI_Session, info_used: *mut MPI_Info) -> c_int {
        on_session(FUNCTION, session, |_, _| {
            let level = level_provided();
            let info = Info::from_pairs(&[(THREAD_LEVEL, &*level), MEMORY_KINDS], &[]);
            // SAFETY: the program passes null or the address of a handle.
            unsafe { info::make(info, info_used) }
        })
    }

    fn MPI_Session_get_num_psets(
        session: MPI_Session,
        _info: MPI_Info,
        npset_names: *mut c_int,
    ) -> c_int {
        on_session(FUNCTION, session, |_, _| {
            // SAFETY: the program passes null or the address of an int.
            unsafe { put(npset_names, ProcessSet::ALL.len() as c_int, "npset_names") }
        })
    }

    fn MPI_Session_get_nth_pset(
        session: MPI_Session,
        _info: MPI_Info,
        n: c_int,
        pset_len: *mut c_int,
        pset_name: *mut c_char,
    ) -> c_int {
        on_session(FUNCTION, session, |_, _| {
            let set = usize::try_from(n).ok().and_then(|n| ProcessSet::ALL.get(n));
            let name = CString::new(set.ok_or_else(|| no_such_set(n))?.name()).unwrap_or_default();
            // SAFETY: the program passes a length and that much space.
            unsafe {
                let room = usize::try_from(get(pset_len, "pset_len")?).unwrap_or(0);
                if !pset_name.is_null() {
                    info::copy(&name, pset_name, room);
                }
                put(pset_len, name.as_bytes_with_nul().len() as c_int, "pset_len")
            }
        })
    }

    fn MPI_Session_get_pset_info(
        session: MPI_Session,
        pset_name: *const c_char,
        info: *mut MPI_Info,
    ) -> c_int {
        on_session_id(FUNCTION, session, |engine, id| {
            // SAFETY: the program passes null or a string.
            let group = engine.process_set(unsafe { process_set(pset_name) }?, id)?;
            let size = CString::new(group.size().to_string()).unwrap_or_default();
            // SAFETY: the program passes null or the address of a handle.
            unsafe { info::make(Info::from_pairs(&[(c"mpi_size", &*size)], &[]), info) }
        })
    }

    fn MPI_Group_from_session_pset(
        session: MPI_Session,
        pset_name: *const c_char,
        newgroup: *mut MPI_Group,
    ) -> c_int {
        on_session_id(FUNCTION, session, |engine, id| {
            // SAFETY: the program passes null or a string.
            let group = engine.process_set(unsafe { process_set(pset_name) }?, id)?;
            // SAFETY: the program passes null or the address of a handle.
            unsafe { give(group, newgroup) }
        })
    }
}
