//! The network of one process: a fabric that carries packets, and above it the endpoint of `wire`
//! that makes messages of them. Only jobs on several nodes have one.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::time::Duration;

use dunlin_base::counters::Counter;
use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_fabric::{Fabric, PacketHandler, Peer, Predicted};
use dunlin_seal::{JobKey, Keys, Security};
use dunlin_shm::FdSleep;
use dunlin_shm::counters::Counters;
use dunlin_shm::wait::doubled;
use dunlin_wire::{
    Config, Credentials, Endpoint, Guarantee, MatchHeader, Nanos, PacketSink, UpperLayer,
};

use crate::net::address_vector::AddressVector;
use crate::net::business_card::BusinessCard;
use crate::net::keep_alive::KeepAlive;
use crate::net::net_clock::NetClock;
use crate::net::open_fabric::OpenFabric;
use crate::threads::progress_thread;

/// Batches of packets received in one poll, before other work gets its turn.
const BATCHES_PER_TURN: usize = 8;
/// Active-path polls per idle-path poll.
const POLLS_OF_ACTIVE: u32 = 8;
/// A batch of so many packets was full: more may have arrived.
const FULL_BATCH: usize = 32;
/// A sleeping rank tries so soon again to send packets for which the fabric had no room; each time
/// in vain it waits twice as long, up to the maximum.
const POLL_AFTER: Duration = Duration::from_millis(1);
const POLL_AFTER_MAX: Duration = Duration::from_millis(64);
/// Messages up to this size are sent eagerly, in segments; larger ones by rendezvous, which costs a
/// round trip and saves a copy where the receive is late.
pub(super) const SEGMENTED_BYTES_MAX: usize = 64 * 1024;
/// The same where the fabric has a bulk path: 128 KiB take 30 us, by rendezvous 42.
const SEGMENTED_BYTES_MAX_BULK: usize = 256 * 1024;

/// Bytes of eager messages that a peer may send before receives consume them, where the fabric has
/// a bulk path. A stream of 64 KiB messages runs ahead of the receiver's reports by more than the
/// usual 1 MiB; then each message goes by rendezvous, with two packets more, and 4.4 GB/s become
/// 3.7.
const EAGER_BUDGET_BULK: u32 = 4 << 20;

/// The network.
pub(crate) struct Net {
    endpoint: Endpoint,
    pub(super) sink: FabricSink,
    paths: PathPoller,
    clock: NetClock,
    /// Messages registered for remote reads: their send requests and their numbers in the fabric.
    pub(super) registered: HashMap<u32, u32>,
    /// Remote reads and writes by this process whose end the fabric has not reported.
    pub(super) rma_under_way: u32,
}

impl std::fmt::Debug for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Net({})", self.sink.fabric.name())
    }
}

/// The fabric, and which peers it is connected with.
pub(super) struct FabricSink {
    pub(super) fabric: Box<dyn Fabric>,
    /// Packets were posted and not flushed.
    has_posted: bool,
    address_vector: AddressVector,
    /// How much packets are protected.
    pub(super) security: Security,
    /// The incarnations of connected peers.
    incarnations: Box<[u64]>,
    pub(super) connected: Box<[bool]>,
    /// Peers connected on the bulk path, if there is one.
    bulk_connected: Box<[bool]>,
    failure: Option<Error>,
}

impl PacketSink for FabricSink {
    fn incarnation(&mut self, peer: Rank) -> Option<u64> {
        if !self.connected[peer as usize] {
            self.connect(peer, false)?;
        }
        Some(self.incarnations[peer as usize])
    }

    fn space(&mut self, peer: Rank) -> Option<&mut [u8]> {
        if !self.connected[peer as usize] {
            self.connect(peer, false)?;
        }
        self.fabric.space(peer)
    }

    fn post(&mut self, peer: Rank, len: usize) {
        self.fabric.post(peer, len);
        self.has_posted = true;
    }

    fn bulk_space(&mut self, peer: Rank) -> Option<&mut [u8]> {
        if !self.bulk_connected[peer as usize] {
            self.connect(peer, true)?;
        }
        self.fabric.bulk()?.space(peer)
    }

