"""Ratios between libraries: the table of who stands where, heat maps for the page, and the plot of
`dunlin compare`."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import Any

from matplotlib import ticker
from matplotlib.figure import Figure

from dunlin import stats, words
from dunlin.comparison import Comparison, Row, Side, compare
from dunlin.errors import DunlinError
from dunlin.report import theme
from dunlin.report.plots import PNG_DPI
from dunlin.report.sections import POINT_TO_POINT, SINGLE, grouped
from dunlin.summary import Cell, Study

# From here on a heat map's colour grows no stronger.
STRONGEST = 2.0
# Five steps each way can be told apart; more cannot.
STEPS = 5


@dataclass(frozen=True)
class Square:
    """One field of a heat map: -STEPS is much faster, +STEPS much slower, as text beside it."""

    text: str
    step: int
    sure: bool
    title: str


@dataclass(frozen=True)
class HeatMap:
    """Benchmarks down, sizes across."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Square | None, ...]], ...]


def step_of(ratio: float) -> int:
    """The colour of a ratio, even steps of its logarithm."""
    strength = max(-1.0, min(1.0, log2(ratio) / log2(STRONGEST)))
    return round(strength * STEPS)


def _square(row: Row) -> Square:
    ratio = row.ratio
    sure = 1.0 not in ratio.interval
    title = (
        f"{row.key.benchmark} {words.size(row.key.bytes)}: "
        f"{words.value(row.b.median, row.b.key.metric)} against "
        f"{words.value(row.a.median, row.a.key.metric)}, ratio {ratio.interval.low:.2f} to "
        f"{ratio.interval.high:.2f}"
    )
    text = f"{ratio.value:.2f}" if ratio.value < 10 else f"{ratio.value:.0f}"
    return Square(text, step_of(ratio.value), sure, title)


def heat_map(result: Comparison, title: str) -> HeatMap:
    """The rows of a comparison as fields."""
    sizes = sorted({row.key.bytes for row in result.rows})
    names = sorted({(row.key.benchmark, row.key.metric) for row in result.rows})
    by = {(row.key.benchmark, row.key.metric, row.key.bytes): _square(row) for row in result.rows}
    return HeatMap(
        title,
        tuple("-" if s == 0 else words.size(s) for s in sizes),
        tuple(
            (name.replace("_", " "), tuple(by.get((name, metric, s)) for s in sizes))
            for name, metric in names
        ),
    )


def heat_maps(study: Study, baseline: str) -> list[HeatMap]:
    """Every other library beside the baseline, each benchmark at its largest layout, with the
    profile that both have."""
    maps = []
    sides = grouped(study.judged, "system", "library", "profile")
    for (system, library, profile), cells in sides.items():
        mine = sides.get((system, baseline, profile))
        if library == baseline or mine is None:
            continue
        a, b = _largest(str(baseline), mine, cells), _largest(str(library), cells, mine)
        with_profile = "" if profile == "none" else f" ({profile})"
        try:
            maps.append(heat_map(compare(a, b), f"{library}{with_profile} on {system}"))
        except DunlinError:
            continue
    return maps


def _largest(name: str, cells: Sequence[Cell], others: Sequence[Cell]) -> Side:
    """The cells of each benchmark at the largest layout that both sides have of it."""
    largest: dict[str, tuple[int, int]] = {}
    theirs = {(c.key.benchmark, _layout(c)) for c in others}
    for cell in cells:
        benchmark, layout = cell.key.benchmark, _layout(cell)
        if (benchmark, layout) in theirs:
            known = largest.get(benchmark, (0, 0))
            largest[benchmark] = max(known, layout, key=lambda at: (at[0] * at[1], at))
    return Side(name, tuple(c for c in cells if largest.get(c.key.benchmark) == _layout(c)))


def _layout(cell: Cell) -> tuple[int, int]:
    return cell.key.nodes, cell.key.ranks_per_node


