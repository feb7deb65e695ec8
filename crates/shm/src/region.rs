//! Memory that several processes map. Each of them can write anywhere in it at any time, so what is
//! found there is a number to be checked, and never a reason to trust anything.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr::NonNull;

use crate::prefault::prefault;
use crate::sync::InRegion;

/// Bytes of a huge page where pages have 4 KiB, on x86-64 and on 64-bit Arm.
pub(crate) const HUGE_PAGE: usize = 2 << 20;

/// Bytes of the largest pages that are no huge ones.
const PAGE_BYTES_MAX: usize = 64 << 10;

/// A mapping of a whole file, as long as this lives.
#[derive(Debug)]
pub(crate) struct Region {
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: plain memory; all that is reached through `&Region` may be used by several threads.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Region {
    /// Maps the first `bytes` bytes of a file, which must have as many, where huge pages may be.
    pub fn map(fd: &OwnedFd, bytes: usize) -> io::Result<Region> {
        let (anywhere, fd) = (std::ptr::null_mut(), fd.as_raw_fd());
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: an address of the kernel's choice.
        let plain = || unsafe { Region::map_at(anywhere, bytes, access, libc::MAP_SHARED, fd) };
        // The kernel's choice need not be a multiple of huge pages; within a larger piece there is
        // one, if the limits of this process allow that.
        let Some(more) = bytes.checked_add(HUGE_PAGE).filter(|_| bytes >= HUGE_PAGE) else {
            return plain();
        };
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: as above.
        let room = unsafe { Region::map_at(anywhere, more, libc::PROT_NONE, flags, -1) };
        let Ok(room) = room else { return plain() };
        let (start, before) = (room.base.as_ptr(), room.base.align_offset(HUGE_PAGE));
        let (at, flags) = (start.wrapping_add(before), libc::MAP_SHARED | libc::MAP_FIXED);
        // What lies between its ends is the region's. If that fails, address space is lost, but
        // nothing is unmapped that may be another's by now.
        std::mem::forget(room);
        // SAFETY: the room is ours, has so many bytes there, and nobody uses it.
        let region = unsafe { Region::map_at(at.cast(), bytes, access, flags, fd) };
        let Ok(region) = region else { return plain() };
        let used = bytes.next_multiple_of(PAGE_BYTES_MAX);
        for (end, bytes) in
            [(start, before), (at.wrapping_add(used), (more - before).saturating_sub(used))]
        {
            // SAFETY: of the room, which nobody uses, and not of the region. Where one is empty,
            // the call fails without effect.
            unsafe { libc::munmap(end.cast(), bytes) };
        }
        Ok(region)
    }

    /// # Safety
    /// With `MAP_FIXED`, what is mapped there is the caller's, and nobody uses it.
    unsafe fn map_at(
        at: *mut libc::c_void,
        bytes: usize,
        access: libc::c_int,
        flags: libc::c_int,
        fd: RawFd,
    ) -> io::Result<Region> {
        // SAFETY: the caller's promise; otherwise a fresh mapping.
        let p = unsafe { libc::mmap(at, bytes, access, flags, fd, 0) };
        if p == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(p.cast::<u8>());
        let base = base.ok_or_else(|| io::Error::other("mmap returned address 0"))?;
        Ok(Region { base, bytes })
    }

    /// What lies at `offset`.
    #[inline]
    pub fn get<T: InRegion>(&self, offset: usize) -> &T {
        &self.slice(offset, 1)[0]
    }

    /// The `count` values that lie from `offset` on.
    #[inline]
    pub fn slice<T: InRegion>(&self, offset: usize, count: usize) -> &[T] {
        let end = count.checked_mul(size_of::<T>()).and_then(|bytes| bytes.checked_add(offset));
        assert!(
            end.is_some_and(|end| end <= self.bytes) && offset % align_of::<T>() == 0,
            "{count} x {} bytes at {offset} of {}",
            size_of::<T>(),
            self.bytes
        );
        // SAFETY: inside the mapping, whose beginning is a page's, aligned, and any bytes will do.
        unsafe { std::slice::from_raw_parts(self.base.add(offset).cast().as_ptr(), count) }
    }

    /// Where it begins.
    pub fn start(&self) -> NonNull<u8> {
        self.base
    }

    /// Where these bytes lie; `None` if not all are inside.
    #[inline]
    pub fn part(&self, offset: usize, bytes: usize) -> Option<NonNull<u8>> {
        let is_inside = offset <= self.bytes && bytes <= self.bytes - offset;
        // SAFETY: inside the mapping.
        is_inside.then(|| unsafe { self.base.add(offset) })
    }

    /// Makes a part of whole pages zero, and gives its memory back to the system.
    pub fn empty(&self, offset: usize, bytes: usize) {
        self.advise(offset, bytes, libc::MADV_REMOVE);
    }

    /// Whether a part of whole pages is left out where the system writes down a process that it
    /// ends.
    pub fn keep_from_dumps(&self, offset: usize, bytes: usize, is_kept: bool) {
        let advice = if is_kept { libc::MADV_DONTDUMP } else { libc::MADV_DODUMP };
        self.advise(offset, bytes, advice);
    }

    /// Asks for huge pages for a part, where the system gives them on demand
    /// (`/sys/kernel/mm/transparent_hugepage/shmem_enabled`).
    pub fn ask_for_huge_pages(&self, offset: usize, bytes: usize) {
        if bytes >= HUGE_PAGE {
            self.advise(offset, bytes, libc::MADV_HUGEPAGE);
        }
    }

    /// Wants none there any more: short pieces would take far more memory than they need.
    pub fn renounce_huge_pages(&self, offset: usize, bytes: usize) {
        if bytes >= HUGE_PAGE {
            self.advise(offset, bytes, libc::MADV_NOHUGEPAGE);
        }
    }

    /// Asks the system for all pages of a part.
    pub fn prefault(&self, offset: usize, bytes: usize) {
        if let Some(part) = self.part(offset, bytes) {
            prefault(part.as_ptr(), bytes);
        }
    }

    fn advise(&self, offset: usize, bytes: usize, advice: libc::c_int) {
        if let Some(part) = self.part(offset, bytes) {
            // SAFETY: inside the mapping, which is ours.
            unsafe { libc::madvise(part.as_ptr().cast(), bytes, advice) };
        }
    }

    /// Keeps the mapping from processes that this one forks.
    pub fn keep_from_children(&self) {
        self.advise(0, self.bytes, libc::MADV_DONTFORK);
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: mapped with this length; borrows of it have ended.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::PAGE;
    use crate::sync::AtomicU64;

    fn region() -> Region {
        region_of(PAGE)
    }

    fn region_of(bytes: usize) -> Region {
        // SAFETY: the name is a C string.
        let fd = unsafe { libc::memfd_create(c"test".as_ptr(), libc::MFD_CLOEXEC) };
        // SAFETY: just made, and nobody else's.
        let fd = unsafe { <OwnedFd as std::os::fd::FromRawFd>::from_raw_fd(fd) };
        let file = std::fs::File::from(fd);
        file.set_len(bytes as u64).unwrap();
        Region::map(&file.into(), bytes).unwrap()
    }

    #[test]
    fn what_lies_within_is_found() {
        let region = region();
        assert_eq!(region.slice::<AtomicU64>(PAGE - 16, 2).len(), 2);
        assert_eq!(region.slice::<AtomicU64>(PAGE, 0).len(), 0);
    }

    #[test]
    fn long_regions_begin_where_huge_pages_may_be() {
        for bytes in [HUGE_PAGE, 5 * HUGE_PAGE + PAGE, HUGE_PAGE + 8] {
            let region = region_of(bytes);
            assert_eq!(region.start().as_ptr() as usize % HUGE_PAGE, 0);
            region.ask_for_huge_pages(0, bytes);
            let last = region.get::<AtomicU64>(bytes - 8);
            last.store(7, std::sync::atomic::Ordering::Relaxed);
        }
    }

    #[test]
    #[should_panic(expected = "bytes at 4092 of 4096")]
    fn what_ends_outside_is_refused() {
        region().get::<AtomicU64>(PAGE - 4);
    }

    #[test]
    #[should_panic(expected = "bytes at 4 of 4096")]
    fn what_is_not_aligned_is_refused() {
        region().get::<AtomicU64>(4);
    }

    #[test]
    #[should_panic(expected = "bytes at 8 of 4096")]
    fn a_count_that_overflows_is_refused() {
        region().slice::<AtomicU64>(8, usize::MAX / 8);
    }
}
