//! The segment itself: an anonymous memory file that the launcher makes, ranks inherit, and the
//! kernel frees when the last of them is gone, however they die. Nothing appears in `/dev/shm`.

use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::fs::FileExt;

use dunlin_base::counters::{Class, Counter};

use crate::job_map::{self, Addresses, Job, JobMap, JobMapLayout, JobPlaces};
use crate::job_steps::JobSteps;
use crate::layout::{CACHE_LINE, HEADER_BYTES, RANKS_MAX, SegmentLayout};
use crate::rank_record::{RankRecord, RankView};
use crate::region::Region;
use crate::stall::Stall;
use crate::sync::{AtomicU32, Ordering};
use crate::wait::News;

/// First word of a segment, so that a stray descriptor is recognised.
const MAGIC: u64 = 0x31_4e_49_4c_4e_55_44_21;
/// Raised with every change of the layout: ranks and launcher must agree.
const VERSION: u32 = 30;
/// Where the number of sleepers lies in the header's page.
const SLEEPERS_AT: usize = HEADER_BYTES / 2;
/// Where the number of the job's step lies there.
const STEP_AT: usize = HEADER_BYTES / 4;
/// Where it says how fast the kernel copies.
const COPIES_AT: usize = HEADER_BYTES / 4 * 3;

/// A rank that made the file shorter would end the launcher, which reads in it, by SIGBUS.
const SEALS: libc::c_int = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
const MEMFD_FLAGS: libc::c_uint = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;

/// What the launcher tells every rank of the node.
#[derive(Clone, Copy)]
struct Header {
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
    /// The magic number, then the words.
    const BYTES: usize = size_of::<u64>() + 5 * size_of::<u32>();

    /// What lies at the beginning of a file, if that is a segment.
    fn read(file: &File) -> Option<Header> {
        let mut bytes = [0; Header::BYTES];
        file.read_exact_at(&mut bytes, 0).ok()?;
        let (magic, words) = bytes.split_first_chunk()?;
        let word = |word: &[u8]| u32::from_ne_bytes(word.try_into().expect("four bytes"));
        let mut words = words.chunks_exact(size_of::<u32>()).map(word);
        let mut word = || words.next().unwrap_or_default();
        let (version, ranks, cores) = (word(), word(), word());
        let header = Header { version, ranks, cores, world: word(), nodes: word() };
        (u64::from_ne_bytes(*magic) == MAGIC).then_some(header)
    }

    fn write(&self, file: &File) -> io::Result<()> {
        let mut bytes = MAGIC.to_ne_bytes().to_vec();
        for word in [self.version, self.ranks, self.cores, self.world, self.nodes] {
            bytes.extend(word.to_ne_bytes());
        }
        file.write_all_at(&bytes, 0)
    }

    /// The layout of the job map, if what the header says can be believed.
    fn job_map(&self) -> Option<JobMapLayout> {
        let (world, nodes) = (self.world as usize, self.nodes as usize);
        let layout = JobMapLayout { world, nodes, ranks: self.ranks as usize };
        let is_sane = (1..=RANKS_MAX).contains(&layout.ranks) && layout.is_sane();
        (self.version == VERSION && is_sane).then_some(layout)
    }
}

const _: () = assert!(Header::BYTES <= STEP_AT);

/// The mapped segment of a node.
#[derive(Debug)]
pub struct Segment {
    region: Region,
    layout: SegmentLayout,
    job_map: JobMapLayout,
    places: JobPlaces,
    cores: usize,
    fd: OwnedFd,
}

impl Segment {
    /// What the kernel calls it where `/proc` tells what a descriptor is; see [`Segment::create`].
    pub const KERNEL_NAME: &str = "/memfd:dunlin (deleted)";

