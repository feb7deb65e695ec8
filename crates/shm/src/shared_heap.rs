//! The shared heap of a rank: memory for the program's messages that the other ranks of the node
//! map, so that they copy from it and to it without a call of the kernel. It is an anonymous memory
//! file with room for more than is ever used: pages that nobody has touched cost nothing. Peers
//! open it by the number of its descriptor, which takes the right that single copy takes.
//!
//! A process that is forked shares it, too: what the child writes there, the parent sees.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::layout::PAGE;
use crate::rank_record::{HeapRecord, RankRecord};
use crate::region::{HUGE_PAGE, Region};
use crate::sync::Ordering;

/// What a heap has room for; who wants more gets memory of its own process.
const HEAP_BYTES: usize = 16 << 30;
/// Pages are the smallest pieces, and no much shorter message is copied out of its sender's memory.
const BYTES_MIN: usize = PAGE;
/// Shorter pieces that are freed keep their pages, to be given again: to get and to empty pages
/// takes six calls of the kernel.
const KEPT_BYTES: usize = 64 << 10;
/// How many of them.
const KEPT_MAX: usize = 16;
const FLAGS: libc::c_uint = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
const SEALS: libc::c_int = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;

/// The heap of this rank.
#[derive(Debug)]
pub(crate) struct SharedHeap {
    region: Region,
    /// Open for the peers.
    _file: File,
    blocks: Mutex<Blocks>,
}

impl SharedHeap {
    /// Makes a heap and tells the peers, if the limits of this process allow one.
    pub fn new(record: &HeapRecord) -> io::Result<SharedHeap> {
        if !limits_allow() {
            return Err(io::Error::other("limits of this process are too low for a shared heap"));
        }
        // SAFETY: the name is a C string; the call has no other precondition.
        let fd = unsafe { libc::memfd_create(c"dunlin heap".as_ptr(), FLAGS) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor was just made and nobody else owns it.
        let file = File::from(unsafe { OwnedFd::from_raw_fd(fd) });
        file.set_len(HEAP_BYTES as u64)?;
        // SAFETY: a valid descriptor of a file of ours.
        if unsafe { libc::fcntl(fd, libc::F_ADD_SEALS, SEALS) } < 0 {
            return Err(io::Error::last_os_error());
        }
        let region = Region::map(&file.try_clone()?.into(), HEAP_BYTES)?;
        region.keep_from_dumps(0, HEAP_BYTES, true);
        record.inode.store(file.metadata()?.ino(), Ordering::Relaxed);
        record.fd.store(fd as u32, Ordering::Relaxed);
        // Release: pairs with the acquire in `address`.
        record.address.store(region.start().as_ptr() as u64, Ordering::Release);
        Ok(SharedHeap { region, _file: file, blocks: Mutex::new(Blocks::new(HEAP_BYTES)) })
    }

    /// Zeroed memory, aligned to pages; `None` for short pieces, and where no room is left.
    pub fn allocate(&self, bytes: usize) -> Option<NonNull<u8>> {
        let bytes = bytes.checked_next_multiple_of(PAGE).filter(|_| bytes >= BYTES_MIN)?;
        let align = if bytes < HUGE_PAGE { PAGE } else { HUGE_PAGE };
        let mut blocks = self.lock();
        if let Some(at) = blocks.take_kept(bytes) {
            let memory = self.region.part(at, bytes)?;
            // SAFETY: the piece is this caller's, and has so many bytes.
            unsafe { memory.as_ptr().write_bytes(0, bytes) };
            return Some(memory);
        }
        let at = blocks.take(bytes, align)?;
        drop(blocks);
        self.region.keep_from_dumps(at, bytes, false);
        self.region.ask_for_huge_pages(at, bytes);
        self.region.part(at, bytes)
    }

    /// So many bytes at this address, if all are in the heap.
    pub fn part(&self, address: u64, bytes: usize) -> Option<NonNull<u8>> {
        let start = self.region.start().as_ptr() as u64;
        self.region.part(address.checked_sub(start)? as usize, bytes)
    }

    /// Whether this address is in the heap.
    #[inline]
    pub fn has(&self, address: *const u8) -> bool {
        (address as usize).wrapping_sub(self.region.start().as_ptr() as usize) < HEAP_BYTES
    }

    /// Takes memory back; false if it is not of this heap.
    pub fn free(&self, address: *const u8) -> bool {
        let at = (address as usize).wrapping_sub(self.region.start().as_ptr() as usize);
        let mut blocks = self.lock();
        let Some(bytes) = blocks.taken.remove(&at) else { return false };
        if blocks.keeps(at, bytes) {
            return true;
        }
        self.region.empty(at, bytes);
        self.region.renounce_huge_pages(at, bytes);
        self.region.keep_from_dumps(at, bytes, true);
        blocks.give_back(at, bytes);
        true
    }

    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether so much address space, and a file of this length, are within this process's limits.
fn limits_allow() -> bool {
    let allows = |resource, bytes| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the kernel writes one limit.
        let is_known = unsafe { libc::getrlimit(resource, &raw mut limit) } == 0;
        is_known && limit.rlim_cur >= bytes
    };
    allows(libc::RLIMIT_AS, libc::RLIM_INFINITY)
        && allows(libc::RLIMIT_FSIZE, HEAP_BYTES as libc::rlim_t)
}

/// The pieces of a heap, by where they begin.
#[derive(Debug)]
struct Blocks {
    free: BTreeMap<usize, usize>,
    taken: BTreeMap<usize, usize>,
    /// Pieces that nobody has and that keep their pages: where they begin, and bytes.
    kept: Vec<(usize, usize)>,
}

impl Blocks {
    fn new(bytes: usize) -> Blocks {
        let free = BTreeMap::from([(0, bytes)]);
        Blocks { free, taken: BTreeMap::new(), kept: Vec::with_capacity(KEPT_MAX) }
    }

