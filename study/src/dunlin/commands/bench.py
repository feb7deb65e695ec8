"""`dunlin bench`: libraries beside each other on this machine in two minutes, without a file."""

import math
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from dunlin import discover, plan
from dunlin.benchmarks import BENCHMARKS
from dunlin.errors import DunlinError
from dunlin.libraries import Library
from dunlin.model import Run
from dunlin.plan import Launch, Point
from dunlin.progress import Progress, half_width
from dunlin.runner import Runner
from dunlin.studyfile import FILE, Study, expand_sizes
from dunlin.telling import describe, trouble
from dunlin.words import choice, duration, plural

SYSTEM, PROFILE = "here", "none"
# As many rounds as fit into the time; this many more than any machine does.
LAUNCHES_MAX = 1000
ROUNDS_LEAST = 1
TROUBLES_SHOWN = 5
UNITS = {"time_us": "us", "bandwidth_mbps": "MB/s", "rate_per_s": "/s", "memory_kib": "KiB"}
MORE_IS_BETTER = {"bandwidth_mbps", "rate_per_s"}


def usable(wanted: str | None, at: list[Path]) -> dict[str, Library]:
    """The libraries by their names, or all that run."""
    found = {library.name: library for library in discover.find(at)}
    if wanted is None:
        working = {name: lib for name, lib in found.items() if lib.fault is None}
        if not working:
            raise DunlinError("no MPI library runs here; `dunlin libs` says why")
        return working
    chosen = {}
    for name in wanted.split(","):
        if name not in found:
            raise DunlinError(
                f"{choice('library', name, found)} (`--at DIRECTORY` looks elsewhere)"
            )
        if fault := found[name].fault:
            raise DunlinError(f"library `{name}` does not run: {fault}")
        chosen[name] = found[name]
    return chosen


def variables(settings: list[str], known: list[str]) -> dict[str, dict[str, dict[str, str]]]:
    """LIBRARY:NAME=VALUE, as the tables of a profile."""
    tables: dict[str, dict[str, dict[str, str]]] = {}
    for setting in settings:
        library, colon, rest = setting.partition(":")
        name, equals, value = rest.partition("=")
        if not (colon and equals and name) or library not in known:
            raise DunlinError(f"--set is `{setting}`; write LIBRARY:NAME=VALUE, with one of the "
                              f"libraries {', '.join(known)}")  # fmt: skip
        tables.setdefault(library, {"environment": {}})["environment"][name] = value
    return tables


def check(benchmark: str, ranks: int, sizes: str) -> list[int]:
    """Finds mistakes before libraries are looked for; returns the sizes."""
    if benchmark not in BENCHMARKS:
        raise DunlinError(choice("benchmark", benchmark, BENCHMARKS))
    if ranks < (least := BENCHMARKS[benchmark].ranks_least):
        raise DunlinError(f"-n is {ranks}; `{benchmark}` needs {least} ranks")
    try:
        return expand_sizes(sizes.split(","))
    except ValueError as error:
        raise DunlinError(f"--sizes: {error}") from None


def study_of(
    benchmark: str, ranks: int, sizes: list[int], libraries: list[str], settings: list[str],
    seconds: float,
) -> Study:  # fmt: skip
    """The same as a file would say."""
    return Study.model_validate({
        "name": "bench", "systems": {SYSTEM: {}}, "libraries": {name: {} for name in libraries},
        "profiles": {PROFILE: {"library": variables(settings, libraries)}},
        "measure": [{"benchmarks": [benchmark], "scales": [f"1:{ranks}"], "sizes": sizes}],
        "repeat": {"launches": LAUNCHES_MAX, "budget": seconds},
        "run": {"timeout": max(30.0, seconds / 2)},
    })  # fmt: skip


def keys_of(progress: Progress) -> list[tuple[int, str, str]]:
    """What there is to show: times by the shared clock where a benchmark has them."""
    keys = {key for state in progress.states.values() for key in state.medians}
    shared = {key[:2] for key in keys if key[2] == "global"}
    return sorted(key for key in keys if key[2] == "global" or key[:2] not in shared)


def _cell(values: list[float], reference: list[float], metric: str) -> Text:
    if not values:
        return Text("-", style="dim")
    median, width = statistics.median(values), half_width(values)
    text = f"{median:,.3g}" if median < 1000 else f"{median:,.0f}"
    if math.isfinite(width):
        text += f" ±{100 * width:.0f}%"
    if values is reference or not reference:
        return Text(text)
    ratio = median / statistics.median(reference)
    worse = ratio < 1 if metric in MORE_IS_BETTER else ratio > 1
    return Text.assemble(text, (f"  {ratio:.2f}x", "red" if worse else "green"))


