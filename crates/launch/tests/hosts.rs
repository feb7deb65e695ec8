//! Jobs on several hosts. The hosts are names for this machine: the command that should log in to
//! them is a script that runs the agent right here, or fails in some way.

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use common::{Outcome, finish, is_alive, mpirun, sorted, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Runs the agent here, whatever the host.
const HERE: &str = "shift; exec \"$@\"";
/// Long enough for any of these jobs to be killed instead.
const LONG: &str = "sleep 100";

/// A directory for a test, removed at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("dunlin-hosts-test-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }

    /// A command that does `script`, whose `$1` is the host.
    fn rsh(&self, script: &str) -> String {
        let path = self.path("rsh");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The numbers that processes left in files that begin with `name`.
    fn pids(&self, name: &str) -> Vec<i32> {
        let entries = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap());
        let named = entries.filter(|e| e.file_name().to_string_lossy().starts_with(name));
        let text = named.filter_map(|entry| fs::read_to_string(entry.path()).ok());
        text.filter_map(|text| text.trim().parse().ok()).collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A directory that stays harms no later test: names are unique.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// An `mpirun` that reaches hosts by `rsh` and runs `script` in a shell as each rank.
fn command(rsh: &str, options: &[&str], script: &str) -> Command {
    let script = format!("r=$DUNLIN_JOB_RANK; {script}");
    let mut command = mpirun(&[&["--rsh", rsh], options, &["sh", "-c", &script]].concat());
    command.env("DUNLIN_AGENT_TIMEOUT", "2");
    command
}

fn start(rsh: &str, options: &[&str], script: &str) -> Child {
    command(rsh, options, script).spawn().unwrap()
}

fn run(rsh: &str, options: &[&str], script: &str) -> Outcome {
    finish(start(rsh, options, script))
}

fn signal(pid: i32, signal: Signal) {
    kill(Pid::from_raw(pid), signal).unwrap();
}

fn all_are_gone(pids: &[i32]) {
    wait_until("the processes to end", || !pids.iter().any(|&pid| is_alive(pid)));
}

#[test]
fn ranks_are_numbered_through_the_hosts() {
    let scratch = Scratch::new("numbers");
    let show = "echo $r $MPI_LOCALRANKID $MPI_LOCALNRANKS $WORD; pwd >&2";
    let options = ["-host", "a:2,b:3", "-x", "WORD=hello"];
    let job = run(&scratch.rsh(HERE), &options, show);
    assert_eq!(job.status, 0, "{}", job.stderr);
    let lines = ["0 0 2 hello", "1 1 2 hello", "2 0 3 hello", "3 1 3 hello", "4 2 3 hello"];
    assert_eq!(sorted(&job.stdout), lines);
    let here = std::env::current_dir().unwrap();
    assert!(job.stderr.lines().all(|line| Path::new(line) == here), "{}", job.stderr);
}

#[test]
fn a_host_file_and_ranks_for_each_host_place_the_ranks() {
    let scratch = Scratch::new("file");
    fs::write(scratch.path("hosts"), "a slots=4 # first\nb:4\n").unwrap();
    let hosts = scratch.path("hosts");
    let show = "echo $MPI_LOCALNRANKS";
    let job = run(&scratch.rsh(HERE), &["-hostfile", &hosts, "-ppn", "2"], show);
    assert_eq!(job.stdout, "2\n2\n2\n2\n", "{}", job.stderr);
    let job = run(&scratch.rsh(HERE), &["-hostfile", &hosts, "-n", "5"], show);
    assert_eq!(sorted(&job.stdout), ["1", "4", "4", "4", "4"], "{}", job.stderr);
}

#[test]
fn a_tree_of_agents_reaches_every_host() {
    let scratch = Scratch::new("tree");
    for width in ["1", "2"] {
        let mut job = command(&scratch.rsh(HERE), &["-host", "a,b,c,d,e,f,g"], "echo $r; exit 0");
        let job = finish(job.env("DUNLIN_AGENT_WIDTH", width).spawn().unwrap());
        assert_eq!(sorted(&job.stdout), ["0", "1", "2", "3", "4", "5", "6"], "{}", job.stderr);
        assert_eq!(job.status, 0);
    }
}

#[test]
fn output_comes_in_whole_lines_with_the_right_rank() {
    let scratch = Scratch::new("output");
    let script = "i=0; while [ $i -lt 300 ]; do printf $r; echo $r; i=$((i+1)); done";
    let job = run(&scratch.rsh(HERE), &["-host", "a:2,b:2", "-l"], script);
    let mut lines = sorted(&job.stdout);
    assert_eq!(lines.len(), 4 * 300);
    lines.dedup();
    assert_eq!(lines, ["[0] 00", "[1] 11", "[2] 22", "[3] 33"]);
}

#[test]
fn much_output_passes_however_slow_its_reader() {
    let scratch = Scratch::new("flood");
    let script = "yes 0123456789abcdef | head -c 8000000";
    let job = run(&scratch.rsh("sleep 0.1; shift; exec \"$@\""), &["-host", "a,b"], script);
    let seen = (job.status, job.stdout.len());
    assert_eq!(seen, (0, 2 * 8_000_000), "{} in {:?}", job.stderr, job.took);
}

#[test]
fn rank_0_reads_all_of_standard_input() {
    let scratch = Scratch::new("input");
    let text: String = (0..40_000).map(|n| format!("line {n}\n")).collect();
    fs::write(scratch.path("text"), &text).unwrap();
    let file = fs::File::open(scratch.path("text")).unwrap();
    let mut job = command(&scratch.rsh(HERE), &["-host", "a,b"], "cat");
    let job = finish(job.stdin(file).spawn().unwrap());
    assert!(job.stdout == text, "{} bytes, {}", job.stdout.len(), job.stderr);
    let mut job = command(&scratch.rsh(HERE), &["-host", "a,b"], "cat");
    let mut job = job.stdin(std::process::Stdio::piped()).spawn().unwrap();
    let mut stdin = job.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        std::io::Write::write_all(&mut stdin, text.as_bytes()).unwrap();
        text
    });
    let job = finish(job);
    assert!(job.stdout == writer.join().unwrap(), "{} bytes", job.stdout.len());
}

