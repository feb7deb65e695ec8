//! One end of the channel between two agents: frames go out, bytes come in, and neither is waited
//! for. Somebody who says nothing for long is believed dead.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::{read, write};

use crate::codec::Code;
use crate::frame::{Inbox, frame};
use crate::poller::{Poller, Token};

/// Bytes read at once: a pipe's default capacity.
const READ_BYTES: usize = 64 * 1024;
/// How often something is said, as a part of the silence that is taken for death.
const BEATS: u32 = 4;

/// What reading found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// Perhaps something.
    Open,
    /// The other end is closed.
    Closed,
}

/// One end of a channel.
pub struct Channel {
    from: OwnedFd,
    /// `None` once it is closed.
    to: Option<OwnedFd>,
    /// What has come.
    pub inbox: Inbox,
    outbox: Vec<u8>,
    written: usize,
    waits: bool,
    heard: Instant,
    told: Instant,
    last_turn: Instant,
    /// Whether the other end must say something from time to time.
    expects: bool,
    has_greeted: bool,
    silence: Option<Duration>,
    /// By what the poller calls this channel.
    number: usize,
}

impl Channel {
    /// A channel over two descriptors; `number` is its name for the poller.
    pub fn new(
        from: OwnedFd,
        to: OwnedFd,
        number: usize,
        silence: Option<Duration>,
        poller: &Poller,
    ) -> nix::Result<Channel> {
        for fd in [&from, &to] {
            fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        poller.add(&from, Token::Channel(number))?;
        let (inbox, outbox, now) = (Inbox::default(), Vec::new(), Instant::now());
        Ok(Channel {
            from,
            to: Some(to),
            inbox,
            outbox,
            written: 0,
            waits: false,
            heard: now,
            told: now,
            last_turn: now,
            expects: false,
            has_greeted: false,
            silence,
            number,
        })
    }

    /// From now on the other end must not be silent for longer than `silence`.
    pub fn expect(&mut self, silence: Option<Duration>, now: Instant) {
        (self.silence, self.expects, self.heard, self.last_turn) = (silence, true, now, now);
        self.has_greeted = true;
    }

    /// Whether the other end has ever been expected to speak.
    pub fn has_greeted(&self) -> bool {
        self.has_greeted
    }

    /// The other end is stopped, and may be silent until it says the next word.
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

    /// Sends a word.
    pub fn send(&mut self, word: &impl Code, now: Instant) {
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
                // Reading will say that the other end has gone.
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
    pub fn read(&mut self, now: Instant) -> Heard {
        let mut buffer = [0; READ_BYTES];
        match read(&self.from, &mut buffer) {
            Ok(0) => Heard::Closed,
            Ok(count) => {
                self.inbox.push(&buffer[..count]);
                self.heard = now;
                self.expects |= self.has_greeted;
                Heard::Open
            }
            Err(Errno::EINTR | Errno::EAGAIN) => Heard::Open,
            Err(_) => Heard::Closed,
        }
    }

    /// Says something if nothing has been said for long.
    pub fn beat(&mut self, word: &impl Code, now: Instant) {
        if self.beat_at().is_some_and(|at| at <= now) {
            self.send(word, now);
        }
    }

    fn beat_at(&self) -> Option<Instant> {
        let to = self.to.as_ref();
        to.and(self.silence).map(|silence| self.told + silence / BEATS)
    }

    /// Whether the other end has been silent for too long. To be asked at each turn: if it is not,
    /// this process did not run for a while, and nobody else is to blame for silence.
    pub fn is_dead(&mut self, now: Instant) -> bool {
        let slept = now.saturating_duration_since(std::mem::replace(&mut self.last_turn, now));
        if self.silence.is_some_and(|silence| slept > silence / 2) {
            self.heard = now;
        }
        self.dead_at().is_some_and(|at| at <= now)
    }

    fn dead_at(&self) -> Option<Instant> {
        self.silence.filter(|_| self.expects).map(|silence| self.heard + silence)
    }

    /// When [`beat`](Self::beat) or [`is_dead`](Self::is_dead) has something to do.
    pub fn next_time(&self) -> Option<Instant> {
        self.beat_at().into_iter().chain(self.dead_at()).min()
    }

    /// Says nothing more: the other end reads the end.
    pub fn close(&mut self, poller: &Poller) {
        if let Some(to) = self.to.take() {
            poller.remove(&to);
        }
    }

    /// Listens no more.
    pub fn deafen(&mut self, poller: &Poller) {
        poller.remove(&self.from);
    }
}
