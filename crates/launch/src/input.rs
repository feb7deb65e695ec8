//! Standard input of rank 0. A file or pipe is simply inherited. A terminal cannot be: the ranks
//! are in process groups of their own, and reading a terminal from there stops them. So what the
//! terminal says is copied.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::os::fd::OwnedFd;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::{getpgrp, read, tcgetpgrp, write};

use crate::failure::Failure;
use crate::poller::{Poller, Token};
use crate::start::{RankInput, pipe};

/// A terminal hands out a line at a time, of at most this length.
const READ_BYTES: usize = 4096;

/// Copies a terminal to rank 0.
pub struct Input {
    /// To rank 0; `None` once input or rank has ended.
    to_rank: Option<OwnedFd>,
    /// Read but not yet written. While there is any, the terminal is not read.
    waiting: Vec<u8>,
    is_watched: bool,
}

impl Input {
    /// Decides how rank 0 gets its input: what it inherits, and what there is to copy.
    pub fn choose(has_none: bool) -> Result<(RankInput, Input), Failure> {
        if has_none {
            let nothing = File::open("/dev/null")
                .map_err(|e| Failure::system("cannot open /dev/null for the ranks' input", e))?;
            return Ok((RankInput::Pipe(nothing.into()), Input::to(None)));
        }
        if !io::stdin().is_terminal() {
            return Ok((RankInput::Inherited, Input::to(None)));
        }
        let (for_rank, to_rank) = pipe()?;
        fcntl(&to_rank, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))
            .map_err(|e| Failure::system("cannot prepare standard input", e))?;
        Ok((RankInput::Pipe(for_rank), Input::to(Some(to_rank))))
    }

    fn to(to_rank: Option<OwnedFd>) -> Input {
        Input { to_rank, waiting: Vec::new(), is_watched: false }
    }

    /// Listens to the terminal if it is ours to read: called at the start and when the launcher
    /// may have come to the foreground.
    pub fn listen(&mut self, poller: &Poller) {
        let wanted = self.to_rank.is_some() && self.waiting.is_empty();
        let is_ours = wanted && tcgetpgrp(io::stdin()).is_ok_and(|group| group == getpgrp());
        if is_ours && !self.is_watched {
            self.is_watched = poller.add(io::stdin(), Token::Input).is_ok();
        }
    }

    /// The terminal has something to say.
    pub fn on_readable(&mut self, poller: &Poller) {
        let mut buffer = [0; READ_BYTES];
        match read(io::stdin(), &mut buffer) {
            Ok(0) => self.end(poller),
            Ok(count) => {
                self.waiting.extend_from_slice(&buffer[..count]);
                self.on_writable(poller);
            }
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            // In the background now: wait to come back (`listen`).
            Err(_) => self.ignore_terminal(poller),
        }
    }

    /// Writes to rank 0 what it takes.
    pub fn on_writable(&mut self, poller: &Poller) {
        let Some(to_rank) = &self.to_rank else { return };
        match write(to_rank, &self.waiting) {
            Ok(count) => drop(self.waiting.drain(..count)),
            Err(Errno::EINTR | Errno::EAGAIN) => {}
            // The rank has closed its input.
            Err(_) => return self.end(poller),
        }
        poller.remove(to_rank);
        if !self.waiting.is_empty() {
            poller.watch_writing(to_rank, Token::RankInput, true);
            self.ignore_terminal(poller);
        } else {
            self.listen(poller);
        }
    }

    fn ignore_terminal(&mut self, poller: &Poller) {
        if std::mem::take(&mut self.is_watched) {
            poller.remove(io::stdin());
        }
    }

    fn end(&mut self, poller: &Poller) {
        self.ignore_terminal(poller);
        if let Some(to_rank) = self.to_rank.take() {
            poller.remove(&to_rank);
        }
        self.waiting.clear();
    }
}
