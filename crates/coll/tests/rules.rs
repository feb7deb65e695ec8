//! Which algorithm the built-in rules choose.

use dunlin_coll::select::{
    AlgorithmSet, CICO_BYTES_MAX, CallTraits, Params, Range, WITHOUT_SIZE, published_bytes,
};
use dunlin_coll::selection::{Listed, OPERATIONS, Visitor, visit};
use dunlin_coll::{bcast, reduce, scan};

#[test]
fn rules_for_ranks_with_a_core_each_end_where_they_were_measured() {
    let of = |ranks, commutative, bytes_per_rank| {
        let shape = CallTraits::reduction(ranks, commutative).sharing(bytes_per_rank, true);
        Params { shape, bytes_per_rank }
    };
    let bcast = |bytes| bcast::Algorithm::choose(&of(16, true, bytes)).name();
    assert_eq!([8, 1 << 20, 64 << 20].map(bcast), ["cico", "cico_pipelined", "single_copy_put"]);
    let reduce = |ranks, commutative, bytes| {
        reduce::Algorithm::choose(&of(ranks, commutative, bytes)).name()
    };
    assert_eq!(reduce(16, true, 8), "cico_chains");
    assert_eq!(reduce(16, false, 8), "cico");
    assert_eq!(reduce(16, false, 8 << 10), "cico_partitioned");
    assert_eq!(reduce(4, true, 8 << 10), "cico_chains");
    assert_eq!(reduce(4, true, 8), "cico");
    let scan = |ranks, bytes| scan::Algorithm::choose(&of(ranks, true, bytes)).name();
    assert_eq!([scan(2, 8), scan(16, 8)], ["cico", "cico_linear"]);
    assert_eq!([scan(32, 8), scan(32, 64 << 10)], ["cico", "cico_linear"]);
    let more_than_cores = Params {
        shape: CallTraits { oversubscribed: true, ..of(16, true, 8).shape },
        bytes_per_rank: 8,
    };
    assert_eq!(scan::Algorithm::choose(&more_than_cores).name(), "cico");
}

/// Calls as the engine describes them: by ranks that share memory within nodes, with kernels that
/// copy fast, slowly or not at all, or by messages alone.
fn shapes(operation: &str, ranks_per_node: usize, nodes: usize, bytes: usize) -> Vec<Params> {
    let mut calls = Vec::new();
    for (commutative, in_place) in [(true, false), (true, true), (false, false), (false, true)] {
        let plain = CallTraits::reduction(nodes * ranks_per_node, commutative).on_nodes(nodes);
        let call = Params { shape: plain, bytes_per_rank: bytes }.in_place(in_place);
        calls.push(call);
        if ranks_per_node == 1 {
            continue;
        }
        // Where nobody knows all lengths they may be long.
        let unknown = WITHOUT_SIZE.contains(&operation) && operation != "barrier";
        let shown = if unknown { usize::MAX } else { published_bytes(operation, &call) };
        for (fast, allowed) in [(true, true), (false, true), (false, false)] {
            let shape = call.shape.sharing(shown, allowed && (fast || shown > CICO_BYTES_MAX));
            for oversubscribed in [false, true] {
                let shape = CallTraits { oversubscribed, slow_copy: !fast, ..shape };
                calls.push(Params { shape, ..call });
            }
        }
    }
    calls
}

struct DecidesSomething;

impl Visitor for DecidesSomething {
    type Out = ();

    fn visit<A: Listed>(self) {
        let mut idle: Vec<usize> = (0..A::TABLE.len()).collect();
        let ends = |range: Range| [range.min, range.max].into_iter().filter(|&end| end < 1 << 30);
        let mut sizes: Vec<usize> =
            A::TABLE.iter().flat_map(|rule| ends(rule.when.bytes)).collect();
        sizes.extend((0..10).map(|k| 8 << (3 * k)));
        if WITHOUT_SIZE.contains(&A::OPERATION) {
            sizes = vec![0];
        }
        for nodes in [1, 2, 3, 4, 5, 8, 16, 17, 32, 64] {
            for each in [1, 2, 3, 4, 7, 8, 9, 11, 12, 16, 17, 32, 48, 49, 128] {
                let calls = sizes.iter().flat_map(|&size| shapes(A::OPERATION, each, nodes, size));
                for call in calls {
                    let decides = |&at: &usize| {
                        let rule = &A::TABLE[at];
                        rule.when.covers(&call) && rule.algorithm.fits(&call.shape)
                    };
                    let first = (0..A::TABLE.len()).find(decides);
                    idle.retain(|&at| Some(at) != first);
                }
            }
        }
        let idle: Vec<_> = idle.into_iter().map(|at| (at + 1, A::TABLE[at].algorithm)).collect();
        assert!(idle.is_empty(), "{}: no call is decided by rules {idle:?}", A::OPERATION);
    }
}

#[test]
fn every_rule_decides_some_call() {
    for operation in OPERATIONS {
        visit(operation, DecidesSomething).unwrap();
    }
}

