"""The files of rules by which Open MPI and MPICH choose the algorithms of collectives, written from
simulations of those algorithms that they have, too.

Both know the ranks of a communicator, and not how many nodes they are on: choose the jobs that are
simulated so that each number of ranks comes from the layout that it will have."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, prod, sqrt
from pathlib import Path
from typing import Any

from dunlin import stats, words
from dunlin.errors import DunlinError
from dunlin.simulation import LIBRARIES, Result
from dunlin.tuning import TOLERANCE

Times = Mapping[str, float]  # by algorithm
Tree = dict[str, Any]
Layout = tuple[int, int]  # nodes, ranks per node


@dataclass(frozen=True)
class Choice:
    """An algorithm for sizes up to one, or for all further ones."""

    algorithm: str
    bytes_max: int | None


@dataclass(frozen=True)
class Choices:
    """Those of an operation from one number of ranks to another."""

    ranks: tuple[int, int]
    by_size: tuple[Choice, ...]

    @property
    def middle(self) -> int:
        """Of the numbers of ranks, by which bytes of a rank become those of all."""
        return int(sqrt(prod(self.ranks)))


# Open MPI: its number of each operation, and of each of our algorithms its number, the fan-out of
# its tree and the size of its segments. Those of 4.1 and 5.0 are the same.
OPENMPI: dict[str, tuple[int, dict[str, tuple[int, int, int]]]] = {
    "allgather": (0, {
        "bruck": (2, 0, 0), "recursive_doubling": (3, 0, 0), "ring": (4, 0, 0),
        "neighbour_exchange": (5, 0, 0),
    }),
    "allgatherv": (1, {"bruck": (2, 0, 0), "ring": (3, 0, 0)}),
    "allreduce": (2, {
        "reduce_bcast": (2, 0, 0), "recursive_doubling": (3, 0, 0), "ring": (4, 0, 0),
        "segmented_ring:8192": (5, 0, 8192), "rabenseifner": (6, 0, 0),
    }),
    "alltoall": (3, {"linear": (1, 0, 0), "pairwise": (2, 0, 0), "bruck": (3, 0, 0)}),
    "bcast": (7, {
        "pipelined_chain:65536": (3, 0, 65536), "binomial": (6, 0, 0), "knomial:4": (7, 4, 0),
        "scatter_doubling": (8, 0, 0), "scatter_allgather": (9, 0, 0),
    }),
    "gather": (9, {"linear": (1, 0, 0), "binomial": (2, 0, 0)}),
    "reduce": (11, {
        "pipelined_chain:8192": (3, 0, 8192), "binomial": (5, 0, 0),
        "in_order_binary:8192": (6, 0, 8192), "scatter_gather": (7, 0, 0),
    }),
    "reduce_scatter": (12, {
        "recursive_halving": (2, 0, 0), "ring": (3, 0, 0), "butterfly": (4, 0, 0),
    }),
    "scatter": (15, {"linear": (1, 0, 0), "binomial": (2, 0, 0)}),
}  # fmt: skip
# It counts the bytes of all ranks for these; of allgatherv those of a rank, on average.
OPENMPI_COUNTS_ALL = ("allgather", "alltoall", "gather", "scatter")

# MPICH: what each of our algorithms is called, its parameters, and the calls that it is for; others
# run what MPICH chooses by itself.
POWER_OF_2, COMMUTATIVE, NOT_IN_PLACE = (
    "comm_size=pow2", "is_commutative=yes", "is_sendbuf_inplace=no",
)  # fmt: skip
REDUCES = "is_op_built_in=yes"
MPICH: dict[str, dict[str, tuple[str, str | None, str | None]]] = {
    "allgather": {
        "bruck": ("brucks", None, None), "k_bruck:4": ("k_brucks", "k=4", None),
        "recursive_doubling": ("recursive_doubling", None, POWER_OF_2),
        "ring": ("ring", None, None),
    },
    "allreduce": {
        "recursive_doubling": ("recursive_doubling", None, None),
        "recursive_multiplying:4": ("recursive_multiplying", "k=4", COMMUTATIVE),
        "ring": ("ring", None, COMMUTATIVE),
        "rabenseifner": ("reduce_scatter_allgather", None, REDUCES),
    },
    "alltoall": {
        "bruck": ("brucks", None, NOT_IN_PLACE), "k_bruck:4": ("k_brucks", "k=4", NOT_IN_PLACE),
        "pairwise": ("pairwise", None, NOT_IN_PLACE),
        "scattered:32": ("scattered", None, NOT_IN_PLACE),
    },
    "barrier": {
        "dissemination": ("k_dissemination", "k=2", None),
        "k_dissemination:4": ("k_dissemination", "k=4", None),
    },
    "bcast": {
        "binomial": ("binomial", None, None),
        "scatter_doubling": ("scatter_recursive_doubling_allgather", None, POWER_OF_2),
        "scatter_allgather": ("scatter_ring_allgather", None, None),
    },
    "reduce": {
        "binomial": ("binomial", None, None),
        "scatter_gather": ("reduce_scatter_gather", None, REDUCES),
    },
    "reduce_scatter": {
        "recursive_halving": ("recursive_halving", None, COMMUTATIVE),
        "pairwise": ("pairwise", None, COMMUTATIVE),
    },
}  # fmt: skip
# The words for the bytes of a rank, and of all ranks, which MPICH knows of some operations alone.
MPICH_OF_RANK, MPICH_OF_ALL = "avg_msg_size", "total_msg_size"
MPICH_COUNTS_ALL = ("allgather", "reduce_scatter")
# Its own choices are in the library, as one text that begins so.
MPICH_OWN = b'{"collective=bcast":{"comm_type=intra":'
# It reads a file by mapping it: a zero must follow the text.
PAGE_BYTES = 4096


def known(library: str, operation: str) -> list[str]:
    """Our algorithms of an operation that the library has."""
    return list(MPICH.get(operation, {}) if library == "mpich" else
                OPENMPI.get(operation, (0, {}))[1])  # fmt: skip


def choices_of(
    library: str, results: Iterable[Result]
) -> tuple[dict[str, list[Choices]], list[str]]:
    """By operation: the fastest of the algorithms that the library has, in few steps; and the
    operations for which there is nothing to choose."""
    times: dict[str, dict[int, dict[int, dict[str, dict[Layout, float]]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))
    )
    left_out = set()
    for result in results:
        if len(known(library, result.operation)) < 2:
            left_out.add(result.operation)
            continue
        by_name = times[result.operation][result.ranks][result.bytes]
        if result.algorithm in known(library, result.operation):
            # The choice of Dunlin's rules may be there twice.
            by_name[result.algorithm][result.nodes, result.ppn] = result.completion_us
    if not times:
        raise DunlinError(
            f"no rules to write: {LIBRARIES[library]} has too few of the algorithms of "
            f"{words.listed(sorted(left_out))}"
        )
    return {
        operation: _joined(operation, {
            ranks: _by_size(_means(operation, ranks, sizes))
            for ranks, sizes in sorted(by_ranks.items())
        })
        for operation, by_ranks in sorted(times.items())
    }, sorted(left_out)  # fmt: skip


def _means(
    operation: str, ranks: int, sizes: Mapping[int, Mapping[str, Mapping[Layout, float]]]
) -> dict[int, Times]:
    """Over the layouts of a number of ranks, of the algorithms that were simulated on each."""
    found: dict[int, Times] = {}
    for size, by_name in sorted(sizes.items()):
        layouts = max(map(len, by_name.values()), default=0)
        found[size] = {
            name: stats.geometric_mean(list(us.values()))
            for name, us in by_name.items()
            if len(us) == layouts
        }
    if operation == "barrier":
        names = set.intersection(*(set(times) for times in found.values()))
        found = {
            0: {n: stats.geometric_mean([times[n] for times in found.values()]) for n in names}
        }
    for size, times in found.items():
        if not times:
            raise DunlinError(
                f"{operation} of {words.size(size)} on {ranks} ranks: none of the algorithms that "
                "the library has was simulated; leave it out"
            )
    return found


def _by_size(sizes: Mapping[int, Times]) -> tuple[Choice, ...]:
    """As few as keep every size near the fastest; of several algorithms that do, the fastest."""
    all_sizes, choices, at = list(sizes), list[Choice](), 0

    def loss(size: int, name: str) -> float:
        return sizes[size].get(name, inf) / min(sizes[size].values()) - 1.0

    while at < len(all_sizes):
        end, able = at, set(sizes[all_sizes[at]])
        while end < len(all_sizes):
            still = {name for name in able if loss(all_sizes[end], name) <= TOLERANCE}
            if not still:
                break
            end, able = end + 1, still
        run = all_sizes[at:end]
        name = min(sorted(able), key=lambda one: sum(loss(size, one) for size in run))
        # Between two sizes of the grid the limit lies in the middle, as they are powers of two.
        limit = int(sqrt(run[-1] * all_sizes[end])) if end < len(all_sizes) else None
        choices.append(Choice(name, limit))
        at = end
    return tuple(choices)


def _joined(operation: str, by_ranks: Mapping[int, tuple[Choice, ...]]) -> list[Choices]:
    """Neighbours that choose alike are one, unless limits of sizes depend on ranks; between two
    others the limit lies in the middle."""
    limits = [int(sqrt(low * high)) for low, high in pairwise(by_ranks)]
    lows = [min(by_ranks), *(limit + 1 for limit in limits)]
    depends = operation in OPENMPI_COUNTS_ALL
    joined: list[Choices] = []
    for low, high, choices in zip(lows, [*limits, max(by_ranks)], by_ranks.values(), strict=True):
        before = joined[-1] if joined else None
        if before and before.by_size == choices and not (depends and len(choices) > 1):
            joined[-1] = Choices((before.ranks[0], high), choices)
        else:
            joined.append(Choices((low, high), choices))
    return joined


def openmpi(choices: Mapping[str, Sequence[Choices]]) -> str:
    """For `coll_tuned_dynamic_rules_filename`. A rule is for so many ranks and more, and for so
    many bytes and more; algorithm 0 is what Open MPI chooses by itself. It takes no comment before
    the first number."""
    lines = [f"{len(choices)} # operations"]
    for operation, by_ranks in choices.items():
        number, algorithms = OPENMPI[operation]
        lines += [f"{number} # {operation}", f"{len(by_ranks) + 1} # numbers of ranks"]
        for at in by_ranks:
            ranks = at.middle if operation in OPENMPI_COUNTS_ALL else 1
            lines += [f"{at.ranks[0]} # ranks and more", f"{len(at.by_size)} # sizes"]
            first = 0
            for choice in at.by_size:
                algorithm, fan_out, segment = algorithms[choice.algorithm]
                lines.append(f"{first} {algorithm} {fan_out} {segment} # {choice.algorithm}")
                first = (choice.bytes_max or 0) * ranks + 1
        lines += [f"{by_ranks[-1].ranks[1] + 1} # ranks and more", "1 # size", "0 0 0 0"]
    return "\n".join(lines) + "\n"


def mpich_own(library: Path) -> Tree:
    """What MPICH chooses by itself: a file replaces all of it, and has to say it again."""
    image = library.read_bytes()
    found = []
    at = image.find(MPICH_OWN)
    while at >= 0:
        end = image.find(b"\0", at)
        found.append(image[at : end if end >= 0 else len(image)])
        at = image.find(MPICH_OWN, at + 1)
    try:
        trees: list[Tree] = [json.loads(text) for text in found]
    except ValueError:
        raise DunlinError(
            f"{library} is damaged: what MPICH chooses by itself ends early"
        ) from None
    # Others of its texts are for devices, and have no nonblocking operations.
    own = [tree for tree in trees if "collective=ibcast" in tree]
    if len(own) != 1:
        raise DunlinError(f"{library} is no library of MPICH 4 or 5: its own choices are not there")
    return own[0]


def mpich(choices: Mapping[str, Sequence[Choices]], own: Tree) -> str:
    """For `MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE`."""
    tree = dict(own)
    for operation, by_ranks in choices.items():
        kinds = dict(tree[f"collective={operation}"])
        kinds["comm_type=intra"] = _mpich_ranks(operation, by_ranks, kinds["comm_type=intra"])
        tree[f"collective={operation}"] = kinds
    text = json.dumps(tree, indent=1) + "\n"
    return text if len(text) % PAGE_BYTES else text + "\n"


def _mpich_ranks(operation: str, by_ranks: Sequence[Choices], own: Tree) -> Tree:
    tree: Tree = {f"comm_size<={by_ranks[0].ranks[0] - 1}": own}
    for at in by_ranks:
        tree[f"comm_size<={at.ranks[1]}"] = _mpich_sizes(operation, at, own)
    return tree | {"comm_size=any": own}


def _mpich_sizes(operation: str, at: Choices, own: Tree) -> Tree:
    if len(at.by_size) == 1:
        return _mpich_algorithm(operation, at.by_size[0].algorithm, own)
    of_all = operation in MPICH_COUNTS_ALL
    word = MPICH_OF_ALL if of_all else MPICH_OF_RANK
    tree: Tree = {}
    for choice in at.by_size:
        # Of `reduce_scatter` we count the bytes of all ranks' results, too.
        ranks = at.middle if operation == "allgather" else 1
        limit = "=any" if choice.bytes_max is None else f"<={choice.bytes_max * ranks}"
        tree[word + limit] = _mpich_algorithm(operation, choice.algorithm, own)
    return tree


def _mpich_algorithm(operation: str, name: str, own: Tree) -> Tree:
    theirs, parameter, needs = MPICH[operation][name]
    run: Tree = {
        f"algorithm=MPIR_{operation.capitalize()}_intra_{theirs}": {parameter: {}} if parameter
        else {}
    }  # fmt: skip
    if needs == REDUCES:
        # Each rank needs an element of its own.
        return {needs: {"count<pow2": own, "count=any": run}, "is_op_built_in=no": own}
    if needs == POWER_OF_2:
        return {needs: run, "comm_size=any": own}
    return {needs: run, needs.partition("=")[0] + _opposite(needs): own} if needs else run


def _opposite(needs: str) -> str:
    return "=no" if needs.endswith("=yes") else "=yes"
