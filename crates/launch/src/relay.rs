//! Passes the ranks' output on: reads their pipes, cuts lines, fills the sinks, and stops reading
//! while a sink is full.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::stat::{FileStat, SFlag, fstat};
use nix::unistd::read;

use crate::lines::Lines;
use crate::poller::{Poller, Token};
use crate::sink::{LAUNCHER, QUEUE_BYTES_HIGH, QUEUE_BYTES_LOW, Queue, Sink};
use crate::start::Process;

/// A pipe's default capacity: one read empties it.
const READ_BYTES: usize = 64 * 1024;
/// Rank 0 has standard input: what it writes without ending the line may be a question, and is
/// shown after this pause.
const PROMPT_IDLE: Duration = Duration::from_millis(50);
/// Other ranks' unfinished lines (`...` of a progress display) are shown after this pause. Long,
/// because a full stdio buffer also ends in the middle of a line.
const UNFINISHED_IDLE: Duration = Duration::from_secs(2);

/// Standard output and standard error: also the numbers of the sinks.
const OUT: usize = 0;
const ERR: usize = 1;
/// Streams of one rank.
const STREAMS_PER_RANK: usize = 2;

struct Stream {
    /// `None` once it has ended.
    fd: Option<OwnedFd>,
    lines: Lines,
    tag: Vec<u8>,
    sink: usize,
}

/// All streams of all ranks and the sinks behind them.
pub struct Relay {
    streams: Vec<Stream>,
    sinks: Vec<Sink>,
    /// Whether a human or a program may read what has no end of line yet.
    is_live: [bool; 2],
    /// The sinks that wait for their reader.
    waits: [bool; 2],
    /// The sinks so full that their streams are not read.
    is_full: [bool; 2],
    buffer: Vec<u8>,
    last_read: Instant,
}

