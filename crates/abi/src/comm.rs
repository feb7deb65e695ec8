//! Communicators (MPI 5.0, sections 7.4, 7.6 and 7.8): inquiries, comparison, names, hints and
//! freeing. `comm_make.rs` creates them.

use std::ffi::{CStr, c_char, c_int};
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_engine::inquiry::comm::IS_INTER;
use dunlin_engine::{Comm, Engine, Group};

use crate::call::{on_comm, on_comm_of_messages, on_process};
use crate::convert::{self, comm_id, get, put};
use crate::environment::{cut, put_string};
use crate::group::{compared, give};
use crate::info::{self, Info};
use crate::inquiry::{self, answer};
use crate::standard::constants::*;
use crate::standard::types::*;

/// The assertions that a program can make about a communicator, and their defaults; section 7.4.4.
/// Dunlin needs none of them, but stores them.
const ASSERTIONS: [(&CStr, &CStr); 5] = [
    (c"mpi_assert_no_any_tag", c"false"),
    (c"mpi_assert_no_any_source", c"false"),
    (c"mpi_assert_exact_length", c"false"),
    (c"mpi_assert_allow_overtaking", c"false"),
    (c"mpi_assert_strict_persistent_collective_ordering", c"false"),
];

/// Stores the hints of an info object that apply to communicators.
pub fn set_hints(comm: &Comm, info: MPI_Info) -> Result<()> {
    let given = info::read(info, |i| Ok(i.pairs.clone()))?;
    let mut hints = comm.hints.borrow_mut();
    for (key, value) in given {
        let known = ASSERTIONS.iter().any(|a| a.0 == &*key);
        if known && (&*value == c"true" || &*value == c"false") {
            hints.retain(|h| h.0 != key);
            hints.push((key, value));
        }
    }
    Ok(())
}

/// Compares two communicators with different contexts.
fn kinship(a: &Comm, b: &Comm) -> c_int {
    if a.is_inter() != b.is_inter() {
        return MPI_UNEQUAL;
    }
    let sides = [compared(&a.group, &b.group), compared(&a.peers, &b.peers)];
    match sides {
        [MPI_IDENT, MPI_IDENT] => MPI_CONGRUENT,
        [MPI_UNEQUAL, _] | [_, MPI_UNEQUAL] => MPI_UNEQUAL,
        _ => MPI_SIMILAR,
    }
}

fn only_inter(comm: &Comm) -> Result<()> {
    if comm.is_inter() {
        return Ok(());
    }
    let text = format!("{} is not an intercommunicator", comm.shown_name());
    Err(Error::new(ErrorClass::Comm, text))
}

entry! {
    fn MPI_Comm_compare(comm1: MPI_Comm, comm2: MPI_Comm, result: *mut c_int) -> c_int {
        on_comm(FUNCTION, comm1, |engine, a| {
            let b = convert::comm(engine, comm2)?;
            let outcome = if Rc::ptr_eq(a, &b) { MPI_IDENT } else { kinship(a, &b) };
            // SAFETY: the program passes null or the address of an int.
            unsafe { put(result, outcome, "result") }
        })
    }

    fn MPI_Comm_test_inter(comm: MPI_Comm, flag: *mut c_int) -> c_int {
        let known = inquiry::comm(comm);
        // SAFETY: the program passes null or the address of an int.
        if known.is_some_and(|known| unsafe { answer(flag, known.get(IS_INTER) as c_int) }) {
            return MPI_SUCCESS;
        }
        // SAFETY: as above.
        on_comm(FUNCTION, comm, |_, comm| unsafe { put(flag, comm.is_inter().into(), "flag") })
    }

    fn MPI_Comm_remote_size(comm: MPI_Comm, size: *mut c_int) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            only_inter(comm)?;
            // SAFETY: the program passes null or the address of an int.
            unsafe { put(size, comm.peer_count() as c_int, "size") }
        })
    }

    fn MPI_Comm_remote_group(comm: MPI_Comm, group: *mut MPI_Group) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            only_inter(comm)?;
            // SAFETY: the program passes null or the address of a handle.
            unsafe { give(Group::clone(&comm.peers), group) }
        })
    }

    // No other MPI program can have spawned this process.
    fn MPI_Comm_get_parent(parent: *mut MPI_Comm) -> c_int {
        // SAFETY: the program passes null or the address of a communicator.
        on_process(FUNCTION, |_| unsafe { put(parent, MPI_COMM_NULL, "parent") })
    }

    fn MPI_Comm_disconnect(comm: *mut MPI_Comm) -> c_int {
        // SAFETY: the program passes null or the address of a communicator.
        let handle = unsafe { get(comm, "comm") }.unwrap_or(MPI_COMM_NULL);
        // What is in progress in its VCI, before this thread keeps others from the first one.
        let wait = |engine: &Engine, _: &Rc<Comm>| engine.wait_for_comm(comm_id(handle)?);
        let code = on_comm_of_messages(FUNCTION, handle, wait);
        if code != MPI_SUCCESS {
            return code;
        }
        on_comm(FUNCTION, handle, |engine, _| {
            engine.comm_disconnect(comm_id(handle)?)?;
            // SAFETY: as above; it was read.
            unsafe { put(comm, MPI_COMM_NULL, "comm") }
        })
    }

    fn MPI_Comm_set_info(comm: MPI_Comm, info: MPI_Info) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| set_hints(comm, info))
    }

    fn MPI_Comm_get_info(comm: MPI_Comm, info_used: *mut MPI_Info) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            let hints = Info::from_pairs(&ASSERTIONS, &comm.hints.borrow());
            // SAFETY: the program passes null or the address of a handle.
            unsafe { info::make(hints, info_used) }
        })
    }

    fn MPI_Comm_free(comm: *mut MPI_Comm) -> c_int {
        // SAFETY: the program passes null or the address of a communicator.
        let handle = unsafe { get(comm, "comm") }.unwrap_or(MPI_COMM_NULL);
        on_comm(FUNCTION, handle, |engine, _| {
            engine.comm_free(comm_id(handle)?)?;
            // SAFETY: as above; it was read.
            unsafe { put(comm, MPI_COMM_NULL, "comm") }
        })
    }

    fn MPI_Comm_set_name(comm: MPI_Comm, comm_name: *const c_char) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            if comm_name.is_null() {
                return Err(Error::new(ErrorClass::Arg, "comm_name is a null pointer"));
            }
            // SAFETY: the program passes a C string.
            let name = unsafe { CStr::from_ptr(comm_name) }.to_string_lossy();
            engine.rename(comm, cut(&name, MPI_MAX_OBJECT_NAME as usize - 1));
            Ok(())
        })
    }

    fn MPI_Comm_get_name(comm: MPI_Comm, comm_name: *mut c_char, resultlen: *mut c_int) -> c_int {
        let write = |name: &str| {
            // SAFETY: the standard requires the program to pass MPI_MAX_OBJECT_NAME characters.
            unsafe {
                put(comm_name, 0, "comm_name")?;
                put(resultlen, 0, "resultlen")?;
                put_string(name, comm_name, resultlen);
            }
            Ok(())
        };
        // Even the null handle has a name: section 7.8.
        if comm == MPI_COMM_NULL {
            return on_process(FUNCTION, |_| write("MPI_COMM_NULL"));
        }
        on_comm(FUNCTION, comm, |_, comm| write(&comm.name.borrow()))
    }
}
