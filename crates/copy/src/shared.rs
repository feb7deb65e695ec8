//! Copies to and from memory that another core has in its cache, or has written last: through
//! shared memory. AMD's Zen 3 and Zen 4 copy it sooner by vectors than by the string instruction
//! (`rep movsb`) that the C library uses for long pieces: half round trips by bare copies of two
//! cores of a Zen 3, memory that goes round in 2 MiB, by vectors of 32 bytes and by that
//! instruction, 4 KiB 0.36 and 0.42 us, 16 KiB 1.02 and 1.06, 64 KiB 3.8 and 4.1; from and to
//! memory that begins 16 bytes behind that of a page, as `malloc` gives, 0.44 and 2.3, 1.04 and
//! 6.8, 4.0 and 34. (By pieces of 1 KiB, which the library copies by such vectors too, 0.55, 1.4
//! and 4.9; 0.7, 2.0 and 9.) Copies within the memory of one core are slower so; and where the
//! cores are far apart (a line takes 180 ns or more) streams of 4 KiB, at 2.9 instead of 4.1 GB/s.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{SLOW_BYTES_MIN, copy_by_vectors, has_slow_copies};

/// Lengths that are copied by vectors, and those of data that was written past the cache: longer
/// such data is read sooner by the string instruction (64 KiB take 6.4 instead of 7.9 us).
const ALL: Range<usize> = SLOW_BYTES_MIN..usize::MAX;
const SHORT: Range<usize> = SLOW_BYTES_MIN..(8 << 10) + 1;

/// Who shares memory with this process runs on other cores.
static ARE_APART: AtomicBool = AtomicBool::new(true);

/// Says whether they do. Where some share a core, what they exchange is in its cache: then the
/// string instruction is better, by 4 to 8 percent of collectives of 8 KiB and more.
pub fn set_apart(are_apart: bool) {
    // Relaxed: no more than a hint.
    ARE_APART.store(are_apart, Ordering::Relaxed);
}

#[inline]
fn goes_by_vectors(lengths: &Range<usize>, bytes: usize) -> bool {
    // Relaxed: see `set_apart`.
    lengths.contains(&bytes) && ARE_APART.load(Ordering::Relaxed) && has_slow_copies()
}

/// Copies all of `from` to shared memory `to`, which is as long.
#[inline]
pub fn write(from: &[u8], to: &mut [u8]) {
    assert_eq!(from.len(), to.len(), "a copy between places of different lengths");
    // SAFETY: two slices of this length.
    unsafe { write_at(from.as_ptr(), to.as_mut_ptr(), from.len()) }
}

/// Copies all of the shared memory `from`, which was written through a cache and is as long as
/// `to`.
#[inline]
pub fn read_cached(from: &[u8], to: &mut [u8]) {
    assert_eq!(from.len(), to.len(), "a copy between places of different lengths");
    // SAFETY: two slices of this length.
    unsafe { read_cached_at(from.as_ptr(), to.as_mut_ptr(), from.len()) }
}

/// Copies all of the shared memory `from`, which was written past the cache and is as long as `to`.
#[inline]
pub fn read(from: &[u8], to: &mut [u8]) {
    assert_eq!(from.len(), to.len(), "a copy between places of different lengths");
    // SAFETY: two slices of this length.
    unsafe { copy_apart(&SHORT, from.as_ptr(), to.as_mut_ptr(), from.len()) }
}

/// Copies `bytes` bytes, which do not overlap, to shared memory.
///
/// # Safety
/// As for [`std::ptr::copy_nonoverlapping`].
#[inline]
pub unsafe fn write_at(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: promised by the caller.
    unsafe { copy_apart(&ALL, from, to, bytes) }
}

/// Copies `bytes` bytes, which do not overlap, out of shared memory that was written through a
/// cache.
///
/// # Safety
/// As for [`std::ptr::copy_nonoverlapping`].
#[inline]
pub unsafe fn read_cached_at(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: promised by the caller.
    unsafe { copy_apart(&ALL, from, to, bytes) }
}

/// # Safety
/// As for [`std::ptr::copy_nonoverlapping`].
#[inline(always)]
unsafe fn copy_apart(lengths: &Range<usize>, from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: promised by the caller.
    unsafe {
        match goes_by_vectors(lengths, bytes) {
            true => copy_by_vectors(from, to, bytes),
            false => crate::copy_apart(from, to, bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PAGE;

    #[test]
    fn every_byte_arrives_and_no_other_changes() {
        let from: Vec<u8> = (0..3 * PAGE).map(|at| at as u8 ^ (at >> 8) as u8).collect();
        for bytes in [0, 1, SLOW_BYTES_MIN - 1, SLOW_BYTES_MIN, SLOW_BYTES_MIN + 127, 5000, 8193] {
            for start in [0, 1, 16, 64, 513, 2048] {
                let mut to = vec![0xAA; 3 * PAGE];
                let mut expected = to.clone();
                expected[start..start + bytes].copy_from_slice(&from[7..7 + bytes]);
                for copy in [write, read, read_cached] {
                    copy(&from[7..7 + bytes], &mut to[start..start + bytes]);
                    assert!(to == expected, "{bytes} bytes to {start}");
                    to.fill(0xAA);
                }
            }
        }
    }
}
