//! Copies that bypass the cache, for results too large to stay in it: the processor does not read a
//! line before it is overwritten, and the cache keeps its contents.

/// A result of this length leaves no space in a core's cache (1 to 2 MiB on today's servers) for
/// the source of the copy.
pub const NONTEMPORAL_BYTES_MIN: usize = 1 << 20;

/// Whether this machine has such copies.
pub const EXISTS: bool = cfg!(target_arch = "x86_64");

/// Copies `bytes` bytes; the two may overlap.
///
/// # Safety
/// As for [`std::ptr::copy`].
pub unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    if from.addr().abs_diff(to.addr()) < bytes {
        // SAFETY: promised by the caller.
        return unsafe { std::ptr::copy(from, to, bytes) };
    }
    // SAFETY: promised by the caller, and the two do not overlap.
    unsafe { stream(from, to, bytes) }
}

/// Copies all of `from`, which is as long as `to`.
pub fn copy_slice(from: &[u8], to: &mut [u8]) {
    assert_eq!(from.len(), to.len(), "a copy between places of different lengths");
    // SAFETY: two slices of this length, which do not overlap.
    unsafe { stream(from.as_ptr(), to.as_mut_ptr(), from.len()) }
}

/// # Safety
/// As for [`std::ptr::copy_nonoverlapping`].
#[cfg(target_arch = "x86_64")]
unsafe fn stream(from: *const u8, to: *mut u8, bytes: usize) {
    use std::arch::x86_64::{
        _MM_HINT_T0, _mm_loadu_si128, _mm_prefetch, _mm_sfence, _mm_stream_si128,
    };

    const CACHE_LINE: usize = 64;
    const WORD: usize = 16;
    /// How far ahead to prefetch. The hardware prefetcher stops at the end of a page; a hint beyond
    /// the end of the data does nothing.
    const AHEAD: usize = 1024;
    let head = to.align_offset(CACHE_LINE).min(bytes);
    let tail = head + (bytes - head) / CACHE_LINE * CACHE_LINE;
    // SAFETY: all offsets are below `bytes`; those of streaming stores are multiples of a cache
    // line; every processor of this architecture has these instructions. The fence orders the
    // streaming stores before all stores by which this process publishes the result, as if they
    // were plain stores.
    unsafe {
        std::ptr::copy_nonoverlapping(from, to, head);
        for line in (head..tail).step_by(CACHE_LINE) {
            _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add(line + AHEAD).cast());
            let words = [0, WORD, 2 * WORD, 3 * WORD].map(|word| line + word);
            let loaded = words.map(|at| _mm_loadu_si128(from.add(at).cast()));
            for (at, word) in words.into_iter().zip(loaded) {
                _mm_stream_si128(to.add(at).cast(), word);
            }
        }
        std::ptr::copy_nonoverlapping(from.add(tail), to.add(tail), bytes - tail);
        _mm_sfence();
    }
}

/// On other architectures, the C library's copy is the fastest known.
///
/// # Safety
/// As for [`std::ptr::copy_nonoverlapping`].
#[cfg(not(target_arch = "x86_64"))]
unsafe fn stream(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: promised by the caller.
    unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: usize = 400;

    /// Bytes that differ from their neighbours.
    fn pattern() -> [u8; ROOM] {
        std::array::from_fn(|at| at as u8 ^ (at >> 8) as u8)
    }

    #[test]
    fn every_byte_arrives_and_no_other_changes() {
        let from = pattern();
        for (skip, start, bytes) in (0..70).flat_map(|skip| {
            [
                (skip, 0, 0),
                (skip, 3, 1),
                (skip, 1, 63),
                (skip, 16, 64),
                (skip, 5, 200),
                (0, skip, 300),
            ]
        }) {
            let mut to = [0xAA; ROOM];
            let mut expected = to;
            expected[skip..skip + bytes].copy_from_slice(&from[start..start + bytes]);
            // SAFETY: inside the two arrays.
            unsafe { copy(from.as_ptr().add(start), to.as_mut_ptr().add(skip), bytes) };
            assert_eq!(to, expected, "{bytes} bytes from {start} to {skip}");
        }
    }

    #[test]
    fn memory_that_overlaps_is_moved() {
        let (mut memory, mut expected) = (pattern(), pattern());
        expected.copy_within(10..310, 50);
        let start = memory.as_mut_ptr();
        // SAFETY: inside the array.
        unsafe { copy(start.add(10), start.add(50), 300) };
        assert_eq!(memory, expected);
    }
}
