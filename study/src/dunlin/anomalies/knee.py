"""Knees over ranks per node: the place from which on time grows faster than before.

The smooth model is what well-behaved operations do (a constant, logarithmic rounds, a linear and a
quadratic amount of data, none of them negative); the other model adds one term that sets in past a
knot. They are nested, so that the gain of the second is an F statistic, and the scatter of launches
is the yardstick. Looking at many knots and series is paid for by Bonferroni's correction. Where
single sizes are too noisy, the mean over all sizes of each launch may still show a knee."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
AFTER_LEAST = 2
POINTS_LEAST = BEFORE_LEAST + AFTER_LEAST
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


@dataclass(frozen=True)
class Knee:
    """Past `after`, time leaves the course it had; `excess` is how far at the end."""

    after: int
    kind: str
    excess: float
    p: float
    expected: tuple[float, ...]


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
    fits = [(*_fit(np.column_stack([terms, knee_terms(x, x[at])]), y, errors), at) for at in knots]
    shares, rest, at = min(fits, key=lambda fit: fit[1])
    smooth, extra = shares[: terms.shape[1]], shares[terms.shape[1] :]
    expected = terms @ smooth
    excess = float(y[-1] / max(expected[-1], EXPECTED_LEAST))
    if excess < EXCESS_LEAST:
        return None
    freedom = max(1, len(x) - int((shares > 0).sum()))
    gain = (rest_smooth - rest) / len(extra) / max(1.0, rest / freedom)
    p = float(np.asarray(scipy.special.fdtrc(len(extra), max(1.0, noise.freedom), max(0.0, gain))))
    kind = "jumps" if extra[0] >= y[at] else "steepens"
    return Knee(int(x[at]), kind, excess, p * len(knots), tuple(float(v) for v in expected))


def _judge(line: Sequence[Cell]) -> Knee | None:
    noise = scatter(costs(line))
    x = np.array([float(c.key.ranks_per_node) for c in line])
    y = np.array([c.cost for c in line])
    errors = np.array([np.hypot(log_error(c.launches, noise.sigma), MISFIT) for c in line])
    return knee(x, y, errors, noise)


def find(study: Study) -> list[Finding]:
    """All knees of a study, those of one operation merged over its sizes."""
    usable = [c for c in study.judged if c.key.metric != "memory_kib"]
    lines = [s for s in series(usable, "ranks_per_node") if len(s) >= POINTS_LEAST]
    means = _means(lines)
    found: list[Finding] = []
    for line in [*lines, *means]:
        best = _judge(line)
        if best is None or best.p * (len(lines) + len(means)) >= ALPHA:
            continue
        # A single size says more than the mean of all; lines come before their mean.
        if line[0].key.bytes != ALL_SIZES or not any(_same_operation(f, line) for f in found):
            found.append(_finding(line, best))
    return merged(found)


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


def _finding(line: Sequence[Cell], best: Knee) -> Finding:
    last = line[-1]
    key = replace(last.key, ranks_per_node=best.after)
    at = next(c for c in line if c.key.ranks_per_node == best.after)
    measured = [c.cost for c in line]
    mean = key.bytes == ALL_SIZES
    what = f"{key.benchmark} {'over all sizes' if mean else 'of ' + words.size(key.bytes)}"
    columns, rows = table(line, "ranks_per_node")
    return Finding(
        kind="knee",
        severity="warning",
        title=f"{key.benchmark}: a knee past {best.after} ranks per node",
        text=(
            f"{what} with {who(key)} on {words.plural(key.nodes, 'node')} {best.kind} past "
            f"{best.after} ranks per node: from {words.microseconds(at.cost)} "
            f"at {best.after} to {words.microseconds(measured[-1])} at "
            f"{last.key.ranks_per_node}, {words.times(best.excess)} what its course up to there "
            f"promised ({words.probability(best.p)})."
        ),
        advice=(
            f"Compare with other libraries and profiles at {last.key.ranks_per_node} ranks per "
            f"node, or leave cores free beyond {best.after}. A memory domain, a network queue or "
            "a count of cores that ends there is the usual reason."
        ),
        key=key,
        strength=best.excess,
        figure=Figure(
            "Ranks per node",
            "Time (µs)",
            "ranks",
            (
                Curve(
                    "measured", tuple(float(c.key.ranks_per_node) for c in line), tuple(measured)
                ),
                Curve(
                    "course before the knee",
                    tuple(float(c.key.ranks_per_node) for c in line),
                    best.expected,
                    "expected",
                ),
            ),
            mark=float(best.after),
        ),
        columns=columns,
        rows=rows,
    )
