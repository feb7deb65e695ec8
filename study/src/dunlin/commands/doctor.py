"""`dunlin doctor`: is this machine ready for MPI?"""

from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from dunlin import words
from dunlin.doctor.checks import CHECKS, SEVERITIES, Ailment, examine, unseen
from dunlin.doctor.host import Host
from dunlin.doctor.hosts import RSH, judge, try_host
from dunlin.doctor.record import record
from dunlin.errors import DunlinError

EXIT_WRONG = 1
COLOURS = {"wrong": "bold red", "warning": "yellow", "note": "cyan"}


def _between(here: Host, hosts: str | None, rsh: str) -> list[Ailment]:
    """What is wrong between this host and those that were named."""
    named = [name.strip() for name in (hosts or "").split(",") if name.strip()]
    if not named:
        return []
    real = [i.address for i in here.interfaces or () if not i.virtual]
    # One family at a time is what ranks use as well.
    addresses = [a for a in real if (":" in a) == (":" in real[0])]
    if not addresses:
        raise DunlinError("this host has no address that another one could reach")
    return [ailment for name in named for ailment in judge(try_host(name, addresses, rsh), here)]


def doctor(
    hosts: Annotated[
        str | None,
        typer.Option(help="Other hosts, separated by commas: try what passes between them and us."),
    ] = None,
    rsh: Annotated[str, typer.Option(help="How commands reach them.")] = RSH,
    fail: Annotated[
        bool, typer.Option("--fail", help="Exit with 1 if something is wrong.")
    ] = False,
) -> None:
    """Say what on this host stands in MPI's way, why it matters, and what mends it."""
    host = record()
    found = [*examine(host), *_between(host, hosts, rsh)]
    found.sort(key=lambda ailment: SEVERITIES.index(ailment.severity))
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
    if missing := unseen(host):
        console.print(f"Not seen: {'; '.join(missing)}.")
    console.print(f"{words.plural(len(found), 'finding')} by {len(CHECKS)} groups of checks.")
    if fail and any(a.severity == "wrong" for a in found):
        raise typer.Exit(EXIT_WRONG)
