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
    /// Blocks the signals that the launcher handles.
    pub fn block() -> nix::Result<Signals> {
        let mut read: SigSet = ENDING.iter().chain(PASSED_ON).copied().collect();
        read.extend([Signal::SIGCHLD, Signal::SIGCONT, Signal::SIGTSTP]);
        // `nohup mpirun`: the job shall outlive its terminal.
        if is_ignored(Signal::SIGHUP) {
            read.remove(Signal::SIGHUP);
        }
        let mut blocked = read;
        // Blocked but not read: reading the terminal from the background then is an error to deal
        // with instead of a stop.
        blocked.add(Signal::SIGTTIN);
        // A parent may have left it ignored, and then children vanish without notice.
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

/// Whether our parent left this signal ignored.
fn is_ignored(signal: Signal) -> bool {
    let mut action = std::mem::MaybeUninit::<nix::libc::sigaction>::zeroed();
    // SAFETY: without a new action the call only writes the present one; all zeroes is a valid one.
    unsafe {
        nix::libc::sigaction(signal as nix::libc::c_int, std::ptr::null(), action.as_mut_ptr());
        action.assume_init().sa_sigaction == nix::libc::SIG_IGN
    }
}
