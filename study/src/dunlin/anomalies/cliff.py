"""Cliffs over size: between two neighbouring sizes, time jumps by more than the sizes around them
explain. A smooth cost (a start-up and so much per byte) becomes steeper from step to step, but each
step only as much as the next; a step steeper than both its neighbours stands out."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np

from dunlin import words
from dunlin.anomalies.finding import (
    ALPHA,
    Curve,
    Figure,
    Finding,
    Severity,
    costs,
    merged,
    series,
    table,
    where,
)
from dunlin.stats import Scatter, log_error, scatter
from dunlin.summary import Cell, Study

POINTS_LEAST = 4
# A change of protocol costs up to this without being worth a change of settings.
EXCESS_LEAST = 1.5
# From here on it is no longer only a note.
EXCESS_BAD = 2.0
# Caches end between sizes, and then a step is steeper than doubling by about this.
CACHE_EDGE = 1.15
# What is left of the jump one size further on, for it to be a cliff and no bump.
LASTS = 0.5


@dataclass(frozen=True)
class Cliff:
    """The step from size number `at` to the next."""

    at: int
    excess: float
    p: float
    expected: float
    lasts: bool


def cliffs(
    sizes: Sequence[int], values: Sequence[float], errors: Sequence[float], noise: Scatter
) -> list[Cliff]:
    """Every step that stands out, with its p, not yet corrected for looking at many."""
    spans = np.diff(np.log(np.asarray(sizes, dtype=float)))
    steps = np.diff(np.log(np.asarray(values, dtype=float)))
    slopes = steps / spans
    found = []
    for at in range(len(steps)):
        around = [float(slopes[i]) for i in (at - 1, at + 1) if 0 <= i < len(steps)]
        # At either end only one side is known; there the course of pure bandwidth is allowed.
        steepest = max([*around, 1.0 if len(around) == 1 else 0.0])
        promised = steepest * float(spans[at]) + log(CACHE_EDGE)
        excess = float(steps[at]) - promised
        if exp(excess) < EXCESS_LEAST:
            continue
        error = float(np.sqrt(4 * errors[at] ** 2 + 2 * errors[at + 1] ** 2))
        after = float(steps[at + 1]) if at + 1 < len(steps) else 0.0
        lasts = after > -LASTS * excess
        expected = float(values[at]) * exp(promised)
        found.append(Cliff(at, exp(excess), noise.p_above(excess / error), expected, lasts))
    return found


def find(study: Study) -> list[Finding]:
    """All cliffs of a study, those of one operation merged over ranks per node."""
    usable = [c for c in study.judged if c.key.bytes > 0]
    usable = [c for c in usable if c.key.metric != "memory_kib"]
    lines = [line for line in series(usable, "bytes") if len(line) >= POINTS_LEAST]
    tests = sum(len(line) - 1 for line in lines)
    found = []
    for line in lines:
        noise = scatter(costs(line))
        errors = [log_error(c.launches, noise.sigma) for c in line]
        values = [c.cost for c in line]
        for cliff in cliffs([c.key.bytes for c in line], values, errors, noise):
            if cliff.p * tests < ALPHA:
                found.append(_finding(line, values, cliff))
    return merged(found, "bytes")


def _text(line: Sequence[Cell], values: Sequence[float], cliff: Cliff) -> str:
    before, after = line[cliff.at], line[cliff.at + 1]
    small, large = words.size(before.key.bytes), words.size(after.key.bytes)
    text = (
        f"{after.key.benchmark} with {where(after.key)} takes "
        f"{words.microseconds(values[cliff.at])} for {small} and "
        f"{words.microseconds(values[cliff.at + 1])} for {large}, {words.times(cliff.excess)} "
        f"what the sizes around explain ({words.probability(cliff.p)})."
    )
    parts = after.key.bytes / before.key.bytes
    if parts == int(parts) and values[cliff.at + 1] > parts * values[cliff.at]:
        text += f" {parts:.0f} operations of {small} would be done sooner."
    return text if cliff.lasts else text + " Larger sizes are back on the course."


def _finding(line: Sequence[Cell], values: Sequence[float], cliff: Cliff) -> Finding:
    key = line[cliff.at + 1].key
    severity: Severity = "warning" if cliff.excess >= EXCESS_BAD else "note"
    what = "a cliff" if cliff.lasts else "a bump"
    x = tuple(float(c.key.bytes) for c in line)
    columns, rows = table(line, "bytes")
    steps = f"{words.size(line[cliff.at].key.bytes)} and {words.size(key.bytes)}"
    return Finding(
        kind="cliff",
        severity=severity,
        title=f"{key.benchmark}: {what} between {steps}",
        text=_text(line, values, cliff),
        advice=(
            "Look for a threshold at that size: from eager to rendezvous, from one algorithm to "
            "the next, from copying to mapping. Moving the threshold often mends it."
        ),
        key=key,
        strength=cliff.excess,
        figure=Figure(
            "Size",
            "Time",
            "bytes",
            (
                Curve("measured", x, tuple(values)),
                Curve(
                    "course of the sizes around",
                    x[cliff.at : cliff.at + 2],
                    (values[cliff.at], cliff.expected),
                    "expected",
                ),
            ),
            mark=float(key.bytes),
        ),
        columns=columns,
        rows=rows,
    )
