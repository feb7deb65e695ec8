"""What can be measured: the program behind each benchmark's name, how it is called, and what its
lines mean as records."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dunlin import programs
from dunlin.errors import DunlinError
from dunlin.libraries import Library
from dunlin.model import Clock, Metric, Sample

COLLECTIVES = [
    "barrier", "bcast", "reduce", "allreduce", "allreduce_maxloc", "allgather", "allgatherv",
    "alltoall", "alltoallv", "alltoallw", "gather", "gatherv", "scatter", "scatterv",
    "reduce_scatter", "reduce_scatter_block", "scan", "exscan", "neighbor_allgather",
    "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv",
]  # fmt: skip
Row = dict[str, Any]


@dataclass(frozen=True)
class Benchmark:
    """One name of the study file: a program of ours, or one that the study brings along."""

    program: str
    arguments: tuple[str, ...] = ()
    ranks_least: int = 1
    sized: bool = True
    # Figures that the program gives one of for each size: key of its row, metric. Times are told
    # value by value besides, and need none.
    figures: tuple[tuple[str, Metric], ...] = ()
    # A whole job, timed from outside.
    from_outside: bool = False
    # Where the program is, if it is none of ours: to be compiled, or there already.
    source: Path | None = None
    executable: Path | None = None


def _collective(operation: str, mode: str) -> Benchmark:
    return Benchmark(
        "collective", ("--op", operation, "--mode", mode), sized=operation != "barrier"
    )  # fmt: skip


_RATES: tuple[tuple[str, Metric], ...] = (("mb_per_s", "bandwidth_mbps"),)

BENCHMARKS: dict[str, Benchmark] = {
    "latency": Benchmark("latency", ranks_least=2),
    "bandwidth": Benchmark("bandwidth", ranks_least=2, figures=_RATES),
    "bibandwidth": Benchmark("bandwidth", ("--both-ways",), ranks_least=2, figures=_RATES),
    "message_rate": Benchmark(
        "bandwidth", ranks_least=2, figures=(("messages_per_s", "rate_per_s"),)
    ),
    "ring": Benchmark("ring", ranks_least=2),
    **{name: _collective(name, "blocking") for name in COLLECTIVES},
    **{f"i{name}": _collective(name, "nonblocking") for name in COLLECTIVES},
    "startup": Benchmark("startup", sized=False, from_outside=True),
    "memory": Benchmark("memory", sized=False, figures=(("init_pss_kib", "memory_kib"),)),
}


def program_of(benchmark: Benchmark, library: Library) -> Path:
    """The program of a benchmark, ready to run with a library."""
    if benchmark.executable:
        if not os.access(benchmark.executable, os.X_OK):
            raise DunlinError(f"{benchmark.executable} is no program that can be run")
        return benchmark.executable
    source = benchmark.source or programs.sources() / f"{benchmark.program}.c"
    return programs.compiled(source, library)


@dataclass(frozen=True)
class Effort:
    """How long each size is measured."""

    iterations: int
    budget_ms: int
    pin: bool


def arguments(benchmark: Benchmark, sizes: list[int], effort: Effort) -> list[str]:
    """What the program is called with."""
    if benchmark.from_outside:
        return list(benchmark.arguments)
    words = [*benchmark.arguments, "--json", "--samples", "--placement"]
    words += ["-n", str(effort.iterations), "--budget", str(effort.budget_ms)]
    if benchmark.sized:
        words += ["--sizes", ",".join(map(str, sizes))]
    return [*words, "--pin" if effort.pin else "--no-pin"]


def samples(
    name: str, benchmark: Benchmark, run_id: str, rows: list[Row], seconds: float
) -> list[Sample]:
    """The records of a launch: of its printed rows, or of its duration."""

    def sample(size: int, metric: Metric, clock: Clock, values: list[float]) -> Sample:
        return Sample(
            run_id=run_id, benchmark=name, bytes=size, metric=metric, clock=clock, values=values,
            iterations=len(values),
        )  # fmt: skip

    if benchmark.from_outside:
        return [sample(0, "time_us", "global", [seconds * 1e6])]
    found = [
        sample(r["bytes"], r["metric"], r["clock"], r["values"]) for r in rows if "values" in r
    ]
    for row in rows:
        for key, metric in benchmark.figures:
            if key in row:
                found.append(sample(row["bytes"], metric, "global", [row[key]]))
    return found
