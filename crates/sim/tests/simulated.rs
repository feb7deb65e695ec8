//! Whole operations on small models: they end, repeat, add up, and cost what the model says.

use dunlin_coll::selection::{OPERATIONS, Selection};
use dunlin_sim::libraries::Library;
use dunlin_sim::operation::{Call, algorithms, forced, simulate};
use dunlin_sim::path::Cost;
use dunlin_sim::run::{Arrivals, Outcome, Setup};
use dunlin_sim::{Layout, Machine};

const LAPTOP: &str = include_str!("../../../machines/epyc-2core.toml");
const EFA: &str = include_str!("../../../machines/hpc7g.toml");

const MIB: f64 = (1 << 20) as f64;

fn machine(text: &str) -> Machine {
    Machine::parse(text).unwrap()
}

fn setup(machine: &Machine, nodes: usize, ranks_per_node: usize) -> Setup<'_> {
    let layout = Layout { nodes, ranks_per_node };
    let (arrivals, within_ns) = (Arrivals::Together, f64::INFINITY);
    Setup { machine, layout, arrivals, seed: 7, path: true, within_ns, events_max: u64::MAX }
}

fn outcome(setup: &Setup, call: &Call, algorithm: &str) -> Outcome {
    simulate(setup, call, &forced(call, algorithm).unwrap()).unwrap().outcome.unwrap()
}

/// All operations by all algorithms that fit, on one node and on several, with cores for all ranks
/// and without.
fn for_each_case(mut check: impl FnMut(&Setup, &Call, &str)) {
    for (text, layouts) in [(LAPTOP, [(1, 2), (1, 5), (1, 9)]), (EFA, [(1, 7), (3, 4), (5, 1)])] {
        let machine = machine(text);
        for (nodes, ppn) in layouts {
            for operation in OPERATIONS {
                for bytes in [8, 3000, 200_000] {
                    let (setup, call) =
                        (setup(&machine, nodes, ppn), Call::new(operation, bytes).unwrap());
                    for name in algorithms(&setup, &call) {
                        check(&setup, &call, &name);
                    }
                }
            }
        }
    }
}

#[test]
fn every_algorithm_ends_and_takes_the_same_time_again() {
    for_each_case(|setup, call, name| {
        let first = outcome(setup, call, name);
        assert!(first.completion_ns > 0.0, "{call:?} {name}");
        assert_eq!(first, outcome(setup, call, name), "{call:?} {name}");
    });
}

/// Forcing an algorithm that does not fit would simulate a choice of ours in its place.
#[test]
fn what_stands_for_a_librarys_choice_fits_the_call() {
    let machine = machine(EFA);
    for (nodes, ppn) in [(1, 2), (1, 5), (2, 1), (3, 4), (5, 1), (4, 8), (7, 1), (16, 4)] {
        let setup = setup(&machine, nodes, ppn);
        for operation in OPERATIONS {
            for bytes in [8, 64, 1000, 12_288, 100_000, 1 << 20] {
                let call = Call::new(operation, bytes).unwrap();
                for (library, kind) in Library::ALL {
                    let name = kind.algorithm(&setup, &call);
                    let base = name.split(':').next().unwrap();
                    let fitting = algorithms(&setup, &call);
                    assert!(fitting.iter().any(|known| known == base), "{library} {call:?} {name}");
                    assert!(forced(&call, &name).is_ok(), "{library} {call:?} {name}");
                }
            }
        }
    }
}

#[test]
fn the_parts_of_the_critical_path_are_the_time_until_the_end() {
    for_each_case(|setup, call, name| {
        let found = outcome(setup, call, name);
        let parts: f64 = found.path.iter().map(|part| part.ns).sum();
        // Arrivals on shared cores are drawn within a nanosecond.
        let difference = (parts - found.completion_ns).abs();
        assert!(
            difference <= 1.0 + found.completion_ns * 1e-6,
            "{call:?} by {name} on {:?}: {parts} of {} ns, {:?}",
            setup.layout,
            found.completion_ns,
            found.path,
        );
    });
}