    fn post_bulk(&mut self, peer: Rank, len: usize) {
        if let Some(bulk) = self.fabric.bulk() {
            bulk.post(peer, len);
        }
    }

    fn post_parts(&mut self, peer: Rank, front: &[u8], data: &[u8]) -> bool {
        // A packet posted on the first path may announce this one.
        if self.has_posted {
            self.flush();
        }
        let is_known = self.bulk_connected[peer as usize] || self.connect(peer, true).is_some();
        is_known && self.fabric.bulk().is_some_and(|bulk| bulk.post_parts(peer, front, data))
    }
}

/// Calls `receive` as long as it returns full batches. True if any packet arrived.
fn receive(mut receive: impl FnMut() -> Result<usize>) -> Result<bool> {
    let mut came = false;
    for _ in 0..BATCHES_PER_TURN {
        let packets = receive()?;
        came |= packets > 0;
        // Another poll is a system call, and a caller may wait for what has arrived.
        if packets < FULL_BATCH {
            break;
        }
    }
    Ok(came)
}

/// Passes packets of the bulk path to the endpoint.
struct BulkHandler<'a, N, U> {
    endpoint: &'a mut Endpoint,
    now: &'a N,
    up: &'a mut U,
}

impl<N: Fn() -> Nanos, U: UpperLayer> PacketHandler for BulkHandler<'_, N, U> {
    fn packet(&mut self, packet: &[u8]) {
        self.endpoint.on_bulk((self.now)(), packet, self.up);
    }

    fn expected(&mut self, from: Peer) -> Option<Predicted<'_>> {
        let expected = self.endpoint.predicted(from, self.up)?;
        let dunlin_wire::Predicted { front_bytes, front_end, destination } = expected;
        Some(Predicted { front_bytes, front_end, destination })
    }

    fn placed(&mut self, front: &[u8]) {
        self.endpoint.on_placed((self.now)(), front, self.up);
    }
}

/// Decides which of the two paths to poll: each poll is a system call.
#[derive(Debug, Default)]
struct PathPoller {
    /// The last packet came on the bulk path.
    is_bulk_hot: bool,
    polls: u32,
}

impl PathPoller {
    /// The next turn polls both.
    fn poll_both(&mut self) {
        self.polls = POLLS_OF_ACTIVE - 1;
    }

    /// Whether to poll the first path and the bulk path: always the active one, more rarely the
    /// other.
    fn turn(&mut self, has_bulk: bool) -> (bool, bool) {
        self.polls = self.polls.wrapping_add(1);
        let both = has_bulk && self.polls % POLLS_OF_ACTIVE == 0;
        (both || !self.is_bulk_hot, both || self.is_bulk_hot)
    }

    /// Notes whether a poll of a path found anything.
    fn came(&mut self, is_bulk: bool, came: bool) {
        if came {
            self.is_bulk_hot = is_bulk;
        }
    }
}

impl FabricSink {
    /// Peers are looked up at first use. `None` until their address is known.
    #[cold]
    pub(super) fn connect(&mut self, peer: Rank, is_bulk: bool) -> Option<()> {
        let found = self.address_vector.find(peer);
        let address = found.map_err(|error| self.fail(error)).ok()??;
        let card = BusinessCard::read(&address, peer).and_then(|card| {
            let host = self.address_vector.job_map.host_of(peer as usize);
            card.check(self.security, peer, &host).map(|()| card)
        });
        let card = card.map_err(|error| self.fail(error)).ok()?;
        self.incarnations[peer as usize] = card.incarnation;
        // A fabric gives space for packets to connected peers only.
        let (fabric, known): (&mut dyn Fabric, _) = match is_bulk {
            true => (self.fabric.bulk()?, &mut self.bulk_connected),
            false => (&mut *self.fabric, &mut self.connected),
        };
        let connected = fabric.connect(peer, card.fabric);
        known[peer as usize] = connected.is_ok();
        connected.map_err(|error| self.fail(error)).ok()
    }

    /// Receives packets from the first path. True if any arrived.
    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> bool {
        let came = receive(|| self.fabric.receive(take));
        came.unwrap_or_else(|error| {
            self.fail(error);
            false
        })
    }

