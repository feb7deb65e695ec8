"""The bare machine: what its caches and its copies take, beside which messages are measured."""

from dataclasses import dataclass
from pathlib import Path

from dunlin import execution, programs
from dunlin.libraries import Library


@dataclass(frozen=True)
class Limits:
    """What nobody can beat."""

    line_ns: float  # half round trip of a cache line
    copy_mb_per_s: dict[int, float]  # of memcpy, by size
    single_copy_us: dict[int, float]  # one read of another process, by size; may be forbidden


def limits(library: Library, directory: Path) -> Limits:
    """Measures them; any library's wrapper can compile the program."""
    program = programs.compiled(programs.sources() / "limits.c", library, directory)
    rows = execution.rows_of(execution.call([program, "--json"]))
    return Limits(
        next(row["median_ns"] for row in rows if row["bench"] == "cache_line"),
        {row["bytes"]: row["mb_per_s"] for row in rows if row["bench"] == "memory_copy"},
        {row["bytes"]: row["median_us"] for row in rows if row["bench"] == "single_copy"},
    )
