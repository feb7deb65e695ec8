//! How a rank's process ended, asked without reaping it.

use nix::libc::{CLD_EXITED, P_PID, WEXITED, WNOHANG, WNOWAIT, siginfo_t, waitid};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;

use crate::exit_status::Exit;

/// The process is not ours to ask about, so how it ended is lost; better a failure than a wait
/// without end.
const STATUS_LOST: i32 = 1;

/// How the child `pid` ended, if it has. It stays a zombie, so that its number, which is also its
/// process group's, is not given to another process while the group may still be signalled.
pub fn exit_of(pid: Pid) -> Option<Exit> {
    // SAFETY: all zero is a valid `siginfo_t`.
    let mut info: siginfo_t = unsafe { std::mem::zeroed() };
    let flags = WEXITED | WNOHANG | WNOWAIT;
    // SAFETY: `info` is valid for the kernel to fill in.
    if unsafe { waitid(P_PID, pid.as_raw() as u32, &mut info, flags) } != 0 {
        return Some(Exit::Status(STATUS_LOST));
    }
    // SAFETY: filled in by `waitid`, or still zero if the child runs; both fields are numbers.
    let (child, value) = unsafe { (info.si_pid(), info.si_status()) };
    match info.si_code {
        _ if child == 0 => None,
        CLD_EXITED => Some(Exit::Status(value)),
        // Not `nix::sys::wait`, which has no word for real-time signals.
        _ => Some(Exit::Signal(value)),
    }
}

/// Lets go of a child that has ended. Not left to the system's first process: in a container that
/// may be a program that never reaps, and dead ranks would fill the table of processes.
pub fn reap(pid: Pid) {
    // Fails only if it is not our child, and then there is nothing to let go.
    let _ = waitpid(pid, Some(WaitPidFlag::WNOHANG));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command};
    use std::time::Duration;

    fn shell(script: &str) -> Child {
        Command::new("sh").args(["-c", script]).spawn().unwrap()
    }

    fn wait_for(child: &Child) -> Exit {
        loop {
            match exit_of(Pid::from_raw(child.id() as i32)) {
                Some(exit) => return exit,
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    #[test]
    fn statuses_and_signals_are_told_apart() {
        for (script, exit) in [
            ("exit 7", Exit::Status(7)),
            ("kill -SEGV $$", Exit::Signal(11)),
            ("kill -40 $$", Exit::Signal(40)),
        ] {
            let mut child = shell(script);
            assert_eq!(wait_for(&child), exit);
            assert_eq!(wait_for(&child), exit, "asking does not reap");
            child.wait().unwrap();
        }
    }

    #[test]
    fn a_running_child_has_not_ended() {
        let mut child = shell("exec sleep 10");
        assert_eq!(exit_of(Pid::from_raw(child.id() as i32)), None);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
