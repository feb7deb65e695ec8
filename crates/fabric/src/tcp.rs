//! Packets sprayed over several TCP connections (*lanes*) per pair of processes: reliable, and
//! without order, as EFA's own protocol is. A router or a cloud that limits one connection limits
//! a pair of processes no more.
//!
//! Connections are made at first use, from whichever side uses the other first, and carry packets
//! both ways; if both sides begin at once, all connections stay open for reading and both sides
//! write to those that the lower rank made. Packets that are posted before wait in the lane.

use std::collections::VecDeque;
use std::iter;
use std::net::{Shutdown, SocketAddr, TcpListener};
use std::os::fd::{AsRawFd, RawFd};
use std::time::{Duration, Instant};

use dunlin_base::{Error, Result};
use dunlin_seal::{JobKey, Keys};

use crate::address::{IpAddress, Kind};
use crate::ground::{Ground, bind};
use crate::peers::Peers;
use crate::sys::{self, BATCH, Ready, Timer, Watch};
use crate::taker::{AsTheyCome, Taker};
use crate::{Fabric, Identity, Peer, Shape, failed};

mod joining;
mod lane;
mod pieces;
mod strangers;

use lane::{Come, IN_BYTES, Lane, PACKET_BYTES_MAX, PREFIX_BYTES, State};
use pieces::piece_bytes;
use strangers::Strangers;

/// What the watch calls the socket that listens; lanes have their numbers.
const LISTENER: u64 = u64::MAX;
/// What the watch calls the timer of the next try.
const TIMER: u64 = u64::MAX - 1;
/// Bytes to one peer in one go before the next lane gets its turn: enough for the kernel to make
/// one large piece of them, and little enough that a message of a few hundred KiB uses all lanes.
/// What goes in small portions stays on a lane while that has room: its receiver finds it soonest
/// there.
const TURN_BYTES: usize = 32 << 10;
/// The same where only long messages come, in large portions.
const TURN_BYTES_SHARED: usize = 128 << 10;
/// Connections the kernel keeps for us until we take them: thousands of ranks may begin at once.
const BACKLOG: i32 = 4096;
/// Who drops a fabric waits this long for the other side's kernel to have everything.
const LINGER: Duration = Duration::from_secs(5);
/// Between looks meanwhile.
const LINGER_STEP: Duration = Duration::from_micros(100);

/// The fabric.
pub struct Tcp {
    identity: Identity,
    /// What the job's key gives.
    keys: Keys,
    ground: Ground,
    address: Vec<u8>,
    packet_bytes_max: usize,
    /// It is one half of a fabric of two.
    shared: bool,
    listener: TcpListener,
    watch: Watch,
    timer: Timer,
    parties: Peers<Party>,
    /// By number; none where one was given up.
    lanes: Vec<Option<Lane>>,
    strangers: Strangers,
    /// Lanes that rest until their next try.
    resting: usize,
    /// Lanes in which something waits and which the kernel is not asked about.
    dirty: Vec<u32>,
    /// Lanes in which something waits for the kernel, or for the connection.
    waiting: Vec<u32>,
    /// The lane that brought packets last.
    hot: Option<u32>,
    /// Lanes of which the kernel has told and that may have something to do.
    told: VecDeque<u32>,
    memory: Box<[u8]>,
    /// Told by the next `flush` or `receive`.
    failure: Option<Error>,
    counts: Counts,
}

/// What is known of a peer.
struct Party {
    rank: Peer,
    /// Where it listens, once we were told.
    address: Option<SocketAddr>,
    /// All lanes to it.
    lanes: Vec<u32>,
    /// Those that packets are given to.
    sending: Vec<u32>,
    /// The place in `sending` that has its turn.
    turn: usize,
    /// Bytes given to it in this turn.
    turn_bytes: usize,
    /// How it can be reached no more, once all lanes are lost; before, how one was.
    lost: Option<Gone>,
}

impl Party {
    fn gone(&self) -> Option<&Gone> {
        self.lost.as_ref().filter(|_| self.lanes.is_empty())
    }
}

/// How a peer has gone.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Gone {
    /// It has closed its connections: whatever it is still told it does not want to hear.
    Left,
    /// A connection was cut, for this reason.
    Cut(String),
}

#[derive(Default)]
struct Counts {
    sent: u64,
    received: u64,
    busy: u64,
    connections: u64,
    retries: u64,
    unwanted: u64,
}

