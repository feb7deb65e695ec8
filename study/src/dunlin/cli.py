"""The command `dunlin`. Each subcommand lives in its own module of `dunlin.commands` and is
registered here by one line."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from dunlin import __version__
from dunlin.commands import anomalies, bench, compare, doctor, import_, libs, report, study
from dunlin.errors import DunlinError

EXIT_WRONG = 2

app = typer.Typer(
    name="dunlin",
    help="Measure any MPI library, on a laptop, under Slurm, under PBS, and see what it means.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dunlin {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Measure any MPI library, and see what it means."""


# One line for each subcommand, in alphabetical order.
app.command("anomalies")(anomalies.anomalies)
app.command("bench")(bench.bench)
app.command("compare")(compare.compare)
app.command("doctor")(doctor.doctor)
app.command("import")(import_.import_)
app.command("libs")(libs.libs)
app.command("report")(report.report)
app.add_typer(study.app, name="study")


def main() -> None:
    """Runs the command line; an error of ours is a sentence, not a traceback."""
    try:
        app()
    except DunlinError as error:
        Console(stderr=True, highlight=False, soft_wrap=True).print(
            f"dunlin: {error}", markup=False
        )
        sys.exit(EXIT_WRONG)
