//! The network as this process sees it: a fabric that carries packets, and the endpoint that makes
//! messages of them. Only jobs on several nodes have one.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::time::Duration;

use dunlin_base::counters::Counter;
use dunlin_base::settings::Settings;
use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_fabric::choice::Choice;
use dunlin_fabric::{Fabric, Identity, PacketHandler, Peer, Predicted};
use dunlin_seal::{JobKey, Keys, Security, draw_incarnation};
use dunlin_shm::FdSleep;
use dunlin_shm::address::Address;
use dunlin_shm::counters::Counters;
use dunlin_wire::{
    Config, Credentials, Endpoint, Guarantee, MatchHeader, Nanos, PacketSink, RemoteKey, UpperLayer,
};

use crate::net::address_vector::AddressVector;
use crate::net::business_card::BusinessCard;
use crate::net::keep_alive::KeepAlive;
use crate::net::net_clock::NetClock;
use crate::threads::progress_thread;

/// Batches of packets taken before others get their turn.
const BATCHES_PER_TURN: usize = 8;
/// Active-path polls per idle-path poll.
const POLLS_OF_ACTIVE: u32 = 8;
/// So many packets at once, and more may be there.
const FULL_BATCH: usize = 32;
/// A sleeper looks this often whether packets that found no room find some.
const POLL_AFTER: Duration = Duration::from_millis(1);
/// Messages up to this size go in segments unasked; larger ones go by rendezvous, which costs a
/// round trip and saves a copy where the receive is late.
const SEGMENTED_BYTES_MAX: usize = 64 * 1024;
/// The same where long ones go a way of their own: 128 KiB take 30 us, by rendezvous 42.
const SEGMENTED_BYTES_MAX_BULK: usize = 256 * 1024;

/// Messages from this size on are read where the fabric can: below, they go faster in packets than
/// memory is made known to a device.
const READ_BYTES_MIN: usize = SEGMENTED_BYTES_MAX;

/// Bytes of messages that a peer has sent and no receive taken, where long ones go a way of their
/// own. A stream of messages of 64 KiB is ahead of what the receiver has told of by more than the
/// usual 1 MiB; then each is by rendezvous, by two packets more, and 4.4 GB/s become 3.7.
const EAGER_BUDGET_BULK: u32 = 4 << 20;

/// A fabric that was opened, so that others can be told where this process is found.
pub(crate) struct OpenFabric {
    choice: Choice,
    fabric: Box<dyn Fabric>,
    incarnation: u64,
}

impl OpenFabric {
    /// Opens the one of the settings for rank `me`.
    pub fn open(settings: &Settings, me: Rank) -> Result<OpenFabric> {
        let choice = dunlin_fabric::choice::choose(settings)?;
        // The key comes later.
        let fabric = choice.open(Identity::keyless(me, choice.security))?;
        let incarnation = draw_incarnation().map_err(|e| {
            Error::new(ErrorClass::Other, format!("the network cannot be opened: {e}"))
        })?;
        Ok(OpenFabric { choice, fabric, incarnation })
    }

    /// Where this process is found.
    pub fn address(&self) -> Result<Address> {
        let OpenFabric { choice, fabric, incarnation } = self;
        let (security, fabric) = (choice.security, fabric.address());
        let card = BusinessCard { security, incarnation: *incarnation, fabric };
        card.encode().ok_or_else(|| {
            let text = format!("an address of the fabric {} is too long", self.fabric.name());
            Error::new(ErrorClass::Intern, text)
        })
    }
}

/// The network.
pub(crate) struct Net {
    endpoint: Endpoint,
    line: FabricSink,
    ways: PathPoller,
    clock: NetClock,
    /// Messages that peers may read, by their numbers here and in the fabric.
    shown: HashMap<u32, u32>,
}

impl std::fmt::Debug for Net {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Net({})", self.line.fabric.name())
    }
}

