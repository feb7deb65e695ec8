//! The network of a simulated job: packets on their way in virtual time, with the faults that the
//! promises of its fabric allow.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use dunlin_base::Result;
use dunlin_fabric::{Access, Capabilities, Fabric, Peer, RemoteKey};
use dunlin_seal::Security;
use dunlin_shm::Node;
use parking_lot::Mutex;

use crate::dice::Dice;
use crate::net::address_vector::AddressVector;
use crate::net::business_card::BusinessCard;
use crate::net::net_clock::NetClock;
use crate::net::network::{Net, Participation};
use crate::net::rma::Transfer;
use crate::p2p::remote::NetTransport;

const MICROSECOND: u64 = 1000;
/// No peer is given up: a simulated rank may stay away for long.
const PEER_TIMEOUT: u64 = 3_600_000_000_000;

/// What a fabric is like and does wrong, in hundredths.
#[derive(Debug, Clone, Copy)]
struct Traits {
    capabilities: Capabilities,
    /// Bytes of the longest packet of a second path, which is reliable and ordered; 0: none.
    bulk_bytes_max: usize,
    security: Security,
    lost: u64,
    doubled: u64,
    busy: u64,
    /// Remote reads and writes that fail.
    spoilt: u64,
    /// Nanoseconds by which packets may be late.
    spread: u64,
}

impl Traits {
    /// Those of UDP, UDP with TCP, TCP, SRD, and SRD with remote reads, or writes, too.
    fn draw(dice: &mut Dice) -> Traits {
        let kind = dice.below(6);
        Traits::of_kind(kind, dice)
    }

    fn of_kind(kind: u64, dice: &mut Dice) -> Traits {
        let (reliable, ordered, remote_read) = (kind >= 2, kind == 2, kind >= 4);
        let most = |dice: &mut Dice, percent| if reliable { 0 } else { dice.below(percent) };
        Traits {
            capabilities: Capabilities {
                reliable,
                ordered,
                authenticated: kind == 2,
                packet_bytes_max: [400, 1472, 8900, 65_000][dice.below(4) as usize],
                remote_read,
                remote_write: kind == 5,
            },
            bulk_bytes_max: if kind == 1 { [2000, 65_000][dice.below(2) as usize] } else { 0 },
            // What is sealed is not read remotely.
            security: match remote_read {
                true => Security::Off,
                false => Security::WORDS[dice.below(3) as usize].1,
            },
            lost: most(dice, 20),
            doubled: most(dice, 15),
            busy: dice.below(30),
            spoilt: dice.below(40),
            spread: dice.below(200) * MICROSECOND,
        }
    }
}

/// A packet on its way: when it arrives, in which order it left, and what it holds.
type Packet = Reverse<(u64, u64, Vec<u8>)>;

struct State {
    dice: Dice,
    /// Packets to each rank, by the first path and by the second.
    packets: Vec<[BinaryHeap<Packet>; 2]>,
    posted: u64,
    /// Registered memory, by its key.
    shown: HashMap<u64, (*const [u8], Access)>,
    /// Remote reads and writes under way.
    transfers: usize,
}

// SAFETY: what memory the pointers name is touched while its rank has registered it alone.
unsafe impl Send for State {}

type Look = Box<dyn Fn(Peer) + Send + Sync>;

/// The network.
pub(crate) struct Network {
    traits: Traits,
    /// Called by a rank that looks for packets, if another should have a turn.
    looks: OnceLock<Look>,
    now: Arc<AtomicU64>,
    state: Mutex<State>,
}

impl Network {
    pub fn draw(dice: &mut Dice, ranks: usize) -> Arc<Network> {
        let traits = Traits::draw(dice);
        Network::with(traits, dice, ranks)
    }

    /// One with remote reads, and perhaps writes.
    pub fn draw_remote(dice: &mut Dice, ranks: usize) -> Arc<Network> {
        let kind = 4 + dice.below(2);
        let traits = Traits::of_kind(kind, dice);
        Network::with(traits, dice, ranks)
    }

    fn with(traits: Traits, dice: &mut Dice, ranks: usize) -> Arc<Network> {
        let packets = (0..ranks).map(|_| Default::default()).collect();
        let state = State {
            dice: Dice(dice.below(u64::MAX)),
            packets,
            posted: 0,
            shown: HashMap::new(),
            transfers: 0,
        };
        Arc::new(Network {
            traits,
            looks: OnceLock::new(),
            now: Arc::default(),
            state: Mutex::new(state),
        })
    }