#[test]
fn a_message_between_nodes_costs_what_sender_network_and_receiver_take() {
    let mut machine = machine(EFA);
    let network = machine.network.as_mut().unwrap();
    network.latency_spread = 0.0;
    let network = network.clone();
    let call = Call::new("bcast", 8).unwrap();
    let found = outcome(&setup(&machine, 2, 1), &call, "binomial");
    let call_ns = machine.node.call_ns + machine.node.general_call_ns + machine.node.data_call_ns;
    let expected = call_ns + network.send_ns + network.latency_ns + network.receive_ns;
    let bytes = 8.0 * (1.0 / network.flow_bytes_per_ns + 2.0 / machine.node.copy_bytes_per_ns);
    assert!((found.completion_ns - expected).abs() < bytes + 2.0, "{found:?}, not {expected}");
    assert_eq!((found.network_messages, found.network_bytes), (1, 8));
}

#[test]
fn what_does_not_take_the_fast_path_costs_more() {
    let mut machine = machine(LAPTOP);
    let takes = |machine: &Machine, name: &str, algorithm: &str| {
        let call = Call::new(name, if name == "barrier" { 0 } else { 8 }).unwrap();
        outcome(&setup(machine, 1, 2), &call, algorithm).completion_ns
    };
    let all = |machine: &Machine| {
        let calls = [
            ("bcast", "cico"),
            ("barrier", "cico_tree"),
            ("barrier", "dissemination"),
            ("bcast", "binomial"),
            ("reduce_scatter", "pairwise"),
            ("bcast", "two_level"),
        ];
        calls.map(|(name, algorithm)| takes(machine, name, algorithm))
    };
    let before = all(&machine);
    let node = &mut machine.node;
    (node.general_call_ns, node.data_call_ns) = (600.0, 400.0);
    (node.general_copy_ns, node.general_verb_ns, node.levels_ns) = (1e3, 1e4, 1e5);
    let after = all(&machine);
    let more = std::array::from_fn::<f64, 6, _>(|i| after[i] - before[i]);
    // Both have parts that do not depend on each other, so the longer chain counts.
    let [shared, tree, barrier, one_way, sums, levels] = more;
    assert_eq!((shared, tree), (0.0, 0.0));
    assert!((600.0 - barrier).abs() < 1.0, "{more:?}");
    assert!((500.0..=1000.0).contains(&one_way), "{more:?}");
    // Two pieces of scratch memory, two copies and a sum.
    assert!((33e3 - 10.0..=33e3 + 10.0).contains(&sums), "{more:?}");
    assert!((100e3..=102e3).contains(&levels), "{more:?}");
}

/// Of 64 KiB each rank sends its block, which the fast path cannot do.
#[test]
fn a_call_per_block_takes_the_fast_path_unless_it_sends() {
    let mut machine = machine(LAPTOP);
    let mut takes = |operation, bytes, general_call_ns| {
        machine.node.general_call_ns = general_call_ns;
        let call = Call::new(operation, bytes).unwrap();
        outcome(&setup(&machine, 1, 4), &call, "per_block").completion_ns
    };
    for operation in ["alltoallv", "gatherv", "scatterv"] {
        assert_eq!(takes(operation, 64, 1e6), takes(operation, 64, 0.0), "{operation}");
        assert!(takes(operation, 64 << 10, 1e6) > 0.5e6, "{operation}");
    }
}

#[test]
fn scratch_memory_takes_room_in_caches() {
    let mut machine = machine(LAPTOP);
    let call = Call::new("reduce_scatter", 1 << 20).unwrap();
    let mut takes = |algorithm, cache_bytes| {
        machine.node.cache_bytes = cache_bytes;
        outcome(&setup(&machine, 1, 2), &call, algorithm).completion_ns
    };
    // Both buffers take 1.5 MiB, what recursive halving asks for 2 more; pairwise asks for two
    // blocks.
    let (small, large) = (3.0 * MIB, 1e9);
    assert_eq!(takes("pairwise", small), takes("pairwise", large));
    assert!(takes("recursive_halving", small) > 1.2 * takes("recursive_halving", large));
}

