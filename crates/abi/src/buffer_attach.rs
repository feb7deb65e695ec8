//! Buffer space for buffered sends (MPI 5.0, section 3.6): of the process, of a communicator, of a
//! session.

use std::ffi::{c_int, c_void};

use dunlin_base::Result;
use dunlin_engine::{BufferOwner, Engine, PoolMemory, SELF};

use crate::call::{on_comm, on_process, on_session};
use crate::convert::{self, give_request, put};
use crate::datatype::fitting;
use crate::standard::constants::MPI_BUFFER_AUTOMATIC;
use crate::standard::types::*;

fn attach(
    engine: &Engine,
    owner: &BufferOwner,
    buffer: *mut c_void,
    size: MPI_Count,
) -> Result<()> {
    let memory = if buffer.cast_const() == MPI_BUFFER_AUTOMATIC {
        PoolMemory::Automatic
    } else {
        PoolMemory::Attached { address: buffer as usize, bytes: convert::count(size)? }
    };
    engine.buffer_attach(owner, memory)
}

/// Detaches the buffer and returns to the program what it had attached.
///
/// # Safety
/// `buffer_addr` points to a pointer.
unsafe fn detach(engine: &Engine, owner: &BufferOwner, buffer_addr: *mut c_void) -> Result<usize> {
    let (address, bytes) = match engine.buffer_detach(owner)? {
        PoolMemory::Automatic => (MPI_BUFFER_AUTOMATIC.cast_mut(), 0),
        PoolMemory::Attached { address, bytes } => (address as *mut c_void, bytes),
    };
    // SAFETY: promised by the caller.
    unsafe { put(buffer_addr.cast::<*mut c_void>(), address, "buffer_addr") }?;
    Ok(bytes)
}

entry_c! {
    fn MPI_Buffer_attach / MPI_Buffer_attach_c(buffer: *mut c_void, size: N) {
        on_process(FUNCTION, |engine| attach(engine, &BufferOwner::Process, buffer, size.into()))
    }

    fn MPI_Buffer_detach / MPI_Buffer_detach_c(buffer_addr: *mut c_void, size: *mut N) {
        on_process(FUNCTION, |engine| {
            // SAFETY: the program passes the addresses of a pointer and a size.
            unsafe {
                let bytes = detach(engine, &BufferOwner::Process, buffer_addr)?;
                put(size, fitting::<N>(i64::try_from(bytes).ok()), "size")
            }
        })
    }

    fn MPI_Session_attach_buffer / MPI_Session_attach_buffer_c(
        session: MPI_Session,
        buffer: *mut c_void,
        size: N,
    ) {
        on_session(FUNCTION, session, |engine, session| {
            attach(engine, &BufferOwner::Session(session.clone()), buffer, size.into())
        })
    }

    fn MPI_Session_detach_buffer / MPI_Session_detach_buffer_c(
        session: MPI_Session,
        buffer_addr: *mut c_void,
        size: *mut N,
    ) {
        on_session(FUNCTION, session, |engine, session| {
            // SAFETY: the program passes the addresses of a pointer and a size.
            unsafe {
                let bytes = detach(engine, &BufferOwner::Session(session.clone()), buffer_addr)?;
                put(size, fitting::<N>(i64::try_from(bytes).ok()), "size")
            }
        })
    }

    fn MPI_Comm_attach_buffer / MPI_Comm_attach_buffer_c(
        comm: MPI_Comm,
        buffer: *mut c_void,
        size: N,
    ) {
        on_comm(FUNCTION, comm, |engine, comm| {
            attach(engine, &BufferOwner::of_comm(comm), buffer, size.into())
        })
    }

    fn MPI_Comm_detach_buffer / MPI_Comm_detach_buffer_c(
        comm: MPI_Comm,
        buffer_addr: *mut c_void,
        size: *mut N,
    ) {
        on_comm(FUNCTION, comm, |engine, comm| {
            // SAFETY: the program passes the addresses of a pointer and a size.
            unsafe {
                let bytes = detach(engine, &BufferOwner::of_comm(comm), buffer_addr)?;
                put(size, fitting::<N>(i64::try_from(bytes).ok()), "size")
            }
        })
    }
}

entry! {
    fn MPI_Buffer_flush() -> c_int {
        on_process(FUNCTION, |engine| {
            engine.buffer_flush(&BufferOwner::Process);
            Ok(())
        })
    }

    fn MPI_Buffer_iflush(request: *mut MPI_Request) -> c_int {
        on_process(FUNCTION, |engine| {
            let own = engine.comm(SELF)?;
            let begin = || Ok(engine.buffer_iflush(&BufferOwner::Process, &own));
            // SAFETY: the program passes null or the address of a request.
            unsafe { give_request(engine, request, begin) }
        })
    }

    fn MPI_Session_flush_buffer(session: MPI_Session) -> c_int {
        on_session(FUNCTION, session, |engine, session| {
            engine.buffer_flush(&BufferOwner::Session(session.clone()));
            Ok(())
        })
    }

    fn MPI_Session_iflush_buffer(session: MPI_Session, request: *mut MPI_Request) -> c_int {
        on_session(FUNCTION, session, |engine, session| {
            let owner = BufferOwner::Session(session.clone());
            let own = engine.comm(SELF)?;
            // SAFETY: the program passes null or the address of a request.
            unsafe { give_request(engine, request, || Ok(engine.buffer_iflush(&owner, &own))) }
        })
    }

    fn MPI_Comm_flush_buffer(comm: MPI_Comm) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            engine.buffer_flush(&BufferOwner::of_comm(comm));
            Ok(())
        })
    }

    fn MPI_Comm_iflush_buffer(comm: MPI_Comm, request: *mut MPI_Request) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            let begin = || Ok(engine.buffer_iflush(&BufferOwner::of_comm(comm), comm));
            // SAFETY: the program passes null or the address of a request.
            unsafe { give_request(engine, request, begin) }
        })
    }
}
