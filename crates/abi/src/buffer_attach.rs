//! Space for buffered sends (MPI 5.0, section 3.6): of the process, of a communicator.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use dunlin_base::Result;
use dunlin_engine::{Comm, Engine, PoolMemory, SELF};

use crate::call::{on_comm, on_process};
use crate::constants::MPI_BUFFER_AUTOMATIC;
use crate::convert::{self, put};
use crate::types::*;

fn attach(
    engine: &Engine,
    comm: Option<&Rc<Comm>>,
    buffer: *mut c_void,
    size: MPI_Count,
) -> Result<()> {
    let memory = if buffer.cast_const() == MPI_BUFFER_AUTOMATIC {
        PoolMemory::Automatic
    } else {
        PoolMemory::Attached { address: buffer as usize, bytes: convert::count(size)? }
    };
    engine.buffer_attach(comm, memory)
}

/// Detaches, and tells the program what it had attached.
///
/// # Safety
/// `buffer_addr` points to a pointer.
unsafe fn detach(
    engine: &Engine,
    comm: Option<&Rc<Comm>>,
    buffer_addr: *mut c_void,
) -> Result<usize> {
    let (address, bytes) = match engine.buffer_detach(comm)? {
        PoolMemory::Automatic => (MPI_BUFFER_AUTOMATIC.cast_mut(), 0),
        PoolMemory::Attached { address, bytes } => (address as *mut c_void, bytes),
    };
    // SAFETY: promised by the caller.
    unsafe { put(buffer_addr.cast::<*mut c_void>(), address, "buffer_addr") }?;
    Ok(bytes)
}

entry_c! {
    fn MPI_Buffer_attach / MPI_Buffer_attach_c(buffer: *mut c_void, size: N) {
        on_process(FUNCTION, |engine| attach(engine, None, buffer, size.into()))
    }

    fn MPI_Buffer_detach / MPI_Buffer_detach_c(buffer_addr: *mut c_void, size: *mut N) {
        on_process(FUNCTION, |engine| {
            // SAFETY: the program passes the addresses of a pointer and a size.
            unsafe {
                let bytes = detach(engine, None, buffer_addr)?;
                put(size, bytes as N, "size")
            }
        })
    }

    fn MPI_Comm_attach_buffer / MPI_Comm_attach_buffer_c(
        comm: MPI_Comm,
        buffer: *mut c_void,
        size: N,
    ) {
        on_comm(FUNCTION, comm, |engine, comm| attach(engine, Some(comm), buffer, size.into()))
    }

    fn MPI_Comm_detach_buffer / MPI_Comm_detach_buffer_c(
        comm: MPI_Comm,
        buffer_addr: *mut c_void,
        size: *mut N,
    ) {
        on_comm(FUNCTION, comm, |engine, comm| {
            // SAFETY: the program passes the addresses of a pointer and a size.
            unsafe {
                let bytes = detach(engine, Some(comm), buffer_addr)?;
                put(size, bytes as N, "size")
            }
        })
    }
}

entry! {
    fn MPI_Buffer_flush() -> c_int {
        on_process(FUNCTION, |engine| {
            engine.buffer_flush(None);
            Ok(())
        })
    }

    fn MPI_Buffer_iflush(request: *mut MPI_Request) -> c_int {
        on_process(FUNCTION, |engine| {
            let id = engine.buffer_iflush(None, &engine.comm(SELF)?);
            // SAFETY: the program passes null or the address of a request.
            unsafe { put(request, convert::made_or_full(id)?, "request") }
        })
    }

    fn MPI_Comm_flush_buffer(comm: MPI_Comm) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            engine.buffer_flush(Some(comm));
            Ok(())
        })
    }

    fn MPI_Comm_iflush_buffer(comm: MPI_Comm, request: *mut MPI_Request) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            let id = engine.buffer_iflush(Some(comm), comm);
            // SAFETY: the program passes null or the address of a request.
            unsafe { put(request, convert::made_or_full(id)?, "request") }
        })
    }
}