/// A rank gets one block of a reduce_scatter: with scratch memory that is 3.01 MiB at most of the
/// 3.9 that stay in caches, and a second vector would be too much.
#[test]
fn a_long_reduce_scatter_stays_in_caches_where_it_fits() {
    let mut machine = machine(include_str!("../../../machines/ndr.toml"));
    let call = Call::new("reduce_scatter", 1 << 20).unwrap();
    let fits = outcome(&setup(&machine, 1, 112), &call, "recursive_halving").completion_ns;
    machine.node.cache_bytes = 1e9;
    assert_eq!(fits, outcome(&setup(&machine, 1, 112), &call, "recursive_halving").completion_ns);
    machine.node.cache_bytes = 2.25 * MIB;
    let spills = outcome(&setup(&machine, 1, 112), &call, "recursive_halving").completion_ns;
    assert!(spills > 5.0 * fits, "{spills} and {fits}");
}

/// Four ranks on each of two cores.
#[test]
fn ranks_of_a_core_share_its_caches() {
    let mut machine = machine(LAPTOP);
    let call = Call::new("allreduce", 256 << 10).unwrap();
    let mut takes = |ranks, cache_bytes| {
        machine.node.cache_bytes = cache_bytes;
        outcome(&setup(&machine, 1, ranks), &call, "recursive_doubling").completion_ns
    };
    let (own, large) = (MIB, 1e9);
    assert_eq!(takes(2, own), takes(2, large));
    assert!(takes(8, own) > 1.1 * takes(8, large));
}

#[test]
fn long_scratch_memory_is_fresh_in_each_call() {
    let mut machine = machine(LAPTOP);
    let mut takes = |bytes, page_fault_ns| {
        machine.node.page_fault_ns = page_fault_ns;
        let call = Call::new("reduce_scatter", bytes).unwrap();
        outcome(&setup(&machine, 1, 2), &call, "recursive_halving").completion_ns
    };
    assert_eq!(takes(4 << 20, 0.0), takes(4 << 20, 1e3));
    let pages = 2.0 * f64::from(8 << 20) / 4096.0;
    let more = takes(8 << 20, 1e3) - takes(8 << 20, 0.0);
    assert!((more - pages * 1e3).abs() < 0.01 * pages * 1e3, "{more}");
}

#[test]
fn who_copies_first_delays_the_long_message_that_it_takes() {
    let mut machine = machine(LAPTOP);
    let bytes = 1 << 20;
    machine.node.long_message_bytes_per_ns = Some(10.0);
    machine.node.cache_bytes = 1e9;
    machine.node.private_cache_bytes = None;
    machine.node.copy_bytes_per_ns = 10.0;
    let call = Call::new("gather", bytes).unwrap();
    let found = outcome(&setup(&machine, 1, 2), &call, "linear").completion_ns;
    // The root copies its own block, then helps with the other.
    assert!(found > 2.0 * bytes as f64 / 10.0, "{found}");
}

/// The root alone has blocks of all ranks: what it copies comes from memory, and what others copy
/// does not.
#[test]
fn blocks_of_all_ranks_fill_the_caches_of_the_root_alone() {
    let mut machine = machine(LAPTOP);
    (machine.node.private_cache_bytes, machine.node.cache_bytes) = (Some(1.5 * MIB), 2.0 * MIB);
    let mut takes = |operation, rate| {
        machine.node.single_copy_memory_bytes_per_ns = rate;
        let call = Call::new(operation, 1 << 20).unwrap();
        outcome(&setup(&machine, 1, 2), &call, "single_copy").completion_ns
    };
    assert_eq!(takes("scatter", Some(0.1)), takes("scatter", None), "others read");
    let gather = takes("gather", None);
    machine.node.cache_bytes = 1e9;
    let call = Call::new("gather", 1 << 20).unwrap();
    let cached = outcome(&setup(&machine, 1, 2), &call, "single_copy").completion_ns;
    assert!(gather > 1.05 * cached, "the root copies its own: {gather} and {cached}");
}

