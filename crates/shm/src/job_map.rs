//! The job map at the end of a node's segment: what a rank knows of its job. Who runs where is
//! written before any rank has it; how each rank is reached over the network is filled in while the
//! job runs. The hosts' names and the job's key are there from the beginning too where our own
//! launcher made the job map, and are filled in where ranks of another launcher did.
//!
//! ```text
//! header | locations[rank] | hosts[node] | addresses[rank]
//! ```

use std::io;

use crate::address::{Address, AddressSlot};
use crate::layout::{CACHE_LINE, RANKS_MAX};
use crate::region::Region;
use crate::sync::{AtomicU32, AtomicU64, InRegion, Ordering};

/// Bytes kept of a host's name, more than a domain name may have; longer ones are cut.
const HOST_BYTES: usize = 256;
const WORD_BYTES: usize = size_of::<u64>();
/// The most ranks and nodes of a job: more than any has, and offsets stay far from overflow.
pub const WORLD_MAX: usize = 1 << 24;

/// Bytes of the name of a machine's model.
const MACHINE_BYTES: usize = 32;

/// Bytes of a job's key.
const KEY_BYTES: usize = 32;
/// A job's key.
pub type Key = [u8; KEY_BYTES];

/// Where a rank of `MPI_COMM_WORLD` runs.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankLocation {
    /// Its node.
    pub node: u32,
    /// Its place among the ranks of the node.
    pub local: u32,
}

/// What the launcher knows of a job when it makes the segment of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// What only this job's processes know, by which they know each other's packets; zeroes where
    /// it is not known yet.
    pub key: Key,
    /// The node whose segment is made.
    pub node: u32,
    /// The name of each node's host; nothing where it is not known yet.
    pub hosts: Vec<String>,
    /// The name of the model of rank 0's host, by which all ranks choose; nothing where none fits
    /// or it is not known yet.
    pub machine: String,
    /// The place of each rank of `MPI_COMM_WORLD`. On each node, places count up from 0 in the
    /// order of the ranks.
    pub locations: Vec<RankLocation>,
}

impl Job {
    /// A job of `ranks` ranks on this host alone.
    pub fn on_one_node(host: &str, ranks: usize) -> Job {
        let locations = (0..ranks as u32).map(|local| RankLocation { node: 0, local }).collect();
        let hosts = vec![host.to_string()];
        Job { key: Key::default(), node: 0, hosts, machine: String::new(), locations }
    }

    /// Ranks of `MPI_COMM_WORLD` that run on this node, in the order of their places.
    pub fn locals(&self) -> Vec<u32> {
        ranks_on(self.node, &self.locations)
    }

    /// Whether its segment can be made; if not, why.
    pub fn check(&self) -> io::Result<()> {
        self.layout().map(drop)
    }

    /// The layout of the job map, or what is wrong with the job.
    pub(crate) fn layout(&self) -> io::Result<JobMapLayout> {
        let wrong = |text: String| Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        let (world, nodes, ranks) = (self.locations.len(), self.hosts.len(), self.locals().len());
        if ranks == 0 || ranks > RANKS_MAX {
            return wrong(format!("{ranks} ranks on one node; it must be 1 to {RANKS_MAX}"));
        }
        if world.max(nodes) > WORLD_MAX {
            return wrong(format!("{world} ranks on {nodes} nodes; the limit is {WORLD_MAX}"));
        }
        match misplaced(&self.locations, nodes) {
            Some(rank) => wrong(format!("rank {rank} cannot be at {:?}", self.locations[rank])),
            None => Ok(JobMapLayout { world, nodes, ranks }),
        }
    }
}

/// The ranks that are on a node.
fn ranks_on(node: u32, locations: &[RankLocation]) -> Vec<u32> {
    (0..).zip(locations).filter(|(_, place)| place.node == node).map(|(rank, _)| rank).collect()
}

