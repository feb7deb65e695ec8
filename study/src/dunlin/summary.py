"""A study boiled down: one cell per thing measured, holding one value per launch. Comparing,
looking for anomalies and reporting read this and nothing else."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import duckdb
import numpy as np

from dunlin import store
from dunlin.errors import DunlinError
from dunlin.kinds import Kind, kind_of
from dunlin.model import Placement, Run
from dunlin.stats import Array, Interval, median, median_interval

# How the name of a system ends in whose stead a model was simulated.
SIMULATED = " (simulated)"
NOT_MEASURED = "Simulated on a model: nothing of this was measured."


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """What was measured: everything but which launch it was."""

    system: str
    library: str
    profile: str
    nodes: int
    ranks_per_node: int
    benchmark: str
    bytes: int
    metric: str
    clock: str

    @property
    def ranks(self) -> int:
        """All ranks of a launch."""
        return self.nodes * self.ranks_per_node

    @property
    def simulated(self) -> bool:
        """Whether it was simulated, not measured."""
        return self.system.endswith(SIMULATED)


@dataclass(frozen=True)
class Cell:
    """One thing measured, in the unit of its metric: one value per launch, in order of launches."""

    key: Key
    run_ids: tuple[str, ...]
    values: Array

    @property
    def launches(self) -> int:
        """How often it was measured."""
        return len(self.values)

    @cached_property
    def median(self) -> float:
        """The figure to name."""
        return median(self.values)

    @cached_property
    def interval(self) -> Interval:
        """Of the median, over launches."""
        return median_interval(self.values)

    @property
    def least(self) -> float:
        """The smallest launch."""
        return float(self.values.min())

    @property
    def most(self) -> float:
        """The largest launch."""
        return float(self.values.max())

    @cached_property
    def costs(self) -> Array:
        """The launches as a quantity of which less is better, in microseconds where it is a time;
        so that times, bandwidths and rates are compared in one way."""
        if self.key.metric == "bandwidth_mbps":
            # A megabyte per second is a byte per microsecond.
            return max(1, self.key.bytes) / self.values
        if self.key.metric == "rate_per_s":
            return 1e6 / self.values
        return self.values

    @cached_property
    def cost(self) -> float:
        """The median of the costs."""
        return median(self.costs)

    @cached_property
    def sound(self) -> bool:
        """Finite and positive, as anything measured must be."""
        return bool(np.isfinite(self.values).all() and (self.values > 0).all())


@dataclass
class Study:
    """What the store of a study holds, in memory."""

    name: str
    runs: list[Run] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)

    @cached_property
    def run_of(self) -> dict[str, Run]:
        """Launches by their id."""
        return {run.run_id: run for run in self.runs}

    @cached_property
    def simulated(self) -> bool:
        """Whether any of it was simulated, not measured."""
        return any(cell.key.simulated for cell in self.cells)

    @cached_property
    def judged(self) -> list[Cell]:
        """Every measurement once, on the clock to judge by; what cannot be is left out."""
        return [cell for cell in one_clock(self.cells) if cell.sound]

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """What sort each benchmark is."""
        sizes: dict[str, set[int]] = {}
        for cell in self.cells:
            sizes.setdefault(cell.key.benchmark, set()).add(cell.key.bytes)
        return {name: kind_of(name, own) for name, own in sizes.items()}

    def of_kind(self, *wanted: Kind) -> list[Cell]:
        """What was measured of these sorts, each once."""
        return [cell for cell in self.judged if self.kinds[cell.key.benchmark] in wanted]

    def where(self, **wanted: object) -> list[Cell]:
        """The cells whose key has these values."""
        return [c for c in self.cells if all(getattr(c.key, k) == v for k, v in wanted.items())]

    def only(self, cells: Sequence[Cell]) -> "Study":
        """The same study with fewer cells."""
        return Study(self.name, self.runs, list(cells))

    def values_of(self, name: str) -> list[str]:
        """The different values of one part of the keys, sorted."""
        return sorted({getattr(cell.key, name) for cell in self.cells})


Row = tuple[Key, str, float]


def cells_from(rows: Iterable[Row]) -> list[Cell]:
    """Cells from (key, launch, value), sorted by key; a launch's values keep their order."""
    grouped: dict[Key, tuple[list[str], list[float]]] = {}
    for key, run_id, value in rows:
        ids, values = grouped.setdefault(key, ([], []))
        ids.append(run_id)
        values.append(value)
    return [
        Cell(key, tuple(ids), np.asarray(values, dtype=float))
        for key, (ids, values) in sorted(grouped.items())
    ]


