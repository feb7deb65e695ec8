"""`dunlin tune`: a table of algorithms for a machine, by simulation."""

import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from dunlin import stats, tuning, words
from dunlin.commands import simulate
from dunlin.files import write_whole
from dunlin.simulation import Request, Result

OPERATIONS = "allgather,allreduce,alltoall,barrier,bcast,gather,reduce,reduce_scatter,scatter"


def tune(
    out: Annotated[Path, typer.Argument(help="The table to write, for DUNLIN_COLL_TUNING.")],
    machine: Annotated[
        str, typer.Option(help="A name that `dunlin simulate --machines` lists, or a file.")
    ] = "hpc7g",
    operations: Annotated[str, typer.Option(help="Operations with commas between.")] = OPERATIONS,
    nodes: Annotated[str, typer.Option(help="Nodes: 1,2,8, or 1..64.")] = "1..16",
    ppn: Annotated[str, typer.Option(help="Ranks per node, likewise.")] = "1,8,64",
    sizes: Annotated[str, typer.Option("--bytes", help="Bytes per rank, likewise.")] = "8..1M",
) -> None:
    """Find the fastest algorithm of each operation for a machine, by simulation, in few rules.

    Example: dunlin tune hpc7g.toml --machine hpc7g --nodes 2..64 --ppn 16,64
    """
    request = Request(
        machine, operations.split(","), simulate.numbers("--nodes", nodes),
        simulate.numbers("--ppn", ppn), simulate.numbers("--bytes", sizes), ["selected", "all"],
    )  # fmt: skip
    console = Console(soft_wrap=True)
    results = simulate.results_of(request)
    parameters = {r.algorithm: r.parameter for r in results if r.parameter}
    parts = [
        tuning.text(operation, tuning.rules_of(operation, scales), parameters)
        for operation, scales in sorted(tuning.costs_of(results).items())
    ]
    head = f"# Made by `dunlin tune` from a simulation of {machine}: not measured.\n\n"
    table = head + "\n".join(parts)
    tuned = _with_table(request, table)
    write_whole(out, table)
    console.print(_gains(results, tuned))
    rules = table.count("[[")
    console.print(f"{words.plural(rules, 'rule')} written to {out}. Simulated, not measured: "
                  f"`DUNLIN_COLL_TUNING={out}` tries it.", highlight=False)  # fmt: skip


def _with_table(request: Request, table: str) -> list[Result]:
    """What calls would run and take with it."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(table)
        file.flush()
        again = Request(
            request.machine, request.operations, request.nodes, request.ppn, request.sizes,
            ["selected"], Path(file.name),
        )  # fmt: skip
        return simulate.results_of(again)


def _key(result: Result) -> tuple[str, int, int, int]:
    return result.operation, result.nodes, result.ppn, result.bytes


def _gains(before: list[Result], after: list[Result]) -> Table:
    """Per operation: how much faster on average, at best and at worst."""
    built_in = {_key(result): result for result in before if result.selected}
    ratios: dict[str, list[tuple[float, Result]]] = defaultdict(list)
    for result in after:
        ratio = built_in[_key(result)].completion_us / result.completion_us
        ratios[result.operation].append((ratio, result))
    table = Table(box=None)
    for title in ("operation", "mean", "most", "where", "least", "where"):
        table.add_column(title, no_wrap=True)
    for operation, found in sorted(ratios.items()):
        most, least = (pick(found, key=lambda pair: pair[0]) for pick in (max, min))
        table.add_row(
            operation, words.times(stats.geometric_mean([ratio for ratio, _ in found])),
            words.times(most[0]), _where(most[1]), words.times(least[0]), _where(least[1]),
        )  # fmt: skip
    table.caption = "how many times as fast as by the built-in rules"
    return table


def _where(result: Result) -> str:
    return f"{result.nodes}:{result.ppn}, {words.size(result.bytes)}"