#[test]
fn a_rank_that_stops_reading_its_input_holds_nobody_up() {
    let scratch = Scratch::new("deaf");
    let job = command(&scratch.rsh(HERE), &["-host", "a,b"], "exec <&-; echo $r")
        .stdin(fs::File::open("/dev/zero").unwrap())
        .spawn();
    let job = finish(job.unwrap());
    assert_eq!((job.status, sorted(&job.stdout)), (0, vec!["0", "1"]), "{}", job.stderr);
}

#[test]
fn a_rank_that_fails_ends_the_job_and_is_named_with_its_host() {
    let scratch = Scratch::new("fault");
    let file = scratch.path("pid");
    let script = format!("echo $$ > {file}.$r; [ $r = 1 ] && kill -SEGV $$; {LONG}");
    let job = run(&scratch.rsh(HERE), &["-host", "a,b,c"], &script);
    assert_eq!(job.status, 139);
    assert!(job.stderr.contains("mpirun: rank 1 (pid "), "{}", job.stderr);
    assert!(job.stderr.contains(" on b) was killed by signal 11"), "{}", job.stderr);
    assert!(job.stderr.contains("the other ranks were ended"), "{}", job.stderr);
    assert!(job.took < Duration::from_secs(5));
    all_are_gone(&scratch.pids("pid"));
}

#[test]
fn the_gravest_of_several_faults_is_told() {
    let scratch = Scratch::new("gravest");
    let script = "[ $r = 0 ] && exit 3; sleep 0.02; kill -ABRT $$";
    let job = run(&scratch.rsh(HERE), &["-host", "a,b"], script);
    assert_eq!(job.status, 134, "{}", job.stderr);
    assert_eq!(job.stderr.matches("mpirun:").count(), 1, "{}", job.stderr);
}

#[test]
fn a_program_that_a_host_lacks_is_named_with_the_host() {
    let scratch = Scratch::new("lacks");
    let rsh = scratch.rsh(HERE);
    let job = finish(mpirun(&["--rsh", &rsh, "-host", "a,b", "no-such-thing"]).spawn().unwrap());
    assert_eq!(job.status, 127);
    assert!(job.stderr.contains("mpirun: host "), "{}", job.stderr);
    assert!(job.stderr.contains("`no-such-thing` was not found"), "{}", job.stderr);
    let job = run(&rsh, &["-host", "a,b", "-wdir", "/no/such"], "true");
    assert!(job.stderr.contains(": --wdir is `/no/such`"), "{}", job.stderr);
}

