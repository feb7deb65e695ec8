"""Physical impossibilities: figures that no machine can have produced, so that something is wrong
with the program, the clock or the way the result was read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dunlin import words
from dunlin.anomalies.finding import Curve, Figure, Finding, merged, series, table, where
from dunlin.kinds import operation
from dunlin.summary import Cell, Key, Study

# A cache line takes longer than this from one core to another on every processor there is.
CORE_TO_CORE_US = 0.010
# The fastest network adapters need more than this from memory to memory; light does 60 m in it.
NODE_TO_NODE_US = 0.200
# One store of 64 bytes in every cycle at 5 GHz: what one core can write at the very most.
CORE_MBPS = 64 * 5_000.0
# A network is taken to carry this many times the best this study saw, where nobody said how fast
# it is: several adapters in a node may be shared by more pairs than were measured.
WIRE_SLACK = 8.0
# How far below a bound a figure must be: clocks have a resolution.
MARGIN = 0.9
BYTES_PER_MB = 1e6
Y_LABELS = {"bandwidth_mbps": "Bandwidth (MB/s)", "rate_per_s": "Messages per second"}

# Every rank's result depends on every rank's contribution: none can be done before the slowest
# message was under way, on whatever clock.
SYNCHRONISING = frozenset(
    {
        "allgather",
        "allgatherv",
        "allreduce",
        "alltoall",
        "alltoallv",
        "alltoallw",
        "barrier",
    }
)


@dataclass(frozen=True)
class Limits:
    """What the machine can do, where it is known: megabytes per second of one node's network and
    of one node's memory."""

    wire_mbps: float | None = None
    memory_mbps: float | None = None
    # Nobody told how fast the network is; the study's own bandwidths did.
    guessed: bool = False


def received(benchmark: str, size: int, ranks: int) -> int:
    """The bytes that must arrive at each rank from all others, at the least."""
    if benchmark in ("allgather", "allgatherv", "alltoall", "alltoallv"):
        return size * (ranks - 1)
    return size if benchmark in ("latency", "bcast", "allreduce") else 0


def over_the_wire(benchmark: str, size: int, nodes: int, ranks_per_node: int) -> int:
    """The bytes that must enter each node, at the least."""
    outside = ranks_per_node * (nodes - 1)
    if benchmark in ("allgather", "allgatherv"):
        return size * outside
    if benchmark in ("alltoall", "alltoallv"):
        return size * outside * ranks_per_node
    return size if nodes > 1 and benchmark in ("latency", "bcast", "allreduce") else 0


def through_the_root(key: Key) -> int:
    """The bytes that must enter or leave the root's node. Only a clock that all share sees them:
    by their own clocks the other ranks are done long before."""
    if key.nodes == 1 or key.clock != "global":
        return 0
    if key.benchmark in ("gather", "gatherv", "scatter", "scatterv"):
        return key.bytes * key.ranks_per_node * (key.nodes - 1)
    return key.bytes if key.benchmark == "reduce" else 0


Check = tuple[float, str]


def bounds(key: Key, limits: Limits) -> list[Check]:
    """The least microseconds a measurement can have taken, each with its reason."""
    found: list[Check] = []
    # A nonblocking operation, started and waited for, moves what the blocking one does.
    name = operation(key.benchmark)
    if name == "latency" or (name in SYNCHRONISING and key.ranks > 1):
        where_ = "between nodes" if key.nodes > 1 else "between cores"
        least = NODE_TO_NODE_US if key.nodes > 1 else CORE_TO_CORE_US
        found.append((least, f"no message {where_} is faster than {words.microseconds(least)}"))
    arriving = received(name, key.bytes, key.ranks)
    if arriving:
        found.append(
            (
                arriving / CORE_MBPS,
                f"{words.size(arriving)} arrive at every rank, and a core writes at most "
                f"{words.bandwidth(CORE_MBPS)}",
            )
        )
    wired = over_the_wire(name, key.bytes, key.nodes, key.ranks_per_node)
    wired = wired or through_the_root(replace(key, benchmark=name))
    if wired and limits.wire_mbps:
        found.append((wired / limits.wire_mbps, _wire_reason(wired, limits)))
    return found


def _wire_reason(wired: int, limits: Limits) -> str:
    carried = words.bandwidth(limits.wire_mbps or 0.0)
    if limits.guessed:
        return (
            f"{words.size(wired)} enter a node, which takes more than {carried}, "
            f"{WIRE_SLACK:.0f} times the bandwidth between two ranks that this study saw; the "
            "option --wire-gbps says how fast the network is"
        )
    return f"{words.size(wired)} enter a node, and its network carries at most {carried}"


