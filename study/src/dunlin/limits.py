"""Which operations are tuned, and on how many ranks at most."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from dunlin import words
from dunlin.errors import DunlinError

OPERATIONS = "allgather,allreduce,alltoall,barrier,bcast,gather,reduce,reduce_scatter,scatter"
# Larger jobs are left out: some algorithms send a message from every rank to every other one, and
# to simulate that takes minutes.
RANKS_MAX = 1024
RANKS_MAX_OF = {
    "allgather": 512, "allgatherv": 512, "alltoall": 256, "alltoallv": 256, "reduce_scatter": 512,
    "reduce_scatter_block": 512,
}  # fmt: skip


def ranks_max(operation: str) -> int:
    """Of the jobs that are simulated."""
    return RANKS_MAX_OF.get(operation, RANKS_MAX)


def by_limit(operations: Iterable[str]) -> list[tuple[int, list[str]]]:
    """Operations that have the same limit, together."""
    found = groupby(sorted(operations, key=ranks_max), ranks_max)
    return [(limit, list(names)) for limit, names in found]


def left_out(operations: Iterable[str], nodes: Sequence[int], ppn: Sequence[int]) -> list[str]:
    """In words, the jobs that are too large, by the limit; an error if all are."""
    ranks = [count * one for count in nodes for one in ppn]
    told, left = [], 0
    for limit, names in by_limit(operations):
        large = sum(count > limit for count in ranks)
        left += len(ranks) - large
        if large:
            told.append(f"{words.listed(names)} on {large} of {words.plural(len(ranks), 'layout')} "
                        f"(more than {limit:,} ranks)")  # fmt: skip
    if not left:
        raise DunlinError(
            f"every job is too large to be simulated: {'; '.join(told)}; ask for fewer --nodes "
            "or a smaller --ppn"
        )
    return told
