//! How a process finds its place in its job. `mpirun` leaves a segment to its ranks. Another
//! library's launcher is asked over PMI which rank runs where, and the ranks of a node then make
//! their segment themselves. A process without a launcher is a job of one.
//!
//! Where another launcher has started ranks on several nodes, each rank opens its network first and
//! tells the first rank of its node its address. That rank publishes one entry with the addresses
//! of its node, and rank 0 draws the job's key. After one fence every rank has the key; it asks for
//! the entry of another node when it first uses a rank there (`address_vector.rs`).

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::fd::{AsFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use dunlin_base::settings::{
    JOB_FD, JOB_LAUNCHER, JOB_LIFELINE, JOB_RANK, LIBPMIX, Setting, Settings,
};
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_machine::Machine;
use dunlin_pmi::{Launcher, Pmi};
use dunlin_seal::JobKey;
use dunlin_shm::handover::{self, SegmentHandover};
use dunlin_shm::job_map::{Job, Key, RankLocation, WORLD_MAX};
use dunlin_shm::{Node, Segment};
use parking_lot::Mutex;

use crate::net::address_vector::{self, ProcessManager};
use crate::net::node_card::RankCard;
use crate::net::open_fabric::OpenedFabric;
use crate::runtime::descriptors::{allow_many, close_on_exec, reopen};
use crate::runtime::exit::say;
use crate::runtime::init_wait::InitWait;
use crate::runtime::rank_lock;

/// The name under which rank 0 publishes the key that seals the job's packets, and after it the
/// model that fits its host.
const KEY: &str = "dunlin-key";

/// The connection to the launcher, and the process that opened it. It is never dropped: some
/// launchers kill a rank whose connection closes early, before it could report an error.
static GREETED: Mutex<Option<(ProcessManager, u32)>> = Mutex::new(None);

/// A process's place in its job.
pub(crate) struct Boot {
    pub node: Node,
    /// The other library's launcher whose connection it must finalize.
    pub process_manager: Option<ProcessManager>,
    /// Its network, if it had to be opened already.
    pub fabric: Option<OpenedFabric>,
}

impl Boot {
    fn without_process_manager(node: Node) -> Boot {
        Boot { node, process_manager: None, fabric: None }
    }
}

/// Finds it.
pub(crate) fn boot(settings: &Settings) -> Result<Boot> {
    let rank = settings.integer_if_set(&JOB_RANK);
    if let (Some(fd), Some(rank)) = (descriptor(settings, &JOB_FD), rank) {
        let lifeline = descriptor(settings, &JOB_LIFELINE);
        let launcher = settings.integer_if_set(&JOB_LAUNCHER);
        reopen(fd, lifeline, launcher.map_or(0, |pid| pid as i32));
        let joined = join_ours(fd, lifeline, rank as usize);
        return joined.map(Boot::without_process_manager).map_err(failed);
    }
    let launcher = Launcher::of_this_process(settings);
    rank_lock::acquire_rank(&launcher)?;
    let Some(mut pmi) = launcher.greet(settings.text(&LIBPMIX), take_over)? else {
        return Node::alone().map(Boot::without_process_manager).map_err(failed);
    };
    let joined = join_theirs(&mut *pmi, settings);
    let process_manager = Arc::new(Mutex::new(Some(pmi)));
    let before = GREETED.lock().replace((process_manager.clone(), std::process::id()));
    std::mem::forget(before);
    joined.map(|(node, fabric)| Boot { node, process_manager: Some(process_manager), fabric })
}

/// The launcher to which this process is connected, for the first caller. A forked child is not
/// connected.
pub(crate) fn greeted() -> Option<ProcessManager> {
    let mut greeted = GREETED.lock();
    let (process_manager, pid) = greeted.as_ref()?;
    let process_manager = (*pid == std::process::id()).then(|| process_manager.clone());
    std::mem::forget(greeted.take());
    process_manager
}

fn failed(e: io::Error) -> Error {
    Error::new(ErrorClass::Other, format!("this process could not join its job: {e}"))
}

/// Takes the descriptor that a launcher has left, if it is open, and marks it close-on-exec: a
/// program that this process executes is no rank.
fn take_over(fd: RawFd) -> Option<UnixStream> {
    // SAFETY: `fcntl` on any number is harmless; it tells whether the descriptor is open.
    let open = unsafe { libc::fcntl(fd, libc::F_GETFD) } >= 0;
    if open {
        close_on_exec(fd, true);
    }
    // SAFETY: open, and given to this process for this purpose alone.
    open.then(|| unsafe { UnixStream::from_raw_fd(fd) })
}

fn join_ours(fd: RawFd, lifeline: Option<RawFd>, rank: usize) -> io::Result<Node> {
    // SAFETY: if it is a segment, mpirun has left it for this process alone, which joins once.
    let segment = unsafe { Segment::inherit(fd)? };
    let place = segment.job_map().local(rank).ok_or_else(|| {
        let (node, world) = (segment.job_map().node(), segment.job_map().world());
        io::Error::other(format!("rank {rank} is not on node {node} of this job of {world} ranks"))
    });
    let mut wait = InitWait::new(lifeline, "MPI_Init (of a second program)");
    Node::join(segment, place?, &mut |own, awaited| wait.idle(own, awaited))
}

/// A descriptor that mpirun has left; the table holds its number to what fits.
pub(crate) fn descriptor(settings: &Settings, setting: &Setting) -> Option<RawFd> {
    settings.integer_if_set(setting).map(|fd| fd as RawFd)
}

/// The first rank of each node makes the segment, once the others have connected to it.
fn join_theirs(pmi: &mut dyn Pmi, settings: &Settings) -> Result<(Node, Option<OpenedFabric>)> {
    check_rank(pmi)?;
    let nodes = nodes_of(pmi)?;
    let mut job = job_of(&nodes, pmi.rank());
    // Before this rank waits for others.
    job.check().map_err(failed)?;
    let spans_nodes = job.hosts.len() > 1;
    if spans_nodes {
        allow_many();
    }
    let open = || OpenedFabric::open(settings, pmi.rank() as u32);
    let fabric = spans_nodes.then(open).transpose()?;
    let name = handover_name(pmi.job(), job.locals()[0]);
    let place = job.locations[pmi.rank()].local;
    if place == 0 && !spans_nodes {
        job.machine = own_machine();
    }
    let address = fabric.as_ref().map(OpenedFabric::address).transpose()?;
    let rank_card = RankCard { place, address, cpus: Machine::own_cpus() };
    let joined =
        if place == 0 { lead(&job, &name, rank_card) } else { follow(&job, &name, &rank_card) };
    let segment = joined.map_err(failed)?;
    if spans_nodes {
        meet_other_nodes(pmi, &segment, place == 0)?;
    }
    let node = Node::join(segment, place as usize, &mut |_, _| Ok(())).map_err(failed)?;
    Ok((node, fabric))
}

fn check_rank(pmi: &dyn Pmi) -> Result<()> {
    let (rank, size) = (pmi.rank(), pmi.size());
    if size > WORLD_MAX {
        let text = format!(
            "the launcher says by {} that the job has {size} ranks; the limit is {WORLD_MAX}: its \
             variables may be left over from another job; unset them, or use Dunlin's mpirun",
            pmi.name()
        );
        return Err(Error::new(ErrorClass::Other, text));
    }
    if rank < size {
        return Ok(());
    }
    let text = format!(
        "the launcher says by {} that this is rank {rank} of {size}: its variables may be left \
         over from another job; unset them, or use Dunlin's mpirun",
        pmi.name()
    );
    Err(Error::new(ErrorClass::Other, text))
}

fn meet_other_nodes(pmi: &mut dyn Pmi, segment: &Segment, leads: bool) -> Result<()> {
    let job_map = segment.job_map();
    if leads {
        address_vector::tell(pmi, &job_map)?;
    }
    if pmi.rank() == 0 {
        let key = JobKey::draw().map_err(failed)?.bytes();
        pmi.put(KEY, &[&key[..], own_machine().as_bytes()].concat())?;
    }
    pmi.fence()?;
    let told = pmi.get(0, KEY)?.unwrap_or_default();
    let (key, machine): (&Key, _) = told.split_first_chunk().ok_or_else(|| {
        let text = format!("rank 0 has not told the job's key by {}", pmi.name());
        Error::new(ErrorClass::Other, text)
    })?;
    job_map.set_key(key);
    // Hosts may differ, and all ranks must choose alike.
    job_map.set_machine(&String::from_utf8_lossy(machine));
    Ok(())
}

/// The model that fits this host; empty if none does.
fn own_machine() -> String {
    dunlin_machine::recognise().unwrap_or_default().into()
}

/// The node of each rank: from the launcher, or else from what the ranks publish.
fn nodes_of(pmi: &mut dyn Pmi) -> Result<Vec<u32>> {
    const HOST: &str = "dunlin-host";
    if let Some(nodes) = pmi.nodes()? {
        return Ok(numbered(&nodes));
    }
    pmi.put(HOST, Machine::host_identity().as_bytes())?;
    pmi.fence()?;
    let mut hosts = Vec::with_capacity(pmi.size());
    for rank in 0..pmi.size() {
        let host = pmi.get(rank, HOST)?.ok_or_else(|| {
            let text = format!("rank {rank} has not told by {} on which host it is", pmi.name());
            Error::new(ErrorClass::Other, text)
        })?;
        hosts.push(host);
    }
    Ok(numbered(&hosts))
}

/// Labels as numbers, in the order in which they first appear.
fn numbered<T: Eq + Hash>(labels: &[T]) -> Vec<u32> {
    let mut known: HashMap<&T, u32> = HashMap::new();
    let mut number = |label| {
        let next = known.len() as u32;
        *known.entry(label).or_insert(next)
    };
    labels.iter().map(&mut number).collect()
}

/// The job as rank `me` sees it, which knows the name of its own host.
fn job_of(nodes: &[u32], me: usize) -> Job {
    let hosts = 1 + nodes.iter().max().map_or(0, |&node| node as usize);
    let mut next = vec![0; hosts];
    let place = |&node: &u32| {
        let local = &mut next[node as usize];
        *local += 1;
        RankLocation { node, local: *local - 1 }
    };
    let locations = nodes.iter().map(place).collect();
    let mut hosts = vec![String::new(); hosts];
    hosts[nodes[me] as usize] = Machine::host_name();
    Job { key: Key::default(), node: nodes[me], hosts, machine: String::new(), locations }
}

/// Where the ranks of a node meet: no other job of this user has the name.
fn handover_name(job: &str, first: u32) -> String {
    let mut hasher = DefaultHasher::new();
    job.hash(&mut hasher);
    // SAFETY: takes nothing and cannot fail.
    let user = unsafe { libc::getuid() };
    format!("dunlin-{user}-{:016x}-{first}", hasher.finish())
}

fn lead(job: &Job, name: &str, own: RankCard) -> io::Result<Segment> {
    let others = job.locals().len() - 1;
    let late = |came: usize| {
        say(&format!(
            "rank {} on {} has waited for a minute for the other ranks of this host to call \
             MPI_Init: {came} of {others} have",
            job.locals()[0],
            job.hosts[job.node as usize]
        ));
    };
    let handover = SegmentHandover::gather(name, others, &late)?;
    let rank_cards = rank_cards_of(own, &handover)?;
    let cpus = rank_cards.iter().fold(Default::default(), |all, rank_card| rank_card.cpus.or(&all));
    let segment = Segment::create(job, Machine::at_once_on(&cpus))?;
    publish(&segment, &rank_cards);
    handover.hand_over(segment.fd().as_fd())?;
    Ok(segment)
}

/// The cards of all ranks of this host, this rank's own first.
fn rank_cards_of(own: RankCard, handover: &SegmentHandover) -> io::Result<Vec<RankCard>> {
    let mut rank_cards = vec![own];
    for rank_card in handover.hellos() {
        let rank_card = RankCard::decode(rank_card).ok_or_else(|| {
            io::Error::other("a rank of this host uses another Dunlin: all must use the same")
        })?;
        rank_cards.push(rank_card);
    }
    match doubted(&rank_cards) {
        Some(place) => Err(io::Error::other(format!(
            "two processes are rank {place} of this host, counted from 0, or one is of another \
             job: start each rank once"
        ))),
        None => Ok(rank_cards),
    }
}

/// The first place that is taken twice or missing: the places must be 0, 1, 2 and so on.
fn doubted(rank_cards: &[RankCard]) -> Option<u32> {
    let mut locations: Vec<u32> = rank_cards.iter().map(|rank_card| rank_card.place).collect();
    locations.sort_unstable();
    (0..).zip(&locations).find(|(place, said)| place != *said).map(|(_, &said)| said)
}

/// Writes the addresses of this host's ranks into the job map.
fn publish(segment: &Segment, rank_cards: &[RankCard]) {
    let job_map = segment.job_map();
    for rank_card in rank_cards {
        let rank = job_map.locals().get(rank_card.place as usize);
        if let (Some(&rank), Some(address)) = (rank, &rank_card.address) {
            job_map.publish(rank as usize, address);
        }
    }
}

fn follow(job: &Job, name: &str, rank_card: &RankCard) -> io::Result<Segment> {
    let late = || {
        say(&format!(
            "a rank on {} has waited for a minute for rank {} of this host to call MPI_Init",
            job.hosts[job.node as usize],
            job.locals()[0]
        ));
    };
    let fd: OwnedFd = handover::join(name, &rank_card.encode(), &late)?;
    Segment::open(fd.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::address_vector::pretended::StagedCopy;
    use dunlin_machine::Cpus;
    use dunlin_shm::address::Address;

    #[test]
    fn places_count_up_on_each_node() {
        let nodes = numbered(&["b", "a", "b", "c", "a"]);
        assert_eq!(nodes, [0, 1, 0, 2, 1]);
        let job = job_of(&nodes, 4);
        let locations: Vec<_> = job.locations.iter().map(|p| (p.node, p.local)).collect();
        assert_eq!(locations, [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1)]);
        assert_eq!((job.node, job.hosts.len(), job.locals()), (1, 3, vec![1, 4]));
        assert_eq!(job.hosts, [String::new(), Machine::host_name(), String::new()]);
    }

    #[test]
    fn the_card_holds_what_all_ranks_of_the_host_have_said() {
        let address = |text: &[u8]| Address::new(text);
        let rank_card =
            |place, at: &[u8]| RankCard { place, address: address(at), cpus: Cpus::default() };
        let segment = Segment::create(&job_of(&[0, 1, 0, 1], 1), 1).unwrap();
        publish(&segment, &[rank_card(0, b"zero"), rank_card(1, b"one"), rank_card(2, b"who?")]);
        let job_map = segment.job_map();
        assert_eq!((job_map.address(1), job_map.address(3)), (address(b"zero"), address(b"one")));
        assert_eq!((job_map.address(0), job_map.address(2), job_map.published()), (None, None, 2));
    }

    #[test]
    fn a_place_that_two_processes_claim_is_named() {
        let rank_card = |place| RankCard { place, address: None, cpus: Cpus::default() };
        let doubted = |locations: &[u32]| {
            doubted(&locations.iter().map(|&place| rank_card(place)).collect::<Vec<_>>())
        };
        assert_eq!(doubted(&[0, 2, 1]), None);
        assert_eq!(doubted(&[0, 2, 2]), Some(2));
        assert_eq!((doubted(&[0, 1, 1, 2]), doubted(&[0, 7])), (Some(1), Some(7)));
    }

    #[test]
    fn the_first_ranks_host_decides_by_which_machine_all_choose() {
        let known_after = |pmi: &mut StagedCopy| {
            let segment = Segment::create(&job_of(&[0, 1, 1], 1), 1).unwrap();
            meet_other_nodes(pmi, &segment, false).map(|()| {
                let job_map = segment.job_map();
                (job_map.key(), job_map.machine())
            })
        };
        let key = Key::from(std::array::from_fn(|at| at as u8));
        let mut pmi = StagedCopy { rank: 1, ..StagedCopy::default() };
        assert!(known_after(&mut pmi).is_err());
        for (told, machine) in [(&b"hpc7g"[..], Some("hpc7g".to_string())), (b"", None)] {
            let value = [&key[..], told].concat();
            pmi.values.lock().insert((0, KEY.into()), value);
            assert_eq!(known_after(&mut pmi).unwrap(), (key, machine));
        }
        let own = Some(own_machine()).filter(|name| !name.is_empty());
        assert_eq!(known_after(&mut StagedCopy::default()).unwrap().1, own);
    }

    fn join(pmi: &mut StagedCopy) -> Result<(Node, Option<OpenedFabric>)> {
        join_theirs(pmi, &Settings::read(std::iter::empty()))
    }

    #[test]
    fn a_rank_beyond_the_job_is_named() {
        let error = join(&mut StagedCopy { rank: 3, ..StagedCopy::default() }).err().unwrap();
        assert!(error.text.contains("a pretended PMI that this is rank 3 of 3"), "{error}");
    }

    #[test]
    fn a_job_of_more_ranks_than_there_can_be_is_refused_before_it_costs_memory() {
        for more in [WORLD_MAX, usize::MAX - 3] {
            let mut pmi = StagedCopy { more, ..StagedCopy::default() };
            let error = join(&mut pmi).err().unwrap();
            assert!(error.text.contains("ranks; the limit is"), "{error}");
            assert_eq!(*pmi.asked.lock(), 0);
        }
    }

    #[test]
    fn a_launcher_that_was_greeted_in_vain_is_told_once() {
        let told = |kept: &StagedCopy| *kept.aborted.lock();
        let greet = |kept: &StagedCopy, pid| {
            let pmi: Box<dyn Pmi> = Box::new(kept.clone());
            *GREETED.lock() = Some((Arc::new(Mutex::new(Some(pmi))), pid));
        };
        let kept = StagedCopy::default();
        greet(&kept, std::process::id());
        crate::give_up(16);
        crate::give_up(1);
        assert_eq!(told(&kept), Some(16));
        let of_parent = StagedCopy::default();
        greet(&of_parent, std::process::id() + 1);
        crate::give_up(1);
        assert_eq!(told(&of_parent), None);
    }

    #[test]
    fn jobs_meet_at_places_of_their_own() {
        let names = [handover_name("a", 0), handover_name("b", 0), handover_name("a", 2)];
        assert_ne!(names[0], names[1]);
        assert_ne!(names[0], names[2]);
    }
}