def bandwidth_bound(key: Key, limits: Limits) -> Check:
    """The most megabytes per second of a bandwidth, with the reason."""
    both_ways = 2.0 if key.benchmark == "bibandwidth" else 1.0
    if key.nodes > 1 and limits.wire_mbps and not limits.guessed:
        most = limits.wire_mbps * both_ways
        return most, f"the network carries at most {words.bandwidth(most)}"
    if limits.memory_mbps:
        most = limits.memory_mbps
        return most, f"the memory carries at most {words.bandwidth(most)}"
    most = CORE_MBPS * max(1, key.ranks // 2) * both_ways
    return most, f"a core writes at most {words.bandwidth(CORE_MBPS)}"


def known_limits(study: Study, given: Limits) -> Limits:
    """Limits as given; else as recorded with the machine; else a generous guess at the network
    from the best bandwidth the study saw between nodes."""
    recorded = [run.machine for run in study.runs]
    wire = given.wire_mbps or _largest(m.get("network_mbps") for m in recorded)
    memory = given.memory_mbps or _largest(m.get("memory_mbps") for m in recorded)
    if wire is None:
        seen = [
            c.median
            for c in study.cells
            if c.key.metric == "bandwidth_mbps" and c.key.nodes > 1 and c.sound
        ]
        # Of many libraries the median one: the one that is out of bounds must not set them.
        if seen:
            return Limits(WIRE_SLACK * float(np.quantile(seen, 0.75)), memory, guessed=True)
    return Limits(wire, memory)


def _largest(values: Iterable[object]) -> float | None:
    numbers = [float(v) for v in values if isinstance(v, int | float) and v > 0]
    return max(numbers, default=None)


def find(study: Study, given: Limits | None = None) -> list[Finding]:
    """Everything in a study that cannot be."""
    found = [_unsound(cell) for cell in study.cells if not cell.sound]
    limits = known_limits(study, given or Limits())
    lines = series(study.judged, "bytes")
    for line in lines:
        for cell in line:
            finding = _too_fast(cell, line, limits)
            if finding is not None:
                found.append(finding)
    return merged(found, "metric")


def _unsound(cell: Cell) -> Finding:
    key = cell.key
    bad = [v for v in cell.values if not np.isfinite(v) or v <= 0]
    return Finding(
        kind="impossible",
        severity="wrong",
        title=f"{key.benchmark}: {_sort_of(bad)}",
        text=(
            f"{words.plural(len(bad), 'launch', 'launches')} of {cell.launches} of "
            f"{key.benchmark} of {words.size(key.bytes)} with {where(key)} gave "
            f"{words.listed([f'{v:g}' for v in bad[:3]])} for {key.metric}."
        ),
        advice="Look at the clock of the hosts and at the program's raw output; drop the launch.",
        key=key,
        strength=float("inf"),
        columns=("Launch", "Value"),
        rows=tuple((run, f"{v:g}") for run, v in zip(cell.run_ids, cell.values, strict=True)),
    )


def _sort_of(bad: Sequence[float]) -> str:
    if any(not np.isfinite(v) for v in bad):
        return "a value that is no number"
    return "a negative value" if any(v < 0 for v in bad) else "a value of zero"


def _too_fast(cell: Cell, line: Sequence[Cell], limits: Limits) -> Finding | None:
    key = cell.key
    if key.metric == "bandwidth_mbps":
        most, reason = bandwidth_bound(key, limits)
        factor = cell.median / most
    elif key.metric == "rate_per_s":
        most, reason = bandwidth_bound(key, limits)
        factor = cell.median * key.bytes / BYTES_PER_MB / most
    elif key.metric == "time_us":
        least, reason = max(bounds(key, limits), default=(0.0, ""))
        factor = least / cell.median
    else:
        return None
    if factor * MARGIN <= 1.0:
        return None
    finding = _finding(cell, line, factor, reason)
    return replace(finding, severity="warning") if "--wire-gbps" in reason else finding


def _finding(cell: Cell, line: Sequence[Cell], factor: float, reason: str) -> Finding:
    key = cell.key
    columns, rows = table(line, "bytes")
    y_label = Y_LABELS.get(key.metric, "Time")
    points = tuple(float(c.key.bytes) for c in line), tuple(c.median for c in line)
    return Finding(
        kind="impossible",
        severity="wrong",
        title=f"{key.benchmark}: faster than the machine can be",
        text=(
            f"{key.benchmark} of {words.size(key.bytes)} with {where(key)} gave "
            f"{words.value(cell.median, key.metric)}, {words.times(factor)} better than possible: "
            f"{reason}."
        ),
        advice=(
            "Check what the program touched (untouched memory costs nothing), how its size is "
            "counted, and whose clock it used; leave the figure out until that is known."
        ),
        key=key,
        strength=factor,
        figure=Figure(
            "Size", y_label, "bytes", (Curve("measured", *points),), mark=float(key.bytes)
        ),
        columns=columns,
        rows=rows,
    )
