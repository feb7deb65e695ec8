"""The command `dunlin`. Each subcommand lives in its own module of `dunlin.commands` and is
registered here by one line."""

import signal
import sys
from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console

from dunlin import __version__
from dunlin.commands import (
    anomalies,
    bench,
    calibrate,
    compare,
    doctor,
    gains,
    import_,
    libs,
    report,
    simulate,
    study,
    tune,
)
from dunlin.errors import DunlinError

EXIT_WRONG = 2
# A shell's exit status of what a signal ended is this and the signal's number.
SIGNALLED = 128

MEASURE, UNDERSTAND, SIMULATE = "Measure", "See what it means", "Without the machine"

app = typer.Typer(
    name="dunlin",
    epilog="Begin with: dunlin libs, then dunlin bench allreduce -n 4, then dunlin study new s",
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


# One line for each subcommand, in the order in which one comes to need them.
app.command("libs", rich_help_panel=MEASURE)(libs.libs)
app.command("doctor", rich_help_panel=MEASURE)(doctor.doctor)
app.command("bench", rich_help_panel=MEASURE)(bench.bench)
app.add_typer(study.app, name="study", rich_help_panel=MEASURE)
app.command("report", rich_help_panel=UNDERSTAND)(report.report)
app.command("compare", rich_help_panel=UNDERSTAND)(compare.compare)
app.command("anomalies", rich_help_panel=UNDERSTAND)(anomalies.anomalies)
app.command("import", rich_help_panel=UNDERSTAND)(import_.import_)
app.command("calibrate", rich_help_panel=SIMULATE)(calibrate.calibrate)
app.command("simulate", rich_help_panel=SIMULATE)(simulate.simulate)
app.command("gains", rich_help_panel=SIMULATE)(gains.gains_)
app.command("tune", rich_help_panel=SIMULATE)(tune.tune)


def _end(number: int, _: object) -> None:
    # What is measured right now is ended on the way out; resuming measures it again.
    sys.exit(SIGNALLED + number)


def main() -> None:
    """Runs the command line."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        # nohup ignores the latter, and so do we then.
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _end)
    told(app)


def told(program: Callable[[], object]) -> None:
    """Runs it; an error of ours is a sentence, not a traceback."""
    try:
        program()
    except DunlinError as error:
        Console(stderr=True, highlight=False, soft_wrap=True).print(
            f"dunlin: {error}", markup=False
        )
        sys.exit(EXIT_WRONG)
    except OSError as error:
        # A directory that may not be written to, a disk that is full.
        Console(stderr=True, highlight=False, soft_wrap=True).print(
            f"dunlin: {error.filename or 'a file'}: {error.strerror}", markup=False
        )
        sys.exit(EXIT_WRONG)
