//! Communicators (MPI 5.0, sections 7.4 and 7.8): making, naming, freeing.

use std::ffi::{CStr, c_char, c_int};

use dunlin_base::{Error, ErrorClass, Result};

use crate::call::on_comm;
use crate::constants::*;
use crate::convert::{comm_handle, comm_id, get, put};
use crate::environment::{cut, put_string};
use crate::types::*;

/// The color of a split; `None` takes no part.
fn color(color: c_int) -> Result<Option<u32>> {
    match u32::try_from(color) {
        Ok(color) => Ok(Some(color)),
        Err(_) if color == MPI_UNDEFINED => Ok(None),
        Err(_) => {
            let text = format!("color is {color}; it must be >= 0 or MPI_UNDEFINED");
            Err(Error::new(ErrorClass::Arg, text))
        }
    }
}

entry! {
    fn MPI_Comm_dup(comm: MPI_Comm, newcomm: *mut MPI_Comm) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            let id = engine.comm_dup(comm)?;
            // SAFETY: the program passes null or the address of a communicator.
            unsafe { put(newcomm, comm_handle(id)?, "newcomm") }
        })
    }

    fn MPI_Comm_split(comm: MPI_Comm, color: c_int, key: c_int, newcomm: *mut MPI_Comm) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            let made = engine.comm_split(comm, self::color(color)?, key)?;
            let handle = made.map_or(Ok(MPI_COMM_NULL), comm_handle)?;
            // SAFETY: the program passes null or the address of a communicator.
            unsafe { put(newcomm, handle, "newcomm") }
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
        on_comm(FUNCTION, comm, |_, comm| {
            if comm_name.is_null() {
                return Err(Error::new(ErrorClass::Arg, "comm_name is a null pointer"));
            }
            // SAFETY: the program passes a C string.
            let name = unsafe { CStr::from_ptr(comm_name) }.to_string_lossy();
            *comm.name.borrow_mut() = cut(&name, MPI_MAX_OBJECT_NAME as usize - 1).to_string();
            Ok(())
        })
    }

    fn MPI_Comm_get_name(comm: MPI_Comm, comm_name: *mut c_char, resultlen: *mut c_int) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            // SAFETY: the standard asks the program for MPI_MAX_OBJECT_NAME characters.
            unsafe {
                put(comm_name, 0, "comm_name")?;
                put(resultlen, 0, "resultlen")?;
                put_string(&comm.name.borrow(), comm_name, resultlen);
            }
            Ok(())
        })
    }
}
