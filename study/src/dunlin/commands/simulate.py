"""`dunlin simulate`: collective operations on a machine that is not here, by a model of it."""

from collections import defaultdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn, track
from rich.table import Table
from rich.text import Text

from dunlin import (
    model,
    published,
    simulated_plot,
    simulated_study,
    simulation,
    store,
    studyfile,
    words,
)
from dunlin.commands import options
from dunlin.errors import DunlinError
from dunlin.simulation import Request, Result
from dunlin.studyfile import expand_sizes

PLOTS = (".svg", ".png", ".pdf")
ALONE = ("--machines", "--study", "--published")
Scale = tuple[str, int, int]


Algorithms = Annotated[
    str,
    typer.Option(
        help="`selected` (what a call runs where the machine is recognised), `all`, names "
        "(ring,knomial:4), or libraries: what comes nearest to what `openmpi` or `mpich` would run."
    ),
]
BuiltIn = Annotated[
    bool,
    typer.Option("--built-in", help="Without the table that is shipped for the machine (tables/)."),
]
TableFile = Annotated[Path | None, typer.Option(help="A file of rules that go before all others.")]
Plot = Annotated[
    Path | None, typer.Option(help="Draw the times to this file (.svg, .png or .pdf).")
]
StudyPath = Annotated[
    Path | None, typer.Option(help="Do a study (its file or directory) in simulation, beside it.")
]


def simulate(
    context: typer.Context,
    operation: Annotated[
        str | None, typer.Argument(help="allreduce, bcast, ...; several with commas between.")
    ] = None,
    machine: Annotated[
        str, typer.Option(help="A name that --machines lists, or a file like those.")
    ] = "hpc7g",
    nodes: Annotated[str, typer.Option(help="Nodes: 64, or 2,4,8, or 2..64.")] = "1",
    ppn: Annotated[str, typer.Option(help="Ranks per node, likewise.")] = "2",
    sizes: Annotated[str, typer.Option("--bytes", help="Bytes per rank, likewise.")] = "8..1M",
    algorithms: Algorithms = "selected",
    table: TableFile = None,
    built_in: BuiltIn = False,
    seed: Annotated[int, typer.Option(help="Latencies are drawn from it.")] = 1,
    arrivals: Annotated[
        float, typer.Option(min=0.0, help="Ranks begin within so many microseconds.")
    ] = 0.0,
    why: Annotated[
        bool, typer.Option("--why", help="Say what the time is spent on (the critical path).")
    ] = False,
    plot: Plot = None,
    list_machines: Annotated[
        bool, typer.Option("--machines", help="List the machines that have a name.")
    ] = False,
    study: StudyPath = None,
    beside_published: Annotated[
        bool, typer.Option("--published", help="Set published figures beside simulated ones.")
    ] = False,
) -> None:
    """Simulate collective operations: how long they would take, by which algorithm, and why.

    Example: dunlin simulate allreduce --machine hpc7g --nodes 64 --ppn 64 --algorithms all
    """
    console = Console(soft_wrap=True)
    if list_machines or beside_published or study is not None:
        _refuse_others(context)
        if list_machines:
            console.print(_machines())
        elif beside_published:
            _print_published(console)
        elif study is not None:
            _do_study(study, console)
        return
    if operation is None:
        raise DunlinError("say which operation: `dunlin simulate allreduce`")
    if plot is not None and plot.suffix.lower() not in PLOTS:
        raise DunlinError(f"{plot} is to end in one of {', '.join(PLOTS)}")
    wanted = ["selected", *(name for name in algorithms.split(",") if name != "selected")]
    results = results_of(
        Request(
            machine, operation.split(","), numbers("--nodes", nodes), numbers("--ppn", ppn),
            numbers("--bytes", sizes), wanted, table, seed, arrivals, why, built_in=built_in,
        )
    )  # fmt: skip
    _print(results, why, console)
    console.print(f"Simulated on the model {machine}: an estimate, not a measurement.", style="dim")
    if plot is not None:
        simulated_plot.draw(results, machine, plot)
        console.print(f"Drawn to {plot}.", highlight=False)


def _refuse_others(context: typer.Context) -> None:
    """Each of these options is a command of its own, for which nothing else is of any use."""
    given = [
        "the operation" if name == "operation" else option
        for name, option in options.given(context)
    ]
    alone = [name for name in given if name in ALONE]
    if others := [name for name in given if name != alone[0]]:
        raise DunlinError(f"{alone[0]} goes alone, without {words.listed(others)}")


def _print(results: list[Result], why: bool, console: Console) -> None:
    for scale, found in _by_scale(results).items():
        console.print(_table(scale, found))
        for line in _told(found) if why else []:
            console.print(line, highlight=False)


def numbers(option: str, text: str) -> list[int]:
    """Of an option: 64, or 2,4,8, or 2..64."""
    try:
        return expand_sizes(text.split(","))
    except ValueError as error:
        raise DunlinError(f"{option}: {error}") from None


def _machines() -> Table:
    table = Table(box=None)
    for title in ("name", "cores", "what it is"):
        table.add_column(title)
    for found in simulation.machines():
        table.add_row(found["name"], str(found["cores"]), found["description"])
    return table


