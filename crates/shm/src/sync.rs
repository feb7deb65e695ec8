//! The atomics of the lock-free code: the machine's in the library, loom's in the model tests.

#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering, fence};

#[cfg(loom)]
pub use loom::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering, fence};

/// Tells the processor, or the model, that this is a waiting loop.
pub fn spin_hint() {
    #[cfg(not(loom))]
    std::hint::spin_loop();
    #[cfg(loom)]
    loom::thread::yield_now();
}