# The launch is the unit: iterations of one launch share its placement, its memory and its luck.
_LAUNCHES = """
SELECT r.system, r.library, r.profile, r.nodes, r.ranks_per_node, s.benchmark, s.bytes, s.metric,
       s.clock, r.run_id, list_median(flatten(list(s."values")))
FROM samples s JOIN runs r USING (run_id)
WHERE r.status = 'ok' AND len(s."values") > 0
GROUP BY ALL
ORDER BY min(r."order"), r.run_id
"""
_RUNS = """
SELECT run_id, study, system, library, library_version, vendor, profile, nodes, ranks_per_node,
       benchmark, repetition, "order", started, seconds, status, exit_code, message, command,
       environment, machine, placement, stacks
FROM runs ORDER BY "order", run_id
"""
_JSON = ("command", "environment", "machine", "placement", "stacks")


def _runs(connection: duckdb.DuckDBPyConnection) -> list[Run]:
    cursor = connection.execute(_RUNS)
    names = [column[0] for column in cursor.description or []]
    runs = []
    for row in cursor.fetchall():
        record = dict(zip(names, row, strict=True))
        for name in _JSON:
            record[name] = json.loads(record[name]) if record[name] is not None else None
        record["placement"] = [Placement(**place) for place in record["placement"] or []]
        for name in ("environment", "machine"):
            record[name] = record[name] or {}
        runs.append(Run.model_construct(**record))
    return runs


def load(path: Path) -> Study:
    """The study in this directory (or of this DuckDB file); ingests what its launches left."""
    if not path.exists():
        raise DunlinError("there is no such directory", file=path)
    directory = path if path.is_dir() else path.parent
    if (directory / store.RAW).is_dir():
        store.ingest(directory)
    if not (directory / store.STORE).exists():
        raise DunlinError("there is no study here: no study.duckdb and no directory raw", file=path)
    with store.connect(directory, read_only=True) as connection:
        runs = _runs(connection)
        rows = connection.execute(_LAUNCHES).fetchall()
    cells = cells_from((Key(*row[:9]), row[9], float(row[10])) for row in rows)
    names = sorted({run.study for run in runs})
    return Study(", ".join(names) or directory.name, runs, cells)


# Rooted operations end early on some ranks; what they cost shows only on a clock that all share.
# A latency is half of a round trip on one clock and needs no other.
ONE_CLOCK = frozenset({"latency", "bandwidth", "bibandwidth", "message_rate", "startup", "memory"})


def one_clock(cells: Sequence[Cell]) -> list[Cell]:
    """Every measurement once: of what was timed on both clocks, the one to judge by."""
    clocks: dict[tuple[object, ...], set[str]] = {}
    for cell in cells:
        clocks.setdefault(_timeless(cell.key), set()).add(cell.key.clock)
    return [c for c in cells if c.key.clock == _judged_by(c.key, clocks[_timeless(c.key)])]


def _timeless(key: Key) -> tuple[object, ...]:
    return (
        key.system,
        key.library,
        key.profile,
        key.nodes,
        key.ranks_per_node,
        key.benchmark,
        key.bytes,
        key.metric,
    )


def _judged_by(key: Key, there: set[str]) -> str:
    wanted = "local" if key.benchmark in ONE_CLOCK else "global"
    return wanted if wanted in there else min(there)
