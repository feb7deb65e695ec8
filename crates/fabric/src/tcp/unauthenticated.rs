//! Connections whose other end has not proved yet who it is. They are few, short-lived, and cost
//! next to no memory; whatever their owners do, peers can connect and the job goes on.

use std::io::{self, ErrorKind, Write};
use std::net::TcpStream;
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

use dunlin_base::Result;
use dunlin_seal::answer_hello;

use super::connection::{Connection, Handshake, State};
use super::{LISTENER, Tcp};
use crate::{failed, sys};

/// Unauthenticated connections at a time.
pub(super) const UNAUTHENTICATED_MAX: usize = 128;
/// An unauthenticated connection stays at least this long when there are too many: a peer proves
/// who it is within a round trip, as soon as it polls its network. A peer whose connection is
/// closed tries again, and has lost nothing.
const GRACE: Duration = Duration::from_millis(100);
/// It stays this long at most.
const STAY_MAX: Duration = Duration::from_secs(10);
/// The pause until the next check for room.
const PAUSE: Duration = Duration::from_millis(20);
/// The user gets a message after this long without a descriptor for a connection.
const WANT_MAX: Duration = Duration::from_secs(2);

/// The unauthenticated connections, and the state of those not accepted yet.
#[derive(Debug, Default)]
pub(super) struct Unauthenticated {
    /// Their connections, the oldest first.
    pub connections: Vec<u32>,
    /// No connection is accepted until then.
    pub paused_until: Option<Instant>,
    /// Since when there has been no descriptor for a connection.
    wanting_since: Option<Instant>,
    /// The user has been told.
    is_told: bool,
    /// How many were closed.
    pub turned_away: u64,
}

