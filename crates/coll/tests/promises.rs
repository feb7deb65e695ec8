//! What the documentation of an algorithm promises about messages and volume is so.

use dunlin_coll::symbolic::{Case, DomainMap, NodeMap, Sends, Traffic, subjects};

/// Elements per rank or block: a multiple of all rank counts below, so that chunks are equal.
const LEN: usize = 48;

fn traffic(operation: &str, algorithm: &str, ranks: usize) -> Vec<Traffic> {
    traffic_on(NodeMap::One, operation, algorithm, ranks)
}

fn traffic_on(nodes: NodeMap, operation: &str, algorithm: &str, ranks: usize) -> Vec<Traffic> {
    let list = subjects();
    let subject = list
        .iter()
        .find(|subject| (subject.operation, &*subject.algorithm) == (operation, algorithm))
        .unwrap_or_else(|| panic!("no {operation} by {algorithm}"));
    let case = Case {
        ranks,
        root: 0,
        len: LEN,
        in_place: false,
        commutative: true,
        mixed: false,
        nodes,
        domains: DomainMap::Nested,
        sends: Sends::Synchronous,
        seed: 1,
    };
    subject.prove(&case).unwrap_or_else(|error| panic!("{error}"))
}

fn log2_ceil(n: usize) -> usize {
    n.next_power_of_two().trailing_zeros() as usize
}

/// Checks that every rank sends exactly so many messages and elements.
fn everyone_sends(operation: &str, algorithm: &str, ranks: usize, messages: usize, atoms: usize) {
    for (rank, sent) in traffic(operation, algorithm, ranks).into_iter().enumerate() {
        let place = format!("{operation} by {algorithm}, rank {rank} of {ranks}");
        assert_eq!(sent, Traffic { messages, atoms }, "{place}");
    }
}

fn most(operation: &str, algorithm: &str, ranks: usize) -> Traffic {
    let sent = traffic(operation, algorithm, ranks);
    Traffic {
        messages: sent.iter().map(|t| t.messages).max().unwrap_or(0),
        atoms: sent.iter().map(|t| t.atoms).max().unwrap_or(0),
    }
}

/// Blocks a rank sends in Bruck's alltoall: one for every set bit of every distance.
fn bruck_blocks(p: usize) -> usize {
    (0..p).map(|distance| distance.count_ones() as usize).sum()
}

#[test]
fn algorithms_in_which_all_ranks_do_alike_send_what_they_promise() {
    for p in [1, 2, 3, 6, 8, 12, 16] {
        let log = log2_ceil(p);
        everyone_sends("barrier", "dissemination", p, log, 0);
        everyone_sends("allreduce", "ring", p, 2 * (p - 1), 2 * (p - 1) * LEN / p);
        everyone_sends("allgather", "bruck", p, log, (p - 1) * LEN);
        everyone_sends("allgather", "ring", p, p - 1, (p - 1) * LEN);
        everyone_sends("alltoall", "pairwise", p, p - 1, (p - 1) * LEN);
        everyone_sends("alltoall", "linear", p, p - 1, (p - 1) * LEN);
        everyone_sends("alltoall", "swap", p, p - 1, (p - 1) * LEN);
        everyone_sends("alltoall", "scattered:3", p, p - 1, (p - 1) * LEN);
        everyone_sends("allgather", "direct", p, p - 1, (p - 1) * LEN);
        everyone_sends("reduce_scatter_block", "ring", p, p - 1, (p - 1) * LEN);
        everyone_sends("reduce_scatter_block", "pairwise", p, p - 1, (p - 1) * LEN);
        everyone_sends("reduce_scatter_block", "collect", p, p - 1, (p - 1) * LEN);
        everyone_sends("alltoall", "bruck", p, log, bruck_blocks(p) * LEN);
        if p % 2 == 0 {
            everyone_sends("allgather", "neighbour_exchange", p, p / 2, (p - 1) * LEN);
        }
        if p.is_power_of_two() {
            let fair = 2 * (p - 1) * LEN / p;
            everyone_sends("allreduce", "rabenseifner", p, 2 * log, fair);
            everyone_sends("reduce_scatter_block", "recursive_halving", p, log, (p - 1) * LEN);
            everyone_sends("allreduce", "recursive_doubling", p, log, log * LEN);
            everyone_sends("allgather", "recursive_doubling", p, log, (p - 1) * LEN);
        }
    }
}