/// The fabric, and whom it knows: what packets go through.
struct FabricSink {
    fabric: Box<dyn Fabric>,
    /// Something was, and is to be flushed.
    has_posted: bool,
    address_vector: AddressVector,
    /// How much packets are protected.
    security: Security,
    /// Those of the peers that are connected.
    incarnations: Box<[u64]>,
    connected: Box<[bool]>,
    /// The same on the second way, if there is one.
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
        // What was posted on the first way may tell what comes here.
        if self.has_posted {
            self.flush();
        }
        let is_known = self.bulk_connected[peer as usize] || self.connect(peer, true).is_some();
        is_known && self.fabric.bulk().is_some_and(|bulk| bulk.post_parts(peer, front, data))
    }
}

/// Calls `receive` while that brings many packets. True if it brought any.
fn receive(mut receive: impl FnMut() -> Result<usize>) -> Result<bool> {
    let mut came = false;
    for _ in 0..BATCHES_PER_TURN {
        let packets = receive()?;
        came |= packets > 0;
        // Another look costs a call, and somebody may wait for what has come.
        if packets < FULL_BATCH {
            break;
        }
    }
    Ok(came)
}

/// Who takes what comes by the second way.
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

/// Which of the two ways to look at: a look is a call of the system.
#[derive(Debug, Default)]
struct PathPoller {
    /// The second brought something last.
    is_bulk_hot: bool,
    polls: u32,
}

impl PathPoller {
    /// Whether to look at the first and at the second: always at the one that brought something
    /// last, more rarely at the other.
    fn turn(&mut self, has_bulk: bool) -> (bool, bool) {
        self.polls = self.polls.wrapping_add(1);
        let both = has_bulk && self.polls % POLLS_OF_ACTIVE == 0;
        (both || !self.is_bulk_hot, both || self.is_bulk_hot)
    }

    /// Something came by one of them.
    fn came(&mut self, is_bulk: bool, came: bool) {
        if came {
            self.is_bulk_hot = is_bulk;
        }
    }
}

impl FabricSink {
    /// Peers are looked up at first use. `None` until their address is known.
    #[cold]
    fn connect(&mut self, peer: Rank, is_bulk: bool) -> Option<()> {
        let found = self.address_vector.find(peer);
        let address = found.map_err(|error| self.fail(error)).ok()??;
        let card = BusinessCard::read(&address, peer).and_then(|card| {
            let host = self.address_vector.job_map.host_of(peer as usize);
            card.check(self.security, peer, &host).map(|()| card)
        });
        let card = card.map_err(|error| self.fail(error)).ok()?;
        self.incarnations[peer as usize] = card.incarnation;
        // A fabric gives room for those alone that it is connected with.
        let (fabric, known): (&mut dyn Fabric, _) = match is_bulk {
            true => (self.fabric.bulk()?, &mut self.bulk_connected),
            false => (&mut *self.fabric, &mut self.connected),
        };
        let connected = fabric.connect(peer, card.fabric);
        known[peer as usize] = connected.is_ok();
        connected.map_err(|error| self.fail(error)).ok()
    }

    /// Shows the packets that have come. True if any have.
    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> bool {
        let came = receive(|| self.fabric.receive(take));
        came.unwrap_or_else(|error| {
            self.fail(error);
            false
        })
    }

    /// The same of the second way.
    fn receive_bulk(&mut self, handler: &mut dyn PacketHandler) -> bool {
        let Some(bulk) = self.fabric.bulk() else { return false };
        let came = receive(|| bulk.receive_to(handler));
        came.unwrap_or_else(|error| {
            self.fail(error);
            false
        })
    }

    /// Hands what was posted to the network.
    fn flush(&mut self) {
        self.has_posted = false;
        if let Err(error) = self.fabric.flush() {
            self.fail(error);
        }
    }

    /// The same of what was posted on the second way.
    fn flush_bulk(&mut self) {
        if let Some(Err(error)) = self.fabric.bulk().map(|bulk| bulk.flush()) {
            self.fail(error);
        }
    }

    fn fail(&mut self, error: Error) {
        self.failure.get_or_insert(error);
    }
}

/// How a process takes part in the network.
pub(crate) struct Participation {
    /// This process, by its rank in `MPI_COMM_WORLD`.
    pub me: Rank,
    /// For which packets to it are sealed.
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
            line: FabricSink {
                fabric,
                has_posted: false,
                address_vector,
                security,
                incarnations: vec![0; world].into(),
                connected,
                bulk_connected,
                failure: None,
            },
            ways: PathPoller::default(),
            clock,
            shown: HashMap::new(),
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

