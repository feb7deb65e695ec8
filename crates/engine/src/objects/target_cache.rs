//! The targets of one-sided operations that the fast path reached last, so that the next operation
//! on one of them need not go through the engine, its windows and what is known of their processes:
//! each step of that way is a load that waits for the one before it, and together they took longer
//! than the operation.
//!
//! A target is found here only while one thread at a time calls MPI and there is no progress
//! thread, while this process may access it, and while all is done that was sent to it. Whatever
//! may change that makes every entry invalid ([`TargetCache::invalidate`]); what ends a window, or
//! lets other threads in, removes them all ([`TargetCache::clear`]). All accesses are relaxed: the
//! program orders its threads.

use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed};

use dunlin_base::Rank;
use dunlin_shm::window_part::UpdateLock;

/// Places of targets; each has one by its rank, so that neighbours do not displace one another.
const RANKS: usize = 64;
/// Places of the window alone, and of all its processes.
const WINDOWS: usize = 8;
const ENTRIES: usize = RANKS + WINDOWS;

/// Stands for every process of a window: this one holds locks, and all is done that was sent to
/// anybody.
pub(crate) const EVERY: Rank = Rank::MAX;
/// Stands for a window alone: there is one, and its processes reach one another without messages.
pub(crate) const ITSELF: Rank = Rank::MAX - 1;
/// Stands for no target.
const NO_KEY: u64 = u64::MAX;

/// Memory of a target that this process has mapped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MappedTarget {
    pub base: *mut u8,
    /// Bytes.
    pub size: usize,
    /// Bytes of one unit of displacement.
    pub unit: usize,
    /// The lock of its accumulates; null if they may not go at once.
    pub updates: *const UpdateLock,
    /// Whether this process holds its lock: only then it may be flushed.
    pub is_locked: bool,
}

impl MappedTarget {
    /// No memory at all, of a window where this process holds locks.
    pub(crate) const NOWHERE: MappedTarget =
        MappedTarget { base: null_mut(), size: 0, unit: 1, updates: null(), is_locked: true };

    /// Where these elements are, if they are within it.
    #[inline(always)]
    pub(crate) fn place(&self, displacement: i64, bytes: usize) -> Option<*mut u8> {
        // An address in memory is no negative number, so one comparison is enough.
        let start = displacement.checked_mul(self.unit as i64)? as usize;
        let last = self.size.checked_sub(bytes)?;
        (start <= last).then(|| self.base.wrapping_add(start))
    }

    /// The lock of its accumulates, if they may go at once.
    ///
    /// # Safety
    /// The window is not freed as long as the lock is used.
    #[inline(always)]
    pub(crate) unsafe fn updates<'a>(&self) -> Option<&'a UpdateLock> {
        // SAFETY: promised by the caller.
        unsafe { self.updates.as_ref() }
    }
}

/// Where one target is kept.
#[repr(C, align(64))]
pub(crate) struct Entry {
    key: AtomicU64,
    /// That of the cache, when this was known to be right.
    generation: AtomicU64,
    base: AtomicPtr<u8>,
    size: AtomicUsize,
    unit: AtomicUsize,
    updates: AtomicPtr<UpdateLock>,
    is_locked: AtomicBool,
}

impl Entry {
    const fn new() -> Entry {
        Entry {
            key: AtomicU64::new(NO_KEY),
            generation: AtomicU64::new(0),
            base: AtomicPtr::new(null_mut()),
            size: AtomicUsize::new(0),
            unit: AtomicUsize::new(0),
            updates: AtomicPtr::new(null_mut()),
            is_locked: AtomicBool::new(false),
        }
    }

    /// [`MappedTarget::place`]. What the caller does not use is not loaded.
    #[inline(always)]
    pub(crate) fn place(&self, displacement: i64, bytes: usize) -> Option<*mut u8> {
        let (base, size) = (self.base.load(Relaxed), self.size.load(Relaxed));
        let unit = self.unit.load(Relaxed);
        MappedTarget { base, size, unit, ..MappedTarget::NOWHERE }.place(displacement, bytes)
    }

    /// [`MappedTarget::updates`].
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    pub(crate) unsafe fn updates<'a>(&self) -> Option<&'a UpdateLock> {
        // SAFETY: promised by the caller.
        unsafe { self.updates.load(Relaxed).as_ref() }
    }

    /// [`MappedTarget::is_locked`].
    #[inline(always)]
    pub(crate) fn is_locked(&self) -> bool {
        self.is_locked.load(Relaxed)
    }

    /// All of it.
    pub(crate) fn target(&self) -> MappedTarget {
        MappedTarget {
            base: self.base.load(Relaxed),
            size: self.size.load(Relaxed),
            unit: self.unit.load(Relaxed),
            updates: self.updates.load(Relaxed),
            is_locked: self.is_locked(),
        }
    }
}

/// See the module.
pub(crate) struct TargetCache {
    entries: [Entry; ENTRIES],
    /// How often something has changed.
    generation: AtomicU64,
}

/// That of this process.
pub(crate) static TARGETS: TargetCache = TargetCache::new();

