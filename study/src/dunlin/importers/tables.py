"""What importers give: measured values with what their file says about them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from dunlin.errors import DunlinError
from dunlin.model import INT32_MAX, INT64_MAX, Metric

# No program writes longer lines of figures; others are none, and cost no time.
LINE_LETTERS_MAX = 4096
# What is shown of somebody else's word.
SHOWN_LETTERS_MAX = 60


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
    """Lines with their numbers, from one. Of a line that is no table's, nothing is left."""
    lines = enumerate(text.split("\n"), start=1)
    return ((n, line if len(line) <= LINE_LETTERS_MAX else "") for n, line in lines)


def shown(word: object) -> str:
    """A word of a file as it may stand in a sentence."""
    text = str(word) if isinstance(word, str) else f"{word:g}"
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= SHOWN_LETTERS_MAX else f"{text[:SHOWN_LETTERS_MAX]}..."


def whole(
    what: str, number: float | str, line: int, *, least: int = 0, most: int = INT64_MAX
) -> int:
    """A size or a count; an error says what it is of."""
    try:
        found = int(number)
        if found != float(number):
            raise ValueError
    except (ValueError, OverflowError):
        raise DunlinError(
            f"{what} is `{shown(number)}`; it must be a whole number", line=line
        ) from None
    if not least <= found <= most:
        raise DunlinError(f"{what} is {shown(number)}; it must be {least} to {most}", line=line)
    return found


def count(what: str, number: float | str, line: int, *, least: int = 1) -> int:
    """Ranks, nodes, repetitions."""
    return whole(what, number, line, least=least, most=INT32_MAX)


def figure(what: str, number: float | str, line: int) -> float:
    """A measured value. Those of our own programs may be what no clock can have said; what others
    print so is a table misread, or a launch that went wrong."""
    try:
        found = float(number)
    except ValueError:
        raise DunlinError(f"{what} is `{shown(number)}`, not a number", line=line) from None
    if not math.isfinite(found) or found < 0:
        raise DunlinError(f"{what} is {shown(number)}; it must be 0 or more", line=line)
    return found