/// As in a gather of 128 KiB by 64 ranks, of which the root has 8.1 MiB and all others 7.9.
#[test]
fn the_root_may_use_the_part_of_a_cache_that_others_leave() {
    let mut machine = machine(EFA);
    machine.node.single_copy_memory_bytes_per_ns = Some(1.0);
    let call = Call::new("gather", 128 << 10).unwrap();
    let mut takes = |cache_bytes| {
        machine.node.cache_bytes = cache_bytes;
        outcome(&setup(&machine, 1, 64), &call, "linear").completion_ns
    };
    let as_shipped = takes(1.5 * MIB);
    assert_eq!(as_shipped, takes(1e9));
    assert!(takes(1.1 * MIB) > 1.5 * as_shipped, "7.1 MiB of the root do not fit into 6.4");
}

/// An allgather of two levels is one of blocks of different lengths in itself.
#[test]
fn a_call_finds_its_levels_once() {
    let mut machine = machine(EFA);
    machine.network.as_mut().unwrap().latency_spread = 0.0;
    let call = Call::new("allgather", 8).unwrap();
    let mut takes = |levels_ns| {
        machine.node.levels_ns = levels_ns;
        outcome(&setup(&machine, 2, 2), &call, "two_level_cico").completion_ns
    };
    let more = takes(1e6) - takes(0.0);
    assert!((more - 1e6).abs() < 1e3, "{more}");
}

#[test]
fn messages_that_nobody_takes_yet_fill_caches() {
    let mut machine = machine(LAPTOP);
    machine.node.single_copy_ns = None;
    machine.node.numa_bytes_per_ns = 1.0;
    let call = Call::new("alltoall", 128 << 10).unwrap();
    let mut takes = |algorithm, cache_bytes| {
        machine.node.cache_bytes = cache_bytes;
        outcome(&setup(&machine, 1, 2 * 8), &call, algorithm).completion_ns
    };
    // Data of a core is 32 MiB. One message of each rank on its way is 1 MiB, all of them are 15.
    let (few, all) = (16.0 * MIB, 31.0 * MIB);
    assert!(takes("linear", few) > 1.2 * takes("linear", all));
    let pairwise = takes("pairwise", all);
    assert!((takes("pairwise", few) - pairwise).abs() < 0.05 * pairwise);
}

#[test]
fn single_copies_of_data_in_no_cache_have_a_rate_of_their_own() {
    let mut machine = machine(LAPTOP);
    let bytes = 8 << 20;
    let call = Call::new("bcast", bytes).unwrap();
    let mut takes = |cache_bytes, rate| {
        machine.node.cache_bytes = cache_bytes;
        machine.node.single_copy_memory_bytes_per_ns = rate;
        outcome(&setup(&machine, 1, 2), &call, "single_copy").completion_ns
    };
    assert_eq!(takes(1e9, Some(1.0)), takes(1e9, None));
    assert!(takes(1e6, Some(1.0)) > bytes as f64);
    assert!(takes(1e6, None) < bytes as f64);
}

#[test]
fn ranks_of_a_node_share_its_adapter() {
    let mut machine = machine(EFA);
    let network = machine.network.as_mut().unwrap();
    (network.adapters, network.latency_spread) = (1, 0.0);
    network.flow_bytes_per_ns = network.adapter_bytes_per_ns;
    let rate = network.adapter_bytes_per_ns;
    let bytes = 16 << 20;
    let call = Call::new("alltoall", bytes).unwrap();
    let found = outcome(&setup(&machine, 2, 4), &call, "pairwise");
    // Four ranks send four blocks each to the other node.
    let least = 16.0 * bytes as f64 / rate;
    assert!(found.completion_ns >= least, "{} of at least {least}", found.completion_ns);
}

#[test]
fn an_idle_adapter_delays_nobody() {
    let mut machine = machine(EFA);
    let network = machine.network.as_mut().unwrap();
    (network.adapter_bytes_per_ns, network.flow_bytes_per_ns) = (1e6, 1e6);
    (network.adapter_messages_per_ns, network.latency_spread) = (1e6, 0.1);
    let call = Call::new("barrier", 0).unwrap();
    let found = outcome(&setup(&machine, 16, 16), &call, "dissemination");
    let queued = found.path.iter().find(|part| part.cost == Cost::NetworkQueues);
    assert!(queued.is_none_or(|part| part.ns < 1.0), "{queued:?}");
}

