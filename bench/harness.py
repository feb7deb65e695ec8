"""Building the benchmark programs with some MPI library and reading what they print."""

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent
PREFIX = ROOT / "build" / "prefix"
PROGRAMS_OF_MPI = [
    "latency", "latency_threads", "bandwidth", "collective", "ring", "startup", "memory",
    "pingpong_vs_line", "pack", "pack_layout", "inquiries",
]
# A hang must end the run with a sentence, not stay on the screen.
RUN_TIMEOUT_S = 120


@dataclass
class Mpi:
    """An MPI library: its own compiler wrapper and launcher."""

    name: str
    mpicc: Path
    mpirun: list[str]
    environment: dict[str, str] = field(default_factory=dict)

    def compile(self, source: Path, directory: Path) -> Path:
        """Builds one C program, unless it is newer than its sources and the wrapper."""
        program = directory / source.stem
        sources = [source, *BENCH.glob("*.h"), self.mpicc]
        newest = max(s.stat().st_mtime for s in sources)
        if not program.exists() or program.stat().st_mtime < newest:
            directory.mkdir(parents=True, exist_ok=True)
            call([self.mpicc, "-std=c11", "-O2", "-pthread", "-o", program, source],
                 self.environment)
        return program

    def command(self, ranks: int, program, *arguments) -> list[str]:
        """The command line that starts `ranks` processes of a program."""
        return [*self.mpirun, "-n", str(ranks), str(program), *map(str, arguments)]

    def rows(self, ranks: int, program: Path, *arguments) -> list[dict]:
        """Runs a benchmark and returns its JSON lines."""
        out = call(self.command(ranks, program, *arguments, "--json"), self.environment)
        return json_lines(out)

    def seconds(self, ranks: int, program: Path) -> float:
        """Wall-clock time of one run, from outside."""
        began = time.monotonic()
        call(self.command(ranks, program), self.environment)
        return time.monotonic() - began


def dunlin(prefix: Path = PREFIX) -> Mpi:
    """The Dunlin under `prefix`."""
    return Mpi("Dunlin", prefix / "bin" / "mpicc", [str(prefix / "bin" / "mpirun")])


def call(command: list, environment: dict[str, str] | None = None) -> str:
    """Runs a command and returns its output; ends this program with the reason if it fails."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, env={**os.environ, **(environment or {})}, text=True, timeout=RUN_TIMEOUT_S,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
        )
    except FileNotFoundError:
        sys.exit(f"{words[0]} does not exist; run `make build` first")
    except subprocess.TimeoutExpired:
        sys.exit(f"`{' '.join(words)}` did not end within {RUN_TIMEOUT_S} s")
    if done.returncode != 0:
        detail = (done.stderr + done.stdout).strip()
        sys.exit(f"`{' '.join(words)}` ended with {done.returncode}:\n{detail}")
    return done.stdout


def json_lines(text: str) -> list[dict]:
    """The JSON objects among the lines of an output."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


@dataclass
class Limits:
    """The bare machine."""

    line_ns: float                    # half round trip of a cache line
    copy_mb_per_s: dict[int, float]   # of memcpy, by size
    single_copy_us: dict[int, float]  # one read of another process, by size; may be forbidden


def limits(directory: Path, mpi: Mpi, *arguments) -> Limits:
    """Measures them."""
    program = mpi.compile(BENCH / "limits.c", directory)
    rows = json_lines(call([program, "--json", *map(str, arguments)]))
    line_ns = next(r["median_ns"] for r in rows if r["bench"] == "cache_line")
    copies = {r["bytes"]: r["mb_per_s"] for r in rows if r["bench"] == "memory_copy"}
    reads = {r["bytes"]: r["median_us"] for r in rows if r["bench"] == "single_copy"}
    return Limits(line_ns, copies, reads)


def startup_ms(mpi: Mpi, program: Path, ranks: int, repeats: int) -> float:
    """Median of the wall-clock time of `mpirun -n ranks` of nothing but Init and Finalize."""
    return statistics.median(mpi.seconds(ranks, program) for _ in range(repeats)) * 1e3


def size_text(count: int) -> str:
    """8, 64 KiB, 1 MiB."""
    for shift, unit in ((20, "MiB"), (10, "KiB")):
        if count >= 1 << shift and count % (1 << shift) == 0:
            return f"{count >> shift} {unit}"
    return f"{count} B"


def table_text(titles: list[str], rows: list[list[str]]) -> str:
    """Right-aligned columns under their titles."""
    widths = [max(len(line[i]) for line in [titles, *rows]) for i in range(len(titles))]
    return "\n".join(
        "  " + "  ".join(cell.rjust(w) for cell, w in zip(line, widths, strict=True))
        for line in [titles, ["-" * w for w in widths], *rows])


def print_table(titles: list[str], rows: list[list[str]]) -> None:
    """The same, shown."""
    print(table_text(titles, rows))


def end_group(child: subprocess.Popen) -> None:
    """Ends a child that leads its own session, and all it started."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # It ended by itself in the meantime.