#[test]
fn recursive_doubling_pays_one_extra_message_where_ranks_are_no_power_of_two() {
    for p in [3usize, 6, 12] {
        let floor = p.ilog2() as usize;
        let sent = most("allreduce", "recursive_doubling", p);
        assert_eq!(sent, Traffic { messages: floor + 1, atoms: (floor + 1) * LEN });
    }
}

#[test]
fn trees_send_no_more_than_one_message_per_round() {
    for p in [1, 2, 3, 6, 8, 12, 16] {
        let log = log2_ceil(p);
        assert_eq!(most("bcast", "binomial", p).messages, log);
        assert_eq!(most("reduce", "binomial", p).messages, 1.min(p - 1));
        assert_eq!(most("gather", "binomial", p).messages, 1.min(p - 1));
        assert_eq!(most("scatter", "binomial", p).messages, log);
        assert!(most("allreduce", "reduce_bcast", p).messages <= log + 1);
    }
}

/// Blocks that all ranks together send up or down a binomial tree: the size of every subtree.
fn tree_blocks(p: usize) -> usize {
    (1..p).map(|v| (1 << v.trailing_zeros()).min(p - v)).sum()
}

#[test]
fn trees_of_blocks_send_no_block_that_nobody_below_needs() {
    for p in [1, 2, 3, 6, 8, 12, 16] {
        for operation in ["gather", "scatter"] {
            let sent: usize = traffic(operation, "binomial", p).iter().map(|t| t.atoms).sum();
            assert_eq!(sent, tree_blocks(p) * LEN, "{operation} on {p} ranks");
        }
    }
}

#[test]
fn scans_send_one_message_per_round_and_the_linear_ones_one_at_all() {
    for p in [2, 3, 6, 8, 12, 16] {
        assert_eq!(most("scan", "recursive_doubling", p).messages, log2_ceil(p));
        assert_eq!(most("exscan", "recursive_doubling", p).messages, 1 + log2_ceil(p - 1));
        assert_eq!(most("scan", "linear", p).messages, 1);
        assert_eq!(most("exscan", "linear", p).messages, 1);
    }
}

#[test]
fn a_long_reduce_moves_less_than_twice_the_vector() {
    for p in [2, 4, 8, 16] {
        assert!(most("reduce", "scatter_gather", p).atoms < 2 * LEN);
        assert!(most("reduce", "scatter_gather", p).messages <= 2 * log2_ceil(p));
    }
}

#[test]
fn a_long_bcast_moves_the_vector_about_twice() {
    for p in [2, 3, 6, 8, 12, 16] {
        let sent = most("bcast", "scatter_allgather", p);
        assert_eq!(sent.messages, log2_ceil(p) + p - 1);
        assert!(sent.atoms <= 2 * LEN, "{} of {LEN}", sent.atoms);
        assert_eq!(most("bcast", "pipelined_chain:3", p).atoms, LEN);
    }
}

/// The rounds of an algorithm that multiplies by `k`.
fn log_ceil(k: usize, n: usize) -> usize {
    (0..).find(|&rounds| k.pow(rounds as u32) >= n).unwrap()
}

