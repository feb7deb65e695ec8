"""A table of algorithms for a machine, from what each takes by simulation or by measurement: for
each job the fastest, in few rules."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, sqrt

from dunlin import stats, words
from dunlin.simulation import Result

# A rule may cover jobs of which its algorithm is slower than the fastest one by so much.
TOLERANCE = 0.1
# The choice of the built-in rules, which by simulation stays if it is slower by less than twice as
# much: they were measured, if on another machine, and a smaller gain is not worth a rule.
BUILT_IN = ""
BUILT_IN_LOSS_MAX = 2.0 * TOLERANCE
# The table of these does not know sizes (docs/selection.md).
WITHOUT_SIZE = ("alltoallv", "barrier", "gatherv", "scatterv")
Cell = tuple[int, int, int]  # nodes, ranks per node, bytes
Box = tuple[range, range, range]  # of places in the grid's axes


@dataclass(frozen=True)
class Costs:
    """What each algorithm of an operation takes, on jobs with cores for all ranks or without."""

    oversubscribed: bool
    by_cell: Mapping[Cell, Mapping[str, float]]
    built_in_loss_max: float = BUILT_IN_LOSS_MAX
    grid: frozenset[Cell] = frozenset()  # other jobs that were asked for; no rule covers them
    sizes_end: bool = False  # whether rules reach only half a step beyond the sizes

    @property
    def axes(self) -> list[list[int]]:
        """The numbers of nodes, of ranks per node and of bytes."""
        return [sorted(set(axis)) for axis in zip(*(self.by_cell.keys() | self.grid), strict=True)]

    def loss(self, cell: Cell, algorithm: str) -> float:
        """How much longer than the fastest, as a part; infinite if it was given up or cannot."""
        times = self.by_cell[cell]
        return times.get(algorithm, inf) / min(times.values()) - 1.0

    def may_run(self, cell: Cell, algorithm: str) -> bool:
        """Whether it may be chosen: no rule makes a job slower than it was, and where one is needed
        it makes the job faster."""
        loss, built_in = self.loss(cell, algorithm), self.loss(cell, BUILT_IN)
        needed = built_in > self.built_in_loss_max
        if algorithm == BUILT_IN:
            return not needed
        return loss <= TOLERANCE and (loss < built_in if needed else loss <= built_in)


@dataclass(frozen=True)
class Rule:
    """An algorithm for ranges of nodes, ranks per node and bytes; the last may have no end."""

    nodes: tuple[int, int]
    ppn: tuple[int, int]
    bytes: tuple[int, int | None]
    oversubscribed: bool
    algorithm: str

    def covers(self, cell: Cell) -> bool:
        """Whether it decides there, unless an earlier rule does."""
        ranges = zip((self.nodes, self.ppn, self.bytes), cell, strict=True)
        return all(low <= at and (high is None or at <= high) for (low, high), at in ranges)


@dataclass(frozen=True)
class Simplification:
    """What it costs that one rule serves several calls, or that the built-in rules do."""

    calls: int
    gain: float  # how many times as fast as by the built-in rules, on average
    loss: float  # how much longer than by the fastest algorithm of each call, on average
    most: tuple[float, Cell]  # of a call, and which

    def __str__(self) -> str:
        lost, at = self.most
        each = f" of each, at most {words.percent(lost)} ({words.cell(*at)})"
        matters = self.calls > 1 and words.percent(lost) != words.percent(0)
        return f"{words.percent(self.loss)} behind the fastest{each if matters else ''}"


def costs_of(results: Iterable[Result]) -> dict[str, list[Costs]]:
    """By operation."""
    found: dict[str, dict[bool, dict[Cell, dict[str, float]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(dict))
    )
    for result in results:
        cell = (result.nodes, result.ppn, result.bytes)
        times = found[result.operation][result.oversubscribed][cell]
        times[result.algorithm] = result.completion_us
        if result.selected:
            times[BUILT_IN] = result.completion_us
    return {
        operation: [Costs(crowded, _joined(operation, cells)) for crowded, cells in kinds.items()]
        for operation, kinds in sorted(found.items())
    }


def _joined(
    operation: str, cells: Mapping[Cell, Mapping[str, float]]
) -> Mapping[Cell, Mapping[str, float]]:
    """Where a table does not know sizes: one cell for all, with mean times."""
    if operation not in WITHOUT_SIZE:
        return cells
    by_scale = defaultdict(list)
    for (nodes, ppn, _), times in cells.items():
        by_scale[nodes, ppn, 0].append(times)
    return {
        cell: {
            name: stats.geometric_mean([at[name] for at in all_times])
            for name in set.intersection(*(set(at) for at in all_times))
        }
        for cell, all_times in by_scale.items()
    }


def rules_of(costs: Costs) -> list[Rule]:
    """Few rules, the first that covers a job decides: at each step the one that serves most of the
    jobs that still need one, and of several that do, the one with the fastest algorithm. Jobs that
    the built-in rules serve well need none."""
    axes = costs.axes
    needing = {cell for cell in costs.by_cell if not costs.may_run(cell, BUILT_IN)}
    decided: set[Cell] = set()
    rules = []
    while needing:
        best: tuple[int, float] = (0, 0.0)
        names = {name for cell in needing for name in costs.by_cell[cell]} - {BUILT_IN}
        for name in sorted(names):
            able = {cell for cell in costs.by_cell if costs.may_run(cell, name)}
            for cells in _boxes(axes, able | decided, able & needing):
                served = cells & able & needing
                loss = sum(costs.loss(cell, name) for cell in served)
                if (len(served), -loss) > best:
                    best, chosen = (len(served), -loss), (name, served)
        name, served = chosen
        box = _around(axes, served)
        rules.append(_rule(costs, box, name))
        needing -= served
        decided |= _cells(axes, box)
    return rules


def _boxes(
    axes: Sequence[Sequence[int]], allowed: set[Cell], wanted: set[Cell]
) -> Iterator[set[Cell]]:
    """From each wanted job, the boxes of the grid that hold it and nothing but allowed jobs,
    grown along the axes in every order."""
    seen = set()
    for cell in sorted(wanted):
        at = [axis.index(value) for axis, value in zip(axes, cell, strict=True)]
        for order in ((2, 1, 0), (2, 0, 1), (1, 2, 0), (0, 2, 1), (0, 1, 2), (1, 0, 2)):
            box = [range(place, place + 1) for place in at]
            for axis in order:
                box[axis] = _grown(axes, box, axis, allowed)
            if tuple(box) not in seen:
                seen.add(tuple(box))
                yield _cells(axes, box)


def _around(axes: Sequence[Sequence[int]], cells: set[Cell]) -> Box:
    """The smallest box that holds all of them."""
    places = [
        [axis.index(value) for value in values]
        for axis, values in zip(axes, zip(*cells, strict=True), strict=True)
    ]
    nodes, ppn, size = (range(min(at), max(at) + 1) for at in places)
    return nodes, ppn, size


def _grown(
    axes: Sequence[Sequence[int]], box: Sequence[range], axis: int, allowed: set[Cell]
) -> range:
    """The box's range of one axis, as wide as it may be."""

    def may(place: int) -> bool:
        slice_ = [*box[:axis], range(place, place + 1), *box[axis + 1 :]]
        return _cells(axes, slice_) <= allowed

    low, high = box[axis].start, box[axis].stop
    while low > 0 and may(low - 1):
        low -= 1
    while high < len(axes[axis]) and may(high):
        high += 1
    return range(low, high)


