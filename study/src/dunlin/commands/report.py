"""`dunlin report`: a study as one page, and its plots as files."""

from pathlib import Path
from typing import Annotated

import typer

from dunlin import summary, words
from dunlin.commands.options import MemoryGbs, StudyDirectory, WireGbps, limits
from dunlin.errors import DunlinError

PAGE = "report.html"


def report(
    study: StudyDirectory = Path(),
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help=f"The page; STUDY/{PAGE} if not given.")
    ] = None,
    plots: Annotated[
        Path | None, typer.Option(help="Also draw every plot into this directory, as SVG and PNG.")
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(help="The library whose figures the others are divided by.")
    ] = None,
    wire_gbps: WireGbps = None,
    memory_gbs: MemoryGbs = None,
) -> None:
    """Write the study as one self-contained HTML page: findings, plots, method."""
    from dunlin.report import page
    from dunlin.report.plots import write_files

    loaded = summary.load(study)
    if not loaded.runs:
        raise DunlinError("the study has no launch yet; `dunlin study run` measures", file=study)
    names = loaded.values_of("library")
    if baseline is not None and baseline not in names:
        raise DunlinError(f"`{baseline}` was not measured; the study has {words.listed(names)}")
    given = limits(wire_gbps, memory_gbs)
    file = output or (study if study.is_dir() else study.parent) / PAGE
    made = page.contents(loaded, given, baseline)
    page.write(made, file)
    typer.echo(f"Written to {file}.")
    if plots is not None:
        plots.mkdir(parents=True, exist_ok=True)
        count = sum(len(write_files(d, plots)) for d in made.drawings)
        typer.echo(f"{words.plural(count, 'plot')} in {plots}.")