/// The first rank on none of so many nodes, or not where it comes next on its own.
fn misplaced(locations: &[RankLocation], nodes: usize) -> Option<usize> {
    let mut next = vec![0; nodes];
    locations.iter().position(|location| match next.get_mut(location.node as usize) {
        Some(next) if *next == location.local => {
            *next += 1;
            false
        }
        _ => true,
    })
}

/// How far the exchange of addresses has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Addresses {
    /// Some are not known yet.
    Gathering = 0,
    /// Every rank that will ever have one has it here.
    Complete = 1,
    /// They will never be: the job is about to be ended.
    Failed = 2,
}

#[repr(C)]
struct JobMapHeader {
    key: [AtomicU64; KEY_BYTES / WORD_BYTES],
    machine: [AtomicU64; MACHINE_BYTES / WORD_BYTES],
    node: AtomicU32,
    state: AtomicU32,
    /// Addresses in the slots of this node's ranks.
    published: AtomicU32,
}

/// What decides the layout of a job map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JobMapLayout {
    pub(crate) world: usize,
    pub(crate) nodes: usize,
    /// Of this node.
    pub(crate) ranks: usize,
}

impl JobMapLayout {
    const fn locations(&self) -> usize {
        size_of::<JobMapHeader>().next_multiple_of(CACHE_LINE)
    }

    const fn hosts(&self) -> usize {
        self.locations() + self.world * size_of::<RankLocation>()
    }

    const fn slots(&self) -> usize {
        (self.hosts() + self.nodes * HOST_BYTES).next_multiple_of(CACHE_LINE)
    }

    /// Bytes of the whole job map.
    pub(crate) const fn bytes(&self) -> usize {
        self.slots() + self.world * size_of::<AddressSlot>()
    }

    /// Whether a header that says so can be believed.
    pub(crate) const fn is_sane(&self) -> bool {
        self.world <= WORLD_MAX && self.nodes <= WORLD_MAX
    }
}

/// Writes the job map of `job` into zeroed memory, at `base` of a region.
pub(crate) fn write(region: &Region, base: usize, layout: JobMapLayout, job: &Job) {
    let places = JobPlaces::default();
    let job_map = JobMap::at(region, base, layout, &places);
    // Relaxed, here and below: no other process has the region yet.
    job_map.header.node.store(job.node, Ordering::Relaxed);
    let words = job.locations.iter().flat_map(|location| [location.node, location.local]);
    let locations: &[AtomicU32] = region.slice(base + layout.locations(), 2 * layout.world);
    locations.iter().zip(words).for_each(|(to, word)| to.store(word, Ordering::Relaxed));
    job_map.set_key(&job.key);
    job_map.set_machine(&job.machine);
    for (node, host) in job.hosts.iter().enumerate() {
        job_map.name_host(node, host);
    }
}

/// Who runs where: a copy of what the launcher wrote, which no rank can change any more.
#[derive(Debug, Default)]
pub(crate) struct JobPlaces {
    node: u32,
    locations: Box<[RankLocation]>,
    locals: Box<[u32]>,
}

