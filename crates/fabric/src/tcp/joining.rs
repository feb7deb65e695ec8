//! How connections come and go: made, accepted, greeted, tried again, lost.

use std::io::{self, ErrorKind, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use dunlin_base::Result;

use super::greeting::{greeted, greeting};
use super::lane::{Lane, State};
use super::{Gone, Party, Tcp};
use crate::{Peer, failed, sys};

/// Connections whose greeting has not come. One more puts the oldest out: whoever belongs to the
/// job tries again, and has given nothing away before it was greeted.
const STRANGERS_MAX: usize = 256;
/// Connections with one peer.
const LANES_MAX: usize = 128;
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
        for _ in 0..self.ground.flows.max(1) {
            let mut lane = Lane::new(None, State::Connecting, Instant::now());
            lane.furnish();
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
    fn keep(&mut self, lane: Lane) -> u32 {
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
    fn set_up(&mut self, number: u32, stream: TcpStream) -> io::Result<()> {
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

    /// Takes all connections that wait.
    pub(super) fn accept(&mut self) -> Result<()> {
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => self.welcome(stream)?,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(e) if matches!(e.raw_os_error(), Some(libc::EMFILE | libc::ENFILE)) => {
                    return Err(failed(format!(
                        "a TCP connection of a peer cannot be taken: {e}; raise the limit \
                         (`ulimit -n`) or set DUNLIN_NET_FLOWS to less than {}",
                        self.ground.flows
                    )));
                }
                // A connection that was given up before we took it, or a lack that passes: what
                // still waits, the watch tells again.
                Err(_) => return Ok(()),
            }
        }
    }

    /// Somebody has connected, who has yet to say who it is.
    fn welcome(&mut self, stream: TcpStream) -> Result<()> {
        if self.strangers.len() == STRANGERS_MAX {
            let oldest = self.strangers[0];
            self.turn_away(oldest);
        }
        let number = self.keep(Lane::new(None, State::Greeting, Instant::now()));
        self.strangers.push(number);
        match self.set_up(number, stream) {
            // Mostly the greeting is there already.
            Ok(()) => self.greeted(number),
            Err(_) => {
                self.turn_away(number);
                Ok(())
            }
        }
    }

    fn turn_away(&mut self, number: u32) {
        self.strangers.retain(|&stranger| stranger != number);
        self.lanes[number as usize] = None;
        self.counts.strangers += 1;
    }

    /// The kernel has connected a lane of ours, or failed.
    pub(super) fn connected(&mut self, number: u32) -> Result<()> {
        let own = self.identity;
        let place = self.lane(number).party.expect("a lane of ours has a peer");
        let hello = greeting(own, self.parties.at(place).rank);
        let Some(stream) = &mut self.lane(number).stream else { return Ok(()) };
        let written = match stream.take_error() {
            Ok(Some(e)) | Err(e) => Err(e),
            Ok(None) => stream.write(&hello),
        };
        match written {
            Ok(all) if all == hello.len() => {
                let lane = self.lane(number);
                (lane.state, lane.since) = (State::Greeting, Instant::now());
                self.watch_lane(number, false)
            }
            Ok(_) => self.lose(number, "it takes no greeting", true),
            Err(e) if matches!(e.kind(), ErrorKind::NotConnected | ErrorKind::WouldBlock) => Ok(()),
            Err(e) => self.lose(number, &e.to_string(), true),
        }
    }

    /// A lane may have its greeting.
    pub(super) fn greeted(&mut self, number: u32) -> Result<()> {
        let own = self.identity;
        let lane = self.lane(number);
        let who = match lane.greeting() {
            Ok(Some(bytes)) => greeted(own, &bytes),
            Ok(None) => return Ok(()),
            Err(e) => return self.lose(number, &e.to_string(), true),
        };
        match (who, lane.party) {
            (Some(rank), Some(place)) if self.parties.at(place).rank == rank => self.admit(number),
            (Some(rank), None) => self.adopt(number, rank),
            _ => self.lose(number, "somebody else answers there", true),
        }
    }

    /// A stranger turns out to be a peer, and is greeted.
    fn adopt(&mut self, number: u32, rank: Peer) -> Result<()> {
        let hello = greeting(self.identity, rank);
        let place = self.party(rank);
        let crowded = self.parties.at(place).lanes.len() >= LANES_MAX;
        let Some(stream) = &mut self.lane(number).stream else { return Ok(()) };
        // A connection that is new has room for so little.
        if crowded || !stream.write(&hello).is_ok_and(|all| all == hello.len()) {
            self.turn_away(number);
            return Ok(());
        }
        self.strangers.retain(|&stranger| stranger != number);
        let lane = self.lane(number);
        lane.furnish();
        lane.party = Some(place);
        let party = self.parties.at_mut(place);
        party.lanes.push(number);
        party.lost = None;
        self.admit(number)
    }

    /// Both sides know each other: packets may go.
    fn admit(&mut self, number: u32) -> Result<()> {
        let lane = self.lane(number);
        lane.state = State::Ready;
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
        self.set_timer()
    }

    /// Sets the timer to the next try.
    fn set_timer(&mut self) -> Result<()> {
        let rests = self.lanes.iter().flatten().filter_map(|lane| match lane.state {
            State::Resting(until) => Some(until.saturating_duration_since(Instant::now())),
            _ => None,
        });
        let next = if self.resting > 0 { rests.min() } else { None };
        self.timer.set(next).map_err(|e| failed(format!("cannot set a timer: {e}")))
    }
}
