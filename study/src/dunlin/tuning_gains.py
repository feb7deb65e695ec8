"""What a table of algorithms gains over the built-in rules, for its first lines and for people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table

from dunlin import stats, words
from dunlin.tuning import Cell

Ratios = Mapping[str, Sequence[tuple[float, Cell]]]  # by operation


@dataclass(frozen=True)
class Gain:
    """Of an operation: how many times as fast as by the built-in rules."""

    operation: str
    mean: float
    most: tuple[float, Cell]
    least: tuple[float, Cell]

    def cells(self) -> list[str]:
        """For people."""
        ends = [
            text
            for ratio, at in (self.most, self.least)
            for text in (words.times(ratio), words.cell(*at))
        ]
        return [self.operation, words.times(self.mean), *ends]


def gains_of(ratios: Ratios) -> list[Gain]:
    """Per operation: how much faster on average, at best and at worst."""
    gains = []
    for operation, some in sorted(ratios.items()):
        # Of several that gain alike, always the same is told.
        found = sorted(some, key=lambda pair: pair[1])
        most, least = (pick(found, key=lambda pair: pair[0]) for pick in (max, min))
        mean = stats.geometric_mean([ratio for ratio, _ in found])
        gains.append(Gain(operation, mean, most, least))
    return gains


def head(gains: Sequence[Gain]) -> list[str]:
    """Lines for the head of a table."""
    lines = []
    for gain in gains:
        operation, mean, most, most_at, least, least_at = gain.cells()
        lines.append(
            f"#   {operation}: mean {mean}, most {most} ({most_at}), least {least} ({least_at})"
        )
    return lines


def shown(gains: Sequence[Gain], how: str) -> Table:
    """For people; `how`: simulated or measured."""
    # So it fits into 80 columns.
    table = Table(box=None, padding=(0, 1, 0, 0))
    for title in ("operation", "mean", "most", "where", "least", "where"):
        table.add_column(title, no_wrap=True)
    for gain in gains:
        table.add_row(*gain.cells())
    table.caption = f"how many times as fast as by the built-in rules, {how}"
    return table
