//! How many copies algorithms make, and how many lines they write, by what the simulator takes for
//! them.

use dunlin_sim::operation::{Call, forced, simulate};
use dunlin_sim::run::{Arrivals, Setup};
use dunlin_sim::{Layout, Machine};

fn takes(machine: &Machine, layout: Layout, call: &Call, algorithm: &str) -> f64 {
    let setup = Setup {
        machine,
        layout,
        arrivals: Arrivals::Together,
        seed: 7,
        path: false,
        within_ns: f64::INFINITY,
        events_max: u64::MAX,
    };
    let selection = forced(call, algorithm).unwrap();
    simulate(&setup, call, &selection).unwrap().outcome.unwrap().completion_ns
}

fn hpc7a() -> Machine {
    Machine::parse(include_str!("../../../machines/hpc7a.toml")).unwrap()
}

/// Block by block Bruck's algorithm would copy 64 blocks six times, half of them twice in a round.
#[test]
fn an_alltoall_by_bruck_copies_runs_of_blocks() {
    let mut machine = hpc7a();
    let call = Call::new("alltoall", 8).unwrap();
    let mut with = |copy_ns| {
        machine.node.general_copy_ns = copy_ns;
        takes(&machine, Layout { nodes: 64, ranks_per_node: 1 }, &call, "bruck")
    };
    let copies = (with(1e6) - with(0.0)) / 1e6;
    assert!((100.0..200.0).contains(&copies), "{copies} copies");
}

/// Ranks read what is published last when all lines before it have come back to the root. Blocks
/// of 8 bytes that are published together share lines.
#[test]
fn blocks_that_are_published_one_by_one_are_seen_one_line_after_the_other() {
    let (mut machine, call) = (hpc7a(), Call::new("scatter", 8).unwrap());
    machine.node.line_ns.cache = 1e3;
    let with = |algorithm| {
        let ranks = |ranks_per_node| Layout { nodes: 1, ranks_per_node };
        let of = |layout| takes(&machine, layout, &call, algorithm);
        (of(ranks(64)) - of(ranks(32))) / 1e3
    };
    let (one_by_one, together) = (with("cico_pipelined"), with("cico"));
    assert!((31.0..33.0).contains(&one_by_one), "{one_by_one} lines");
    assert!(together < 2.0, "{together} lines");
}
