//! Endpoints on virtual time over a network with every fault there is. Each run is made from one
//! number; a failure prints it, and `SEED=n cargo test -p dunlin-wire --test sim` runs it again.

mod attacker;
mod network;
mod process;
mod random;
mod sessions;

use dunlin_seal::Security;
use network::{Faults, Network};
use random::Random;
use sessions::{Job, Links};

/// Runs of each test: thousands, in seconds.
const RUNS: u64 = 1000;

/// Runs a scenario for many seeds, or for the one that the environment names.
fn for_seeds(scenario: impl Fn(u64)) {
    let named = std::env::var("SEED").ok().map(|s| s.parse().expect("SEED is a number"));
    for seed in named.map_or(0..RUNS, |n| n..n + 1) {
        let run = std::panic::AssertUnwindSafe(|| scenario(seed));
        if let Err(panic) = std::panic::catch_unwind(run) {
            eprintln!("failed with SEED={seed}");
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn a_lossy_network_delivers_everything_once_and_in_order() {
    for_seeds(|seed| {
        let mut random = Random::new(seed);
        let faults = Faults {
            drop: random.below(30) as f64 / 100.0,
            double: random.below(20) as f64 / 100.0,
            ..Faults::any_order(&mut random)
        };
        Network::run(random, faults, false);
    });
}

#[test]
fn a_reliable_network_without_order_needs_no_second_sending() {
    for_seeds(|seed| {
        let mut random = Random::new(seed ^ 0x5eed_0000);
        let faults = Faults::any_order(&mut random);
        let stats = Network::run(random, faults, true);
        assert_eq!((stats.retransmitted, stats.duplicates), (0, 0));
    });
}

#[test]
fn a_path_that_fails_for_a_while_delays_and_loses_nothing() {
    for_seeds(|seed| {
        let mut random = Random::new(seed ^ 0xb1ac_0000);
        let from = random.below(2_000_000);
        let faults = Faults {
            drop: random.below(5) as f64 / 100.0,
            dark: Some((from, from + 3_000_000_000)),
            ..Faults::any_order(&mut random)
        };
        Network::run(random, faults, false);
    });
}

#[test]
fn a_path_that_fails_for_ever_is_said_once_for_each_peer() {
    for_seeds(|seed| Network::run_into_darkness(Random::new(seed ^ 0xdead_0000)));
}

#[test]
fn ordered_and_lossless_is_a_plain_case() {
    for_seeds(|seed| {
        let mut random = Random::new(seed ^ 0x1111_0000);
        let faults = Faults { spread: 0, ..Faults::any_order(&mut random) };
        let stats = Network::run(random, faults, seed % 2 == 0);
        assert_eq!((stats.malformed, stats.foreign, stats.beyond), (0, 0, 0));
    });
}

/// Each attack checks that it has changed nothing; at the end everything has arrived once and in
/// order.
#[test]
fn nothing_of_a_stranger_who_hears_everything_is_believed() {
    let tried = std::cell::Cell::new(0);
    for_seeds(|seed| {
        let mut random = Random::new(seed ^ 0xa77a_0000);
        let (_, security) = Security::WORDS[seed as usize % 3];
        let is_reliable = seed % 2 == 0;
        let share = |percent| if is_reliable { 0.0 } else { percent as f64 / 100.0 };
        let faults = Faults {
            drop: share(random.below(20)),
            double: share(random.below(20)),
            forged: 1 + random.below(3),
            security,
            ..Faults::any_order(&mut random)
        };
        let forged = Network::run_under_attack(random, faults, is_reliable);
        tried.set(tried.get() + forged);
    });
    eprintln!("{} packets were forged, and 0 believed", tried.get());
}

#[test]
fn sessions_that_follow_each_other_wait_for_nobody_in_vain() {
    for_seeds(|seed| {
        let mut random = Random::new(seed ^ 0x5e55_0000);
        let spread = random.below(200) * 1000;
        let is_reliable = seed % 2 == 0;
        Job::run(random, Links { spread, is_reliable, ..Links::default() });
    });
}

#[test]
fn nor_do_they_where_packets_are_lost() {
    for_seeds(|seed| {
        let mut random = Random::new(seed ^ 0x5e55_1055);
        let (drop, spread) = (random.below(10) as f64 / 100.0, random.below(200) * 1000);
        Job::run(random, Links { drop, spread, is_reliable: false });
    });
}
