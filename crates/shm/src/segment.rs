//! The segment itself: an anonymous memory file that the launcher makes, ranks inherit, and the
//! kernel frees when the last of them is gone, however they die. Nothing appears in `/dev/shm`.

use std::ffi::c_void;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr::NonNull;

use crate::abort_message::AbortMessage;
use crate::core_cell::CoreCell;
use crate::counters::Counters;
use crate::job_map::{self, Addresses, Job, JobMap, JobMapLayout};
use crate::job_steps::JobSteps;
use crate::layout::{CACHE_LINE, HEADER_BYTES, RANK_RECORD_BYTES, SegmentLayout};
use crate::stall::StallCell;
use crate::sync::{AtomicI32, AtomicU32, AtomicU64, Ordering};
use crate::wait::Wakeup;

/// First word of a segment, so that a stray descriptor is recognised.
const MAGIC: u64 = 0x31_4e_49_4c_4e_55_44_21;
/// Raised with every change of the layout: ranks and launcher must agree.
const VERSION: u32 = 15;
/// Where the number of sleepers lies in the header's page.
const SLEEPERS_AT: usize = HEADER_BYTES / 2;
/// Where the number of the job's step lies there.
const STEP_AT: usize = HEADER_BYTES / 4;
/// CPUs a rank's affinity can name.
pub(crate) const CPUS_MAX: usize = 1024;

const MEMFD_FLAGS: libc::c_uint = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;

/// What the launcher tells every rank of the node.
#[repr(C)]
#[derive(Clone, Copy)]
struct Header {
    magic: u64,
    version: u32,
    ranks: u32,
    /// Cores the job may use here: affinity and cgroup quota.
    cores: u32,
    /// Ranks of the job.
    world: u32,
    /// Nodes of the job.
    nodes: u32,
}

impl Header {
    /// What lies at the beginning of a file, if that is a segment.
    fn read(fd: RawFd) -> Option<Header> {
        let mut header = MaybeUninit::<Header>::zeroed();
        let bytes = size_of::<Header>();
        // SAFETY: the buffer is as long as we say; on any number this is harmless.
        let n = unsafe { libc::pread(fd, header.as_mut_ptr().cast(), bytes, 0) };
        // SAFETY: numbers alone, for which any bits will do.
        let header = unsafe { header.assume_init() };
        (n == bytes as isize && header.magic == MAGIC).then_some(header)
    }

    fn job_map(&self) -> JobMapLayout {
        let (world, nodes) = (self.world as usize, self.nodes as usize);
        JobMapLayout { world, nodes, ranks: self.ranks as usize }
    }
}

/// A rank's life, as the launcher sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum RankState {
    /// Started, or about to be; `MPI_Init` not yet called.
    Unborn = 0,
    /// Between `MPI_Init` and `MPI_Finalize`.
    Running = 1,
    /// `MPI_Finalize` returned.
    Finalized = 2,
    /// `MPI_Abort` was called; the exit code says with what.
    Aborted = 3,
}

/// What one rank publishes to the others. The words that others write while this rank works
/// (`wakeup`) and those it writes itself are in separate cache lines.
#[repr(C, align(64))]
pub(crate) struct RankRecord {
    pub(crate) state: AtomicU32,
    pub(crate) pid: AtomicU32,
    pub(crate) abort_code: AtomicI32,
    /// The thread that others name when they copy this process's memory; 0 if there is none.
    pub(crate) cma_target: AtomicU32,
    /// A random number of the rank, and its address in the rank's private memory: a peer that can
    /// read it there with `process_vm_readv` may use single copy.
    pub(crate) nonce: AtomicU64,
    pub(crate) nonce_address: AtomicU64,
    pub(crate) cpus: [AtomicU64; CPUS_MAX / 64],
    pub(crate) wakeup: Wakeup,
    pub(crate) core: CoreCell,
    pub(crate) stall: StallLine,
    pub(crate) abort_message: AbortMessage,
    pub(crate) counters: Counters,
}

#[repr(C, align(64))]
pub(crate) struct StallLine(pub(crate) StallCell);

const _: () = assert!(size_of::<RankRecord>() <= RANK_RECORD_BYTES);
const _: () = assert!(size_of::<Header>() <= STEP_AT);

/// The mapped segment of a node.
#[derive(Debug)]
pub struct Segment {
    base: NonNull<u8>,
    layout: SegmentLayout,
    job_map: JobMapLayout,
    /// Of the mapping. `layout` would say it, but takes as long as a message to do so.
    bytes: usize,
    fd: OwnedFd,
}