impl JobPlaces {
    /// What [`write`] wrote at `base`; an error if it contradicts itself.
    pub(crate) fn read(
        region: &Region,
        base: usize,
        layout: JobMapLayout,
    ) -> io::Result<JobPlaces> {
        // Relaxed: written before this process had the region.
        let node = region.get::<JobMapHeader>(base).node.load(Ordering::Relaxed);
        let words: &[AtomicU32] = region.slice(base + layout.locations(), 2 * layout.world);
        let location = |pair: &[AtomicU32]| {
            let [node, local] = [0, 1].map(|at| pair[at].load(Ordering::Relaxed));
            RankLocation { node, local }
        };
        let locations: Box<[RankLocation]> = words.chunks_exact(2).map(location).collect();
        let locals: Box<[u32]> = ranks_on(node, &locations).into();
        if misplaced(&locations, layout.nodes).is_some() || locals.len() != layout.ranks {
            let text = "the job map in the launcher's segment contradicts itself";
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok(JobPlaces { node, locations, locals })
    }
}

/// A host's name in shared memory, padded with zeroes.
#[repr(C)]
struct HostName([AtomicU64; HOST_BYTES / WORD_BYTES]);

fn words(key: &Key) -> [u64; KEY_BYTES / WORD_BYTES] {
    let word = |at: usize| key[at * WORD_BYTES..].first_chunk().expect("it lies within the key");
    std::array::from_fn(|at| u64::from_le_bytes(*word(at)))
}

/// A text in shared memory, padded with zeroes.
fn read_text(words: &[AtomicU64]) -> String {
    // Relaxed: the callers order it.
    let words = words.iter().map(|word| word.load(Ordering::Relaxed).to_le_bytes());
    let bytes: Vec<u8> = words.flatten().take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes what there is room for.
fn write_text(words: &[AtomicU64], text: &str) {
    let len = cut(text, size_of_val(words));
    let mut bytes = text.as_bytes()[..len].chunks(WORD_BYTES);
    for word in words {
        let mut padded = [0; WORD_BYTES];
        let piece = bytes.next().unwrap_or_default();
        padded[..piece.len()].copy_from_slice(piece);
        // Relaxed: the callers order it.
        word.store(u64::from_le_bytes(padded), Ordering::Relaxed);
    }
}

/// The longest beginning of `text` that ends between packets and has at most `bytes_max` bytes.
fn cut(text: &str, bytes_max: usize) -> usize {
    (0..=text.len().min(bytes_max)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

// SAFETY: made of atomics, for which any bits will do.
unsafe impl InRegion for JobMapHeader {}
// SAFETY: as above.
unsafe impl InRegion for HostName {}
// SAFETY: as above.
unsafe impl InRegion for AddressSlot {}

/// The job map of a job, as ranks and launcher see it.
#[derive(Clone, Copy)]
pub struct JobMap<'a> {
    places: &'a JobPlaces,
    header: &'a JobMapHeader,
    hosts: &'a [HostName],
    slots: &'a [AddressSlot],
}

impl<'a> JobMap<'a> {
    /// The job map that [`write`] wrote at `base`, and what was read there.
    pub(crate) fn at(
        region: &'a Region,
        base: usize,
        layout: JobMapLayout,
        places: &'a JobPlaces,
    ) -> JobMap<'a> {
        JobMap {
            places,
            header: region.get(base),
            hosts: region.slice(base + layout.hosts(), layout.nodes),
            slots: region.slice(base + layout.slots(), layout.world),
        }
    }

    /// Ranks of `MPI_COMM_WORLD`.
    pub fn world(&self) -> usize {
        self.slots.len()
    }

    /// Nodes of the job.
    pub fn nodes(&self) -> usize {
        self.hosts.len()
    }

    /// The node of this segment.
    pub fn node(&self) -> usize {
        self.places.node as usize
    }

    /// The job's key.
    pub fn key(&self) -> Key {
        let mut key = Key::default();
        for (bytes, word) in key.chunks_exact_mut(WORD_BYTES).zip(&self.header.key) {
            // Relaxed: each rank that needs it has set it itself, or got the segment with it.
            bytes.copy_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
        }
        key
    }

    /// Sets the key of a job whose segments were made before it was known. All ranks of a node may
    /// do so, who all have the same.
    pub fn set_key(&self, key: &Key) {
        for (word, new) in self.header.key.iter().zip(words(key)) {
            // Relaxed: as in `key`.
            word.store(new, Ordering::Relaxed);
        }
    }

    /// Where each rank of `MPI_COMM_WORLD` runs.
    pub fn locations(&self) -> &'a [RankLocation] {
        &self.places.locations
    }

    /// The ranks of `MPI_COMM_WORLD` on this node, in the order of their places.
    pub fn locals(&self) -> &'a [u32] {
        &self.places.locals
    }