#[test]
fn algorithms_that_branch_by_k_take_log_k_rounds_of_fewer_than_k_messages() {
    for (p, k) in [2, 3, 6, 8, 9, 16, 27].into_iter().flat_map(|p| [2, 3, 8].map(|k| (p, k))) {
        let most_messages = log_ceil(k, p) * (k - 1);
        for (operation, name) in [
            ("barrier", "k_dissemination"),
            ("allgather", "k_bruck"),
            ("alltoall", "k_bruck"),
            ("bcast", "knomial"),
            ("scatter", "knomial"),
        ] {
            let sent = most(operation, &format!("{name}:{k}"), p);
            assert!(sent.messages <= most_messages, "{operation} {name}:{k} on {p}: {sent:?}");
        }
        assert_eq!(most("allgather", &format!("k_bruck:{k}"), p).atoms, (p - 1) * LEN);
        assert_eq!(most("reduce", &format!("knomial:{k}"), p).messages, 1);
        assert_eq!(most("gather", &format!("knomial:{k}"), p).messages, 1);
        if k.pow(log_ceil(k, p) as u32) == p {
            let sent = Traffic { messages: most_messages, atoms: most_messages * LEN };
            assert_eq!(most("allreduce", &format!("recursive_multiplying:{k}"), p), sent);
        }
    }
    // Rounds among up to three in which all take part.
    for (p, messages) in [(12, 2 + 1 + 1), (8, 1 + 1 + 1), (6, 2 + 1), (2, 1)] {
        let sent = Traffic { messages, atoms: messages * LEN };
        assert_eq!(most("allreduce", "recursive_multiplying:3", p), sent, "on {p}");
    }
}

#[test]
fn a_tree_barrier_sends_two_messages_per_rank_but_one_and_a_butterfly_log_p() {
    for p in [1, 2, 3, 6, 8, 12, 16] {
        let all: usize = traffic("barrier", "tree:3", p).iter().map(|t| t.messages).sum();
        assert_eq!(all, 2 * (p - 1));
        if p.is_power_of_two() {
            let sent = most("reduce_scatter_block", "butterfly", p);
            assert!(sent.messages <= log2_ceil(p) + 1 && sent.atoms <= p * LEN, "{sent:?}");
            assert!(most("bcast", "scatter_doubling", p).messages <= 2 * log2_ceil(p));
        }
    }
}

#[test]
fn where_ranks_of_a_node_do_not_follow_each_other_neighbours_exchange_in_a_ring() {
    let rounds = |map| traffic_on(map, "allgather", "neighbour_exchange", 8)[0].messages;
    assert_eq!((rounds(NodeMap::Consecutive(4)), rounds(NodeMap::RoundRobin(2))), (4, 7));
}

#[test]
fn pipelines_send_the_vector_once_in_segments_and_a_segmented_ring_no_more_than_a_ring() {
    for p in [2, 3, 6, 8, 12, 16] {
        for algorithm in ["pipelined_chain:3", "in_order_binary:3"] {
            let once = Traffic { messages: LEN / 3, atoms: LEN };
            assert_eq!(most("reduce", algorithm, p), once, "{algorithm} on {p} ranks");
        }
        let ring = most("allreduce", "segmented_ring:3", p);
        assert_eq!(ring.atoms, 2 * (p - 1) * LEN / p);
        assert_eq!(ring.messages, (p - 1) * ((LEN / p).div_ceil(3) + 1));
    }
}

#[test]
fn in_two_levels_only_leaders_send_more_than_their_own_to_the_node() {
    const EACH: usize = 4;
    for p in [8, 16, 32] {
        let nodes = p / EACH;
        let on = |operation| traffic_on(NodeMap::Consecutive(EACH), operation, "two_level", p);
        for operation in ["reduce", "gather", "alltoall"] {
            for (rank, sent) in on(operation).iter().enumerate().filter(|(r, _)| r % EACH != 0) {
                let limit = if operation == "gather" { 2 * LEN } else { p * LEN };
                assert!(sent.messages == 1 && sent.atoms <= limit, "{operation} {rank}: {sent:?}");
            }
        }
        // Within the node the leader hands the whole to 2 others, which is the binomial tree.
        let within = log2_ceil(EACH);
        let between = log2_ceil(nodes);
        assert_eq!(on("allreduce")[0].messages, between + within);
        assert_eq!(on("bcast")[0].messages, between + within);
        assert_eq!(on("allgather")[EACH].messages, nodes - 1 + within);
        assert_eq!(on("scatter")[0].messages, nodes - 1 + EACH - 1);
        assert_eq!(on("alltoall")[0].messages, nodes - 1 + EACH - 1);
    }
}