// SAFETY: the mapping is plain memory; everything reached through `&Segment` is atomic, and the
// rings hand out their single producer and consumer by contract.
unsafe impl Send for Segment {}
// SAFETY: as above.
unsafe impl Sync for Segment {}

impl Segment {
    /// Makes the segment of a node of `job`, whose ranks may use `cores` cores there.
    pub fn create(job: &Job, cores: usize) -> io::Result<Segment> {
        let job_map = job.layout()?;
        // SAFETY: the name is a C string; the call has no other precondition.
        let fd = unsafe { libc::memfd_create(c"dunlin".as_ptr(), MEMFD_FLAGS) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor was just made and nobody else owns it.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        let bytes = bytes(job_map);
        // SAFETY: a valid descriptor of a file we own.
        if unsafe { libc::ftruncate(fd.as_raw_fd(), bytes as libc::off_t) } < 0 {
            return Err(io::Error::last_os_error());
        }
        // A rank that made it shorter would end the launcher, which reads in it, by SIGBUS.
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        // SAFETY: a valid descriptor of a file we own.
        if unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_ADD_SEALS, seals) } < 0 {
            return Err(io::Error::last_os_error());
        }
        let segment = Segment::mapped(fd, job_map)?;
        let (world, nodes) = (job_map.world as u32, job_map.nodes as u32);
        let (ranks, cores) = (job_map.ranks as u32, cores as u32);
        let header = Header { magic: MAGIC, version: VERSION, ranks, cores, world, nodes };
        // SAFETY: the mapping is at least a page, page aligned, and no rank has it yet.
        unsafe { segment.base.cast::<Header>().write(header) };
        // SAFETY: `bytes` made room for it behind the rest, and no rank has the mapping yet.
        unsafe { job_map::write(segment.job_map_base(), job_map, job) };
        Ok(segment)
    }

    /// Maps the segment that a launcher left in descriptor `fd`, which is taken over; not if it is
    /// anything else, and belongs to the program.
    pub fn inherit(fd: RawFd) -> io::Result<Segment> {
        let header = Header::read(fd).ok_or_else(|| {
            io::Error::other(format!(
                "its memory is not in descriptor {fd}: a rank has started this process, and what a \
                 rank starts is none (start it by an mpirun of its own), or what stands between \
                 mpirun and this process has closed the descriptor (in Python, pass \
                 close_fds=False)"
            ))
        })?;
        // SAFETY: open, a segment, and left for this process for this purpose alone.
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        let version = header.version;
        if version != VERSION || !header.job_map().is_sane() {
            let text = format!(
                "the launcher's segment has layout {version}, this library has {VERSION}: mpirun \
                 and libmpi_abi.so must come from the same Dunlin"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        let segment = Segment::mapped(fd, header.job_map())?;
        segment.close_on_exec(true);
        Ok(segment)
    }

    fn mapped(fd: OwnedFd, job_map: JobMapLayout) -> io::Result<Segment> {
        let bytes = bytes(job_map);
        let base = map(&fd, bytes)?;
        Ok(Segment { base, layout: SegmentLayout::for_ranks(job_map.ranks), job_map, bytes, fd })
    }

    /// The descriptor, for a child to inherit.
    pub fn fd(&self) -> &OwnedFd {
        &self.fd
    }

    /// Whether the descriptor is closed in programs that this process executes.
    pub(crate) fn close_on_exec(&self, closes: bool) {
        let flags = if closes { libc::FD_CLOEXEC } else { 0 };
        // SAFETY: takes numbers alone.
        unsafe { libc::fcntl(self.fd.as_raw_fd(), libc::F_SETFD, flags) };
    }

    /// Ranks of this node.
    pub fn ranks(&self) -> usize {
        self.layout.ranks
    }

    /// The layout.
    pub fn layout(&self) -> SegmentLayout {
        self.layout
    }

    /// Cores the job may use here, as the launcher counted them.
    pub fn cores(&self) -> usize {
        // SAFETY: the header is written once, before any other process maps the segment.
        unsafe { self.base.cast::<Header>().as_ref().cores as usize }
    }

    /// What rank `rank` of this node publishes.
    pub fn rank(&self, rank: usize) -> RankView<'_> {
        RankView { block: self.record(rank) }
    }

    /// What is known of the job.
    pub fn job_map(&self) -> JobMap<'_> {
        // SAFETY: `create` wrote a job map of this shape there; the mapping lives as long as
        // `self`.
        unsafe { JobMap::at(self.job_map_base(), self.job_map) }
    }

    /// Which process is which rank.
    pub(crate) fn steps(&self) -> JobSteps<'_> {
        let ranks = self.at(self.layout.steps()).cast::<AtomicU64>();
        // SAFETY: inside the header's page, aligned; zeroed memory is a valid atomic.
        let current = unsafe { self.at(STEP_AT).cast::<AtomicU64>().as_ref() };
        // SAFETY: the layout has room for a word of each rank there, a page's beginning.
        let ranks = unsafe { std::slice::from_raw_parts(ranks.as_ptr(), self.layout.ranks) };
        JobSteps::new(current, ranks)
    }

    /// This process, which was rank `me`, leaves MPI and no longer touches the segment.
    /// True unless it was not the rank.
    pub(crate) fn leave_rank(&self, me: usize) -> bool {
        self.steps().leave(me, std::process::id())
    }

    /// It uses MPI again. False if another program has become this rank since.
    pub(crate) fn reclaim(&self, me: usize) -> bool {
        self.steps().reclaim(me, std::process::id())
    }

    /// For the launcher: what it has started as rank `rank` of this node has ended, so that nobody
    /// waits for another program to become this rank.
    pub fn set_gone(&self, rank: usize) {
        assert!(rank < self.layout.ranks);
        self.steps().set_gone(rank);
    }

    /// Where what the ranks share lies in the file: all but the header, the words that say which
    /// process is which rank, and the job map.
    pub(crate) fn shared_bytes(&self) -> (usize, usize) {
        (self.layout.record(0), job_map_at(self.layout))
    }

    /// Keeps the mapping from processes that this one forks: whatever they do, they touch nothing
    /// that the ranks share.
    pub(crate) fn keep_from_children(&self) {
        // SAFETY: the mapping is ours, and nothing of it changes for this process.
        unsafe { libc::madvise(self.base.as_ptr().cast(), self.bytes, libc::MADV_DONTFORK) };
    }

    /// For the launcher: says how far the exchange of addresses has come, and wakes the ranks that
    /// sleep until it has.
    pub fn set_addresses(&self, state: Addresses) {
        self.job_map().set_addresses(state);
        // A full fence between the state and the check who sleeps: this process is not one of
        // those on whose cores a sleeper can have a barrier run.
        (0..self.ranks()).for_each(|rank| self.record(rank).wakeup.ring_if_asleep(true));
    }

    fn job_map_base(&self) -> NonNull<u8> {
        self.at(job_map_at(self.layout))
    }

    /// How many ranks sleep or are about to, in a line of its own.
    pub(crate) fn sleepers(&self) -> &AtomicU32 {
        // SAFETY: inside the header's page, behind the header; zeroed memory is a valid atomic.
        unsafe { self.at(SLEEPERS_AT).cast::<AtomicU32>().as_ref() }
    }

    #[inline]
    pub(crate) fn record(&self, rank: usize) -> &RankRecord {
        assert!(rank < self.layout.ranks);
        // SAFETY: inside the mapping, all atomics, and aligned: offsets are multiples of a line.
        unsafe { self.at(self.layout.record(rank)).cast::<RankRecord>().as_ref() }
    }

    /// The address of an offset that `layout` computed.
    #[inline]
    pub(crate) fn at(&self, offset: usize) -> NonNull<u8> {
        assert!(offset < self.bytes);
        // SAFETY: inside the mapping.
        unsafe { self.base.add(offset) }
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: mapped with this length; borrows of it have ended.
        unsafe { libc::munmap(self.base.as_ptr().cast::<c_void>(), self.bytes) };
    }
}

