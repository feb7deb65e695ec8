//! MPICH 5 on ch4 and OFI, as the tables in libmpi of 5.0.2 say: compositions of levels where
//! several ranks share each of several nodes, else the algorithms of all devices. Operators
//! commute, and processes have one thread, so that the ranks of a node share memory.

use super::{Asked, names};

/// Vectors that go through both levels at once up to this.
const BCAST_LEVELS_MAX: usize = 12288;
const BCAST_DOUBLING_MAX: usize = 512 << 10;
/// Bytes of all blocks from which on rings are used: power-of-two jobs, and others.
const ALLGATHER_RING: [usize; 2] = [512 << 10, 80 << 10];
const REDUCE_BINOMIAL_MAX: usize = 2048;
const REDUCE_SCATTER_PAIRWISE: usize = 512 << 10;
const ALLTOALL_BRUCK_MAX: usize = 256;
const ALLTOALL_SCATTERED_MAX: usize = 32 << 10;
/// Jobs below this know no Bruck and no scatter.
const FEW_RANKS: usize = 8;

/// The algorithms of ours that come nearest, the nearest first.
pub(super) fn choices(asked: &Asked) -> Vec<String> {
    let (ranks, bytes) = (asked.ranks(), asked.bytes);
    let doubling = ranks.is_power_of_two();
    match asked.operation {
        "barrier" | "allreduce" | "reduce" if asked.has_levels() => levels(),
        "allreduce" if asked.nodes == 1 => names(["cico", "cico_pipelined"]),
        "allreduce" if bytes <= 8 || asked.count < power_of_two_below(ranks) => {
            names(["recursive_doubling"])
        }
        "allreduce" => names(["rabenseifner"]),
        "reduce" if bytes <= REDUCE_BINOMIAL_MAX || asked.count < power_of_two_below(ranks) => {
            names(["binomial"])
        }
        "reduce" => names(["scatter_gather"]),
        "barrier" => names(["dissemination"]),
        "bcast" => bcast(asked),
        "allgather" if ranks.saturating_mul(bytes) >= ALLGATHER_RING[usize::from(!doubling)] => {
            names(["ring"])
        }
        "allgather" => names(["recursive_doubling", "bruck"]),
        "allgatherv" if ranks.saturating_mul(bytes) >= ALLGATHER_RING[usize::from(!doubling)] => {
            names(["ring"])
        }
        "allgatherv" => names(["bruck"]),
        "alltoall" if ranks >= FEW_RANKS && bytes <= ALLTOALL_BRUCK_MAX => names(["bruck"]),
        "alltoall" if bytes > ALLTOALL_SCATTERED_MAX => names(["pairwise"]),
        "alltoall" | "alltoallv" => names(["scattered:32"]),
        "reduce_scatter" | "reduce_scatter_block" if bytes < REDUCE_SCATTER_PAIRWISE => {
            names(["recursive_halving"])
        }
        "reduce_scatter" | "reduce_scatter_block" => names(["pairwise"]),
        "gather" | "scatter" => names(["binomial"]),
        "scan" | "exscan" => names(["recursive_doubling"]),
        _ => names(["linear"]),
    }
}

fn bcast(asked: &Asked) -> Vec<String> {
    let (ranks, bytes) = (asked.ranks(), asked.bytes);
    let (few, doubling) = (ranks < FEW_RANKS, ranks.is_power_of_two());
    let in_levels_below = match () {
        () if few => usize::MAX,
        () if doubling => BCAST_DOUBLING_MAX,
        () => BCAST_LEVELS_MAX,
    };
    match () {
        () if asked.has_levels() && bytes < in_levels_below => levels(),
        () if few || bytes <= BCAST_LEVELS_MAX => names(["binomial"]),
        () if doubling && bytes <= BCAST_DOUBLING_MAX => names(["scatter_doubling"]),
        () => names(["scatter_allgather"]),
    }
}

/// Shared memory within a node, and one rank of each among the nodes. Theirs within a node is a
/// tree of cells of shared memory for every size.
fn levels() -> Vec<String> {
    names(["two_level_cico", "two_level_single_copy", "two_level"])
}

fn power_of_two_below(ranks: usize) -> usize {
    1 << ranks.ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(operation: &'static str, nodes: usize, ranks_per_node: usize, bytes: usize) -> String {
        let asked = Asked { operation, nodes, ranks_per_node, bytes, count: bytes / 4 };
        choices(&asked).remove(0)
    }

    #[test]
    fn a_bcast_leaves_the_levels_for_long_vectors_sooner_if_ranks_are_no_power_of_two() {
        assert_eq!(first("bcast", 4, 8, 64 << 10), "two_level_cico");
        assert_eq!(first("bcast", 4, 8, 512 << 10), "scatter_doubling");
        assert_eq!(first("bcast", 4, 8, 1 << 20), "scatter_allgather");
        assert_eq!(first("bcast", 3, 8, 12287), "two_level_cico");
        assert_eq!(first("bcast", 3, 8, 12288), "binomial");
        assert_eq!(first("bcast", 3, 8, 12289), "scatter_allgather");
        assert_eq!(first("bcast", 3, 2, 1 << 20), "two_level_cico");
    }

    #[test]
    fn allgathers_become_rings_by_the_bytes_of_all() {
        assert_eq!(first("allgather", 50, 126, 8), "recursive_doubling");
        assert_eq!(first("allgather", 50, 126, 16), "ring");
        assert_eq!(first("allgather", 64, 64, 64), "recursive_doubling");
        assert_eq!(first("allgather", 64, 64, 128), "ring");
    }

    #[test]
    fn a_vector_is_divided_only_if_each_rank_gets_an_element() {
        assert_eq!(first("allreduce", 64, 1, 252), "recursive_doubling");
        assert_eq!(first("allreduce", 64, 1, 256), "rabenseifner");
        assert_eq!(first("allreduce", 64, 2, 256), "two_level_cico");
    }
}
