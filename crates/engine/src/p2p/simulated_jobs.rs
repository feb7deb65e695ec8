//! Whole jobs in one process and one thread, drawn from a seed: the sends, receives, probes and
//! cancels of two to eight ranks on one node or several, the order in which these come to make
//! progress, and the faults of the network between the nodes, in virtual time. What the standard
//! promises of point-to-point is checked.
//!
//! `SEED=123` runs that job alone; `SEEDS=10000` runs so many. Jobs follow one another in the same
//! segments, emptied between them, so that memory does not grow.

pub(crate) mod job;
pub(crate) mod network;
pub(crate) mod plan;
mod rank;
mod verdict;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use job::Nodes;

/// Some seconds; without optimisation a job takes twenty times as long.
const SEEDS: u64 = if cfg!(debug_assertions) { 200 } else { 1000 };

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

/// The seeds that `SEED` or `SEEDS` ask for; else so many.
pub(crate) fn seeds(usual: u64) -> Range<u64> {
    match setting("SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..setting("SEEDS").unwrap_or(usual),
    }
}

#[test]
fn simulated_jobs_keep_the_promises_of_the_standard() {
    let mut nodes = Nodes::default();
    for seed in seeds(SEEDS) {
        let why = match catch_unwind(AssertUnwindSafe(|| job::run(&mut nodes, seed))) {
            Ok(Ok(())) => continue,
            Ok(Err(why)) => why,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or(panic.downcast_ref::<&str>().copied());
                format!("it has panicked: {}", text.unwrap_or("without a word"))
            }
        };
        let again = format!("SEED={seed} cargo test -p dunlin-engine --release simulated_jobs");
        panic!("the job of seed {seed}: {why}; repeat: {again}");
    }
}