@dataclass(frozen=True)
class Standing:
    """How far from the best of all a library is, on average, in each group of benchmarks."""

    library: str
    fastest: int
    means: tuple[float | None, ...]


GROUPS = ("Latency", "Bandwidth", "Collectives", "Start-up")


def group_of(cell: Cell) -> str | None:
    """Which column of the standings a cell belongs to."""
    if cell.key.benchmark in SINGLE:
        return "Start-up" if cell.key.benchmark == "startup" else None
    if cell.key.benchmark in POINT_TO_POINT:
        return "Latency" if cell.key.metric == "time_us" else "Bandwidth"
    return "Collectives" if cell.key.metric == "time_us" else None


def standings(study: Study) -> tuple[int, list[Standing]]:
    """Over the points that every library measured; and how many these are. A library counts with
    the profile that does best at the point."""
    libraries = study.values_of("library")
    points = grouped(
        study.judged, "system", "nodes", "ranks_per_node", "benchmark", "bytes", "metric"
    )
    fastest = dict.fromkeys(libraries, 0)
    logs: dict[tuple[str, str], list[float]] = {}
    count = 0
    for cells in points.values():
        group = group_of(cells[0])
        best: dict[str, float] = {}
        for cell in cells:
            known = best.get(cell.key.library, cell.cost)
            best[cell.key.library] = min(known, cell.cost)
        if group is None or len(best) < len(libraries):
            continue
        count += 1
        least = min(best.values())
        fastest[min(best, key=lambda name: best[name])] += 1
        for library, cost in best.items():
            logs.setdefault((library, group), []).append(cost / least)
    found = [
        Standing(library, fastest[library], tuple(_mean(logs.get((library, g))) for g in GROUPS))
        for library in libraries
    ]
    return count, sorted(found, key=lambda s: -s.fastest)


def _mean(ratios: Sequence[float] | None) -> float | None:
    return stats.geometric_mean(ratios) if ratios else None


def draw_comparison(result: Comparison, file: Path) -> None:
    """Ratio over size with its interval, a panel for each benchmark and layout."""
    panels: dict[tuple[object, ...], list[Row]] = {}
    for row in result.rows:
        key = (row.key.benchmark, row.key.nodes, row.key.ranks_per_node)
        panels.setdefault(key, []).append(row)
    columns = min(3, len(panels))
    count = -(-len(panels) // columns)
    figure = Figure(figsize=(3.6 * columns, 2.4 * count + 0.4), layout="constrained")
    figure.set_facecolor("white")
    for at, ((benchmark, nodes, rpn), rows) in enumerate(panels.items(), 1):
        axes = figure.add_subplot(count, columns, at)
        _draw_ratios(axes, rows)
        axes.set_title(f"{benchmark}, {nodes}:{rpn}", loc="left", fontsize=9)
    figure.suptitle(f"{result.b.name} / {result.a.name}: above one is slower", fontsize=10)
    figure.savefig(file, dpi=PNG_DPI)


def _draw_ratios(axes: Any, rows: Sequence[Row]) -> None:
    x = list(range(len(rows)))
    middle = [row.ratio.value for row in rows]
    low = [row.ratio.value - row.ratio.interval.low for row in rows]
    high = [row.ratio.interval.high - row.ratio.value for row in rows]
    axes.axhline(1.0, color=theme.SOFT, lw=0.8)
    axes.errorbar(x, middle, yerr=[low, high], fmt="o", color=theme.SERIES[0][0], ms=4, capsize=2)
    axes.set_yscale("log")
    most = max(1.5, *(max(row.ratio.interval.high, 1 / row.ratio.interval.low) for row in rows))
    axes.set_ylim(1 / most / 1.1, most * 1.1)
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
    axes.yaxis.set_minor_formatter(ticker.NullFormatter())
    axes.set_xticks(x, [words.size(row.key.bytes) for row in rows], rotation=60)
