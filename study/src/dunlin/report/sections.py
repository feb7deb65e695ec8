"""What sections of the page consist of: panels made from cells, and who looks how in them. No HTML
here, and no drawing yet."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from dunlin import words
from dunlin.anomalies.finding import Finding
from dunlin.report import theme
from dunlin.report.plots import TIME, Bars, Line, Panel
from dunlin.report.theme import Look
from dunlin.summary import Cell, Study

Y_LABELS = {
    "time_us": TIME, "bandwidth_mbps": "Bandwidth (MB/s)",
    "rate_per_s": "Messages per second", "memory_kib": "Memory (KiB)",
}  # fmt: skip
# Two sizes tell the course of short and of long messages; more would be more of the same.
SIZES_SHOWN = 2
# The profile that changes nothing.
PLAIN = "none"
OWN_CLOCK = ", ranks' own clocks"

Drawing = Panel | Bars


@dataclass(frozen=True)
class Legend:
    """A series' name and its look."""

    label: str
    look: Look
    # A course that was not measured has no points.
    marked: bool = True


@dataclass(frozen=True)
class Group:
    """Drawings of one place; a folded one is shown when the reader opens it."""

    heading: str
    drawings: list[Drawing]
    folded: bool = False


@dataclass
class Section:
    """A heading, a sentence, and drawings that share a legend."""

    anchor: str
    title: str
    # In the list of contents, which is to fit on one line.
    short: str
    lead: str
    legend: list[Legend] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)

    def add(self, heading: str, drawings: list[Drawing], *, folded: bool = False) -> None:
        """A group, if there is anything in it."""
        if drawings:
            self.groups.append(Group(heading, drawings, folded))

    @property
    def empty(self) -> bool:
        """Nothing to show: the page leaves it out."""
        return not self.groups

    @property
    def drawings(self) -> list[Drawing]:
        """Of all groups."""
        return [drawing for group in self.groups for drawing in group.drawings]

    @property
    def has_panels(self) -> bool:
        """Is there anything that needs a legend?"""
        return any(isinstance(drawing, Panel) for drawing in self.drawings)


def slug(*parts: object) -> str:
    """A name for a file and an anchor."""
    return re.sub(r"[^a-z0-9]+", "-", "-".join(map(str, parts)).lower()).strip("-")


def escape_title(text: str) -> str:
    """Words that will stand in an attribute."""
    return text.replace("&", "and").replace("<", "").replace('"', "")


class Looks:
    """The same look for the same library and profile all over the page."""

    def __init__(self, study: Study):
        self.libraries = study.values_of("library")
        self.profiles = study.values_of("profile")
        # The profile that changes nothing is drawn solid.
        self.profiles.sort(key=lambda p: (p != PLAIN, p))

    def series(self, cell: Cell) -> tuple[str, ...]:
        """Which line of a panel a cell belongs to."""
        return cell.key.library, cell.key.profile

    def of(self, cell: Cell) -> Look:
        """Of one series. Where there is only one library its profiles take the colours."""
        library = self.libraries.index(cell.key.library)
        profile = self.profiles.index(cell.key.profile)
        return theme.look(library, profile) if len(self.libraries) > 1 else theme.look(profile, 0)

    def label(self, cell: Cell) -> str:
        """Library, and profile where it is one."""
        return named(cell.key.library, cell.key.profile)

    def legend(self, cells: Iterable[Cell]) -> list[Legend]:
        """The series that these cells belong to."""
        ones = {self.series(cell): cell for cell in cells}
        return [Legend(self.label(one), self.of(one)) for _, one in sorted(ones.items())]


class SystemLooks(Looks):
    """In panels of one library on several systems these are what is told apart."""

    def __init__(self, study: Study):
        super().__init__(study)
        self.systems = study.values_of("system")

    def series(self, cell: Cell) -> tuple[str, ...]:
        """The system alone."""
        return (cell.key.system,)

    def of(self, cell: Cell) -> Look:
        """As if it were a library."""
        return theme.look(self.systems.index(cell.key.system), 0)

    def label(self, cell: Cell) -> str:
        """Its name."""
        return cell.key.system


class SizeLooks(Looks):
    """In panels of one library with one profile these are the sizes."""

    def __init__(self, study: Study, sizes: Iterable[int]):
        super().__init__(study)
        self.sizes = sorted(set(sizes))

    def series(self, cell: Cell) -> tuple[str, ...]:
        """The size alone, in words that sort as numbers do."""
        return (f"{cell.key.bytes:020}",)

    def of(self, cell: Cell) -> Look:
        """As if it were a library."""
        return theme.look(self.sizes.index(cell.key.bytes), 0)

    def label(self, cell: Cell) -> str:
        """In bytes."""
        return words.size(cell.key.bytes)