    /// Makes the segment of a node of `job`, whose ranks may use `cores` cores there.
    pub fn create(job: &Job, cores: usize) -> io::Result<Segment> {
        let job_map = job.layout()?;
        // SAFETY: the name is a C string; the call has no other precondition.
        let fd = unsafe { libc::memfd_create(c"dunlin".as_ptr(), MEMFD_FLAGS) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor was just made and nobody else owns it.
        let file = File::from(unsafe { OwnedFd::from_raw_fd(fd) });
        file.set_len(bytes(job_map) as u64)?;
        // SAFETY: a valid descriptor of a file we own.
        if unsafe { libc::fcntl(fd, libc::F_ADD_SEALS, SEALS) } < 0 {
            return Err(io::Error::last_os_error());
        }
        let (world, nodes) = (job_map.world as u32, job_map.nodes as u32);
        let layout = SegmentLayout::for_ranks(job_map.ranks);
        let ranks = job_map.ranks as u32;
        Header { version: VERSION, ranks, cores: cores as u32, world, nodes }.write(&file)?;
        let fd = file.try_clone()?.into();
        let region = Region::map(&fd, bytes(job_map))?;
        job_map::write(&region, job_map_at(layout), job_map, job);
        Segment::map(file, cores, job_map)
    }

    /// Maps the segment that a launcher left in descriptor `fd`, which is taken over; not if it is
    /// anything else, and belongs to the program.
    ///
    /// # Safety
    /// `fd` must not be -1, and if it is that of a segment, nobody else in this process may own it.
    pub unsafe fn inherit(fd: RawFd) -> io::Result<Segment> {
        // SAFETY: a segment is this process's own, by the caller's promise, and anything else is
        // left alone, and borrowed only as long as this function runs.
        let file = unsafe { ManuallyDrop::new(File::from_raw_fd(fd)) };
        if Header::read(&file).is_none() {
            return Err(io::Error::other(format!(
                "its memory is not in descriptor {fd}: what stands between mpirun and this process \
                 has closed it and ended, or is not to be looked into (in Python, pass \
                 close_fds=False); or a rank has started this process, and what a rank starts is \
                 none: start it by an mpirun of its own"
            )));
        }
        let segment = Segment::open(ManuallyDrop::into_inner(file))?;
        segment.close_on_exec(true);
        Ok(segment)
    }

    /// Maps the segment that a file is, if it is one.
    pub fn open(file: File) -> io::Result<Segment> {
        let invalid = |text| io::Error::new(io::ErrorKind::InvalidData, text);
        let header = Header::read(&file)
            .ok_or_else(|| invalid("the file is no segment of Dunlin".to_string()))?;
        let job_map = header.job_map().ok_or_else(|| {
            invalid(format!(
                "the launcher's segment has layout {}, this library has {VERSION}: mpirun and \
                 libmpi_abi.so must come from the same Dunlin",
                header.version
            ))
        })?;
        // Else an access behind the end of the file would end this process by SIGBUS.
        if file.metadata()?.len() < bytes(job_map) as u64 || !is_sealed(&file) {
            return Err(invalid("the launcher's segment is cut short, or can be".to_string()));
        }
        Segment::map(file, header.cores as usize, job_map)
    }

    fn map(file: File, cores: usize, job_map: JobMapLayout) -> io::Result<Segment> {
        let (fd, layout) = (file.into(), SegmentLayout::for_ranks(job_map.ranks));
        let region = Region::map(&fd, bytes(job_map))?;
        let places = JobPlaces::read(&region, job_map_at(layout), job_map)?;
        Ok(Segment { region, layout, job_map, places, cores, fd })
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
        self.cores
    }

    /// What rank `rank` of this node publishes.
    pub fn rank(&self, rank: usize) -> RankView<'_> {
        RankView::of(&self.records()[rank])
    }

