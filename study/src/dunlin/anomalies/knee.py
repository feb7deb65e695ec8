"""Knees over ranks per node: the place from which on time grows faster than before.

The smooth model is what well-behaved operations do (a constant, logarithmic rounds, a linear and a
quadratic amount of data, none of them negative); the other model adds one term that sets in past a
knot. They are nested, so that the gain of the second is an F statistic, and the scatter of launches
is the yardstick. Looking at many knots and series is paid for by Bonferroni's correction. Where
single sizes are too noisy, the mean over all sizes of each launch may still show a knee.

A course over fewer than five counts has no shape to leave. Yet none of the smooth terms grows
faster than the square of the ranks, and a step that surely does is a knee as well."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np
import scipy

from dunlin import words
from dunlin.anomalies.finding import (
    ALPHA,
    Curve,
    Figure,
    Finding,
    costs,
    merged,
    series,
    table,
    who,
)
from dunlin.stats import Array, Scatter, log_error, scatter
from dunlin.summary import Cell, Key, Study

# A knee needs a course before it and a course after it.
BEFORE_LEAST = 3
AFTER_LEAST = 1
POINTS_LEAST = 5
# Less than this much slower at the end than the course before the knee promised, and nobody would
# change anything.
EXCESS_LEAST = 1.4
# Keeps a course of nothing from being divided by.
EXPECTED_LEAST = 1e-12
# The mean over sizes is another line only where there are some.
SIZES_LEAST = 3
# Stands for a size in the key of such a mean.
ALL_SIZES = -1
# A shape that none of the smooth terms quite has must not pass for a knee.
MISFIT = 0.04
# So many operations with a knee at the same place are one finding.
MANY = 3
ADVICE = (
    "Compare with other libraries and profiles at {until} ranks per node, or leave cores free "
    "beyond {after}. A memory domain, a network queue or a count of cores that ends there is the "
    "usual reason."
)
ADVICE_CROWDED = "Measure no more ranks than there are cores, or judge these figures by themselves."
# With one rank per node logarithmic rounds begin at nothing, and any growth is infinite.
SQUARE_FROM = 2


@dataclass(frozen=True)
class Knee:
    """Past `after`, time leaves the course it had; `excess` is how far at `until`."""

    after: int
    until: int
    kind: str
    excess: float
    p: float
    expected: tuple[float, ...]
    promise: str = "its course up to there promised"


def smooth_terms(x: Array) -> Array:
    """Columns of what grows without a knee."""
    return np.column_stack([np.ones_like(x), np.log2(x), x, x * x])


def _fit(terms: Array, y: Array, errors: Array) -> tuple[Array, float]:
    """Terms with no negative share, by weighted least squares; and the chi-square of the rest."""
    weights = 1.0 / (y * errors)
    scale = np.abs(terms).max(axis=0)
    shares, rest = scipy.optimize.nnls(terms / scale * weights[:, None], y * weights)
    return shares / scale, float(rest) ** 2


def knee_terms(x: Array, at: float) -> Array:
    """Columns of what may set in past a knot: a jump, and growth of either sort from there on."""
    past = np.maximum(0.0, x - at)
    return np.column_stack([(past > 0).astype(float), past, past * past])


def knee(x: Array, y: Array, errors: Array, noise: Scatter) -> Knee | None:
    """The best knee of one series and the chance of seeing it in a smooth one, corrected for the
    knots tried; None where the excess is not worth naming."""
    terms = smooth_terms(x)
    _, rest_smooth = _fit(terms, y, errors)
    knots = range(BEFORE_LEAST - 1, len(x) - AFTER_LEAST)
    best = None
    for at in knots:
        shares, rest = _fit(np.column_stack([terms, knee_terms(x, x[at])]), y, errors)
        expected = terms @ shares[: terms.shape[1]]
        excess = float(y[-1] / max(expected[-1], EXPECTED_LEAST))
        # The closest of those that are worth naming: a knot further out may be closer still, with
        # a course bent up to it.
        if excess >= EXCESS_LEAST and (best is None or rest < best[0]):
            best = rest, at, shares, expected, excess
    if best is None:
        return None
    rest, at, shares, expected, excess = best
    extra = shares[terms.shape[1] :]
    freedom = max(1, len(x) - int((shares > 0).sum()))
    gain = (rest_smooth - rest) / len(extra) / max(1.0, rest / freedom)
    p = float(np.asarray(scipy.special.fdtrc(len(extra), max(1.0, noise.freedom), max(0.0, gain))))
    kind = "jumps" if extra[0] >= y[at] else "steepens"
    return Knee(
        int(x[at]), int(x[-1]), kind, excess, p * len(knots), tuple(float(v) for v in expected)
    )


def steep(x: Array, y: Array, errors: Array, noise: Scatter) -> Knee | None:
    """The first step of a short course that surely grows faster than the square of the ranks,
    beyond which no smooth course goes; its chance is corrected for the steps tried."""
    steps = [at for at in range(len(x) - 1) if x[at] >= SQUARE_FROM]
    for at in steps:
        square = (x[at + 1] / x[at]) ** 2
        excess = float(y[at + 1] / (y[at] * square))
        if excess < EXCESS_LEAST:
            continue
        error = float(np.hypot(errors[at], errors[at + 1]))
        p = noise.p_above(log(excess / EXCESS_LEAST) / error) * len(steps)
        expected = np.where(x <= x[at], y, y[at] * (x / x[at]) ** 2)
        return Knee(
            int(x[at]), int(x[at + 1]), "jumps", excess, min(1.0, p),
            tuple(float(v) for v in expected), "growth with the square of the ranks explains",
        )  # fmt: skip
    return None


def _judge(line: Sequence[Cell], pooled: Scatter) -> Knee | None:
    own = scatter(costs(line))
    # A line's own few launches tell its scatter badly. All of the library's tell it well, unless
    # this operation is louder than the others.
    noise = pooled if pooled.sigma >= own.sigma else own
    x = np.array([float(c.key.ranks_per_node) for c in line])
    y = np.array([c.cost for c in line])
    errors = np.array([np.hypot(log_error(c.launches, noise.sigma), MISFIT) for c in line])
    return (knee if len(line) >= POINTS_LEAST else steep)(x, y, errors, noise)


Pool = tuple[str, str, str]


def _pool(key: Key) -> Pool:
    return key.system, key.library, key.profile


def _pooled(lines: Sequence[Sequence[Cell]]) -> dict[Pool, Scatter]:
    """The scatter of all launches of a library on a system. The sizes of one launch share its luck:
    what they add to the degrees of freedom they add once."""
    cells: dict[Pool, list[Cell]] = {}
    for cell in (c for line in lines for c in line):
        cells.setdefault(_pool(cell.key), []).append(cell)
    found = {}
    for pool, own in cells.items():
        programs = {(c.key.benchmark, c.key.nodes, c.key.ranks_per_node): c.launches for c in own}
        freedom = sum(launches - 1 for launches in programs.values())
        everything = scatter(costs(own))
        found[pool] = Scatter(everything.sigma, freedom) if freedom else everything
    return found


def find(study: Study) -> list[Finding]:
    """All knees of a study, those of one operation merged over its sizes."""
    usable = [c for c in study.judged if c.key.metric != "memory_kib"]
    lines = [s for s in series(usable, "ranks_per_node") if len(s) > 1]
    means = _means([line for line in lines if len(line) >= POINTS_LEAST])
    pools = [_pooled(lines), _pooled(means)]
    found: list[Finding] = []
    for line in [*lines, *means]:
        pooled = pools[line[0].key.bytes == ALL_SIZES]
        best = _judge(line, pooled[_pool(line[0].key)])
        if best is None or best.p * (len(lines) + len(means)) >= ALPHA:
            continue
        # A single size says more than the mean of all; lines come before their mean.
        if line[0].key.bytes != ALL_SIZES or not any(_same_operation(f, line) for f in found):
            found.append(_finding(line, best, _cores(study, line, best)))
    return _together(merged(found))


def _cores(study: Study, line: Sequence[Cell], best: Knee) -> str:
    """Says so where ranks had to take turns: then that is the reason."""
    after = next(c for c in line if c.key.ranks_per_node > best.after)
    run = study.run_of.get(after.run_ids[0])
    found = run.machine.get("usable_cores") or run.machine.get("cores") if run else None
    if not isinstance(found, int) or found >= after.key.ranks_per_node:
        return ""
    cores = words.plural(found, "core")
    return f" There are {cores} for them, so that beyond {found} ranks take turns."


def _same_operation(finding: Finding, line: Sequence[Cell]) -> bool:
    key = line[0].key
    return (
        finding.key is not None
        and replace(finding.key, ranks_per_node=key.ranks_per_node, bytes=key.bytes) == key
    )


def _means(lines: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """For every operation measured at several sizes a line of each launch's mean over them. The
    launch is the unit here too: what all sizes of a launch suffered together counts once."""
    operations: dict[Key, list[Sequence[Cell]]] = {}
    for line in lines:
        key = replace(line[0].key, bytes=ALL_SIZES, ranks_per_node=0)
        operations.setdefault(key, []).append(line)
    means = []
    for key, sizes in operations.items():
        places: dict[int, list[Cell]] = {}
        for cell in (c for line in sizes for c in line):
            places.setdefault(cell.key.ranks_per_node, []).append(cell)
        whole = {rpn: cells for rpn, cells in places.items() if _whole(cells, len(sizes))}
        if len(sizes) >= SIZES_LEAST and len(whole) >= POINTS_LEAST:
            means.append([_mean(replace(key, ranks_per_node=r), whole[r]) for r in sorted(whole)])
    return means


def _whole(cells: Sequence[Cell], sizes: int) -> bool:
    return len(cells) == sizes and len({c.run_ids for c in cells}) == 1


def _mean(key: Key, cells: Sequence[Cell]) -> Cell:
    logs = np.log(np.array([c.costs for c in cells])).mean(axis=0)
    # A mean of costs is a time, whatever the metric of the sizes was.
    return Cell(replace(key, metric="time_us"), cells[0].run_ids, np.exp(logs))


def _finding(line: Sequence[Cell], best: Knee, cores: str) -> Finding:
    of = {c.key.ranks_per_node: c for c in line}
    key = replace(line[-1].key, ranks_per_node=best.after)
    mean = key.bytes == ALL_SIZES
    what = f"{key.benchmark} {'over all sizes' if mean else 'of ' + words.size(key.bytes)}"
    columns, rows = table(line, "ranks_per_node")
    return Finding(
        kind="knee",
        severity="note" if cores else "warning",
        title=f"{key.benchmark}: a knee past {best.after} ranks per node",
        text=(
            f"{what} with {who(key)} on {words.plural(key.nodes, 'node')} {best.kind} past "
            f"{best.after} ranks per node: from {words.microseconds(of[best.after].cost)} "
            f"at {best.after} to {words.microseconds(of[best.until].cost)} at "
            f"{best.until}, {words.times(best.excess)} what {best.promise} "
            f"({words.probability(best.p)}).{cores}"
        ),
        advice=ADVICE_CROWDED if cores else ADVICE.format(after=best.after, until=best.until),
        key=key,
        strength=best.excess,
        figure=_figure(line, best),
        columns=columns,
        rows=rows,
    )


def _figure(line: Sequence[Cell], best: Knee) -> Figure:
    x = tuple(float(c.key.ranks_per_node) for c in line)
    measured = Curve("measured", x, tuple(c.cost for c in line))
    expected = Curve("course before the knee", x, best.expected, "expected")
    return Figure("Ranks per node", "Time", "ranks", (measured, expected), mark=float(best.after))


def _together(findings: Sequence[Finding]) -> list[Finding]:
    """A knee that many operations of a library have at the same place is one finding: the reason
    is not to be looked for in any of them."""
    places: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        key = finding.key
        if key is not None:
            place = (key.system, key.library, key.nodes, key.ranks_per_node, finding.severity)
            places.setdefault(place, []).append(finding)
    groups = [sorted(own, key=lambda f: -f.strength) for own in places.values()]
    return [f for own in groups for f in ([_many(own)] if len(own) >= MANY else own)]


def _many(own: Sequence[Finding]) -> Finding:
    best, keys = own[0], [f.key for f in own if f.key is not None]
    key = keys[0]
    rows = tuple(
        (k.benchmark, "all" if k.bytes == ALL_SIZES else words.size(k.bytes), k.profile,
         f"{f.strength:.2f}", "; ".join(f.also))
        for f, k in zip(own, keys, strict=True)
    )  # fmt: skip
    names = words.listed([k.benchmark for k in keys])
    return replace(
        best,
        title=f"{key.library} on {key.system}: a knee past {key.ranks_per_node} ranks per node in "
        f"{len(own)} operations",
        text=f"{names} have it. The strongest: {best.text}",
        columns=("Operation", "Size", "Profile", "Times the course", "Also"),
        rows=rows,
        also=(),
    )
