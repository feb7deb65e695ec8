//! Open MPI 5. Limits and names: `coll/tuned`'s fixed rules for operators that commute, and
//! `coll/han`, as in 5.0.2; priorities and what HAN's levels use, as 5.0.11 prints them.

use super::{Asked, names};

/// One algorithm up to, but not including, so many bytes.
type Sizes = &'static [(usize, &'static str)];
/// Sizes up to, but not including, so many ranks.
type Scales = &'static [(usize, Sizes)];

const ALL: usize = usize::MAX;
const K: usize = 1 << 10;
const M: usize = 1 << 20;

const ALLREDUCE: Scales = &[
    (
        4,
        &[
            (8, "ring"),
            (4 * K, "recursive_doubling"),
            (8 * K, "ring"),
            (16 * K, "recursive_doubling"),
            (256 * K, "ring"),
            (ALL, "rabenseifner"),
        ],
    ),
    (8, &[(16, "ring"), (8 * K, "recursive_doubling"), (ALL, "rabenseifner")]),
    (16, &[(8 * K, "recursive_doubling"), (ALL, "rabenseifner")]),
    (32, &[(64, "ring"), (4 * K, "recursive_doubling"), (ALL, "rabenseifner")]),
    (64, &[(128, "ring"), (ALL, "rabenseifner")]),
    (128, &[(256 * K, "recursive_doubling"), (ALL, "rabenseifner")]),
    (256, &[(128 * K, "reduce_bcast"), (256 * K, "recursive_doubling"), (ALL, "rabenseifner")]),
    (512, &[(4 * K, "reduce_bcast"), (ALL, "rabenseifner")]),
    (2048, &[(2 * K, "reduce_bcast"), (16 * K, "recursive_doubling"), (ALL, "rabenseifner")]),
    (
        4096,
        &[
            (2 * K, "reduce_bcast"),
            (4 * K, "ring"),
            (16 * K, "recursive_doubling"),
            (ALL, "rabenseifner"),
        ],
    ),
    (
        ALL,
        &[
            (2 * K, "reduce_bcast"),
            (16 * K, "ring"),
            (32 * K, "recursive_doubling"),
            (ALL, "rabenseifner"),
        ],
    ),
];

const ALLTOALL: Scales = &[
    (3, &[(ALL, "pairwise")]),
    (8, &[(512 * K, "linear"), (M, "pairwise"), (ALL, "linear")]),
    (16, &[(ALL, "linear")]),
    (32, &[(4, "linear"), (512, "bruck"), (ALL, "linear")]),
    (64, &[(512, "bruck"), (ALL, "linear")]),
    (256, &[(K, "bruck"), (256 * K, "linear"), (ALL, "pairwise")]),
    (512, &[(K, "bruck"), (32 * K, "linear"), (ALL, "pairwise")]),
    (1024, &[(512, "bruck"), (256 * K, "linear"), (ALL, "pairwise")]),
    (2048, &[(512, "bruck"), (ALL, "linear")]),
    (4096, &[(K, "bruck"), (ALL, "linear")]),
    (ALL, &[(2 * K, "bruck"), (ALL, "linear")]),
];

const ALLTOALLV: Scales = &[
    (4, &[(ALL, "pairwise")]),
    (64, &[(ALL, "linear")]),
    (128, &[(ALL, "pairwise")]),
    (256, &[(ALL, "linear")]),
    (1024, &[(ALL, "pairwise")]),
    (ALL, &[(ALL, "linear")]),
];

const BARRIER: Scales = &[
    (4, &[(ALL, "dissemination")]),
    (8, &[(ALL, "flat_tree")]),
    (256, &[(ALL, "dissemination")]),
    (512, &[(ALL, "tree:2")]),
    (1024, &[(ALL, "dissemination")]),
    (4096, &[(ALL, "tree:2")]),
    (ALL, &[(ALL, "dissemination")]),
];

const BCAST: Scales = &[
    (
        4,
        &[
            (32, "chain"),
            (256, "binomial"),
            (512, "chain"),
            (K, "knomial:4"),
            (32 * K, "flat_tree"),
            (128 * K, "binomial"),
            (256 * K, "chain"),
            (512 * K, "flat_tree"),
            (ALL, "binomial"),
        ],
    ),
    (8, &[(8 * K, "binomial"), (M, "flat_tree"), (ALL, "chain")]),
    (
        16,
        &[
            (8, "knomial:4"),
            (64, "binomial"),
            (4 * K, "knomial:4"),
            (32 * K, "binomial"),
            (ALL, "flat_tree"),
        ],
    ),
    (32, &[(4 * K, "knomial:4"), (M, "binomial"), (ALL, "scatter_doubling")]),
    (64, &[(2 * K, "binomial"), (ALL, "knomial:4")]),
    (128, &[(ALL, "knomial:4")]),
    (256, &[(16 * K, "binomial"), (32 * K, "flat_tree"), (64 * K, "binomial"), (ALL, "knomial:4")]),
    (1024, &[(16 * K, "knomial:4"), (32 * K, "binomial"), (ALL, "knomial:4")]),
    (2048, &[(512 * K, "knomial:4"), (ALL, "scatter_doubling")]),
    (4096, &[(256 * K, "knomial:4"), (ALL, "scatter_doubling")]),
    (
        ALL,
        &[
            (8 * K, "knomial:4"),
            (16 * K, "binomial"),
            (256 * K, "knomial:4"),
            (ALL, "scatter_doubling"),
        ],
    ),
];