#[test]
fn a_host_that_cannot_be_reached_is_named_and_nothing_is_started() {
    let scratch = Scratch::new("unreachable");
    let file = scratch.path("started");
    let rsh = scratch.rsh("[ $1 = c ] && { echo no route >&2; exit 255; }; shift; exec \"$@\"");
    for width in ["32", "1"] {
        let mut job = command(&rsh, &["-host", "a,b,c"], &format!("touch {file}"));
        let job = finish(job.env("DUNLIN_AGENT_WIDTH", width).spawn().unwrap());
        assert_eq!(job.status, 1);
        let text = "mpirun: host c cannot be reached, `";
        assert!(job.stderr.contains(text), "{}", job.stderr);
        assert!(job.stderr.contains("rsh` exited with status 255: no route"), "{}", job.stderr);
        assert_eq!(job.stderr.lines().count(), 1, "{}", job.stderr);
        assert!(!Path::new(&file).exists(), "no rank was started");
    }
}

#[test]
fn a_command_that_does_not_exist_is_named() {
    let job = run("/no/such/command", &["-host", "a,b"], "true");
    assert_eq!(job.status, 1);
    let text = "host a cannot be reached: `/no/such/command` cannot be run";
    assert!(job.stderr.contains(text), "{}", job.stderr);
}

#[test]
fn a_host_that_does_not_answer_is_named_after_a_while() {
    let scratch = Scratch::new("mute");
    let pid = scratch.path("pid");
    let rsh = scratch.rsh(&format!("[ $1 = b ] && {{ echo $$ > {pid}; exec {LONG}; }}; {HERE}"));
    let mut job = command(&rsh, &["-host", "a,b"], "true");
    let job = finish(job.env("DUNLIN_AGENT_TIMEOUT", "1").spawn().unwrap());
    assert_eq!(job.status, 1);
    assert!(job.stderr.contains("host b did not answer within 3 s"), "{}", job.stderr);
    all_are_gone(&scratch.pids("pid"));
}

#[test]
fn another_version_is_named_on_both_sides() {
    let scratch = Scratch::new("version");
    let greeting = "printf '\\002Dunlin agent\\003\\0040.0.'; sleep 5";
    let job = run(&scratch.rsh(greeting), &["-host", "a,b"], "true");
    assert_eq!(job.status, 1);
    let text = format!("has another Dunlin: 0.0. there, {}", env!("CARGO_PKG_VERSION"));
    assert!(job.stderr.contains(&text), "{}", job.stderr);
}

#[test]
fn a_login_may_say_something_first_but_something_else_is_no_agent() {
    let scratch = Scratch::new("noise");
    let rsh = scratch.rsh(&format!("echo Welcome to $1; {HERE}"));
    let job = run(&rsh, &["-host", "a,b"], "echo $r");
    assert_eq!(sorted(&job.stdout), ["0", "1"], "{}", job.stderr);
    let job = run(&scratch.rsh("echo no login today"), &["-host", "a,b"], "true");
    assert!(job.stderr.contains("(it said `no login today`)"), "{}", job.stderr);
    let job = run(&scratch.rsh("yes"), &["-host", "a,b"], "true");
    assert!(job.stderr.contains("answers with something that is no agent"), "{}", job.stderr);
    assert_eq!(job.status, 1);
}

/// A job on hosts a, b and c whose agents and ranks have left their numbers.
fn long_job(scratch: &Scratch, options: &[&str]) -> Child {
    let rsh = scratch.rsh(&format!("echo $$ > {}-$1; {HERE}", scratch.path("agent")));
    let script = format!("echo $$ > {}.$r; {LONG}", scratch.path("rank"));
    let options = [&["-host", "a,b,c"], options].concat();
    let job = start(&rsh, &options, &script);
    wait_until("the ranks to start", || scratch.pids("rank").len() == 3);
    job
}