    /// The transport of rank `me`; all ranks of the job must have one before the first sends.
    pub fn transport(self: &Arc<Network>, me: Peer, node: &Node) -> NetTransport {
        let Traits { security, .. } = self.traits;
        let end = |is_bulk| End {
            me,
            is_bulk,
            network: self.clone(),
            space: Vec::new(),
            bulk: None,
            registered: 0,
            transfers: Vec::new(),
        };
        let bulk = (self.traits.bulk_bytes_max > 0).then(|| Box::new(end(true)));
        let part = Participation {
            me,
            incarnation: incarnation(me),
            security,
            peer_timeout: PEER_TIMEOUT,
            clock: NetClock::Virtual(self.now.clone()),
        };
        let fabric = Box::new(End { bulk, ..end(false) });
        let address_vector = AddressVector::new(node.job_map(), None);
        NetTransport::new(Net::over(fabric, address_vector, part))
    }

    /// How much packets are protected.
    pub fn security(&self) -> Security {
        self.traits.security
    }

    /// Tells the ranks of a node where all others are.
    pub fn publish(&self, node: &Node) {
        let job_map = node.job_map();
        for rank in 0..job_map.world() {
            let fabric = [rank as u8];
            let incarnation = incarnation(rank as Peer);
            let card =
                BusinessCard { security: self.traits.security, incarnation, fabric: &fabric };
            job_map.publish(rank, &card.encode().unwrap());
        }
    }

    /// Calls `look` with each rank that looks for packets, before it finds any.
    pub fn on_look(&self, look: Look) {
        assert!(self.looks.set(look).is_ok(), "it is set once");
    }

    /// Packets that were posted so far.
    pub fn posted(&self) -> u64 {
        self.state.lock().posted
    }

    /// Time passes.
    pub fn advance(&self, nanos: u64) {
        self.now.fetch_add(nanos, Ordering::Relaxed);
    }

    /// Passes the time until a packet arrives, or some time if none is under way.
    pub fn advance_to_next(&self) {
        let state = self.state.lock();
        let heaps = state.packets.iter().flatten();
        let next = heaps.filter_map(|heap| heap.peek().map(|Reverse((due, ..))| *due)).min();
        let now = self.now.load(Ordering::Relaxed);
        let next = next.map_or(now + 500 * MICROSECOND, |due| due.max(now + MICROSECOND));
        self.now.store(next, Ordering::Relaxed);
    }

    /// Whether no packet is under way, and no remote read or write.
    pub fn is_empty(&self) -> bool {
        let state = self.state.lock();
        state.transfers == 0 && state.packets.iter().flatten().all(BinaryHeap::is_empty)
    }
}

fn incarnation(rank: Peer) -> u64 {
    1 + (u64::from(rank) << 40)
}

/// One rank's end of a path.
struct End {
    me: Peer,
    is_bulk: bool,
    network: Arc<Network>,
    space: Vec<u8>,
    bulk: Option<Box<End>>,
    registered: u32,
    /// Reads and writes under way.
    transfers: Vec<UnderWay>,
}

/// A remote read or write, which takes place at some time before its end is told.
struct UnderWay {
    /// When the data moves, and whether it has.
    moves: u64,
    has_moved: Option<bool>,
    /// When its end is told.
    due: u64,
    number: u64,
    there: RemoteKey,
    transfer: Transfer,
}

// SAFETY: the memory is the transfer's until its end is told.
unsafe impl Send for UnderWay {}

impl End {
    fn key(&self, number: u32) -> u64 {
        u64::from(self.me) << 32 | u64::from(number)
    }

    /// Begins a transfer; false if there is no room.
    fn begin(&mut self, there: RemoteKey, transfer: Transfer, number: u64) -> bool {
        let Traits { busy, spread, .. } = self.network.traits;
        let State { dice, transfers, .. } = &mut *self.network.state.lock();
        if dice.chance(busy) {
            return false;
        }
        *transfers += 1;
        let now = self.network.now.load(Ordering::Relaxed);
        let due = now + MICROSECOND + dice.below(spread + 1);
        let (moves, has_moved) = (now + dice.below(due - now + 1), None);
        self.transfers.push(UnderWay { moves, has_moved, due, number, there, transfer });
        true
    }

    /// Moves the data; false if the network fails.
    fn carry_out(&self, UnderWay { there, transfer, .. }: &UnderWay) -> bool {
        let state = &mut self.network.state.lock();
        let is_good = !state.dice.chance(self.network.traits.spoilt);
        let Some((memory, access)) = state.shown.get(&there.key) else {
            panic!("memory is hidden while a peer reads or writes it");
        };
        let (start, end) = (memory.addr() as u64, (memory.addr() + memory.len()) as u64);
        let bytes = match transfer {
            Transfer::Read(into) => into.len(),
            Transfer::Write(from) => {
                assert_eq!(*access, Access::ReadWrite, "what is written is registered for it");
                from.len()
            }
        };
        let is_within = start <= there.address && there.address + bytes as u64 <= end;
        assert!(is_within, "no more is moved than is registered");
        // A failure may leave some of it there.
        let bytes = if is_good { bytes } else { bytes / 2 };
        let address = std::ptr::with_exposed_provenance_mut::<u8>(there.address as usize);
        // SAFETY: all ranks are in this process; what is registered is there, and the origin's
        // memory until the end is told.
        unsafe {
            match transfer {
                Transfer::Read(into) => address.copy_to_nonoverlapping(into.cast(), bytes),
                Transfer::Write(from) => address.copy_from_nonoverlapping(from.cast(), bytes),
            }
        }
        is_good
    }
}