    /// Whether parts of a message of so many bytes may be lost, and are sent again then.
    pub fn retransmits(&self, bytes: usize) -> bool {
        let config = self.endpoint.config();
        config.retransmits() && !config.in_bulk(bytes as u64)
    }

    /// Messages between processes.
    pub fn endpoint(&mut self) -> &mut Endpoint {
        &mut self.endpoint
    }

    fn now(&self) -> Nanos {
        self.clock.now()
    }

    /// Lets the peers read the message `send`, if the fabric can do that and it is worth it.
    ///
    /// # Safety
    ///
    /// The data is there until [`Net::deregister`].
    pub unsafe fn register(&mut self, send: u32, data: &[u8]) -> Option<RemoteKey> {
        // What is read in this way is not authenticated and not encrypted.
        if data.len() < READ_BYTES_MIN || self.line.security != Security::Off {
            return None;
        }
        // SAFETY: the caller says so, and who sends a message does not write to it.
        let (number, rkey) = unsafe { self.line.fabric.register(data) }?;
        self.shown.insert(send, number);
        Some(RemoteKey { address: rkey.address, key: rkey.key })
    }

    /// The message `send` has been sent, be it read by the peer or not.
    /// True if it was shown.
    pub fn deregister(&mut self, send: u32) -> bool {
        let number = self.shown.remove(&send);
        number.inspect(|&number| self.line.fabric.deregister(number)).is_some()
    }

    /// Begins to read a message of `peer`. False if that cannot be done.
    ///
    /// # Safety
    ///
    /// `into` is there, and nobody else uses it, until [`Net::reads_done`] tells the end.
    pub unsafe fn read(
        &mut self,
        peer: Rank,
        rkey: RemoteKey,
        into: *mut [u8],
        number: u32,
    ) -> bool {
        if !self.line.connected[peer as usize] && self.line.connect(peer, false).is_none() {
            return false;
        }
        let rkey = dunlin_fabric::RemoteKey { address: rkey.address, key: rkey.key };
        // SAFETY: the caller says so.
        unsafe { self.line.fabric.read(peer, rkey, into, number) }
    }

    /// Tells which reads have ended, and whether all was read.
    pub fn reads_done(&mut self, done: &mut dyn FnMut(u32, bool)) {
        self.line.fabric.reads_done(done);
    }

    /// Takes what has come. True if anything has.
    pub fn receive(&mut self, up: &mut impl UpperLayer) -> bool {
        let Net { endpoint, line, ways, clock, .. } = self;
        // Most looks find nothing, and the time is not needed.
        let time = OnceCell::new();
        let now = || *time.get_or_init(|| clock.now());
        progress_thread::poll();
        let mut came = false;
        let has_bulk = endpoint.config().bulk_bytes_max > 0;
        let (first, second) = ways.turn(has_bulk);
        if first {
            came = line.receive(&mut |packet| endpoint.on_packet(now(), packet, up));
            ways.came(endpoint.awaits_bulk(), came && has_bulk);
        }
        if second {
            let long = line.receive_bulk(&mut BulkHandler { endpoint, now: &now, up });
            ways.came(true, long);
            came |= long;
        }
        if endpoint.next_timeout().is_some() {
            endpoint.on_time(now(), up);
        }
        // Last words are heard first.
        if !came {
            self.notice_departures();
        }
        came
    }

    /// A process that ends well takes leave of its peers before its connections end.
    fn notice_departures(&mut self) {
        let Net { endpoint, line, .. } = self;
        let mut gone = None;
        line.fabric.departed(&mut |peer| {
            if endpoint.expects_farewell(peer) {
                gone = Some(peer);
            }
        });
        let Some(peer) = gone else { return };
        let text = format!(
            "the connection to rank {peer} on {} has ended, but rank {peer} has not called \
             MPI_Finalize: its process is gone, or something between the hosts cuts connections",
            line.address_vector.job_map.host_of(peer as usize)
        );
        line.fail(Error::new(ErrorClass::Other, text));
    }

