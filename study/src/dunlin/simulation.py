"""Simulated operations: asks `dunlin-sim`, which runs Dunlin's algorithms in virtual time."""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dunlin import checkout
from dunlin.errors import DunlinError
from dunlin.words import listed, microseconds, percent

PROGRAM = "dunlin-sim"
# What is left unsaid of a critical path: parts smaller than this.
SMALLEST_PART = 0.03

# Other libraries whose choices `dunlin-sim` knows, by the names that stand for them.
LIBRARIES = {"openmpi": "Open MPI 5", "mpich": "MPICH 5"}

# Of what `dunlin-sim` calls the parts of a critical path.
COSTS = {
    "arrival": "a rank that begins late",
    "call": "entering and leaving the call",
    "copy": "copies in a rank's own memory",
    "reduce": "adding up",
    "lines": "cache lines read from other cores",
    "shared_copy": "copies out of shared memory",
    "single_copy": "single copies by the kernel",
    "memory_bandwidth": "waits for memory bandwidth",
    "core_sharing": "waits for a shared core",
    "node_messages": "messages within a node",
    "network_software": "work of cores on network messages",
    "network_latency": "latencies of the network",
    "network_queues": "waits for busy adapters and links",
    "network_bytes": "passages of bytes through adapters",
}


@dataclass(frozen=True)
class Part:
    """A part of a critical path."""

    cost: str
    us: float
    times: int


@dataclass(frozen=True)
class Result:
    """One operation by one algorithm on one job."""

    operation: str
    nodes: int
    ppn: int
    bytes: int
    algorithm: str  # with its parameter, as in knomial:4
    parameter: tuple[str, int] | None  # the name that tables have for it
    selected: bool  # what a call would run
    oversubscribed: bool  # a node has more ranks than cores
    completion_us: float  # from the last rank's beginning to the last one's end
    local_us: float  # mean of what each rank spends in the call
    network_messages: int
    network_bytes: int
    path: tuple[Part, ...]
    library: str | None = None  # whose choice it stands for

    @property
    def ranks(self) -> int:
        """Of the job."""
        return self.nodes * self.ppn


@dataclass(frozen=True)
class Request:
    """What to simulate."""

    machine: str
    operations: Sequence[str]
    nodes: Sequence[int] = (1,)
    ppn: Sequence[int] = (2,)
    sizes: Sequence[int] = (8,)
    algorithms: Sequence[str] = ("selected",)
    table: Path | None = None  # its rules go before all others
    seed: int = 1
    arrivals_us: float = 0.0
    path: bool = False
    threads: int | None = None
    ranks_max: int | None = None  # larger jobs are left out
    give_up: float = 4.0  # what takes so many times as long as another algorithm
    events_max: int | None = None  # of the simulator, for an algorithm that need not be tried
    built_in: bool = False  # without the table that is shipped for the machine

    def arguments(self) -> list[str]:
        """Of the program."""
        lists = {
            "operations": self.operations, "nodes": self.nodes, "ppn": self.ppn,
            "bytes": self.sizes, "algorithms": self.algorithms,
        }  # fmt: skip
        words = ["run", "--machine", self.machine, "--seed", str(self.seed)]
        for name, values in lists.items():
            words += [f"--{name}", ",".join(str(value) for value in values)]
        words += ["--arrivals", str(self.arrivals_us * 1e3)]
        words += ["--table", str(self.table)] if self.table else []
        words += ["--built-in"] if self.built_in else []
        words += ["--give-up", str(self.give_up)]
        words += ["--events-max", str(self.events_max)] if self.events_max else []
        words += ["--threads", str(self.threads)] if self.threads else []
        words += ["--ranks-max", str(self.ranks_max)] if self.ranks_max else []
        return words + (["--path"] if self.path else [])


def program() -> Path:
    """Where `dunlin-sim` is."""
    built = checkout.PREFIX / "bin" / PROGRAM
    found = str(built) if built.exists() else shutil.which(PROGRAM)
    if not found:
        raise DunlinError(
            f"`{PROGRAM}` is not there; install Dunlin, or build it with `make build`, "
            "and put its bin on PATH"
        )
    return Path(found)


def _lines(words: Sequence[str]) -> Iterator[dict[str, Any]]:
    with tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(
            [program(), *words], stdout=subprocess.PIPE, stderr=errors, text=True
        )
        try:
            assert child.stdout is not None
            for line in child.stdout:
                yield json.loads(line)
            if child.wait() != 0:
                errors.seek(0)
                said = errors.read().strip().removeprefix(f"{PROGRAM}: ")
                raise DunlinError(said or f"{PROGRAM} ended with {child.returncode}")
        finally:
            child.kill()
            child.wait()


def machines() -> list[dict[str, Any]]:
    """The machines that have a name: name, description, cores, network."""
    return list(_lines(["machines"]))


def run(request: Request) -> Iterator[tuple[Result | None, int]]:
    """Each result as soon as it is there, and how many there will be. None: the algorithm takes
    far longer than one simulated before it, and was given up."""
    for line in _lines(request.arguments()):
        has = line["parameter"]
        parameter = (has["name"], has["value"]) if has else None
        name = line["algorithm"] + (f":{parameter[1]}" if parameter else "")
        if (outcome := line["outcome"]) is None:
            yield None, line["results"]
            continue
        parts = tuple(Part(p["cost"], p["ns"] / 1e3, p["times"]) for p in outcome["path"])
        yield Result(
            line["operation"], line["nodes"], line["ppn"], line["bytes"], name, parameter,
            line["asked"] is None, line["oversubscribed"],
            outcome["completion_ns"] / 1e3, outcome["mean_local_ns"] / 1e3,
            outcome["network_messages"], outcome["network_bytes"], parts,
            line["asked"] if line["asked"] in LIBRARIES else None,
        ), line["results"]  # fmt: skip


def path_in_words(result: Result) -> str:
    """What the time was spent on: "71 % in 63 latencies of the network of 9.1 µs each"."""
    total = sum(part.us for part in result.path)
    told = []
    for part in result.path:
        if total and part.us / total >= SMALLEST_PART:
            each = f" of {microseconds(part.us / part.times)} each" if part.times > 1 else ""
            told.append(f"{percent(part.us / total)} in {part.times} {COSTS[part.cost]}{each}")
    return listed(told)
