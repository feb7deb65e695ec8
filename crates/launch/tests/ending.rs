//! How jobs end: statuses, sentences, signals, and that nothing survives.

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::Duration;

use common::{finish, is_alive, run, run_script, spawn_script, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// A job with a failing rank ends within this.
const SOON: Duration = Duration::from_secs(1);

fn signal(child: &Child, signal: Signal) {
    kill(Pid::from_raw(child.id() as i32), signal).unwrap();
}

/// Reads a number of lines from the job's output, which stays open.
fn read_numbers(child: &mut Child, count: usize) -> Vec<i32> {
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut number = || {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        line.trim().parse().unwrap_or_else(|_| panic!("`{line}`"))
    };
    let numbers = (0..count).map(|_| number()).collect();
    child.stdout = Some(reader.into_inner());
    numbers
}

#[test]
fn success_is_silent() {
    let outcome = run(&["-n", "4", "true"]);
    assert_eq!((outcome.status, outcome.stdout + &outcome.stderr), (0, String::new()));
}

#[test]
fn a_failing_rank_ends_the_others_and_gives_its_status() {
    let outcome = run_script(3, &[], "[ $r = 1 ] && exit 7; exec sleep 20");
    assert_eq!(outcome.status, 7);
    assert!(outcome.stderr.starts_with("mpirun: rank 1 (pid "), "{}", outcome.stderr);
    assert!(outcome.stderr.ends_with("exited with status 7; the other ranks were ended\n"));
    assert_eq!(outcome.stderr.lines().count(), 1, "one sentence: {}", outcome.stderr);
    assert!(outcome.took < SOON, "{:?}", outcome.took);
}

#[test]
fn a_signal_is_named_and_becomes_128_and_its_number() {
    let outcome = run_script(2, &[], "[ $r = 0 ] && kill -SEGV $$; exec sleep 20");
    assert_eq!(outcome.status, 139);
    let sentence = "was killed by signal 11 (segmentation fault); the other ranks were ended";
    assert!(outcome.stderr.contains(sentence), "{}", outcome.stderr);
}

#[test]
fn ranks_that_ignore_sigterm_are_killed() {
    let script = "trap '' TERM; [ $r = 1 ] && { sleep 0.2; exit 3; }; while :; do sleep 20; done";
    let outcome = run_script(3, &[], script);
    assert_eq!(outcome.status, 3);
    assert!(outcome.took < SOON + Duration::from_millis(200), "{:?}", outcome.took);
}

#[test]
fn output_before_the_end_is_not_lost() {
    let outcome = run_script(2, &[], "[ $r = 1 ] && { echo last words; exit 1; }; exec sleep 20");
    assert_eq!(outcome.stdout, "last words\n");
}

#[test]
fn the_output_of_a_rank_comes_before_the_sentence_about_its_end() {
    for _ in 0..20 {
        let script = "[ $r = 1 ] && { echo it is broken >&2; exit 1; }; exec sleep 20";
        let outcome = run_script(2, &[], script);
        assert!(outcome.stderr.starts_with("it is broken\nmpirun: rank 1"), "{}", outcome.stderr);
    }
}

#[test]
fn what_a_rank_left_running_ends_with_the_job() {
    let mut child =
        spawn_script(2, &[], "sleep 30 & echo $!; [ $r = 0 ] || { sleep 0.1; exit 1; }; wait");
    let pids = read_numbers(&mut child, 2);
    assert!(pids.iter().all(|&pid| is_alive(pid)));
    assert_eq!(finish(child).status, 1);
    wait_until("grandchildren to end", || !pids.iter().any(|&pid| is_alive(pid)));
}

#[test]
fn leftovers_of_a_successful_job_end_too() {
    let mut child = spawn_script(1, &[], "sleep 30 & echo $!");
    let pids = read_numbers(&mut child, 1);
    let outcome = finish(child);
    assert_eq!(outcome.status, 0);
    assert!(outcome.took < SOON);
    wait_until("the leftover to end", || !is_alive(pids[0]));
}

#[test]
fn ending_signals_reach_the_ranks() {
    for (sent, status) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143), (Signal::SIGHUP, 129)] {
        let name = &sent.as_str()[3..];
        let script =
            format!("trap 'echo caught; exit 0' {name}; echo 1; while :; do sleep 0.01; done");
        let mut child = spawn_script(2, &[], &script);
        read_numbers(&mut child, 2);
        signal(&child, sent);
        let outcome = finish(child);
        assert_eq!((outcome.status, outcome.stdout.as_str()), (status, "caught\ncaught\n"));
        assert!(!outcome.stderr.contains("mpirun"), "no blame for the user's wish");
    }
}

