//! Scratch memory, kept for the next operations: fresh memory costs as much as reading it, and
//! above some size a page fault for every page. Longer pieces are freed.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::RefCell;
use std::ptr::NonNull;

use dunlin_base::Result;
use dunlin_base::memory::{ask, refused};
use dunlin_shm::layout::CACHE_LINE;

/// Bytes of the longest piece that is kept. A reduction of 4 MiB spent three quarters of its time
/// on page faults of fresh memory.
const KEPT_BYTES_MAX: usize = 4 << 20;
/// Pieces kept, the longest: an algorithm needs at most two while vectors are short.
const KEPT_MAX: usize = 2;
/// Data with wide gaps that spans at least this many bytes gets a mapping, which takes memory only
/// for pages that are touched.
const SPARSE_BYTES_MIN: usize = 64 << 20;
/// Gaps are wide where the data is at most this fraction of its span: then one page per block of a
/// hundred bytes takes less memory than the whole span.
const SPARSE_PART: usize = 64;

/// Memory that begins at a cache line: it is aligned for every predefined datatype, and in a sum
/// with an operand that also begins at a line, no load crosses a line.
#[derive(Debug)]
pub(crate) struct ScratchBuffer {
    memory: NonNull<u8>,
    layout: Layout,
    bytes: usize,
    /// Mapped by the kernel, not allocated by the allocator.
    is_mapped: bool,
}

impl ScratchBuffer {
    /// Fresh memory of zeroes.
    pub fn new(bytes: usize) -> Result<ScratchBuffer> {
        let layout = ScratchBuffer::layout(bytes)?;
        // SAFETY: the layout's size is not zero.
        let memory = ask(|| unsafe { alloc_zeroed(layout) });
        let memory = NonNull::new(memory).ok_or_else(|| refused(bytes))?;
        Ok(ScratchBuffer { memory, layout, bytes, is_mapped: false })
    }

    /// Memory of which few pages will be touched. It may exceed the machine's memory: absolute
    /// addresses (`MPI_BOTTOM`) may be terabytes apart.
    fn sparse(bytes: usize) -> Result<ScratchBuffer> {
        let layout = ScratchBuffer::layout(bytes)?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let anywhere = std::ptr::null_mut();
        // SAFETY: a new mapping, at an address that the kernel chooses.
        let memory = unsafe { libc::mmap(anywhere, layout.size(), access, kind, -1, 0) };
        match NonNull::new(memory.cast()) {
            Some(start) if memory != libc::MAP_FAILED => {
                Ok(ScratchBuffer { memory: start, layout, bytes, is_mapped: true })
            }
            _ => Err(refused(bytes)),
        }
    }

    /// A cache line more than `bytes`, with the allocator's default alignment: with a larger one
    /// the allocator would write the zeroes, which fresh pages contain anyway.
    fn layout(bytes: usize) -> Result<Layout> {
        let words = bytes.div_ceil(size_of::<u128>()) + CACHE_LINE / size_of::<u128>();
        Layout::array::<u128>(words).map_err(|_| refused(bytes))
    }

    /// The address of the first byte.
    #[inline]
    pub fn address(&self) -> *mut u8 {
        let start = self.memory.as_ptr();
        start.wrapping_add(start.align_offset(CACHE_LINE))
    }
}

impl Drop for ScratchBuffer {
    fn drop(&mut self) {
        if self.is_mapped {
            // SAFETY: mapped with this length, and no address into it outlives this object.
            unsafe { libc::munmap(self.memory.as_ptr().cast(), self.layout.size()) };
            return;
        }
        // SAFETY: allocated with this layout, and no address into it outlives this object.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) }
    }
}

/// Scratch memory that is not in use.
#[derive(Debug, Default)]
pub(crate) struct Spares(RefCell<Vec<ScratchBuffer>>);

impl Spares {
    /// Memory of at least `bytes` bytes, with any contents.
    pub fn take(&self, bytes: usize) -> Result<ScratchBuffer> {
        let mut scratch_buffers = self.0.borrow_mut();
        let fits = scratch_buffers.iter().enumerate().filter(|(_, spare)| spare.bytes >= bytes);
        match fits.min_by_key(|(_, spare)| spare.bytes) {
            Some((at, _)) => Ok(scratch_buffers.swap_remove(at)),
            None => ScratchBuffer::new(bytes),
        }
    }

    /// Memory for `named` bytes of data that span `span` bytes.
    pub fn take_spanning(&self, span: usize, named: usize) -> Result<ScratchBuffer> {
        match span >= SPARSE_BYTES_MIN && span / SPARSE_PART >= named {
            true => ScratchBuffer::sparse(span),
            false => self.take(span),
        }
    }

    /// Keeps the memory of an operation that has ended.
    pub fn keep(&self, used: impl IntoIterator<Item = ScratchBuffer>) {
        let mut scratch_buffers = self.0.borrow_mut();
        for memory in used {
            if memory.bytes > KEPT_BYTES_MAX {
                continue;
            }
            if scratch_buffers.len() < KEPT_MAX {
                scratch_buffers.push(memory);
            } else if let Some(shortest) = scratch_buffers.iter_mut().min_by_key(|m| m.bytes) {
                if shortest.bytes < memory.bytes {
                    *shortest = memory;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dunlin_base::ErrorClass;

    #[test]
    fn scratch_memory_begins_at_a_line_and_holds_what_was_asked_for() {
        for bytes in [0, 1, 63, 64, 65, 4096] {
            let memory = ScratchBuffer::new(bytes).unwrap();
            assert_eq!(memory.address().addr() % CACHE_LINE, 0);
            let end = memory.address().addr() + bytes;
            assert!(end <= memory.memory.as_ptr().addr() + memory.layout.size());
        }
    }

    #[test]
    fn the_longest_pieces_are_kept_and_the_shortest_that_fits_is_taken() {
        let spares = Spares::default();
        let piece = |bytes| ScratchBuffer::new(bytes).unwrap();
        spares.keep([piece(10), piece(1000), piece(KEPT_BYTES_MAX + 1), piece(500)]);
        let taken = |bytes| spares.take(bytes).unwrap().bytes;
        assert_eq!([taken(200), taken(200), taken(200)], [500, 1000, 200]);
    }

    #[test]
    fn scratch_memory_that_is_not_there_is_an_error() {
        for bytes in [1 << 60, isize::MAX as usize, usize::MAX] {
            assert_eq!(ScratchBuffer::new(bytes).unwrap_err().class, ErrorClass::NoMem);
            assert_eq!(ScratchBuffer::sparse(bytes).unwrap_err().class, ErrorClass::NoMem);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "a mapping without reserve")]
    fn few_bytes_that_span_more_than_the_machine_has_find_room() {
        let span = 1 << 40;
        let memory = Spares::default().take_spanning(span, 2).unwrap();
        // SAFETY: within the mapping.
        unsafe {
            memory.address().write(1);
            memory.address().add(span - 1).write(2);
        }
    }
}
