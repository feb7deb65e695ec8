//! What the documentation of an algorithm promises about messages and volume is so.

use dunlin_coll::symbolic::{Case, NodeMap, Sends, Traffic, subjects};

/// Elements per rank or block: a multiple of all rank counts below, so that chunks are equal.
const LEN: usize = 48;

fn traffic(operation: &str, algorithm: &str, ranks: usize) -> Vec<Traffic> {
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
        nodes: NodeMap::One,
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
        assert_eq!(most("bcast", "pipelined_chain:2", p).atoms, LEN);
    }
}