def _print_published(console: Console) -> None:
    known = published.read()
    for source, title in known.sources.items():
        console.print(title, style="bold", highlight=False)
        for figure in (one for one in known.figure if one.source == source):
            console.print(f"  {figure.what} ({figure.place})", highlight=False)
            if figure.kind == "none":
                console.print(f"    not simulated: {figure.why}", highlight=False)
            for found in published.simulated(figure, results_of):
                value = published.told(figure, found.value)
                inside = "; the model has it from there" if figure.in_model else ""
                console.print(
                    f"    published {published.told(figure, figure.value)}, simulated {value} "
                    f"({found.how}): {words.digits(found.ratio)} of it{inside}",
                    highlight=False,
                )


def _do_study(path: Path, console: Console) -> None:
    study, directory = studyfile.load(path)
    wanted = simulated_study.feasible(study)
    for why, count in wanted.left_out.items():
        console.print(f"{words.plural(count, 'launch', 'launches')} left out: {why}.")
    known = {found["name"] for found in simulation.machines()}
    models = {
        system: simulated_study.model_of(study, system, known, directory)
        for system in sorted({launch.point.case.system for launch in wanted.launches})
    }
    into = simulated_study.directory_of(directory)
    raw = into / store.RAW
    raw.mkdir(parents=True, exist_ok=True)
    # What an earlier simulation has done in just this way need not be done again.
    left = [
        launch
        for launch in wanted.launches
        if not simulated_study.is_done(
            simulated_study.file_of(raw, launch),
            simulated_study.request_of(study, launch, models.__getitem__),
        )
    ]
    if any(simulated_study.file_of(raw, launch).exists() for launch in left):
        # It would keep what it has; it is made anew.
        (into / store.STORE).unlink(missing_ok=True)
    made = simulated_study.records(study, left, models.__getitem__, _results)
    for launch, (run, samples) in zip(left, track(made, "simulating", len(left)), strict=True):
        model.write(simulated_study.file_of(raw, launch), run, samples)
    store.ingest(into)
    console.print(
        f"{words.plural(len(left), 'launch', 'launches')} simulated, not measured: "
        f"`dunlin report {into}` shows what came out.",
        highlight=False,
    )


def _results(request: Request) -> list[Result]:
    return [result for result, _ in simulation.run(request) if result is not None]


def results_of(request: Request) -> list[Result]:
    """All results, with a bar that shows how far it is."""
    columns = ("simulating", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    results: list[Result] = []
    console = Console(stderr=True)
    # Where nobody watches, a bar leaves empty lines.
    watched = console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=not watched) as progress:
        task = progress.add_task("", total=None)
        for done, (result, count) in enumerate(simulation.run(request), 1):
            progress.update(task, completed=done, total=count)
            if result is not None:
                results.append(result)
    return results


def _by_scale(results: list[Result]) -> dict[Scale, list[Result]]:
    found: dict[Scale, list[Result]] = defaultdict(list)
    for result in results:
        found[result.operation, result.nodes, result.ppn].append(result)
    return dict(sorted(found.items()))


def _of_sizes(results: list[Result]) -> dict[int, dict[str, Result]]:
    """By size, then by algorithm, without what stands for another library."""
    found: dict[int, dict[str, Result]] = defaultdict(dict)
    for result in results:
        if result.library is not None:
            continue
        # The one that a call runs is there twice, if its name was asked for too.
        found[result.bytes].setdefault(result.algorithm, result)
        if result.selected:
            found[result.bytes][result.algorithm] = result
    return dict(sorted(found.items()))


def _table(scale: Scale, results: list[Result]) -> Table:
    operation, nodes, ppn = scale
    table = Table(title=f"{operation}, {words.layout(nodes, ppn)}", title_justify="left", box=None)
    table.add_column("bytes", justify="right", no_wrap=True)
    table.add_column("a call runs", no_wrap=True)
    table.add_column("time", justify="right", no_wrap=True)
    others = {result.library for result in results if result.library is not None}
    libraries = [name for name in simulation.LIBRARIES if name in others]
    theirs = {(r.bytes, r.library): r for r in results}
    for name in libraries:
        table.add_column(simulation.LIBRARIES[name], no_wrap=True)
    if libraries:
        table.caption = "in brackets: how many times as long as what a call of Dunlin runs"
        table.caption_justify = "left"
    by_name = any(len(at) > 1 for at in _of_sizes(results).values())
    if by_name or not libraries:
        table.add_column("fastest")
    for count, at in _of_sizes(results).items():
        best = min(at.values(), key=lambda result: result.completion_us)
        chosen = next(result for result in at.values() if result.selected)
        table.add_row(
            words.size(count), chosen.algorithm, words.microseconds(chosen.completion_us),
            *(_beside(theirs[count, name], chosen) for name in libraries),
            *([_faster(best, chosen) if len(at) > 1 else ""] if by_name else []),
        )  # fmt: skip
    return table


def _beside(theirs: Result, ours: Result) -> str:
    return f"{theirs.algorithm} ({words.digits(theirs.completion_us / ours.completion_us)})"


def _faster(best: Result, chosen: Result) -> Text:
    if best is chosen:
        return Text("this one", "green")
    ratio = words.times(chosen.completion_us / best.completion_us)
    took = words.microseconds(best.completion_us)
    return Text(f"{best.algorithm}, {took}: {ratio} as fast")


def _told(results: list[Result]) -> list[str]:
    chosen = sorted((r for r in results if r.selected), key=lambda result: result.bytes)
    return [
        f"{words.size(r.bytes)} by {r.algorithm}, {words.microseconds(r.completion_us)}: "
        f"{simulation.path_in_words(r)}."
        for r in chosen
    ]
