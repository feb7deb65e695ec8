//! A rank's place in the segment of its node: its rings to and from every peer, its wake-up, its
//! bounce buffers, and what it may do with its peers' memory.

mod heaps;
mod helper;
mod single_copy;
mod vci;

use std::io;
use std::os::fd::RawFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use dunlin_base::counters::Counter;

use crate::attach::Idle;
use crate::bounce_buffer::{BounceBuffer, Filler};
use crate::coll_area::{AreaMemory, NarrowArea, WideArea};
use crate::counters::Counters;
use crate::doorbell::Doorbell;
use crate::fast_box::FastBox;
use crate::job_map::{Job, JobMap};
use crate::layout::{COLL_AREAS_PER_RANK, SPLITS_PER_RANK, SegmentLayout};
use crate::node::heaps::Heaps;
use crate::queue_pair::{EndClaim, QueuePair};
use crate::rank_record::{CPUS_MAX, RankRecord, RankState, RankView};
use crate::ring::{Consumer, Producer, RingMemory};
use crate::segment::Segment;
use crate::wait::{News, SleepKind};
use crate::work_split::WorkSplit;
use crate::{cma, wait};

/// One rank of a node. The mapping lives as long as the process: memory that peers still read must
/// not go away with `MPI_Finalize`.
#[derive(Debug)]
pub struct Node {
    segment: &'static Segment,
    me: usize,
    /// Where the parts of its VCI are.
    layout: SegmentLayout,
    /// What the ranks publish of this VCI.
    records: &'static [RankRecord],
    /// What they publish of their processes, whatever the VCI.
    processes: &'static [RankRecord],
    /// By peer: the ends of its connection are in use.
    connected: Box<[AtomicU32]>,
    /// How many ranks of the node sleep: checked whenever something was published.
    sleepers: &'static AtomicU32,
    /// Sleepers cannot make our core run a barrier: every send pays for a fence.
    heavy_wake: bool,
    pace: wait::Pace,
    /// Of a job on several nodes, whose ranks sleep on descriptors.
    doorbell: Option<Doorbell>,
    /// Of the progress thread, once there is one that serves the node.
    helper_doorbell: OnceLock<Option<Doorbell>>,
    heaps: &'static Heaps,
}

/// What wakes a sleeping rank besides its node.
#[derive(Debug)]
pub struct FdSleep {
    /// One of them becomes readable when there is something to do.
    pub fds: Vec<RawFd>,
    /// No longer than this.
    pub timeout: Duration,
}

/// A rank without a doorbell polls its node this often.
const SLEEP_WITHOUT_DOORBELL: Duration = Duration::from_millis(1);

impl Node {
    /// Takes place `me` in a segment made by a launcher. Where another program was this rank
    /// before, it waits for the job's next step, and calls `idle` meanwhile.
    pub fn join(segment: Segment, me: usize, idle: Idle<'_>) -> io::Result<Node> {
        if me >= segment.ranks() {
            let text = format!("rank {me} of a node with {} ranks", segment.ranks());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        segment.claim_rank(me, idle)?;
        segment.keep_from_children();
        let segment: &'static Segment = Box::leak(Box::new(segment));
        let heavy_wake = !wait::register_for_barriers();
        let (sleepers, pace) = (segment.sleepers(), wait::Pace::measure());
        let spans_nodes = segment.job_map().nodes() > 1;
        let doorbell = if spans_nodes { Doorbell::new().ok() } else { None };
        let (records, own) = (segment.records(), &segment.records()[me]);
        let connected = records.iter().map(|_| AtomicU32::new(0)).collect();
        let node = Node {
            segment,
            me,
            layout: segment.layout(),
            records,
            processes: records,
            connected,
            sleepers,
            heavy_wake,
            pace,
            doorbell,
            helper_doorbell: OnceLock::new(),
            heaps: Heaps::of_node(records.len()),
        };
        if let Some(doorbell) = &node.doorbell {
            own.wakeup.set_doorbell(doorbell.name());
        }
        node.publish_nonce()?;
        node.publish_cpus();
        own.core.publish();
        cma::allow_peers();
        let view = segment.rank(me);
        view.set_pid(std::process::id());
        view.set_state(RankState::Running);
        Ok(node)
    }

    /// A node of one rank, for a program started without a launcher.
    pub fn alone() -> io::Result<Node> {
        let segment = Segment::create(&Job::on_one_node("this host", 1), usable_cpus())?;
        Node::join(segment, 0, &mut |_, _| Ok(()))
    }

    /// MPI ends in this process, which no longer touches the segment: another program may be this
    /// rank in the job's next step.
    pub fn leave(&self) {
        self.process(self.me).set_state(RankState::Finalized);
        self.segment.leave_rank(self.me);
    }

    /// Whether the segment's descriptor is closed in programs that this process executes.
    pub fn close_on_exec(&self, closes: bool) {
        self.segment.close_on_exec(closes);
    }

    /// MPI is used again in this process after [`Node::leave`]. False if another program has become
    /// this rank since.
    pub fn reclaim(&self) -> bool {
        self.segment.reclaim(self.me)
    }

    /// What is known of the job.
    pub fn job_map(&self) -> JobMap<'static> {
        self.segment.job_map()
    }