impl Tcp {
    /// Opens the socket that listens.
    pub fn open(identity: Identity, ground: Ground) -> Result<Tcp> {
        let cannot = |e: std::io::Error| failed(format!("cannot set up a TCP socket: {e}"));
        let listener = bind(&ground, identity.rank as usize, TcpListener::bind)?;
        listener.set_nonblocking(true).map_err(cannot)?;
        let fd = listener.as_raw_fd();
        sys::set_backlog(fd, BACKLOG).map_err(cannot)?;
        let (watch, timer) = (Watch::new().map_err(cannot)?, Timer::new().map_err(cannot)?);
        watch.add(fd, LISTENER, false).map_err(cannot)?;
        watch.add(timer.as_raw_fd(), TIMER, false).map_err(cannot)?;
        let sealed_bytes = PREFIX_BYTES + identity.security.trailer_bytes();
        let packet_bytes_max = piece_bytes(ground.mtu_min(), ground.is_six()) - sealed_bytes;
        let address = IpAddress {
            kind: Kind::Tcp,
            port: listener.local_addr().map_err(cannot)?.port(),
            packet_bytes_max: packet_bytes_max as u16,
            second_port: 0,
            places: ground.places(),
        };
        Ok(Tcp {
            keys: Keys::new(&identity.key, identity.security),
            identity,
            address: address.encode(),
            packet_bytes_max,
            shared: false,
            ground,
            listener,
            watch,
            timer,
            parties: Peers::new(),
            lanes: Vec::new(),
            strangers: Strangers::default(),
            resting: 0,
            dirty: Vec::new(),
            waiting: Vec::new(),
            hot: None,
            told: VecDeque::new(),
            memory: vec![0; IN_BYTES].into_boxed_slice(),
            failure: None,
            counts: Counts::default(),
        })
    }

    /// Becomes one half of a fabric of two; the port it listens at.
    pub(crate) fn share(&mut self) -> Result<u16> {
        self.shared = true;
        let address = self.listener.local_addr();
        address.map(|a| a.port()).map_err(|e| failed(format!("cannot look at a TCP socket: {e}")))
    }

    fn lane(&mut self, number: u32) -> &mut Lane {
        self.lanes[number as usize].as_mut().expect("a lane that was not given up")
    }

    /// Writes what waits in a lane; what the kernel does not take waits for the watch.
    fn send_lane(&mut self, number: u32) -> Result<()> {
        let Some(lane) = &mut self.lanes[number as usize] else { return Ok(()) };
        lane.dirty = false;
        if lane.state != State::Ready {
            self.note_waiting(number);
            return Ok(());
        }
        match lane.send() {
            Ok(all) => {
                self.note_waiting(number);
                self.counts.busy += u64::from(!all);
                self.watch_lane(number, !all)
            }
            // The other side had said goodbye before: what waited for it nobody wants.
            Err(e) if e.raw_os_error() == Some(libc::EPIPE) => {
                self.forget(number, Gone::Left);
                Ok(())
            }
            Err(e) => self.lose(number, &e.to_string(), true),
        }
    }

    /// Notes whether something waits in a lane.
    fn note_waiting(&mut self, number: u32) {
        let waits = self.lanes[number as usize].as_ref().is_some_and(Lane::has_out);
        if waits && !self.waiting.contains(&number) {
            self.waiting.push(number);
        } else if !waits && !self.waiting.is_empty() {
            self.waiting.retain(|&waiting| waiting != number);
        }
    }

    /// Whether the kernel tells when the lane can be written to.
    fn watch_lane(&mut self, number: u32, write: bool) -> Result<()> {
        match self.lane(number).watched == write {
            true => Ok(()),
            false => self.arm_lane(number, write),
        }
    }

    /// The kernel tells once of what a lane has and of what comes. To ask it costs less than to
    /// try to read, and does not keep it from bringing more.
    fn arm_lane(&mut self, number: u32, write: bool) -> Result<()> {
        let lane = self.lanes[number as usize].as_mut().expect("a lane that is there");
        let Some(stream) = &lane.stream else { return Ok(()) };
        lane.watched = write;
        let armed = self.watch.arm(stream.as_raw_fd(), u64::from(number), write);
        armed.map_err(|e| failed(format!("cannot watch a TCP socket: {e}")))
    }

    /// Reads a lane that is ready; the number of packets.
    fn read_lane(&mut self, number: u32, taker: &mut dyn Taker) -> Result<usize> {
        let Some(lane) = &mut self.lanes[number as usize] else { return Ok(0) };
        let peer = lane.party.map(|place| self.parties.at(place).rank);
        match lane.receive(peer, &mut self.memory, taker) {
            Ok(Some(Come { packets, has_more })) => {
                if has_more {
                    self.told.push_back(number);
                }
                self.counts.received += packets as u64;
                if packets > 0 && self.hot != Some(number) {
                    self.hot = Some(number);
                    self.answer_by(number);
                }
                Ok(packets)
            }
            Ok(None) if lane.has_partial() => {
                self.lose(number, "it has closed the connection", true).map(|()| 0)
            }
            Ok(None) => {
                self.forget(number, Gone::Left);
                Ok(0)
            }
            Err(e) => {
                let broken = e.raw_os_error() != Some(libc::ECONNRESET);
                self.lose(number, &e.to_string(), broken).map(|()| 0)
            }
        }
    }