const REDUCE: Scales = &[
    (
        4,
        &[
            (8, "scatter_gather"),
            (16, "binomial"),
            (32, "chain"),
            (256 * K, "flat_tree"),
            (ALL, "chain"),
        ],
    ),
    (
        8,
        &[
            (4 * K, "binomial"),
            (64 * K, "chain"),
            (256 * K, "binomial"),
            (512 * K, "flat_tree"),
            (M, "binomial"),
            (ALL, "flat_tree"),
        ],
    ),
    (256, &[(ALL, "binomial")]),
    (512, &[(8 * K, "binomial"), (16 * K, "in_order_binary"), (ALL, "binomial")]),
    (2048, &[(ALL, "binomial")]),
    (
        4096,
        &[
            (512, "binomial"),
            (K, "in_order_binary"),
            (8 * K, "binomial"),
            (16 * K, "in_order_binary"),
            (ALL, "binomial"),
        ],
    ),
    (
        ALL,
        &[
            (16, "binomial"),
            (32, "in_order_binary"),
            (K, "binomial"),
            (2 * K, "in_order_binary"),
            (8 * K, "binomial"),
            (16 * K, "in_order_binary"),
            (ALL, "binomial"),
        ],
    ),
];

const REDUCE_SCATTER: Scales = &[
    (4, &[(64 * K, "ring"), (128 * K, "butterfly"), (ALL, "ring")]),
    (8, &[(8, "in_order"), (256 * K, "recursive_halving"), (ALL, "ring")]),
    (32, &[(256 * K, "recursive_halving"), (ALL, "ring")]),
    (64, &[(64, "in_order"), (2 * K, "recursive_halving"), (512 * K, "butterfly"), (ALL, "ring")]),
    (
        128,
        &[
            (256, "in_order"),
            (512, "recursive_halving"),
            (2 * K, "butterfly"),
            (4 * K, "recursive_halving"),
            (ALL, "butterfly"),
        ],
    ),
    (256, &[(256, "in_order"), (512, "recursive_halving"), (ALL, "butterfly")]),
    (512, &[(256, "in_order"), (K, "recursive_halving"), (ALL, "butterfly")]),
    (
        1024,
        &[
            (512, "in_order"),
            (2 * K, "recursive_halving"),
            (8 * K, "butterfly"),
            (16 * K, "recursive_halving"),
            (ALL, "butterfly"),
        ],
    ),
    (
        2048,
        &[
            (512, "in_order"),
            (4 * K, "recursive_halving"),
            (16 * K, "butterfly"),
            (32 * K, "recursive_halving"),
            (ALL, "butterfly"),
        ],
    ),
    (4096, &[(512, "in_order"), (4 * K, "recursive_halving"), (ALL, "butterfly")]),
    (ALL, &[(K, "in_order"), (8 * K, "recursive_halving"), (ALL, "butterfly")]),
];

/// By the bytes of a block.
const REDUCE_SCATTER_BLOCK: Scales = &[
    (
        4,
        &[
            (8, "butterfly"),
            (16, "recursive_halving"),
            (128, "butterfly"),
            (256, "recursive_halving"),
            (4 * K, "butterfly"),
            (8 * K, "recursive_halving"),
            (128 * K, "butterfly"),
            (ALL, "in_order"),
        ],
    ),
    (
        8,
        &[
            (8, "recursive_halving"),
            (256, "butterfly"),
            (8 * K, "recursive_halving"),
            (16 * K, "butterfly"),
            (M, "recursive_halving"),
            (ALL, "in_order"),
        ],
    ),
    (
        16,
        &[
            (4, "in_order"),
            (32, "recursive_halving"),
            (128, "butterfly"),
            (512 * K, "recursive_halving"),
            (4 * M, "in_order"),
            (ALL, "butterfly"),
        ],
    ),
    (
        32,
        &[
            (32, "in_order"),
            (512 * K, "recursive_halving"),
            (2 * M, "in_order"),
            (4 * M, "recursive_halving"),
            (ALL, "butterfly"),
        ],
    ),
    (
        ALL,
        &[
            (4, "recursive_halving"),
            (16, "in_order"),
            (64 * K, "butterfly"),
            (256 * K, "in_order"),
            (ALL, "butterfly"),
        ],
    ),
];

