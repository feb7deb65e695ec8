"""`dunlin libs`: which MPI libraries are here, what they are, and whether they run."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from dunlin import discover
from dunlin.libraries import Library


def _record(library: Library) -> dict[str, str | None]:
    return {
        "name": library.name, "vendor": library.vendor, "version": library.version,
        "mpicc": str(library.mpicc), "launcher": str(library.launcher), "found": library.source,
        "fault": library.fault,
    }  # fmt: skip


def _table(found: list[Library]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("Name", "Vendor", "Version", "Found by", "Prefix", "Two ranks"):
        table.add_column(title, overflow="fold")
    for library in found:
        table.add_row(
            library.name, library.vendor, library.version, library.source, str(library.prefix),
            f"[red]{library.fault}[/red]" if library.fault else "[green]run[/green]",
        )  # fmt: skip
    return table


def libs(
    at: Annotated[
        list[Path] | None, typer.Option(help="Look in this directory too; may be repeated.")
    ] = None,
    only_at: Annotated[bool, typer.Option("--only-at", help="Look nowhere else.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the MPI libraries of this machine. Each is compiled for and runs two ranks."""
    found = discover.find(at or [], everywhere=not only_at)
    if as_json:
        typer.echo(json.dumps([_record(library) for library in found], indent=2))
    elif found:
        Console().print(_table(found))
    else:
        typer.echo("No MPI library was found: no directory of PATH has both mpicc and mpirun. "
                   "`dunlin libs --at DIRECTORY` looks in a place of your choice.")  # fmt: skip
    raise typer.Exit(0 if any(library.fault is None for library in found) else 1)