def named(library: str, profile: str) -> str:
    """A library with a profile, in words."""
    return library if profile == PLAIN else f"{library} ({profile})"


Along = Callable[[Cell], float]


def lines(cells: Sequence[Cell], looks: Looks, along: Along) -> list[Line]:
    """One line for each series, with the interval of every median."""
    found: dict[tuple[str, ...], list[Cell]] = {}
    for cell in sorted(cells, key=along):
        found.setdefault(looks.series(cell), []).append(cell)
    # Local and synchronised times in one panel are told apart, or they would be compared.
    mixed = len({cell.key.clock for cell in cells}) > 1
    return [
        Line(
            looks.label(line[0]) + (OWN_CLOCK if mixed and line[0].key.clock == "local" else ""),
            looks.of(line[0]),
            [along(c) for c in line], [c.median for c in line],
            [c.interval.low for c in line], [c.interval.high for c in line],
        )
        for _, line in sorted(found.items())
    ]  # fmt: skip


def data(cells: Sequence[Cell], looks: Looks, along: Along, first: str, bytes_: bool) -> tuple[
    tuple[str, ...], list[list[str]]
]:  # fmt: skip
    """The table behind a panel: a row for each size or count, a column for each series."""
    ones = dict(sorted({looks.series(c): c for c in cells}.items()))
    by = {(along(c), looks.series(c)): c for c in cells}
    rows = []
    for x in sorted({along(c) for c in cells}):
        found = [by.get((x, series)) for series in ones]
        rows.append([
            words.size(x) if bytes_ else f"{x:g}",
            *("" if c is None else words.value(c.median, c.key.metric) for c in found),
        ])  # fmt: skip
    return (first, *(looks.label(one) for one in ones.values())), rows


def over_size(title: str, cells: Sequence[Cell], looks: Looks) -> Panel:
    """A panel over bytes."""
    key = cells[0].key

    def along(cell: Cell) -> float:
        return float(cell.key.bytes)

    columns, rows = data(cells, looks, along, "Size", True)
    name = slug(key.benchmark, key.metric, key.system, key.nodes, key.ranks_per_node, "size")
    return Panel(
        name, title, lines(cells, looks, along), "bytes", "Size (bytes)", Y_LABELS[key.metric],
        columns=columns, rows=rows,
    )  # fmt: skip


def over_ranks(
    title: str, cells: Sequence[Cell], looks: Looks, per_node: bool, prefix: object = ""
) -> Panel:
    """A panel over ranks per node, or over all ranks."""
    key = cells[0].key

    def along(cell: Cell) -> float:
        return float(cell.key.ranks_per_node if per_node else cell.key.ranks)

    label = "Ranks per node" if per_node else "Ranks"
    columns, rows = data(cells, looks, along, label, False)
    fixed = key.nodes if per_node else key.ranks_per_node
    name = slug(prefix or key.system, key.benchmark, key.metric, fixed, key.bytes, label)
    return Panel(
        name, title, lines(cells, looks, along), "ranks", label, Y_LABELS[key.metric],
        columns=columns, rows=rows,
    )  # fmt: skip


def grouped(cells: Iterable[Cell], *names: str) -> dict[tuple[object, ...], list[Cell]]:
    """Cells by some parts of their key, in order."""
    found: dict[tuple[object, ...], list[Cell]] = {}
    for cell in sorted(cells, key=lambda c: c.key):
        found.setdefault(tuple(getattr(cell.key, n) for n in names), []).append(cell)
    return found


def title_of(benchmark: str) -> str:
    """A benchmark as a heading."""
    return benchmark.replace("_", " ").capitalize()


def with_size(benchmark: str, size: int) -> str:
    """A benchmark at a size; a barrier has none."""
    return benchmark if size == 0 else f"{benchmark}, {words.size(size)}"


def representative(sizes: Iterable[int]) -> list[int]:
    """A short and a long size: the smallest that is none of nothing, and the middle of the rest."""
    ordered = sorted(set(sizes))
    positive = [s for s in ordered if s > 0] or ordered
    return sorted({positive[0], positive[-1 - len(positive) // 4]})[:SIZES_SHOWN]


def drawing_of(finding: Finding, number: int) -> Panel | None:
    """The figure of a finding as a panel."""
    figure = finding.figure
    if figure is None:
        return None
    found = []
    for at, curve in enumerate(figure.curves):
        expected = curve.kind == "expected"
        style = theme.look(at if len(figure.curves) < 4 else 0, 1 if expected else 0)
        found.append(Line(curve.label, style, curve.x, curve.y, faint=expected))
    return Panel(
        f"finding-{number}", finding.title, found, figure.x_unit, figure.x_label, figure.y_label,
        figure.mark, finding.columns, finding.rows, linear=figure.x_unit == "number",
    )  # fmt: skip