    /// What is known of the job.
    pub fn job_map(&self) -> JobMap<'_> {
        JobMap::at(&self.region, job_map_at(self.layout), self.job_map, &self.places)
    }

    /// Which process is which rank.
    pub(crate) fn steps(&self) -> JobSteps<'_> {
        let ranks = self.region.slice(self.layout.steps(), self.layout.ranks);
        JobSteps::new(self.region.get(STEP_AT), ranks)
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
        self.region.keep_from_children();
    }

    /// For the launcher: says how far the exchange of addresses has come, and wakes the ranks that
    /// sleep until it has.
    pub fn set_addresses(&self, state: Addresses) {
        self.job_map().set_addresses(state);
        // A full fence between the state and the check who sleeps: this process is not one of
        // those on whose cores a sleeper can have a barrier run.
        self.records().iter().for_each(|record| record.wakeup.ring_if_asleep(News::Other, true));
    }

    /// How many ranks sleep or are about to, in a line of its own.
    pub(crate) fn sleepers(&self) -> &AtomicU32 {
        self.region.get(SLEEPERS_AT)
    }

    /// How fast the kernel copies, as the first rank that has measured it says; 0 before.
    pub(crate) fn copies(&self) -> &AtomicU32 {
        self.region.get(COPIES_AT)
    }

    /// What the ranks of this node publish.
    pub(crate) fn records(&self) -> &[RankRecord] {
        self.records_of(0)
    }

    /// The same of one of their VCIs.
    pub(crate) fn records_of(&self, vci: usize) -> &[RankRecord] {
        self.region.slice(self.layout.of_vci(vci).record(0), self.layout.ranks)
    }

    /// What rank `rank` publishes of each VCI that it has opened.
    fn vcis_of(&self, rank: usize) -> impl Iterator<Item = RankView<'_>> {
        let is_open = self.records()[rank].open_vcis.load(Ordering::Relaxed) | 1;
        let open = (0..self.layout.vcis()).filter(move |vci| is_open >> vci & 1 != 0);
        open.map(move |vci| RankView::of(&self.records_of(vci)[rank]))
    }

    /// What rank `rank` has counted, in all its VCIs.
    pub fn counter(&self, rank: usize, counter: Counter) -> u64 {
        let values = self.vcis_of(rank).map(|view| view.counters().get(counter));
        match counter.about().class {
            Class::Counter => values.sum(),
            Class::HighWatermark => values.max().unwrap_or(0),
        }
    }

    /// What rank `rank` waits for, in whichever of its VCIs.
    pub fn stall(&self, rank: usize) -> Option<Stall> {
        self.vcis_of(rank).find_map(|view| view.stall().read())
    }

    #[cfg(test)]
    pub(crate) fn job_map_at(&self) -> usize {
        job_map_at(self.layout)
    }

    /// The memory itself; offsets in it are for [`SegmentLayout`] to compute.
    pub(crate) fn region(&self) -> &Region {
        &self.region
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

/// Whether nobody can make the file shorter.
fn is_sealed(file: &File) -> bool {
    // SAFETY: a valid descriptor; no memory is passed.
    let seals = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) };
    seals >= 0 && seals & libc::F_SEAL_SHRINK != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank_record::RankState;

    #[test]
    fn a_child_that_inherits_the_descriptor_sees_the_same_memory() {
        let made = Segment::create(&Job::on_one_node("here", 3), 2).unwrap();
        let copy = made.fd().try_clone().unwrap();
        let mapped = Segment::open(copy.into()).unwrap();
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
        let mapped = Segment::open(copy.into()).unwrap();
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
    fn what_is_counted_and_awaited_in_any_vci_is_the_ranks() {
        let made = Segment::create(&Job::on_one_node("here", 2), 1).unwrap();
        let (first, third) = (made.rank(1), RankView::of(&made.records_of(2)[1]));
        for view in [first, third] {
            view.counters().add(Counter::EagerMessagesSent, 5);
            view.counters().raise(Counter::UnexpectedQueueMax, 7);
        }
        let stall = Stall {
            function: "MPI_Recv".into(),
            comm: String::new(),
            peer: None,
            tag: None,
            holder: None,
            lock: None,
            since_ns: 1,
        };
        third.stall().publish(Some(&stall));
        let seen = || {
            let of = |counter| made.counter(1, counter);
            let awaits = made.stall(1).map(|stall| stall.function);
            (of(Counter::EagerMessagesSent), of(Counter::UnexpectedQueueMax), awaits)
        };
        assert_eq!(seen(), (5, 7, None));
        made.records()[1].open_vcis.store(1 << 2, Ordering::Relaxed);
        assert_eq!(seen(), (10, 7, Some("MPI_Recv".into())));
        assert_eq!((made.counter(0, Counter::EagerMessagesSent), made.stall(0)), (0, None));
    }

    #[test]
    fn the_kernel_knows_it_by_its_name() {
        let made = Segment::create(&Job::on_one_node("here", 1), 1).unwrap();
        let link = format!("/proc/self/fd/{}", made.fd().as_raw_fd());
        assert_eq!(std::fs::read_link(link).unwrap().to_str(), Some(Segment::KERNEL_NAME));
    }

    #[test]
    fn what_is_no_segment_stays_the_programs() {
        let file = File::open("/dev/null").unwrap();
        // SAFETY: it is no segment.
        assert!(unsafe { Segment::inherit(file.as_raw_fd()) }.is_err());
        assert!(file.metadata().is_ok());
    }

    /// A segment whose header, at word `at`, says `word`.
    fn open_with(at: usize, word: u32) -> io::Result<Segment> {
        let made = Segment::create(&Job::on_one_node("here", 3), 1).unwrap();
        let file = File::from(made.fd().try_clone().unwrap());
        file.write_all_at(&word.to_ne_bytes(), (size_of::<u64>() + at * 4) as u64).unwrap();
        Segment::open(file)
    }

    #[test]
    fn a_header_that_no_launcher_writes_is_an_error() {
        assert!(open_with(0, VERSION).is_ok());
        assert!(open_with(0, VERSION + 1).is_err());
        for ranks in [0, 2, 4, RANKS_MAX as u32 + 1, u32::MAX] {
            assert!(open_with(1, ranks).is_err(), "{ranks} ranks");
        }
        for (at, word) in [(3, 0), (3, u32::MAX), (4, 0), (4, u32::MAX), (3, 1 << 24)] {
            assert!(open_with(at, word).is_err(), "word {at} is {word}");
        }
    }

    #[test]
    fn a_file_that_can_be_cut_short_is_an_error() {
        let made = Segment::create(&Job::on_one_node("here", 1), 1).unwrap();
        let mut head = [0; Header::BYTES];
        File::from(made.fd().try_clone().unwrap()).read_exact_at(&mut head, 0).unwrap();
        let path = std::env::temp_dir().join(format!("dunlin-no-segment-{}", std::process::id()));
        let file =
            File::options().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        file.write_all_at(&head, 0).unwrap();
        assert!(Segment::open(file.try_clone().unwrap()).is_err(), "it is too short");
        file.set_len(bytes(made.job_map) as u64).unwrap();
        assert!(Segment::open(file).is_err(), "it is not sealed");
    }

    #[test]
    fn too_many_ranks_are_an_error() {
        let e = Segment::create(&Job::on_one_node("here", RANKS_MAX + 1), 1).unwrap_err();
        assert!(e.to_string().contains("1025"), "{e}");
    }
}