/// Where the job map lies: behind everything else.
const fn job_map_at(layout: SegmentLayout) -> usize {
    layout.bytes().next_multiple_of(CACHE_LINE)
}

/// Bytes of a whole segment.
const fn bytes(job_map: JobMapLayout) -> usize {
    job_map_at(SegmentLayout::for_ranks(job_map.ranks)) + job_map.bytes()
}

fn map(fd: &OwnedFd, bytes: usize) -> io::Result<NonNull<u8>> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let fd = fd.as_raw_fd();
    // SAFETY: a fresh mapping at an address of the kernel's choice.
    let p = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, libc::MAP_SHARED, fd, 0) };
    if p == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(p.cast::<u8>()).ok_or_else(|| io::Error::other("mmap returned address 0"))
}

/// One rank's public face: the rank writes it, launcher and peers read it.
#[derive(Clone, Copy)]
pub struct RankView<'a> {
    block: &'a RankRecord,
}

impl<'a> RankView<'a> {
    /// Where the rank is in its life.
    pub fn state(&self) -> RankState {
        // Acquire: pairs with the release in `set_state`, so that the abort code is seen with it.
        match self.block.state.load(Ordering::Acquire) {
            1 => RankState::Running,
            2 => RankState::Finalized,
            3 => RankState::Aborted,
            _ => RankState::Unborn,
        }
    }

