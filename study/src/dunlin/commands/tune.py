"""`dunlin tune`: a table of algorithms for a machine, by simulation."""

import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from dunlin import limits, rulefiles, stats, tuning, words
from dunlin.commands import simulate
from dunlin.errors import DunlinError
from dunlin.files import write_whole
from dunlin.simulation import Request, Result


def tune(
    out: Annotated[Path, typer.Argument(help="The file to write, for DUNLIN_COLL_TUNING.")],
    machine: Annotated[
        str, typer.Option(help="A name that `dunlin simulate --machines` lists, or a file.")
    ] = "hpc7g",
    operations: Annotated[
        str, typer.Option(help="Operations with commas between.")
    ] = limits.OPERATIONS,
    nodes: Annotated[str, typer.Option(help="Nodes: 1,2,8, or 1..64.")] = "1..16",
    ppn: Annotated[str, typer.Option(help="Ranks per node, likewise.")] = "1,8,64",
    sizes: Annotated[str, typer.Option("--bytes", help="Bytes per rank, likewise.")] = "8..1M",
    library: Annotated[
        str, typer.Option("--for", help="Whose rules to write: dunlin, openmpi or mpich.")
    ] = "dunlin",
    mpich: Annotated[
        Path | None, typer.Option(help="libmpi.so of MPICH, whose other choices stay.")
    ] = None,
) -> None:
    """Find the fastest algorithm of each operation for a machine, by simulation, in few rules.

    Example: dunlin tune hpc7g.toml --machine hpc7g --nodes 2..64 --ppn 16,64
    """
    own = _own_of(library, mpich)
    request = Request(
        machine, operations.split(","), simulate.numbers("--nodes", nodes),
        simulate.numbers("--ppn", ppn), simulate.numbers("--bytes", sizes), ["selected", "all"],
        built_in=True,
    )  # fmt: skip
    console = Console(soft_wrap=True)
    for told in limits.left_out(request.operations, request.nodes, request.ppn):
        console.print(f"Not simulated: {told}.", highlight=False)
    if library != "dunlin":
        # The fastest of theirs may be far behind the fastest of ours: none is given up.
        results = _simulated(replace(request, algorithms=["all"], give_up=inf))
        console.print(_write_for(library, out, results, own), highlight=False)
        return
    results = _simulated(request)
    parameters = {r.algorithm: r.parameter for r in results if r.parameter}
    parts = [
        tuning.text(operation, tuning.rules_of(costs), parameters)
        for operation, kinds in tuning.costs_of(results).items()
        for costs in kinds
    ]
    rules = "\n".join(part for part in parts if part)
    gains = _gains(results, _with_table(request, rules))
    options = {"machine": machine, "nodes": nodes, "ppn": ppn, "bytes": sizes}
    if operations != limits.OPERATIONS:
        options["operations"] = operations
    write_whole(out, _head(machine, options, gains) + rules)
    console.print(_shown(gains))
    console.print(f"{words.plural(rules.count('[['), 'rule')} written to {out}. Simulated, not "
                  f"measured: `DUNLIN_COLL_TUNING={out}` tries it.", highlight=False)  # fmt: skip


def _own_of(library: str, mpich: Path | None) -> rulefiles.Tree:
    """What MPICH chooses by itself, for its file; for others nothing."""
    if library not in ("dunlin", "openmpi", "mpich"):
        raise DunlinError(f"--for: `{library}` is none of dunlin, openmpi and mpich")
    if library != "mpich":
        if mpich is not None:
            raise DunlinError(f"--mpich is for --for mpich, and the rules are for {library}")
        return {}
    if mpich is None:
        raise DunlinError(
            "a file of rules replaces all that MPICH chooses by itself; name its library, "
            "which says that: --mpich /usr/lib/libmpi.so"
        )
    return rulefiles.mpich_own(mpich)