#[test]
fn waiting_for_room_is_a_part_of_the_path() {
    let machine = machine(EFA);
    let call = Call::new("allreduce", 1 << 20).unwrap();
    let found = outcome(&setup(&machine, 1, 64), &call, "cico_chains");
    let parts: f64 = found.path.iter().map(|part| part.ns).sum();
    assert!((parts / found.completion_ns - 1.0).abs() < 1e-6, "{parts} of {found:?}");
}

#[test]
fn another_seed_draws_other_latencies() {
    let machine = machine(EFA);
    let call = Call::new("allreduce", 8).unwrap();
    let one = setup(&machine, 8, 1);
    let other = Setup { seed: 8, ..one };
    let time = |setup| outcome(setup, &call, "recursive_doubling").completion_ns;
    assert_ne!(time(&one), time(&other));
}

#[test]
fn late_arrivals_are_not_counted_as_the_operations_time() {
    let machine = machine(EFA);
    let call = Call::new("barrier", 0).unwrap();
    let together = setup(&machine, 4, 1);
    let late = Setup { arrivals: Arrivals::Within(1e6), ..together };
    let found = outcome(&late, &call, "dissemination");
    assert!(found.completion_ns < 2.0 * outcome(&together, &call, "dissemination").completion_ns);
    assert!(found.mean_local_ns > found.completion_ns, "early ranks wait: {found:?}");
}

#[test]
fn what_takes_too_long_is_given_up() {
    let machine = machine(EFA);
    let setup = Setup { within_ns: 1000.0, ..setup(&machine, 4, 4) };
    let call = Call::new("allreduce", 8).unwrap();
    assert_eq!(simulate(&setup, &call, &Selection::default()).unwrap().outcome, None);
    let setup = Setup { within_ns: f64::INFINITY, events_max: 20, ..setup };
    assert_eq!(simulate(&setup, &call, &Selection::default()).unwrap().outcome, None);
}

/// Data that stays in no cache is written to memory, which the cores of a domain share, also where
/// it comes in messages of a few KiB.
#[test]
fn short_messages_of_a_long_result_use_the_memory() {
    let mut machine = machine(EFA);
    machine.node.numa_bytes_per_ns = 1.0;
    let call = Call::new("allgather", 1024).unwrap();
    let waited = |machine: &Machine| {
        let found = outcome(&setup(machine, 2, 8), &call, "ring");
        let parts = found.path.iter().filter(|part| part.cost == Cost::MemoryBandwidth);
        parts.map(|part| part.ns).sum::<f64>()
    };
    assert_eq!(waited(&machine), 0.0, "16 blocks stay in the cache");
    machine.node.cache_bytes = 8192.0;
    // 15 blocks of 1 KiB for each of 8 ranks, besides the copies of their own.
    assert!(waited(&machine) > 60_000.0, "{}", waited(&machine));
}

#[test]
fn wrong_requests_are_refused_with_a_sentence() {
    let error = Call::new("allredcue", 8).unwrap_err();
    assert!(error.text.contains("`allredcue` is not an operation"), "{error}");
    let one_node = Machine { network: None, ..machine(EFA) };
    let call = Call::new("bcast", 8).unwrap();
    let error = simulate(&setup(&one_node, 2, 1), &call, &Selection::default()).unwrap_err();
    assert!(error.text.contains("no network, so it has 1 node, not 2"), "{error}");
    let long = Call::new("allgather", usize::MAX / 2).unwrap();
    let error = simulate(&setup(&one_node, 1, 4), &long, &Selection::default()).unwrap_err();
    assert!(error.text.contains("too many to simulate"), "{error}");
    let crowd = Layout { nodes: usize::MAX / 2, ranks_per_node: 4 };
    assert!(crowd.check().unwrap_err().text.contains("too many"));
    let wrong = EFA.replacen("latency_ns = ", "latency_ns = -", 1);
    let error = Machine::parse(&wrong).unwrap_err();
    assert!(error.contains("it must be 0 or more"), "{error}");
    let wrong = EFA.replacen("adapters = ", "adapters = 0 # ", 1);
    let error = Machine::parse(&wrong).unwrap_err();
    assert!(error.contains("network.adapters is 0; it must be greater than 0"), "{error}");
}