    /// Receives packets from the bulk path. True if any arrived.
    fn receive_bulk(&mut self, handler: &mut dyn PacketHandler) -> bool {
        let Some(bulk) = self.fabric.bulk() else { return false };
        let came = receive(|| bulk.receive_to(handler));
        came.unwrap_or_else(|error| {
            self.fail(error);
            false
        })
    }

    /// Flushes the first path.
    fn flush(&mut self) {
        self.has_posted = false;
        if let Err(error) = self.fabric.flush() {
            self.fail(error);
        }
    }

    /// Flushes the bulk path.
    fn flush_bulk(&mut self) {
        if let Some(Err(error)) = self.fabric.bulk().map(|bulk| bulk.flush()) {
            self.fail(error);
        }
    }

    fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }
}

/// What a process brings to its network.
pub(crate) struct Participation {
    /// This process, by its rank in `MPI_COMM_WORLD`.
    pub me: Rank,
    /// The incarnation for which its peers seal packets.
    pub incarnation: u64,
    /// How much packets are protected.
    pub security: Security,
    /// A peer that has not answered for this long is lost.
    pub peer_timeout: Nanos,
    pub clock: NetClock,
}

impl Net {
    /// The network of rank `me`, which finds its peers in `address_vector`.
    pub fn new(fabric: OpenFabric, address_vector: AddressVector, me: Rank) -> Result<Net> {
        let OpenFabric { choice, fabric, incarnation } = fabric;
        let (security, clock) = (choice.security, NetClock::system());
        let peer_timeout = choice.config.timeout.as_nanos() as Nanos;
        if !fabric.capabilities().reliable {
            let keys = Keys::new(&JobKey::new(address_vector.job_map.key()), security);
            KeepAlive::start(
                choice,
                address_vector.clone(),
                me,
                Credentials { keys, incarnation },
            )?;
        }
        let part = Participation { me, incarnation, security, peer_timeout, clock };
        Ok(Net::over(fabric, address_vector, part))
    }

    /// The network over a fabric.
    pub fn over(
        mut fabric: Box<dyn Fabric>,
        address_vector: AddressVector,
        part: Participation,
    ) -> Net {
        let Participation { me, incarnation, security, peer_timeout, clock } = part;
        let key = JobKey::new(address_vector.job_map.key());
        fabric.set_key(key);
        let own = Credentials { keys: Keys::new(&key, security), incarnation };
        let shape = fabric.capabilities();
        let guarantee = if shape.reliable { Guarantee::Reliable } else { Guarantee::None };
        let bulk_bytes_max = fabric.bulk().map_or(0, |bulk| bulk.capabilities().packet_bytes_max);
        let usual = Config::new(guarantee, shape.packet_bytes_max);
        let eager_budget = match bulk_bytes_max {
            0 => usual.eager_budget,
            _ => EAGER_BUDGET_BULK,
        };
        let is_authenticated = shape.authenticated;
        let config =
            Config { is_authenticated, peer_timeout, bulk_bytes_max, eager_budget, ..usual };
        let world = address_vector.job_map.world();
        let connected: Box<[bool]> = vec![false; world].into();
        let bulk_connected = connected.clone();
        Net {
            endpoint: Endpoint::new(config, own, me, world as u32),
            sink: FabricSink {
                fabric,
                has_posted: false,
                address_vector,
                security,
                incarnations: vec![0; world].into(),
                connected,
                bulk_connected,
                failure: None,
            },
            paths: PathPoller::default(),
            clock,
            registered: HashMap::new(),
            rma_under_way: 0,
        }
    }

    /// Bytes of the largest message that fits into one packet.
    pub fn whole_bytes_max(&self) -> usize {
        self.endpoint.whole_bytes_max()
    }

    /// Whether a message is short enough to go in segments, and the peer has room for it.
    pub fn may_send_eagerly(&self, to: Rank, bytes: usize) -> bool {
        let segmented_bytes_max = match self.endpoint.config().bulk_bytes_max {
            0 => SEGMENTED_BYTES_MAX,
            _ => SEGMENTED_BYTES_MAX_BULK,
        };
        bytes <= segmented_bytes_max && self.endpoint.may_send_eagerly(to, bytes as u64)
    }