impl Relay {
    /// Takes over the pipes of `processes`.
    pub fn new(
        processes: &mut Vec<Process>,
        poller: &Poller,
        is_tagged: bool,
        now: Instant,
    ) -> nix::Result<Relay> {
        let (out, err) = (standard_output(), standard_error());
        let kinds = [fstat(out)?, fstat(err)?];
        let is_file = [is_regular(&kinds[OUT]), is_regular(&kinds[ERR])];
        // One queue if both go to the same place, so that not even they mix within a line.
        let err_sink = if is_same(&kinds[OUT], &kinds[ERR]) { OUT } else { ERR };
        let mut relay = Relay {
            streams: Vec::with_capacity(processes.len() * STREAMS_PER_RANK),
            sinks: vec![Sink::new(out, is_file[OUT]), Sink::new(err, is_file[ERR])],
            is_live: is_file.map(|is_file| !is_file),
            waits: [false; 2],
            is_full: [false; 2],
            buffer: vec![0; READ_BYTES],
            last_read: now,
        };
        for (rank, process) in processes.drain(..).enumerate() {
            let tag = if is_tagged { format!("[{rank}] ").into_bytes() } else { Vec::new() };
            for (fd, sink) in [(process.stdout, OUT), (process.stderr, err_sink)] {
                // Only our end: the rank's writes wait as they would anywhere.
                fcntl(&fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
                poller.add(&fd, Token::Stream(relay.streams.len()))?;
                let (lines, tag) = (Lines::default(), tag.clone());
                relay.streams.push(Stream { fd: Some(fd), lines, tag, sink });
            }
        }
        Ok(relay)
    }

    /// Prints a message of the launcher.
    pub fn say(&mut self, text: &str) {
        let sink = self.streams.get(ERR).map_or(ERR, |stream| stream.sink);
        self.sinks[sink].queue.put(LAUNCHER, b"", text.as_bytes());
    }

    /// A stream has something to read, or has ended.
    pub fn on_readable(&mut self, number: usize, poller: &Poller, now: Instant) {
        let stream = &mut self.streams[number];
        let Some(fd) = &stream.fd else { return };
        let count = match read(fd, &mut self.buffer) {
            Ok(count) => count,
            Err(Errno::EINTR | Errno::EAGAIN) => return,
            Err(_) => 0,
        };
        self.last_read = now;
        let Stream { lines, tag, sink, .. } = stream;
        let queue = &mut self.sinks[*sink].queue;
        if count > 0 {
            lines.push(&self.buffer[..count], now, |text| queue.put(number, tag, text));
        } else {
            lines.flush(|text| queue.put(number, tag, text));
            poller.remove(fd);
            stream.fd = None;
        }
    }

    /// Reads what a rank that has ended left in its pipes, so that its last words come before what
    /// the launcher says about them.
    pub fn on_ended(&mut self, rank: usize, poller: &Poller, now: Instant) {
        for number in rank * STREAMS_PER_RANK..(rank + 1) * STREAMS_PER_RANK {
            // One read empties a pipe; what its children may write goes the usual way.
            self.on_readable(number, poller, now);
        }
    }

    /// Shows unfinished lines whose time has come.
    pub fn on_time(&mut self, now: Instant) {
        for number in 0..self.streams.len() {
            if self.flush_at(number).is_some_and(|at| at <= now) {
                let Stream { lines, tag, sink, .. } = &mut self.streams[number];
                let queue = &mut self.sinks[*sink].queue;
                lines.flush(|text| queue.put(number, tag, text));
            }
        }
    }

    /// When [`on_time`](Self::on_time) has something to do.
    pub fn next_time(&self) -> Option<Instant> {
        (0..self.streams.len()).filter_map(|number| self.flush_at(number)).min()
    }

    fn flush_at(&self, number: usize) -> Option<Instant> {
        let stream = &self.streams[number];
        let idle = if number < STREAMS_PER_RANK { PROMPT_IDLE } else { UNFINISHED_IDLE };
        stream.lines.flush_at(idle).filter(|_| self.is_live[stream.sink])
    }

    /// Writes what the readers take, and stops or resumes reading the ranks accordingly. An
    /// error is permanent.
    pub fn write(&mut self, poller: &Poller) -> nix::Result<()> {
        let mut result = Ok(());
        for number in 0..self.sinks.len() {
            let sink = &mut self.sinks[number];
            result = result.and(sink.write());
            let waits = sink.queue.len() > 0;
            if waits != self.waits[number] {
                self.waits[number] = poller.watch_writing(sink.fd(), Token::Sink(number), waits);
            }
            // Two limits, so that reading does not stop and start with every write.
            let limit = if self.is_full[number] { QUEUE_BYTES_LOW } else { QUEUE_BYTES_HIGH };
            let is_full = sink.queue.len() > limit;
            if is_full != self.is_full[number] {
                self.is_full[number] = is_full;
                self.read_streams_of(number, !is_full, poller);
            }
        }
        result
    }

    fn read_streams_of(&mut self, sink: usize, is_read: bool, poller: &Poller) {
        for (number, stream) in self.streams.iter_mut().enumerate() {
            let Some(fd) = stream.fd.as_ref().filter(|_| stream.sink == sink) else { continue };
            if !is_read {
                poller.remove(fd);
            } else if poller.add(fd, Token::Stream(number)).is_err() {
                stream.fd = None;
            }
        }
    }

    /// Whether everything the ranks wrote has been written.
    pub fn is_empty(&self) -> bool {
        self.sinks.iter().all(|sink| sink.queue.len() == 0)
    }

    /// Whether all streams have ended.
    pub fn is_closed(&self) -> bool {
        self.streams.iter().all(|stream| stream.fd.is_none())
    }

    /// Since when there has been nothing to read; `None` while reading is stopped.
    pub fn quiet_since(&self) -> Option<Instant> {
        (!self.is_full.contains(&true)).then_some(self.last_read)
    }

    /// Gives up everything that is not written yet.
    pub fn drop_all(&mut self) {
        self.close();
        self.sinks.iter_mut().for_each(|sink| sink.queue = Queue::default());
    }

    /// Gives up streams that something outside the job holds open.
    pub fn close(&mut self) {
        for number in 0..self.streams.len() {
            let Stream { fd, lines, tag, sink, .. } = &mut self.streams[number];
            *fd = None;
            let queue = &mut self.sinks[*sink].queue;
            lines.flush(|text| queue.put(number, tag, text));
        }
    }
}

fn standard_output() -> BorrowedFd<'static> {
    borrowed(io::stdout().as_fd())
}

fn standard_error() -> BorrowedFd<'static> {
    borrowed(io::stderr().as_fd())
}

/// The standard streams live as long as the process.
fn borrowed(fd: BorrowedFd<'_>) -> BorrowedFd<'static> {
    // SAFETY: descriptors 1 and 2 are never closed by the launcher.
    unsafe { BorrowedFd::borrow_raw(std::os::fd::AsRawFd::as_raw_fd(&fd)) }
}

fn is_same(a: &FileStat, b: &FileStat) -> bool {
    (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino)
}

fn is_regular(file: &FileStat) -> bool {
    SFlag::from_bits_truncate(file.st_mode) & SFlag::S_IFMT == SFlag::S_IFREG
}
