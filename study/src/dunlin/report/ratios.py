"""Ratios between libraries: the table of who stands where, heat maps for the page, and the plot of
`dunlin compare`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log2
from pathlib import Path
from typing import Any

from matplotlib import ticker
from matplotlib.figure import Figure

from dunlin import stats, words
from dunlin.comparison import ALPHA, SMALLEST_EFFECT, Comparison, Row, Side, compare
from dunlin.errors import DunlinError
from dunlin.kinds import Kind
from dunlin.report import theme
from dunlin.report.plots import PNG_DPI
from dunlin.report.sections import PLAIN, grouped, named, with_size
from dunlin.stats import Interval
from dunlin.summary import Cell, Key, Study

# From here on a heat map's colour grows no stronger.
STRONGEST = 2.0
# Five steps each way can be told apart; more cannot.
STEPS = 5
# Fewer benchmarks and layouts than this have no mean worth an interval.
OPERATIONS_LEAST = 5


@dataclass(frozen=True)
class Square:
    """One field of a heat map: -STEPS is much faster, +STEPS much slower, as text beside it."""

    text: str
    step: int
    sure: bool
    title: str


@dataclass(frozen=True)
class HeatMap:
    """Benchmarks down, sizes or layouts across."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Square | None, ...]], ...]


def step_of(ratio: float) -> int:
    """The colour of a ratio, even steps of its logarithm."""
    strength = max(-1.0, min(1.0, log2(ratio) / log2(STRONGEST)))
    return round(strength * STEPS)


@dataclass(frozen=True)
class Pair:
    """Two sides on one system, compared at every point that both have."""

    title: str
    comparison: Comparison
    # Points that differ, corrected for looking at all of the pair.
    sure: frozenset[Key]

    @property
    def ratio(self) -> float:
        """On average; each benchmark in each layout counts once, however many sizes it has."""
        return stats.geometric_mean(self.operations)

    @cached_property
    def operations(self) -> list[float]:
        """The mean ratio of each benchmark in each layout: these are launched independently."""
        found: dict[object, list[float]] = {}
        for row in self.comparison.rows:
            own = found.setdefault((row.key.benchmark, row.key.metric, _layout(row.key)), [])
            own.append(row.ratio.value)
        return [stats.geometric_mean(ratios) for ratios in found.values()]

    @property
    def interval(self) -> Interval | None:
        """Of the mean, over operations and layouts; None of too few of them."""
        means = self.operations
        return stats.mean_interval(means) if len(means) >= OPERATIONS_LEAST else None

    @property
    def tells(self) -> bool:
        """Does it surely cost less, or more, on average, and by enough to be named?"""
        return self.interval is not None and (
            self.interval.high < 1 / SMALLEST_EFFECT or self.interval.low > SMALLEST_EFFECT
        )

    @property
    def decidable(self) -> bool:
        """Are there launches enough for a single point to be sure?"""
        return any(
            stats.smallest_p(row.a.launches, row.b.launches) < ALPHA for row in self.comparison.rows
        )

    def certain(self, slower: bool) -> list[Row]:
        """What differs surely and by enough to be named, the strongest first."""
        found = [r for r in self.comparison.rows if r.key in self.sure and _named(r, slower)]
        return sorted(found, key=lambda r: r.ratio.value, reverse=slower)


def _named(row: Row, slower: bool) -> bool:
    ratio = row.ratio.value
    return ratio >= row.smallest if slower else ratio <= 1.0 / row.smallest


def pair(title: str, a: Side, b: Side) -> Pair | None:
    """Compared, where they have anything in common."""
    try:
        result = compare(a, b)
    except DunlinError:
        return None
    luck = stats.false_discovery([row.ratio.p for row in result.rows])
    sure = {row.key for row, p in zip(result.rows, luck, strict=True) if p < ALPHA}
    return Pair(title, result, frozenset(sure))


Sides = dict[tuple[object, ...], list[Cell]]


def library_pairs(study: Study, baseline: str) -> list[Pair]:
    """Every other library beside the baseline, with each profile that both have."""
    sides, found = grouped(study.judged, "system", "library", "profile"), []
    for (system, library, profile), cells in sides.items():
        mine = sides.get((system, baseline, profile))
        if library != baseline and mine is not None:
            title = f"{named(str(library), str(profile))} on {system}"
            found.append(pair(title, Side(baseline, tuple(mine)), Side(str(library), tuple(cells))))
    return [one for one in found if one is not None]