def table_of(progress: Progress, names: list[str]) -> Table:
    """A row for each size, a column for each library; ratios are to the first one."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("Bytes", justify="right")
    for name in names:
        table.add_column(name, justify="right")
    by_name: dict[str, Point] = {point.library: point for point in progress.states}
    for size, metric, clock in keys_of(progress):
        values = [progress.states[by_name[n]].medians[(size, metric, clock)] for n in names]
        cells = [_cell(v, values[0], metric) for v in values]
        table.add_row(f"{size:,}", *cells)
    return table


class Screen:
    """The live table and what runs now."""

    def __init__(self, progress: Progress, names: list[str], title: str):
        self.progress, self.names, self.title = progress, names, title
        self.now, self.troubles = "", list[str]()

    def __rich_console__(self, *_: object) -> Iterator[Group]:
        lines = [Text(line, style="red") for line in self.troubles[-TROUBLES_SHOWN:]]
        table = table_of(self.progress, self.names)
        yield Group(Text(self.title), table, *lines, Text(self.now, style="dim"))

    def tell(self, launch: Launch, run: Run | None) -> None:
        """Before and after each launch."""
        left = (self.progress.study.repeat.budget or 0) - self.progress.spent_s
        self.now = f"{describe(launch)}, about {duration(max(0.0, left))} left"
        if run is not None and run.status != "ok":
            self.troubles.append(trouble(launch, run))


def title_of(progress: Progress, benchmark: str, ranks: int, reference: str) -> str:
    """What the figures are."""
    keys = keys_of(progress)
    unit = UNITS[keys[0][1]] if keys else ""
    how = " to completion" if keys and keys[0][1:] == ("time_us", "global") else ""
    launches = plural(
        min(state.launches for state in progress.states.values()), "launch", "launches"
    )
    ratio = f", and ratio to {reference}" if len(progress.states) > 1 else ""
    return (f"{benchmark}, {plural(ranks, 'rank')}: {unit}{how}; median of {launches}, its 95 % "
            f"interval{ratio}")  # fmt: skip


def measure(progress: Progress, runner: Runner, screen: Screen, live: Live | None) -> None:
    """Whole rounds, until the time is used up: each library has as many launches as the others."""
    for repetition in range(LAUNCHES_MAX):
        if progress.budget_spent and repetition >= ROUNDS_LEAST:
            return
        for launch in plan.round_of(progress.study, repetition):
            if not progress.given_up(launch.point):
                progress.add(*runner.do(launch, screen.tell))
                ranks = launch.point.case.ranks_per_node
                benchmark = launch.point.case.benchmark
                screen.title = title_of(progress, benchmark, ranks, screen.names[0])
                if live:
                    live.refresh()


def bench(
    benchmark: Annotated[str, typer.Argument(help="allreduce, latency, bandwidth, startup, ...")],
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="Ranks.")] = 2,
    libs: Annotated[
        str | None, typer.Option(help="Names with commas, from `dunlin libs`; all without.")
    ] = None,
    sizes: Annotated[str, typer.Option(help="Bytes: 8,1K,64K or 8..1M.")] = "8,1K,8K,64K,1M",
    seconds: Annotated[float, typer.Option(min=0.1, help="Time to spend.")] = 60.0,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="LIB:NAME=VALUE", help="A variable for a library."),
    ] = None,
    at: Annotated[list[Path] | None, typer.Option(help="Look for libraries here too.")] = None,
    keep: Annotated[
        Path | None, typer.Option(help="Keep the raw data in this new directory.")
    ] = None,
) -> None:
    """Compare libraries on this machine, in turns, with a live table."""
    expanded = check(benchmark, ranks, sizes)
    libraries = usable(libs, at or [])
    names = list(libraries)
    study = study_of(benchmark, ranks, expanded, names, setting or [], seconds)
    console = Console()
    with tempfile.TemporaryDirectory(prefix="dunlin-bench-") as directory:
        place = (keep or Path(directory)).resolve()
        if (place / FILE).exists() or (place / "raw").exists():
            raise DunlinError("it holds a study already; name a new directory", file=place)
        place.mkdir(parents=True, exist_ok=True)
        progress = Progress(study, place)
        runner = Runner(study, place)
        runner.libraries = libraries
        screen = Screen(progress, names, "")
        if console.is_terminal:
            with Live(screen, console=console, auto_refresh=False, transient=True) as live:
                measure(progress, runner, screen, live)
        else:
            measure(progress, runner, screen, None)
        console.print(Text(screen.title), table_of(progress, names), sep="\n")
        for line in screen.troubles:
            console.print(line, style="red", markup=False)
    if all(state.failures == state.launches for state in progress.states.values()):
        raise typer.Exit(1)
