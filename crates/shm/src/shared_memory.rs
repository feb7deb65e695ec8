//! Memory of the program's that some ranks of a node share: an anonymous memory file, made by one
//! of them and handed to the others (`handover.rs`).

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use crate::region::{HUGE_PAGE, Region};

/// A mapping of the whole file.
#[derive(Debug)]
pub struct SharedMemory {
    region: Region,
}

impl SharedMemory {
    /// A file of so many bytes, all zero.
    pub fn create(bytes: usize) -> io::Result<OwnedFd> {
        // SAFETY: the name is a C string.
        let fd = unsafe { libc::memfd_create(c"dunlin-window".as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: just made, and nobody else's.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        let bytes = libc::off_t::try_from(bytes).map_err(io::Error::other)?;
        // SAFETY: a descriptor of ours.
        match unsafe { libc::ftruncate(fd.as_raw_fd(), bytes) } {
            0 => Ok(fd),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Maps a file that has so many bytes, which must not be 0.
    pub fn map(fd: &OwnedFd, bytes: usize) -> io::Result<SharedMemory> {
        Ok(SharedMemory { region: Region::map(fd, bytes)? })
    }

    /// Asks for huge pages for a part, as far as they lie within it: what others have beside it
    /// should be where they are.
    pub fn ask_for_huge_pages(&self, offset: usize, bytes: usize) {
        let first = offset.next_multiple_of(HUGE_PAGE);
        let end = (offset + bytes) / HUGE_PAGE * HUGE_PAGE;
        self.region.ask_for_huge_pages(first, end.saturating_sub(first));
    }

    /// Its first byte.
    pub fn address(&self) -> *mut u8 {
        self.region.start().as_ptr()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_mappings_show_the_same_bytes() {
        let fd = SharedMemory::create(10_000).unwrap();
        let (a, b) = (SharedMemory::map(&fd, 10_000).unwrap(), SharedMemory::map(&fd, 10_000));
        let b = b.unwrap();
        // SAFETY: within both mappings, which nobody else uses.
        let seen = unsafe {
            a.address().add(9_999).write_volatile(7);
            b.address().add(9_999).read_volatile()
        };
        assert_eq!(seen, 7);
    }
}
