//! Which algorithm the built-in rules choose.

use dunlin_coll::select::{AlgorithmSet, CallTraits, Params};
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
