"""`dunlin doctor`: is this machine ready for MPI?"""

from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from dunlin import words
from dunlin.doctor.checks import CHECKS, examine
from dunlin.doctor.record import record

EXIT_WRONG = 1
COLOURS = {"wrong": "bold red", "warning": "yellow", "note": "cyan"}


def doctor(
    fail: Annotated[
        bool, typer.Option("--fail", help="Exit with 1 if something is wrong.")
    ] = False,
) -> None:
    """Say what on this host stands in MPI's way, why it matters, and what mends it."""
    found = examine(record())
    console = Console(highlight=False)
    for ailment in found:
        console.print(
            Text(f"{ailment.severity:8}", style=COLOURS[ailment.severity])
            + Text(ailment.what, style="bold")
        )
        console.print(Padding(Text(ailment.why), (0, 0, 0, 8)))
        # On one line however narrow the terminal: it is there to be copied.
        console.print(Text(f"        $ {ailment.mend}", style="green"), soft_wrap=True)
        console.print()
    console.print(f"{words.plural(len(found), 'finding')} by {len(CHECKS)} groups of checks.")
    if fail and any(a.severity == "wrong" for a in found):
        raise typer.Exit(EXIT_WRONG)