#[test]
fn all_shipped_models_are_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../machines");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = std::fs::read_to_string(&path).unwrap();
            Machine::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}

/// A network by which nothing but cores decides.
const LINK: &str = "
[network]
adapters = 1
latency_ns = 1000
latency_spread = 0
send_ns = 3000
receive_ns = 1000
packet_ns = 0
packet_bytes = 65536
adapter_messages_per_ns = 1
adapter_bytes_per_ns = 10
flow_bytes_per_ns = 10
eager_bytes_max = 262144
rendezvous_copies = true

[network.topology]
nodes_per_group = 100
between_groups_ns = 0
taper = 1
";

#[test]
fn hosts_that_share_cores_wait_for_them() {
    let text = LAPTOP.replace("[node.line_ns]", &format!("{LINK}\n[node.line_ns]"));
    let (apart, together) = (
        machine(&text),
        machine(&text.replace("rendezvous_copies", "hosts_share_cores = true\nrendezvous_copies")),
    );
    let call = Call::new("barrier", 0).unwrap();
    let takes = |machine, nodes, ppn| {
        outcome(&setup(machine, nodes, ppn), &call, "dissemination").completion_ns
    };
    assert_eq!(takes(&apart, 2, 1), takes(&together, 2, 1), "a core for each");
    assert!(takes(&together, 2, 2) > 1.5 * takes(&apart, 2, 2), "two ranks to a core");
}

/// What a call on one node of this text takes.
fn takes_on_node(text: &str, ppn: usize, call: &Call, algorithm: &str) -> f64 {
    outcome(&setup(&machine(text), 1, ppn), call, algorithm).completion_ns
}

#[test]
fn a_core_is_given_away_the_slower_the_more_ranks_it_has() {
    let grows = LAPTOP.replace("switch_ns", "switch_growth = 0.5\nswitch_ns");
    let call = Call::new("barrier", 0).unwrap();
    let takes = |text: &str, ppn| takes_on_node(text, ppn, &call, "dissemination");
    assert_eq!(takes(LAPTOP, 4), takes(&grows, 4), "two ranks to a core");
    let (usual, slower) = (takes(LAPTOP, 16), takes(&grows, 16));
    assert!(slower > 1.2 * usual, "{slower} and {usual} of eight to a core");
}

#[test]
fn what_goes_from_rank_to_rank_takes_longer_where_they_share_cores() {
    let slow = LAPTOP.replace("switch_ns", "shared_core_slowdown = 4\nswitch_ns");
    for (operation, algorithm) in [("bcast", "cico"), ("allgather", "ring")] {
        let call = Call::new(operation, 16 << 10).unwrap();
        let takes = |text: &str, ppn| takes_on_node(text, ppn, &call, algorithm);
        assert_eq!(takes(LAPTOP, 2), takes(&slow, 2), "{operation} by a rank for each core");
        let (usual, slower) = (takes(LAPTOP, 8), takes(&slow, 8));
        assert!(slower > 1.2 * usual, "{operation}: {slower} and {usual}");
    }
}

/// Three hosts of one rank on two cores: the root keeps its core for what it does next, before rank
/// 2 gets it.
#[test]
fn a_rank_that_has_done_its_part_goes_on_before_it_gives_its_core_away() {
    let shared = LINK.replace("rendezvous_copies", "hosts_share_cores = true\nrendezvous_copies");
    let machine = machine(&LAPTOP.replace("[node.line_ns]", &format!("{shared}\n[node.line_ns]")));
    let call = Call::new("bcast", 8).unwrap();
    let found = outcome(&setup(&machine, 3, 1), &call, "knomial:4");
    let network = machine.network.as_ref().unwrap();
    // Two messages of the operation and two of what follows, and two changes of ranks.
    let least = 4.0 * network.send_ns + 3.0 * machine.node.switch_ns + network.receive_ns;
    let most = least + network.send_ns;
    assert!((least..most).contains(&found.completion_ns), "{least} to {most}: {found:?}");
    assert_eq!(found.network_messages, 2, "what follows does not count");
}