    /// What this rank counts.
    pub fn counters(&self) -> &'static Counters {
        self.view(self.me).counters()
    }

    /// This rank's place among the ranks of the node.
    pub fn me(&self) -> usize {
        self.me
    }

    /// Ranks of the node.
    pub fn ranks(&self) -> usize {
        self.segment.ranks()
    }

    /// What `rank` publishes about itself.
    pub fn view(&self, rank: usize) -> RankView<'static> {
        RankView::of(&self.records[rank])
    }

    /// The same of its process, whatever the VCI.
    pub fn process(&self, rank: usize) -> RankView<'static> {
        RankView::of(&self.processes[rank])
    }

    /// Payload bytes for which a ring finds room once it drains.
    pub fn ring_bytes(&self) -> usize {
        RingMemory::payload_max(self.layout.ring_short_lines())
    }

    /// The connection to `peer`, which this process has once at a time.
    pub fn pair(&'static self, peer: usize) -> QueuePair<'static> {
        let claim = EndClaim::take(&self.connected[peer]);
        let claim =
            claim.unwrap_or_else(|| panic!("rank {peer} of this node is connected already"));
        let (region, layout) = (self.segment.region(), self.layout);
        let fast_boxes = (layout.fast_boxes() && peer != self.me).then(|| {
            let own = region.get(layout.fast_box(self.me, peer));
            let theirs = region.get(layout.fast_box(peer, self.me));
            // SAFETY: this process alone is this rank, and has the claim.
            unsafe { [FastBox::new(own, true), FastBox::new(theirs, false)] }
        });
        // SAFETY: as above; the ranks of a pair have the other ends.
        let (tx, rx) = unsafe {
            (Producer::new(self.ring(peer, self.me)), Consumer::new(self.ring(self.me, peer)))
        };
        QueuePair::new(tx, rx, fast_boxes, claim)
    }

    fn ring(&self, receiver: usize, sender: usize) -> RingMemory<'static> {
        let (region, layout) = (self.segment.region(), self.layout);
        RingMemory::new(
            region.slice(layout.ring(receiver, sender), layout.ring_cells()),
            region.slice(layout.payload_lines(receiver, sender), layout.ring_payload_lines()),
            layout.ring_short_lines(),
            region.get(layout.ring_state(receiver, sender)),
        )
    }

    /// After a packet was published to `peer`: wakes it if it sleeps.
    #[inline(always)]
    pub fn wake(&self, peer: usize) {
        self.records[peer].wakeup.ring_if_asleep(News::Other, self.heavy_wake);
    }

    /// The same where that is a whole short message.
    #[inline(always)]
    pub fn wake_for_short(&self, peer: usize) {
        self.records[peer].wakeup.ring_if_asleep(News::Short, self.heavy_wake);
    }

    /// Lets the peers work undisturbed between two polls.
    #[inline(always)]
    pub fn pause(&self) {
        self.pace.pause();
    }

    /// Sleeps until a peer sends or `timeout` passes, unless `last_poll` finds something.
    pub fn sleep(&self, timeout: Duration, last_poll: impl FnOnce() -> bool) {
        let (wakeup, sleepers) = (&self.records[self.me].wakeup, self.sleepers);
        // Relaxed: the barrier in `announce` comes after it.
        sleepers.fetch_add(1, Ordering::Relaxed);
        self.counters().add(Counter::Sleeps, 1);
        wakeup.announce(SleepKind::Futex, wait::barrier_everywhere);
        if last_poll() {
            wakeup.clear()
        } else {
            wakeup.sleep(timeout)
        }
        sleepers.fetch_sub(1, Ordering::Relaxed);
    }

    /// Sleeps until a peer sends or what `last_poll` names has happened, unless it finds something
    /// and names nothing.
    pub fn sleep_on(&self, last_poll: impl FnOnce() -> Option<FdSleep>) {
        let (wakeup, sleepers) = (&self.records[self.me].wakeup, self.sleepers);
        if self.doorbell.is_some() {
            // Relaxed: the barrier in `announce` comes after it.
            sleepers.fetch_add(1, Ordering::Relaxed);
            wakeup.announce(SleepKind::Doorbell, wait::barrier_everywhere);
        }
        if let Some(fd_sleep) = last_poll() {
            self.counters().add(Counter::Sleeps, 1);
            poll(self.doorbell.as_ref(), fd_sleep);
        }
        if let Some(doorbell) = &self.doorbell {
            wakeup.clear();
            // After this the caller polls: what a silenced ring was for is seen then.
            doorbell.drain();
            sleepers.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// After something was published to several ranks: wakes those of them that sleep.
    #[inline]
    pub fn wake_all(&self, peers: impl Iterator<Item = usize>) {
        self.wake_all_if(peers, || true);
    }

    /// The same, if some of them wait for that at all, as they have said before they slept: to wake
    /// a rank that waits for something else costs both several microseconds.
    #[inline]
    pub fn wake_all_if(&self, peers: impl Iterator<Item = usize>, wait: impl FnOnce() -> bool) {
        wait::fence_of_sender(self.heavy_wake);
        // Relaxed: a sleeper raises the number before its barrier, as it does its own flag.
        if self.sleepers.load(Ordering::Relaxed) != 0 && wait() {
            self.wake_each(peers);
        }
    }

    #[inline(never)]
    fn wake_each(&self, peers: impl Iterator<Item = usize>) {
        for peer in peers.filter(|&peer| peer != self.me) {
            self.wake(peer);
        }
    }

    /// An area where `rank` publishes data; only that rank may fill it.
    pub fn area(&self, rank: usize, area: usize) -> &'static AreaMemory {
        assert!(rank < self.ranks() && area < COLL_AREAS_PER_RANK, "area {area} of rank {rank}");
        // Collectives are in the first VCI.
        let (region, layout) = (self.segment.region(), self.segment.layout());
        match layout.has_wide_areas() {
            true => region.get::<WideArea>(layout.area(rank, area)),
            false => region.get::<NarrowArea>(layout.area(rank, area)),
        }
    }

    /// Tells the others which core we run on.
    #[inline]
    pub fn publish_core(&self) {
        self.processes[self.me].core.publish();
    }

    /// As [`Node::publish_core`], of a rank that is bound to core `core`.
    pub fn publish_core_number(&self, core: u32) {
        self.processes[self.me].core.say(core + 1);
    }

    /// Whether `peer` is known to run on another core than this rank, as far as both have said.
    #[inline]
    pub fn runs_elsewhere(&self, peer: usize) -> bool {
        self.processes[self.me].core.is_apart_from(&self.processes[peer].core)
    }

    /// Whether every rank of the node can have a core of its own, as far as is known now: the
    /// launcher's count of usable cores, and the affinities the ranks have published.
    pub fn own_core(&self) -> bool {
        let ranks = self.segment.ranks();
        if ranks > self.segment.cores() {
            return false;
        }
        let mut union = CpuSet::default();
        for rank in 0..ranks {
            let record = &self.processes[rank];
            if record.pid.load(Ordering::Relaxed) == 0 {
                return true;
            }
            for (all, one) in union.iter_mut().zip(&record.cpus) {
                *all |= one.load(Ordering::Relaxed);
            }
        }
        ranks <= count(&union)
    }

    /// How many cores the ranks of the node share, as the launcher has counted them.
    pub fn cores(&self) -> usize {
        self.segment.cores()
    }

    /// Whether no more than two ranks share a core, if the system spreads them evenly.
    pub fn at_most_two_on_a_core(&self) -> bool {
        self.segment.ranks() <= 2 * self.segment.cores()
    }

    /// The work split of message `number` among those that `rank` has announced.
    pub fn split(&self, rank: usize, number: usize) -> &'static WorkSplit {
        let exists = rank < self.ranks() && number < SPLITS_PER_RANK;
        assert!(exists, "work split {number} of rank {rank}");
        self.segment.region().get(self.layout.split(rank, number))
    }

    fn publish_nonce(&self) -> io::Result<()> {
        let nonce: &'static AtomicU64 = Box::leak(Box::new(AtomicU64::new(random_word()?)));
        let record = &self.processes[self.me];
        record.nonce.store(nonce.load(Ordering::Relaxed), Ordering::Relaxed);
        // Release: pairs with the acquire in `can_read`.
        record.nonce_address.store(std::ptr::from_ref(nonce) as u64, Ordering::Release);
        Ok(())
    }

    fn publish_cpus(&self) {
        for (word, value) in self.processes[self.me].cpus.iter().zip(affinity()) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// How many bounce buffers this rank has, as every other.
    pub fn bounce_buffers(&self) -> usize {
        self.segment.layout().bounce_buffers_per_rank()
    }

    /// Asks the system for all pages of our bounce buffers.
    pub fn prefault_bounce_buffers(&self) {
        let [first, end] = [self.me, self.me + 1].map(|rank| self.layout.bounce_buffer(rank, 0));
        self.segment.region().prefault(first, end - first);
    }

    /// Whether this bounce buffer of ours may be filled.
    pub fn is_free(&self, bounce_buffer: usize) -> bool {
        self.bounce_buffer(self.me, bounce_buffer).is_free()
    }

    /// Whether the peer to whom this bounce buffer of ours was named last is done with it.
    pub fn was_read(&self, bounce_buffer: usize) -> bool {
        self.bounce_buffer(self.me, bounce_buffer).was_read()
    }

    /// Whether a rank has borrowed a bounce buffer of its owner, and not filled it.
    pub fn is_borrowed(&self, owner: usize, number: usize, rank: usize) -> bool {
        number < self.bounce_buffers() && self.bounce_buffer(owner, number).is_borrowed_by(rank)
    }

    /// Whether a rank has filled a bounce buffer that it had borrowed, of whose data the owner is
    /// not done with all.
    pub fn is_returned(&self, owner: usize, number: usize, rank: usize) -> bool {
        number < self.bounce_buffers() && self.bounce_buffer(owner, number).is_returned_by(rank)
    }

    /// Lets `fill` write so many bytes into a bounce buffer of ours, or one that we have borrowed
    /// from its owner, from a place on, in parts; `name` names each to the peer that reads it.
    /// False if it is not free, or not borrowed.
    pub fn fill_bounce_buffer(
        &self,
        (owner, number): (usize, usize),
        place: (usize, usize),
        part: usize,
        fill: impl FnMut(usize, &mut [u8]),
        name: impl FnMut(usize, usize),
    ) -> bool {
        let is_own = owner == self.me;
        let filler = if is_own { Filler::Owner } else { Filler::Borrower(self.me) };
        self.bounce_buffer(owner, number).fill(filler, place, part, fill, name)
    }

    /// How long the reader of this bounce buffer took of the last use that it timed, once it is
    /// done with it.
    pub fn reading_time(&self, owner: usize, number: usize) -> Duration {
        self.bounce_buffer(owner, number).reading_time()
    }

    /// Passes bytes of a bounce buffer of `owner` that was filled for us, from a place on and so
    /// many, to `use_it`. False if there are no such bytes.
    pub fn read_bounce_buffer(
        &self,
        (owner, number): (usize, usize),
        place: (usize, usize),
        use_it: impl FnOnce(&[u8]),
    ) -> bool {
        number < self.bounce_buffers() && self.bounce_buffer(owner, number).read(place, use_it)
    }

    /// Gives a bounce buffer of which all was read back to its owner, or takes back our own, which
    /// a peer had borrowed; and says how long the reading took, if it was timed.
    pub fn give_back_bounce_buffer(&self, owner: usize, number: usize, time: Option<Duration>) {
        self.bounce_buffer(owner, number).give_back(time);
        if owner != self.me {
            self.wake(owner);
        }
    }

    /// Borrows a bounce buffer of which all was read from the peer that has filled it.
    pub fn borrow_bounce_buffer(&self, owner: usize, number: usize, time: Option<Duration>) {
        self.bounce_buffer(owner, number).borrow(self.me, time);
        self.wake(owner);
    }

    fn bounce_buffer(&self, rank: usize, number: usize) -> &'static BounceBuffer {
        self.segment.region().get(self.layout.bounce_buffer(rank, number))
    }
}

