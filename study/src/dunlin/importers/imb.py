"""Text of the Intel MPI Benchmarks: blocks that begin with `# Benchmarking NAME`. Their megabyte
was 2^20 bytes in old versions and is 10^6 in new ones, so that bandwidths are made from message
rates, never read."""

import re
from dataclasses import dataclass, field

from dunlin.errors import DunlinError
from dunlin.importers.tables import Table, Value, count, figure, numbered, numbers, whole

PROGRAM = re.compile(r"#\s*Intel\s*\(R\)\s*MPI Benchmarks?\s+(?P<version>[\w. ]+?)\s*(?:,|$)")
BLOCK = re.compile(r"#\s*Benchmarking\s+(?P<name>\S+)")
PROCESSES = re.compile(r"#\s*#processes\s*=\s*(?P<ranks>\d+)")
HEADER = re.compile(r"^\s*#(bytes|repetitions)\b")
NAMES = {
    "pingpong": "latency", "uniband": "message_rate", "biband": "message_rate_both_ways",
}  # fmt: skip


@dataclass
class _Open:
    benchmark: str
    program: str
    columns: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    ranks: int | None = None


def recognised(text: str) -> bool:
    """Does this look like IMB's output?"""
    return any(BLOCK.match(line) for _, line in numbered(text))


def _add(table: _Open, row: list[float], line: int) -> None:
    columns = table.columns
    # Barriers tell repetitions first and no size.
    if len(row) != len(columns):
        raise DunlinError(
            f"{len(row)} figures stand under {len(columns)} columns ({', '.join(columns)})",
            line=line,
        )
    by = dict(zip(columns, row, strict=True))
    size = whole("the size", by.get("#bytes", 0), line)
    times = whole("the number of repetitions", by.get("#repetitions", 1), line)
    time = next((c for c in ("t_pure[usec]", "t_avg[usec]", "t[usec]") if c in by), None)
    rate = figure("Msg/sec", by["Msg/sec"], line) if "Msg/sec" in by else None
    if time is not None:
        table.values.append(Value(size, "time_us", figure(time, by[time], line), times))
    elif rate is not None and rate > 0:
        table.values.append(Value(size, "rate_per_s", rate, times))
        if size > 0:
            bandwidth = figure("the bandwidth", rate * size / 1e6, line)
            table.values.append(Value(size, "bandwidth_mbps", bandwidth, times))
    elif rate is None:
        raise DunlinError(f"none of the columns is known: {', '.join(columns)}", line=line)


def tables(text: str) -> list[Table]:
    """Every block; what stands between blocks is commentary."""
    found: list[_Open] = []
    program = "IMB"
    for number, line in numbered(text):
        if version := PROGRAM.match(line):
            program = f"IMB {version['version']}"
        elif block := BLOCK.match(line):
            name = block["name"].lower()
            found.append(_Open(NAMES.get(name, name), program))
        elif not found:
            continue
        elif ranks := PROCESSES.match(line):
            found[-1].ranks = count("#processes", ranks["ranks"], number)
        elif HEADER.match(line):
            found[-1].columns = line.split()
        elif found[-1].columns and (row := numbers(line)) is not None:
            _add(found[-1], row, number)
    return [Table(t.benchmark, t.program, tuple(t.values), t.ranks) for t in found if t.values]
