"""Figures in words: sizes in bytes with binary units, times and rates with three digits."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

KIB = 1024
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB")


def size(count: float) -> str:
    """4096 is "4 KiB"; a size that is no whole number of units keeps one digit."""
    value, unit = float(count), 0
    while value >= KIB and unit < len(_BINARY) - 1:
        value, unit = value / KIB, unit + 1
    number = f"{value:.0f}" if value == int(value) else f"{value:.1f}"
    return f"{number} {_BINARY[unit]}"


def columns(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in plain text: right-aligned columns under their titles."""
    widths = [max(len(line[i]) for line in [titles, *rows]) for i in range(len(titles))]
    lines = [titles, ["-" * width for width in widths], *rows]
    return "\n".join(
        "  " + "  ".join(cell.rjust(w) for cell, w in zip(line, widths, strict=True))
        for line in lines
    )


def digits(value: float) -> str:
    """Three digits that count, never an exponent."""
    if value == 0:
        return "0"
    magnitude = abs(value)
    places = 0 if magnitude >= 100 else 1 if magnitude >= 10 else 2 if magnitude >= 1 else 3
    return f"{value:,.{places}f}"


def microseconds(value: float) -> str:
    """A time in the unit that reads best."""
    if abs(value) >= 1e6:
        return f"{digits(value / 1e6)} s"
    if abs(value) >= 1e3:
        return f"{digits(value / 1e3)} ms"
    return f"{digits(value)} µs" if abs(value) >= 0.1 else f"{digits(value * 1e3)} ns"


def bandwidth(mbps: float) -> str:
    """Megabytes (10^6 bytes) per second, as gigabytes where that reads better."""
    return f"{digits(mbps / 1e3)} GB/s" if mbps >= 1e3 else f"{digits(mbps)} MB/s"


def rate(per_s: float) -> str:
    """Messages per second."""
    if per_s >= 1e6:
        return f"{digits(per_s / 1e6)} million/s"
    return f"{digits(per_s / 1e3)} thousand/s" if per_s >= 1e3 else f"{digits(per_s)}/s"


def value(number: float, metric: str) -> str:
    """A figure in the unit of its metric."""
    if metric == "time_us":
        return microseconds(number)
    if metric == "bandwidth_mbps":
        return bandwidth(number)
    return rate(number) if metric == "rate_per_s" else size(number * KIB)


def duration(seconds: float) -> str:
    """40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def times(ratio: float) -> str:
    """1.234 is "1.23 times"."""
    return f"{digits(ratio)} times"


def probability(p: float) -> str:
    """A p value; nobody needs more than "below 0.001"."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def percent(part: float) -> str:
    """0.95 is "95 %"."""
    return f"{100 * part:.0f} %"


def layout(nodes: int, ranks_per_node: int) -> str:
    """Where ranks run."""
    where = "1 node" if nodes == 1 else f"{nodes} nodes"
    ranks = "1 rank" if ranks_per_node == 1 else f"{ranks_per_node} ranks"
    return f"{where} with {ranks} each" if nodes > 1 else f"{ranks} on 1 node"


def cell(nodes: int, ranks_per_node: int, count: int) -> str:
    """A job and a size, as in `2:16, 1 KiB`."""
    return f"{nodes}:{ranks_per_node}, {size(count)}"


def listed(things: Sequence[object]) -> str:
    """As in `a, b and c`."""
    words = [str(thing) for thing in things]
    if not words:
        return "nothing"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def spans(numbers: Iterable[int]) -> str:
    """As in `0-3, 7`."""
    ends: list[list[int]] = []
    for number in sorted(numbers):
        if ends and number == ends[-1][1] + 1:
            ends[-1][1] = number
        else:
            ends.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ends)


def from_to(counts: Sequence[int]) -> str:
    """Of ordered counts: 3, or 3 to 5."""
    return f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}" if counts else ""


def choice(kind: str, name: str, known: Iterable[str]) -> str:
    """What is said to someone who named something that is not there."""
    names = list(known)
    near = get_close_matches(name, names, n=1)
    meant = f"did you mean `{near[0]}`? There are: " if near else "there are: "
    return f"there is no {kind} `{name}`; {meant}{', '.join(names) or 'none'}"


def plural(count: int, one: str, many: str | None = None) -> str:
    """As in `1 launch`, `3 launches`."""
    return f"{count} {one if count == 1 else many or one + 's'}"
