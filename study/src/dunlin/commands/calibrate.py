"""`dunlin calibrate`: a model of this machine for `dunlin simulate`."""

import os
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from dunlin import discover, hosts, measured_machine
from dunlin.errors import DunlinError
from dunlin.files import write_whole
from dunlin.hosts import Hosts
from dunlin.libraries import Library


def calibrate(
    out: Annotated[Path, typer.Argument(help="The file to write, as in mine.toml.")],
    at: Annotated[list[Path] | None, typer.Option(help="Where to look for Dunlin first.")] = None,
    names: Annotated[
        str | None,
        typer.Option(
            "--hosts", help="Two hosts, as in a,b: measure the network between them, too."
        ),
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
    library = discover.dunlin(at or [])
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        raise DunlinError("one core is usable here; two are needed to see what lies between them")
    between = _between(library, hosts.asked(names, rsh, in_job))
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


def _between(library: Library, asked: Hosts) -> Library | None:
    """The library as it starts ranks on two hosts."""
    if asked.here:
        return None
    if asked.names and len(asked.names) != 2:
        named = ",".join(asked.names)
        raise DunlinError(f"--hosts is `{named}`; it must name two hosts, as in a,b")
    return asked.library(library, 2)
