//! Where all ranks' output comes together: standard output and standard error of the launcher.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use nix::sys::stat::{FileStat, SFlag, fstat};

use crate::message::{ERR, OUT};
use crate::poller::{Poller, Token};
use crate::sink::{LAUNCHER, OutputQueue, QUEUE_BYTES_HIGH, QUEUE_BYTES_LOW, Sink};

/// Streams of one rank.
const STREAMS_PER_RANK: usize = 2;

/// Both sinks.
pub struct Sinks {
    sinks: [Sink; 2],
    /// The sink of standard error: that of standard output, if both go to the same place, so that
    /// not even they mix within a line.
    err_sink: usize,
    is_live: [bool; 2],
    is_tagged: bool,
    /// The sinks that wait for their reader.
    waits: [bool; 2],
    is_full: [bool; 2],
}

impl Sinks {
    /// The launcher's own standard streams, with a tag before each line or not.
    pub fn new(is_tagged: bool) -> nix::Result<Sinks> {
        let (out, err) = (standard_output(), standard_error());
        let kinds = [fstat(out)?, fstat(err)?];
        let is_file = [is_regular(&kinds[OUT]), is_regular(&kinds[ERR])];
        Ok(Sinks {
            sinks: [Sink::new(out, is_file[OUT]), Sink::new(err, is_file[ERR])],
            err_sink: if is_same(&kinds[OUT], &kinds[ERR]) { OUT } else { ERR },
            is_live: is_file.map(|is_file| !is_file),
            is_tagged,
            waits: [false; 2],
            is_full: [false; 2],
        })
    }

    /// Whether a human or a program may read what has no end of line yet.
    pub fn is_live(&self) -> [bool; 2] {
        [self.is_live[OUT], self.is_live[self.err_sink]]
    }

    /// The streams that should not be read now, because their sink is full.
    pub fn is_full(&self) -> [bool; 2] {
        [self.is_full[OUT], self.is_full[self.err_sink]]
    }

    /// Prints a message of the launcher.
    pub fn say(&mut self, text: &str) {
        self.sinks[self.err_sink].queue.put(LAUNCHER, b"", text.as_bytes());
    }

    /// Prints what a rank wrote to [`OUT`] or [`ERR`].
    pub fn put(&mut self, rank: u32, stream: usize, text: &[u8]) {
        let writer = rank as usize * STREAMS_PER_RANK + stream;
        let sink = if stream == OUT { OUT } else { self.err_sink };
        let queue = &mut self.sinks[sink].queue;
        match self.is_tagged {
            true => queue.put(writer, format!("[{rank}] ").as_bytes(), text),
            false => queue.put(writer, b"", text),
        }
    }

    /// Writes what the readers take. An error is permanent.
    pub fn write(&mut self, poller: &Poller) -> nix::Result<()> {
        let mut result = Ok(());
        for (number, sink) in self.sinks.iter_mut().enumerate() {
            result = result.and(sink.write());
            let waits = sink.queue.len() > 0;
            if waits != self.waits[number] {
                self.waits[number] = poller.watch_writing(sink.fd(), Token::Sink(number), waits);
            }
            // Two limits, so that reading does not stop and start with every write.
            let limit = if self.is_full[number] { QUEUE_BYTES_LOW } else { QUEUE_BYTES_HIGH };
            self.is_full[number] = sink.queue.len() > limit;
        }
        result
    }

    /// Whether everything has been written.
    pub fn is_empty(&self) -> bool {
        self.sinks.iter().all(|sink| sink.queue.len() == 0)
    }

    /// Gives up everything that is not written yet.
    pub fn drop_all(&mut self) {
        self.sinks.iter_mut().for_each(|sink| sink.queue = OutputQueue::default());
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
