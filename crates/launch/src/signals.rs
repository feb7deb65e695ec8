//! Signals to the launcher, as something to read in its one loop.

use std::os::fd::AsFd;

use nix::errno::Errno;
use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, signal, sigprocmask};
use nix::sys::signalfd::{SfdFlags, SignalFd};

/// Signals that end a job.
pub const ENDING: &[Signal] = &[Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT];
/// Signals that are passed on and mean nothing to the launcher itself.
pub const PASSED_ON: &[Signal] = &[Signal::SIGUSR1, Signal::SIGUSR2];

/// The launcher's signals: blocked, and read from a descriptor.
pub struct Signals {
    fd: SignalFd,
    /// The mask the launcher was started with, which the ranks get back.
    pub original: SigSet,
}

impl Signals {
    /// Blocks the signals the launcher looks at.
    pub fn block() -> nix::Result<Signals> {
        let mut read: SigSet = ENDING.iter().chain(PASSED_ON).copied().collect();
        read.extend([Signal::SIGCHLD, Signal::SIGCONT, Signal::SIGTSTP]);
        let mut blocked = read;
        // Blocked but not read: reading the terminal from the background then is an error to deal
        // with instead of a stop.
        blocked.add(Signal::SIGTTIN);
        // A parent may have left it ignored, and then children vanish without a word.
        // SAFETY: the default disposition runs no code of ours.
        unsafe { signal(Signal::SIGCHLD, SigHandler::SigDfl) }?;
        let mut original = SigSet::empty();
        sigprocmask(SigmaskHow::SIG_BLOCK, Some(&blocked), Some(&mut original))?;
        let fd = SignalFd::with_flags(&read, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
        Ok(Signals { fd, original })
    }

    /// The descriptor to wait on.
    pub fn fd(&self) -> impl AsFd {
        &self.fd
    }

    /// The next signal, if one has come.
    pub fn next(&mut self) -> Option<Signal> {
        loop {
            match self.fd.read_signal() {
                Ok(Some(info)) => match Signal::try_from(info.ssi_signo as i32) {
                    Ok(signal) => return Some(signal),
                    Err(_) => continue,
                },
                Err(Errno::EINTR) => continue,
                Ok(None) | Err(_) => return None,
            }
        }
    }
}