impl Tcp {
    /// Accepts the connections that wait, as far as there is room.
    pub(super) fn accept(&mut self) -> Result<()> {
        loop {
            if self.unauthenticated.connections.len() >= UNAUTHENTICATED_MAX
                && !self.put_out_oldest(GRACE)
            {
                return self.pause();
            }
            match self.listener.accept() {
                Ok((stream, _)) => {
                    self.unauthenticated.wanting_since = None;
                    self.welcome(stream)?;
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(e) if is_want(&e) => {
                    if !self.put_out_oldest(Duration::ZERO) {
                        self.note_want(&e);
                        return self.pause();
                    }
                }
                // A connection that was given up before we took it: what still waits, the watch
                // tells again.
                Err(_) => return Ok(()),
            }
        }
    }

    /// Somebody has connected, and has not said yet who it is.
    fn welcome(&mut self, stream: TcpStream) -> Result<()> {
        let number = self.keep(Connection::new(None, State::Greeting, Instant::now()));
        self.unauthenticated.connections.push(number);
        match self.set_up(number, stream) {
            // Mostly the first message has already arrived.
            Ok(()) => self.authenticate(number)?,
            Err(_) => self.turn_away(number),
        }
        self.set_timer()
    }

    /// An unauthenticated connection may have received something.
    pub(super) fn authenticate(&mut self, number: u32) -> Result<()> {
        if matches!(self.connection(number).handshake, Handshake::Asked(_)) {
            return self.hear_proof(number);
        }
        let (keys, me) = (self.keys.clone(), self.identity.rank);
        let connection = self.connection(number);
        let heard = match connection.message() {
            Ok(Some(hello)) => answer_hello(&keys, me, &hello),
            Ok(None) => return Ok(()),
            Err(_) => None,
        };
        // A connection that is new has room for so little.
        let asked = heard.filter(|(answer, _)| {
            let written = connection.stream.as_mut().map(|stream| stream.write(answer));
            written.is_some_and(|written| written.is_ok_and(|all| all == answer.len()))
        });
        match asked {
            Some((_, challenge)) => connection.handshake = Handshake::Asked(Box::new(challenge)),
            None => self.turn_away(number),
        }
        Ok(())
    }

    fn hear_proof(&mut self, number: u32) -> Result<()> {
        let connection = self.connection(number);
        let proof = match connection.message() {
            Ok(Some(proof)) => proof,
            Ok(None) => return Ok(()),
            Err(_) => {
                self.turn_away(number);
                return Ok(());
            }
        };
        let Handshake::Asked(challenge) = std::mem::take(&mut connection.handshake) else {
            return Ok(());
        };
        let rank = challenge.ends.from;
        match challenge.proved(&proof) {
            Some((welcome, session)) => self.adopt(number, rank, &welcome, session),
            None => {
                self.turn_away(number);
                Ok(())
            }
        }
    }

    pub(super) fn turn_away(&mut self, number: u32) {
        self.authenticated(number);
        self.connections[number as usize] = None;
        self.unauthenticated.turned_away += 1;
    }

    /// The connection is no longer unauthenticated.
    pub(super) fn authenticated(&mut self, number: u32) {
        self.unauthenticated.connections.retain(|&unauthenticated| unauthenticated != number);
    }

    /// Closes the oldest unauthenticated connection, if it has been open for this long.
    fn put_out_oldest(&mut self, stay: Duration) -> bool {
        let Some(&oldest) = self.unauthenticated.connections.first() else { return false };
        let is_old = self.connection(oldest).since.elapsed() >= stay;
        if is_old {
            self.turn_away(oldest);
        }
        is_old
    }

    /// Accepts no connection for a moment, so that epoll does not report those that wait again and
    /// again.
    fn pause(&mut self) -> Result<()> {
        let cannot = |e: io::Error| failed(format!("cannot watch a TCP socket: {e}"));
        self.epoll.remove(self.listener.as_raw_fd()).map_err(cannot)?;
        self.unauthenticated.paused_until = Some(Instant::now() + PAUSE);
        self.set_timer()
    }

    /// Time has passed: connections that have stayed too long are closed, and others may be
    /// accepted.
    pub(super) fn on_time_for_unauthenticated(&mut self, now: Instant) -> Result<()> {
        while self.put_out_oldest(STAY_MAX) {}
        // Many peers that have all proved who they are need not wait.
        let has_room = self.unauthenticated.connections.len() <= UNAUTHENTICATED_MAX / 2;
        let is_over =
            |until| until <= now || has_room && self.unauthenticated.wanting_since.is_none();
        if self.unauthenticated.paused_until.is_some_and(is_over) {
            self.unauthenticated.paused_until = None;
            let cannot = |e: io::Error| failed(format!("cannot watch a TCP socket: {e}"));
            self.epoll.add(self.listener.as_raw_fd(), LISTENER, false).map_err(cannot)?;
        }
        Ok(())
    }

    /// When that is next due.
    pub(super) fn unauthenticated_due(&self) -> Option<Instant> {
        let oldest = self.unauthenticated.connections.first().and_then(|&oldest| {
            self.connections[oldest as usize].as_ref().map(|connection| connection.since + STAY_MAX)
        });
        oldest.into_iter().chain(self.unauthenticated.paused_until).min()
    }

    /// There is no descriptor for a connection, and no unauthenticated one to close. It may be a
    /// peer's, which waits.
    fn note_want(&mut self, error: &io::Error) {
        let since = *self.unauthenticated.wanting_since.get_or_insert_with(Instant::now);
        if since.elapsed() < WANT_MAX || std::mem::replace(&mut self.unauthenticated.is_told, true)
        {
            return;
        }
        let fewer = match self.config.flows {
            0 | 1 => String::new(),
            flows => format!(", or set DUNLIN_NET_FLOWS below {flows}"),
        };
        let text = format!(
            "dunlin: rank {} cannot take a connection that waits: {error}; this process may have \
             {} descriptors: raise the limit (`ulimit -n`){fewer}\n",
            self.identity.rank,
            sys::descriptors_max(),
        );
        // In one write, and whether anybody reads it or not.
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

/// Whether the error is a lack of descriptors or of memory.
fn is_want(error: &io::Error) -> bool {
    let wants = [libc::EMFILE, libc::ENFILE, libc::ENOBUFS, libc::ENOMEM];
    error.raw_os_error().is_some_and(|number| wants.contains(&number))
}
