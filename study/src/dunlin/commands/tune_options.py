"""The options of `dunlin tune`, and what they ask for."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Annotated

import typer

from dunlin import limits, measured_tuning, words
from dunlin.benchmarks import COLLECTIVES
from dunlin.commands import options, simulate
from dunlin.errors import DunlinError
from dunlin.hosts import Hosts
from dunlin.measured_tuning import Call

ROUNDS, ROUNDS_QUICK, ROUNDS_MIN = 9, 5, 3
BUDGET_MS, BUDGET_MS_QUICK = 20, 10
SIZES, SIZES_QUICK = "8,1K,16K,128K,1M", "8,4K,128K"
PASSES = 3
MEASURED = "By measurement"
MACHINE, NODES, PPN, BYTES = "hpc7g", "1..16", "1,8,64", "8..1M"  # by simulation

FOR_SIMULATION = ("--for", "--mpich")
TO_CHOOSE = ("--machine", "--factor", "--exhaustive", "--passes")
TO_MEASURE = (
    "--hosts", "--rsh", "--in-job", "--at", "--rounds", "--quick", "--factor", "--exhaustive",
    "--passes", "--resume",
)  # fmt: skip

Out = Annotated[
    Path,
    typer.Argument(help="The file to write, for DUNLIN_COLL_TUNING; with --confirm, to measure."),
]
Machine = Annotated[
    str | None,
    typer.Option(
        help="A name that `dunlin simulate --machines` lists, or a file. Default: hpc7g; with "
        "--measure this machine's, measured first if none is known."
    ),
]
Operations = Annotated[str, typer.Option(help="Operations with commas between.")]
Nodes = Annotated[
    str | None,
    typer.Option(
        help="Nodes: 1,2,8, or 1..64. Default: 1..16; measured 1 and all of --hosts or the job."
    ),
]
Ppn = Annotated[
    str | None,
    typer.Option(
        help="Ranks per node, likewise. Default: 1,8,64; measured 2 and the (first) host's cores."
    ),
]
Sizes = Annotated[
    str | None,
    typer.Option(
        "--bytes",
        help=f"Bytes per rank, likewise. Default: 8..1M; measured {SIZES}.",
    ),
]
Measure = Annotated[
    bool,
    typer.Option(
        "--measure", help="Measure here: simulation keeps the few candidates, measurement decides.",
        rich_help_panel=MEASURED,
    ),
]  # fmt: skip
Confirm = Annotated[
    bool,
    typer.Option(
        "--confirm", help="Only measure a table that is there beside the built-in rules.",
        rich_help_panel=MEASURED,
    ),
]  # fmt: skip
HostNames = Annotated[
    str | None, typer.Option("--hosts", help="Hosts, as in a,b.", rich_help_panel=MEASURED)
]
Rsh = Annotated[
    str | None,
    typer.Option(
        help="How commands reach the hosts (default: as mpirun does it).", rich_help_panel=MEASURED
    ),
]
InJob = Annotated[
    bool,
    typer.Option(
        "--in-job", help="On the hosts of this job (Slurm, PBS).", rich_help_panel=MEASURED
    ),
]
At = Annotated[
    list[Path] | None,
    typer.Option(help="Where to look for Dunlin first.", rich_help_panel=MEASURED),
]
RoundCount = Annotated[
    int | None,
    typer.Option(
        min=ROUNDS_MIN, rich_help_panel=MEASURED,
        help=f"How often each algorithm has its turn (default: {ROUNDS}; with "
        f"--quick {ROUNDS_QUICK}).",
    ),
]  # fmt: skip
Quick = Annotated[
    bool,
    typer.Option(
        "--quick", help="Fewer rounds, sizes and candidates.", rich_help_panel=MEASURED
    ),
]  # fmt: skip
Factor = Annotated[
    float | None,
    typer.Option(
        min=1.0, rich_help_panel=MEASURED,
        help="Measure what takes by simulation at most so many times as long as the fastest "
        f"(default: {measured_tuning.FACTOR:g}; with --quick {measured_tuning.FACTOR_QUICK:g}).",
    ),
]  # fmt: skip
Exhaustive = Annotated[
    bool,
    typer.Option(
        "--exhaustive", help="Measure every algorithm that fits.", rich_help_panel=MEASURED
    ),
]
Passes = Annotated[
    int,
    typer.Option(
        min=0, rich_help_panel=MEASURED,
        help="How often the table is confirmed at most, each time without what was slower.",
    ),
]  # fmt: skip
Resume = Annotated[
    bool,
    typer.Option(
        "--resume", help="Go on where an interrupted command of these options ended.",
        rich_help_panel=MEASURED,
    ),
]  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """What is to be measured."""

    out: Path
    machine: str | None
    operations: Sequence[str]
    nodes: Sequence[int]  # none: by the job
    ppn: Sequence[int]  # none: by the cores
    sizes: Sequence[int]
    hosts: Hosts
    at: Sequence[Path]
    rounds: int
    budget_ms: int
    factor: float
    passes: int
    resume: bool
    command: str  # as it was typed, for the table's head

    @property
    def calls(self) -> list[Call]:
        """All of the grid. A rank alone calls nobody, and a barrier has no size."""
        return [
            (operation, nodes, ppn, size)
            for operation in self.operations
            for nodes in self.nodes
            for ppn in self.ppn
            if 1 < nodes * ppn <= limits.ranks_max(operation)
            for size in ([0] if operation == "barrier" else self.sizes)
        ]

    def beside(self, suffix: str) -> Path:
        """A file of the table's."""
        return self.out.with_suffix(suffix)

    def with_nodes(self, there: int) -> "Asked":
        """Where no nodes were asked for: 1 and all."""
        return self if self.nodes else replace(self, nodes=sorted({1, there}))

    def with_cores(self, cores: int) -> "Asked":
        """Where no ranks per node were asked for: 2 and one for each core."""
        return self if self.ppn else replace(self, ppn=sorted({2, max(2, cores)}))


