//! Descriptors of a rank: those that the launcher has left it, and how many it may have.

use std::fs::{self, File, OpenOptions};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::OpenOptionsExt;

/// Marks a descriptor that the launcher has left.
pub(crate) fn close_on_exec(fd: RawFd, closes: bool) {
    let flags = if closes { libc::FD_CLOEXEC } else { 0 };
    // SAFETY: takes numbers alone.
    unsafe { libc::fcntl(fd, libc::F_SETFD, flags) };
}

/// Opens a descriptor that the launcher has left under its number again, if what stands between has
/// closed it, as Python's `subprocess` does: a process above may still have it. Of those only they
/// count that are in the process group which the launcher has made for the rank.
pub(crate) fn reopen(fd: RawFd) {
    // SAFETY: takes numbers alone; tells whether it is open.
    if unsafe { libc::fcntl(fd, libc::F_GETFD) } >= 0 {
        return;
    }
    // SAFETY: takes nothing, and cannot fail.
    let group = unsafe { libc::getpgrp() };
    let mut above = parent_of("self");
    // SAFETY: takes a number alone.
    while let Some(pid) = above.filter(|pid| unsafe { libc::getpgid(*pid) } == group) {
        if let Some(found) = of_process(pid, fd) {
            // SAFETY: takes numbers alone. It takes the first that is free from `fd` on: that
            // itself, unless another thread has taken it meanwhile.
            let number = unsafe { libc::fcntl(found.as_raw_fd(), libc::F_DUPFD_CLOEXEC, fd) };
            if number > fd {
                // SAFETY: it was opened here, and nobody else knows it.
                unsafe { libc::close(number) };
            }
            return;
        }
        above = parent_of(&pid.to_string());
    }
}

fn parent_of(process: &str) -> Option<libc::pid_t> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Behind the name, in which anything may stand, are the state and the parent.
    stat[stat.rfind(')')? + 1..].split_whitespace().nth(1)?.parse().ok()
}

/// What a process has as this descriptor: memory, to be written, or the end of a pipe that is read.
fn of_process(pid: libc::pid_t, fd: RawFd) -> Option<File> {
    let path = format!("/proc/{pid}/fd/{fd}");
    let open = |writes| {
        OpenOptions::new().read(true).write(writes).custom_flags(libc::O_NONBLOCK).open(&path)
    };
    let is_pipe = fs::read_link(&path).ok()?.to_string_lossy().starts_with("pipe:");
    open(!is_pipe).ok()
}

/// Whether nobody holds the other end of a pipe.
pub(crate) fn is_closed(fd: RawFd) -> bool {
    let mut poll = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    // SAFETY: one valid entry, no waiting.
    let n = unsafe { libc::poll(&raw mut poll, 1, 0) };
    n > 0 && poll.revents & (libc::POLLHUP | libc::POLLERR) != 0
}

/// Raises the limit of open descriptors to the highest that the system allows: a rank of a job on
/// many hosts has connections to each of its peers. Other processes keep what they have, because
/// `select` and programs that close all descriptors suffer from many.
pub(crate) fn allow_many() {
    let Some(limit) = limit() else { return };
    let raised = libc::rlimit { rlim_cur: limit.rlim_max, ..limit };
    // If it is refused, whoever opens one too many says so.
    // SAFETY: the structure is ours and filled.
    unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const raised) };
}

fn limit() -> Option<libc::rlimit> {
    let mut limit = MaybeUninit::<libc::rlimit>::zeroed();
    // SAFETY: the structure is ours.
    let told = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, limit.as_mut_ptr()) };
    // SAFETY: two numbers, for which any bits will do.
    (told == 0).then(|| unsafe { limit.assume_init() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_finds_its_parent_and_what_that_has_open() {
        // SAFETY: takes nothing, and cannot fail.
        let (own, parent) = unsafe { (libc::getpid(), libc::getppid()) };
        assert_eq!((parent_of("self"), parent_of(&own.to_string())), (Some(parent), Some(parent)));
        let file = File::open("/dev/null").unwrap();
        assert!(of_process(own, file.as_raw_fd()).is_some());
        assert!(of_process(own, -1).is_none());
    }

    #[test]
    fn as_many_descriptors_as_the_system_allows() {
        let before = limit().unwrap();
        let lower = libc::rlimit { rlim_cur: before.rlim_max - 1, ..before };
        // SAFETY: the structure is ours and filled.
        assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const lower) }, 0);
        allow_many();
        let after = limit().unwrap();
        assert_eq!((after.rlim_cur, after.rlim_max), (before.rlim_max, before.rlim_max));
    }
}
