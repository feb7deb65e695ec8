//! Proves every collective algorithm and prints how many cases each was tried in:
//! `cargo run --release -p dunlin-coll --example proofs [-- --full]`. Every count of ranks up to 40
//! and some larger ones; with `--full`, some up to 300, too.

use dunlin_coll::symbolic::{Case, Subject, cases, subjects};
use std::process::ExitCode;
use std::time::Instant;

/// Up to here every count of ranks is tried, with all block sizes.
const RANKS: usize = 40;
const LENS: [usize; 4] = [0, 1, 3, 7];
/// Counts tried beside them, with one block size.
const SAMPLE: [usize; 4] = [47, 64, 97, 130];
const FULL_SAMPLE: [usize; 5] = [128, 192, 256, 257, 300];
const SAMPLE_LENS: [usize; 1] = [1];
const SEED: u64 = 0x5eed;

fn main() -> ExitCode {
    let full = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--full") => true,
        Some(other) => {
            eprintln!("the argument is {other:?}; it must be --full, or left out");
            return ExitCode::FAILURE;
        }
    };
    println!("{:<22} {:<24} {:>8} {:>9}", "operation", "algorithm", "proved", "seconds");
    let (begin, mut total) = (Instant::now(), 0);
    for subject in subjects() {
        match prove(&subject, full) {
            Ok(proved) => total += proved,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{:<22} {:<24} {total:>8} {:>9.2}", "all", "", begin.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}

/// Proves one algorithm and prints its line; says in how many cases.
fn prove(subject: &Subject, full: bool) -> dunlin_base::Result<usize> {
    let begin = Instant::now();
    let more: &[usize] = if full { &FULL_SAMPLE } else { &[] };
    let small = (1..=RANKS).flat_map(|ranks| cases(subject, ranks, &LENS, SEED));
    let large = SAMPLE.iter().chain(more);
    let large = large.flat_map(|&ranks| cases(subject, ranks, &SAMPLE_LENS, SEED));
    let list: Vec<Case> = small.chain(large).collect();
    for case in &list {
        subject.prove(case)?;
    }
    let (proved, seconds) = (list.len(), begin.elapsed().as_secs_f64());
    println!("{:<22} {:<24} {proved:>8} {seconds:>9.2}", subject.operation, subject.algorithm);
    Ok(proved)
}