    /// The place on this node of a rank of `MPI_COMM_WORLD`; `None` if it runs elsewhere or is
    /// none.
    pub fn local(&self, world: usize) -> Option<usize> {
        let location = self.locations().get(world)?;
        (location.node as usize == self.node()).then_some(location.local as usize)
    }

    /// The name of a node's host, or a word for it while that is not known.
    pub fn host(&self, node: usize) -> String {
        match read_text(&self.hosts[node].0) {
            text if text.is_empty() => format!("host number {node}"),
            text => text,
        }
    }

    /// Tells the name of a node's host. Several may do so, who all have the same. Who then tells an
    /// address of a rank there has told the name to whoever finds that.
    pub fn name_host(&self, node: usize, name: &str) {
        // `publish` and `address` order it with the address.
        write_text(&self.hosts[node].0, name);
    }

    /// The model of the machine by which all ranks choose, if there is one.
    pub fn machine(&self) -> Option<String> {
        Some(read_text(&self.header.machine)).filter(|name| !name.is_empty())
    }

    /// Sets it for a job whose segments were made before it was known: as [`Self::set_key`].
    pub fn set_machine(&self, name: &str) {
        write_text(&self.header.machine, name);
    }

    /// The name of the host on which a rank of `MPI_COMM_WORLD` runs.
    pub fn host_of(&self, world: usize) -> String {
        self.host(self.locations()[world].node as usize)
    }

    /// Tells all others how a rank is reached. For the rank itself if it runs on this node, else
    /// for the launcher, or for any rank that the launcher has told; what all of them tell is the
    /// same.
    pub fn publish(&self, world: usize, address: &Address) {
        if self.slots[world].publish(address) && self.local(world).is_some() {
            // Release: pairs with the acquire in `published`.
            self.header.published.fetch_add(1, Ordering::Release);
        }
    }

    /// How many ranks of this node have published their address.
    pub fn published(&self) -> usize {
        // Acquire: pairs with the release in `publish`: who has counted all finds all.
        self.header.published.load(Ordering::Acquire) as usize
    }

    /// How a rank is reached, if it is known by now.
    pub fn address(&self, world: usize) -> Option<Address> {
        self.slots[world].read()
    }

    /// How far the exchange has come: one load, for a rank that looks again and again.
    #[inline]
    pub fn addresses(&self) -> Addresses {
        // Acquire: pairs with the release in `set_addresses`: who sees it complete finds all.
        match self.header.state.load(Ordering::Acquire) {
            0 => Addresses::Gathering,
            1 => Addresses::Complete,
            _ => Addresses::Failed,
        }
    }

