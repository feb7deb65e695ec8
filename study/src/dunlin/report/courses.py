"""The sections that show courses: between two ranks, collectives over size and over scale, and the
same operation on several systems."""

from collections.abc import Sequence

from dunlin import words
from dunlin.kinds import POINT_TO_POINT
from dunlin.report.sections import (
    PLAIN,
    Drawing,
    Looks,
    Section,
    SizeLooks,
    SystemLooks,
    grouped,
    named,
    over_ranks,
    over_size,
    representative,
    title_of,
    with_size,
)
from dunlin.summary import Cell, Study

# Layouts whose curves over size are drawn; with more of them, those between are left out.
LAYOUTS_SHOWN = 4
# Lines of different sizes that can still be told apart, and the counts of ranks that make a course.
SIZES_TOGETHER = 6
COUNTS_LEAST = 3


def point_to_point(study: Study, looks: Looks) -> Section:
    """Latency, bandwidth and rate over size."""
    cells = study.of_kind("point-to-point")
    section = Section(
        "point-to-point", "Between two ranks", "Two ranks",
        "Latency is half of a round trip. Lines are medians over launches, bands their intervals.",
        looks.legend(cells),
    )  # fmt: skip
    for (system, nodes, rpn), mine in grouped(cells, "system", "nodes", "ranks_per_node").items():
        kinds = grouped(mine, "benchmark", "metric")
        ordered = sorted(kinds.items(), key=lambda kind: POINT_TO_POINT.index(str(kind[0][0])))
        panels: list[Drawing] = [
            over_size(title_of(str(kind[0])), some, looks) for kind, some in ordered
        ]
        section.add(f"{system}, {words.layout(int(str(nodes)), int(str(rpn)))}", panels)
    return section


