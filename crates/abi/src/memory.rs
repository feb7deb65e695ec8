//! Memory for messages (MPI 5.0, section 9.2), and the hardware available to this process (section
//! 11.2.2).

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr::null_mut;

use dunlin_base::{ErrorClass, Result};

use crate::call::{finish, on_process};
use crate::convert::{error, put};
use crate::info::{self, Info};
use crate::raise::Owner;
use crate::standard::types::*;
use crate::{convert, hardware};

/// The default alignment: a cache line, which is more than any element needs.
const ALIGNMENT: usize = 64;
/// The info key for a larger alignment.
const ALIGNMENT_KEY: &CStr = c"mpi_minimum_memory_alignment";

/// The alignment that an info object requests: a power of two.
fn alignment(info: MPI_Info) -> Result<usize> {
    let asked = info::read_or_none(info, |i| Ok(i.value(ALIGNMENT_KEY).map(CStr::to_owned)))?;
    let Some(asked) = asked.as_deref().map(CStr::to_string_lossy) else { return Ok(ALIGNMENT) };
    match asked.parse::<usize>() {
        Ok(bytes) if bytes.is_power_of_two() => Ok(bytes.max(ALIGNMENT)),
        _ => {
            let text =
                format!("mpi_minimum_memory_alignment is {asked}; it must be a power of two");
            Err(error(ErrorClass::InfoValue, text))
        }
    }
}

/// Memory of this process alone.
fn private(bytes: usize, alignment: usize) -> Result<*mut c_void> {
    let mut memory = null_mut();
    // SAFETY: writes one pointer; the alignment is a power of two and large enough.
    match unsafe { libc::posix_memalign(&raw mut memory, alignment, bytes) } {
        0 => Ok(memory),
        _ => Err(error(ErrorClass::NoMem, format!("there is no memory for {bytes} bytes"))),
    }
}

entry! {
    fn MPI_Alloc_mem(size: MPI_Aint, info: MPI_Info, baseptr: *mut c_void) -> c_int {
        on_process(FUNCTION, |engine| {
            let (bytes, alignment) = (convert::count(size as MPI_Count)?, alignment(info)?);
            let memory = match engine.memory_for_messages(bytes, alignment) {
                Some(memory) => memory.as_ptr().cast(),
                None => private(bytes, alignment)?,
            };
            // SAFETY: the program passes null or the address of a pointer.
            unsafe { put(baseptr.cast::<*mut c_void>(), memory, "baseptr") }
        })
    }

    fn MPI_Free_mem(base: *mut c_void) -> c_int {
        on_process(FUNCTION, |engine| {
            if !engine.free_memory_for_messages(base.cast()) {
                // SAFETY: the program passes memory that MPI_Alloc_mem returned.
                unsafe { libc::free(base) };
            }
            Ok(())
        })
    }

    fn MPI_Get_hw_resource_info(hw_info: *mut MPI_Info) -> c_int {
        let mut info = Info::default();
        info.set(hardware::SHARED_MEMORY, c"true");
        for kind in hardware::kinds() {
            let held = hardware::instance(kind).is_some();
            info.set(kind, &CString::new(held.to_string()).unwrap_or_default());
        }
        // SAFETY: the program passes null or the address of a handle.
        finish(FUNCTION, Owner::None, unsafe { info::make(info, hw_info) })
    }
}