impl Fabric for End {
    fn name(&self) -> &'static str {
        "simulated"
    }

    fn capabilities(&self) -> Capabilities {
        let Traits { capabilities, bulk_bytes_max, .. } = self.network.traits;
        match self.is_bulk {
            true => Capabilities {
                reliable: true,
                ordered: true,
                authenticated: true,
                packet_bytes_max: bulk_bytes_max,
                remote_read: false,
                remote_write: false,
            },
            false => capabilities,
        }
    }

    fn address(&self) -> &[u8] {
        &[]
    }

    fn connect(&mut self, peer: Peer, address: &[u8]) -> Result<()> {
        assert_eq!(address, [peer as u8]);
        Ok(())
    }

    fn space(&mut self, _: Peer) -> Option<&mut [u8]> {
        if self.network.state.lock().dice.chance(self.network.traits.busy) {
            return None;
        }
        self.space = vec![0xdd; self.capabilities().packet_bytes_max];
        Some(&mut self.space)
    }

    fn post(&mut self, peer: Peer, len: usize) {
        let Capabilities { reliable, ordered, .. } = self.capabilities();
        let Traits { lost, doubled, spread, .. } = self.network.traits;
        let now = self.network.now.load(Ordering::Relaxed);
        let mut state = self.network.state.lock();
        let State { dice, packets, posted, .. } = &mut *state;
        let copies = match () {
            () if reliable => 1,
            () if dice.chance(lost) => 0,
            () => 1 + u64::from(dice.chance(doubled)),
        };
        for _ in 0..copies {
            let late = if ordered { 0 } else { dice.below(spread + 1) };
            *posted += 1;
            let packet = (now + MICROSECOND + late, *posted, self.space[..len].to_vec());
            packets[peer as usize][usize::from(self.is_bulk)].push(Reverse(packet));
        }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn is_flushed(&self) -> bool {
        true
    }

    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        self.network.looks.get().filter(|_| !self.is_bulk).iter().for_each(|look| look(self.me));
        let now = self.network.now.load(Ordering::Relaxed);
        let mut came = 0;
        loop {
            // Who takes it may send.
            let mut state = self.network.state.lock();
            let heap = &mut state.packets[self.me as usize][usize::from(self.is_bulk)];
            if heap.peek().is_none_or(|Reverse((due, ..))| *due > now) {
                return Ok(came);
            }
            let Some(Reverse((_, _, packet))) = heap.pop() else { return Ok(came) };
            drop(state);
            take(&packet);
            came += 1;
        }
    }

    unsafe fn register(&mut self, memory: *const [u8], to: Access) -> Option<(u32, RemoteKey)> {
        if !self.capabilities().remote_read {
            return None;
        }
        self.registered += 1;
        let key = self.key(self.registered);
        self.network.state.lock().shown.insert(key, (memory, to));
        let address = memory.cast::<u8>().expose_provenance() as u64;
        Some((self.registered, RemoteKey { address, key }))
    }

    fn deregister(&mut self, number: u32) {
        let before = self.network.state.lock().shown.remove(&self.key(number));
        assert!(before.is_some(), "it is hidden once");
    }

    unsafe fn read(&mut self, _: Peer, from: RemoteKey, into: *mut [u8], number: u64) -> bool {
        self.begin(from, Transfer::Read(into), number)
    }

    unsafe fn write(&mut self, _: Peer, to: RemoteKey, from: *const [u8], number: u64) -> bool {
        assert!(self.capabilities().remote_write, "nobody writes where that cannot be");
        self.begin(to, Transfer::Write(from), number)
    }

    fn rma_done(&mut self, done: &mut dyn FnMut(u64, bool)) {
        let now = self.network.now.load(Ordering::Relaxed);
        for at in 0..self.transfers.len() {
            let one = &self.transfers[at];
            if one.moves <= now && one.has_moved.is_none() {
                self.transfers[at].has_moved = Some(self.carry_out(one));
            }
        }
        while let Some(at) = self.transfers.iter().position(|one| one.due <= now) {
            let ended = self.transfers.swap_remove(at);
            self.network.state.lock().transfers -= 1;
            done(ended.number, ended.has_moved.expect("it has moved before"));
        }
    }

    fn bulk(&mut self) -> Option<&mut dyn Fabric> {
        self.bulk.as_deref_mut().map(|bulk| bulk as &mut dyn Fabric)
    }

    fn sleep_fds(&self, _: &mut dyn FnMut(RawFd)) {}

    fn counters(&self, _: &mut dyn FnMut(&'static str, u64)) {}
}