#[test]
fn an_agent_that_dies_ends_the_job() {
    let scratch = Scratch::new("dies");
    let job = long_job(&scratch, &[]);
    let pids = [scratch.pids("rank"), scratch.pids("agent")].concat();
    signal(scratch.pids("agent-b")[0], Signal::SIGKILL);
    let job = finish(job);
    assert_eq!(job.status, 1);
    assert!(job.stderr.contains("mpirun: host b is lost, `"), "{}", job.stderr);
    assert!(job.stderr.contains("was killed by signal 9"), "{}", job.stderr);
    assert!(job.took < Duration::from_secs(4));
    all_are_gone(&pids);
}

#[test]
fn an_agent_that_dies_takes_those_below_it_along() {
    let scratch = Scratch::new("chain");
    let rsh = scratch.rsh(&format!("echo $$ > {}-$1; {HERE}", scratch.path("agent")));
    let script = format!("echo $$ > {}.$r; {LONG}", scratch.path("rank"));
    let mut job = command(&rsh, &["-host", "a,b,c,d"], &script);
    let job = job.env("DUNLIN_AGENT_WIDTH", "1").spawn().unwrap();
    wait_until("the ranks to start", || scratch.pids("rank").len() == 4);
    let pids = [scratch.pids("rank"), scratch.pids("agent")].concat();
    signal(scratch.pids("agent-b")[0], Signal::SIGKILL);
    let job = finish(job);
    assert_eq!(job.status, 1);
    assert!(job.stderr.contains("mpirun: host b is lost, `"), "{}", job.stderr);
    assert!(job.stderr.contains("(reached through it: c, d)"), "{}", job.stderr);
    all_are_gone(&pids);
}

#[test]
fn an_agent_that_is_asked_to_end_says_so() {
    let scratch = Scratch::new("asked");
    let job = long_job(&scratch, &[]);
    let pids = [scratch.pids("rank"), scratch.pids("agent")].concat();
    signal(scratch.pids("agent-c")[0], Signal::SIGTERM);
    let job = finish(job);
    assert_eq!(job.status, 143);
    assert!(job.stderr.contains("mpirun: host c: the agent received SIGTERM"), "{}", job.stderr);
    all_are_gone(&pids);
}

#[test]
fn an_agent_that_falls_silent_ends_the_job() {
    let scratch = Scratch::new("silent");
    let job = long_job(&scratch, &[]);
    let pids = [scratch.pids("rank"), scratch.pids("agent")].concat();
    signal(scratch.pids("agent-b")[0], Signal::SIGSTOP);
    let job = finish(job);
    assert_eq!(job.status, 1);
    assert!(job.stderr.contains("host b has said nothing for 2 s"), "{}", job.stderr);
    assert!(job.took < Duration::from_secs(8));
    all_are_gone(&pids);
}

#[test]
fn nothing_outlives_a_launcher_that_is_killed() {
    let scratch = Scratch::new("killed");
    let job = long_job(&scratch, &[]);
    let pids = [scratch.pids("rank"), scratch.pids("agent")].concat();
    signal(job.id() as i32, Signal::SIGKILL);
    finish(job);
    all_are_gone(&pids);
}

#[test]
fn agents_end_when_the_launcher_falls_silent() {
    let scratch = Scratch::new("mute-head");
    let job = long_job(&scratch, &[]);
    let pids = scratch.pids("rank");
    // Not the stop of a terminal, of which the agents are told.
    signal(job.id() as i32, Signal::SIGSTOP);
    all_are_gone(&pids);
    signal(job.id() as i32, Signal::SIGKILL);
    signal(job.id() as i32, Signal::SIGCONT);
    finish(job);
}

#[test]
fn a_job_that_is_stopped_by_its_terminal_goes_on_later() {
    let scratch = Scratch::new("stopped");
    let rsh = scratch.rsh(HERE);
    let file = scratch.path("rank");
    let script = format!("echo $$ > {file}.$r; while [ ! -e {file}.go ]; do sleep 0.1; done");
    let mut job = command(&rsh, &["-host", "a,b"], &script);
    let job = job.env("DUNLIN_AGENT_TIMEOUT", "4").spawn().unwrap();
    wait_until("the ranks to start", || scratch.pids("rank").len() == 2);
    signal(job.id() as i32, Signal::SIGTSTP);
    let is_stopped = |pid: &i32| {
        fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") T "))
    };
    let are_stopped = || scratch.pids("rank").iter().all(is_stopped);
    wait_until("the ranks to stop", are_stopped);
    // Longer than an agent waits for a launcher that has fallen silent.
    std::thread::sleep(Duration::from_millis(5500));
    assert!(are_stopped());
    signal(job.id() as i32, Signal::SIGCONT);
    fs::write(scratch.path("rank.go"), "").unwrap();
    let job = finish(job);
    assert_eq!(job.status, 0, "{}", job.stderr);
}

