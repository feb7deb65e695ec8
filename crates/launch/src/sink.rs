//! Where the ranks' output goes: a queue in front of standard output or standard error that never
//! blocks the launcher while nobody reads, and keeps account of whose line is open.

use std::os::fd::{AsFd, BorrowedFd};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::write;

/// A pipe or terminal that says it can be written to takes at least this much without blocking
/// (`PIPE_BUF`).
const WRITE_BYTES: usize = 4096;
/// With this much waiting to be written, no more is read from the ranks.
pub const QUEUE_BYTES_HIGH: usize = 1 << 20;
/// Below this the ranks are read again.
pub const QUEUE_BYTES_LOW: usize = QUEUE_BYTES_HIGH / 2;

/// Who writes: a rank's stream, or the launcher itself.
pub type Writer = usize;
/// The launcher among the writers.
pub const LAUNCHER: Writer = usize::MAX;

/// Text on its way out, line by line.
#[derive(Debug, Default)]
pub struct OutputQueue {
    bytes: Vec<u8>,
    written: usize,
    /// Whose line is not finished.
    open: Option<Writer>,
}

impl OutputQueue {
    /// Appends whole lines, or a piece of one, with `tag` before each line.
    pub fn put(&mut self, writer: Writer, tag: &[u8], text: &[u8]) {
        let continues = self.open == Some(writer);
        // Untagged output is passed on as it is, but a tag or a message of ours begins a line.
        if self.open.is_some() && !continues && (!tag.is_empty() || writer == LAUNCHER) {
            self.bytes.push(b'\n');
        }
        if tag.is_empty() {
            self.bytes.extend_from_slice(text);
        } else {
            for (number, line) in text.split_inclusive(|&b| b == b'\n').enumerate() {
                if number > 0 || !continues {
                    self.bytes.extend_from_slice(tag);
                }
                self.bytes.extend_from_slice(line);
            }
        }
        self.open = if text.ends_with(b"\n") { None } else { Some(writer) };
    }

    /// Bytes that wait.
    pub fn len(&self) -> usize {
        self.bytes.len() - self.written
    }

    fn next(&self, bytes_max: usize) -> &[u8] {
        let end = self.bytes.len().min(self.written.saturating_add(bytes_max));
        &self.bytes[self.written..end]
    }

    fn advance(&mut self, count: usize) {
        self.written += count;
        if self.written == self.bytes.len() {
            self.bytes.clear();
            self.written = 0;
        } else if self.written > QUEUE_BYTES_HIGH {
            self.bytes.drain(..self.written);
            self.written = 0;
        }
    }
}

/// A queue and the descriptor it is written to.
pub struct Sink {
    /// What waits.
    pub queue: OutputQueue,
    fd: BorrowedFd<'static>,
    /// Bytes written at once.
    write_bytes: usize,
    /// Why nothing can be written any more.
    broken: Option<Errno>,
}

impl Sink {
    /// A sink in front of `fd`. A regular file takes any amount without waiting for a reader.
    pub fn new(fd: BorrowedFd<'static>, is_file: bool) -> Sink {
        let write_bytes = if is_file { usize::MAX } else { WRITE_BYTES };
        Sink { queue: OutputQueue::default(), fd, write_bytes, broken: None }
    }

    /// The descriptor.
    pub fn fd(&self) -> impl AsFd {
        self.fd
    }

    /// Writes what can be written without waiting. After an error (`EPIPE`: the reader has gone)
    /// everything is dropped.
    pub fn write(&mut self) -> nix::Result<()> {
        while self.queue.len() > 0 && self.broken.is_none() && self.is_ready() {
            match write(self.fd, self.queue.next(self.write_bytes)) {
                Ok(count) => self.queue.advance(count),
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                Err(error) => self.broken = Some(error),
            }
        }
        let Some(error) = self.broken else { return Ok(()) };
        self.queue.advance(self.queue.len());
        Err(error)
    }

    fn is_ready(&self) -> bool {
        let mut fds = [PollFd::new(self.fd, PollFlags::POLLOUT)];
        // A closed reader shows as an error here, and then as one of `write`.
        poll(&mut fds, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(queue: &OutputQueue) -> &str {
        std::str::from_utf8(&queue.bytes).unwrap()
    }

    #[test]
    fn every_line_gets_the_tag_of_its_rank() {
        let mut queue = OutputQueue::default();
        queue.put(1, b"[1] ", b"a\nb\n");
        queue.put(0, b"[0] ", b"c\n");
        assert_eq!(text(&queue), "[1] a\n[1] b\n[0] c\n");
    }

    #[test]
    fn the_rest_of_a_line_gets_no_second_tag() {
        let mut queue = OutputQueue::default();
        queue.put(1, b"[1] ", b"name? ");
        queue.put(1, b"[1] ", b"thanks\nbye\n");
        assert_eq!(text(&queue), "[1] name? thanks\n[1] bye\n");
    }

    #[test]
    fn tags_and_messages_begin_a_line_even_after_a_piece_of_one() {
        let mut queue = OutputQueue::default();
        queue.put(0, b"[0] ", b"name? ");
        queue.put(1, b"[1] ", b"hello\n");
        queue.put(0, b"", b"prompt");
        queue.put(LAUNCHER, b"", b"mpirun: end\n");
        assert_eq!(text(&queue), "[0] name? \n[1] hello\nprompt\nmpirun: end\n");
    }

    #[test]
    fn untagged_output_is_passed_on_unchanged() {
        let mut queue = OutputQueue::default();
        queue.put(0, b"", b"ab");
        queue.put(1, b"", b"cd\n");
        assert_eq!(text(&queue), "abcd\n");
    }

    #[test]
    fn what_is_written_leaves_the_queue() {
        let mut queue = OutputQueue::default();
        queue.put(0, b"", &vec![b'x'; WRITE_BYTES + 1]);
        assert_eq!(queue.next(WRITE_BYTES).len(), WRITE_BYTES);
        queue.advance(WRITE_BYTES);
        assert_eq!((queue.next(WRITE_BYTES).len(), queue.len()), (1, 1));
        queue.advance(1);
        assert_eq!((queue.len(), queue.bytes.len()), (0, 0));
    }
}