def profile_pairs(study: Study) -> list[Pair]:
    """Every profile of a library beside the one that changes nothing."""
    sides, found = grouped(study.judged, "system", "library", "profile"), []
    for (system, library, profile), cells in sides.items():
        plain = sides.get((system, library, PLAIN))
        if profile != PLAIN and plain is not None:
            title = f"{profile} with {library} on {system}"
            found.append(pair(title, Side(PLAIN, tuple(plain)), Side(str(profile), tuple(cells))))
    return [one for one in found if one is not None]


def _square(row: Row, sure: bool) -> Square:
    ratio = row.ratio
    title = (
        f"{row.key.benchmark} {words.size(row.key.bytes)}, "
        f"{words.layout(row.key.nodes, row.key.ranks_per_node)}: "
        f"{words.value(row.b.median, row.b.key.metric)} against "
        f"{words.value(row.a.median, row.a.key.metric)}, ratio {ratio.interval.low:.2f} to "
        f"{ratio.interval.high:.2f} ({words.percent(ratio.interval.level)})"
    )
    text = f"{ratio.value:.2f}" if ratio.value < 10 else f"{ratio.value:.0f}"
    return Square(text, step_of(ratio.value), sure, title)


def heat_map(one: Pair) -> HeatMap:
    """Each benchmark at its largest layout over sizes; or, of a study that varied layouts more
    than sizes, each at its longest size over layouts."""
    rows = one.comparison.rows
    layouts = sorted({_layout(row.key) for row in rows})
    sizes = sorted({row.key.bytes for row in rows})
    kinds = sorted({(row.key.benchmark, row.key.metric) for row in rows})
    by_layout = len(layouts) > len(sizes)
    columns = [f"{n}:{r}" for n, r in layouts] if by_layout else [short_size(s) for s in sizes]
    fields: list[tuple[str, tuple[Square | None, ...]]] = []
    for benchmark, metric in kinds:
        mine = [r for r in rows if (r.key.benchmark, r.key.metric) == (benchmark, metric)]
        most = max(r.key.bytes for r in mine)
        largest = max((_layout(r.key) for r in mine), key=lambda at: (at[0] * at[1], at))
        if by_layout:
            squares = {_layout(r.key): r for r in mine if r.key.bytes == most}
            found = [squares.get(at) for at in layouts]
        else:
            of_size = {r.key.bytes: r for r in mine if _layout(r.key) == largest}
            found = [of_size.get(at) for at in sizes]
        name = with_size(benchmark, most) if by_layout else benchmark
        # Where no point can be sure, none is paler than the others.
        row = tuple(
            None if r is None else _square(r, r.key in one.sure or not one.decidable) for r in found
        )
        fields.append((name.replace("_", " "), row))
    return HeatMap(one.title, tuple(columns), tuple(fields))


def short_size(size: int) -> str:
    """For columns of which there are many: 64K."""
    return "-" if size == 0 else words.size(size).replace(" ", "").replace("iB", "")


def _layout(key: Key) -> tuple[int, int]:
    return key.nodes, key.ranks_per_node


def point_of(row: Row) -> str:
    """A point in a few words."""
    layout = f"{row.key.nodes}:{row.key.ranks_per_node}"
    return f"{with_size(row.key.benchmark, row.key.bytes)} at {layout}"


@dataclass(frozen=True)
class Standing:
    """How far from the best of all a library is, on average, in each group of benchmarks."""

    library: str
    fastest: int
    means: tuple[float | None, ...]


GROUPS = ("Latency", "Bandwidth", "Collectives", "Start-up", "Applications")
_GROUP_OF: dict[Kind, str] = {
    "collective": "Collectives", "start-up": "Start-up", "program": "Applications",
}  # fmt: skip


def group_of(cell: Cell, kind: Kind) -> str | None:
    """Which column of the standings a cell belongs to. Memory is no speed."""
    if kind == "point-to-point":
        return "Latency" if cell.key.metric == "time_us" else "Bandwidth"
    return _GROUP_OF.get(kind)


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
        group = group_of(cells[0], study.kinds[cells[0].key.benchmark])
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
    panels: dict[Key, list[Row]] = {}
    for row in result.rows:
        panels.setdefault(replace(row.key, bytes=0), []).append(row)
    columns = min(3, len(panels))
    count = -(-len(panels) // columns)
    figure = Figure(figsize=(3.6 * columns, 2.4 * count + 0.4), layout="constrained")
    figure.set_facecolor("white")
    for at, (key, rows) in enumerate(panels.items(), 1):
        axes = figure.add_subplot(count, columns, at)
        _draw_ratios(axes, rows)
        # Names that all rows have in common have been taken out of their keys.
        others = [name for name in (key.system, key.library, key.profile) if name]
        title = ", ".join([key.benchmark, *others, f"{key.nodes}:{key.ranks_per_node}"])
        axes.set_title(title, loc="left", fontsize=9)
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
