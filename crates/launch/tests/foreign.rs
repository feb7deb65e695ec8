//! Ranks whose library is not Dunlin's, and speaks PMI. They are this test program itself, started
//! again in the part of [`pretend_rank`]; hosts are names for this machine.

mod common;

use std::fs::File;
use std::os::fd::FromRawFd;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use common::pretend;
use common::{Outcome, finish, mpirun, run, sorted};
use dunlin_base::settings;
use dunlin_pmi::{Client, Message, Pmi, Protocol, version1};

/// Runs ranks that play `part`; with `hosts`, there.
fn play(options: &[&str], hosts: Option<&str>, part: &str) -> Outcome {
    static PLAYED: AtomicU32 = AtomicU32::new(0);
    let rank = pretend::words(part);
    let rank: Vec<&str> = rank.iter().map(String::as_str).collect();
    let Some(hosts) = hosts else { return run(&[options, &rank].concat()) };
    let number = PLAYED.fetch_add(1, Ordering::Relaxed);
    let here = format!("{}/foreign-{}-{number}", env!("CARGO_TARGET_TMPDIR"), std::process::id());
    // Whatever the host, the agent runs here.
    std::fs::write(&here, "shift; exec \"$@\"").unwrap();
    let rsh = format!("sh {here}");
    let words = [&["--rsh", &rsh, "-host", hosts], options, &rank].concat();
    // One agent below each: what goes up and down passes through all of them.
    let job = finish(mpirun(&words).env(settings::AGENT_WIDTH.name, "1").spawn().unwrap());
    std::fs::remove_file(here).unwrap();
    job
}

fn number(name: &str) -> usize {
    std::env::var(name).unwrap().parse().unwrap()
}

/// The end of this process's socket.
fn socket() -> File {
    // SAFETY: mpirun has left it to this process for this purpose.
    unsafe { File::from_raw_fd(number("PMI_FD") as i32) }
}

/// A rank that greets by PMI.
fn greet(protocol: Protocol) -> Client {
    Client::greet(socket(), protocol, number("PMI_RANK"), number("PMI_SIZE"), "").unwrap()
}

/// Says a line of PMI-1, and hears the answer.
fn ask(socket: &mut File, question: Message) -> Message {
    use std::io::{Read, Write};
    socket.write_all(&version1::encode(&question)).unwrap();
    let (mut heard, mut byte) = (Vec::new(), [0]);
    loop {
        socket.read_exact(&mut byte).unwrap();
        heard.push(byte[0]);
        if let Some(answer) = version1::take(&mut heard) {
            return answer.unwrap();
        }
    }
}

/// Not a test unless started by [`play`].
#[test]
fn pretend_rank() {
    let Ok(part) = std::env::var("PRETEND_RANK") else { return };
    let rank = number("PMI_RANK");
    match part.as_str() {
        "meet by 1" => meet(greet(Protocol::One)),
        "meet by 2" => meet(greet(Protocol::Two)),
        "names" => names(rank),
        "abort" if rank == 2 => {
            greet(Protocol::One).abort(42, "");
            std::thread::sleep(Duration::from_secs(60));
        }
        "leave" if rank == 1 => drop(greet(Protocol::One)),
        part => {
            if part == "come late" && rank == 1 {
                std::thread::sleep(Duration::from_millis(1500));
            }
            let mut client = greet(Protocol::One);
            client.fence().unwrap();
            client.finalize().unwrap();
        }
    }
    std::process::exit(0);
}

/// Everybody puts, everybody gets, twice.
fn meet(mut client: Client) {
    for key in ["first", "second"] {
        let value = |rank: usize| format!("{key} of {rank}");
        client.put(key, value(client.rank()).as_bytes()).unwrap();
        client.fence().unwrap();
        for from in 0..client.size() {
            assert_eq!(client.get(from, key).unwrap(), Some(value(from).into_bytes()));
        }
    }
    let nodes = client.nodes().unwrap();
    println!("{} of {} on {nodes:?} in {}", client.rank(), client.size(), client.job());
    client.finalize().unwrap();
}

