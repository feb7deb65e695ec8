"""What a detector says: a finding in words, with the figure and the data behind it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from dunlin import words
from dunlin.stats import Array
from dunlin.summary import Cell, Key

Severity = Literal["wrong", "warning", "note"]
# What makes figures worthless comes before what makes them bad, and that before what to know.
SEVERITIES: tuple[Severity, ...] = ("wrong", "warning", "note")

# Two false alarms in a thousand clean studies for each detector; corrected for all it looks at.
ALPHA = 0.002


@dataclass(frozen=True)
class Curve:
    """A line or a row of points in a finding's figure."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: Literal["measured", "expected"] = "measured"


@dataclass(frozen=True)
class Figure:
    """What to draw, and what to list, so that a reader can judge for himself."""

    x_label: str
    y_label: str
    x_unit: Literal["bytes", "ranks", "number"]
    curves: tuple[Curve, ...]
    mark: float | None = None


@dataclass(frozen=True)
class Finding:
    """Something worth a person's attention. `strength` orders findings of one kind."""

    kind: str
    severity: Severity
    title: str
    text: str
    advice: str
    key: Key | None
    strength: float
    figure: Figure | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    also: tuple[str, ...] = field(default=())


def where(key: Key) -> str:
    """Who and how many: `dunlin (ofi) on alpha, 4 nodes with 8 ranks each`."""
    return f"{who(key)}, {words.layout(key.nodes, key.ranks_per_node)}"


def who(key: Key) -> str:
    """Library, profile where there is one, system."""
    profile = "" if key.profile == "none" else f" ({key.profile})"
    return f"{key.library}{profile} on {key.system}"


def series(cells: Iterable[Cell], along: Literal["bytes", "ranks_per_node"]) -> list[list[Cell]]:
    """Cells that differ in one thing only, in its order."""
    grouped: dict[tuple[object, ...], list[Cell]] = {}
    for cell in cells:
        key = cell.key
        other = key.ranks_per_node if along == "bytes" else key.bytes
        group = (
            key.system,
            key.library,
            key.profile,
            key.nodes,
            key.benchmark,
            key.metric,
            key.clock,
            other,
        )
        grouped.setdefault(group, []).append(cell)
    return [sorted(group, key=lambda c: getattr(c.key, along)) for group in grouped.values()]


def table(
    line: Sequence[Cell], along: Literal["bytes", "ranks_per_node"]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The data of a series as columns and rows of text."""
    first = "Size" if along == "bytes" else "Ranks per node"
    columns = (first, "Median", "Interval", "Launches")
    rows = tuple(
        (
            words.size(cell.key.bytes) if along == "bytes" else str(cell.key.ranks_per_node),
            words.value(cell.median, cell.key.metric),
            f"{words.value(cell.interval.low, cell.key.metric)} to "
            f"{words.value(cell.interval.high, cell.key.metric)}",
            str(cell.launches),
        )
        for cell in line
    )
    return columns, rows


def merged(findings: Sequence[Finding], *same: str) -> list[Finding]:
    """Of findings whose keys agree in `same` (besides system, library and benchmark) the strongest;
    where else it was seen stands in `also`."""
    grouped: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        parts = ("system", "library", "benchmark", *same)
        group = (finding.kind, *(getattr(finding.key, name) for name in parts))
        grouped.setdefault(group, []).append(finding)
    return [_strongest(group) for group in grouped.values()]


def _strongest(group: list[Finding]) -> Finding:
    best = max(group, key=lambda f: f.strength)
    keys = [f.key for f in group if f.key is not None]
    sizes = sorted({k.bytes for k in keys} - {best.key.bytes if best.key else -1})
    layouts = sorted({(k.nodes, k.ranks_per_node) for k in keys})
    profiles = sorted({k.profile for k in keys})
    also = []
    if sizes:
        also.append(f"at {words.listed([words.size(s) for s in sizes if s >= 0])}")
    if len(layouts) > 1:
        also.append(f"in the layouts {words.listed([f'{n}:{r}' for n, r in layouts])}")
    if len(profiles) > 1:
        also.append(f"with the profiles {words.listed(profiles)}")
    return replace(best, also=tuple(also))


def costs(line: Sequence[Cell]) -> list[Array]:
    """The launches of each cell, as something of which less is better."""
    return [cell.costs for cell in line]