def _spread(layouts: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of layouts in order the first, the last, and as many between as are shown."""
    if len(layouts) <= LAYOUTS_SHOWN:
        return list(layouts)
    step = (len(layouts) - 1) / (LAYOUTS_SHOWN - 1)
    return [layouts[round(at * step)] for at in range(LAYOUTS_SHOWN)]


def _layouts(cells: Sequence[Cell]) -> list[tuple[int, int]]:
    """The fullest layout of each number of nodes; on one number of nodes also less full ones."""
    every = sorted({(c.key.nodes, c.key.ranks_per_node) for c in cells})
    fullest = sorted({nodes: (nodes, rpn) for nodes, rpn in every}.values())
    return _spread(fullest if len(fullest) > 1 else every)


def collectives(study: Study, looks: Looks) -> Section:
    """Every collective over size, at several layouts of each system, the largest first."""
    cells = [c for c in study.of_kind("collective") if c.key.bytes > 0]
    section = Section(
        "collectives", "Collectives over size", "Collectives",
        "Time until the last rank is done, where the programs share a clock. The size is what one "
        "rank contributes. The largest layout of each system comes first.",
        looks.legend(cells),
    )  # fmt: skip
    for (system,), mine in grouped(cells, "system").items():
        for at, (nodes, rpn) in enumerate(reversed(_layouts(mine))):
            here = [c for c in mine if (c.key.nodes, c.key.ranks_per_node) == (nodes, rpn)]
            panels: list[Drawing] = [
                over_size(str(name), some, looks)
                for (name,), some in grouped(here, "benchmark").items()
            ]
            section.add(f"{system}, {words.layout(nodes, rpn)}", panels, folded=at > 0)
    return section


def scaling(study: Study, looks: Looks, per_node: bool) -> Section:
    """Collectives over ranks per node, or over all ranks with more and more nodes."""
    cells = study.of_kind("collective")
    section = Section(
        "ranks-per-node" if per_node else "scale",
        "Scaling over ranks per node" if per_node else "Scaling over nodes",
        "Ranks per node" if per_node else "Nodes",
        "The same nodes, fuller and fuller." if per_node
        else "The same ranks per node on more and more nodes.",
        looks.legend(cells),
    )  # fmt: skip
    fixed = "nodes" if per_node else "ranks_per_node"
    for (system, count), mine in grouped(cells, "system", fixed).items():
        if len(_along(mine, per_node)) < 2:
            continue
        panels: list[Drawing] = []
        for (name,), some in grouped(mine, "benchmark").items():
            for size in representative(c.key.bytes for c in some):
                at = [c for c in some if c.key.bytes == size]
                panels.append(over_ranks(with_size(str(name), size), at, looks, per_node))
        what = words.plural(int(str(count)), "node" if per_node else "rank")
        section.add(f"{system}, {what}{'' if per_node else ' per node'}", panels)
    return section


def sizes(study: Study) -> Section:
    """Of a study with few sizes, all of them in one panel over ranks per node, of each library as
    it comes."""
    every = [c for c in study.of_kind("collective") if c.key.bytes > 0]
    cells = [c for c in every if c.key.profile == PLAIN]
    looks = SizeLooks(study, [c.key.bytes for c in cells])
    section = Section(
        "sizes", "Sizes beside each other", "Sizes",
        "One library as it comes, without a profile; a line is a size.", looks.legend(cells),
    )  # fmt: skip
    if not 2 <= len(looks.sizes) <= SIZES_TOGETHER:
        return section
    for (system, library, nodes), mine in grouped(cells, "system", "library", "nodes").items():
        if len(_along(mine, per_node=True)) < COUNTS_LEAST:
            continue
        panels: list[Drawing] = [
            over_ranks(str(name), some, looks, True, f"sizes {library} {system}")
            for (name,), some in grouped(mine, "benchmark").items()
        ]
        heading = f"{library} on {system}, {words.plural(int(str(nodes)), 'node')}"
        section.add(heading, panels, folded=not section.empty)
    return section


def _along(cells: Sequence[Cell], per_node: bool) -> set[int]:
    return {c.key.ranks_per_node if per_node else c.key.nodes for c in cells}


def systems(study: Study) -> Section:
    """One library with one profile on several systems, over what was varied there."""
    looks = SystemLooks(study)
    cells = study.of_kind("collective", "point-to-point")
    section = Section(
        "systems", "Systems beside each other", "Systems",
        "The same library with the same profile; a line is a system. Each operation at its longest "
        "size that all of them have.",
        looks.legend(cells),
    )  # fmt: skip
    series = grouped(cells, "library", "profile").items()
    for (library, profile), mine in sorted(series, key=lambda one: one[0][1] != PLAIN):
        panels: list[Drawing] = []
        for (name, metric), some in grouped(mine, "benchmark", "metric").items():
            panel = _beside(f"systems {library} {profile} {metric}", str(name), some, looks)
            if panel is not None:
                panels.append(panel)
        section.add(named(str(library), str(profile)), panels, folded=not section.empty)
    return section


def _beside(prefix: str, name: str, cells: list[Cell], looks: SystemLooks) -> Drawing | None:
    """Over ranks per node where two systems have two counts of them on as many nodes; else over
    nodes; else over size in a layout that both have."""
    for per_node in (True, False):
        fixed = "nodes" if per_node else "ranks_per_node"
        for (count,), mine in reversed(grouped(cells, fixed).items()):
            shared = _shared(mine, "bytes")
            at = [c for c in mine if shared and c.key.bytes == max(shared)]
            courses = grouped(at, "system").values()
            if sum(len(_along(course, per_node)) > 1 for course in courses) > 1:
                where = words.plural(int(str(count)), "node" if per_node else "rank")
                title = f"{with_size(name, at[0].key.bytes)}; {where}"
                return over_ranks(
                    title if per_node else f"{title} per node", at, looks, per_node, prefix
                )
    layouts = [
        mine for mine in grouped(cells, "nodes", "ranks_per_node").values()
        if len(_shared(mine, "bytes")) > 1
    ]  # fmt: skip
    if not layouts:
        return None
    at = max(layouts, key=lambda mine: mine[0].key.ranks)
    key = at[0].key
    return over_size(f"{name}; {words.layout(key.nodes, key.ranks_per_node)}", at, looks)


def _shared(cells: Sequence[Cell], part: str) -> set[int]:
    """The values that more than one system has."""
    systems: dict[int, set[str]] = {}
    for cell in cells:
        systems.setdefault(getattr(cell.key, part), set()).add(cell.key.system)
    return {value for value, names in systems.items() if len(names) > 1}
