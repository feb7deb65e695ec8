//! Descriptors of a rank: those that the launcher has left it, and how many it may have.

use std::fs::{self, File, OpenOptions};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, IntoRawFd, RawFd};

use dunlin_machine::parent_of;
use dunlin_shm::Segment;

/// Marks a descriptor that the launcher has left.
pub(crate) fn close_on_exec(fd: RawFd, closes: bool) {
    let flags = if closes { libc::FD_CLOEXEC } else { 0 };
    // SAFETY: takes numbers alone.
    unsafe { libc::fcntl(fd, libc::F_SETFD, flags) };
}

/// How the kernel's name of a pipe begins.
const PIPE: &str = "pipe:";

/// Where what stands between the launcher and this process has closed the descriptors that it has
/// left, as Python's `subprocess` does, opens them again under their numbers: from the next process
/// above that still has the segment. Only those between are asked: others may be of another job.
pub(crate) fn reopen(segment: RawFd, lifeline: Option<RawFd>, launcher: i32) {
    if is_open(segment) {
        return;
    }
    let has_it = |&pid: &i32| Some((pid, of_process(pid, segment, Segment::KERNEL_NAME, true)?));
    let Some((pid, found)) = between(launcher).iter().find_map(has_it) else { return };
    put_at(found, segment);
    if let Some(lifeline) = lifeline.filter(|fd| !is_open(*fd)) {
        let found = of_process(pid, lifeline, PIPE, false);
        found.into_iter().for_each(|found| put_at(found, lifeline));
    }
}

/// The processes above this one, the next first, up to the child of `launcher`; none if that is not
/// above it, as where one of them has ended.
fn between(launcher: i32) -> Vec<i32> {
    let mut found = Vec::new();
    let mut above = parent_of("self");
    while let Some(pid) = above.filter(|pid| *pid > 0) {
        if pid == launcher {
            return found;
        }
        found.push(pid);
        above = parent_of(&pid.to_string());
    }
    Vec::new()
}

fn is_open(fd: RawFd) -> bool {
    // SAFETY: takes numbers alone.
    unsafe { libc::fcntl(fd, libc::F_GETFD) >= 0 }
}

/// What a process has under this number, if the kernel's name for it begins so.
fn of_process(pid: i32, fd: RawFd, name: &str, writes: bool) -> Option<File> {
    let path = format!("/proc/{pid}/fd/{fd}");
    let is_it = fs::read_link(&path).ok()?.to_string_lossy().starts_with(name);
    is_it.then(|| OpenOptions::new().read(true).write(writes).open(&path).ok())?
}

/// Leaves a file open under this number, which nothing had when it was opened.
fn put_at(file: File, fd: RawFd) {
    if file.as_raw_fd() == fd {
        let _ = file.into_raw_fd();
        return;
    }
    // SAFETY: takes numbers alone: the first that is free from `fd` on.
    let number = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, fd) };
    if number > fd {
        // Another thread has taken it meanwhile.
        // SAFETY: it was opened here, and nobody else knows it.
        unsafe { libc::close(number) };
    }
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
    fn only_processes_below_the_launcher_are_asked() {
        let parent = parent_of("self").unwrap();
        assert!(between(parent).is_empty());
        // In a container there may be none above.
        if let Some(above) = parent_of(&parent.to_string()).filter(|pid| *pid > 0) {
            assert_eq!(between(above), [parent]);
        }
        assert!(between(-1).is_empty(), "it is not there");
    }

    #[test]
    fn a_descriptor_of_the_right_kind_is_found() {
        // SAFETY: a name that ends, and flags.
        let fd = unsafe { libc::memfd_create(c"dunlin".as_ptr(), libc::MFD_CLOEXEC) };
        let own = std::process::id() as i32;
        assert!(of_process(own, fd, Segment::KERNEL_NAME, true).is_some());
        assert!(
            of_process(own, fd, PIPE, false).is_none() && of_process(own, -1, "", true).is_none()
        );
        // SAFETY: opened above.
        unsafe { libc::close(fd) };
    }

    #[test]
    fn a_file_is_put_under_a_number_also_if_it_has_it_already() {
        let open = || File::open("/dev/null").unwrap();
        let file = open();
        let own = file.as_raw_fd();
        put_at(file, own);
        assert!(is_open(own));
        // Near the end of all that there are: other tests, at the same time, have hundreds.
        let other = limit().unwrap().rlim_cur.min(1 << 20) as RawFd - 8;
        assert!(!is_open(other));
        put_at(open(), other);
        assert!(is_open(other));
        // SAFETY: both were opened here.
        [own, other].into_iter().for_each(|fd| assert_eq!(unsafe { libc::close(fd) }, 0));
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
