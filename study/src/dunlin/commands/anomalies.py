"""`dunlin anomalies`: what in a study deserves a second look."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dunlin import anomalies as detectors
from dunlin import summary, words
from dunlin.anomalies import Finding
from dunlin.commands.options import MemoryGbs, StudyDirectory, WireGbps, limits

EXIT_FOUND = 1
ROWS_SHOWN = 12
COLOURS = {"wrong": "bold red", "warning": "yellow", "note": "cyan"}


def anomalies(
    study: StudyDirectory = Path(),
    wire_gbps: WireGbps = None,
    memory_gbs: MemoryGbs = None,
    data: Annotated[bool, typer.Option(help="Show the data behind each finding.")] = False,
    fail: Annotated[
        bool, typer.Option("--fail", help="Exit with 1 if a figure of the study is wrong.")
    ] = False,
) -> None:
    """Knees, cliffs, violated guidelines, impossible figures, misplaced ranks, noise."""
    loaded = summary.load(study)
    found = detectors.find_all(loaded, limits(wire_gbps, memory_gbs))
    console = Console(highlight=False)
    for finding in found:
        show(console, finding, data)
    cells, runs = len(loaded.cells), words.plural(len(loaded.runs), "launch", "launches")
    console.print(f"{words.plural(len(found), 'finding')} in {cells} measurements of {runs}.")
    if loaded.simulated:
        console.print(summary.NOT_MEASURED)
    if fail and any(f.severity == "wrong" for f in found):
        raise typer.Exit(EXIT_FOUND)


def show(console: Console, finding: Finding, data: bool) -> None:
    """One finding, in words and, if asked for, figures."""
    head = Text(f"{finding.severity:8}", style=COLOURS[finding.severity])
    console.print(head + Text(finding.title, style="bold"))
    console.print(Padding(Text(finding.text), (0, 0, 0, 8)))
    if finding.also:
        console.print(Padding(Text(f"Also {words.listed(finding.also)}."), (0, 0, 0, 8)))
    console.print(Padding(Text(finding.advice, style="dim"), (0, 0, 0, 8)))
    if data and finding.rows:
        table = Table(*finding.columns)
        for row in finding.rows[:ROWS_SHOWN]:
            table.add_row(*row)
        console.print(Padding(table, (0, 0, 0, 8)))
    console.print()
