//! The atomics and cells of the lock-free code: the machine's in the library, loom's in the model
//! tests.

#[cfg(not(loom))]
pub use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering, fence};

#[cfg(loom)]
pub use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

/// Bytes of a cache line, on both of our architectures.
pub const CACHE_LINE: usize = 64;
/// Pages are this large, or a multiple of it.
pub const PAGE: usize = 4096;

/// What may lie in memory that other processes can change at any time.
///
/// # Safety
/// Any bytes must be a value, and all of it must be atomics, or cells that are read by copies.
#[cfg_attr(loom, allow(dead_code, reason = "the models have memory of their own"))]
pub unsafe trait InRegion: Sync {}

// SAFETY: atomics.
unsafe impl InRegion for AtomicU32 {}
// SAFETY: as above.
unsafe impl InRegion for AtomicU64 {}

/// Tells the processor, or the model, that this is a waiting loop.
pub fn spin_hint() {
    #[cfg(not(loom))]
    std::hint::spin_loop();
    #[cfg(loom)]
    loom::thread::yield_now();
}

/// A fence of order `SeqCst`. On x86 a locked instruction takes half the time of the one that the
/// compiler chooses (`mfence`).
#[inline(always)]
pub fn full_fence() {
    #[cfg(all(target_arch = "x86_64", not(any(loom, miri))))]
    // SAFETY: it changes nothing; what lies below the stack pointer is this thread's or unused.
    unsafe {
        // A line that nobody has just stored to: behind a saved register it takes 4 ns more.
        std::arch::asm!("lock or dword ptr [rsp - 64], 0");
    }
    #[cfg(not(all(target_arch = "x86_64", not(any(loom, miri)))))]
    fence(Ordering::SeqCst);
}

macro_rules! prefetch {
    ($(#[$doc:meta])* $name:ident, $x86:literal, $arm:literal) => {
        $(#[$doc])*
        #[inline(always)]
        pub fn $name<T>(line: &T) {
            let address = std::ptr::from_ref(line);
            // SAFETY: a prefetch touches nothing the program can see.
            #[cfg(all(target_arch = "x86_64", not(any(loom, miri))))]
            unsafe {
                std::arch::asm!($x86, in(reg) address, options(nostack, preserves_flags));
            }
            // SAFETY: as above.
            #[cfg(all(target_arch = "aarch64", not(any(loom, miri))))]
            unsafe {
                std::arch::asm!($arm, in(reg) address, options(nostack, preserves_flags));
            }
            let _ = address;
        }
    };
}

prefetch! {
    /// Says that this core writes this line soon: it is fetched for writing. A hint.
    claim, "prefetchw [{}]", "prfm pstl1keep, [{}]"
}

prefetch! {
    /// Says that this core reads this line soon. A hint.
    fetch, "prefetcht0 [{}]", "prfm pldl1keep, [{}]"
}

/// Says that another core reads this line soon: the processor may move it to the cache that all
/// cores share, where it is found sooner than in ours. A hint; nothing where there is no such
/// instruction.
#[inline(always)]
pub fn hand_over<T>(line: &T) {
    #[cfg(all(target_arch = "x86_64", not(any(loom, miri))))]
    // SAFETY: `cldemote` touches nothing the program can see; processors without it take it for
    // an instruction that does nothing.
    unsafe {
        let address = std::ptr::from_ref(line);
        std::arch::asm!("cldemote [{}]", in(reg) address, options(nostack, preserves_flags));
    }
    #[cfg(not(all(target_arch = "x86_64", not(any(loom, miri)))))]
    let _ = line;
}

/// Memory that one side writes and the other reads, never at the same time: who may touch it when
/// is told by an atomic beside it. Under loom a violation is a test failure.
#[derive(Debug)]
#[repr(transparent)]
pub struct Shared<T> {
    #[cfg(not(loom))]
    cell: std::cell::UnsafeCell<T>,
    #[cfg(loom)]
    cell: loom::cell::UnsafeCell<T>,
}

impl<T> Shared<T> {
    /// A cell of its own, for tests: in the library these lie in mapped memory.
    #[cfg(any(test, loom))]
    pub fn new(value: T) -> Self {
        #[cfg(not(loom))]
        return Shared { cell: std::cell::UnsafeCell::new(value) };
        #[cfg(loom)]
        return Shared { cell: loom::cell::UnsafeCell::new(value) };
    }

    /// Reads through a pointer valid for the length of `f`.
    pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
        #[cfg(not(loom))]
        return f(self.cell.get());
        #[cfg(loom)]
        return self.cell.with(f);
    }

    /// Writes through a pointer valid for the length of `f`.
    pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        #[cfg(not(loom))]
        return f(self.cell.get());
        #[cfg(loom)]
        return self.cell.with_mut(f);
    }
}
