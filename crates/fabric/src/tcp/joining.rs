//! How connections come and go: made, accepted, greeted, tried again, lost.

use std::io::{self, ErrorKind, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use dunlin_base::Result;
use dunlin_seal::{Ends, Hello, PROOF_BYTES, Session};

use super::lane::{Lane, State, Talk};
use super::{Gone, Party, Tcp};
use crate::{Peer, failed, sys};

/// Connections with one peer.
const LANES_MAX: usize = 128;
/// Of the descriptors that a process may have, connections take so many parts at most before a peer
/// gets one alone: with 4,096 of them, 1,023 peers have 1,791 connections.
const DESCRIPTORS_SHARE: usize = 4;
/// Until a connection that failed is tried again.
const RETRY_AFTER: Duration = Duration::from_millis(20);
/// Parts of the time after which a peer is lost at which an idle connection is probed.
const PROBES: u32 = 4;

impl Tcp {
    /// Connects to a peer that has not connected to us.
    pub(super) fn begin(&mut self, peer: Peer, address: SocketAddr) -> Result<()> {
        let place = self.party(peer);
        self.parties.at_mut(place).address = Some(address);
        if !self.parties.at(place).lanes.is_empty() {
            return Ok(());
        }
        let trailer_bytes = self.identity.security.trailer_bytes();
        let is_short = self.lanes.len() >= sys::descriptors_max() / DESCRIPTORS_SHARE;
        let flows = if is_short { 1 } else { self.ground.flows.max(1) };
        for _ in 0..flows {
            let mut lane = Lane::new(None, State::Connecting, Instant::now());
            lane.furnish(trailer_bytes);
            (lane.party, lane.ours) = (Some(place), true);
            let number = self.keep(lane);
            self.parties.at_mut(place).lanes.push(number);
            self.try_connect(number)?;
        }
        self.choose_sending(place);
        Ok(())
    }

    /// The place of a peer, which is made if there is none.
    fn party(&mut self, rank: Peer) -> u32 {
        if let Some(place) = self.parties.place(rank) {
            return place;
        }
        // Both sides may have begun.
        let room = || Vec::with_capacity(2 * self.ground.flows);
        let (lanes, sending) = (room(), room());
        let party =
            Party { rank, address: None, lanes, sending, turn: 0, turn_bytes: 0, lost: None };
        self.parties.set(rank, party);
        self.parties.place(rank).expect("it was just set")
    }

    /// Gives a lane its number.
    pub(super) fn keep(&mut self, lane: Lane) -> u32 {
        let number = match self.lanes.iter().position(Option::is_none) {
            Some(free) => free,
            None => {
                self.lanes.push(None);
                self.lanes.len() - 1
            }
        };
        self.lanes[number] = Some(lane);
        // Each lane is there at most once.
        self.dirty.reserve(self.lanes.len() - self.dirty.len());
        number as u32
    }

    fn try_connect(&mut self, number: u32) -> Result<()> {
        let place = self.lane(number).party.expect("a lane of ours has a peer");
        let address = self.parties.at(place).address.expect("we were told where it is");
        match sys::begin_connect(address).and_then(|stream| self.set_up(number, stream)) {
            Ok(()) => {
                self.lane(number).state = State::Connecting;
                self.watch_lane(number, true)
            }
            Err(e) => self.lose(number, &e.to_string(), true),
        }
    }

    /// Gives a lane its stream.
    pub(super) fn set_up(&mut self, number: u32, stream: TcpStream) -> io::Result<()> {
        let fd = stream.as_raw_fd();
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        let timeout = self.ground.timeout;
        let millis = i32::try_from(timeout.as_millis()).unwrap_or(i32::MAX);
        let pause = i32::try_from((timeout / PROBES).as_secs()).unwrap_or(i32::MAX).max(1);
        sys::set_option(fd, libc::IPPROTO_TCP, libc::TCP_USER_TIMEOUT, millis)?;
        // Who only waits for a peer notices too that it is gone.
        sys::set_option(fd, libc::SOL_SOCKET, libc::SO_KEEPALIVE, 1)?;
        sys::set_option(fd, libc::IPPROTO_TCP, libc::TCP_KEEPIDLE, pause)?;
        sys::set_option(fd, libc::IPPROTO_TCP, libc::TCP_KEEPINTVL, pause)?;
        self.watch.add(fd, u64::from(number), false)?;
        let lane = self.lane(number);
        (lane.stream, lane.watched) = (Some(stream), false);
        Ok(())
    }

    /// The kernel has connected a lane of ours, or failed.
    pub(super) fn connected(&mut self, number: u32) -> Result<()> {
        let place = self.lane(number).party.expect("a lane of ours has a peer");
        let ends = Ends { from: self.identity.rank, to: self.parties.at(place).rank };
        let hello =
            Hello::new(ends).map_err(|e| failed(format!("cannot connect to a peer: {e}")))?;
        let Some(stream) = &mut self.lane(number).stream else { return Ok(()) };
        let written = match stream.take_error() {
            Ok(Some(e)) | Err(e) => Err(e),
            Ok(None) => stream.write(&hello.bytes()),
        };
        match written {
            Ok(all) if all == hello.bytes().len() => {
                let lane = self.lane(number);
                (lane.state, lane.since) = (State::Greeting, Instant::now());
                lane.talk = Talk::Said(hello);
                self.watch_lane(number, false)
            }
            Ok(_) => self.lose(number, "it takes no greeting", true),
            Err(e) if matches!(e.kind(), ErrorKind::NotConnected | ErrorKind::WouldBlock) => Ok(()),
            Err(e) => self.lose(number, &e.to_string(), true),
        }
    }

    /// What a lane waits for before packets may go may be there.
    pub(super) fn greeted(&mut self, number: u32) -> Result<()> {
        let keys = self.keys.clone();
        let lane = self.lane(number);
        if lane.party.is_none() {
            return self.talk_to_stranger(number);
        }
        if matches!(lane.talk, Talk::Proved(_)) {
            return self.welcomed(number);
        }
        let answer = match lane.message() {
            Ok(Some(answer)) => answer,
            Ok(None) => return Ok(()),
            Err(e) => return self.lose(number, &e.to_string(), true),
        };
        let answered = match &lane.talk {
            Talk::Said(hello) => hello.answered(&keys, &answer),
            _ => None,
        };
        let Some((proof, proved)) = answered else {
            return self.lose(number, "somebody else answers there", true);
        };
        let Some(stream) = &mut lane.stream else { return Ok(()) };
        match stream.write(&proof) {
            Ok(all) if all == proof.len() => {
                lane.talk = Talk::Proved(Box::new(proved));
                Ok(())
            }
            Ok(_) => self.lose(number, "it takes no greeting", true),
            Err(e) => self.lose(number, &e.to_string(), true),
        }
    }

    /// The other side may have welcomed us.
    fn welcomed(&mut self, number: u32) -> Result<()> {
        let lane = self.lane(number);
        let welcome = match lane.message() {
            Ok(Some(welcome)) => welcome,
            Ok(None) => return Ok(()),
            Err(e) => return self.lose(number, &e.to_string(), true),
        };
        let session = match std::mem::take(&mut lane.talk) {
            Talk::Proved(proved) => proved.welcomed(&welcome),
            _ => None,
        };
        match session {
            Some(session) => self.admit(number, session),
            None => self.lose(number, "somebody else answers there", true),
        }
    }

    /// A stranger turns out to be a peer.
    pub(super) fn adopt(
        &mut self,
        number: u32,
        rank: Peer,
        welcome: &[u8; PROOF_BYTES],
        session: Session,
    ) -> Result<()> {
        let place = self.party(rank);
        let is_crowded = self.parties.at(place).lanes.len() >= LANES_MAX;
        let Some(stream) = &mut self.lane(number).stream else { return Ok(()) };
        // A connection that is new has room for so little.
        if is_crowded || !stream.write(welcome).is_ok_and(|all| all == welcome.len()) {
            self.turn_away(number);
            return Ok(());
        }
        self.no_stranger(number);
        let trailer_bytes = self.identity.security.trailer_bytes();
        let lane = self.lane(number);
        lane.furnish(trailer_bytes);
        lane.party = Some(place);
        let party = self.parties.at_mut(place);
        party.lanes.push(number);
        party.lost = None;
        self.on_time_for_strangers(Instant::now())?;
        self.admit(number, session)
    }

    /// Both sides know each other: packets may go.
    fn admit(&mut self, number: u32, session: Session) -> Result<()> {
        let lane = self.lane(number);
        lane.talk = Talk::Silent;
        lane.begin(session);
        let place = lane.party.expect("a lane that is greeted has a peer");
        self.counts.connections += 1;
        self.choose_sending(place);
        self.arm_lane(number, false)?;
        self.send_lane(number)
    }

    /// Which lanes packets to a peer are given to: those that are ready, of them those that the
    /// lower rank has made if there are any, so that both sides use the same; while none is ready
    /// those we are about to make.
    fn choose_sending(&mut self, place: u32) {
        let own = self.identity.rank;
        let party = self.parties.at_mut(place);
        let lower = own < party.rank;
        let worth = |number: u32| {
            let lane = self.lanes[number as usize].as_ref().expect("a lane of a peer");
            match (lane.state == State::Ready, lane.ours) {
                (true, ours) => 1 + u8::from(ours == lower),
                (false, _) => 0,
            }
        };
        let best = party.lanes.iter().map(|&number| worth(number)).max().unwrap_or(0);
        party.sending.clear();
        for &number in &party.lanes {
            if worth(number) == best {
                party.sending.push(number);
            }
        }
        (party.turn, party.turn_bytes) = (0, 0);
    }

    /// A connection has failed. Before it was greeted that is no loss, and one of ours is tried
    /// again; afterwards the peer has gone, which is an error if it took packets with it (`broken`:
    /// in any case).
    pub(super) fn lose(&mut self, number: u32, why: &str, broken: bool) -> Result<()> {
        let lane = self.lane(number);
        let Some(place) = lane.party else {
            self.turn_away(number);
            return Ok(());
        };
        let (ready, since) = (lane.state == State::Ready, lane.since);
        let unfinished = lane.has_out() || lane.has_partial();
        let party = self.parties.at(place);
        let who = match party.address {
            Some(address) => format!("rank {} ({address})", party.rank),
            None => format!("rank {}", party.rank),
        };
        if ready {
            self.forget(number, Gone::Cut(why.to_string()));
            return match unfinished || broken {
                true => Err(failed(format!("the connection to {who} is lost: {why}"))),
                false => Ok(()),
            };
        }
        let reached = party.lanes.iter().any(|&at| {
            self.lanes[at as usize].as_ref().is_some_and(|lane| lane.state == State::Ready)
        });
        if reached && !unfinished {
            // The peer has reached us, perhaps through a firewall that we cannot pass.
            self.forget(number, Gone::Left);
            return Ok(());
        }
        if since.elapsed() > self.ground.timeout {
            let seconds = self.ground.timeout.as_secs();
            return Err(failed(format!(
                "{who} cannot be reached, tried for {seconds} s: {why}; see whether the link is up \
                 and a firewall lets the port through, or name another network in \
                 DUNLIN_NET_INTERFACE"
            )));
        }
        let lane = self.lane(number);
        lane.stream = None;
        lane.discard_partial();
        lane.watched = false;
        lane.state = State::Resting(Instant::now() + RETRY_AFTER);
        self.counts.retries += 1;
        self.resting += 1;
        self.set_timer()
    }

    /// Gives up a lane to a peer. One that was cut says more than others that were closed.
    pub(super) fn forget(&mut self, number: u32, how: Gone) {
        let Some(lane) = self.lanes[number as usize].take() else { return };
        let Some(place) = lane.party else { return };
        self.dirty.retain(|&dirty| dirty != number);
        self.waiting.retain(|&waiting| waiting != number);
        self.hot = self.hot.filter(|&hot| hot != number);
        let party = self.parties.at_mut(place);
        party.lanes.retain(|&lane| lane != number);
        if !matches!(party.lost, Some(Gone::Cut(_))) {
            party.lost = Some(how);
        }
        self.choose_sending(place);
    }

    /// Tries again those lanes whose rest is over.
    pub(super) fn retry(&mut self) -> Result<()> {
        let now = Instant::now();
        for number in 0..self.lanes.len() {
            let Some(lane) = &self.lanes[number] else { continue };
            if matches!(lane.state, State::Resting(until) if until <= now) {
                self.resting -= 1;
                self.lane(number as u32).state = State::Connecting;
                self.try_connect(number as u32)?;
            }
        }
        self.on_time_for_strangers(now)?;
        self.set_timer()
    }

    /// Sets the timer to the next try.
    pub(super) fn set_timer(&mut self) -> Result<()> {
        let rests = self.lanes.iter().flatten().filter_map(|lane| match lane.state {
            State::Resting(until) => Some(until),
            _ => None,
        });
        let rest = if self.resting > 0 { rests.min() } else { None };
        let next = rest.into_iter().chain(self.strangers_due()).min();
        let next = next.map(|until| until.saturating_duration_since(Instant::now()));
        self.timer.set(next).map_err(|e| failed(format!("cannot set a timer: {e}")))
    }
}
