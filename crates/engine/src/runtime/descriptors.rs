//! Descriptors of a rank: those that the launcher has left it, and how many it may have.

use std::mem::MaybeUninit;
use std::os::fd::RawFd;

/// Marks a descriptor that the launcher has left.
pub(crate) fn close_on_exec(fd: RawFd, closes: bool) {
    let flags = if closes { libc::FD_CLOEXEC } else { 0 };
    // SAFETY: takes numbers alone.
    unsafe { libc::fcntl(fd, libc::F_SETFD, flags) };
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
