//! Proves every collective algorithm and prints how many cases each was tried in:
//! `cargo run -p dunlin-coll --example proofs [ranks]`, every count of ranks up to 40 by default.

use dunlin_coll::symbolic::{cases, subjects};
use std::process::ExitCode;
use std::time::Instant;

const RANKS: usize = 40;
const LENS: [usize; 4] = [0, 1, 3, 7];
const SEED: u64 = 0x5eed;

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    let Ok(ranks) = argument.as_deref().map_or(Ok(RANKS), str::parse::<usize>) else {
        eprintln!("the number of ranks is {argument:?}; it must be a positive integer");
        return ExitCode::FAILURE;
    };
    println!("{:<22} {:<22} {:>8} {:>9}", "operation", "algorithm", "proved", "seconds");
    for subject in subjects() {
        let begin = Instant::now();
        let mut proved = 0;
        for case in (1..=ranks).flat_map(|ranks| cases(&subject, ranks, &LENS, SEED)) {
            if let Err(error) = subject.prove(&case) {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
            proved += 1;
        }
        let seconds = begin.elapsed().as_secs_f64();
        println!("{:<22} {:<22} {proved:>8} {seconds:>9.2}", subject.operation, subject.algorithm);
    }
    ExitCode::SUCCESS
}
