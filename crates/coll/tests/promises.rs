//! What the documentation of an algorithm promises about messages and volume is so.

use dunlin_coll::symbolic::{Case, Sends, Traffic, subjects};

/// Elements per rank or block: a multiple of all rank counts below, so that chunks are equal.
const LEN: usize = 48;

fn traffic(operation: &str, algorithm: &str, ranks: usize) -> Vec<Traffic> {
    let list = subjects();
    let subject = list
        .iter()
        .find(|subject| (subject.operation, subject.algorithm) == (operation, algorithm))
        .unwrap_or_else(|| panic!("no {operation} by {algorithm}"));
    let case = Case {
        ranks,
        root: 0,
        len: LEN,
        in_place: false,
        commutative: true,
        mixed: false,
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
        if p.is_power_of_two() {
            everyone_sends("allreduce", "recursive_doubling", p, log, log * LEN);
            everyone_sends("allgather", "recursive_doubling", p, log, (p - 1) * LEN);
            everyone_sends("alltoall", "bruck", p, log, log * p / 2 * LEN);
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

#[test]
fn a_long_bcast_moves_the_vector_about_twice() {
    for p in [2, 3, 6, 8, 12, 16] {
        let sent = most("bcast", "scatter_allgather", p);
        assert_eq!(sent.messages, log2_ceil(p) + p - 1);
        assert!(sent.atoms <= 2 * LEN, "{} of {LEN}", sent.atoms);
        assert_eq!(most("bcast", "pipelined_chain", p).atoms, LEN);
    }
}
