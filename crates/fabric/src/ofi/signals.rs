//! The program's signals stay the program's. Libraries below libfabric (PSM, PSM2, PSM3) catch
//! SIGSEGV, SIGINT, SIGTERM and others as soon as they are loaded, write files about crashes into
//! the current directory, and hide from the launcher how a process ended.

use std::ffi::c_int;

/// The last signal that there is.
const LAST: c_int = 64;

/// Does something that may install handlers for signals; those that were there are there again
/// afterwards.
pub fn keeping_signals<T>(act: impl FnOnce() -> T) -> T {
    let before: Vec<_> = (1..=LAST).filter_map(|signal| Some((signal, handler(signal)?))).collect();
    let done = act();
    for (signal, action) in before {
        // SAFETY: what was in force before may be in force again.
        unsafe { libc::sigaction(signal, &raw const action, std::ptr::null_mut()) };
    }
    done
}

/// What is done at a signal; `None` of those that cannot be changed or are the C library's own.
fn handler(signal: c_int) -> Option<libc::sigaction> {
    if [libc::SIGKILL, libc::SIGSTOP].contains(&signal) {
        return None;
    }
    // SAFETY: all zeros is a valid one, to be filled.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: only asks.
    let asked = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut action) };
    (asked == 0).then_some(action)
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn caught(_: c_int) {}

    #[test]
    fn handlers_that_are_installed_meanwhile_are_gone_afterwards() {
        let now = || handler(libc::SIGUSR2).unwrap().sa_sigaction;
        let before = now();
        let inside = keeping_signals(|| {
            // SAFETY: the handler does nothing.
            unsafe { libc::signal(libc::SIGUSR2, caught as *const () as libc::sighandler_t) };
            now()
        });
        assert_ne!(inside, before);
        assert_eq!(now(), before);
    }
}
