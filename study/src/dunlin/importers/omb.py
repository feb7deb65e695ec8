"""Text of the OSU micro-benchmarks, versions 5 to 7: a title, a line of column names, rows. Their
megabyte is 10^6 bytes; their size is what one rank contributes, of reductions the whole vector."""

import re
from dataclasses import dataclass, field

from dunlin.errors import DunlinError
from dunlin.importers.tables import Table, Value, count, figure, numbered, numbers, whole
from dunlin.model import Metric

TITLE = re.compile(r"#\s*OSU\s+(?P<what>.+?)\s+Test(?:\s+v(?P<version>[\d.]+))?\s*$")
INIT = re.compile(r"nprocs:\s*(\d+).*?avg:\s*([\d.]+)(?:\s*\((?P<unit>ms|us)\))?", re.IGNORECASE)
COLUMNS = re.compile(r"#\s*(Size|Avg|Overall|Min)\b")
# Words of titles that are no part of the operation's name.
NOISE = re.compile(
    r"\b(mpi_?|latency|personalized|exchange|collective|cuda|rocm|host|with|window)\b",
    re.IGNORECASE,
)
NAMES = {
    "all-to-all": "alltoall", "all-to-allv": "alltoallv", "all-to-allw": "alltoallw",
    "broadcast": "bcast", "bi-directional bandwidth": "bibandwidth",
    "multiple bandwidth / message rate": "message_rate", "": "latency", "multi": "multi_latency",
    "multi-threaded": "latency_threads", "init": "startup",
}  # fmt: skip
MICROSECONDS_PER_MILLISECOND = 1000.0


@dataclass
class _Open:
    """A table under way."""

    benchmark: str
    version: str
    columns: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    ranks: int | None = None


def recognised(text: str) -> bool:
    """Does this look like OSU's output?"""
    return any(TITLE.match(line) for _, line in numbered(text))


def benchmark_of(title: str) -> str:
    """Our name of what a title names."""
    words = title.strip()
    nonblocking = re.search(r"\bnon-?blocking\b", words, re.IGNORECASE) is not None
    persistent = re.search(r"\bpersistent\b", words, re.IGNORECASE) is not None
    words = re.sub(r"\b(non-?blocking|persistent)\b", "", words, flags=re.IGNORECASE)
    words = " ".join(NOISE.sub(" ", words).strip(" -").split()).lower()
    name = NAMES.get(words, re.sub(r"[^a-z0-9]+", "_", words).strip("_"))
    if nonblocking and not name.startswith("i"):
        name = f"i{name}"
    return f"{name}_persistent" if persistent else name


def _chosen(columns: list[str]) -> list[tuple[int, Metric]]:
    """Which columns become values. Of times the one over all ranks and iterations; of operations
    that overlap, the one with nothing to overlap with."""
    lowered = [re.sub(r"\s+", " ", c).lower() for c in columns]
    wanted: tuple[tuple[str, Metric], ...] = (
        ("pure comm", "time_us"), ("avg latency", "time_us"), ("latency", "time_us"),
        ("overall", "time_us"),
    )  # fmt: skip
    for name, metric in wanted:
        at = next((i for i, c in enumerate(lowered) if c.startswith(name)), None)
        if at is not None:
            return [(at, metric)]
    found: list[tuple[int, Metric]] = []
    for at, column in enumerate(lowered):
        if "mb/s" in column:
            found.append((at, "bandwidth_mbps"))
        elif column.startswith("messages/s"):
            found.append((at, "rate_per_s"))
    return found


def _add(table: _Open, row: list[float], line: int) -> None:
    columns = [c for c in table.columns if c.lower() != "validation"] or ["Size", "Latency (us)"]
    if len(row) != len(columns):
        raise DunlinError(
            f"{len(row)} figures stand under {len(columns)} columns ({', '.join(columns)})",
            line=line,
        )
    sized = columns[0].lower() == "size"
    iterations = next((i for i, c in enumerate(columns) if c.lower() == "iterations"), None)
    times = 1
    if iterations is not None:
        times = whole("the number of iterations", row[iterations], line)
    chosen = _chosen(columns)
    if not chosen:
        raise DunlinError(f"none of the columns is known: {', '.join(columns)}", line=line)
    size = whole("the size", row[0], line) if sized else 0
    table.values += [
        Value(size, metric, figure(columns[at], row[at], line), times) for at, metric in chosen
    ]


def _validated(table: _Open, line: str, number: int) -> str:
    """Without the word that `-c` adds to each row."""
    if not table.columns or table.columns[-1].lower() != "validation":
        return line
    figures, _, word = line.rstrip().rpartition(" ")
    if word.lower() == "fail":
        raise DunlinError("the program found this row's data to be wrong", line=number)
    return figures


def tables(text: str) -> list[Table]:
    """Every table of the text; a file may hold several programs' output one after the other."""
    found: list[_Open] = []
    for number, line in numbered(text):
        title = TITLE.match(line)
        if title:
            found.append(_Open(benchmark_of(title["what"]), title["version"] or "?"))
        elif not found:
            continue
        elif COLUMNS.match(line):
            found[-1].columns = re.split(r"\s{2,}", line.lstrip("# ").strip())
        elif (started := INIT.search(line)) is not None:
            _startup(found[-1], started, number)
        elif (row := numbers(_validated(found[-1], line, number))) is not None:
            _add(found[-1], row, number)
    return [
        Table(t.benchmark, f"OMB {t.version}", tuple(t.values), t.ranks) for t in found if t.values
    ]


def _startup(table: _Open, match: re.Match[str], line: int) -> None:
    scale = 1.0 if (match["unit"] or "ms").lower() == "us" else MICROSECONDS_PER_MILLISECOND
    table.ranks = count("nprocs", match[1], line)
    table.values.append(Value(0, "time_us", figure("avg", match[2], line) * scale))
