//! Memory that the library knows: what providers for real devices want of all they touch.
//!
//! Memory of the program is registered for the time of one message and no longer. To keep it known
//! for the next one would need somebody who sees when the program gives memory back to the system:
//! else the device reads and writes pages that are the program's no more, and nobody notices.
//! libfabric has such watchers, and the providers that gain by it keep what we close in a cache of
//! theirs, bounded (FI_MR_CACHE_MAX_SIZE, FI_MR_CACHE_MAX_COUNT) and emptied as memory goes.

use std::ffi::c_void;

use super::abi::{fid, fid_mr};

/// Memory that is registered until this is dropped, which must be before its domain is closed.
pub struct Registration(pub(super) *mut fid_mr);

// SAFETY: it is bound to no thread; the domain's rule, one thread at a time, is kept by its owner,
// which is used by `&mut` alone.
unsafe impl Send for Registration {}

impl Registration {
    /// What goes with the memory when the library is to use it.
    pub fn desc(&self) -> *mut c_void {
        // SAFETY: it is open.
        unsafe { (*self.0).mem_desc }
    }

    /// What peers need to reach it.
    pub fn key(&self) -> u64 {
        // SAFETY: it is open.
        unsafe { (*self.0).key }
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let object: *mut fid = self.0.cast();
        // SAFETY: it is open, and whoever used it has been told that it ends.
        unsafe { ((*(*object).ops).close)(object) };
    }
}