def check(context: typer.Context, measure: bool, confirm: bool) -> None:
    """Refuses what would be ignored."""
    if measure and confirm:
        raise DunlinError("--measure confirms its table by itself; leave --confirm out")
    wrong: Sequence[str] = TO_MEASURE
    why = "only with --measure or --confirm"
    if confirm:
        wrong, why = (*FOR_SIMULATION, *TO_CHOOSE), "not with --confirm, which chooses nothing"
    elif measure:
        wrong, why = FOR_SIMULATION, "not with --measure, which measures Dunlin"
    if names := [option for _, option in options.given(context) if option in wrong]:
        raise DunlinError(f"{words.listed(names)}: {why}")
    if measure or confirm:
        _check_place(context.params["out"], measure)


def _check_place(out: Path, measure: bool) -> None:
    """A table must be a file that can be there, before anything is measured."""
    if out.is_dir():
        raise DunlinError(f"{out} is a directory; name a file, as in {out / 'here.toml'}")
    if measure and not out.parent.is_dir():
        raise DunlinError(f"there is no directory {out.parent} for {out.name}; make it first")


def grid_here(
    hosts: Hosts, nodes: str | None, ppn: str | None, sizes: str | None, quick: bool
) -> tuple[list[int], list[int], list[int]]:
    """What is measured if it is not said; ranks per node (none here) by the cores there, and nodes
    (none here) by the job."""
    there = [] if hosts.in_job else sorted({1, len(hosts.names) or 1})
    return (
        simulate.numbers("--nodes", nodes) if nodes else there,
        simulate.numbers("--ppn", ppn) if ppn else [],
        simulate.numbers("--bytes", sizes or (SIZES_QUICK if quick else SIZES)),
    )  # fmt: skip


def named(operations: str) -> list[str]:
    """Of --operations, all of which are known."""
    names = [name.strip() for name in operations.split(",")]
    for name in names:
        if name not in COLLECTIVES:
            raise DunlinError(f"--operations: {words.choice('operation', name, COLLECTIVES)}")
    return names


def effort(
    rounds: int | None, quick: bool, factor: float | None, exhaustive: bool
) -> tuple[int, int, float]:
    """How many rounds, milliseconds for each size, and which algorithms."""
    if exhaustive and factor is not None:
        raise DunlinError("--exhaustive measures all, and --factor some; give one of them")
    usual = measured_tuning.FACTOR_QUICK if quick else measured_tuning.FACTOR
    return (
        rounds or (ROUNDS_QUICK if quick else ROUNDS), BUDGET_MS_QUICK if quick else BUDGET_MS,
        inf if exhaustive else factor or usual,
    )  # fmt: skip


def typed(context: typer.Context) -> str:
    """The options as they were given, for the head of a table: NAME.toml --measure --nodes 1,2."""
    told = [str(context.params["out"].name)]
    for name, option in options.given(context):
        if name != "out" and option not in ("--resume", "--at"):
            value = context.params[name]
            told += [option] if value is True else [option, str(value)]
    return shlex.join(told)