    /// Whether fragments of a message of so many bytes may have to be sent again.
    pub fn retransmits(&self, bytes: usize) -> bool {
        let config = self.endpoint.config();
        config.retransmits() && !config.in_bulk(bytes as u64)
    }

    /// The protocol endpoint.
    pub fn endpoint(&mut self) -> &mut Endpoint {
        &mut self.endpoint
    }

    fn now(&self) -> Nanos {
        self.clock.now()
    }

    /// Lets the next [`Net::receive`] poll both paths: for a caller that must not miss anything.
    pub fn poll_all(&mut self) {
        self.paths.poll_both();
    }

    /// Receives what has arrived. True if anything has.
    pub fn receive(&mut self, up: &mut impl UpperLayer) -> bool {
        let Net { endpoint, sink, paths, clock, .. } = self;
        // Most polls find nothing and need no time stamp.
        let time = OnceCell::new();
        let now = || *time.get_or_init(|| clock.now());
        progress_thread::poll();
        let mut came = false;
        let has_bulk = endpoint.config().bulk_bytes_max > 0;
        let (first, second) = paths.turn(has_bulk);
        if first {
            came = sink.receive(&mut |packet| endpoint.on_packet(now(), packet, up));
            paths.came(endpoint.awaits_bulk(), came && has_bulk);
        }
        if second {
            let long = sink.receive_bulk(&mut BulkHandler { endpoint, now: &now, up });
            paths.came(true, long);
            came |= long;
        }
        if endpoint.next_timeout().is_some() {
            endpoint.on_time(now(), up);
        }
        // A farewell that has arrived is read before its sender counts as gone.
        if !came {
            self.notice_departures();
        }
        came
    }

    /// Fails if a connection has ended whose peer has not said farewell, as every process does
    /// before it ends.
    fn notice_departures(&mut self) {
        let Net { endpoint, sink, .. } = self;
        let mut gone = None;
        sink.fabric.departed(&mut |peer| {
            if endpoint.expects_farewell(peer) {
                gone = Some(peer);
            }
        });
        let Some(peer) = gone else { return };
        let text = format!(
            "the connection to rank {peer} on {} has ended, but rank {peer} has not called \
             MPI_Finalize: its process is gone, or something between the hosts cuts connections",
            sink.address_vector.job_map.host_of(peer as usize)
        );
        sink.fail(Error::new(ErrorClass::Other, text));
    }

    /// Sends a message from the program's memory, if the bulk path takes it now in one packet.
    pub fn send_long_now(&mut self, to: Rank, head: MatchHeader, data: &[u8]) -> bool {
        let posted = self.endpoint.send_long_now(to, head, data, &mut self.sink);
        if posted {
            self.sink.flush_bulk();
        }
        posted
    }

    /// Sends a message that fits into a packet: at once, unless others are queued before it.
    pub fn send_whole(
        &mut self,
        to: Rank,
        head: MatchHeader,
        data: &[u8],
        up: &mut impl UpperLayer,
    ) {
        let now = self.now();
        let moved = self.endpoint.send_whole_now(now, to, (head, data), &mut self.sink);
        if !moved {
            self.endpoint.send_whole(to, head, data);
        }
        self.transmit_at(now, moved, up);
    }

    /// Sends what windows and credits allow. True if anything left.
    pub fn transmit(&mut self, up: &mut impl UpperLayer) -> bool {
        self.endpoint.has_packets() && self.transmit_at(self.now(), false, up)
    }

    /// The same; `moved`: a packet has been written already.
    fn transmit_at(&mut self, now: Nanos, mut moved: bool, up: &mut impl UpperLayer) -> bool {
        if self.endpoint.has_packets() {
            moved |= self.endpoint.transmit(now, &mut self.sink, up);
        }
        if moved {
            self.sink.flush();
            self.sink.flush_bulk();
        }
        moved
    }

    /// A peer has not answered within the time-out.
    pub fn lost(&mut self, peer: Rank) {
        let host = self.sink.address_vector.job_map.host_of(peer as usize);
        let seconds = Duration::from_nanos(self.endpoint.config().peer_timeout).as_secs();
        let text = format!(
            "rank {peer} on {host} has not answered for {seconds} s: the network between the hosts \
             is down, or a firewall keeps packets of {} away (`dunlin-info network` shows which \
             ports and interfaces are used)",
            self.sink.fabric.name()
        );
        self.sink.fail(Error::new(ErrorClass::Other, text));
    }

