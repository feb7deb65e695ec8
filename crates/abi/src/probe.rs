//! Probes, and receives of the messages that they match (MPI 5.0, section 3.8).

use std::ffi::{c_int, c_void};

use dunlin_base::Result;
use dunlin_engine::{Engine, Message, SELF, Status, Table, enter_vci};
use parking_lot::Mutex;

use crate::call::{finish, on_comm_of_messages};
use crate::convert::{self, get, give_request, not_null, put, put_status, tell};
use crate::raise::Owner;
use crate::standard::constants::*;
use crate::standard::handles::{claimed, number, wrong};
use crate::standard::types::*;

/// Messages that matching probes returned, until they are received.
static MESSAGES: Mutex<Held> = Mutex::new(Held(None));

/// The table is created at first use.
struct Held(Option<Table<Message>>);

// SAFETY: messages are used only inside MPI calls, by the engine's rules for threads.
unsafe impl Send for Held {}

entry! {
    fn MPI_Probe(source: c_int, tag: c_int, comm: MPI_Comm, status: *mut MPI_Status) -> c_int {
        on_comm_of_messages(FUNCTION, comm, |engine, comm| {
            let tag = convert::tag_or_any(tag)?;
            let found = match convert::source(comm, source)? {
                None => Status::PROC_NULL,
                Some(from) => engine.probe(comm, from, tag)?,
            };
            // SAFETY: the program passes `MPI_STATUS_IGNORE` or the address of a status.
            unsafe { put_status(status, &found) };
            Ok(())
        })
    }

    fn MPI_Iprobe(
        source: c_int,
        tag: c_int,
        comm: MPI_Comm,
        flag: *mut c_int,
        status: *mut MPI_Status,
    ) -> c_int {
        on_comm_of_messages(FUNCTION, comm, |engine, comm| {
            let tag = convert::tag_or_any(tag)?;
            let found = match convert::source(comm, source)? {
                None => Some(Status::PROC_NULL),
                Some(from) => engine.iprobe(comm, from, tag)?,
            };
            // SAFETY: the program passes the addresses of a flag and perhaps of a status.
            unsafe {
                if let Some(found) = &found {
                    put_status(status, found);
                }
                put(flag, found.is_some().into(), "flag")
            }
        })
    }

    fn MPI_Mprobe(
        source: c_int,
        tag: c_int,
        comm: MPI_Comm,
        message: *mut MPI_Message,
        status: *mut MPI_Status,
    ) -> c_int {
        on_comm_of_messages(FUNCTION, comm, |engine, comm| {
            not_null(message, "message")?;
            let tag = convert::tag_or_any(tag)?;
            let (found, outcome) = match convert::source(comm, source)? {
                None => (MPI_MESSAGE_NO_PROC, Status::PROC_NULL),
                Some(from) => {
                    let (found, outcome) = engine.mprobe(comm, from, tag)?;
                    (hold(found)?, outcome)
                }
            };
            // SAFETY: the program passes the addresses of a message and perhaps of a status.
            unsafe {
                put_status(status, &outcome);
                put(message, found, "message")
            }
        })
    }

    fn MPI_Improbe(
        source: c_int,
        tag: c_int,
        comm: MPI_Comm,
        flag: *mut c_int,
        message: *mut MPI_Message,
        status: *mut MPI_Status,
    ) -> c_int {
        on_comm_of_messages(FUNCTION, comm, |engine, comm| {
            not_null(flag, "flag")?;
            not_null(message, "message")?;
            let tag = convert::tag_or_any(tag)?;
            let (found, outcome) = match convert::source(comm, source)? {
                None => (MPI_MESSAGE_NO_PROC, Some(Status::PROC_NULL)),
                Some(from) => match engine.improbe(comm, from, tag)? {
                    None => (MPI_MESSAGE_NULL, None),
                    Some((found, outcome)) => (hold(found)?, Some(outcome)),
                },
            };
            // SAFETY: the program passes the addresses of a flag, a message and perhaps a status.
            unsafe {
                if let Some(outcome) = &outcome {
                    put_status(status, outcome);
                    put(message, found, "message")?;
                }
                put(flag, outcome.is_some().into(), "flag")
            }
        })
    }
}

