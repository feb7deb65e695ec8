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
/// The most that a pipe holds, unless the machine's owner raises the limit (`pipe-max-size`).
const PIPE_BYTES_MAX: usize = 1 << 20;
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
        self.last_read = now;
        if self.read(number, now, put) == Some(0) {
            let stream = &mut self.streams[number];
            stream.fd.take().into_iter().for_each(|fd| poller.remove(fd));
            self.flush(number, put);
        }
    }

    /// Reads once; tells how much has come, which is 0 at the end, and `None` if there is nothing
    /// to read now.
    fn read(&mut self, number: usize, now: Instant, put: Put<'_>) -> Option<usize> {
        let stream = &mut self.streams[number];
        let count = match read(stream.fd.as_ref()?, &mut self.buffer) {
            Ok(count) => count,
            Err(Errno::EINTR | Errno::EAGAIN) => return None,
            Err(_) => 0,
        };
        let put = |text: &[u8]| put(number / STREAMS_PER_RANK, number % STREAMS_PER_RANK, text);
        stream.lines.push(&self.buffer[..count], now, put);
        Some(count)
    }

    /// Reads what a stream holds, and not what its writers add all the while.
    fn drain(&mut self, number: usize, now: Instant, put: Put<'_>) {
        let mut left = PIPE_BYTES_MAX;
        while let Some(count @ 1..) = self.read(number, now, put) {
            left = left.saturating_sub(count);
            if left == 0 {
                return;
            }
        }
    }

    /// Reads what a rank that has ended left in its pipes, so that its last words come before what
    /// the launcher says about them. What its children may write goes the usual way.
    pub fn on_ended(&mut self, local_rank: usize, now: Instant, put: Put<'_>) {
        for number in local_rank * STREAMS_PER_RANK..(local_rank + 1) * STREAMS_PER_RANK {
            self.drain(number, now, put);
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
        let (local_rank, kind) = (number / STREAMS_PER_RANK, number % STREAMS_PER_RANK);
        self.streams[number].lines.flush(|text| put(local_rank, kind, text));
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

    /// Gives up streams that something outside the job holds open. What they hold is read first:
    /// this process may not have run since it was written.
    pub fn close(&mut self, now: Instant, put: Put<'_>) {
        for number in 0..self.streams.len() {
            self.drain(number, now, put);
            self.streams[number].fd = None;
            self.flush(number, put);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::start::pipe;
    use nix::unistd::{Pid, write};

    /// The streams of a rank that has just written this, and its ends, which stay open.
    fn written(text: &[u8]) -> (Streams, OwnedFd, OwnedFd) {
        let ((stdout, out), (stderr, err)) = (pipe().unwrap(), pipe().unwrap());
        fcntl(&out, FcntlArg::F_SETPIPE_SZ(PIPE_BYTES_MAX as i32)).unwrap();
        let mut processes = vec![Process { pid: Pid::from_raw(1), stdout, stderr, pmi: None }];
        let poller = Poller::new().unwrap();
        let streams = Streams::new(&mut processes, &poller, [true; 2], None, Instant::now());
        assert_eq!(write(&out, text), Ok(text.len()));
        (streams.unwrap(), out, err)
    }

    #[test]
    fn what_was_written_is_read_before_a_stream_is_given_up() {
        let (mut streams, _out, _err) = written(b"last words\nand more");
        let mut read = Vec::new();
        streams.close(Instant::now(), &mut |_, _, text| read.extend_from_slice(text));
        assert_eq!(read, b"last words\nand more");
    }

    #[test]
    fn all_that_a_rank_has_left_comes_before_what_is_said_of_its_end() {
        let text = b"0123456789abcde\n".repeat(READ_BYTES / 4);
        let (mut streams, _out, _err) = written(&text);
        let mut read = Vec::new();
        streams.on_ended(0, Instant::now(), &mut |_, _, text| read.extend_from_slice(text));
        assert_eq!(read, text);
    }
}