/// The last rank publishes what the first looks up, once it knows that it is there.
fn names(rank: usize) {
    let mut socket = socket();
    ask(&mut socket, Message::new("init").with("pmi_version", 1).with("pmi_subversion", 1));
    if rank + 1 == number("PMI_SIZE") {
        let publish = Message::new("publish_name").with("service", "ocean").with("port", "p");
        assert_eq!(ask(&mut socket, publish).number("rc"), Some(0));
    }
    ask(&mut socket, Message::new("barrier_in"));
    let found = ask(&mut socket, Message::new("lookup_name").with("service", "ocean"));
    assert_eq!(found.get("port"), Some("p"));
    ask(&mut socket, Message::new("finalize"));
}

#[test]
fn ranks_on_one_host_find_each_other() {
    for part in ["meet by 1", "meet by 2"] {
        let job = play(&["-n", "5"], None, part);
        assert_eq!((job.status, job.stderr.as_str()), (0, ""), "{}", job.stdout);
        for rank in 0..5 {
            let line = format!("{rank} of 5 on Some([0, 0, 0, 0, 0]) in dunlin-");
            assert!(job.stdout.contains(&line), "{}", job.stdout);
        }
    }
}

#[test]
fn ranks_on_several_hosts_find_each_other() {
    for part in ["meet by 1", "meet by 2"] {
        let job = play(&[], Some("a:2,b:1,c:2"), part);
        assert_eq!((job.status, job.stderr.as_str()), (0, ""), "{}", job.stdout);
        let lines = sorted(&job.stdout).into_iter().filter(|line| line.contains(" in dunlin-"));
        let names: Vec<&str> = lines.map(|line| line.split_once(" in ").unwrap().1).collect();
        assert_eq!(names.len(), 5, "{}", job.stdout);
        assert!(names.iter().all(|name| *name == names[0]), "one job: {}", job.stdout);
        assert!(job.stdout.contains("4 of 5 on Some([0, 0, 1, 2, 2])"), "{}", job.stdout);
    }
}

#[test]
fn a_name_is_known_on_all_hosts() {
    for hosts in [None, Some("a:1,b:1,c:1")] {
        let job = play(&["-n", "3"], hosts, "names");
        assert_eq!((job.status, job.stderr.as_str()), (0, ""), "{}", job.stdout);
    }
}

#[test]
fn an_abort_ends_the_job_with_its_code() {
    for hosts in [None, Some("a:2,b:2")] {
        let job = play(&["-n", "4"], hosts, "abort");
        assert_eq!(job.status, 42, "{}", job.stderr);
        let text = "mpirun: rank 2 called MPI_Abort with code 42 (pid ";
        assert!(job.stderr.starts_with(text), "{}", job.stderr);
    }
}

#[test]
fn a_rank_that_leaves_without_a_word_ends_the_job() {
    let job = play(&["-n", "3"], None, "leave");
    assert_eq!(job.status, 1, "{}", job.stderr);
    let text = "exited with status 0 without calling MPI_Finalize; the other ranks were ended";
    assert!(job.stderr.contains("rank 1 (pid ") && job.stderr.contains(text), "{}", job.stderr);
}

#[test]
fn who_waits_for_a_rank_that_comes_late_is_reported() {
    let job = play(&["-n", "2", "--stall-report", "0.4"], None, "come late");
    assert_eq!(job.status, 0, "{}", job.stderr);
    let text = "rank 0: waits in a barrier of PMI on MPI_COMM_WORLD";
    assert!(job.stderr.contains(text), "{}", job.stderr);
    assert!(job.stderr.contains("rank 1: has not called MPI_Init"), "{}", job.stderr);
}

#[test]
fn variables_of_an_outer_launcher_do_not_reach_the_ranks() {
    let script = "env | grep -E '^(PMI|OMPI_COMM)' | sed 's/FD=.*/FD/' | sort | tr '\\n' ' '";
    let mut job = mpirun(&["-n", "2", "sh", "-c", script]);
    for name in ["PMIX_NAMESPACE", "PMIX_RANK", "PMIX_SERVER_URI41", "PMI_PORT", "PMI_ID"] {
        job.env(name, "outer");
    }
    job.env("OMPI_COMM_WORLD_RANK", "7").env("PMI_RANK", "7").env("PMI_SIZE", "9");
    let job = finish(job.env("PMI_FD", "2").spawn().unwrap());
    for rank in 0..2 {
        let line = format!("PMI_FD PMI_RANK={rank} PMI_SIZE=2 ");
        assert!(job.stdout.contains(&line), "{}", job.stdout);
    }
    assert!(!job.stdout.contains("outer"), "{}", job.stdout);
}
