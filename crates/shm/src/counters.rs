//! The performance counters of a rank, in lines of its record that it alone writes: counting is a
//! plain addition in memory that the rank's core owns, and whoever has the segment may look.

use dunlin_base::counters::Counter;

use crate::sync::{AtomicU64, Ordering};

/// The numbers of one rank. All zero means: nothing has happened.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Counters([AtomicU64; Counter::COUNT]);

impl Counters {
    /// Counts `more`. Only the owning rank may call this, one thread at a time: load and store are
    /// apart, because an addition that others could interrupt costs twenty times as much.
    #[inline(always)]
    pub fn add(&self, counter: Counter, more: u64) {
        let number = &self.0[counter as usize];
        // Relaxed: nothing else is published by it; a reader sees some recent number.
        number.store(number.load(Ordering::Relaxed).wrapping_add(more), Ordering::Relaxed);
    }

    /// Sets what is counted elsewhere. As `add`, for the owning rank alone.
    #[inline]
    pub fn set(&self, counter: Counter, count: u64) {
        // Relaxed: as in `add`.
        self.0[counter as usize].store(count, Ordering::Relaxed);
    }

    /// Raises a high watermark to `level`. As `add`, for the owning rank alone.
    #[inline]
    pub fn raise(&self, counter: Counter, level: u64) {
        self.set(counter, level.max(self.get(counter)));
    }

    /// What has been counted, as far as it is to be seen from here.
    pub fn get(&self, counter: Counter) -> u64 {
        // Relaxed: as in `add`.
        self.0[counter as usize].load(Ordering::Relaxed)
    }
}
