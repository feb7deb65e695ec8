//! Messages on standard error, and the end of a process that cannot go on: its output is flushed
//! first, and nothing that other threads of the program do can block the end.

use std::io::Write;
use std::sync::atomic::{AtomicI32, Ordering};

use libc::{FILE, c_int};

/// The longest time to flush the program's output before it ends. Long, because the reader of the
/// output may be slow; not for ever, because a thread of the program may hold the lock of a stream.
const FLUSH_LIMIT_S: libc::c_uint = 10;

/// The exit status, for the handler that ends a process whose streams cannot be flushed.
static STATUS: AtomicI32 = AtomicI32::new(1);

unsafe extern "C" {
    static stdin: *mut FILE;
    static stdout: *mut FILE;
    static stderr: *mut FILE;
    fn ftrylockfile(stream: *mut FILE) -> c_int;
    fn funlockfile(stream: *mut FILE);
}

/// Prints `dunlin: ` and the text on standard error in one write: other processes write there too,
/// and this one may be killed at any moment, but neither cuts a message.
pub fn say(text: &str) {
    let line = format!("dunlin: {text}\n");
    // An error here has no reader.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Ends the process: flushes the program's output and runs no exit handler, because handlers of a
/// program in an unknown state may do harm.
pub(crate) fn leave_at_once(status: i32) -> ! {
    STATUS.store(status, Ordering::Relaxed);
    // SAFETY: the handler makes one call, which is allowed in handlers; the calls change nothing
    // but what becomes of one signal.
    unsafe {
        let mut alarm: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut alarm);
        libc::sigaddset(&raw mut alarm, libc::SIGALRM);
        libc::signal(libc::SIGALRM, on_alarm as *const () as libc::sighandler_t);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const alarm, std::ptr::null_mut());
        libc::alarm(FLUSH_LIMIT_S);
    }
    flush_output();
    // SAFETY: may be called at any time; nothing comes after it.
    unsafe { libc::_exit(status) }
}

extern "C" fn on_alarm(_: c_int) {
    // SAFETY: allowed in a handler. Relaxed: set by the thread that then asked for the alarm.
    unsafe { libc::_exit(STATUS.load(Ordering::Relaxed)) }
}

/// Flushes what the program has printed. All streams are flushed, unless another thread
/// is reading standard input: it holds that stream's lock until there is something to read, and
/// `fflush` of all streams would wait for it.
pub(crate) fn flush_output() {
    // SAFETY: the C library's own streams, which are never freed; a lock that was taken is given
    // back by the thread that took it.
    unsafe {
        if ftrylockfile(stdin) == 0 {
            funlockfile(stdin);
            libc::fflush(std::ptr::null_mut());
        } else {
            libc::fflush(stdout);
            libc::fflush(stderr);
        }
    }
}
