//! The library's allocator: the system's, but where memory is exhausted, it prints an error with
//! rank, call and size, and ends the job properly. Callers that can handle a failure get null:
//! `dunlin_base::memory`.

use std::alloc::{GlobalAlloc, Layout, System};

use dunlin_base::memory::may_fail;
use dunlin_engine::end_without_memory;

use crate::standard::constants::MPI_ERR_NO_MEM;

struct Watched;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Returns `memory`; reports a failed allocation.
#[inline(always)]
fn checked(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() {
        on_refusal(bytes);
    }
    memory
}

#[cold]
fn on_refusal(bytes: usize) {
    if !may_fail() {
        end_without_memory(bytes, MPI_ERR_NO_MEM);
    }
}

// SAFETY: all memory comes from the system allocator; a failure is returned, or ends the process.
unsafe impl GlobalAlloc for Watched {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: promised by the caller.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.realloc(memory, layout, bytes) }, bytes)
    }
}
