//! What ranks on several hosts publish, and what they and the launcher learn from it. The ranks
//! here are this test program itself, started again in the part of [`pretend_rank`]; the hosts are
//! names for this machine.

mod common;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use common::pretend::{self, Pretended};
use common::{Outcome, finish, mpirun};
use dunlin_base::settings;
use dunlin_shm::address::Address;
use dunlin_shm::job_map::Addresses;

/// Runs ranks on hosts that play `part`, `width` agents below each.
fn play(width: &str, options: &[&str], part: &str) -> Outcome {
    static PLAYED: AtomicU32 = AtomicU32::new(0);
    let number = PLAYED.fetch_add(1, Ordering::Relaxed);
    // Whatever the host, the agent runs here.
    let here = format!("{}/here-{}-{number}", env!("CARGO_TARGET_TMPDIR"), std::process::id());
    std::fs::write(&here, "shift; exec \"$@\"").unwrap();
    let (rsh, rank) = (format!("sh {here}"), pretend::words(part));
    let rank: Vec<&str> = rank.iter().map(String::as_str).collect();
    let command = [&["--rsh", &rsh], options, &rank].concat();
    let job = finish(mpirun(&command).env(settings::AGENT_WIDTH.name, width).spawn().unwrap());
    std::fs::remove_file(here).unwrap();
    job
}

/// Not a test unless started by [`play`].
#[test]
fn pretend_rank() {
    let Some(me) = Pretended::begin() else { return };
    match me.part.as_str() {
        "addresses" => exchange_addresses(&me),
        "circle" => me.wait_for_neighbour(Duration::from_millis(2500)),
        "abort" if me.rank == 2 => {
            me.view().set_aborted(7);
            std::process::exit(7);
        }
        "crash" if me.rank == 3 => std::process::abort(),
        "cut off" | "crash" => me.cut_off(&format!("rank {}'s peers are silent", me.rank)),
        _ => {
            std::thread::sleep(Duration::from_millis(50));
            std::process::exit(1);
        }
    }
    me.finalize();
    std::process::exit(0);
}

fn exchange_addresses(me: &Pretended) {
    let (job_map, rank) = (me.segment.job_map(), me.rank);
    let address =
        |rank: usize| Address::new(format!("{:?} {rank}", &job_map.key()[..8]).as_bytes());
    // Ranks come late, and not at the same time.
    std::thread::sleep(Duration::from_millis(20 * rank as u64));
    job_map.publish(rank, &address(rank).unwrap());
    while job_map.addresses() == Addresses::Gathering {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(job_map.addresses(), Addresses::Complete);
    for other in 0..job_map.world() {
        assert_eq!(job_map.address(other), address(other));
    }
    println!("{rank} of {} on {}", job_map.world(), job_map.host_of(rank));
}

#[test]
fn every_rank_learns_the_addresses_of_all() {
    for width in ["1", "32"] {
        let job = play(width, &["-host", "a:2,b:1,c:2"], "addresses");
        assert_eq!(job.status, 0, "{} {}", job.stdout, job.stderr);
        for line in ["0 of 5 on a", "1 of 5 on a", "2 of 5 on b", "3 of 5 on c", "4 of 5 on c"] {
            assert!(job.stdout.contains(line), "{}", job.stdout);
        }
    }
}

#[test]
fn a_stall_report_covers_all_hosts() {
    let job = play("32", &["--stall-report", "1", "-host", "a:2,b:1,c:1"], "circle");
    assert_eq!(job.status, 0, "{}", job.stderr);
    let text = "mpirun:   rank 1: waits in MPI_Recv on MPI_COMM_WORLD for rank 2, tag 7, for 1 s";
    assert!(job.stderr.contains(text), "{}", job.stderr);
    assert!(job.stderr.contains("in a circle: 0 -> 1 -> 2 -> 3 -> 0"), "{}", job.stderr);
    assert_eq!(job.stderr.matches("--stall-report").count(), 1, "{}", job.stderr);
}

#[test]
fn an_abort_decides_although_ranks_elsewhere_fail_at_once() {
    let job = play("32", &["-host", "a:2,b:2"], "abort");
    assert_eq!(job.status, 7, "{}", job.stderr);
    let text = "mpirun: rank 2 called MPI_Abort with code 7 (pid ";
    assert!(job.stderr.contains(text) && job.stderr.contains(" on b)"), "{}", job.stderr);
}

#[test]
fn what_cuts_all_ranks_off_is_said_once() {
    let job = play("32", &["-host", "a:2,b:2"], "cut off");
    assert_eq!(job.status, 1, "{}", job.stderr);
    assert_eq!(job.stderr.lines().count(), 1, "{}", job.stderr);
    assert!(job.stderr.starts_with("mpirun: rank "), "{}", job.stderr);
    assert!(job.stderr.contains(") cannot go on: rank "), "{}", job.stderr);
    assert!(job.stderr.contains("'s peers are silent"), "{}", job.stderr);
}

#[test]
fn a_crash_explains_why_others_were_cut_off() {
    for (hosts, last) in [("a:2,b:2", "b"), ("a:4", "a")] {
        let job = play("32", &["-host", hosts], "crash");
        assert_eq!(job.status, 128 + 6, "{}", job.stderr);
        let sentences: Vec<&str> =
            job.stderr.lines().filter(|line| line.starts_with("mpirun: ")).collect();
        assert_eq!(sentences.len(), 1, "{}", job.stderr);
        let text = format!(" on {last}) was killed by signal 6");
        assert!(sentences[0].contains(&text), "{}", job.stderr);
    }
}
