//! One end of the channel between two agents: frames go out, bytes come in, and it waits for
//! neither. An end that is silent for too long is considered dead.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::{read, write};
use serde::Serialize;

use crate::frame::{FrameReader, frame};
use crate::poller::{Poller, Token};

/// Bytes read at once: a pipe's default capacity.
const READ_BYTES: usize = 64 * 1024;
/// How often something is sent, as a part of the timeout.
const HEARTBEATS: u32 = 4;

/// What reading found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// Perhaps something.
    Open,
    /// The other end is closed.
    Closed,
}

/// One end of a channel.
pub struct AgentChannel {
    from: OwnedFd,
    /// `None` once it is closed.
    to: Option<OwnedFd>,
    /// What has arrived.
    pub frame_reader: FrameReader,
    outbox: Vec<u8>,
    written: usize,
    waits: bool,
    heard: Instant,
    told: Instant,
    last_turn: Instant,
    /// Whether the other end must send something from time to time.
    expects: bool,
    has_greeted: bool,
    timeout: Option<Duration>,
    /// The poller's name of this channel.
    number: usize,
}

impl AgentChannel {
    /// A channel over two descriptors; `number` is its name for the poller.
    pub fn new(
        from: OwnedFd,
        to: OwnedFd,
        number: usize,
        timeout: Option<Duration>,
        poller: &Poller,
    ) -> nix::Result<AgentChannel> {
        for fd in [&from, &to] {
            fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        poller.add(&from, Token::AgentChannel(number))?;
        let (frame_reader, outbox, now) = (FrameReader::default(), Vec::new(), Instant::now());
        Ok(AgentChannel {
            from,
            to: Some(to),
            frame_reader,
            outbox,
            written: 0,
            waits: false,
            heard: now,
            told: now,
            last_turn: now,
            expects: false,
            has_greeted: false,
            timeout,
            number,
        })
    }

    /// From now on the other end must not be silent for longer than `timeout`.
    pub fn expect(&mut self, timeout: Option<Duration>, now: Instant) {
        (self.timeout, self.expects, self.heard, self.last_turn) = (timeout, true, now, now);
        self.has_greeted = true;
    }

    /// Whether the other end has ever been expected to send.
    pub fn has_greeted(&self) -> bool {
        self.has_greeted
    }

    /// The other end is stopped, and may be silent until its next message.
    pub fn excuse(&mut self) {
        self.expects = false;
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8], now: Instant) {
        if self.to.is_some() {
            self.outbox.extend_from_slice(bytes);
            self.told = now;
        }
    }

    /// Sends a message.
    pub fn send(&mut self, word: &impl Serialize, now: Instant) {
        self.send_bytes(&frame(word), now);
    }

    /// Bytes that wait to be written.
    pub fn waiting(&self) -> usize {
        self.outbox.len() - self.written
    }

    /// Writes what the other end takes.
    pub fn flush(&mut self, poller: &Poller) {
        let Some(to) = &self.to else { return };
        while self.written < self.outbox.len() {
            match write(to, &self.outbox[self.written..]) {
                Ok(count) => self.written += count,
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                // Reading will report that the other end has gone.
                Err(_) => self.written = self.outbox.len(),
            }
        }
        self.outbox.drain(..self.written);
        self.written = 0;
        let waits = !self.outbox.is_empty();
        if waits != self.waits {
            self.waits = poller.watch_writing(to, Token::ChannelRoom(self.number), waits);
        }
    }

    /// Reads what has come.
    pub fn read(&mut self, now: Instant) -> Received {
        let mut buffer = [0; READ_BYTES];
        match read(&self.from, &mut buffer) {
            Ok(0) => Received::Closed,
            Ok(count) => {
                self.frame_reader.push(&buffer[..count]);
                self.heard = now;
                self.expects |= self.has_greeted;
                Received::Open
            }
            Err(Errno::EINTR | Errno::EAGAIN) => Received::Open,
            Err(_) => Received::Closed,
        }
    }

    /// Sends a heartbeat if nothing has been sent for long.
    pub fn send_heartbeat(&mut self, word: &impl Serialize, now: Instant) {
        if self.heartbeat_at().is_some_and(|at| at <= now) {
            self.send(word, now);
        }
    }

    fn heartbeat_at(&self) -> Option<Instant> {
        let to = self.to.as_ref();
        to.and(self.timeout).map(|timeout| self.told + timeout / HEARTBEATS)
    }

    /// Whether the other end has been silent for too long. To be called at each turn: if it is not,
    /// this process itself did not run for a while, and the silence is not the other end's fault.
    pub fn is_dead(&mut self, now: Instant) -> bool {
        let slept = now.saturating_duration_since(std::mem::replace(&mut self.last_turn, now));
        if self.timeout.is_some_and(|timeout| slept > timeout / 2) {
            self.heard = now;
        }
        self.dead_at().is_some_and(|at| at <= now)
    }

    fn dead_at(&self) -> Option<Instant> {
        self.timeout.filter(|_| self.expects).map(|timeout| self.heard + timeout)
    }

    /// When the heartbeat or [`is_dead`](Self::is_dead) has something to do.
    pub fn next_time(&self) -> Option<Instant> {
        self.heartbeat_at().into_iter().chain(self.dead_at()).min()
    }

    /// Closes the sending side: the other end reads the end.
    pub fn close(&mut self, poller: &Poller) {
        if let Some(to) = self.to.take() {
            poller.remove(&to);
        }
    }

    /// Stops reading.
    pub fn deafen(&mut self, poller: &Poller) {
        poller.remove(&self.from);
    }
}