    /// Tells the launcher; only the rank itself may call this.
    pub fn set_state(&self, state: RankState) {
        // Release: pairs with the acquire in `state`.
        self.block.state.store(state as u32, Ordering::Release);
    }

    /// The code given to `MPI_Abort`; meaningful once the state is [`RankState::Aborted`].
    pub fn abort_code(&self) -> i32 {
        self.block.abort_code.load(Ordering::Relaxed)
    }

    /// Records `MPI_Abort`; only the rank itself may call this.
    pub fn set_aborted(&self, code: i32) {
        self.block.abort_code.store(code, Ordering::Relaxed);
        self.set_state(RankState::Aborted);
    }

    /// Records that the rank cannot go on, and why, in a sentence that the launcher says for it:
    /// where many fail of one cause, the user hears of it once. Only the rank itself may call this.
    pub fn set_cut_off(&self, code: i32, why: &str) {
        self.block.abort_message.write(why);
        self.set_aborted(code);
    }

    /// Why the rank cannot go on; meaningful once the state is [`RankState::Aborted`], and `None`
    /// where the program wanted the end.
    pub fn abort_message(&self) -> Option<String> {
        self.block.abort_message.read()
    }

    /// The process that is this rank: the one that called `MPI_Init`, not a shell around it.
    /// 0 before `MPI_Init`.
    pub fn pid(&self) -> u32 {
        self.block.pid.load(Ordering::Relaxed)
    }

    /// Records the process; only the rank itself may call this.
    pub fn set_pid(&self, pid: u32) {
        self.block.pid.store(pid, Ordering::Relaxed);
    }

    /// What the rank has counted; only the rank itself may change it.
    pub fn counters(&self) -> &'a Counters {
        &self.block.counters
    }

    /// Where the rank publishes what it waits for.
    pub fn stall(&self) -> &'a StallCell {
        &self.block.stall.0
    }
}

#[cfg(test)]
mod tests {
    use dunlin_base::counters::Counter;

    use super::*;
    use crate::layout::RANKS_MAX;

    #[test]
    fn a_child_that_inherits_the_descriptor_sees_the_same_memory() {
        let made = Segment::create(&Job::on_one_node("here", 3), 2).unwrap();
        let copy = made.fd().try_clone().unwrap();
        let fd = std::os::fd::IntoRawFd::into_raw_fd(copy);
        let mapped = Segment::inherit(fd).unwrap();
        assert_eq!((mapped.ranks(), mapped.cores()), (3, 2));
        mapped.rank(1).set_aborted(7);
        assert_eq!(made.rank(1).state(), RankState::Aborted);
        assert_eq!(made.rank(1).abort_code(), 7);
        assert_eq!(made.rank(1).abort_message(), None);
        assert_eq!(made.rank(0).state(), RankState::Unborn);
        mapped.rank(2).set_cut_off(1, "no network");
        assert_eq!(made.rank(2).state(), RankState::Aborted);
        assert_eq!(made.rank(2).abort_message().as_deref(), Some("no network"));
    }

    #[test]
    fn what_a_rank_counts_is_seen_in_another_mapping_and_is_its_own() {
        let made = Segment::create(&Job::on_one_node("here", 2), 1).unwrap();
        let copy = made.fd().try_clone().unwrap();
        let mapped = Segment::inherit(std::os::fd::IntoRawFd::into_raw_fd(copy)).unwrap();
        let of = |rank, counter| mapped.rank(rank).counters().get(counter);
        let own = made.rank(1);
        Counter::ALL.into_iter().for_each(|counter| own.counters().add(counter, 1));
        own.counters().add(Counter::EagerBytesSent, 5);
        own.counters().raise(Counter::UnexpectedQueueMax, 7);
        own.counters().raise(Counter::UnexpectedQueueMax, 3);
        assert_eq!((of(1, Counter::EagerBytesSent), of(1, Counter::PacketsStale)), (6, 1));
        assert_eq!(of(1, Counter::UnexpectedQueueMax), 7);
        assert!(Counter::ALL.into_iter().all(|counter| of(0, counter) == 0));
    }

    #[test]
    fn a_closed_descriptor_is_an_error() {
        assert!(Segment::inherit(-1).is_err());
    }

    #[test]
    fn too_many_ranks_are_an_error() {
        let e = Segment::create(&Job::on_one_node("here", RANKS_MAX + 1), 1).unwrap_err();
        assert!(e.to_string().contains("1025"), "{e}");
    }
}