/// Hosts of one rank on one core.
#[test]
fn acknowledgements_take_cores_that_ranks_share_unless_messages_carry_them() {
    let one_core = LAPTOP.replace("cores_per_cache = 2", "cores_per_cache = 1");
    let takes = |more: &str, hosts: usize, operation: &str, bytes: usize, algorithm: &str| {
        let keys = format!("hosts_share_cores = true\n{more}rendezvous_copies");
        let link = LINK.replace("rendezvous_copies", &keys);
        let text = one_core.replace("[node.line_ns]", &format!("{link}\n[node.line_ns]"));
        let call = Call::new(operation, bytes).unwrap();
        outcome(&setup(&machine(&text), hosts, 1), &call, algorithm).completion_ns
    };
    // Nobody sends to the left.
    let ring = |more| takes(more, 8, "allgather", 8, "ring");
    assert!(ring("acknowledge_ns = 10000\n") > 1.3 * ring(""));
    assert_eq!(ring("acknowledge_ns = 10000000\n"), ring(""), "later than the end");
    // Two send to each other all the time.
    let pair = |more| takes(more, 2, "allreduce", 1 << 20, "segmented_ring:8192");
    let (with, without) = (pair("acknowledge_ns = 150000\n"), pair(""));
    assert!(without > 2.0 * 150_000.0, "{without} is not longer than that");
    assert_eq!(with, without);
}

/// Of 128 messages to one peer, whose answer is 40 us away.
#[test]
fn a_window_limits_what_is_on_the_way_to_one_peer() {
    let link = LINK.replace("latency_ns = 1000", "latency_ns = 20000");
    let link = link.replace("packet_bytes = 65536", "packet_bytes = 8192");
    let takes = |window: &str, algorithm: &str| {
        let link = link.replace("rendezvous_copies", &format!("{window}rendezvous_copies"));
        let machine =
            machine(&LAPTOP.replace("[node.line_ns]", &format!("{link}\n[node.line_ns]")));
        let setup = setup(&machine, 2, 1);
        outcome(&setup, &Call::new("bcast", 1 << 20).unwrap(), algorithm).completion_ns
    };
    for algorithm in ["pipelined_chain:8192", "binomial"] {
        let free = takes("", algorithm);
        assert_eq!(takes("window_packets = 256\n", algorithm), free, "{algorithm}");
        for window in [1.0, 4.0] {
            let took = takes(&format!("window_packets = {window}\n"), algorithm);
            let round_trips = 128.0 * 40_000.0 / window;
            let around = 0.9 * round_trips..1.2 * round_trips;
            assert!(around.contains(&took), "{algorithm}, {window}: {took}, not {round_trips}");
        }
    }
}

#[test]
fn a_longer_way_costs_messages_that_take_it() {
    let text = LAPTOP.replace("[node.line_ns]", &format!("{LINK}\n[node.line_ns]"));
    let both = "datagram_bytes_max = 4095\nconnection_ns = 5000\nrendezvous_copies";
    let (one, two) = (machine(&text), machine(&text.replace("rendezvous_copies", both)));
    let takes = |machine, bytes| {
        outcome(&setup(machine, 2, 1), &Call::new("bcast", bytes).unwrap(), "binomial")
            .completion_ns
    };
    assert_eq!(takes(&one, 4095), takes(&two, 4095));
    // Sender and receiver each.
    assert!((takes(&two, 4096) - takes(&one, 4096) - 10_000.0).abs() < 1.0);
}

/// With as many branches as ranks, a tree that knew no domains would have no levels.
#[test]
fn a_tree_along_domains_reads_most_lines_where_they_are_near() {
    let mut machine = machine(include_str!("../../../machines/hpc7a.toml"));
    // The lines alone.
    (machine.node.general_call_ns, machine.node.data_call_ns) = (0.0, 0.0);
    (machine.node.general_copy_ns, machine.node.general_verb_ns) = (0.0, 0.0);
    let setup = setup(&machine, 1, 192);
    let flat = "cico_tree:192";
    for (operation, most) in [("barrier", 3_000.0), ("reduce", 5_000.0)] {
        let call = Call::new(operation, 8).unwrap();
        let (tree, all) = (outcome(&setup, &call, flat), outcome(&setup, &call, "cico"));
        assert!(tree.completion_ns < most, "{operation}: {tree:?}");
        assert!(all.completion_ns > 4.0 * tree.completion_ns, "{operation}: {all:?}");
    }
}

