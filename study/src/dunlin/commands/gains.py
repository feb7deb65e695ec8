"""`dunlin gains`: what tuning would gain on machines that are not here."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from dunlin import gains, limits, simulation, tuning, words
from dunlin.commands import simulate
from dunlin.gains import Gain

MACHINES = "hpc7g,c6gn,hpc6a,hbv3,hbv4"
MOST_SHOWN = 3
TITLES = {gains.BUILT_IN: "built-in rules", **simulation.LIBRARIES}


def gains_(
    machines: Annotated[
        str, typer.Option(help="Names that `dunlin simulate --machines` lists, or files.")
    ] = MACHINES,
    operations: Annotated[
        str, typer.Option(help="Operations with commas between.")
    ] = limits.OPERATIONS,
    nodes: Annotated[str, typer.Option(help="Nodes: 2,8, or 2..64.")] = "2,8,32,64",
    ppn: Annotated[
        str,
        typer.Option(
            help="Ranks per node, likewise; at most as many as a node of a named machine has cores."
        ),
    ] = "1,8,32,126",
    sizes: Annotated[str, typer.Option("--bytes", help="Bytes per rank, likewise.")] = (
        "8,1K,32K,1M"
    ),
) -> None:
    """Say what a table by `dunlin tune` would gain over the built-in rules, and over what Open MPI
    5 and MPICH 5 would run.

    Example: dunlin gains --machines hpc7g,hbv3 --operations allreduce,bcast
    """
    console = Console(soft_wrap=True)
    cores = {found["name"]: found["cores"] for found in simulation.machines()}
    for machine in machines.split(","):
        counts = simulate.numbers("--ppn", ppn)
        if machine in cores:
            counts = sorted({min(count, cores[machine]) for count in counts})
        names, at = operations.split(","), simulate.numbers("--nodes", nodes)
        for told in limits.left_out(names, at, counts):
            console.print(f"{machine}: not simulated: {told}.", highlight=False)
        asked = gains.requests(machine, names, at, counts, simulate.numbers("--bytes", sizes))
        results = [result for request in asked for result in simulate.results_of(request)]
        found = gains.gains_of(results)
        console.print(_table(machine, found))
        console.print(f"Most over the built-in rules: {_most(found)}.\n", highlight=False)
    console.print(
        "How many times as long as by the tuned table: geometric mean (least, most). Simulated: an "
        "estimate, not a measurement.",
        style="dim",
    )


def _table(machine: str, found: list[Gain]) -> Table:
    table = Table(title=machine, title_justify="left", box=None)
    for title in ("operation", "calls", *TITLES.values()):
        table.add_column(title, no_wrap=True)
    for operation in sorted({gain.operation for gain in found}):
        own = [gain for gain in found if gain.operation == operation]
        table.add_row(operation, str(len(own)), *(_cell(own, other) for other in gains.OTHERS))
    table.add_row("all", str(len(found)), *(_cell(found, other) for other in gains.OTHERS))
    return table


def _cell(found: list[Gain], other: str) -> str:
    told = gains.summary(found, other)
    return f"{told.mean:.2f} ({told.least:.2f}, {told.most:.3g})"


def _most(found: list[Gain]) -> str:
    gaining = [gain for gain in found if gain.algorithm != tuning.BUILT_IN]
    by_operation = [
        gains.summary(
            [gain for gain in gaining if gain.operation == operation], gains.BUILT_IN
        ).most_at
        for operation in sorted({gain.operation for gain in gaining})
    ]
    first = sorted(by_operation, key=lambda gain: -gain.ratios[gains.BUILT_IN])[:MOST_SHOWN]
    return words.listed(list(map(_call, first)))


def _call(gain: Gain) -> str:
    nodes, ppn = gain.scale
    size = "" if gain.operation in tuning.WITHOUT_SIZE else f" {words.size(gain.bytes)}"
    return f"{gain.operation} {nodes}:{ppn}{size} by `{gain.algorithm}`"
