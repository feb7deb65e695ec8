"""Noise: launches of the same thing that differ more than on a quiet machine, single launches that
were slow at everything, and a machine that changed while the study ran."""

from dataclasses import dataclass, replace
from math import exp

import numpy as np
import scipy

from dunlin import words
from dunlin.anomalies.finding import ALPHA, Curve, Figure, Finding, who
from dunlin.anomalies.launches import key_of
from dunlin.stats import Array, Scatter, median, scatter
from dunlin.summary import Cell, Key, Study

# Launches that surely scatter by more than this (a quarter up or down is usual) support no
# comparison.
SIGMA_LOUD = 0.25
FREEDOM_LEAST = 8
# A launch this much slower than its sisters, at most of its sizes, met something they did not.
SLOW_LEAST = 2.0
SISTERS_LEAST = 3
SIZES_LEAST = 3
# A change over the study worth naming, and the launches it takes to see one.
DRIFT_LEAST = 1.1
DRIFT_LAUNCHES_LEAST = 24


def _program(key: Key) -> Key:
    return replace(key, bytes=0, metric="time_us", clock="local")


def _programs(study: Study) -> dict[Key, list[Cell]]:
    grouped: dict[Key, list[Cell]] = {}
    for cell in study.judged:
        if cell.key.metric != "memory_kib":
            grouped.setdefault(_program(cell.key), []).append(cell)
    return grouped


@dataclass(frozen=True)
class Residual:
    """How many times slower than its sisters a launch was, over all its sizes."""

    run_id: str
    factor: float
    sizes: int
    sisters: int


def residuals(cells: list[Cell]) -> list[Residual]:
    """For each launch of a program the median over sizes of its ratio to the other launches."""
    ratios: dict[str, list[float]] = {}
    for cell in cells:
        if cell.launches < 2:
            continue
        logs = np.log(cell.costs).tolist()
        for at, run_id in enumerate(cell.run_ids):
            others = median(logs[:at] + logs[at + 1 :])
            ratios.setdefault(run_id, []).append(logs[at] - others)
    sisters = max((cell.launches - 1 for cell in cells), default=0)
    return [
        Residual(run_id, exp(median(logs)), len(logs), sisters) for run_id, logs in ratios.items()
    ]


def find(study: Study) -> list[Finding]:
    """Loud programs, slow launches, and drift."""
    programs = _programs(study)
    found = []
    everything: dict[str, float] = {}
    for key, cells in programs.items():
        all_residuals = residuals(cells)
        everything |= {r.run_id: r.factor for r in all_residuals}
        slow = [
            r
            for r in all_residuals
            if r.factor >= SLOW_LEAST and r.sizes >= SIZES_LEAST and r.sisters >= SISTERS_LEAST
        ]
        found += [_slow(key, cells, r) for r in slow]
        noise = scatter([cell.costs for cell in cells])
        if not slow and _surely_louder(noise, ALPHA / len(programs)):
            found.append(_loud(key, cells, noise.sigma))
    drift = _drift(study, everything)
    return [*found, *([drift] if drift else [])]


def _surely_louder(noise: Scatter, alpha: float) -> bool:
    """Is even the least scatter that goes with this one above the limit?"""
    if noise.freedom < FREEDOM_LEAST:
        return False
    most = float(scipy.special.chdtri(noise.freedom, alpha))
    return noise.sigma > SIGMA_LOUD * float(np.sqrt(most / noise.freedom))


def _launch_table(cells: list[Cell]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    rows = tuple(
        (
            words.size(c.key.bytes),
            words.value(c.median, c.key.metric),
            words.value(c.least, c.key.metric),
            words.value(c.most, c.key.metric),
            str(c.launches),
        )
        for c in cells
    )
    return ("Size", "Median", "Least", "Most", "Launches"), rows


def _figure(cells: list[Cell]) -> Figure:
    """Every launch of the program as a curve of its own."""
    launches: dict[str, tuple[list[float], list[float]]] = {}
    for cell in cells:
        for run_id, value in zip(cell.run_ids, cell.costs, strict=True):
            x, y = launches.setdefault(run_id, ([], []))
            x.append(float(cell.key.bytes))
            y.append(float(value))
    curves = tuple(
        Curve(f"launch {n}", tuple(x), tuple(y)) for n, (x, y) in enumerate(launches.values(), 1)
    )
    return Figure("Size", "Time", "bytes", curves[:12])


def _slow(key: Key, cells: list[Cell], residual: Residual) -> Finding:
    columns, rows = _launch_table(cells)
    return Finding(
        kind="noise",
        severity="note",
        title=f"{key.benchmark}: one launch was {words.times(residual.factor)} as slow",
        text=(
            f"Launch {residual.run_id} of {key.benchmark} with {who(key)} took "
            f"{words.times(residual.factor)} what its {residual.sisters} sisters took, over all "
            f"of its {residual.sizes} sizes."
        ),
        advice="Medians forgive one such launch. If there are more, find what else was running.",
        key=key,
        strength=residual.factor,
        figure=_figure(cells),
        columns=columns,
        rows=rows,
    )


def _loud(key: Key, cells: list[Cell], sigma: float) -> Finding:
    columns, rows = _launch_table(cells)
    return Finding(
        kind="noise",
        severity="warning",
        title=f"{key.benchmark} with {key.library}: launches differ too much",
        text=(
            f"Launches of {key.benchmark} with {who(key)}, "
            f"{words.layout(key.nodes, key.ranks_per_node)}, differ from each other by "
            f"{words.times(exp(sigma))} in the usual case. Differences smaller than that are not "
            "seen here."
        ),
        advice=(
            "Bind ranks to cores, keep other work off the machine, fix the processor's frequency, "
            "and measure more launches."
        ),
        key=key,
        strength=sigma,
        figure=_figure(cells),
        columns=columns,
        rows=rows,
    )


def _drift(study: Study, factors: dict[str, float]) -> Finding | None:
    """Did everything become slower, or faster, in the order in which launches ran?"""
    runs = [run for run in study.runs if run.run_id in factors]
    if len({run.order for run in runs}) < DRIFT_LAUNCHES_LEAST:
        return None
    order: Array = np.array([float(run.order) for run in runs])
    logs: Array = np.log(np.array([factors[run.run_id] for run in runs]))
    if np.ptp(logs) == 0:
        return None
    # Only here: it takes long to load, as in `stats`.
    from scipy.stats import spearmanr

    p = float(spearmanr(order, logs).pvalue)
    third = len(runs) // 3
    ranked = logs[np.argsort(order, kind="stable")]
    change = exp(float(np.median(ranked[-third:]) - np.median(ranked[:third])))
    if p >= ALPHA or max(change, 1 / change) < DRIFT_LEAST:
        return None
    way = "slower" if change > 1 else "faster"
    factor = max(change, 1 / change)
    return Finding(
        kind="noise",
        severity="warning",
        title=f"The machine became {way} while the study ran",
        text=(
            f"The last third of the launches took {words.times(factor)} "
            f"{'longer' if change > 1 else 'less'} than the first third of the same things "
            f"({words.probability(p)})."
        ),
        advice=(
            "Order is random, so that no library is favoured; but the figures hold for a machine "
            "that changes. Look at temperature, frequency and neighbours."
        ),
        key=key_of(runs[0]),
        strength=factor,
        figure=Figure(
            "Place in the order",
            "Times its sisters",
            "number",
            (Curve("launches", tuple(order.tolist()), tuple(np.exp(logs).tolist())),),
        ),
    )
