"""CSV with a line of names: one figure a row, or one column for each metric. The column's name says
the unit; columns that a study knows (library, nodes, ...) override what the command was told."""

import csv
import io
from dataclasses import dataclass

from dunlin.errors import DunlinError
from dunlin.importers.tables import Value, count, figure, shown, whole
from dunlin.model import Metric

# Name of a column: metric, and by what its figures are multiplied.
UNITS: dict[str, tuple[Metric, float]] = {
    "time_ns": ("time_us", 1e-3), "time_us": ("time_us", 1.0), "latency_us": ("time_us", 1.0),
    "time_ms": ("time_us", 1e3), "time_s": ("time_us", 1e6),
    "bandwidth_mbps": ("bandwidth_mbps", 1.0), "bandwidth_mibps": ("bandwidth_mbps", 1.048576),
    "bandwidth_gbps": ("bandwidth_mbps", 1e3), "bandwidth_gbitps": ("bandwidth_mbps", 125.0),
    "rate_per_s": ("rate_per_s", 1.0), "memory_kib": ("memory_kib", 1.0),
    "memory_mib": ("memory_kib", 1024.0),
}  # fmt: skip
SIZES = ("bytes", "size")
DESCRIBES = ("system", "library", "profile", "nodes", "ranks_per_node", "repetition")
COUNTS = {"nodes": 1, "ranks_per_node": 1, "repetition": 0}  # and the least they may be
# In place of bytes that are no UTF-8.
BROKEN = "\ufffd"


@dataclass(frozen=True)
class Row:
    """One figure with all that its row says."""

    benchmark: str
    value: Value
    said: dict[str, str | int]


def rows(text: str, renamed: dict[str, str] | None = None) -> list[Row]:
    """Every figure. `renamed` gives a name of ours for a name of theirs."""
    first = text.partition("\n")[0]
    # As spreadsheets write it, by country and by the file's ending.
    mark = max(",;\t", key=first.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        return _rows(reader, renamed or {})
    except csv.Error as error:
        line = reader.line_num + 1
        raise DunlinError(f"this is no row of a sheet: {error}", line=line) from None


def _rows(reader: "csv.DictReader[str]", renamed: dict[str, str]) -> list[Row]:
    names = {n: renamed.get(n, n).strip().lower() for n in reader.fieldnames or []}
    ours = set(names.values())
    if "benchmark" not in ours or not ours & set(UNITS):
        raise DunlinError(
            "the first line must name a column `benchmark` and one of "
            f"{', '.join(UNITS)}; it names "
            f"{shown(', '.join(names)) or 'nothing'}", line=1,
        )  # fmt: skip
    found: list[Row] = []
    for fields in reader:
        record = {names[n]: (v or "").strip() for n, v in fields.items() if n in names}
        found += _figures(record, reader.line_num)
    return found


def _figures(record: dict[str, str], line: int) -> list[Row]:
    size = next((whole(n, record[n], line) for n in SIZES if record.get(n)), 0)
    values = [
        Value(size, metric, figure(name, figure(name, record[name], line) * factor, line))
        for name, (metric, factor) in UNITS.items() if record.get(name)
    ]  # fmt: skip
    for name in ("benchmark", *DESCRIBES):
        if BROKEN in record.get(name, ""):
            raise DunlinError(f"`{name}` is not UTF-8", line=line)
    said: dict[str, str | int] = {n: record[n] for n in DESCRIBES if record.get(n)}
    said |= {n: count(n, said[n], line, least=least) for n, least in COUNTS.items() if n in said}
    return [Row(record["benchmark"], value, said) for value in values]