/// Sleeps on descriptors, one of which is the doorbell; false if none of them became readable.
fn poll(doorbell: Option<&Doorbell>, fd_sleep: FdSleep) -> bool {
    let doorbell = doorbell.map(Doorbell::as_raw_fd);
    let longest = if doorbell.is_some() { Duration::MAX } else { SLEEP_WITHOUT_DOORBELL };
    let timeout = fd_sleep.timeout.min(longest);
    let entry = |fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    let mut fds: Vec<_> = fd_sleep.fds.into_iter().chain(doorbell).map(entry).collect();
    let timeout = libc::timespec {
        tv_sec: timeout.as_secs() as libc::time_t,
        tv_nsec: timeout.subsec_nanos().into(),
    };
    // SAFETY: as many valid entries as we say, a valid time, and no signal mask.
    unsafe {
        libc::ppoll(fds.as_mut_ptr(), fds.len() as _, &raw const timeout, std::ptr::null()) > 0
    }
}

/// Cpus as a bit set.
type CpuSet = [u64; CPUS_MAX / 64];

/// The cpus this process may run on; none if the kernel will not say.
fn affinity() -> CpuSet {
    affinity_of(0)
}

/// The same of another process.
fn affinity_of(pid: libc::pid_t) -> CpuSet {
    let mut mask = CpuSet::default();
    // SAFETY: the mask is ours and as long as we say; pid 0 is the caller.
    unsafe { libc::sched_getaffinity(pid, size_of_val(&mask), mask.as_mut_ptr().cast()) };
    mask
}

