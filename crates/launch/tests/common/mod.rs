//! Runs the built `mpirun` for the tests beside this directory.
// Each test file uses its own share of these.
#![allow(dead_code)]

pub mod pretend;

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{SigHandler, Signal, kill};
use nix::unistd::Pid;

/// Far longer than any of these jobs takes, also where dozens of processes want the same cores: a
/// test that reaches it has hung.
const LIMIT: Duration = Duration::from_secs(150);

/// What a job left behind.
pub struct Outcome {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

/// An `mpirun` with these arguments that is yet to be started.
pub fn mpirun(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mpirun"));
    // Whatever job of a batch system the tests run in is no business of theirs.
    command.env("DUNLIN_ALLOCATION", "none");
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Whoever runs the tests under nohup or in the background has signals ignored, which a shell
    // in a test could then not trap.
    // SAFETY: between fork and exec, calls that only change dispositions.
    unsafe {
        command.pre_exec(|| {
            for ignored in [Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT] {
                nix::sys::signal::signal(ignored, SigHandler::SigDfl)?;
            }
            Ok(())
        });
    }
    command
}

/// Runs a job without input.
pub fn run(args: &[&str]) -> Outcome {
    finish(mpirun(args).spawn().unwrap())
}

/// Runs `script` in a shell as each of `ranks` ranks; the shell's `$r` is the rank.
pub fn run_script(ranks: usize, options: &[&str], script: &str) -> Outcome {
    finish(spawn_script(ranks, options, script))
}

/// Starts what [`run_script`] runs.
pub fn spawn_script(ranks: usize, options: &[&str], script: &str) -> Child {
    let script = format!("r=$DUNLIN_JOB_RANK; {script}");
    let ranks = ranks.to_string();
    let args = [&["-n", &ranks], options, &["sh", "-c", &script]].concat();
    mpirun(&args).spawn().unwrap()
}

/// Runs a job that reads `input`.
pub fn run_with_input(args: &[&str], input: &str) -> Outcome {
    let mut child = mpirun(args).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    finish(child)
}

/// Waits for the end of a job.
pub fn finish(child: Child) -> Outcome {
    use std::os::unix::process::ExitStatusExt;
    let (begun, pid) = (Instant::now(), child.id());
    let (ended, end) = std::sync::mpsc::channel::<()>();
    let watchdog = std::thread::spawn(move || {
        if end.recv_timeout(LIMIT) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            // Ends the wait below; its status then fails the test.
            let _ = kill(Pid::from_raw(pid as i32), nix::sys::signal::Signal::SIGKILL);
        }
    });
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    drop(ended);
    watchdog.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Outcome {
        status: status.code().unwrap_or(-status.signal().unwrap_or(0)),
        stdout: text(stdout),
        stderr: text(stderr),
        took: begun.elapsed(),
    }
}

/// The lines of a text, sorted: ranks come in any order.
pub fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// Waits until `condition` holds.
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < LIMIT, "waited too long for: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a process exists and is no zombie.
pub fn is_alive(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
}