    /// The error after which the network cannot be used, reported once.
    pub fn failure(&mut self) -> Option<Error> {
        self.sink.failure.take()
    }

    /// What the fabric has to tell the user, once.
    pub fn notice(&mut self) -> Option<String> {
        self.sink.fabric.notice()
    }

    /// Whether no send waits in this process.
    pub fn is_flushed(&self) -> bool {
        self.endpoint.is_flushed()
    }

    /// Whether no work is left for the progress thread: nothing queued, nothing unacknowledged, no
    /// acknowledgement owed. True after a failure, too.
    pub fn is_at_rest(&self) -> bool {
        let Net { endpoint, sink, .. } = self;
        let rests = endpoint.is_flushed() && endpoint.next_timeout().is_none();
        rests && sink.fabric.is_flushed() || sink.failure.is_some()
    }

    /// Whether rendezvous messages of this process wait for their CTS.
    pub fn awaits_cts(&self) -> bool {
        self.endpoint.awaits_cts()
    }

    /// Tells the peers that this process finalizes; `may_return`: it may begin another session.
    pub fn leave(&mut self, may_return: bool) {
        let now = self.now();
        self.endpoint.leave(now, may_return);
    }

    /// Whether no peer needs this process any more, so that it may end.
    pub fn may_go(&self) -> bool {
        self.endpoint.may_go(self.now())
    }

    /// The process uses MPI again, in another session.
    pub fn come_back(&mut self) {
        self.endpoint.come_back();
    }

    /// The descriptors and the time-out for a rank that sleeps, after `sleeps` that found nothing.
    pub fn fd_sleep(&self, timeout: Duration, sleeps: u32) -> FdSleep {
        let mut fds = Vec::new();
        self.sink.fabric.sleep_fds(&mut |fd| fds.push(fd));
        // No descriptor tells when a fabric has room for queued packets again.
        let waits = match self.endpoint.has_packets() {
            true => doubled(POLL_AFTER, sleeps, POLL_AFTER_MAX),
            false => Duration::MAX,
        };
        let due = self
            .endpoint
            .next_timeout()
            .map_or(Duration::MAX, |at| Duration::from_nanos(at.saturating_sub(self.now())));
        FdSleep { fds, timeout: timeout.min(waits).min(due) }
    }

    /// Updates the performance counters from the endpoint's.
    pub fn count(&self, counters: &Counters) {
        let stats = self.endpoint.stats();
        let counts = [
            (Counter::PacketsSent, stats.sent),
            (Counter::PacketsRetransmitted, stats.retransmitted),
            (Counter::AnswersSent, stats.answers),
            (Counter::PacketsReceived, stats.received),
            (Counter::PacketsDuplicate, stats.duplicates),
            (Counter::PacketsForeign, stats.foreign),
            (Counter::PacketsMalformed, stats.malformed),
            (Counter::PacketsBeyondWindow, stats.beyond),
            (Counter::PacketsStale, stats.stale),
        ];
        counts.into_iter().for_each(|(counter, count)| counters.set(counter, count));
    }

    /// One line with the counters (`DUNLIN_NET_REPORT`), the fabric's own last.
    pub fn report(&self, counters: &Counters) -> String {
        self.count(counters);
        let words = [
            ("packets sent", Counter::PacketsSent),
            ("again", Counter::PacketsRetransmitted),
            ("answers", Counter::AnswersSent),
            ("received", Counter::PacketsReceived),
            ("duplicates", Counter::PacketsDuplicate),
            ("foreign", Counter::PacketsForeign),
            ("malformed", Counter::PacketsMalformed),
            ("beyond the window", Counter::PacketsBeyondWindow),
            ("stale", Counter::PacketsStale),
        ];
        let said = words.map(|(word, counter)| format!("{word} {}", counters.get(counter)));
        let mut text = format!("{}: {}", self.sink.fabric.name(), said.join(", "));
        self.sink.fabric.counters(&mut |name, count| text.push_str(&format!("; {name} {count}")));
        text
    }
}
