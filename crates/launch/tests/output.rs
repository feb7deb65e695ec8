//! What ranks write comes out whole, and what is typed goes to rank 0.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::time::Duration;

use common::{finish, mpirun, run_script, run_with_input, sorted, spawn_script};
use nix::libc;

#[test]
fn lines_of_many_ranks_never_mix() {
    const RANKS: usize = 8;
    const LINES: usize = 500;
    let long = "x".repeat(300);
    let script =
        format!("i=0; while [ $i -lt {LINES} ]; do echo \"$r:$i:{long}\"; i=$((i+1)); done");
    let outcome = run_script(RANKS, &[], &script);
    assert_eq!(outcome.status, 0);
    let mut next = [0; RANKS];
    for line in outcome.stdout.lines() {
        let mut fields = line.split(':');
        let mut number = || fields.next().unwrap().parse::<usize>().unwrap();
        let (rank, count) = (number(), number());
        assert_eq!(count, next[rank], "lines of a rank stay in order");
        assert_eq!(fields.next(), Some(long.as_str()));
        next[rank] += 1;
    }
    assert_eq!(next, [LINES; RANKS]);
}

#[test]
fn the_two_streams_stay_apart() {
    let outcome = run_script(2, &[], "echo out$r; echo err$r >&2");
    assert_eq!(sorted(&outcome.stdout), ["out0", "out1"]);
    assert_eq!(sorted(&outcome.stderr), ["err0", "err1"]);
}

#[test]
fn tags_tell_who_wrote_each_line() {
    for option in ["-l", "--tag-output", "-prepend-rank"] {
        let outcome = run_script(2, &[option], "printf 'a\\nb%d' $r");
        // Neither rank ends its last line, yet each tag begins one.
        assert_eq!(sorted(&outcome.stdout), ["[0] a", "[0] b0", "[1] a", "[1] b1"], "{option}");
    }
}

#[test]
fn a_last_line_without_an_end_is_kept_as_it_is() {
    assert_eq!(run_script(1, &[], "printf 'a\\nb'").stdout, "a\nb");
}

#[test]
fn binary_output_is_not_changed() {
    let mut child = mpirun(&["-n", "1", "head", "-c", "1000000", "/dev/zero"]).spawn().unwrap();
    let mut bytes = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut bytes).unwrap();
    assert!(bytes.len() == 1_000_000 && bytes.iter().all(|&b| b == 0));
    assert_eq!(finish(child).status, 0);
}

#[test]
fn only_rank_0_reads_standard_input() {
    let script = "read line && echo \"$DUNLIN_JOB_RANK got $line\" || echo $DUNLIN_JOB_RANK none";
    let outcome = run_with_input(&["-n", "3", "sh", "-c", script], "hello\nmore\n");
    assert_eq!(sorted(&outcome.stdout), ["0 got hello", "1 none", "2 none"]);
}

#[test]
fn rank_0_reads_a_long_input_to_its_end() {
    let input = "0123456789\n".repeat(50_000);
    let outcome = run_with_input(&["-n", "2", "wc", "-c"], &input);
    assert_eq!(sorted(&outcome.stdout), ["0", "550000"]);
}

#[test]
fn a_question_without_an_end_of_line_is_shown() {
    let mut child = mpirun(&[
        "-n",
        "2",
        "sh",
        "-c",
        "[ $DUNLIN_JOB_RANK = 1 ] || { printf 'name? '; read n; echo $n; }",
    ])
    .stdin(Stdio::piped())
    .spawn()
    .unwrap();
    let mut question = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut question).unwrap();
    assert_eq!(&question, b"name? ");
    child.stdin.take().unwrap().write_all(b"Ada\n").unwrap();
    assert_eq!(finish(child).stdout, "Ada\n");
}

#[test]
fn a_terminal_is_passed_on_with_its_end_of_input() {
    let pty = nix::pty::openpty(None, None).unwrap();
    let slave = || Stdio::from(pty.slave.try_clone().unwrap());
    let script = "cat; echo end of $DUNLIN_JOB_RANK";
    let mut command = mpirun(&["-n", "2", "sh", "-c", script]);
    command.stdin(slave());
    // SAFETY: two system calls, nothing else, between `fork` and `exec`.
    unsafe {
        command.pre_exec(|| {
            // The terminal must be its controlling one for job control to apply.
            if libc::setsid() < 0 || libc::ioctl(0, libc::TIOCSCTTY, 0) < 0 {
                return Err(std::io::Error::last_os_error());
            }
            Ok(())
        });
    }
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "end of 1");
    nix::unistd::write(pty.master.as_fd(), b"typed\n").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "typed");
    // Ctrl-D.
    nix::unistd::write(pty.master.as_fd(), b"\x04").unwrap();
    assert_eq!(lines.next().unwrap().unwrap(), "end of 0");
    assert_eq!(finish(child).status, 0);
}

#[test]
fn a_slow_reader_stops_the_ranks_instead_of_filling_memory() {
    let child = spawn_script(2, &[], "yes 0123456789012345678901234567890 | head -c 50000000");
    std::thread::sleep(Duration::from_millis(500));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    let kib: usize = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(kib < 20_000, "{peak}");
    assert_eq!(finish(child).stdout.len(), 100_000_000);
}

#[test]
fn a_reader_that_leaves_ends_the_job() {
    let mut child = spawn_script(2, &[], "yes");
    let mut first = [0; 4];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let outcome = finish(child);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (141, ""));
    assert!(outcome.took < Duration::from_secs(2), "{:?}", outcome.took);
}

#[test]
fn output_left_open_by_a_stranger_does_not_hold_the_job() {
    let outcome = run_script(1, &[], "setsid sleep 20 & echo done");
    assert_eq!((outcome.status, outcome.stdout.as_str()), (0, "done\n"));
    assert!(outcome.took < Duration::from_secs(2), "{:?}", outcome.took);
}

#[test]
fn a_full_disk_is_said() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let outcome = finish(mpirun(&["-n", "2", "yes"]).stdout(full).spawn().unwrap());
    assert_eq!(outcome.status, 1);
    let sentence = "mpirun: cannot write the ranks' output: No space left on device\n";
    assert_eq!(outcome.stderr, sentence);
}