entry_c! {
    fn MPI_Mrecv / MPI_Mrecv_c(
        buf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        message: *mut MPI_Message,
        status: *mut MPI_Status,
    ) {
        let receive = |engine: &Engine| {
            // SAFETY: the program's promises.
            unsafe {
                let buffer = convert::buffer(engine, buf, count.into(), datatype)?;
                let outcome = match take(engine, message)? {
                    None => Status::PROC_NULL,
                    Some(held) => engine.mrecv(held, buffer),
                };
                tell(outcome, status)
            }
        };
        // SAFETY: the program passes null or the address of a message.
        unsafe { on_message(FUNCTION, message, receive) }
    }

    fn MPI_Imrecv / MPI_Imrecv_c(
        buf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        message: *mut MPI_Message,
        request: *mut MPI_Request,
    ) {
        let begin = |engine: &Engine| {
            // SAFETY: the program's promises.
            unsafe {
                let buffer = convert::buffer(engine, buf, count.into(), datatype)?;
                give_request(engine, request, || match take(engine, message)? {
                    None => Ok(engine.complete_request(&engine.comm(SELF)?, Status::PROC_NULL)),
                    Some(held) => Ok(engine.imrecv(held, buffer)),
                })
            }
        };
        // SAFETY: the program passes null or the address of a message.
        unsafe { on_message(FUNCTION, message, begin) }
    }
}

/// A call that receives a message: errors go to the communicator of the message.
///
/// # Safety
/// `message` is null or points to a message.
unsafe fn on_message(
    function: &'static str,
    message: *const MPI_Message,
    receive: impl FnOnce(&Engine) -> Result<()>,
) -> c_int {
    // SAFETY: promised by the caller.
    let (comm, vci) = unsafe { message.as_ref() }.map_or((None, 0), |handle| place_of(*handle));
    let outcome = enter_vci(function, vci).and_then(|engine| receive(&engine));
    finish(function, comm.map_or(Owner::None, Owner::Comm), outcome)
}

/// The communicator of a message, and the VCI that has it; the first where there is no message.
fn place_of(handle: MPI_Message) -> (Option<MPI_Comm>, usize) {
    let messages = MESSAGES.lock();
    let held = claimed(handle).and_then(|id| messages.0.as_ref()?.get(id));
    held.map_or((None, 0), |held| (convert::comm_handle(held.comm().id.get()).ok(), held.vci()))
}

fn hold(message: Message) -> Result<MPI_Message> {
    let mut messages = MESSAGES.lock();
    convert::made_or_full(messages.0.get_or_insert_default().insert(message))
}

/// Takes the message behind a handle, which becomes null; `None` is `MPI_MESSAGE_NO_PROC`.
///
/// # Safety
/// `handle` is null or points to a message.
unsafe fn take(engine: &Engine, handle: *mut MPI_Message) -> Result<Option<Message>> {
    // SAFETY: promised by the caller.
    let message = unsafe { get(handle, "message") }?;
    let held = if message == MPI_MESSAGE_NO_PROC {
        None
    } else {
        let id = number(message)?;
        let mut messages = MESSAGES.lock();
        // What another thread has received meanwhile may have made room for one of another VCI.
        let is_here = |table: &&mut Table<Message>| {
            table.get(id).is_some_and(|held| held.vci() == engine.vci())
        };
        let held = messages.0.as_mut().filter(is_here).and_then(|table| table.remove(id));
        Some(held.ok_or_else(|| wrong(message))?)
    };
    // SAFETY: as above.
    unsafe { put(handle, MPI_MESSAGE_NULL, "message") }?;
    Ok(held)
}
