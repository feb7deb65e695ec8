"""`dunlin calibrate`: a model of this machine for `dunlin simulate`."""

import os
import platform
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from dunlin import calibration, discover
from dunlin.errors import DunlinError
from dunlin.files import write_whole
from dunlin.libraries import DUNLIN


def calibrate(
    out: Annotated[Path, typer.Argument(help="The file to write, as in mine.toml.")],
    at: Annotated[list[Path] | None, typer.Option(help="Where to look for Dunlin first.")] = None,
) -> None:
    """Measure this node, in a few seconds, and write a model of it.

    Example: dunlin calibrate mine.toml, then dunlin simulate allreduce --machine ./mine.toml
    """
    library = next((lib for lib in discover.find(at or []) if lib.vendor == DUNLIN), None)
    if library is None:
        raise DunlinError("Dunlin's mpirun was not found; name its directory with --at")
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        raise DunlinError("one core is usable here; two are needed to see what lies between them")
    console = Console(stderr=True)
    waiting = console.status("measuring; other work on this machine spoils it")
    with waiting, tempfile.TemporaryDirectory() as directory:
        found = calibration.measure(library, Path(directory), cpus)
    values = calibration.node(found, calibration.caches(len(cpus)))
    write_whole(out, calibration.text(f"{platform.node()}, measured", len(cpus), values))
    for key, value in values.items():
        console.print(value.line(key), highlight=False, soft_wrap=True)
    console.print(f"Written to {out}. It has no network: one node.", highlight=False)
