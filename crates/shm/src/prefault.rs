//! Memory of which the system gives all pages at once.

/// Asks for all whole pages of some memory, which is to be written soon: one call, no page fault
/// for each. No more than a hint; systems before Linux 5.14 do not know it.
pub(crate) fn prefault(start: *mut u8, bytes: usize) {
    // SAFETY: asks for a number.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    let Ok(page) = usize::try_from(page) else { return };
    let skipped = start.addr().next_multiple_of(page) - start.addr();
    let bytes = bytes.saturating_sub(skipped) / page * page;
    if bytes > 0 {
        let first = start.wrapping_add(skipped);
        // SAFETY: it changes nothing that memory holds, and where there is no memory, or none that
        // can be written, it is an error.
        unsafe { libc::madvise(first.cast(), bytes, libc::MADV_POPULATE_WRITE) };
    }
}
