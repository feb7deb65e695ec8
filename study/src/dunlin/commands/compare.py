"""`dunlin compare`: two libraries, profiles or studies, point by point."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from dunlin import comparison, stats, summary, words
from dunlin.comparison import Comparison, Overall, Row
from dunlin.errors import DunlinError

EXIT_SLOWER = 1
EXIT_UNDECIDED = 3

PLOTS = (".svg", ".png", ".pdf")
COLOURS = {"slower": "red", "faster": "green", "same": "dim", "unclear": "dim"}


def compare(
    a: Annotated[
        str,
        typer.Argument(
            help="A study's directory, LIBRARY, LIBRARY/PROFILE, or DIRECTORY@LIBRARY/PROFILE."
        ),
    ],
    b: Annotated[str, typer.Argument(help="What to compare with it, named likewise.")],
    study: Annotated[Path, typer.Option(help="The study that bare libraries are of.")] = Path(),
    smallest: Annotated[
        float, typer.Option(min=1.0, help="The smallest ratio worth naming.")
    ] = comparison.SMALLEST_EFFECT,
    fail_above: Annotated[
        float | None,
        typer.Option(
            min=1.0,
            help="Exit with 1 if B is certainly slower by more than this ratio, "
            "with 3 if there are too few launches to tell.",
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the ratios to this file (.svg, .png or .pdf).")
    ] = None,
    all_rows: Annotated[
        bool, typer.Option("--all", help="List points without a difference.")
    ] = False,
) -> None:
    """Compare B with A: ratio of costs, interval, significance. Above one, B is slower."""
    if plot is not None and plot.suffix.lower() not in PLOTS:
        raise DunlinError(f"{plot} is to end in one of {', '.join(PLOTS)}")
    result = comparison.compare(comparison.side(a, study), comparison.side(b, study), smallest)
    console = Console(soft_wrap=not sys.stdout.isatty())
    console.print(table(result, all_rows))
    for line in conclusion(result):
        console.print(line, highlight=False)
    if any(row.a.key.simulated or row.b.key.simulated for row in result.rows):
        console.print(summary.NOT_MEASURED)
    if plot is not None:
        from dunlin.report.ratios import draw_comparison

        draw_comparison(result, plot)
        console.print(f"Drawn to {plot}.", highlight=False)
    if fail_above is not None:
        _judge(result, fail_above, console)


def _judge(result: Comparison, limit: float, console: Console) -> None:
    slower = result.slower_than(limit)
    if slower:
        console.print(f"Slower by more than {words.times(limit)}: {_named(slower)}.")
        raise typer.Exit(EXIT_SLOWER)
    if not result.decidable:
        console.print(
            f"Too few launches: nothing can be significant among {len(result.rows)} points. "
            f"Measure {result.launches_needed} launches of each side."
        )
        raise typer.Exit(EXIT_UNDECIDED)
    console.print(f"Nothing is certainly slower by more than {words.times(limit)}.")


def _named(found: list[Row | Overall]) -> str:
    names = [f"{one.key.benchmark} {point(one.key.bytes)}" for one in found]
    shown = names[:5]
    return ", ".join(shown) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def point(size: int) -> str:
    """A size, or all of them."""
    return "over all sizes" if size < 0 else words.size(size)


def table(result: Comparison, all_rows: bool) -> Table:
    """The points with a difference, or all; then each benchmark over all its sizes."""
    made = Table(title=f"{result.b.name} beside {result.a.name}", title_justify="left")
    for name in ("Benchmark", "Where", "Size"):
        made.add_column(name)
    for name in ("A", "B", "B / A", "Interval", "p"):
        made.add_column(name, justify="right")
    made.add_column("B is")
    told = _differing(result)
    for row in result.rows:
        if all_rows or row.verdict != "unclear":
            _add(made, row, told)
    made.add_section()
    for one in result.overall:
        _add_overall(made, one, told)
    return made


def _where(row: Row | Overall, told: list[str]) -> str:
    """The layout, and what else differs among the rows."""
    others = [str(getattr(row.key, name)) for name in told]
    return ", ".join([*others, f"{row.key.nodes}:{row.key.ranks_per_node}"])


def _differing(result: Comparison) -> list[str]:
    """Which of these a row has to name, or two rows would look the same."""
    parts = ("system", "library", "profile")
    return [name for name in parts if len({getattr(r.key, name) for r in result.rows}) > 1]


def _interval(one: Row | Overall) -> str:
    interval = one.ratio.interval
    return f"{interval.low:.2f} to {interval.high:.2f}"


def _add(made: Table, row: Row, told: list[str]) -> None:
    metric = row.a.key.metric
    made.add_row(
        row.key.benchmark, _where(row, told), words.size(row.key.bytes),
        words.value(row.a.median, metric), words.value(row.b.median, metric),
        f"{row.ratio.value:.2f}", _interval(row), f"{row.p:.3f}", row.verdict,
        style=COLOURS[row.verdict],
    )  # fmt: skip


def _add_overall(made: Table, one: Overall, told: list[str]) -> None:
    made.add_row(
        one.key.benchmark, _where(one, told), f"all {one.sizes}", "", "", f"{one.ratio.value:.2f}",
        _interval(one), f"{one.p:.3f}", one.verdict,
        style=COLOURS[one.verdict],
    )  # fmt: skip


def conclusion(result: Comparison) -> list[str]:
    """What it comes to, in sentences."""
    counts = {v: sum(row.verdict == v for row in result.rows) for v in COLOURS}
    lines = [
        f"{words.plural(len(result.rows), 'point')} in common; {result.b.name} is certainly slower "
        f"at {counts['slower']}, certainly faster at {counts['faster']}, the same at "
        f"{counts['same']}, and {counts['unclear']} are unclear. On average (geometric) it takes "
        f"{words.times(result.ratio)} what {result.a.name} takes."
    ]
    level = min(row.ratio.interval.level for row in result.rows)
    if level < stats.LEVEL - 1e-9:
        lines.append(
            f"With so few launches some intervals cover only {words.percent(level)}, not "
            f"{words.percent(stats.LEVEL)}."
        )
    needed = stats.launches_needed(len(result.rows))
    if not any(
        stats.smallest_p(r.a.launches, r.b.launches) * len(result.rows) < comparison.ALPHA
        for r in result.rows
    ):
        lines.append(
            f"No single point can be significant among {len(result.rows)}: that takes {needed} "
            "launches of each side."
        )
    return lines
