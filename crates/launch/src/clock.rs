//! The clock that ranks and launcher share.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// The clock of [`dunlin_shm::stall::Stall::since_ns`].
pub fn monotonic_ns() -> u64 {
    clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(0, |t| Duration::from(t).as_nanos() as u64)
}
