"""`dunlin import`: results of other programs become a study, or a part of one."""

from pathlib import Path
from typing import Annotated

import typer

from dunlin import words
from dunlin.errors import DunlinError
from dunlin.importers import records
from dunlin.importers.records import Said


def _renamed(pairs: list[str]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        ours, separator, theirs = pair.partition("=")
        if not separator:
            raise DunlinError(f"`{pair}` renames nothing; write OURS=THEIRS, as in bytes=msg_size")
        found[theirs] = ours
    return found


def import_(
    files: Annotated[list[Path], typer.Argument(help="Text of OMB 5 to 7 or IMB, or CSV.")],
    into: Annotated[Path, typer.Option(help="The study's directory; made if there is none.")],
    library: Annotated[str, typer.Option(help="Whose figures these are.")] = "imported",
    library_version: Annotated[str, typer.Option(help="Its version.")] = "",
    system: Annotated[str, typer.Option(help="Where they were measured.")] = "imported",
    profile: Annotated[str, typer.Option(help="With which settings.")] = "none",
    nodes: Annotated[int, typer.Option(min=1, help="On how many nodes.")] = 1,
    ranks_per_node: Annotated[
        int | None, typer.Option(min=1, help="With how many ranks each; OMB does not say it.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="omb, imb or csv; seen from the file if not given."),
    ] = None,
    column: Annotated[
        list[str] | None, typer.Option(help="A CSV's column by another name: OURS=THEIRS.")
    ] = None,
) -> None:
    """Import results of OSU's and Intel's benchmarks, or CSV; each file is a launch."""
    if form is not None and form not in records.FORMATS:
        raise DunlinError(f"`{form}` is no format; there are {words.listed(records.FORMATS)}")
    said = Said(into.resolve().name, system, library, library_version, profile, nodes,
                ranks_per_node)  # fmt: skip
    found = []
    for file in files:
        if not file.is_file():
            raise DunlinError("there is no such file", file=file)
        found += records.launches(file, said, form, _renamed(column or []))
    new = records.add(into, found)
    values = sum(len(samples) for _, samples in found)
    typer.echo(
        f"{words.plural(new, 'launch', 'launches')} added to {into}, {len(found) - new} were there "
        f"already; {words.plural(values, 'figure')} read."
    )