def _cells(axes: Sequence[Sequence[int]], box: Sequence[range]) -> set[Cell]:
    values = [[axis[place] for place in places] for axis, places in zip(axes, box, strict=True)]
    return {(n, p, b) for n in values[0] for p in values[1] for b in values[2]}


def _rule(costs: Costs, box: Box, name: str) -> Rule:
    axes = costs.axes
    nodes, ppn, size = (_limits(axis, places) for axis, places in zip(axes, box, strict=True))
    least, most = beyond(axes[2]) if costs.sizes_end else (0, None)
    first = least if box[2].start == 0 else size[0]
    last = most if box[2].stop == len(axes[2]) else size[1]
    return Rule(nodes, ppn, (first, last), costs.oversubscribed, name)


def beyond(sizes: Sequence[int]) -> tuple[int, int]:
    """As far below the first and above the last as rules reach between two sizes: half a step, as
    a ratio."""
    if len(sizes) == 1:
        return sizes[0], sizes[0]
    least, most = sizes[0], sizes[-1]
    return int(least * sqrt(least / sizes[1])), int(most * sqrt(most / max(sizes[-2], 1)))


def _limits(axis: Sequence[int], places: range) -> tuple[int, int]:
    """From one number of the grid to another, and the numbers beside them to the ones that are as
    near to the next in the grid, as a ratio; but one node, or one rank of a node, is like no
    other."""
    limits = [1 if low == 1 else int(sqrt(low * high)) for low, high in pairwise(axis)]
    first, last = places.start, places.stop - 1
    low = limits[first - 1] + 1 if first else axis[0]
    return low, limits[last] if last < len(limits) else axis[-1]