def _write_for(library: str, out: Path, results: list[Result], own: rulefiles.Tree) -> str:
    """Writes the rules of another library; what to tell of them."""
    choices, left_out = rulefiles.choices_of(library, results)
    if library == "openmpi":
        write_whole(out, rulefiles.openmpi(choices))
        # In Open MPI 5, coll/han goes before coll/tuned, whose rules these are.
        use = (
            f"`--mca coll_han_priority 0 --mca coll_tuned_use_dynamic_rules 1 --mca "
            f"coll_tuned_dynamic_rules_filename {out}` tries it with Open MPI 4.1 or 5.0."
        )
    else:
        write_whole(out, rulefiles.mpich(choices, own))
        # It asks its device first.
        use = (
            f"`MPIR_CVAR_DEVICE_COLLECTIVES=none MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={out}"
            f"` tries it with this MPICH."
        )
    without = f" It has too few of the algorithms of {words.listed(left_out)}." if left_out else ""
    return (f"Rules of {words.listed(list(choices))} written to {out}.{without} They are simulated "
            f"with Dunlin's own algorithms and messages, not measured: {use}")  # fmt: skip


@dataclass(frozen=True)
class Gain:
    """Of an operation: how many times as fast as by the built-in rules."""

    operation: str
    mean: float
    most: tuple[float, Result]
    least: tuple[float, Result]

    def cells(self) -> list[str]:
        """For people."""
        ends = [
            cell
            for ratio, at in (self.most, self.least)
            for cell in (words.times(ratio), f"{at.nodes}:{at.ppn}, {words.size(at.bytes)}")
        ]
        return [self.operation, words.times(self.mean), *ends]


def _simulated(request: Request) -> list[Result]:
    """Each operation on no more ranks than its limit."""
    results = []
    for ranks_max, names in limits.by_limit(request.operations):
        results += simulate.results_of(replace(request, operations=names, ranks_max=ranks_max))
    return results


def _with_table(request: Request, table: str) -> list[Result]:
    """What calls would run and take with it."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(table)
        file.flush()
        return _simulated(replace(request, algorithms=["selected"], table=Path(file.name)))


def _key(result: Result) -> tuple[str, int, int, int]:
    return result.operation, result.nodes, result.ppn, result.bytes


def _gains(before: list[Result], after: list[Result]) -> list[Gain]:
    """Per operation: how much faster on average, at best and at worst."""
    built_in = {_key(result): result for result in before if result.selected}
    ratios: dict[str, list[tuple[float, Result]]] = defaultdict(list)
    for result in after:
        ratio = built_in[_key(result)].completion_us / result.completion_us
        ratios[result.operation].append((ratio, result))
    gains = []
    for operation, found in sorted(ratios.items()):
        # Of several that gain alike, always the same is told.
        found.sort(key=lambda pair: _key(pair[1]))
        most, least = (pick(found, key=lambda pair: pair[0]) for pick in (max, min))
        mean = stats.geometric_mean([ratio for ratio, _ in found])
        gains.append(Gain(operation, mean, most, least))
    return gains


def _head(machine: str, options: dict[str, str], gains: Sequence[Gain]) -> str:
    """Where the table comes from."""
    name = Path(machine).stem
    command = " ".join(f"--{option} {value}" for option, value in options.items())
    lines = [
        f"# Algorithms for {name}, from a simulation of its model: not measured.",
        f"#   dunlin tune {name}.toml {command}",
        "# How many times as fast as by the built-in rules, also simulated (nodes:ranks per node):",
    ]
    for gain in gains:
        operation, mean, most, most_at, least, least_at = gain.cells()
        lines.append(f"#   {operation}: mean {mean}, most {most} ({most_at}), "
                     f"least {least} ({least_at})")  # fmt: skip
    return "\n".join(lines) + "\n\n"


def _shown(gains: Sequence[Gain]) -> Table:
    table = Table(box=None)
    for title in ("operation", "mean", "most", "where", "least", "where"):
        table.add_column(title, no_wrap=True)
    for gain in gains:
        table.add_row(*gain.cells())
    table.caption = "how many times as fast as by the built-in rules"
    return table