fn count(cpus: &CpuSet) -> usize {
    cpus.iter().map(|w| w.count_ones() as usize).sum()
}

fn usable_cpus() -> usize {
    count(&affinity()).max(1)
}

/// A number nobody can guess.
fn random_word() -> io::Result<u64> {
    let mut bytes = [0u8; 8];
    // SAFETY: the buffer is ours and as long as we say.
    let n = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    if n != bytes.len() as isize {
        return Err(io::Error::last_os_error());
    }
    Ok(u64::from_ne_bytes(bytes))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;
    use crate::cell::{PACKET_BYTES_MAX, Packet};

    /// Two ranks of one segment inside one process, each with its own mapping.
    pub(crate) fn pair() -> (&'static Node, &'static Node) {
        let made = Segment::create(&Job::on_one_node("here", 2), 2).unwrap();
        let other = Segment::open(made.fd().try_clone().unwrap().into()).unwrap();
        let join = |segment, me| {
            &*Box::leak(Box::new(Node::join(segment, me, &mut |_, _| Ok(())).unwrap()))
        };
        (join(made, 0), join(other, 1))
    }

    #[test]
    fn a_packet_crosses_from_one_mapping_to_the_other() {
        let (a, b) = pair();
        let (mut tx, mut rx) = (a.pair(1), b.pair(0));
        assert!(rx.peek().is_none());
        assert!(tx.has_room(a.ring_bytes().min(PACKET_BYTES_MAX)));
        for _ in 0..2 {
            assert!(tx.try_push(&Packet { tag: 5, ..Packet::default() }, b"hello"));
            let arrived = rx.peek().unwrap();
            let (tag, mut out) = (arrived.packet.tag, [0; 5]);
            rx.read(arrived, &mut out);
            assert_eq!((tag, &out), (5, b"hello"));
        }
    }

    #[test]
    fn the_nonce_proves_that_memory_can_be_read() {
        let (a, b) = pair();
        assert!(a.can_read(1) && b.can_read(0));
        b.records[0].nonce.store(1, Ordering::Relaxed);
        assert!(!b.can_read(0));
    }

    #[test]
    fn memory_of_the_heap_is_copied_without_the_kernel() {
        let (a, b) = pair();
        let memory = a.allocate(1 << 20).unwrap();
        let at = memory.as_ptr() as u64 + 5000;
        // SAFETY: the memory is set apart for this.
        unsafe { b.write(0, &[7; 9000], at) }.unwrap();
        // SAFETY: ours, and so long.
        assert_eq!(unsafe { std::slice::from_raw_parts(at as *const u8, 9000) }, [7; 9000]);
        assert_eq!(b.view_of(0, at, 9000), Some(&[7; 9000][..]));
        let mut out = [0; 9000];
        b.read(0, at, &mut out).unwrap();
        assert_eq!(out, [7; 9000]);
        // What begins elsewhere, or ends there.
        let private = [1; 4];
        assert_eq!(b.view_of(0, private.as_ptr() as u64, 4), None);
        assert_eq!(b.view_of(0, at, usize::MAX), None);
        assert!(a.free(memory.as_ptr()) && !a.free(private.as_ptr()));
    }

    #[test]
    fn bounce_buffers_run_out_and_come_back() {
        let (a, b) = pair();
        let write = |_, to: &mut [u8]| to.copy_from_slice(b"abc");
        let fill = |n: usize| a.fill_bounce_buffer((0, n), (n, 3), 3, write, |_, _| ());
        assert!((0..a.bounce_buffers()).all(|n| a.is_free(n) && fill(n)));
        assert!((0..a.bounce_buffers()).all(|n| !a.is_free(n) && !fill(n)));
        let is_whole = |bytes: &[u8]| assert_eq!(bytes, b"abc");
        assert!(b.read_bounce_buffer((0, 5), (5, 3), is_whole) && !a.is_free(5));
        b.give_back_bounce_buffer(0, 5, None);
        assert!(a.is_free(5) && fill(5));
    }

    #[test]
    fn bounce_buffers_that_do_not_exist_are_not_read() {
        let (_a, b) = pair();
        let never = |_: &[u8]| panic!("read");
        for number in [b.bounce_buffers(), usize::MAX] {
            assert!(!b.read_bounce_buffer((0, number), (0, 1), never));
        }
        let too_long = (0, BOUNCE_BUFFER_DATA_BYTES + 1);
        assert!(!b.read_bounce_buffer((0, 0), too_long, never));
    }

    #[test]
    #[should_panic(expected = "is connected already")]
    fn a_connection_has_one_end_in_a_process() {
        let (a, _b) = pair();
        drop(a.pair(1));
        let _connection = a.pair(1);
        a.pair(1);
    }

    #[test]
    fn two_ranks_confined_to_one_core_know_it() {
        let (a, b) = pair();
        for node in [a, b] {
            let cpus = &node.records[node.me].cpus;
            cpus.iter().for_each(|w| w.store(0, Ordering::Relaxed));
            cpus[0].store(1, Ordering::Relaxed);
        }
        assert!(!a.own_core());
    }
}
