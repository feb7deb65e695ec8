//! The life of connections: made, accepted, authenticated, tried again, lost.

use std::io::{self, ErrorKind, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use dunlin_base::Result;
use dunlin_seal::{Ends, Hello, PROOF_BYTES, Session};

use super::connection::{Connection, Handshake, State};
use super::{Gone, PeerState, Tcp};
use crate::{Peer, failed, sys};

/// Connections with one peer.
const CONNECTIONS_MAX: usize = 128;
/// Once connections take this fraction of the descriptors that a process may have, a peer gets only
/// one: with 4,096 of them, 1,023 peers have 1,791 connections.
const DESCRIPTORS_SHARE: usize = 4;
/// Until a connection that failed is tried again.
const RETRY_AFTER: Duration = Duration::from_millis(20);
/// Parts of the time after which a peer is lost at which an idle connection is probed.
const PROBES: u32 = 4;

impl Tcp {
    /// Connects to a peer that has not connected to us.
    pub(super) fn begin(&mut self, peer: Peer, address: SocketAddr) -> Result<()> {
        let index = self.peer(peer);
        self.peers.at_mut(index).address = Some(address);
        if !self.peers.at(index).connections.is_empty() {
            return Ok(());
        }
        let trailer_bytes = self.identity.security.trailer_bytes();
        let is_short = self.connections.len() >= sys::descriptors_max() / DESCRIPTORS_SHARE;
        let flows = if is_short { 1 } else { self.config.flows.max(1) };
        for _ in 0..flows {
            let mut connection = Connection::new(None, State::Connecting, Instant::now());
            connection.allocate(trailer_bytes);
            (connection.peer, connection.ours) = (Some(index), true);
            let number = self.keep(connection);
            self.peers.at_mut(index).connections.push(number);
            self.try_connect(number)?;
        }
        self.choose_sending(index);
        Ok(())
    }

    /// The index of a peer, which is created if there is none.
    fn peer(&mut self, rank: Peer) -> u32 {
        if let Some(index) = self.peers.index(rank) {
            return index;
        }
        // Both sides may have begun.
        let room = || Vec::with_capacity(2 * self.config.flows);
        let (connections, sending) = (room(), room());
        let peer = PeerState {
            rank,
            address: None,
            connections,
            sending,
            turn: 0,
            turn_bytes: 0,
            lost: None,
        };
        self.peers.set(rank, peer);
        self.peers.index(rank).expect("it was just set")
    }

    /// Gives a connection its number.
    pub(super) fn keep(&mut self, connection: Connection) -> u32 {
        let number = match self.connections.iter().position(Option::is_none) {
            Some(free) => free,
            None => {
                self.connections.push(None);
                self.connections.len() - 1
            }
        };
        self.connections[number] = Some(connection);
        // Each connection is there at most once.
        self.dirty.reserve(self.connections.len() - self.dirty.len());
        number as u32
    }

    fn try_connect(&mut self, number: u32) -> Result<()> {
        let index = self.connection(number).peer.expect("a connection of ours has a peer");
        let address = self.peers.at(index).address.expect("we were told where it is");
        match sys::begin_connect(address).and_then(|stream| self.set_up(number, stream)) {
            Ok(()) => {
                self.connection(number).state = State::Connecting;
                self.watch_connection(number, true)
            }
            Err(e) => self.lose(number, &e.to_string(), true),
        }
    }

    /// Gives a connection its stream.
    pub(super) fn set_up(&mut self, number: u32, stream: TcpStream) -> io::Result<()> {
        let fd = stream.as_raw_fd();
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        let timeout = self.config.timeout;
        let millis = i32::try_from(timeout.as_millis()).unwrap_or(i32::MAX);
        let pause = i32::try_from((timeout / PROBES).as_secs()).unwrap_or(i32::MAX).max(1);
        sys::set_option(fd, libc::IPPROTO_TCP, libc::TCP_USER_TIMEOUT, millis)?;
        // A rank that only waits for a peer notices its end, too.
        sys::set_option(fd, libc::SOL_SOCKET, libc::SO_KEEPALIVE, 1)?;
        sys::set_option(fd, libc::IPPROTO_TCP, libc::TCP_KEEPIDLE, pause)?;
        sys::set_option(fd, libc::IPPROTO_TCP, libc::TCP_KEEPINTVL, pause)?;
        self.epoll.add(fd, u64::from(number), false)?;
        let connection = self.connection(number);
        (connection.stream, connection.watched) = (Some(stream), false);
        Ok(())
    }

    /// The kernel has connected a connection of ours, or failed.
    pub(super) fn connected(&mut self, number: u32) -> Result<()> {
        let index = self.connection(number).peer.expect("a connection of ours has a peer");
        let ends = Ends { from: self.identity.rank, to: self.peers.at(index).rank };
        let hello =
            Hello::new(ends).map_err(|e| failed(format!("cannot connect to a peer: {e}")))?;
        let Some(stream) = &mut self.connection(number).stream else { return Ok(()) };
        let written = match stream.take_error() {
            Ok(Some(e)) | Err(e) => Err(e),
            Ok(None) => stream.write(&hello.bytes()),
        };
        match written {
            Ok(all) if all == hello.bytes().len() => {
                let connection = self.connection(number);
                (connection.state, connection.since) = (State::Greeting, Instant::now());
                connection.handshake = Handshake::Said(hello);
                self.watch_connection(number, false)
            }
            Ok(_) => self.lose(number, "it takes no greeting", true),
            Err(e) if matches!(e.kind(), ErrorKind::NotConnected | ErrorKind::WouldBlock) => Ok(()),
            Err(e) => self.lose(number, &e.to_string(), true),
        }
    }

    /// The message for which a connection waits before packets may go may have arrived.
    pub(super) fn greeted(&mut self, number: u32) -> Result<()> {
        let keys = self.keys.clone();
        let connection = self.connection(number);
        if connection.peer.is_none() {
            return self.authenticate(number);
        }
        if matches!(connection.handshake, Handshake::Proved(_)) {
            return self.welcomed(number);
        }
        let answer = match connection.message() {
            Ok(Some(answer)) => answer,
            Ok(None) => return Ok(()),
            Err(e) => return self.lose(number, &e.to_string(), true),
        };
        let answered = match &connection.handshake {
            Handshake::Said(hello) => hello.answered(&keys, &answer),
            _ => None,
        };
        let Some((proof, proved)) = answered else {
            return self.lose(number, "somebody else answers there", true);
        };
        let Some(stream) = &mut connection.stream else { return Ok(()) };
        match stream.write(&proof) {
            Ok(all) if all == proof.len() => {
                connection.handshake = Handshake::Proved(Box::new(proved));
                Ok(())
            }
            Ok(_) => self.lose(number, "it takes no greeting", true),
            Err(e) => self.lose(number, &e.to_string(), true),
        }
    }

    /// The other side may have welcomed us.
    fn welcomed(&mut self, number: u32) -> Result<()> {
        let connection = self.connection(number);
        let welcome = match connection.message() {
            Ok(Some(welcome)) => welcome,
            Ok(None) => return Ok(()),
            Err(e) => return self.lose(number, &e.to_string(), true),
        };
        let session = match std::mem::take(&mut connection.handshake) {
            Handshake::Proved(proved) => proved.welcomed(&welcome),
            _ => None,
        };
        match session {
            Some(session) => self.admit(number, session),
            None => self.lose(number, "somebody else answers there", true),
        }
    }

    /// An unauthenticated connection turns out to be a peer's.
    pub(super) fn adopt(
        &mut self,
        number: u32,
        rank: Peer,
        welcome: &[u8; PROOF_BYTES],
        session: Session,
    ) -> Result<()> {
        let index = self.peer(rank);
        let is_full = self.peers.at(index).connections.len() >= CONNECTIONS_MAX;
        let Some(stream) = &mut self.connection(number).stream else { return Ok(()) };
        // A connection that is new has room for so little.
        if is_full || !stream.write(welcome).is_ok_and(|all| all == welcome.len()) {
            self.turn_away(number);
            return Ok(());
        }
        self.authenticated(number);
        let trailer_bytes = self.identity.security.trailer_bytes();
        let connection = self.connection(number);
        connection.allocate(trailer_bytes);
        connection.peer = Some(index);
        let peer = self.peers.at_mut(index);
        peer.connections.push(number);
        peer.lost = None;
        self.on_time_for_unauthenticated(Instant::now())?;
        self.admit(number, session)
    }

    /// Both sides are authenticated: packets may go.
    fn admit(&mut self, number: u32, session: Session) -> Result<()> {
        let connection = self.connection(number);
        connection.handshake = Handshake::Silent;
        connection.begin(session);
        let index = connection.peer.expect("a connection that is greeted has a peer");
        self.counts.connections += 1;
        self.choose_sending(index);
        self.arm_connection(number, false)?;
        self.send_connection(number)
    }

    /// Which connections packets to a peer are given to: those that are ready, of them those that
    /// the lower rank has made if there are any, so that both sides use the same; while none is
    /// ready those we are about to make.
    fn choose_sending(&mut self, index: u32) {
        let own = self.identity.rank;
        let peer = self.peers.at_mut(index);
        let lower = own < peer.rank;
        let worth = |number: u32| {
            let connection =
                self.connections[number as usize].as_ref().expect("a connection of a peer");
            match (connection.state == State::Ready, connection.ours) {
                (true, ours) => 1 + u8::from(ours == lower),
                (false, _) => 0,
            }
        };
        let best = peer.connections.iter().map(|&number| worth(number)).max().unwrap_or(0);
        peer.sending.clear();
        for &number in &peer.connections {
            if worth(number) == best {
                peer.sending.push(number);
            }
        }
        (peer.turn, peer.turn_bytes) = (0, 0);
    }

    /// A connection has failed. Before the handshake was complete that is no loss, and one of ours
    /// is tried again; afterwards the peer has gone, which is an error if packets were lost with it
    /// (`broken`: in any case).
    pub(super) fn lose(&mut self, number: u32, why: &str, broken: bool) -> Result<()> {
        let connection = self.connection(number);
        let Some(index) = connection.peer else {
            self.turn_away(number);
            return Ok(());
        };
        let ready = connection.state == State::Ready;
        // A peer may be slow to answer, but does not close one connection after the other: that is
        // what another program does that has its port.
        let failing_since = *connection.failing_since.get_or_insert_with(Instant::now);
        let since = connection.since.min(failing_since);
        let unfinished = connection.has_out() || connection.has_partial();
        let peer = self.peers.at(index);
        let who = match peer.address {
            Some(address) => format!("rank {} ({address})", peer.rank),
            None => format!("rank {}", peer.rank),
        };
        if ready {
            self.forget(number, Gone::Cut(why.to_string()));
            return match unfinished || broken {
                true => Err(failed(format!("the connection to {who} is lost: {why}"))),
                false => Ok(()),
            };
        }
        let reached = peer.connections.iter().any(|&at| {
            self.connections[at as usize]
                .as_ref()
                .is_some_and(|connection| connection.state == State::Ready)
        });
        if reached && !unfinished {
            // The peer has reached us, perhaps through a firewall that we cannot pass.
            self.forget(number, Gone::Left);
            return Ok(());
        }
        if since.elapsed() > self.config.timeout {
            let seconds = self.config.timeout.as_secs();
            return Err(failed(format!(
                "{who} cannot be reached, tried for {seconds} s: {why}; see whether the link is up \
                 and a firewall lets the port through, or name another network in \
                 DUNLIN_NET_INTERFACE"
            )));
        }
        let connection = self.connection(number);
        connection.stream = None;
        connection.discard_partial();
        connection.watched = false;
        connection.state = State::Resting(Instant::now() + RETRY_AFTER);
        self.counts.retries += 1;
        self.resting += 1;
        self.set_timer()
    }

    /// Gives up a connection to a peer. One that was cut explains more than others that were
    /// closed.
    pub(super) fn forget(&mut self, number: u32, how: Gone) {
        let Some(connection) = self.connections[number as usize].take() else { return };
        let Some(index) = connection.peer else { return };
        self.dirty.retain(|&dirty| dirty != number);
        self.waiting.retain(|&waiting| waiting != number);
        self.hot = self.hot.filter(|&hot| hot != number);
        let peer = self.peers.at_mut(index);
        peer.connections.retain(|&connection| connection != number);
        if connection.state == State::Ready {
            self.departed.push(peer.rank);
        }
        if !matches!(peer.lost, Some(Gone::Cut(_))) {
            peer.lost = Some(how);
        }
        self.choose_sending(index);
    }

    /// Tries those connections again whose pause is over.
    pub(super) fn retry(&mut self) -> Result<()> {
        let now = Instant::now();
        for number in 0..self.connections.len() {
            let Some(connection) = &self.connections[number] else { continue };
            if matches!(connection.state, State::Resting(until) if until <= now) {
                self.resting -= 1;
                self.connection(number as u32).state = State::Connecting;
                self.try_connect(number as u32)?;
            }
        }
        self.on_time_for_unauthenticated(now)?;
        self.set_timer()
    }

    /// Sets the timer to the next try.
    pub(super) fn set_timer(&mut self) -> Result<()> {
        let rests =
            self.connections.iter().flatten().filter_map(|connection| match connection.state {
                State::Resting(until) => Some(until),
                _ => None,
            });
        let rest = if self.resting > 0 { rests.min() } else { None };
        let next = rest.into_iter().chain(self.unauthenticated_due()).min();
        let next = next.map(|until| until.saturating_duration_since(Instant::now()));
        self.timer.set(next).map_err(|e| failed(format!("cannot set a timer: {e}")))
    }
}