#[test]
fn a_job_under_nohup_outlives_its_terminal() {
    let mpirun = env!("CARGO_BIN_EXE_mpirun");
    let script = format!("trap '' HUP; exec {mpirun} -n 1 sh -c 'echo 1; sleep 0.2; echo end'");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &script]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    read_numbers(&mut child, 1);
    signal(&child, Signal::SIGHUP);
    let outcome = finish(child);
    assert_eq!((outcome.status, outcome.stdout.as_str()), (0, "end\n"));
}

#[test]
fn a_second_interrupt_kills() {
    let mut child = spawn_script(2, &[], "trap '' INT; echo $$; while :; do sleep 0.01; done");
    let pids = read_numbers(&mut child, 2);
    signal(&child, Signal::SIGINT);
    std::thread::sleep(Duration::from_millis(100));
    assert!(pids.iter().all(|&pid| is_alive(pid)), "the first one lets ranks finish");
    signal(&child, Signal::SIGINT);
    let outcome = finish(child);
    assert_eq!(outcome.status, 130);
    assert!(outcome.took < SOON, "{:?}", outcome.took);
}

#[test]
fn an_ignored_signal_kills_after_the_grace() {
    let mut child = spawn_script(1, &[], "trap '' TERM; echo 1; while :; do sleep 0.01; done");
    read_numbers(&mut child, 1);
    signal(&child, Signal::SIGTERM);
    let outcome = finish(child);
    assert_eq!(outcome.status, 143);
    assert!(outcome.took > SOON && outcome.took < 4 * SOON, "{:?}", outcome.took);
}

#[test]
fn user_signals_are_passed_on() {
    let script = "trap 'echo one' USR1; trap 'echo two; exit 0' USR2; echo 1; \
                  while :; do sleep 0.01; done";
    let mut child = spawn_script(1, &[], script);
    read_numbers(&mut child, 1);
    signal(&child, Signal::SIGUSR1);
    std::thread::sleep(Duration::from_millis(100));
    signal(&child, Signal::SIGUSR2);
    let outcome = finish(child);
    assert_eq!((outcome.status, outcome.stdout.as_str()), (0, "one\ntwo\n"));
}

#[test]
fn stopping_and_continuing_reaches_the_ranks() {
    // `exec`, because a shell stopped between `vfork` and `exec` does not count as stopped.
    let mut child = spawn_script(1, &[], "echo $$; exec sleep 1");
    let pid = read_numbers(&mut child, 1)[0];
    let state = |pid: i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        stat.rsplit(") ").next().unwrap().chars().next().unwrap()
    };
    signal(&child, Signal::SIGTSTP);
    let launcher = child.id() as i32;
    wait_until("both to stop", || state(pid) == 'T' && state(launcher) == 'T');
    signal(&child, Signal::SIGCONT);
    wait_until("the rank to go on", || !is_alive(pid) || state(pid) == 'S');
    assert_eq!(finish(child).status, 0);
}

/// In a container the first process may be one that never reaps: here it is this test.
#[test]
fn no_zombies_are_left() {
    nix::sys::prctl::set_child_subreaper(true).unwrap();
    let mut child = spawn_script(4, &[], "echo $$; exec sleep 0.1");
    let pids = read_numbers(&mut child, 4);
    assert_eq!(finish(child).status, 0);
    for pid in pids {
        assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists(), "{pid} is left");
    }
}

#[test]
fn ranks_die_with_a_killed_launcher() {
    let mut child = spawn_script(3, &[], "echo $$; while :; do sleep 0.01; done");
    let pids = read_numbers(&mut child, 3);
    signal(&child, Signal::SIGKILL);
    child.wait().unwrap();
    wait_until("ranks to die", || !pids.iter().any(|&pid| is_alive(pid)));
}

#[test]
fn a_timeout_reports_and_ends() {
    let outcome = run_script(2, &["--timeout", "0.3"], "exec sleep 20");
    assert_eq!(outcome.status, 124);
    assert!(outcome.stderr.contains("longer than 0.3 s (--timeout)"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("ranks 0-1: has not called MPI_Init"), "{}", outcome.stderr);
    assert!(outcome.took < 2 * SOON, "{:?}", outcome.took);
}

#[test]
fn a_timeout_that_is_not_reached_changes_nothing() {
    let outcome = run(&["--timeout", "20", "-n", "2", "true"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""));
}

#[test]
fn a_real_time_signal_ends_the_job_too() {
    let outcome = run_script(2, &[], "[ $r = 0 ] && kill -40 $$; exec sleep 20");
    assert_eq!(outcome.status, 168);
    assert!(outcome.stderr.contains("was killed by signal 40;"), "{}", outcome.stderr);
}
