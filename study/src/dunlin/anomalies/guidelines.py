"""Guidelines of self-consistent performance (Träff, Gropp and Thakur, 2010; Hunold and
Carpen-Amarie, 2016): no operation may be slower than others that together do the same work, and no
message slower than a longer one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot, log

from dunlin import words
from dunlin.anomalies.finding import ALPHA, Curve, Figure, Finding, merged, series, table, where
from dunlin.kinds import OPERATIONS
from dunlin.stats import Scatter, log_error, scatter
from dunlin.summary import Cell, Key, Study

# A user would change code or settings for this much, not for less.
EXCESS_LEAST = 1.25
# Each rank's own clock flatters rooted operations: the root of a gather waits, its senders do not.
EXCESS_LEAST_LOCAL = 2.0
ROOTED = frozenset({"bcast", "gather", "gatherv", "reduce", "scatter", "scatterv"})

# The size of a part, from the size of the whole and the number of ranks.
Part = tuple[str, Callable[[int, int], int]]


def _same(size: int, _ranks: int) -> int:
    return size


def _all(size: int, ranks: int) -> int:
    return size * ranks


def _share(size: int, ranks: int) -> int:
    return size // ranks


@dataclass(frozen=True)
class Guideline:
    """`whole` should take no longer than `parts` one after the other. A size is what a rank
    contributes; of bcast, reductions and scans it is the whole vector."""

    whole: str
    parts: tuple[Part, ...]


GUIDELINES: tuple[Guideline, ...] = (
    Guideline("allgather", (("gather", _same), ("bcast", _all))),
    Guideline("allgather", (("alltoall", _same),)),
    Guideline("allgather", (("allgatherv", _same),)),
    Guideline("allreduce", (("reduce", _same), ("bcast", _same))),
    Guideline("allreduce", (("reduce_scatter", _same), ("allgather", _share))),
    Guideline("allreduce", (("reduce_scatter_block", _same), ("allgather", _share))),
    Guideline("alltoall", (("alltoallv", _same),)),
    Guideline("barrier", (("allreduce", _same),)),
    Guideline("bcast", (("scatter", _share), ("allgather", _share))),
    Guideline("exscan", (("scan", _same),)),
    Guideline("gather", (("allgather", _same),)),
    Guideline("gather", (("gatherv", _same),)),
    Guideline("reduce", (("allreduce", _same),)),
    Guideline("reduce", (("reduce_scatter", _same), ("gather", _share))),
    Guideline("reduce_scatter", (("reduce", _same), ("scatterv", _share))),
    Guideline("reduce_scatter", (("allreduce", _same),)),
    Guideline("reduce_scatter_block", (("reduce", _same), ("scatter", _share))),
    Guideline("reduce_scatter_block", (("reduce_scatter", _same),)),
    Guideline("scan", (("exscan", _same), ("reduce", _same))),
    Guideline("scatter", (("bcast", _all),)),
    Guideline("scatter", (("scatterv", _same),)),
)
# Blocking is starting and then waiting.
GUIDELINES += tuple(Guideline(name, ((f"i{name}", _same),)) for name in sorted(OPERATIONS))
# The size of the allreduce that stands against a barrier.
BARRIER_BYTES = 8


@dataclass(frozen=True)
class Estimate:
    """What a part takes: measured at this size, or between the two sizes around it."""

    value: float
    error: float


def estimate(line: Sequence[Cell], size: int, sigma: float) -> Estimate | None:
    """At a size between those measured, along a straight line of logarithms; never beyond them."""
    sizes = [c.key.bytes for c in line]
    if size in sizes:
        cell = line[sizes.index(size)]
        return Estimate(cell.median, log_error(cell.launches, sigma))
    above = next((i for i, s in enumerate(sizes) if s > size), None)
    if above is None or above == 0 or sizes[above - 1] == 0 or size == 0:
        return None
    low, high = line[above - 1], line[above]
    share = log(size / sizes[above - 1]) / log(sizes[above] / sizes[above - 1])
    value = low.median ** (1 - share) * high.median**share
    return Estimate(value, log_error(min(low.launches, high.launches), sigma))


@dataclass(frozen=True)
class _Test:
    cell: Cell
    guideline: Guideline
    parts: tuple[float, ...]
    ratio: float
    p: float


def _place(key: Key) -> tuple[object, ...]:
    return (key.system, key.library, key.profile, key.nodes, key.ranks_per_node, key.clock)


Lines = dict[str, list[Cell]]


def _tests(lines: Lines, noise: Scatter) -> list[_Test]:
    tests = []
    for guideline in GUIDELINES:
        if guideline.whole not in lines or any(n not in lines for n, _ in guideline.parts):
            continue
        for cell in lines[guideline.whole]:
            test = _test(cell, guideline, lines, noise)
            if test is not None:
                tests.append(test)
    return tests


def _test(cell: Cell, guideline: Guideline, lines: Lines, noise: Scatter) -> _Test | None:
    of_another = guideline.whole == "barrier" and guideline.parts[0][0] != "ibarrier"
    size = BARRIER_BYTES if of_another else cell.key.bytes
    parts = [
        estimate(lines[name], part(size, cell.key.ranks), noise.sigma)
        for name, part in guideline.parts
    ]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    total = sum(part.value for part in known)
    error_parts = hypot(*(part.value / total * part.error for part in known))
    error = hypot(error_parts, log_error(cell.launches, noise.sigma))
    ratio = cell.median / total
    return _Test(
        cell,
        guideline,
        tuple(p.value for p in known),
        ratio,
        noise.p_above(log(ratio / EXCESS_LEAST) / error),
    )


def _least(test: _Test) -> float:
    names = {test.guideline.whole, *(name for name, _ in test.guideline.parts)}
    flattered = test.cell.key.clock == "local" and names & ROOTED
    return EXCESS_LEAST_LOCAL if flattered else EXCESS_LEAST


def find(study: Study) -> list[Finding]:
    """Violations of a study, those of one guideline merged over sizes."""
    usable = [c for c in study.judged if c.key.metric == "time_us"]
    places: dict[tuple[object, ...], Lines] = {}
    for line in series(usable, "bytes"):
        places.setdefault(_place(line[0].key), {})[line[0].key.benchmark] = line
    tests: list[_Test] = []
    for lines in places.values():
        noise = scatter([cell.values for line in lines.values() for cell in line])
        tests += _tests(lines, noise)
    broken = [t for t in tests if t.ratio >= _least(t) and t.p * len(tests) < ALPHA]
    findings = [_finding(test, places[_place(test.cell.key)]) for test in broken]
    by_work = [
        merged([f for f in findings if f.title == title])
        for title in sorted({f.title for f in findings})
    ]
    return [f for group in by_work for f in group] + _find_shorter_slower(usable)


def _finding(test: _Test, lines: Lines) -> Finding:
    key = test.cell.key
    names = [name for name, _ in test.guideline.parts]
    how = " and then ".join(names)
    each = words.listed(
        [
            f"{name} {words.microseconds(value)}"
            for name, value in zip(names, test.parts, strict=True)
        ]
    )
    line = lines[test.guideline.whole]
    columns, rows = table(line, "bytes")
    clock = (
        " (on each rank's own clock, which flatters rooted operations)"
        if key.clock == "local"
        else ""
    )
    curves = [Curve(key.benchmark, *_points(line))]
    curves += [Curve(name, *_points(lines[name]), "expected") for name in names]
    return Finding(
        kind="guideline",
        severity="warning",
        title=f"{key.benchmark} is slower than {how}",
        text=(
            f"{key.benchmark} of {words.size(key.bytes)} with {where(key)} takes "
            f"{words.microseconds(test.cell.median)}; {each}{clock}: {words.times(test.ratio)} "
            f"what the same work takes by {how} ({words.probability(test.p)})."
        ),
        advice=(
            f"Choose another algorithm for {key.benchmark} at this size, or use {how} in its "
            "place until the library does."
        ),
        key=key,
        strength=test.ratio,
        figure=Figure("Size", "Time", "bytes", tuple(curves), mark=float(key.bytes)),
        columns=columns,
        rows=rows,
    )


def _points(line: Sequence[Cell]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(float(c.key.bytes) for c in line), tuple(c.median for c in line)


def _find_shorter_slower(usable: Sequence[Cell]) -> list[Finding]:
    lines = series(usable, "bytes")
    tests = sum(len(line) - 1 for line in lines)
    found = []
    for line in lines:
        noise = scatter([cell.values for cell in line])
        for at, cell in enumerate(line[:-1]):
            later = min(line[at + 1 :], key=lambda c: c.median)
            ratio = cell.median / later.median
            if ratio < EXCESS_LEAST:
                continue
            error = hypot(
                log_error(cell.launches, noise.sigma), log_error(later.launches, noise.sigma)
            )
            # The fastest of those that follow was chosen out of so many.
            p = noise.p_above(log(ratio / EXCESS_LEAST) / error) * (len(line) - at)
            if p * tests < ALPHA:
                found.append(_shorter(line, cell, later, p))
    return merged(found)


def _shorter(line: Sequence[Cell], cell: Cell, later: Cell, p: float) -> Finding:
    key, ratio = cell.key, cell.median / later.median
    columns, rows = table(line, "bytes")
    x, y = _points(line)
    return Finding(
        kind="monotony",
        severity="warning" if ratio >= 2 else "note",
        title=f"{key.benchmark}: fewer bytes take longer",
        text=(
            f"{key.benchmark} of {words.size(key.bytes)} with {where(key)} takes "
            f"{words.microseconds(cell.median)}, of {words.size(later.key.bytes)} "
            f"{words.microseconds(later.median)}: {words.times(ratio)} as long for less "
            f"({words.probability(p)})."
        ),
        advice=(
            "The protocol or algorithm of the larger size suits the smaller one too: move the "
            "threshold between them down."
        ),
        key=key,
        strength=ratio,
        figure=Figure("Size", "Time", "bytes", (Curve("measured", x, y),), mark=float(key.bytes)),
        columns=columns,
        rows=rows,
    )
