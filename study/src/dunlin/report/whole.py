"""The sections of what has one figure for each library: applications, start-up, memory."""

from collections.abc import Sequence

from dunlin import words
from dunlin.report.plots import Bar, Bars
from dunlin.report.sections import Drawing, Looks, Section, grouped, over_ranks, slug
from dunlin.summary import Cell, Study

# Scales side by side in one drawing of bars.
SCALES_SHOWN = 6
# From so many on a course over ranks says more than bars.
SCALES_OF_COURSE = 3


def programs(study: Study, looks: Looks) -> Section:
    """Applications: the whole job's time by library and scale."""
    section = Section(
        "programs", "Applications", "Applications",
        "Time of the whole job; shorter bars are better, each group on a scale of its own. Thin "
        "lines are intervals of the medians, and in brackets stands how many times the fastest of "
        "its group a bar is.",
    )  # fmt: skip
    _fill(section, study.of_kind("program"), looks)
    return section


def start_up(study: Study, looks: Looks) -> Section:
    """Starting and ending, and the memory of a rank that has done nothing yet."""
    section = Section(
        "start-up", "Start-up and memory", "Start-up",
        "Shorter bars are better; each at its largest layout.",
    )  # fmt: skip
    _fill(section, study.of_kind("start-up", "memory"), looks, largest=True)
    return section


def _fill(section: Section, cells: Sequence[Cell], looks: Looks, *, largest: bool = False) -> None:
    for (system,), mine in grouped(cells, "system").items():
        drawn: list[Drawing] = []
        courses: list[Drawing] = []
        for (benchmark, metric), some in grouped(mine, "benchmark", "metric").items():
            scales = list(grouped(some, "nodes", "ranks_per_node").values())
            drawn.append(bars(str(benchmark), scales[-1:] if largest else _spread(scales), looks))
            if len(scales) >= SCALES_OF_COURSE:
                one_each, where = _one_for_each_count(some), f"{system} {metric}"
                courses.append(over_ranks(str(benchmark), one_each, looks, False, where))
        section.add(str(system), drawn)
        section.add(f"{system}, over ranks", courses)
    section.legend = looks.legend(cells) if section.has_panels else []


def _spread(scales: Sequence[list[Cell]]) -> list[list[Cell]]:
    """Of many scales the first, the last, and some between."""
    if len(scales) <= SCALES_SHOWN:
        return list(scales)
    step = (len(scales) - 1) / (SCALES_SHOWN - 1)
    return [scales[round(at * step)] for at in range(SCALES_SHOWN)]


def _one_for_each_count(cells: Sequence[Cell]) -> list[Cell]:
    """Of layouts with equally many ranks the one on most nodes, so that a line has one value."""
    found = {(c.key.library, c.key.profile, c.key.ranks): c for c in sorted(cells, key=_nodes)}
    return list(found.values())


def _nodes(cell: Cell) -> int:
    return cell.key.nodes


def bars(benchmark: str, scales: Sequence[Sequence[Cell]], looks: Looks) -> Bars:
    """A group of bars for each scale, from best to worst, and the table behind them."""
    groups, rows = [], []
    for cells in scales:
        ordered = sorted(cells, key=lambda c: c.cost)
        key = ordered[0].key
        where = words.layout(key.nodes, key.ranks_per_node)
        groups.append((where, [_bar(c, ordered[0], looks) for c in ordered]))
        rows += [_row(where, c, ordered[0], looks) for c in ordered]
    key = scales[0][0].key
    return Bars(
        slug(benchmark, key.metric, key.system, "bars"), benchmark, groups,
        ("Where", "Library", "Median", "Interval", "Launches", "Times the fastest"), rows,
    )  # fmt: skip


def _bar(cell: Cell, best: Cell, looks: Looks) -> Bar:
    text = words.value(cell.median, cell.key.metric)
    if cell is not best:
        text += f" ({cell.cost / best.cost:.2f} x)"
    return Bar(
        looks.label(cell), looks.of(cell), cell.median, cell.interval.low, cell.interval.high, text
    )  # fmt: skip


def _row(where: str, cell: Cell, best: Cell, looks: Looks) -> list[str]:
    metric = cell.key.metric
    return [
        where, looks.label(cell), words.value(cell.median, metric),
        f"{words.value(cell.interval.low, metric)} to {words.value(cell.interval.high, metric)}",
        str(cell.launches), f"{cell.cost / best.cost:.2f}",
    ]  # fmt: skip