def chosen(rules: Sequence[Rule], cell: Cell) -> str:
    """What runs there: by the first rule that covers it, or else by the built-in ones."""
    return next((rule.algorithm for rule in rules if rule.covers(cell)), BUILT_IN)


def simplification(
    times: Mapping[Cell, Mapping[str, float]], rules: Sequence[Rule], of: Rule | None
) -> Simplification | None:
    """Of a rule (none: of the built-in ones), over the calls that it decides; none if there are
    none. `times`: what each algorithm takes."""
    losses, gains = [], []
    for cell, known in sorted(times.items()):
        if next((rule for rule in rules if rule.covers(cell)), None) is not of:
            continue
        took = known[of.algorithm if of else BUILT_IN]
        losses.append((took / min(known.values()) - 1.0, cell))
        gains.append(known[BUILT_IN] / took)
    if not losses:
        return None
    mean = stats.geometric_mean([1.0 + loss for loss, _ in losses]) - 1.0
    most = max(losses, key=lambda loss: loss[0])
    return Simplification(len(losses), stats.geometric_mean(gains), mean, most)


def text(
    operation: str, costs: Costs, rules: Sequence[Rule],
    parameters: Mapping[str, tuple[str, int]],
    times: Mapping[Cell, Mapping[str, float]] | None = None,
) -> str:  # fmt: skip
    """As a table file has it; above each rule what it gains and costs by what algorithms take
    (`times`, unless that is the costs), at last what calls lose that no rule covers."""
    known = costs.by_cell if times is None else times
    lines = []
    for rule in rules:
        smallest, largest = rule.bytes
        if cost := simplification(known, rules, rule):
            calls, gain = words.plural(cost.calls, "call"), words.times(cost.gain)
            lines += [f"# {calls}: {gain} as fast as by the built-in rules; {cost}"]
        lines += [f"[[{operation}]]"]
        lines += _conditions("nodes", *rule.nodes) + _conditions("ranks_per_node", *rule.ppn)
        lines += [f"oversubscribed = {str(rule.oversubscribed).lower()}"]
        lines += [f"bytes_min = {smallest}"] if smallest else []
        lines += [f"bytes_max = {largest}"] if largest is not None else []
        lines += [f'algorithm = "{rule.algorithm.partition(":")[0]}"']
        if parameter := parameters.get(rule.algorithm):
            lines += [f"{parameter[0]} = {parameter[1]}"]
        lines += [""]
    if rest := simplification(known, rules, None):
        kind = ", oversubscribed" if costs.oversubscribed else ""
        calls = words.plural(rest.calls, "call stays", "calls stay")
        lines += [f"# {operation}{kind}: {calls} with the built-in rules; {rest}", ""]
    return "\n".join(lines)


def _conditions(name: str, low: int, high: int) -> list[str]:
    return ([f"{name}_min = {low}"] if low > 1 else []) + [f"{name}_max = {high}"]