    /// Sends a message from where it lies, if the second way takes it now in one packet.
    pub fn send_long_now(&mut self, to: Rank, head: MatchHeader, data: &[u8]) -> bool {
        let posted = self.endpoint.send_long_now(to, head, data, &mut self.line);
        if posted {
            self.line.flush_bulk();
        }
        posted
    }

    /// Sends a message that fits into a packet: now, if nothing waits before it.
    pub fn send_whole(
        &mut self,
        to: Rank,
        head: MatchHeader,
        data: &[u8],
        up: &mut impl UpperLayer,
    ) {
        let now = self.now();
        let moved = self.endpoint.send_whole_now(now, to, (head, data), &mut self.line);
        if !moved {
            self.endpoint.send_whole(to, head, data);
        }
        self.transmit_at(now, moved, up);
    }

    /// Sends what may leave. True if anything did.
    pub fn transmit(&mut self, up: &mut impl UpperLayer) -> bool {
        self.endpoint.has_packets() && self.transmit_at(self.now(), false, up)
    }

    /// The same; `moved`: a packet has been written already.
    fn transmit_at(&mut self, now: Nanos, mut moved: bool, up: &mut impl UpperLayer) -> bool {
        if self.endpoint.has_packets() {
            moved |= self.endpoint.transmit(now, &mut self.line, up);
        }
        if moved {
            self.line.flush();
            self.line.flush_bulk();
        }
        moved
    }

    /// A peer does not answer.
    pub fn lost(&mut self, peer: Rank) {
        let host = self.line.address_vector.job_map.host_of(peer as usize);
        let seconds = Duration::from_nanos(self.endpoint.config().peer_timeout).as_secs();
        let text = format!(
            "rank {peer} on {host} has not answered for {seconds} s: the network between the hosts \
             is down, or a firewall keeps packets of {} away (`dunlin-info network` shows which \
             ports and interfaces are used)",
            self.line.fabric.name()
        );
        self.line.fail(Error::new(ErrorClass::Other, text));
    }

    /// What has gone wrong for good, once.
    pub fn failure(&mut self) -> Option<Error> {
        self.line.failure.take()
    }

    /// Whether this process hears of nothing it could do but by a packet or time passing.
    pub fn is_flushed(&self) -> bool {
        self.endpoint.is_flushed()
    }

    /// Whether nothing is left to do for what was sent, nor for what has come: packets wait for no
    /// window, no answer and no connection, and no answer is owed. After a failure nothing helps.
    pub fn is_at_rest(&self) -> bool {
        let Net { endpoint, line, .. } = self;
        let rests = endpoint.is_flushed() && endpoint.next_timeout().is_none();
        rests && line.fabric.is_flushed() || line.failure.is_some()
    }

    /// Whether messages of ours wait until their receivers ask for them.
    pub fn awaits_cts(&self) -> bool {
        self.endpoint.awaits_cts()
    }

    /// Tells the peers that this process leaves MPI.
    pub fn leave(&mut self) {
        let now = self.now();
        self.endpoint.leave(now);
    }

    /// Whether it may go.
    pub fn may_go(&self) -> bool {
        self.endpoint.may_go(self.now())
    }

    /// The process uses MPI again.
    pub fn come_back(&mut self) {
        self.endpoint.come_back();
    }

    /// What tells a sleeper that there is something to do here.
    pub fn fd_sleep(&self, timeout: Duration) -> FdSleep {
        let mut fds = Vec::new();
        self.line.fabric.sleep_fds(&mut |fd| fds.push(fd));
        // Packets for which there is no room may wait for something that has no descriptor.
        let waits = if self.endpoint.has_packets() { POLL_AFTER } else { Duration::MAX };
        let due = self
            .endpoint
            .next_timeout()
            .map_or(Duration::MAX, |at| Duration::from_nanos(at.saturating_sub(self.now())));
        FdSleep { fds, timeout: timeout.min(waits).min(due) }
    }

    /// Brings the counters to where the endpoint is.
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

    /// A line about what has been counted (`DUNLIN_NET_REPORT`), the fabric's own counts last.
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
        let mut text = format!("{}: {}", self.line.fabric.name(), said.join(", "));
        self.line.fabric.counters(&mut |name, count| text.push_str(&format!("; {name} {count}")));
        text
    }
}