#[test]
fn over_shared_memory_in_two_levels_nothing_but_what_crosses_nodes_is_a_message() {
    const EACH: usize = 4;
    let (map, nodes, p) = (NodeMap::Consecutive(EACH), 8, 8 * EACH);
    let (log, by_halves) = (log2_ceil(nodes), 2 * (nodes - 1) * LEN / nodes);
    // Short data goes to three others of four nodes, and to one of the other four.
    let fours = 3 + 1;
    // Of leaders: messages and elements, at most.
    for (operation, algorithm, messages, atoms) in [
        ("barrier", "two_level_cico", fours, 0),
        ("bcast", "two_level_cico", fours, fours * LEN),
        ("bcast", "two_level_single_copy", log + nodes - 1, 2 * LEN),
        ("bcast", "two_level_cico_pipelined", log + nodes - 1, 2 * LEN),
        ("reduce", "two_level_cico", 1, LEN),
        ("reduce", "two_level_single_copy", log + 1, by_halves),
        ("allreduce", "two_level_cico", fours, fours * LEN),
        ("allreduce", "two_level_single_copy", 2 * log, by_halves),
        ("allgather", "two_level_cico", log, (nodes - 1) * EACH * LEN),
        ("allgather", "two_level_single_copy", nodes - 1, (nodes - 1) * EACH * LEN),
        ("alltoall", "two_level_single_copy", nodes - 1, (nodes - 1) * EACH * EACH * LEN),
        ("gather", "two_level_cico", 1, EACH * LEN),
        ("gather", "two_level_single_copy", 1, EACH * LEN),
        ("scatter", "two_level_cico", nodes - 1, (nodes - 1) * EACH * LEN),
        ("scatter", "two_level_single_copy", nodes - 1, (nodes - 1) * EACH * LEN),
    ] {
        let sent = traffic_on(map, operation, algorithm, p);
        for (rank, sent) in sent.iter().enumerate() {
            let place = format!("{operation} by {algorithm}, rank {rank}: {sent:?}");
            let leads = usize::from(rank % EACH == 0);
            assert!(sent.messages <= leads * messages && sent.atoms <= leads * atoms, "{place}");
        }
        let most = |count: fn(&Traffic) -> usize| sent.iter().map(count).max();
        assert_eq!(most(|t| t.messages), Some(messages), "{operation} by {algorithm}");
    }
}

#[test]
fn several_leaders_share_what_leaves_a_node() {
    const EACH: usize = 4;
    for p in [8, 16, 32] {
        let (map, log) = (NodeMap::Consecutive(EACH), log2_ceil(p / EACH));
        // Its part of the vector goes to the other nodes, and to the other ranks of its node.
        let sent = traffic_on(map, "bcast", "multi_leader:8", p);
        assert!(sent[1].atoms <= (log + EACH - 1) * LEN / EACH + LEN, "{:?}", sent[1]);
        for sent in traffic_on(map, "allreduce", "multi_leader:8", p) {
            // Three parts out and three passed on within the node, less than two between nodes.
            let parts = 2 * (EACH - 1) + 2;
            assert!(sent.atoms <= parts * LEN / EACH, "{sent:?}");
        }
        for sent in traffic_on(map, "allreduce", "multi_leader_single_copy:8", p) {
            assert!(sent.messages == 2 * log && sent.atoms <= 2 * LEN / EACH, "{sent:?}");
        }
    }
}
