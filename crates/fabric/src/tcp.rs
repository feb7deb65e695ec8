//! Packets sprayed over several TCP connections (*connections*) per pair of processes: reliable,
//! and without order, as EFA's own protocol is. A router or a cloud that limits one connection
//! limits a pair of processes no more.
//!
//! Connections are made at first use, from whichever side uses the other first, and carry packets
//! both ways; if both sides begin at once, all connections stay open for reading and both sides
//! write to those that the lower rank made. Packets that are posted before wait in the connection.

use std::collections::VecDeque;
use std::iter;
use std::net::{Shutdown, SocketAddr, TcpListener};
use std::os::fd::{AsRawFd, RawFd};
use std::time::{Duration, Instant};

use dunlin_base::{Error, Result};
use dunlin_seal::{JobKey, Keys};

use crate::address::{IpAddress, Kind};
use crate::interface_config::{InterfaceConfig, bind};
use crate::packet_handler::{HandlerFn, PacketHandler};
use crate::peers::Peers;
use crate::sys::{self, BATCH, Epoll, Ready, Timer};
use crate::{Capabilities, Fabric, Identity, Peer, failed};

mod connect;
mod connection;
mod segmentation;
mod unauthenticated;

use connection::{Connection, IN_BYTES, PACKET_BYTES_MAX, PREFIX_BYTES, Received, State};
use segmentation::gso_bytes;
use unauthenticated::Unauthenticated;

/// What the watch calls the socket that listens; connections have their numbers.
const LISTENER: u64 = u64::MAX;
/// What the watch calls the timer of the next try.
const TIMER: u64 = u64::MAX - 1;
/// Bytes to one peer in one go before the next connection gets its turn: enough for the kernel to
/// make one large piece of them, and little enough that a message of a few hundred KiB uses all
/// connections. What goes in small portions stays on a connection while that has room: its receiver
/// finds it soonest there.
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
    config: InterfaceConfig,
    address: Vec<u8>,
    packet_bytes_max: usize,
    /// It is one half of a fabric of two.
    shared: bool,
    listener: TcpListener,
    epoll: Epoll,
    timer: Timer,
    peers: Peers<PeerState>,
    /// By number; none where one was given up.
    connections: Vec<Option<Connection>>,
    unauthenticated: Unauthenticated,
    /// Connections that rest until their next try.
    resting: usize,
    /// Connections in which something waits and which the kernel is not asked about.
    dirty: Vec<u32>,
    /// Connections in which something waits for the kernel, or for the connection.
    waiting: Vec<u32>,
    /// The connection that brought packets last.
    hot: Option<u32>,
    /// Connections of which the kernel has told and that may have something to do.
    told: VecDeque<u32>,
    memory: Box<[u8]>,
    /// Peers that a connection has ended with.
    departed: Vec<Peer>,
    /// Told by the next `flush` or `receive`.
    failure: Option<Error>,
    counts: Counts,
}

/// What is known of a peer.
struct PeerState {
    rank: Peer,
    /// Where it listens, once we were told.
    address: Option<SocketAddr>,
    /// All connections to it.
    connections: Vec<u32>,
    /// Those that packets are given to.
    sending: Vec<u32>,
    /// The place in `sending` that has its turn.
    turn: usize,
    /// Bytes given to it in this turn.
    turn_bytes: usize,
    /// How it can be reached no more, once all connections are lost; before, how one was.
    lost: Option<Gone>,
}