const ALLGATHER: Scales = &[
    (3, &[(ALL, "ring")]),
    (32, &[(ALL, "recursive_doubling")]),
    (64, &[(K, "recursive_doubling"), (64 * K, "neighbour_exchange"), (ALL, "ring")]),
    (128, &[(512, "recursive_doubling"), (64 * K, "neighbour_exchange"), (ALL, "ring")]),
    (
        256,
        &[
            (512, "recursive_doubling"),
            (128 * K, "neighbour_exchange"),
            (512 * K, "ring"),
            (M, "neighbour_exchange"),
            (ALL, "ring"),
        ],
    ),
    (
        512,
        &[
            (32, "recursive_doubling"),
            (128, "bruck"),
            (K, "recursive_doubling"),
            (128 * K, "neighbour_exchange"),
            (512 * K, "ring"),
            (M, "neighbour_exchange"),
            (ALL, "ring"),
        ],
    ),
    (
        1024,
        &[
            (64, "recursive_doubling"),
            (256, "bruck"),
            (2 * K, "recursive_doubling"),
            (ALL, "neighbour_exchange"),
        ],
    ),
    (
        2048,
        &[
            (4, "recursive_doubling"),
            (8, "bruck"),
            (16, "recursive_doubling"),
            (32, "bruck"),
            (256, "recursive_doubling"),
            (512, "bruck"),
            (4 * K, "recursive_doubling"),
            (ALL, "neighbour_exchange"),
        ],
    ),
    (
        4096,
        &[
            (32, "bruck"),
            (128, "recursive_doubling"),
            (512, "bruck"),
            (4 * K, "recursive_doubling"),
            (ALL, "neighbour_exchange"),
        ],
    ),
    (
        ALL,
        &[
            (2, "recursive_doubling"),
            (8, "bruck"),
            (16, "recursive_doubling"),
            (512, "bruck"),
            (4 * K, "recursive_doubling"),
            (ALL, "neighbour_exchange"),
        ],
    ),
];

const ALLGATHERV: Scales = &[
    (3, &[(ALL, "ring")]),
    (8, &[(256, "direct"), (16 * K, "ring"), (256 * K, "bruck"), (ALL, "ring")]),
    (16, &[(K, "direct"), (ALL, "bruck")]),
    (32, &[(128, "direct"), (256 * K, "bruck"), (ALL, "ring")]),
    (64, &[(256, "direct"), (8 * K, "bruck"), (ALL, "ring")]),
    (128, &[(256, "direct"), (4 * K, "bruck"), (ALL, "ring")]),
    (512, &[(K, "bruck"), (ALL, "ring")]),
    (1024, &[(512, "bruck"), (K, "direct"), (4 * K, "bruck"), (ALL, "ring")]),
    (ALL, &[(4 * K, "bruck"), (ALL, "ring")]),
];

const GATHER: Scales = &[
    (
        4,
        &[
            (4, "linear"),
            (32 * K, "binomial"),
            (64 * K, "linear"),
            (128 * K, "binomial"),
            (ALL, "linear"),
        ],
    ),
    (8, &[(K, "binomial"), (8 * K, "linear"), (32 * K, "binomial"), (ALL, "linear")]),
    (256, &[(ALL, "binomial")]),
    (512, &[(2 * K, "binomial"), (8 * K, "linear"), (ALL, "binomial")]),
    (ALL, &[(ALL, "binomial")]),
];

const SCATTER: Scales = &[
    (4, &[(ALL, "linear")]),
    (8, &[(2 * K, "binomial"), (4 * K, "linear"), (8 * K, "binomial"), (ALL, "linear")]),
    (32, &[(16 * K, "binomial"), (ALL, "linear")]),
    (64, &[(512, "binomial"), (8 * K, "linear"), (16 * K, "binomial"), (ALL, "linear")]),
    (ALL, &[(512, "binomial"), (ALL, "linear")]),
];

/// `coll/basic`, where `coll/tuned` has no rule.
const LINEAR: Scales = &[(ALL, &[(ALL, "linear")])];

/// What HAN takes over.
const IN_LEVELS: [&str; 7] =
    ["allgather", "allreduce", "barrier", "bcast", "gather", "reduce", "scatter"];