    /// A piece of just this length that has kept its pages, and what was in them; the last one,
    /// which may be in a cache.
    fn take_kept(&mut self, bytes: usize) -> Option<usize> {
        let place = self.kept.iter().rposition(|(_, kept)| *kept == bytes)?;
        let (at, bytes) = self.kept.remove(place);
        self.taken.insert(at, bytes);
        Some(at)
    }

    /// Keeps a piece that is given back, if there is room for it.
    fn keeps(&mut self, at: usize, bytes: usize) -> bool {
        let keeps = bytes <= KEPT_BYTES && self.kept.len() < KEPT_MAX;
        if keeps {
            self.kept.push((at, bytes));
        }
        keeps
    }

    /// The first piece that is long enough, at a multiple of `align`.
    fn take(&mut self, bytes: usize, align: usize) -> Option<usize> {
        let place = |(&free, &len): (&usize, &usize)| {
            let at = free.next_multiple_of(align);
            (at.checked_add(bytes)? <= free + len).then_some((free, len, at))
        };
        let (free, len, at) = self.free.iter().find_map(place)?;
        let (before, after) = (at - free, free + len - at - bytes);
        self.free.remove(&free);
        for (rest, len) in [(free, before), (at + bytes, after)] {
            if len > 0 {
                self.free.insert(rest, len);
            }
        }
        self.taken.insert(at, bytes);
        Some(at)
    }

    fn give_back(&mut self, mut at: usize, mut bytes: usize) {
        if let Some(after) = self.free.remove(&(at + bytes)) {
            bytes += after;
        }
        if let Some((&before, &len)) = self.free.range(..at).next_back() {
            if before + len == at {
                (at, bytes) = (before, len + bytes);
            }
        }
        self.free.insert(at, bytes);
    }
}

/// A peer's heap, as this process maps it.
#[derive(Debug)]
pub(crate) struct PeerHeap {
    region: Region,
    address: u64,
    /// The process whose it is: another one may be this rank later.
    nonce: u64,
}

impl PeerHeap {
    fn open(record: &RankRecord, address: u64) -> io::Result<PeerHeap> {
        let heap = &record.heap;
        let (pid, fd) = (record.pid.load(Ordering::Relaxed), heap.fd.load(Ordering::Relaxed));
        let file =
            OpenOptions::new().read(true).write(true).open(format!("/proc/{pid}/fd/{fd}"))?;
        let meta = file.metadata()?;
        // SAFETY: a valid descriptor.
        let seals = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) };
        let is_it = meta.ino() == heap.inode.load(Ordering::Relaxed)
            && meta.len() == HEAP_BYTES as u64
            && seals >= 0
            && seals & libc::F_SEAL_SHRINK != 0;
        if !is_it || !limits_allow() {
            return Err(io::Error::other("not the heap of the rank, or no room to map it"));
        }
        let region = Region::map(&file.into(), HEAP_BYTES)?;
        region.keep_from_dumps(0, HEAP_BYTES, true);
        region.keep_from_children();
        Ok(PeerHeap { region, address, nonce: record.nonce.load(Ordering::Relaxed) })
    }
}