impl PeerState {
    fn gone(&self) -> Option<&Gone> {
        self.lost.as_ref().filter(|_| self.connections.is_empty())
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
    pub fn open(identity: Identity, config: InterfaceConfig) -> Result<Tcp> {
        let cannot = |e: std::io::Error| failed(format!("cannot set up a TCP socket: {e}"));
        let listener = bind(&config, identity.rank as usize, TcpListener::bind)?;
        listener.set_nonblocking(true).map_err(cannot)?;
        let fd = listener.as_raw_fd();
        sys::set_backlog(fd, BACKLOG).map_err(cannot)?;
        let (epoll, timer) = (Epoll::new().map_err(cannot)?, Timer::new().map_err(cannot)?);
        epoll.add(fd, LISTENER, false).map_err(cannot)?;
        epoll.add(timer.as_raw_fd(), TIMER, false).map_err(cannot)?;
        let sealed_bytes = PREFIX_BYTES + identity.security.trailer_bytes();
        let packet_bytes_max = gso_bytes(config.mtu_min(), config.is_six()) - sealed_bytes;
        let address = IpAddress {
            kind: Kind::Tcp,
            port: listener.local_addr().map_err(cannot)?.port(),
            packet_bytes_max: packet_bytes_max as u16,
            second_port: 0,
            ifaddrs: config.ifaddrs(),
        };
        Ok(Tcp {
            keys: Keys::new(&identity.key, identity.security),
            identity,
            address: address.encode(),
            packet_bytes_max,
            shared: false,
            config,
            listener,
            epoll,
            timer,
            peers: Peers::new(),
            connections: Vec::new(),
            unauthenticated: Unauthenticated::default(),
            resting: 0,
            dirty: Vec::new(),
            waiting: Vec::new(),
            hot: None,
            told: VecDeque::new(),
            memory: vec![0; IN_BYTES].into_boxed_slice(),
            departed: Vec::new(),
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

    /// Whether there are connections to peers, or were some.
    pub(crate) fn has_connections(&self) -> bool {
        !self.connections.is_empty()
    }

    fn connection(&mut self, number: u32) -> &mut Connection {
        self.connections[number as usize].as_mut().expect("a connection that was not given up")
    }

    /// Writes what waits in a connection; what the kernel does not take waits for the watch.
    fn send_connection(&mut self, number: u32) -> Result<()> {
        let Some(connection) = &mut self.connections[number as usize] else { return Ok(()) };
        connection.dirty = false;
        if connection.state != State::Ready {
            self.note_waiting(number);
            return Ok(());
        }
        match connection.send() {
            Ok(all) => {
                self.note_waiting(number);
                self.counts.busy += u64::from(!all);
                self.watch_connection(number, !all)
            }
            // The other side had announced its end before: nobody wants what waited for it.
            Err(e) if e.raw_os_error() == Some(libc::EPIPE) => {
                self.forget(number, Gone::Left);
                Ok(())
            }
            Err(e) => self.lose(number, &e.to_string(), true),
        }
    }

    /// Notes whether something waits in a connection.
    fn note_waiting(&mut self, number: u32) {
        let waits = self.connections[number as usize].as_ref().is_some_and(Connection::has_out);
        if waits && !self.waiting.contains(&number) {
            self.waiting.push(number);
        } else if !waits && !self.waiting.is_empty() {
            self.waiting.retain(|&waiting| waiting != number);
        }
    }

    /// Whether the kernel tells when the connection can be written to.
    fn watch_connection(&mut self, number: u32, write: bool) -> Result<()> {
        match self.connection(number).watched == write {
            true => Ok(()),
            false => self.arm_connection(number, write),
        }
    }

    /// The kernel tells once of what a connection has and of what comes. To ask it costs less than
    /// to try to read, and does not keep it from bringing more.
    fn arm_connection(&mut self, number: u32, write: bool) -> Result<()> {
        let connection =
            self.connections[number as usize].as_mut().expect("a connection that is there");
        let Some(stream) = &connection.stream else { return Ok(()) };
        connection.watched = write;
        let armed = self.epoll.arm(stream.as_raw_fd(), u64::from(number), write);
        armed.map_err(|e| failed(format!("cannot watch a TCP socket: {e}")))
    }

    /// Reads a connection that is ready; the number of packets.
    fn read_connection(&mut self, number: u32, handler: &mut dyn PacketHandler) -> Result<usize> {
        let Some(connection) = &mut self.connections[number as usize] else { return Ok(0) };
        let peer = connection.peer.map(|index| self.peers.at(index).rank);
        match connection.receive(peer, &mut self.memory, handler) {
            Ok(Some(Received { packets, has_more })) => {
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
            Ok(None) if connection.has_partial() => {
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
    fn look(&mut self, handler: &mut dyn PacketHandler) -> Result<usize> {
        let mut ready = [Ready::default(); BATCH];
        let count = match self.epoll.ready(&mut ready) {
            Ok(count) => count,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => 0,
            Err(e) => return Err(failed(format!("cannot watch the TCP sockets: {e}"))),
        };
        let ready = &ready[..count];
        // Of a connection we are not told again, so an error meanwhile must not lose it; and its
        // end is read after what stands before it.
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
            packets += self.serve(number, handler)?;
        }
        Ok(packets)
    }

    /// Does what a connection has to do.
    fn serve(&mut self, number: u32, handler: &mut dyn PacketHandler) -> Result<usize> {
        let Some(connection) = &self.connections[number as usize] else { return Ok(0) };
        match connection.state {
            State::Resting(_) => Ok(0),
            State::Connecting => self.connected(number).map(|()| 0),
            State::Greeting => self.greeted(number).map(|()| 0),
            State::Ready => {
                if connection.watched {
                    self.send_connection(number)?;
                }
                self.read_connection(number, handler)
            }
        }
    }

    /// The connection that takes the next packet to a peer: the one whose turn it is while its turn
    /// lasts and it has room, else the next that has.
    fn choose(&mut self, index: u32) -> Option<u32> {
        let turn_bytes_max = self.turn_bytes_max();
        let peer = self.peers.at_mut(index);
        let count = peer.sending.len();
        if count == 0 {
            return None;
        }
        if peer.turn_bytes >= turn_bytes_max {
            (peer.turn, peer.turn_bytes) = ((peer.turn + 1) % count, 0);
        }
        let first = peer.turn;
        for step in 0..count {
            let turn = (first + step) % count;
            let number = self.peers.at(index).sending[turn];
            if self.connection(number).space().is_none() {
                if let Err(e) = self.send_connection(number) {
                    self.failure = Some(e);
                    return None;
                }
            }
            let Some(connection) = &mut self.connections[number as usize] else { return None };
            if connection.space().is_some() {
                let peer = self.peers.at_mut(index);
                if step > 0 {
                    (peer.turn, peer.turn_bytes) = (turn, 0);
                }
                return Some(number);
            }
        }
        None
    }

    /// Answers to a peer go by the connection that brought its packets, between turns: the
    /// confirmation that TCP owes goes with them, and both sides look where something comes.
    fn answer_by(&mut self, number: u32) {
        let Some(index) =
            self.connections[number as usize].as_ref().and_then(|connection| connection.peer)
        else {
            return;
        };
        let peer = self.peers.at_mut(index);
        let turn = peer.sending.iter().position(|&connection| connection == number);
        if let (Some(turn), 0) = (turn, peer.turn_bytes) {
            peer.turn = turn;
        }
    }

    /// A portion has been handed over; a small one does not count towards the connection's turn.
    fn end_portion(&mut self, number: u32) {
        let Some(index) =
            self.connections[number as usize].as_ref().and_then(|connection| connection.peer)
        else {
            return;
        };
        let turn_bytes_max = self.turn_bytes_max();
        let peer = self.peers.at_mut(index);
        if peer.turn_bytes < turn_bytes_max {
            peer.turn_bytes = 0;
        }
    }

    /// Bytes to one peer in one go before the next connection gets its turn.
    fn turn_bytes_max(&self) -> usize {
        if self.shared { TURN_BYTES_SHARED } else { TURN_BYTES }
    }

    /// A connection has taken a packet.
    fn note_posted(&mut self, number: u32) {
        let connection = self.connection(number);
        let waits = connection.dirty || connection.watched;
        connection.dirty = true;
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

    fn capabilities(&self) -> Capabilities {
        let packet_bytes_max = self.packet_bytes_max;
        Capabilities {
            reliable: true,
            authenticated: true,
            ordered: false,
            packet_bytes_max,
            remote_read: false,
            remote_write: false,
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
        let kind = if self.shared { Kind::UdpTcp } else { Kind::Tcp };
        let mut address = IpAddress::decode(address, kind)?;
        if self.shared {
            address.port = address.second_port;
        }
        let address = address.reached_from(&self.config.ifaddrs());
        self.begin(peer, address)
    }

    fn space(&mut self, peer: Peer) -> Option<&mut [u8]> {
        let index = self.peers.index(peer).expect("a peer that was connected");
        match self.peers.at(index).gone() {
            None => {}
            Some(Gone::Left) => return Some(&mut self.memory[..PACKET_BYTES_MAX]),
            Some(Gone::Cut(why)) => {
                self.failure = Some(failed(format!("rank {peer} cannot be reached: {why}")));
                return None;
            }
        }
        let number = self.choose(index)?;
        self.connection(number).space()
    }

    fn post(&mut self, peer: Peer, len: usize) {
        let index = self.peers.index(peer).expect("a peer that was connected");
        let peer = self.peers.at_mut(index);
        if peer.gone().is_some() {
            self.counts.unwanted += 1;
            return;
        }
        peer.turn_bytes += len;
        let number = peer.sending[peer.turn];
        self.connection(number).post(len);
        self.note_posted(number);
    }

    fn post_parts(&mut self, peer: Peer, front: &[u8], data: &[u8]) -> bool {
        // Whatever `space` has to say of the peer, and of room; then the connection's turn is
        // chosen.
        if self.space(peer).is_none() {
            return false;
        }
        let index = self.peers.index(peer).expect("a peer that was connected");
        let peer = self.peers.at_mut(index);
        if peer.gone().is_some() {
            self.counts.unwanted += 1;
            return true;
        }
        peer.turn_bytes += front.len() + data.len();
        let number = peer.sending[peer.turn];
        self.connection(number).post_parts(front, data);
        self.note_posted(number);
        true
    }

    fn flush(&mut self) -> Result<()> {
        self.check()?;
        while let Some(number) = self.dirty.pop() {
            self.send_connection(number)?;
            self.end_portion(number);
        }
        Ok(())
    }

    fn is_flushed(&self) -> bool {
        self.dirty.is_empty() && self.waiting.is_empty()
    }

    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        self.receive_to(&mut HandlerFn(take))
    }

    fn receive_to(&mut self, handler: &mut dyn PacketHandler) -> Result<usize> {
        self.check()?;
        self.look(handler)
    }

    fn departed(&mut self, each: &mut dyn FnMut(Peer)) {
        self.departed.drain(..).for_each(each);
    }

    fn sleep_fds(&self, each: &mut dyn FnMut(RawFd)) {
        each(self.epoll.as_raw_fd());
    }

    fn counters(&self, each: &mut dyn FnMut(&'static str, u64)) {
        let counts = &self.counts;
        each("packets sent", counts.sent);
        each("packets received", counts.received);
        each("times a connection was full", counts.busy);
        each("connections", counts.connections);
        each("connections tried again", counts.retries);
        each("unauthenticated connections refused", self.unauthenticated.turned_away);
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
            for connection in self.connections.iter_mut().flatten() {
                busy |= connection.state == State::Ready && is_busy(connection, &mut self.memory);
            }
            if !busy {
                return;
            }
            std::thread::sleep(LINGER_STEP);
        }
    }
}

/// Whether a connection that is to be closed has something on its way.
fn is_busy(connection: &mut Connection, memory: &mut [u8]) -> bool {
    let Ok(all) = connection.send() else { return false };
    loop {
        match connection.receive(None, memory, &mut HandlerFn(&mut |_| {})) {
            Ok(Some(Received { packets: 1.., .. })) => {}
            Ok(_) => break,
            // The other side is no more.
            Err(_) => {
                connection.stream = None;
                return false;
            }
        }
    }
    let Some(stream) = &connection.stream else { return false };
    if all {
        let _ = stream.shutdown(Shutdown::Write);
    }
    !all || sys::unconfirmed(stream.as_raw_fd()).is_ok_and(|bytes| bytes > 0)
}

#[cfg(test)]
#[path = "tcp/tests.rs"]
mod tests;