    /// Asks the kernel which connections have something to do, and does it.
    fn look(&mut self, taker: &mut dyn Taker) -> Result<usize> {
        let mut ready = [Ready::default(); BATCH];
        let count = match self.watch.ready(&mut ready) {
            Ok(count) => count,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => 0,
            Err(e) => return Err(failed(format!("cannot watch the TCP sockets: {e}"))),
        };
        let ready = &ready[..count];
        // Of a lane we are not told again, so an error meanwhile must not lose it; and its end is
        // read after what stands before it.
        for told in ready.iter().filter(|told| told.word < TIMER) {
            let reads = 1 + usize::from(told.has_end);
            self.told.extend(iter::repeat_n(told.word as u32, reads));
        }
        if ready.iter().any(|told| told.word == LISTENER) {
            self.accept()?;
        }
        if ready.iter().any(|told| told.word == TIMER) {
            self.retry()?;
        }
        let mut packets = 0;
        for _ in 0..self.told.len() {
            let Some(number) = self.told.pop_front() else { break };
            packets += self.serve(number, taker)?;
        }
        Ok(packets)
    }

    /// Does what a lane has to do.
    fn serve(&mut self, number: u32, taker: &mut dyn Taker) -> Result<usize> {
        let Some(lane) = &self.lanes[number as usize] else { return Ok(0) };
        match lane.state {
            State::Resting(_) => Ok(0),
            State::Connecting => self.connected(number).map(|()| 0),
            State::Greeting => self.greeted(number).map(|()| 0),
            State::Ready => {
                if lane.watched {
                    self.send_lane(number)?;
                }
                self.read_lane(number, taker)
            }
        }
    }

    /// The lane that takes the next packet to a peer: the one whose turn it is while its turn lasts
    /// and it has room, else the next that has.
    fn choose(&mut self, place: u32) -> Option<u32> {
        let turn_bytes_max = self.turn_bytes_max();
        let party = self.parties.at_mut(place);
        let count = party.sending.len();
        if count == 0 {
            return None;
        }
        if party.turn_bytes >= turn_bytes_max {
            (party.turn, party.turn_bytes) = ((party.turn + 1) % count, 0);
        }
        let first = party.turn;
        for step in 0..count {
            let turn = (first + step) % count;
            let number = self.parties.at(place).sending[turn];
            if self.lane(number).space().is_none() {
                if let Err(e) = self.send_lane(number) {
                    self.failure = Some(e);
                    return None;
                }
            }
            let Some(lane) = &mut self.lanes[number as usize] else { return None };
            if lane.space().is_some() {
                let party = self.parties.at_mut(place);
                if step > 0 {
                    (party.turn, party.turn_bytes) = (turn, 0);
                }
                return Some(number);
            }
        }
        None
    }

    /// Answers to a peer go by the lane that brought its packets, between turns: the confirmation
    /// that TCP owes goes with them, and both sides look where something comes.
    fn answer_by(&mut self, number: u32) {
        let Some(place) = self.lanes[number as usize].as_ref().and_then(|lane| lane.party) else {
            return;
        };
        let party = self.parties.at_mut(place);
        let turn = party.sending.iter().position(|&lane| lane == number);
        if let (Some(turn), 0) = (turn, party.turn_bytes) {
            party.turn = turn;
        }
    }

    /// A portion has been handed over; a small one does not count towards the lane's turn.
    fn end_portion(&mut self, number: u32) {
        let Some(place) = self.lanes[number as usize].as_ref().and_then(|lane| lane.party) else {
            return;
        };
        let turn_bytes_max = self.turn_bytes_max();
        let party = self.parties.at_mut(place);
        if party.turn_bytes < turn_bytes_max {
            party.turn_bytes = 0;
        }
    }

    /// Bytes to one peer in one go before the next lane gets its turn.
    fn turn_bytes_max(&self) -> usize {
        if self.shared { TURN_BYTES_SHARED } else { TURN_BYTES }
    }

    /// A lane has taken a packet.
    fn note_posted(&mut self, number: u32) {
        let lane = self.lane(number);
        let waits = lane.dirty || lane.watched;
        lane.dirty = true;
        if waits {
            self.note_waiting(number);
        } else {
            self.dirty.push(number);
        }
        self.counts.sent += 1;
    }

    /// Reports what could not be told when it happened.
    fn check(&mut self) -> Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }
}