/// The algorithms of ours that come nearest, the nearest first.
pub(super) fn choices(asked: &Asked) -> Vec<String> {
    if asked.has_levels() && IN_LEVELS.contains(&asked.operation) {
        return in_levels(asked);
    }
    let bytes = match asked.operation {
        "reduce_scatter_block" => asked.bytes / asked.ranks(),
        _ => asked.bytes,
    };
    let name = rule(scales(asked.operation), asked.ranks(), bytes);
    match name {
        "flat_tree" if asked.operation == "barrier" => vec![format!("tree:{}", asked.ranks())],
        "flat_tree" => vec![format!("knomial:{}", asked.ranks())],
        // Neither a chain nor this tree has a default for its segments: the vector is one.
        "chain" => vec![format!("pipelined_chain:{}", asked.bytes.max(1))],
        "in_order_binary" => vec![format!("in_order_binary:{}", asked.bytes.max(1))],
        // Its rings hand over where there are more ranks than elements.
        "ring" if asked.operation == "allreduce" && asked.count < asked.ranks() => {
            names(["recursive_doubling"])
        }
        "recursive_doubling" if asked.operation == "allgather" => {
            names(["recursive_doubling", "bruck"])
        }
        "neighbour_exchange" => names(["neighbour_exchange", "ring"]),
        "scatter_doubling" => names(["scatter_doubling", "scatter_allgather"]),
        name => names([name]),
    }
}

/// Within a node `coll/tuned`, which sends messages. The leaders of an allgather use its rules too:
/// ours with a logarithmic exchange of leaders shares memory within the node.
fn in_levels(asked: &Asked) -> Vec<String> {
    let block = asked.bytes.saturating_mul(asked.ranks_per_node);
    let logarithmic = asked.operation == "allgather"
        && ["recursive_doubling", "bruck"].contains(&rule(ALLGATHER, asked.nodes, block));
    if logarithmic { names(["two_level_cico", "two_level"]) } else { names(["two_level"]) }
}

fn scales(operation: &str) -> Scales {
    match operation {
        "allgather" => ALLGATHER,
        "allgatherv" => ALLGATHERV,
        "allreduce" => ALLREDUCE,
        "alltoall" => ALLTOALL,
        "alltoallv" => ALLTOALLV,
        "barrier" => BARRIER,
        "bcast" => BCAST,
        "gather" => GATHER,
        "reduce" => REDUCE,
        "reduce_scatter" => REDUCE_SCATTER,
        "reduce_scatter_block" => REDUCE_SCATTER_BLOCK,
        "scatter" => SCATTER,
        _ => LINEAR,
    }
}

fn rule(scales: Scales, ranks: usize, bytes: usize) -> &'static str {
    let sizes = scales.iter().find(|(below, _)| ranks < *below).map_or(&[][..], |(_, sizes)| sizes);
    sizes.iter().find(|(below, _)| bytes < *below).map_or("linear", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(operation: &'static str, nodes: usize, ranks_per_node: usize, bytes: usize) -> Asked {
        Asked { operation, nodes, ranks_per_node, bytes, count: bytes / 4 }
    }

    #[test]
    fn every_table_covers_all_scales_and_sizes_in_rising_order() {
        for operation in dunlin_coll::selection::OPERATIONS {
            let scales = scales(operation);
            assert!(scales.is_sorted_by_key(|(below, _)| below), "{operation}");
            assert_eq!(scales.last().unwrap().0, ALL, "{operation}");
            for (_, sizes) in scales {
                assert!(sizes.is_sorted_by_key(|(below, _)| below), "{operation}");
                assert_eq!(sizes.last().unwrap().0, ALL, "{operation}");
            }
        }
    }

    #[test]
    fn han_decides_where_several_ranks_share_each_of_several_nodes_and_tuned_elsewhere() {
        assert_eq!(choices(&asked("allreduce", 16, 64, 8)), ["two_level"]);
        assert_eq!(choices(&asked("allreduce", 64, 1, 1 << 18)), ["rabenseifner"]);
        assert_eq!(choices(&asked("alltoall", 16, 64, 8)), ["bruck"]);
        assert_eq!(choices(&asked("reduce_scatter", 16, 64, 1 << 20)), ["butterfly"]);
    }

    #[test]
    fn limits_are_not_part_of_what_is_below_them() {
        assert_eq!(choices(&asked("bcast", 8, 1, 8 << 10))[0], "binomial");
        assert_eq!(choices(&asked("bcast", 7, 1, 8 << 10)), ["knomial:7"]);
        assert_eq!(choices(&asked("bcast", 7, 1, (8 << 10) - 1)), ["binomial"]);
    }

    #[test]
    fn a_ring_needs_an_element_for_each_rank() {
        assert_eq!(choices(&asked("allreduce", 32, 1, 64)), ["recursive_doubling"]);
        assert_eq!(choices(&asked("allreduce", 3, 1, 4 << 10)), ["ring"]);
    }

    #[test]
    fn leaders_of_an_allgather_go_by_tuneds_rules_for_them() {
        assert_eq!(choices(&asked("allgather", 50, 8, 8))[0], "two_level_cico");
        assert_eq!(choices(&asked("allgather", 50, 64, 2048)), ["two_level"]);
    }
}