/// The reduce with which an allreduce begins takes longer alone: nothing tells those below that all
/// others have ended the calls before. They look once in 4 calls with data of 8 KiB, and once in 32
/// with 8 bytes.
#[test]
fn who_is_not_told_that_all_have_begun_looks_at_the_others() {
    let machine = machine(include_str!("../../../machines/hpc7a.toml"));
    let lines = |operation: &str, bytes, ranks| {
        let call = Call::new(operation, bytes).unwrap();
        let found = outcome(&setup(&machine, 1, ranks), &call, "cico_tree:2");
        let parts = found.path.iter().filter(|part| part.cost == Cost::Lines);
        parts.map(|part| part.ns).sum::<f64>()
    };
    let (alone, begins) = (lines("reduce", 8 << 10, 192), lines("allreduce", 8 << 10, 192));
    assert!(alone > 1.5 * begins, "{alone} and {begins}");
    // So rarely, or with three others, that is less than the way back.
    for (bytes, ranks) in [(8, 192), (8, 4), (8 << 10, 4)] {
        let (alone, begins) = (lines("reduce", bytes, ranks), lines("allreduce", bytes, ranks));
        assert!(alone < begins, "{bytes} bytes, {ranks} ranks: {alone} and {begins}");
    }
}

/// What ranks are told in one call they know in the next: that decides what takes too long.
#[test]
fn what_ranks_know_by_the_call_before_is_no_reason_to_give_up() {
    let machine = machine(include_str!("../../../machines/hpc7a.toml"));
    let call = Call::new("allreduce", 8).unwrap();
    let setup = setup(&machine, 1, 192);
    let within_ns = outcome(&setup, &call, "cico_tree:2").completion_ns;
    outcome(&Setup { within_ns, ..setup }, &call, "cico_tree:2");
}

/// 97 ranks fill 12 caches of 8, and one is alone: parts by levels would be hardly shorter, or have
/// no room.
#[test]
fn where_domains_are_filled_unevenly_cico_levels_is_no_slower_than_messages() {
    let machine = machine(include_str!("../../../machines/hpc7a.toml"));
    for (ranks, bytes) in [(97, 8 << 10), (97, 32 << 10), (121, 16 << 10), (150, 16 << 10)] {
        let call = Call::new("allreduce", bytes).unwrap();
        let takes = |algorithm| outcome(&setup(&machine, 1, ranks), &call, algorithm).completion_ns;
        let (levels, messages) = (takes("cico_levels"), takes("rabenseifner"));
        assert!(levels < 1.1 * messages, "{bytes} bytes, {ranks} ranks: {levels} and {messages}");
    }
}

/// One sender cannot help all receivers at a time, nor are its pages free for all.
#[test]
fn long_messages_from_one_rank_are_no_faster_than_single_copies_out_of_its_memory() {
    let machine = machine(include_str!("../../../machines/hpc7a.toml"));
    let call = Call::new("scatter", 1 << 20).unwrap();
    let setup = setup(&machine, 1, 64);
    let takes = |algorithm| outcome(&setup, &call, algorithm).completion_ns;
    assert!(takes("linear") > 0.9 * takes("single_copy"), "{}", takes("linear"));
}

/// Each of two ranks that send to each other copies as much as it gets.
#[test]
fn who_receives_a_long_message_does_not_help_at_the_same_time() {
    let machine = machine(EFA);
    let takes = |operation, bytes, algorithm| {
        let call = Call::new(operation, bytes).unwrap();
        outcome(&setup(&machine, 1, 2), &call, algorithm).completion_ns
    };
    let one_way = takes("bcast", 1 << 20, "binomial");
    let both_ways = takes("alltoall", 1 << 20, "pairwise");
    assert!(both_ways > 1.8 * one_way, "{both_ways} and {one_way}");
}