#[test]
fn ranks_on_several_nodes_take_what_was_chosen_by_simulation() {
    fn on<A: AlgorithmSet>(nodes: usize, each: usize, bytes: usize) -> &'static str {
        let call = &shapes(A::OPERATION, each, nodes, bytes)[usize::from(each > 1)];
        A::choose(call).name()
    }
    use dunlin_coll::*;
    let alltoall = on::<alltoall::Algorithm>;
    assert_eq!([alltoall(8, 1, 8), alltoall(8, 2, 256)], ["linear"; 2]);
    assert_eq!([alltoall(17, 1, 8), alltoall(2, 64, 256)], ["k_bruck"; 2]);
    assert_eq!([alltoall(4, 8, 1 << 20), alltoall(4, 9, 1 << 20)], ["scattered", "pairwise"]);
    let allgather = on::<allgather::Algorithm>;
    assert_eq!([allgather(8, 2, 8), allgather(32, 2, 8)], ["direct", "k_bruck"]);
    assert_eq!([allgather(32, 2, 1 << 20), allgather(4, 8, 8 << 10)], ["direct"; 2]);
    assert_eq!([allgather(2, 8, 64), allgather(2, 8, 64 << 10)], ["two_level_cico", "ring"]);
    assert_eq!([allgather(2, 64, 4097), allgather(32, 32, 256)], ["ring", "k_bruck"]);
    assert_eq!([allgather(2, 8, 1 << 20), allgather(2, 9, 1 << 20)], ["neighbour_exchange"; 2]);
    assert_eq!(allgather(2, 49, 1 << 20), "two_level");
    for (bytes, fewest) in [(1025, 36), (2 << 10, 24), (4 << 10, 12)] {
        assert_eq!(
            [allgather(fewest, 128, bytes), allgather(fewest - 1, 128, bytes)],
            ["ring", "two_level_single_copy"]
        );
    }
    let reduce = on::<reduce::Algorithm>;
    assert_eq!([reduce(4, 1, 8), reduce(4, 1, 65 << 10)], ["knomial", "in_order_binary"]);
    assert_eq!([reduce(4, 8, 8), reduce(4, 9, 64 << 10)], ["two_level_cico_tree"; 2]);
    assert_eq!(
        [reduce(4, 8, 64 << 10), reduce(4, 8, 1 << 20)],
        ["multi_leader", "in_order_binary"]
    );
    let allreduce = on::<allreduce::Algorithm>;
    assert_eq!(
        [allreduce(4, 1, 8), allreduce(4, 1, 64 << 10)],
        ["recursive_multiplying", "recursive_doubling"]
    );
    assert_eq!([allreduce(4, 1, 1 << 20), allreduce(2, 1, 1 << 20)], ["rabenseifner", "ring"]);
    assert_eq!([allreduce(2, 8, 8), allreduce(2, 9, 64 << 10)], ["two_level_cico_tree"; 2]);
    assert_eq!(
        [allreduce(2, 8, 64 << 10), allreduce(2, 9, 65 << 10)],
        ["multi_leader", "multi_leader_single_copy"]
    );
    let reduce_scatter = on::<reduce_scatter::Algorithm>;
    assert_eq!(
        [reduce_scatter(4, 9, 1 << 20), reduce_scatter(5, 9, 1 << 20)],
        ["ring", "butterfly"]
    );
    let bcast = on::<bcast::Algorithm>;
    assert_eq!([bcast(4, 1, 64 << 10), bcast(4, 1, 65 << 10)], ["knomial", "pipelined_chain"]);
    assert_eq!(
        [bcast(32, 2, 1 << 20), bcast(32, 3, 512 << 10)],
        ["scatter_doubling", "multi_leader"]
    );
    assert_eq!([bcast(2, 49, 8), bcast(2, 48, 8)], ["two_level_cico_tree", "two_level_cico"]);
    let gather = on::<gather::Algorithm>;
    assert_eq!([gather(48, 1, 8), gather(49, 1, 8)], ["linear", "knomial"]);
    assert_eq!([gather(4, 9, 8), gather(17, 9, 4 << 10)], ["knomial", "two_level_cico"]);
    assert_eq!([gather(5, 8, 4 << 10), gather(4, 8, 4 << 10)], ["two_level_cico", "linear"]);
    let scatter = on::<scatter::Algorithm>;
    assert_eq!([scatter(48, 1, 8), scatter(49, 1, 8)], ["linear", "knomial"]);
    assert_eq!([scatter(4, 9, 4 << 10), scatter(5, 2, 4 << 10)], ["knomial", "two_level"]);
    assert_eq!([scatter(17, 2, 64 << 10), scatter(16, 2, 64 << 10)], ["two_level", "linear"]);
    let barrier = on::<barrier::Algorithm>;
    assert_eq!([barrier(4, 1, 0), barrier(4, 8, 0)], ["k_dissemination", "two_level_cico"]);
    assert_eq!(barrier(4, 9, 0), "two_level_cico_tree");
}