    /// For the launcher; [`crate::Segment::set_addresses`] also wakes who waits for it.
    pub(crate) fn set_addresses(&self, state: Addresses) {
        // Release: pairs with the acquire in `addresses`.
        self.header.state.store(state as u32, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Segment;

    fn location(node: u32, local: u32) -> RankLocation {
        RankLocation { node, local }
    }

    /// Five ranks on three nodes; the segment is that of node 1.
    fn job() -> Job {
        Job {
            key: std::array::from_fn(|at| at as u8),
            node: 1,
            hosts: vec!["alpha".into(), "beta".into(), "g".repeat(2 * HOST_BYTES)],
            machine: "hpc7g".into(),
            locations: vec![
                location(0, 0),
                location(1, 0),
                location(2, 0),
                location(0, 1),
                location(1, 1),
            ],
        }
    }

    #[test]
    fn ranks_read_what_the_launcher_wrote() {
        let made = Segment::create(&job(), 4).unwrap();
        let mapped = Segment::open(made.fd().try_clone().unwrap().into()).unwrap();
        let job_map = mapped.job_map();
        assert_eq!(
            (mapped.ranks(), job_map.world(), job_map.nodes(), job_map.node()),
            (2, 5, 3, 1)
        );
        assert_eq!((job_map.key(), job_map.locals()), (job().key, &[1, 4][..]));
        assert_eq!(job_map.locations(), &job().locations[..]);
        assert_eq!((job_map.local(4), job_map.local(3), job_map.local(5)), (Some(1), None, None));
        assert_eq!((&*job_map.host_of(3), &*job_map.host_of(4)), ("alpha", "beta"));
        assert_eq!(job_map.host(2).len(), HOST_BYTES);
        assert_eq!(job_map.machine().as_deref(), Some("hpc7g"));
        made.job_map().set_machine("discover-milan");
        assert_eq!(job_map.machine().as_deref(), Some("discover-milan"));
        made.job_map().set_machine("");
        assert_eq!(job_map.machine(), None);
    }

    #[test]
    fn addresses_are_counted_on_their_node_and_read_everywhere() {
        let made = Segment::create(&job(), 4).unwrap();
        let job_map = made.job_map();
        let address = |text: &str| Address::new(text.as_bytes()).unwrap();
        job_map.publish(4, &address("four"));
        job_map.publish(4, &address("again"));
        assert_eq!(job_map.published(), 1);
        job_map.publish(0, &address("zero"));
        assert_eq!(job_map.published(), 1, "rank 0 is not of this node");
        assert_eq!(job_map.address(4).unwrap().as_bytes(), b"four");
        assert_eq!(job_map.address(0).unwrap().as_bytes(), b"zero");
        assert_eq!(job_map.address(1), None);
        assert_eq!(job_map.addresses(), Addresses::Gathering);
        made.set_addresses(Addresses::Complete);
        assert_eq!(job_map.addresses(), Addresses::Complete);
    }

    #[test]
    fn what_is_not_known_at_the_beginning_is_filled_in() {
        let hosts = vec![String::new(), "beta".into(), String::new()];
        let made = Segment::create(&Job { key: Key::default(), hosts, ..job() }, 4).unwrap();
        let job_map = made.job_map();
        assert_eq!((&*job_map.host(0), &*job_map.host(1)), ("host number 0", "beta"));
        for _ in 0..2 {
            job_map.name_host(2, "gamma");
            job_map.set_key(&[5; KEY_BYTES]);
        }
        assert_eq!((&*job_map.host(2), job_map.key()), ("gamma", [5; KEY_BYTES]));
    }

    #[test]
    fn a_job_that_contradicts_itself_is_refused() {
        for locations in [
            vec![],
            vec![location(0, 0)],
            vec![location(1, 1)],
            vec![location(1, 0), location(1, 0)],
            vec![location(1, 0), location(3, 0)],
        ] {
            let job = Job { locations, ..job() };
            assert!(Segment::create(&job, 1).is_err(), "{job:?}");
        }
    }

    /// Ranks cannot be sent anywhere by what another rank writes into the job map.
    #[test]
    fn a_job_map_that_no_launcher_writes_is_an_error_or_ignored() {
        let made = Segment::create(&job(), 4).unwrap();
        let layout = job().layout().unwrap();
        let base = made.job_map_at();
        let words = made.region().slice::<AtomicU32>(base + layout.locations(), 10);
        let again = || Segment::open(made.fd().try_clone().unwrap().into());
        let opened = again().unwrap();
        for (at, wrong) in [(0, 3), (0, u32::MAX), (1, 1), (3, 7), (9, 0)] {
            let right = words[at].swap(wrong, Ordering::Relaxed);
            assert!(again().is_err(), "word {at} is {wrong}");
            assert_eq!(opened.job_map().locations(), &job().locations[..]);
            words[at].store(right, Ordering::Relaxed);
        }
        made.region().get::<JobMapHeader>(base).node.store(9, Ordering::Relaxed);
        assert!(again().is_err());
        assert_eq!((opened.job_map().node(), opened.job_map().local(4)), (1, Some(1)));
    }

    #[test]
    fn names_are_cut_between_packets() {
        assert_eq!((cut("host", 9), cut("host", 2), cut("h\u{f6}st", 2)), (4, 2, 1));
    }
}
