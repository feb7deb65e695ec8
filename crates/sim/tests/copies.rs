//! How many copies algorithms make, by what the simulator takes for them.

use dunlin_sim::operation::{Call, forced, simulate};
use dunlin_sim::run::{Arrivals, Setup};
use dunlin_sim::{Layout, Machine};

/// Block by block Bruck's algorithm would copy 64 blocks six times, half of them twice in a round.
#[test]
fn an_alltoall_by_bruck_copies_runs_of_blocks() {
    let mut machine = Machine::parse(include_str!("../../../machines/hpc7a.toml")).unwrap();
    let call = Call::new("alltoall", 8).unwrap();
    let mut takes = |copy_ns| {
        machine.node.general_copy_ns = copy_ns;
        let setup = Setup {
            machine: &machine,
            layout: Layout { nodes: 64, ranks_per_node: 1 },
            arrivals: Arrivals::Together,
            seed: 7,
            path: false,
            within_ns: f64::INFINITY,
            events_max: u64::MAX,
        };
        let bruck = forced(&call, "bruck").unwrap();
        simulate(&setup, &call, &bruck).unwrap().outcome.unwrap().completion_ns
    };
    let copies = (takes(1e6) - takes(0.0)) / 1e6;
    assert!((100.0..200.0).contains(&copies), "{copies} copies");
}