#[test]
fn signals_reach_all_hosts() {
    let scratch = Scratch::new("signals");
    let job = long_job(&scratch, &[]);
    let pids = [scratch.pids("rank"), scratch.pids("agent")].concat();
    signal(job.id() as i32, Signal::SIGTERM);
    let job = finish(job);
    assert_eq!((job.status, job.stderr.as_str()), (143, ""));
    all_are_gone(&pids);
}

#[test]
fn signals_that_mean_nothing_to_the_launcher_are_passed_on() {
    let scratch = Scratch::new("passed");
    let file = scratch.path("rank");
    let wait = "while :; do sleep 0.01; done";
    let script = format!("trap 'echo $r; exit 0' USR1; echo $$ > {file}.$r; {wait}");
    let job = start(&scratch.rsh(HERE), &["-host", "a,b"], &script);
    wait_until("the ranks to start", || scratch.pids("rank").len() == 2);
    signal(job.id() as i32, Signal::SIGUSR1);
    let job = finish(job);
    assert_eq!((job.status, sorted(&job.stdout)), (0, vec!["0", "1"]), "{}", job.stderr);
}

#[test]
fn a_signal_before_the_ranks_are_started_ends_the_job() {
    let scratch = Scratch::new("early");
    let pid = scratch.path("pid");
    let rsh = scratch.rsh(&format!("echo $$ > {pid}-$1; [ $1 = b ] && exec {LONG}; {HERE}"));
    let mut job = command(&rsh, &["-host", "a,b"], "true");
    let job = job.env("DUNLIN_AGENT_TIMEOUT", "60").spawn().unwrap();
    wait_until("the agents to start", || scratch.pids("pid").len() == 2);
    signal(job.id() as i32, Signal::SIGINT);
    let job = finish(job);
    assert_eq!(job.status, 130, "{}", job.stderr);
    all_are_gone(&scratch.pids("pid"));
}

#[test]
fn the_time_limit_holds_on_all_hosts() {
    let scratch = Scratch::new("timeout");
    let job = long_job(&scratch, &["--timeout", "1"]);
    let pids = scratch.pids("rank");
    let job = finish(job);
    assert_eq!(job.status, 124);
    assert!(job.stderr.contains("ranks 0-2: has not called MPI_Init"), "{}", job.stderr);
    all_are_gone(&pids);
}

#[test]
fn the_time_limit_holds_while_a_host_is_waited_for() {
    let scratch = Scratch::new("late");
    let pid = scratch.path("pid");
    let rsh = scratch.rsh(&format!("[ $1 = b ] && {{ echo $$ > {pid}; exec {LONG}; }}; {HERE}"));
    let job = run(&rsh, &["-host", "a,b", "--timeout", "0.3"], "true");
    assert_eq!(job.status, 124, "{}", job.stderr);
    assert!(job.stderr.contains("ranks 0-1: not started"), "{}", job.stderr);
    all_are_gone(&scratch.pids("pid"));
}

#[test]
fn a_reader_that_leaves_ends_the_job_quietly() {
    let scratch = Scratch::new("reader");
    let mut job = start(&scratch.rsh(HERE), &["-host", "a,b"], "yes");
    drop(job.stdout.take());
    let job = finish(job);
    assert_eq!((job.status, job.stderr.as_str()), (141, ""));
}

#[test]
fn what_is_started_is_told_for_all_hosts() {
    let scratch = Scratch::new("verbose");
    let job = run(&scratch.rsh(HERE), &["-host", "a,b", "-v", "--report-bindings"], "true");
    let text = job.stderr;
    for part in ["agent on host b is there", "rank 0 is sh (pid ", " on b)", "rank 1 on b is"] {
        assert!(text.contains(part), "{text}");
    }
}
