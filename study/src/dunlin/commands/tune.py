"""`dunlin tune`: a table of algorithms for a machine, by simulation; by measurement:
`tune_measured.py`."""

import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from dunlin import limits, rulefiles, tuning, tuning_gains, words
from dunlin.commands import simulate, tune_measured, tune_options
from dunlin.errors import DunlinError
from dunlin.files import write_whole
from dunlin.hosts import asked as hosts_named
from dunlin.measured_tuning import call_of
from dunlin.simulation import Request, Result
from dunlin.tuning import Cell
from dunlin.tuning_gains import Gain


def tune(
    context: typer.Context,
    out: tune_options.Out,
    machine: tune_options.Machine = None,
    operations: tune_options.Operations = limits.OPERATIONS,
    nodes: tune_options.Nodes = None,
    ppn: tune_options.Ppn = None,
    sizes: tune_options.Sizes = None,
    library: Annotated[
        str, typer.Option("--for", help="Whose rules to write: dunlin, openmpi or mpich.")
    ] = "dunlin",
    mpich: Annotated[
        Path | None, typer.Option(help="libmpi.so of MPICH, whose other choices stay.")
    ] = None,
    measure: tune_options.Measure = False,
    confirm: tune_options.Confirm = False,
    hosts: tune_options.HostNames = None,
    rsh: tune_options.Rsh = None,
    in_job: tune_options.InJob = False,
    at: tune_options.At = None,
    rounds: tune_options.RoundCount = None,
    quick: tune_options.Quick = False,
    factor: tune_options.Factor = None,
    exhaustive: tune_options.Exhaustive = False,
    passes: tune_options.Passes = tune_options.PASSES,
    resume: tune_options.Resume = False,
) -> None:
    """Find the fastest algorithm of each operation for a machine, in few rules: by simulation, or
    by measurement here.

    By simulation: dunlin tune hpc7g.toml --machine hpc7g --nodes 2..64 --ppn 16,64

    On this node: dunlin tune here.toml --measure --ppn 2,4,8

    On two hosts: dunlin tune two.toml --measure --hosts a,b --nodes 1,2 --ppn 1,16

    A table that is there: dunlin tune --confirm here.toml --ppn 2,4,8
    """
    console = Console(soft_wrap=True)
    tune_options.check(context, measure, confirm)
    if measure or confirm:
        where = hosts_named(hosts, rsh, in_job)
        grid = tune_options.grid_here(where, nodes, ppn, sizes, quick)
        effort = tune_options.effort(rounds, quick, factor, exhaustive)
        asked = tune_options.Asked(
            out, machine, tune_options.named(operations), *grid, where, at or [], *effort,
            passes, resume, tune_options.typed(context),
        )  # fmt: skip
        (tune_measured.measure if measure else tune_measured.confirm)(asked, console)
        return
    own = _own_of(library, mpich)
    told = {
        "machine": machine or tune_options.MACHINE, "nodes": nodes or tune_options.NODES,
        "ppn": ppn or tune_options.PPN, "bytes": sizes or tune_options.BYTES,
    }  # fmt: skip
    request = Request(
        told["machine"], operations.replace(" ", "").split(","),
        simulate.numbers("--nodes", told["nodes"]), simulate.numbers("--ppn", told["ppn"]),
        simulate.numbers("--bytes", told["bytes"]), ["selected", "all"], built_in=True,
    )  # fmt: skip
    for line in limits.left_out(request.operations, request.nodes, request.ppn):
        console.print(f"Not simulated: {line}.", highlight=False)
    if library != "dunlin":
        # The fastest of theirs may be far behind the fastest of ours: none is given up.
        results = _simulated(replace(request, algorithms=["all"], give_up=inf))
        console.print(_write_for(library, out, results, own), highlight=False)
        return
    if operations != limits.OPERATIONS:
        told["operations"] = operations
    _write(out, request, told, console)


def _write(out: Path, request: Request, told: dict[str, str], console: Console) -> None:
    """Dunlin's own rules."""
    results = _simulated(request)
    parameters = {r.algorithm: r.parameter for r in results if r.parameter}
    parts = [
        tuning.text(operation, costs, tuning.rules_of(costs), parameters)
        for operation, kinds in tuning.costs_of(results).items()
        for costs in kinds
    ]
    rules = "\n".join(part for part in parts if part)
    gains = _gains(results, _with_table(request, rules))
    write_whole(out, _head(request.machine, told, gains) + rules)
    console.print(tuning_gains.shown(gains, "simulated"))
    console.print(f"{words.plural(rules.count('[['), 'rule')} written to {out}. Simulated, not "
                  f"measured: `DUNLIN_COLL_TUNING={out}` tries it, `dunlin tune --confirm {out}` "
                  "measures it.", highlight=False)  # fmt: skip


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


def _gains(before: list[Result], after: list[Result]) -> list[Gain]:
    """Per operation: how much faster on average, at best and at worst."""
    built_in = {call_of(result): result for result in before if result.selected}
    ratios: dict[str, list[tuple[float, Cell]]] = defaultdict(list)
    for result in after:
        ratio = built_in[call_of(result)].completion_us / result.completion_us
        ratios[result.operation].append((ratio, (result.nodes, result.ppn, result.bytes)))
    return tuning_gains.gains_of(ratios)


def _head(machine: str, options: dict[str, str], gains: Sequence[Gain]) -> str:
    """Where the table comes from."""
    name = Path(machine).stem
    command = " ".join(f"--{option} {value}" for option, value in options.items())
    lines = [
        f"# Algorithms for {name}, from a simulation of its model: not measured.",
        f"#   dunlin tune {name}.toml {command}",
        "# How many times as fast as by the built-in rules, also simulated (nodes:ranks per node):",
        *tuning_gains.head(gains),
    ]
    return "\n".join(lines) + "\n\n"
