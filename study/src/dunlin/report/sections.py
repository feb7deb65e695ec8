"""What the page shows, section by section: drawings, tables and sentences made from a study. No
HTML here, and no drawing yet."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from dunlin import words
from dunlin.anomalies.finding import Finding
from dunlin.report import theme
from dunlin.report.plots import Bars, Line, Panel
from dunlin.report.theme import Look
from dunlin.summary import Cell, Study

POINT_TO_POINT = ("latency", "bandwidth", "bibandwidth", "message_rate", "ring")
SINGLE = ("startup", "memory")
Y_LABELS = {
    "time_us": "Time (µs)", "bandwidth_mbps": "Bandwidth (MB/s)",
    "rate_per_s": "Messages per second", "memory_kib": "Memory (KiB)",
}  # fmt: skip
# Two sizes tell the course of short and of long messages; more would be more of the same.
SIZES_SHOWN = 2

Drawing = Panel | Bars


@dataclass(frozen=True)
class Legend:
    """A series' name and its look."""

    label: str
    look: Look
    # A course that was not measured has no points.
    marked: bool = True


@dataclass
class Section:
    """A heading, a sentence, and drawings that share a legend."""

    anchor: str
    title: str
    lead: str
    legend: list[Legend] = field(default_factory=list)
    groups: list[tuple[str, list[Drawing]]] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Nothing to show: the page leaves it out."""
        return not any(drawings for _, drawings in self.groups)


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
        self.profiles.sort(key=lambda p: (p != "none", p))

    def of(self, library: str, profile: str) -> Look:
        """Of one series."""
        return theme.look(self.libraries.index(library), self.profiles.index(profile))

    def label(self, library: str, profile: str) -> str:
        """Library, and profile where it is one."""
        return library if profile == "none" else f"{library} ({profile})"

    def legend(self, cells: Iterable[Cell]) -> list[Legend]:
        """The series that these cells belong to."""
        pairs = sorted({(c.key.library, c.key.profile) for c in cells})
        return [Legend(self.label(*pair), self.of(*pair)) for pair in pairs]


Along = Callable[[Cell], float]


def lines(cells: Sequence[Cell], looks: Looks, along: Along) -> list[Line]:
    """One line for each library and profile, with the interval of every median."""
    grouped: dict[tuple[str, str], list[Cell]] = {}
    for cell in sorted(cells, key=along):
        grouped.setdefault((cell.key.library, cell.key.profile), []).append(cell)
    return [
        Line(
            looks.label(*pair), looks.of(*pair),
            [along(c) for c in line], [c.median for c in line],
            [c.interval.low for c in line], [c.interval.high for c in line],
        )
        for pair, line in sorted(grouped.items())
    ]  # fmt: skip


def data(cells: Sequence[Cell], looks: Looks, along: Along, first: str, bytes_: bool) -> tuple[
    tuple[str, ...], list[list[str]]
]:  # fmt: skip
    """The table behind a panel: a row for each size or count, a column for each series."""
    pairs = sorted({(c.key.library, c.key.profile) for c in cells})
    by = {(along(c), c.key.library, c.key.profile): c for c in cells}
    rows = []
    for x in sorted({along(c) for c in cells}):
        found = [by.get((x, *pair)) for pair in pairs]
        rows.append([
            words.size(x) if bytes_ else f"{x:g}",
            *("" if c is None else words.value(c.median, c.key.metric) for c in found),
        ])  # fmt: skip
    return (first, *(looks.label(*pair) for pair in pairs)), rows


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


def over_ranks(title: str, cells: Sequence[Cell], looks: Looks, per_node: bool) -> Panel:
    """A panel over ranks per node, or over all ranks."""
    key = cells[0].key

    def along(cell: Cell) -> float:
        return float(cell.key.ranks_per_node if per_node else cell.key.ranks)

    label = "Ranks per node" if per_node else "Ranks"
    columns, rows = data(cells, looks, along, label, False)
    fixed = key.nodes if per_node else key.ranks_per_node
    name = slug(key.benchmark, key.metric, key.system, fixed, key.bytes, label)
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


def collective(cell: Cell) -> bool:
    """Neither between two ranks nor a whole program."""
    return (
        cell.key.benchmark not in POINT_TO_POINT
        and cell.key.benchmark not in SINGLE
        and cell.key.metric == "time_us"
    )


def point_to_point(study: Study, looks: Looks) -> Section:
    """Latency, bandwidth and rate over size."""
    cells = [c for c in study.judged if c.key.benchmark in POINT_TO_POINT]
    section = Section(
        "point-to-point", "Between two ranks",
        "Latency is half of a round trip. Lines are medians over launches, bands their intervals.",
        looks.legend(cells),
    )  # fmt: skip
    for place, mine in grouped(cells, "system", "nodes", "ranks_per_node").items():
        system, nodes, rpn = place
        kinds = grouped(mine, "benchmark", "metric")
        ordered = sorted(kinds.items(), key=lambda kind: POINT_TO_POINT.index(str(kind[0][0])))
        panels: list[Drawing] = [
            over_size(_title(str(kind[0])), some, looks) for kind, some in ordered
        ]
        section.groups.append((f"{system}, {words.layout(int(str(nodes)), int(str(rpn)))}", panels))
    return section


def _title(benchmark: str) -> str:
    return benchmark.replace("_", " ").capitalize()


def collectives(study: Study, looks: Looks) -> Section:
    """Every collective over size, at the largest layout of each system."""
    without_sizes = unsized(study)
    cells = [
        c for c in study.judged if collective(c) and c.key.benchmark not in without_sizes
    ]  # fmt: skip
    section = Section(
        "collectives", "Collectives over size",
        "Time until the last rank is done, where the programs share a clock. The size is what one "
        "rank contributes. Each system is shown at its largest layout.",
        looks.legend(cells),
    )  # fmt: skip
    for (system,), mine in grouped(cells, "system").items():
        nodes, rpn = max((c.key.nodes, c.key.ranks_per_node) for c in mine)
        largest = [c for c in mine if (c.key.nodes, c.key.ranks_per_node) == (nodes, rpn)]
        panels: list[Drawing] = [
            over_size(str(name), some, looks)
            for (name,), some in grouped(largest, "benchmark").items()
        ]
        section.groups.append((f"{system}, {words.layout(nodes, rpn)}", panels))
    return section


def unsized(study: Study) -> set[str]:
    """Benchmarks of one size only, as a barrier is."""
    sizes: dict[str, set[int]] = {}
    for cell in study.judged:
        sizes.setdefault(cell.key.benchmark, set()).add(cell.key.bytes)
    return {name for name, found in sizes.items() if found == {0}}


def representative(sizes: Iterable[int]) -> list[int]:
    """A short and a long size: the smallest that is none of nothing, and the middle of the rest."""
    ordered = sorted(set(sizes))
    positive = [s for s in ordered if s > 0] or ordered
    return sorted({positive[0], positive[-1 - len(positive) // 4]})[:SIZES_SHOWN]


def scaling(study: Study, looks: Looks, per_node: bool) -> Section:
    """Collectives over ranks per node, or over all ranks with more and more nodes."""
    cells = [c for c in study.judged if collective(c)]
    section = Section(
        "ranks-per-node" if per_node else "scale",
        "Scaling over ranks per node" if per_node else "Scaling over nodes",
        "The same nodes, fuller and fuller." if per_node
        else "The same ranks per node on more and more nodes.",
        looks.legend(cells),
    )  # fmt: skip
    fixed = "nodes" if per_node else "ranks_per_node"
    for (system, count), mine in grouped(cells, "system", fixed).items():
        varied = {c.key.ranks_per_node if per_node else c.key.nodes for c in mine}
        if len(varied) < 2:
            continue
        panels: list[Drawing] = []
        for (name,), some in grouped(mine, "benchmark").items():
            for size in representative(c.key.bytes for c in some):
                at = [c for c in some if c.key.bytes == size]
                title = str(name) if size == 0 else f"{name}, {words.size(size)}"
                panels.append(over_ranks(title, at, looks, per_node))
        what = words.plural(int(str(count)), "node" if per_node else "rank")
        section.groups.append((f"{system}, {what}{'' if per_node else ' per node'}", panels))
    return section


def single(study: Study, looks: Looks) -> Section:
    """Start-up, memory, and applications: one figure for each library."""
    cells = [
        c for c in study.judged
        if c.key.benchmark in SINGLE
        or (c.key.bytes == 0 and c.key.benchmark in unsized(study) and not collective(c))
    ]  # fmt: skip
    section = Section(
        "start-up", "Start-up, memory, whole programs", "Shorter bars are better.", []
    )
    for (system, nodes, rpn), mine in grouped(cells, "system", "nodes", "ranks_per_node").items():
        kinds = grouped(mine, "benchmark", "metric", "clock").items()
        drawings: list[Drawing] = [bars(_title(str(k[0])), some, looks) for k, some in kinds]
        where = words.layout(int(str(nodes)), int(str(rpn)))
        section.groups.append((f"{system}, {where}", drawings))
    return section


def bars(title: str, cells: Sequence[Cell], looks: Looks) -> Bars:
    """Sorted from best to worst."""
    ordered = sorted(cells, key=lambda c: c.cost)
    key = ordered[0].key
    texts = [words.value(c.median, c.key.metric) for c in ordered]
    labels = [looks.label(c.key.library, c.key.profile) for c in ordered]
    return Bars(
        slug(key.benchmark, key.metric, key.system, key.nodes, key.ranks_per_node), title,
        labels, [looks.of(c.key.library, c.key.profile) for c in ordered],
        [c.median for c in ordered], [c.interval.low for c in ordered],
        [c.interval.high for c in ordered], texts,
        ("Library", "Median", "Least", "Most", "Launches"),
        [
            [label, text, words.value(c.least, key.metric), words.value(c.most, key.metric),
             str(c.launches)]
            for label, text, c in zip(labels, texts, ordered, strict=True)
        ],
    )  # fmt: skip


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


def all_sections(study: Study) -> list[Section]:
    """In the order of the page; those without data are left out."""
    looks = Looks(study)
    found = [
        point_to_point(study, looks),
        collectives(study, looks),
        scaling(study, looks, per_node=True),
        scaling(study, looks, per_node=False),
        single(study, looks),
    ]
    return [section for section in found if not section.empty]
