//! What ranks on several hosts publish, and what they and the launcher learn from it. The ranks
//! here are this test program itself, started again in the part of [`pretend_rank`]; the hosts are
//! names for this machine.

mod common;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use common::{Outcome, finish, mpirun};
use dunlin_base::settings;
use dunlin_shm::address::Address;
use dunlin_shm::card::Addresses;
use dunlin_shm::stall::Stall;
use dunlin_shm::{RankState, Segment};
use nix::time::{ClockId, clock_gettime};

/// Names the part to play.
const PART: &str = "PRETEND_RANK";

/// Runs ranks on hosts that play `part`, `width` agents below each.
fn play(width: &str, options: &[&str], part: &str) -> Outcome {
    static PLAYED: AtomicU32 = AtomicU32::new(0);
    let number = PLAYED.fetch_add(1, Ordering::Relaxed);
    // Whatever the host, the agent runs here.
    let here = format!("{}/here-{}-{number}", env!("CARGO_TARGET_TMPDIR"), std::process::id());
    std::fs::write(&here, "shift; exec \"$@\"").unwrap();
    let me = std::env::current_exe().unwrap();
    let rank = ["-genv", PART, part, me.to_str().unwrap(), "--exact", "pretend_rank"];
    let rsh = format!("sh {here}");
    let command = [&["--rsh", &rsh], options, &rank, &["--nocapture"]].concat();
    let job = finish(mpirun(&command).env(settings::AGENT_WIDTH, width).spawn().unwrap());
    std::fs::remove_file(here).unwrap();
    job
}

/// Not a test unless started by [`play`].
#[test]
fn pretend_rank() {
    let Ok(part) = std::env::var(PART) else { return };
    let number = |name| std::env::var(name).unwrap().parse::<usize>().unwrap();
    let segment = Segment::inherit(number(settings::JOB_FD) as i32).unwrap();
    let rank = number(settings::JOB_RANK);
    let local = segment.card().local(rank).unwrap();
    segment.rank(local).set_pid(std::process::id());
    segment.rank(local).set_state(RankState::Running);
    match part.as_str() {
        "addresses" => exchange_addresses(&segment, rank),
        "circle" => wait_for_neighbour(&segment, rank),
        "abort" if rank == 2 => {
            segment.rank(local).set_aborted(7);
            std::process::exit(7);
        }
        _ => {
            std::thread::sleep(Duration::from_millis(50));
            std::process::exit(1);
        }
    }
    segment.rank(local).set_state(RankState::Finalized);
    std::process::exit(0);
}

fn exchange_addresses(segment: &Segment, rank: usize) {
    let card = segment.card();
    let address = |rank: usize| Address::new(format!("{:x} {rank}", card.key()).as_bytes());
    // Ranks come late, and not at the same time.
    std::thread::sleep(Duration::from_millis(20 * rank as u64));
    card.publish(rank, &address(rank).unwrap());
    while card.addresses() == Addresses::Gathering {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(card.addresses(), Addresses::Complete);
    for other in 0..card.world() {
        assert_eq!(card.address(other), address(other));
    }
    println!("{rank} of {} on {}", card.world(), card.host_of(rank));
}

fn wait_for_neighbour(segment: &Segment, rank: usize) {
    let card = segment.card();
    let since_ns = Duration::from(clock_gettime(ClockId::CLOCK_MONOTONIC).unwrap()).as_nanos();
    let stall = Stall {
        function: "MPI_Recv".into(),
        comm: "MPI_COMM_WORLD".into(),
        peer: Some((rank as u32 + 1) % card.world() as u32),
        tag: Some(7),
        since_ns: since_ns as u64,
    };
    let view = segment.rank(card.local(rank).unwrap());
    view.stall().publish(Some(&stall));
    std::thread::sleep(Duration::from_millis(2500));
    view.stall().publish(None);
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
