"""`dunlin calibrate`: a model of this machine for `dunlin simulate`."""

import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from dunlin import discover, measured_machine
from dunlin.errors import DunlinError
from dunlin.files import write_whole
from dunlin.libraries import DUNLIN, Library


def calibrate(
    out: Annotated[Path, typer.Argument(help="The file to write, as in mine.toml.")],
    at: Annotated[list[Path] | None, typer.Option(help="Where to look for Dunlin first.")] = None,
    hosts: Annotated[
        str | None,
        typer.Option(help="Two hosts, as in a,b: measure the network between them, too."),
    ] = None,
    rsh: Annotated[
        str | None, typer.Option(help="How commands reach the hosts (default: as mpirun does it).")
    ] = None,
    in_job: Annotated[
        bool,
        typer.Option("--in-job", help="Measure between two hosts of this job (Slurm, PBS)."),
    ] = False,
    rounds: Annotated[int, typer.Option(min=1, help="How often to measure.")] = 3,
) -> None:
    """Measure this node, and the network between two, in a minute; write a model of them.

    Single cores and pairs of ranks are measured: collective operations can be held against what the
    model says of them.

    Example: dunlin calibrate mine.toml --hosts node1,node2 (or, within a job of two nodes,
    --in-job), then dunlin simulate allreduce --machine ./mine.toml --nodes 2 --ppn 2
    """
    library = next((lib for lib in discover.find(at or []) if lib.vendor == DUNLIN), None)
    if library is None:
        raise DunlinError("Dunlin's mpirun was not found; name its directory with --at")
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        raise DunlinError("one core is usable here; two are needed to see what lies between them")
    between = _between(library, hosts, rsh, in_job)
    console = Console(stderr=True)

    def waiting(part: str, times: int) -> None:
        status.update(f"measuring {part}, {times} of {rounds}; other work here spoils it")

    with (
        console.status("beginning") as status,
        # Where other hosts are to find programs, they must be where all look.
        tempfile.TemporaryDirectory(dir=out.resolve().parent if between else None) as directory,
    ):
        found, text = measured_machine.measure(
            library, between, Path(directory), cpus, rounds, waiting
        )
    write_whole(out, text)
    for key, value in found.items():
        console.print(value.line(key), highlight=False, soft_wrap=True)
    less = "" if between else " It has no network: one node."
    console.print(f"Written to {out}.{less}", highlight=False)


def _between(library: Library, hosts: str | None, rsh: str | None, in_job: bool) -> Library | None:
    """The library as it starts ranks on two hosts."""
    words = ["{launcher}", "--oversubscribe", "-n", "{ranks}", "-ppn", "{ranks_per_node}"]
    if hosts is not None and in_job:
        raise DunlinError("--hosts and --in-job both say where ranks go; give one of them")
    if hosts is None:
        return replace(library, launch=tuple(words)) if in_job else None
    named = [name.strip() for name in hosts.split(",") if name.strip()]
    if len(named) != 2:
        raise DunlinError(f"--hosts is `{hosts}`; it must name two hosts, as in a,b")
    reached = ["--rsh", rsh] if rsh else []
    return replace(library, launch=(*words, "-host", ",".join(named), *reached))
