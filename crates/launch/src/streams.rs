//! What the ranks of this host write: reads their pipes, cuts lines, and stops reading while those
//! who take the lines are slow.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::read;

use crate::lines::Lines;
use crate::message::{ERR, OUT};
use crate::poller::{Poller, Token};
use crate::start::Process;

/// A pipe's default capacity: one read empties it.
const READ_BYTES: usize = 64 * 1024;
/// Rank 0 has standard input: what it writes without ending the line may be a question, and is
/// shown after this pause.
const PROMPT_IDLE: Duration = Duration::from_millis(50);
/// Other ranks' unfinished lines (`...` of a progress display) are shown after this pause. Long,
/// because a full stdio buffer also ends in the middle of a line.
const UNFINISHED_IDLE: Duration = Duration::from_secs(2);
/// Streams of one rank.
const STREAMS_PER_RANK: usize = 2;

struct Stream {
    /// `None` once it has ended.
    fd: Option<OwnedFd>,
    lines: Lines,
}

/// Takes what a stream says: the rank's place on this host, [`OUT`] or [`ERR`], and the text.
pub type Put<'a> = &'a mut dyn FnMut(usize, usize, &[u8]);

/// All streams of all ranks of this host.
pub struct Streams {
    streams: Vec<Stream>,
    /// Whether a human or a program may read what has no end of line yet.
    is_live: [bool; 2],
    /// The streams that are not read.
    is_paused: [bool; 2],
    /// The place of the rank that has standard input, if it is here.
    prompter: Option<usize>,
    buffer: Vec<u8>,
    last_read: Instant,
}

impl Streams {
    /// Takes over the pipes of `processes`.
    pub fn new(
        processes: &mut Vec<Process>,
        poller: &Poller,
        is_live: [bool; 2],
        prompter: Option<usize>,
        now: Instant,
    ) -> nix::Result<Streams> {
        let mut streams = Vec::with_capacity(processes.len() * STREAMS_PER_RANK);
        for process in processes.drain(..) {
            for fd in [process.stdout, process.stderr] {
                // Only our end: the rank's writes wait as they would anywhere.
                fcntl(&fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
                poller.add(&fd, Token::Stream(streams.len()))?;
                streams.push(Stream { fd: Some(fd), lines: Lines::default() });
            }
        }
        let (is_paused, buffer) = ([false; 2], vec![0; READ_BYTES]);
        Ok(Streams { streams, is_live, is_paused, prompter, buffer, last_read: now })
    }

    /// A stream has something to read, or has ended.
    pub fn on_readable(&mut self, number: usize, poller: &Poller, now: Instant, put: Put<'_>) {
        let stream = &mut self.streams[number];
        let Some(fd) = &stream.fd else { return };
        let count = match read(fd, &mut self.buffer) {
            Ok(count) => count,
            Err(Errno::EINTR | Errno::EAGAIN) => return,
            Err(_) => 0,
        };
        self.last_read = now;
        let put = |text: &[u8]| put(number / STREAMS_PER_RANK, number % STREAMS_PER_RANK, text);
        if count > 0 {
            stream.lines.push(&self.buffer[..count], now, put);
        } else {
            stream.lines.flush(put);
            poller.remove(fd);
            stream.fd = None;
        }
    }

    /// Reads what a rank that has ended left in its pipes, so that its last words come before what
    /// the launcher says about them.
    pub fn on_ended(&mut self, place: usize, poller: &Poller, now: Instant, put: Put<'_>) {
        for number in place * STREAMS_PER_RANK..(place + 1) * STREAMS_PER_RANK {
            // One read empties a pipe; what its children may write goes the usual way.
            self.on_readable(number, poller, now, put);
        }
    }

    /// Hands over unfinished lines whose time has come.
    pub fn on_time(&mut self, now: Instant, put: Put<'_>) {
        for number in 0..self.streams.len() {
            if self.flush_at(number).is_some_and(|at| at <= now) {
                self.flush(number, put);
            }
        }
    }

    /// When [`on_time`](Self::on_time) has something to do.
    pub fn next_time(&self) -> Option<Instant> {
        (0..self.streams.len()).filter_map(|number| self.flush_at(number)).min()
    }

    fn flush_at(&self, number: usize) -> Option<Instant> {
        let is_prompter = Some(number / STREAMS_PER_RANK) == self.prompter;
        let idle = if is_prompter { PROMPT_IDLE } else { UNFINISHED_IDLE };
        let flush_at = self.streams[number].lines.flush_at(idle);
        flush_at.filter(|_| self.is_live[number % STREAMS_PER_RANK])
    }

    fn flush(&mut self, number: usize, put: Put<'_>) {
        let (place, kind) = (number / STREAMS_PER_RANK, number % STREAMS_PER_RANK);
        self.streams[number].lines.flush(|text| put(place, kind, text));
    }

    /// Reads only the streams that are not named, from now on.
    pub fn pause(&mut self, is_paused: [bool; 2], poller: &Poller) {
        let before = std::mem::replace(&mut self.is_paused, is_paused);
        for kind in [OUT, ERR].into_iter().filter(|&kind| before[kind] != is_paused[kind]) {
            for number in (kind..self.streams.len()).step_by(STREAMS_PER_RANK) {
                let Some(fd) = &self.streams[number].fd else { continue };
                if is_paused[kind] {
                    poller.remove(fd);
                } else if poller.add(fd, Token::Stream(number)).is_err() {
                    self.streams[number].fd = None;
                }
            }
        }
    }

    /// Whether all streams have ended.
    pub fn is_closed(&self) -> bool {
        self.streams.iter().all(|stream| stream.fd.is_none())
    }

    /// Since when there has been nothing to read; `None` while reading is stopped.
    pub fn quiet_since(&self) -> Option<Instant> {
        (!self.is_paused.contains(&true)).then_some(self.last_read)
    }

    /// Gives up streams that something outside the job holds open.
    pub fn close(&mut self, put: Put<'_>) {
        for number in 0..self.streams.len() {
            self.streams[number].fd = None;
            self.flush(number, put);
        }
    }
}
