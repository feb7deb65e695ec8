//! What ranks publish decides what the launcher says. The ranks here are this test program itself,
//! started again in the part of [`pretend_rank`].

mod common;

use std::time::Duration;

use common::pretend::{self, Pretended};
use common::{Outcome, run};
use dunlin_shm::RankState;

const LONG: Duration = Duration::from_secs(60);

/// Runs `ranks` ranks that play `part`.
fn play(ranks: usize, options: &[&str], part: &str) -> Outcome {
    let (ranks, rank) = (ranks.to_string(), pretend::words(part));
    let rank: Vec<&str> = rank.iter().map(String::as_str).collect();
    run(&[&["-n", &ranks], options, &rank].concat())
}

/// Not a test unless started by [`play`].
#[test]
fn pretend_rank() {
    let Some(me) = Pretended::begin() else { return };
    match me.part.as_str() {
        "finalize" => me.finalize(),
        "leave" if me.rank == 1 => {}
        "abort" if me.rank == 2 => {
            me.view().set_aborted(3);
            // Time for the others to fail as a consequence.
            std::thread::sleep(Duration::from_millis(100));
            std::process::exit(9);
        }
        "abort" => {
            while me.segment.rank(2).state() != RankState::Aborted {
                std::thread::yield_now();
            }
            std::process::exit(1);
        }
        "fail late" => {
            me.finalize();
            std::process::exit(5);
        }
        "circle" => {
            me.wait_for_neighbour(Duration::from_millis(1500));
            me.finalize();
        }
        "circle for ever" => me.wait_for_neighbour(LONG),
        _ => std::thread::sleep(LONG),
    }
    std::process::exit(0);
}

#[test]
fn ranks_that_finalize_are_no_news() {
    let outcome = play(3, &[], "finalize");
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""));
}

#[test]
fn a_rank_that_leaves_without_finalize_ends_the_job() {
    let outcome = play(3, &[], "leave");
    assert_eq!(outcome.status, 1);
    let sentence = "exited with status 0 without calling MPI_Finalize; the other ranks were ended";
    assert!(outcome.stderr.contains("rank 1 (pid "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(sentence), "{}", outcome.stderr);
    assert!(outcome.took < Duration::from_secs(1), "{:?}", outcome.took);
}

#[test]
fn an_abort_is_blamed_even_if_others_fail_first() {
    let outcome = play(4, &[], "abort");
    assert_eq!(outcome.status, 3);
    let sentence = "mpirun: rank 2 called MPI_Abort with code 3 (pid ";
    assert!(outcome.stderr.starts_with(sentence), "{}", outcome.stderr);
    assert_eq!(outcome.stderr.lines().count(), 1);
}

#[test]
fn a_status_after_finalize_is_the_jobs() {
    let outcome = play(1, &[], "fail late");
    assert_eq!(outcome.status, 5);
    assert!(outcome.stderr.ends_with("exited with status 5\n"), "{}", outcome.stderr);
}

#[test]
fn a_circle_of_waits_is_reported_once_and_the_job_goes_on() {
    let outcome = play(3, &["--stall-report", "0.4"], "circle");
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    let text = &outcome.stderr;
    assert!(
        text.contains("rank 0: waits in MPI_Recv on MPI_COMM_WORLD for rank 1, tag 7"),
        "{text}"
    );
    assert!(text.contains("in a circle: 0 -> 1 -> 2 -> 0\n"), "{text}");
    assert_eq!(text.matches("--stall-report").count(), 1, "{text}");
}

#[test]
fn no_report_is_made_when_it_is_turned_off() {
    let outcome = play(2, &["--stall-report", "0"], "circle");
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""));
}

#[test]
fn a_timeout_tells_what_each_rank_waits_for() {
    let outcome = play(2, &["--timeout", "1"], "circle for ever");
    assert_eq!(outcome.status, 124);
    assert!(outcome.stderr.contains("in a circle: 0 -> 1 -> 0\n"), "{}", outcome.stderr);
}

#[test]
fn a_rank_without_a_record_counts_as_computing() {
    let outcome = play(2, &["--timeout", "1"], "sleep");
    let line = "ranks 0-1: computing (no MPI wait published)";
    assert!(outcome.stderr.contains(line), "{}", outcome.stderr);
}
