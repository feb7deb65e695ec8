"""What a tuned table would gain, by simulation: over the built-in rules, and over what other
libraries would run on the same machine."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dunlin import limits, stats, tuning
from dunlin.measured_tuning import call_of, cell_of
from dunlin.simulation import LIBRARIES, Request, Result
from dunlin.tuning import Cell

BUILT_IN = "built-in"
OTHERS = (BUILT_IN, *LIBRARIES)


@dataclass(frozen=True)
class Gain:
    """One call: how many times as long as by the tuned table it takes otherwise."""

    operation: str
    scale: tuple[int, int]  # nodes, ranks per node
    bytes: int
    algorithm: str  # of the tuned table; none where the built-in rules stay
    ratios: Mapping[str, float]  # the built-in rules and libraries


@dataclass(frozen=True)
class Summary:
    """Of several calls, against one other."""

    mean: float
    least: float
    least_at: Gain
    most: float
    most_at: Gain


def requests(
    machine: str, operations: Sequence[str], nodes: Sequence[int], ppn: Sequence[int],
    sizes: Sequence[int],
) -> Iterator[Request]:  # fmt: skip
    """What has to be simulated, without jobs that are too large."""
    for operation in operations:
        most = limits.ranks_max(operation)
        at = [8] if operation == "barrier" else sizes
        for count in nodes:
            if fitting := [one for one in ppn if count * one <= most]:
                yield Request(
                    machine, [operation], [count], fitting, at, ["selected", "all", *LIBRARIES],
                    built_in=True,
                )  # fmt: skip


def gains_of(results: Iterable[Result]) -> list[Gain]:
    """Of all calls, simulated by all algorithms, by the built-in rules and by libraries'."""
    found = list(results)
    # Where rules know no size, one cell is for all.
    otherwise: dict[tuple[str, Cell, str], list[float]] = defaultdict(list)
    for result in found:
        if result.selected or result.library:
            key = (result.operation, cell_of(call_of(result)), result.library or BUILT_IN)
            otherwise[key].append(result.completion_us)
    gains = []
    for operation, kinds in tuning.costs_of(r for r in found if not r.library).items():
        for costs in kinds:
            rules = tuning.rules_of(costs)
            for cell, times in costs.by_cell.items():
                name = tuning.chosen(rules, cell)
                ratios = {
                    other: stats.geometric_mean(otherwise[operation, cell, other]) / times[name]
                    for other in OTHERS
                }
                gains.append(Gain(operation, cell[:2], cell[2], name, ratios))
    return gains


def summary(gains: Sequence[Gain], other: str) -> Summary:
    """How much the tuned table gains over `other`."""
    least, most = (pick(gains, key=lambda gain: gain.ratios[other]) for pick in (min, max))
    mean = stats.geometric_mean([gain.ratios[other] for gain in gains])
    return Summary(mean, least.ratios[other], least, most.ratios[other], most)
