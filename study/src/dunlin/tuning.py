"""A table of algorithms for a machine, from simulations: for each job the fastest, in few rules."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt

from dunlin import stats
from dunlin.simulation import Result

# Rules are merged and kept over sizes as long as nothing gets slower than the fastest by more.
TOLERANCE = 0.05
# The table of these does not know sizes (docs/selection.md).
WITHOUT_SIZE = ("alltoallv", "barrier", "gatherv", "scatterv")
Scale = tuple[int, int]  # nodes, ranks per node


@dataclass(frozen=True)
class Costs:
    """What each algorithm takes at each size, on one scale."""

    by_size: Mapping[int, Mapping[str, float]]

    def best(self, size: int) -> float:
        """Of the fastest."""
        return min(self.by_size[size].values())

    def loss(self, size: int, algorithm: str) -> float:
        """How much longer than the fastest, as a part; infinite if it was given up or cannot."""
        return self.by_size[size].get(algorithm, inf) / self.best(size) - 1.0


@dataclass(frozen=True)
class Segment:
    """An algorithm for sizes up to one, or for all further ones."""

    algorithm: str
    bytes_max: int | None


Segments = tuple[Segment, ...]


@dataclass(frozen=True)
class Rule:
    """Segments for a range of scales."""

    nodes: tuple[int, int]
    ppn: tuple[int, int]
    segments: Segments


def costs_of(results: Iterable[Result]) -> dict[str, dict[Scale, Costs]]:
    """By operation and scale."""
    found: dict[str, dict[Scale, dict[int, dict[str, float]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(dict))
    )
    for result in results:
        scale = (result.nodes, result.ppn)
        found[result.operation][scale][result.bytes][result.algorithm] = result.completion_us
    return {
        operation: {scale: Costs(dict(sorted(sizes.items()))) for scale, sizes in scales.items()}
        for operation, scales in found.items()
    }


def segments_of(costs: Costs, tolerance: float = TOLERANCE) -> Segments:
    """As few as keep the loss at every size within the tolerance; of several algorithms that do,
    the one with the least loss on average."""
    sizes = list(costs.by_size)
    segments, at = [], 0
    while at < len(sizes):
        end, able = at, set(costs.by_size[sizes[at]])
        while end < len(sizes):
            still = {name for name in able if costs.loss(sizes[end], name) <= tolerance}
            if not still:
                break
            end, able = end + 1, still
        run = sizes[at:end]
        name = min(sorted(able), key=lambda one: sum(costs.loss(size, one) for size in run))
        # Between two sizes of the grid the limit lies in the middle, as they are powers of two.
        limit = int(sqrt(sizes[end - 1] * sizes[end])) if end < len(sizes) else None
        segments.append(Segment(name, limit))
        at = end
    return tuple(segments)


def one_for_all(costs: Costs) -> Segments:
    """Where a table does not know sizes."""
    names = sorted({name for by_name in costs.by_size.values() for name in by_name})

    def mean(name: str) -> float:
        losses = [1.0 + costs.loss(size, name) for size in costs.by_size]
        return inf if inf in losses else stats.geometric_mean(losses)

    return (Segment(min(names, key=mean), None),)


def fits(segments: Segments, costs: Costs, tolerance: float = TOLERANCE) -> bool:
    """Would these segments lose no more than the tolerance there?"""
    return all(costs.loss(size, chosen(segments, size)) <= tolerance for size in costs.by_size)


def chosen(segments: Segments, size: int) -> str:
    """The algorithm for a size."""
    limits = (s.algorithm for s in segments if s.bytes_max is None or size <= s.bytes_max)
    return next(limits)


def rules_of(operation: str, scales: Mapping[Scale, Costs]) -> list[Rule]:
    """One for each scale, merged with neighbours (first in ranks per node, then in nodes) whose
    segments would serve as well."""
    own = one_for_all if operation in WITHOUT_SIZE else segments_of
    rules = []
    rows = _rows(scales)
    for nodes, row in zip(_ranges([[nodes] for nodes, _ in rows]), rows, strict=True):
        merged: list[tuple[list[int], Segments]] = []
        for ppn in row[1]:
            costs = scales[row[0], ppn]
            if merged and fits(merged[-1][1], costs):
                merged[-1][0].append(ppn)
            else:
                merged.append(([ppn], own(costs)))
        limits = _ranges([ppns for ppns, _ in merged])
        kept = (segments for _, segments in merged)
        rules += [Rule(nodes, *rule) for rule in zip(limits, kept, strict=True)]
    return _merge_nodes(rules, scales)


def _rows(scales: Mapping[Scale, Costs]) -> list[tuple[int, list[int]]]:
    counts = sorted({nodes for nodes, _ in scales})
    return [(nodes, sorted(ppn for at, ppn in scales if at == nodes)) for nodes in counts]


def _ranges(groups: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """From each group's first number to the one before the next group's."""
    firsts = [group[0] for group in groups]
    return [(first, (firsts[i + 1] - 1) if i + 1 < len(firsts) else groups[i][-1])
            for i, first in enumerate(firsts)]  # fmt: skip


def _merge_nodes(rules: list[Rule], scales: Mapping[Scale, Costs]) -> list[Rule]:
    merged: list[Rule] = []
    for rule in sorted(rules, key=lambda one: (one.ppn, one.nodes)):
        before = merged[-1] if merged else None
        here = [
            costs
            for (nodes, ppn), costs in scales.items()
            if nodes == rule.nodes[0] and rule.ppn[0] <= ppn <= rule.ppn[1]
        ]
        if (
            before
            and (before.ppn, before.nodes[1] + 1) == (rule.ppn, rule.nodes[0])
            and all(fits(before.segments, costs) for costs in here)
        ):
            merged[-1] = Rule((before.nodes[0], rule.nodes[1]), rule.ppn, before.segments)
        else:
            merged.append(rule)
    return merged


def text(operation: str, rules: Sequence[Rule], parameters: Mapping[str, tuple[str, int]]) -> str:
    """As a table file has it."""
    lines = []
    for rule in rules:
        smaller = 0
        for segment in rule.segments:
            lines += [f"[[{operation}]]"]
            lines += _limits("nodes", *rule.nodes) + _limits("ranks_per_node", *rule.ppn)
            lines += [f"bytes_min = {smaller}"] if smaller else []
            lines += [f"bytes_max = {segment.bytes_max}"] if segment.bytes_max else []
            lines += [f'algorithm = "{segment.algorithm.partition(":")[0]}"']
            if parameter := parameters.get(segment.algorithm):
                lines += [f"{parameter[0]} = {parameter[1]}"]
            lines += [""]
            smaller = (segment.bytes_max or 0) + 1
    return "\n".join(lines)


def _limits(name: str, low: int, high: int) -> list[str]:
    return [f"{name}_min = {low}", f"{name}_max = {high}"]