/// A peer's heap, once it was needed; `None` within if it cannot be mapped.
pub(crate) type PeerHeapCell = OnceLock<Option<PeerHeap>>;

/// Where `bytes` bytes at an address of the rank with this record are mapped here; `None` if they
/// are not in its heap. Both numbers come from another process, and are checked.
#[inline]
pub(crate) fn find(
    mapped: &PeerHeapCell,
    record: &RankRecord,
    address: u64,
    bytes: usize,
) -> Option<NonNull<u8>> {
    // Acquire: pairs with the release in `new`.
    let start = record.heap.address.load(Ordering::Acquire);
    if start == 0 || address.wrapping_sub(start) >= HEAP_BYTES as u64 {
        return None;
    }
    let heap = mapped.get_or_init(|| PeerHeap::open(record, start).ok()).as_ref()?;
    let is_it = heap.address == start && heap.nonce == record.nonce.load(Ordering::Relaxed);
    if !is_it { None } else { heap.region.part((address - start) as usize, bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back_and_join() {
        let mut blocks = Blocks::new(10);
        let taken: Vec<_> = (0..4).map(|_| blocks.take(3, 1)).collect();
        assert_eq!(taken, [Some(0), Some(3), Some(6), None]);
        for at in [3, 0, 6] {
            let bytes = blocks.taken.remove(&at).unwrap();
            blocks.give_back(at, bytes);
        }
        assert_eq!(blocks.free, BTreeMap::from([(0, 10)]));
    }

    #[test]
    fn short_pieces_are_kept_and_given_again() {
        let mut blocks = Blocks::new(1 << 30);
        let short: Vec<_> = (0..=KEPT_MAX).map(|_| blocks.take(PAGE, 1).unwrap()).collect();
        let kept: Vec<_> = short.iter().map(|&at| blocks.keeps(at, PAGE)).collect();
        assert_eq!(kept.iter().filter(|kept| **kept).count(), KEPT_MAX, "and no more");
        assert!(!blocks.keeps(0, KEPT_BYTES + PAGE), "too long");
        assert_eq!(blocks.take_kept(2 * PAGE), None, "another length");
        blocks.taken.clear();
        assert_eq!(blocks.take_kept(PAGE), Some(short[KEPT_MAX - 1]), "the last one");
        assert_eq!(blocks.taken, BTreeMap::from([(short[KEPT_MAX - 1], PAGE)]));
    }

    #[test]
    fn pieces_begin_where_they_shall() {
        let mut blocks = Blocks::new(32);
        assert_eq!(
            (blocks.take(3, 1), blocks.take(8, 8), blocks.take(8, 8)),
            (Some(0), Some(8), Some(16))
        );
        assert_eq!(
            (blocks.take(5, 1), blocks.take(8, 8), blocks.take(8, 8)),
            (Some(3), Some(24), None)
        );
        for at in [8, 0, 16, 3, 24] {
            let bytes = blocks.taken.remove(&at).unwrap();
            blocks.give_back(at, bytes);
        }
        assert_eq!(blocks.free, BTreeMap::from([(0, 32)]));
    }

    #[test]
    fn freed_memory_is_zero_again_and_foreign_memory_is_not_freed() {
        let heap = SharedHeap::new(&HeapRecord::default()).unwrap();
        assert!(heap.allocate(BYTES_MIN - 1).is_none() && heap.allocate(HEAP_BYTES + 1).is_none());
        let memory = heap.allocate(BYTES_MIN).unwrap();
        // SAFETY: ours, and so long.
        unsafe { memory.write_bytes(7, BYTES_MIN) };
        assert!(heap.free(memory.as_ptr()) && !heap.free(memory.as_ptr()));
        let again = heap.allocate(BYTES_MIN).unwrap();
        assert_eq!(again, memory);
        // SAFETY: as above.
        assert_eq!(unsafe { again.read() }, 0);
    }
}