impl Fabric for Tcp {
    fn name(&self) -> &'static str {
        "tcp"
    }

    fn shape(&self) -> Shape {
        let packet_bytes_max = self.packet_bytes_max;
        Shape {
            reliable: true,
            authenticated: true,
            ordered: false,
            packet_bytes_max,
            remote_read: false,
        }
    }

    fn set_key(&mut self, key: JobKey) {
        self.identity.key = key;
        self.keys = Keys::new(&key, self.identity.security);
    }

    fn address(&self) -> &[u8] {
        &self.address
    }

    fn connect(&mut self, peer: Peer, address: &[u8]) -> Result<()> {
        let kind = if self.shared { Kind::Both } else { Kind::Tcp };
        let mut address = IpAddress::decode(address, kind)?;
        if self.shared {
            address.port = address.second_port;
        }
        let address = address.reached_from(&self.ground.places());
        self.begin(peer, address)
    }

    fn space(&mut self, peer: Peer) -> Option<&mut [u8]> {
        let place = self.parties.place(peer).expect("a peer that was connected");
        match self.parties.at(place).gone() {
            None => {}
            Some(Gone::Left) => return Some(&mut self.memory[..PACKET_BYTES_MAX]),
            Some(Gone::Cut(why)) => {
                self.failure = Some(failed(format!("rank {peer} cannot be reached: {why}")));
                return None;
            }
        }
        let number = self.choose(place)?;
        self.lane(number).space()
    }

    fn post(&mut self, peer: Peer, len: usize) {
        let place = self.parties.place(peer).expect("a peer that was connected");
        let party = self.parties.at_mut(place);
        if party.gone().is_some() {
            self.counts.unwanted += 1;
            return;
        }
        party.turn_bytes += len;
        let number = party.sending[party.turn];
        self.lane(number).post(len);
        self.note_posted(number);
    }

    fn post_parts(&mut self, peer: Peer, front: &[u8], data: &[u8]) -> bool {
        // Whatever `space` has to say of the peer, and of room; then the lane's turn is chosen.
        if self.space(peer).is_none() {
            return false;
        }
        let place = self.parties.place(peer).expect("a peer that was connected");
        let party = self.parties.at_mut(place);
        if party.gone().is_some() {
            self.counts.unwanted += 1;
            return true;
        }
        party.turn_bytes += front.len() + data.len();
        let number = party.sending[party.turn];
        self.lane(number).post_parts(front, data);
        self.note_posted(number);
        true
    }

    fn flush(&mut self) -> Result<()> {
        self.check()?;
        while let Some(number) = self.dirty.pop() {
            self.send_lane(number)?;
            self.end_portion(number);
        }
        Ok(())
    }

    fn is_flushed(&self) -> bool {
        self.dirty.is_empty() && self.waiting.is_empty()
    }

    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        self.receive_to(&mut AsTheyCome(take))
    }

    fn receive_to(&mut self, taker: &mut dyn Taker) -> Result<usize> {
        self.check()?;
        self.look(taker)
    }

    fn sleep_fds(&self, each: &mut dyn FnMut(RawFd)) {
        each(self.watch.as_raw_fd());
    }

    fn counters(&self, each: &mut dyn FnMut(&'static str, u64)) {
        let counts = &self.counts;
        each("packets sent", counts.sent);
        each("packets received", counts.received);
        each("times a connection was full", counts.busy);
        each("connections", counts.connections);
        each("connections tried again", counts.retries);
        each("strangers turned away", self.strangers.turned_away);
        each("packets to peers that had left", counts.unwanted);
    }
}

impl Drop for Tcp {
    /// A connection that is closed with something to read loses what it has still to send. So who
    /// leaves says so, reads what is there and waits until the other sides' kernels have
    /// everything, but not for ever.
    fn drop(&mut self) {
        let begin = Instant::now();
        while begin.elapsed() < LINGER {
            let mut busy = false;
            for lane in self.lanes.iter_mut().flatten() {
                busy |= lane.state == State::Ready && is_busy(lane, &mut self.memory);
            }
            if !busy {
                return;
            }
            std::thread::sleep(LINGER_STEP);
        }
    }
}

/// Whether a lane that is to be closed has something on its way.
fn is_busy(lane: &mut Lane, memory: &mut [u8]) -> bool {
    let Ok(all) = lane.send() else { return false };
    loop {
        match lane.receive(None, memory, &mut AsTheyCome(&mut |_| {})) {
            Ok(Some(Come { packets: 1.., .. })) => {}
            Ok(_) => break,
            // The other side is no more.
            Err(_) => {
                lane.stream = None;
                return false;
            }
        }
    }
    let Some(stream) = &lane.stream else { return false };
    if all {
        let _ = stream.shutdown(Shutdown::Write);
    }
    !all || sys::unconfirmed(stream.as_raw_fd()).is_ok_and(|bytes| bytes > 0)
}

#[cfg(test)]
#[path = "tcp/tests.rs"]
mod tests;
