//! The library's allocator: the system's, but where there is no memory, the last words are a
//! sentence that names rank, call and bytes, and the job ends in good order. Who asks for memory
//! that it can do without gets its refusal: `dunlin_base::memory`.

use std::alloc::{GlobalAlloc, Layout, System};

use dunlin_base::memory::may_fail;
use dunlin_engine::end_without_memory;

use crate::standard::constants::MPI_ERR_NO_MEM;

struct Watched;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// What was given, if it was.
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

// SAFETY: everything is the system allocator's; what it refuses is refused, or the process ends.
unsafe impl GlobalAlloc for Watched {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises, passed on.
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
