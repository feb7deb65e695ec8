//! The clock that the launcher compares with, and after how long it is told of a wait.

use std::time::Duration;

/// A wait this long is published.
pub(crate) const PUBLISH_AFTER: Duration = Duration::from_millis(200);

/// `CLOCK_MONOTONIC`, the clock the launcher compares with.
pub(crate) fn monotonic_ns() -> u64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `t` is ours; this clock exists on every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut t) };
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}
