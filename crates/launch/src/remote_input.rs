//! Standard input of a rank on another host: read here a piece at a time, and the next piece only
//! when the rank has taken the last.

use std::io;

use nix::errno::Errno;
use nix::unistd::{getpgrp, read, tcgetpgrp};
use std::io::IsTerminal;

use crate::poller::{Poller, Token};

/// Bytes of a piece.
const PIECE_BYTES: usize = 32 * 1024;

/// This process's standard input, to be sent.
pub struct RemoteInput {
    /// A piece is wanted.
    is_wanted: bool,
    is_watched: bool,
    /// The rank reads nothing.
    has_none: bool,
    has_ended: bool,
}

impl RemoteInput {
    /// Nothing is read before [`want`](Self::want), or nothing at all.
    pub fn new(has_none: bool) -> RemoteInput {
        RemoteInput { is_wanted: false, is_watched: false, has_none, has_ended: false }
    }

    /// The rank is ready for a piece: it is read as soon as there is one. A file has one at once.
    pub fn want(&mut self, poller: &Poller) -> Option<Vec<u8>> {
        self.is_wanted = true;
        self.listen(poller)
    }

    /// Listens if a piece is wanted and the input is ours to read: called again when the launcher
    /// may have come to the foreground.
    pub fn listen(&mut self, poller: &Poller) -> Option<Vec<u8>> {
        let stdin = io::stdin();
        if !self.is_wanted || self.has_ended || self.is_watched {
            return None;
        }
        if stdin.is_terminal() && tcgetpgrp(&stdin).is_ok_and(|group| group != getpgrp()) {
            return None;
        }
        if self.has_none {
            return self.end(poller);
        }
        match poller.add(&stdin, Token::Input) {
            Ok(()) => {
                self.is_watched = true;
                None
            }
            // A regular file, or nothing at all: it is never waited for.
            Err(Errno::EPERM) => self.take(poller),
            Err(_) => self.end(poller),
        }
    }

    /// There is something to read: the piece, which is empty at the end.
    pub fn take(&mut self, poller: &Poller) -> Option<Vec<u8>> {
        if !self.is_wanted || self.has_ended {
            return None;
        }
        let mut buffer = vec![0; PIECE_BYTES];
        match read(io::stdin(), &mut buffer) {
            Ok(0) => self.end(poller),
            Ok(count) => {
                buffer.truncate(count);
                self.is_wanted = false;
                self.ignore(poller);
                Some(buffer)
            }
            Err(Errno::EINTR | Errno::EAGAIN) => None,
            // In the background now: wait to come back (`listen`).
            Err(Errno::EIO) if io::stdin().is_terminal() => {
                self.ignore(poller);
                None
            }
            Err(_) => self.end(poller),
        }
    }

    /// The rank reads no more.
    pub fn on_closed(&mut self, poller: &Poller) {
        self.ignore(poller);
        self.has_ended = true;
    }

    fn end(&mut self, poller: &Poller) -> Option<Vec<u8>> {
        self.on_closed(poller);
        Some(Vec::new())
    }

    fn ignore(&mut self, poller: &Poller) {
        if std::mem::take(&mut self.is_watched) {
            poller.remove(io::stdin());
        }
    }
}