impl TargetCache {
    const fn new() -> TargetCache {
        let entries = [const { Entry::new() }; ENTRIES];
        TargetCache { entries, generation: AtomicU64::new(1) }
    }

    #[inline(always)]
    fn entry(&self, window: u32, rank: Rank) -> (&Entry, u64) {
        // Known as it is compiled, wherever one of these is asked for.
        let place = if rank >= ITSELF {
            RANKS + (2 * window as usize + (rank - ITSELF) as usize) % WINDOWS
        } else {
            rank.wrapping_add(window.wrapping_mul(7)) as usize % RANKS
        };
        (&self.entries[place], u64::from(window) << 32 | u64::from(rank))
    }

    /// The target, if it is known and may be accessed now.
    #[inline(always)]
    pub(crate) fn find(&self, window: u32, rank: Rank) -> Option<&Entry> {
        let (entry, key) = self.entry(window, rank);
        let is_valid = entry.generation.load(Relaxed) == self.generation.load(Relaxed);
        (entry.key.load(Relaxed) == key && is_valid).then_some(entry)
    }

    /// Remembers a target that may be accessed now.
    pub(crate) fn remember(&self, window: u32, rank: Rank, target: &MappedTarget) {
        let (entry, key) = self.entry(window, rank);
        entry.base.store(target.base, Relaxed);
        entry.size.store(target.size, Relaxed);
        entry.unit.store(target.unit, Relaxed);
        entry.updates.store(target.updates.cast_mut(), Relaxed);
        entry.is_locked.store(target.is_locked, Relaxed);
        entry.key.store(key, Relaxed);
        entry.generation.store(self.generation.load(Relaxed), Relaxed);
    }

    /// A target is locked, so it may be accessed again, if it is known.
    #[inline(always)]
    pub(crate) fn revalidate(&self, window: u32, rank: Rank) {
        let (entry, key) = self.entry(window, rank);
        if entry.key.load(Relaxed) == key {
            entry.is_locked.store(true, Relaxed);
            entry.generation.store(self.generation.load(Relaxed), Relaxed);
        }
    }

    /// What may be done to any target may have changed.
    #[inline(always)]
    pub(crate) fn invalidate(&self) {
        // Threads that do this at the same time may lose a count: then there are no entries.
        let changes = self.generation.load(Relaxed);
        self.generation.store(changes.wrapping_add(1), Relaxed);
    }

    /// Forgets all targets.
    pub(crate) fn clear(&self) {
        self.entries.iter().for_each(|entry| entry.key.store(NO_KEY, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::from_ref;

    use super::*;

    #[test]
    fn only_what_lies_within_a_target_has_a_place() {
        let target = MappedTarget { size: 16, unit: 4, ..MappedTarget::NOWHERE };
        let place = |displacement, bytes| target.place(displacement, bytes).map(|at| at as usize);
        assert_eq!(place(0, 16), Some(0));
        assert_eq!(place(2, 8), Some(8));
        assert_eq!(place(4, 0), Some(16));
        let outside = [(3, 8), (5, 0), (0, 17), (0, usize::MAX), (-1, 0), (-1, 4)];
        for (displacement, bytes) in outside.into_iter().chain([(i64::MAX, 8), (i64::MIN, 8)]) {
            assert_eq!(place(displacement, bytes), None, "{displacement} {bytes}");
        }
    }

    #[test]
    fn a_target_is_found_until_something_changes() {
        let (mut memory, lock) = ([0_u8; 16], UpdateLock::default());
        let (base, updates) = (memory.as_mut_ptr(), from_ref(&lock));
        let target = MappedTarget { base, size: 16, unit: 4, updates, is_locked: false };
        let (cache, other) = (TargetCache::new(), 1 + RANKS as Rank);
        assert!(cache.find(3, 1).is_none());
        cache.remember(3, 1, &target);
        let found = cache.find(3, 1).expect("it has been remembered").target();
        assert_eq!((found.base, found.size, found.unit), (base, 16, 4));
        assert_eq!((found.updates, found.is_locked), (updates, false));
        assert!(cache.find(3, 2).is_none(), "another rank");
        assert!(cache.find(4, 1).is_none(), "another window");
        cache.remember(3, EVERY, &MappedTarget::NOWHERE);
        cache.remember(3, ITSELF, &MappedTarget::NOWHERE);
        assert!(cache.find(3, EVERY).is_some() && cache.find(3, ITSELF).is_some());
        assert!(cache.find(4, EVERY).is_none() && cache.find(4, ITSELF).is_none());
        assert!(cache.find(3, other).is_none(), "another rank of the same place");
        cache.invalidate();
        assert!(cache.find(3, 1).is_none(), "something has changed");
        cache.revalidate(3, other);
        assert!(cache.find(3, 1).is_none(), "another target of the same place may be accessed");
        cache.revalidate(3, 1);
        let found = cache.find(3, 1).expect("it may be accessed again");
        assert!(found.is_locked(), "it may be flushed, too");
        cache.remember(3, other, &target);
        assert!(cache.find(3, 1).is_none(), "it was displaced");
        cache.clear();
        cache.revalidate(3, other);
        assert!(cache.find(3, other).is_none(), "the window is gone");
    }
}
