"""What importers give: measured values with what their file says about them."""

from collections.abc import Iterator
from dataclasses import dataclass

from dunlin.model import Metric


@dataclass(frozen=True)
class Value:
    """One figure of a table, in the unit of its metric."""

    bytes: int
    metric: Metric
    value: float
    iterations: int = 1


@dataclass(frozen=True)
class Table:
    """One benchmark's figures of one launch."""

    benchmark: str
    program: str
    values: tuple[Value, ...]
    # Where the file says it.
    ranks: int | None = None


def numbers(line: str) -> list[float] | None:
    """The fields of a line of figures; None for any other line."""
    fields = line.split()
    try:
        return [float(field) for field in fields] if fields else None
    except ValueError:
        return None


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, from one."""
    return enumerate(text.splitlines(), start=1)
