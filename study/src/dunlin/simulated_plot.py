"""Plots of simulated times: over sizes, or of one size over ranks per node."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dunlin import stats, words
from dunlin.simulation import LIBRARIES, Result

SHOWN_MAX = 6
CHOSEN = "what a call runs"


@dataclass(frozen=True)
class Panel:
    """One plot: what varies along it, and the results of one operation."""

    title: str
    label: str
    results: list[Result]
    by_ppn: bool

    def at(self, result: Result) -> int:
        """Its place along the plot."""
        return result.ppn if self.by_ppn else result.bytes


def panels(results: Iterable[Result]) -> list[Panel]:
    """For each operation and layout a plot over sizes; where there is one size and several counts
    of ranks per node, for each number of nodes a plot over these."""
    found = list(results)
    sizes, counts = ({r.bytes for r in found}, {r.ppn for r in found})
    by_ppn = len(sizes) == 1 and len(counts) > 1
    groups: dict[tuple[str, int, int], list[Result]] = defaultdict(list)
    for result in found:
        groups[result.operation, result.nodes, 0 if by_ppn else result.ppn].append(result)
    made = []
    for (operation, nodes, ppn), own in sorted(groups.items()):
        where = words.plural(nodes, "node") if by_ppn else words.layout(nodes, ppn)
        size = f" of {words.size(own[0].bytes)}" if by_ppn else ""
        label = "ranks per node" if by_ppn else "bytes per rank"
        made.append(Panel(f"{operation}{size}, {where}", label, own, by_ppn))
    return made


def lines_of(panel: Panel) -> dict[str, list[tuple[int, float]]]:
    """The algorithms that were asked for by name, and their times: those that are chosen somewhere,
    then the fastest."""
    by_place: dict[int, dict[str, float]] = defaultdict(dict)
    for result in panel.results:
        if result.library is None:
            by_place[panel.at(result)][result.algorithm] = result.completion_us
    logs: dict[str, list[float]] = defaultdict(list)
    for times in by_place.values():
        for name, us in times.items():
            logs[name].append(us / min(times.values()))
    chosen = {r.algorithm for r in panel.results if r.selected}
    ordered = sorted(logs, key=lambda name: (name not in chosen, stats.geometric_mean(logs[name])))
    return {
        name: sorted((at, times[name]) for at, times in by_place.items() if name in times)
        for name in ordered[: max(SHOWN_MAX, len(chosen))]
    }


def choices_of(panel: Panel) -> Mapping[str, list[tuple[int, float]]]:
    """What a call runs, and what libraries would."""
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for result in panel.results:
        if result.selected or result.library:
            name = f"what {LIBRARIES[result.library]} would run" if result.library else CHOSEN
            found[name].append((panel.at(result), result.completion_us))
    return {name: sorted(points) for name, points in found.items()}


def draw(results: Iterable[Result], machine: str, file: Path) -> None:
    """Writes all plots to one file."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from dunlin.report.plots import PNG_DPI

    made = panels(results)
    columns = min(3, len(made))
    rows = -(-len(made) // columns)
    figure = Figure(figsize=(4.4 * columns, 3.2 * rows + 0.4), layout="constrained")
    figure.set_facecolor("white")
    for number, panel in enumerate(made, 1):
        _draw_panel(figure.add_subplot(rows, columns, number), panel)
    figure.suptitle(f"Simulated on the model {machine}", fontsize=10)
    # The same results give the same file.
    with rc_context({"svg.hashsalt": "dunlin"}):
        metadata = {"Date": None} if file.suffix == ".svg" else None
        figure.savefig(file, dpi=PNG_DPI, metadata=metadata)


def _draw_panel(axes: Any, panel: Panel) -> None:
    from dunlin.report import theme

    for index, (name, points) in enumerate(lines_of(panel).items()):
        look = theme.look(index, 0)
        axes.plot(*zip(*points, strict=True), color=look.colour, marker=look.marker, ms=3, lw=1,
                  label=name)  # fmt: skip
    dashes = {f"what {name} would run": dash
              for name, dash in zip(LIBRARIES.values(), ("--", ":"), strict=True)}  # fmt: skip
    for name, points in choices_of(panel).items():
        wide = name == CHOSEN
        axes.plot(*zip(*points, strict=True), color=theme.SOFT, lw=5 if wide else 1.5,
                  alpha=0.25 if wide else 1, ls=dashes.get(name, "-"), label=name)  # fmt: skip
    if panel.by_ppn:
        axes.set_ylim(bottom=0)
    else:
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
    axes.set_xlabel(panel.label)
    axes.set_ylabel("µs")
    axes.set_title(panel.title, loc="left", fontsize=9)
    axes.legend(fontsize=6)
