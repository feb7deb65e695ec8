//! The one place the launcher waits: descriptors with a name each.

use std::os::fd::AsFd;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};

/// What became ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    /// A signal to the launcher.
    Signal,
    /// A child that could not become its rank.
    Trouble,
    /// The launcher's standard input.
    Input,
    /// Rank 0's standard input takes more.
    RankInput,
    /// A sink takes more.
    Sink(usize),
    /// A rank's stream has something to read.
    Stream(usize),
    /// A rank has sent something by PMI.
    Pmi(usize),
    /// An agent's channel has something to read.
    AgentChannel(usize),
    /// An agent's channel takes more.
    ChannelRoom(usize),
    /// The command that starts an agent has written to standard error.
    Complaint(usize),
}

const KIND_SHIFT: u32 = 32;
const NUMBER_MASK: u64 = (1 << KIND_SHIFT) - 1;
/// Events taken at once.
const EVENTS: usize = 64;

impl Token {
    fn to_word(self) -> u64 {
        let (kind, number) = match self {
            Token::Signal => (0u64, 0),
            Token::Trouble => (1, 0),
            Token::Input => (2, 0),
            Token::RankInput => (3, 0),
            Token::Sink(number) => (4, number),
            Token::Stream(number) => (5, number),
            Token::AgentChannel(number) => (6, number),
            Token::ChannelRoom(number) => (7, number),
            Token::Complaint(number) => (8, number),
            Token::Pmi(number) => (9, number),
        };
        kind << KIND_SHIFT | number as u64
    }

    fn from_word(word: u64) -> Token {
        let number = (word & NUMBER_MASK) as usize;
        match word >> KIND_SHIFT {
            0 => Token::Signal,
            1 => Token::Trouble,
            2 => Token::Input,
            3 => Token::RankInput,
            4 => Token::Sink(number),
            5 => Token::Stream(number),
            6 => Token::AgentChannel(number),
            7 => Token::ChannelRoom(number),
            8 => Token::Complaint(number),
            _ => Token::Pmi(number),
        }
    }
}

/// Waits for descriptors.
pub struct Poller {
    epoll: Epoll,
}

impl Poller {
    /// A poller that waits for nothing yet.
    pub fn new() -> nix::Result<Poller> {
        Ok(Poller { epoll: Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)? })
    }

    /// Waits for something to read.
    pub fn add(&self, fd: impl AsFd, token: Token) -> nix::Result<()> {
        self.epoll.add(fd, EpollEvent::new(EpollFlags::EPOLLIN, token.to_word()))
    }

    /// Waits for room to write, or no longer; tells whether it now waits. A regular file never
    /// makes anyone wait and is refused by the kernel.
    pub fn watch_writing(&self, fd: impl AsFd, token: Token, waits: bool) -> bool {
        if !waits {
            self.remove(fd);
            return false;
        }
        self.epoll.add(fd, EpollEvent::new(EpollFlags::EPOLLOUT, token.to_word())).is_ok()
    }

    /// No longer waits for `fd`.
    pub fn remove(&self, fd: impl AsFd) {
        // Fails only for what was never added, which is then as wanted.
        let _ = self.epoll.delete(fd);
    }

    /// Waits at most `timeout` (for ever if there is none) and tells what is ready.
    pub fn wait(&self, timeout: Option<Duration>) -> Vec<Token> {
        let mut events = [EpollEvent::empty(); EVENTS];
        // Rounded up: waking before the time has come would only mean to wait again.
        let timeout = timeout.map_or(EpollTimeout::NONE, |t| {
            let ms = t.as_nanos().div_ceil(1_000_000).min(i32::MAX as u128) as i32;
            EpollTimeout::try_from(ms).unwrap_or(EpollTimeout::MAX)
        });
        match self.epoll.wait(&mut events, timeout) {
            Ok(count) => events[..count].iter().map(|e| Token::from_word(e.data())).collect(),
            Err(Errno::EINTR) => Vec::new(),
            Err(error) => unreachable!("a valid epoll with a valid buffer failed: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_survive_the_kernel() {
        for token in [Token::Signal, Token::Trouble, Token::Input, Token::RankInput] {
            assert_eq!(Token::from_word(token.to_word()), token);
        }
        for number in [0, 1, 2047] {
            for token in [Token::Sink, Token::Stream, Token::AgentChannel, Token::ChannelRoom] {
                assert_eq!(Token::from_word(token(number).to_word()), token(number));
            }
            for token in [Token::Complaint, Token::Pmi] {
                assert_eq!(Token::from_word(token(number).to_word()), token(number));
            }
        }
    }

    #[test]
    fn what_is_ready_is_named() {
        let poller = Poller::new().unwrap();
        let (reader, writer) = nix::unistd::pipe().unwrap();
        poller.add(&reader, Token::Stream(3)).unwrap();
        assert_eq!(poller.wait(Some(Duration::ZERO)), []);
        nix::unistd::write(&writer, b"x").unwrap();
        assert_eq!(poller.wait(None), [Token::Stream(3)]);
        poller.remove(&reader);
        assert_eq!(poller.wait(Some(Duration::ZERO)), []);
    }
}
