"""A model of the network between two hosts, from messages between pairs of ranks alone."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

from dunlin import execution, programs
from dunlin.calibration import CROWD, SHORT_BYTES, Rows, Value, one, switch, switch_growth
from dunlin.libraries import Library, command

SIZES = "8,1K,2K,16K,256K,1M"
# A message that is a datagram over every fabric, and two that are not with `udp+tcp`; all are
# eager.
DATAGRAM_BYTES, CONNECTION_SIZES = 1 << 10, (12 << 10, 24 << 10)
COSTS_SIZES = (SHORT_BYTES, DATAGRAM_BYTES, *CONNECTION_SIZES)
# With `udp+tcp` shorter messages are datagrams even where they take several (docs/network.md).
CONNECTION_BYTES_MIN = 4 << 10
RATE_BYTES = 1 << 20
# Where a token bucket limits the rate, so many bytes pass in less time than their number over it.
# The first size that sees all of the bucket tells; a larger one, as clouds have them, is not seen.
BURST_SIZES = (2 << 10, 16 << 10)
# Where so much of a message passed at once, nothing waited: the bucket may hold more than the
# message, and a larger one is tried.
BURST_SEEN = 0.9
# A quantile of 99 % is so many standard deviations above the median.
DEVIATIONS_OF_P99 = 2.326
# As one piece of the kernel's: 64 KiB less headers.
CONNECTION_PACKET_BYTES = 65160
# The longest eager message by fabric (docs/network.md), and what a packet of it holds; others are
# asked for what they hold.
BOTH_WAYS = "udp+tcp"
EAGER_BYTES_MAX = {BOTH_WAYS: 256 << 10}
EAGER_BYTES_MAX_ELSEWHERE = 64 << 10
# Fabrics that may lose datagrams, and when the library acknowledges one by a packet of its own
# (`ack_delay` of crates/wire/src/config.rs).
LOSING, ACKNOWLEDGE_NS = ("udp", BOTH_WAYS), 100_000
# Fabrics whose data the adapter moves.
BY_ADAPTER = ("ofi", "ofi+tcp")
# More of them seldom find more of an adapter.
PAIRS_MAX = 16
# What a network's values have of the node's.
NODE_KEYS = ("switch_ns", "switch_growth")
# The kernel's number, which hosts that are one machine share, and the cores that ranks may use.
WHERE = "echo $(cat /proc/sys/kernel/random/boot_id) $(grep Cpus_allowed_list /proc/self/status)"
# Hosts that share cores: nobody may keep one from the rank whose message has come.
YIELDS = {"DUNLIN_WAIT": "yield"}


@dataclass(frozen=True)
class Measured:
    """What was measured between two hosts."""

    latency: Rows  # latency.c, a rank on each host
    costs: Rows  # message_costs.c
    pair: Rows  # bandwidth.c, a rank on each host
    pairs: Rows  # bandwidth.c, several on each
    together: Rows | None  # pairs.c, two ranks on one core, where hosts share them
    crowd: Rows | None  # pairs.c, CROWD ranks on one core likewise
    crossing: Rows | None  # bandwidth.c likewise, in both directions at once


def share_cores(library: Library) -> bool:
    """Whether both hosts are one machine, whose cores they share."""
    said = execution.call(command(library, 2, "sh", "-c", WHERE, nodes=2), library.environment)
    return len(set(said.splitlines())) == 1


def fabric_of(library: Library) -> dict[str, Any]:
    """What `dunlin-info network` says on the first host."""
    info = [library.launcher.with_name("dunlin-info"), "network", "--json"]
    said = execution.call(command(library, 1, *info), library.environment)
    return dict(json.loads(said))


def measure(library: Library, directory: Path, cpus: Sequence[int], shared: bool) -> Measured:
    """Measures between the two hosts to which the library's `launch` sends ranks. Those of each
    may use `cpus`; `shared`: these are the same."""

    def rows(source: str, *arguments: str, ranks: int = 2, within: Sequence[str] = ()) -> Rows:
        program = programs.compiled(programs.sources() / source, library, directory)
        words = [*within, program, *arguments, "--pin", "--json"]
        started = command(library, ranks, *words, nodes=2)
        return execution.rows_of(execution.call(started, library.environment))

    pairs = 1 if shared else min(len(cpus), PAIRS_MAX)
    pair = rows("bandwidth.c", "--sizes", "8,1M")
    on_one_core = ("taskset", "-c", str(cpus[0]))
    return Measured(
        rows("latency.c", "--sizes", SIZES),
        rows("message_costs.c", "--sizes", ",".join(map(str, COSTS_SIZES))),
        pair,
        rows("bandwidth.c", "--sizes", "8,1M", ranks=2 * pairs) if pairs > 1 else pair,
        rows("pairs.c", "--sizes", "8", within=on_one_core) if shared else None,
        rows("pairs.c", "--sizes", "8", ranks=CROWD, within=on_one_core) if shared else None,
        rows("bandwidth.c", "--sizes", "1M", "--both-ways", within=on_one_core) if shared else None,
    )


def values(found: Measured, fabric: Mapping[str, object]) -> dict[str, Value]:
    """The values of a network's model; `fabric` is what `dunlin-info network --json` says. Where
    hosts share cores, also one of their node's."""
    name = str(fabric["fabric"])
    half, late = (
        1e3 * one(found.latency, "latency", column, SHORT_BYTES)
        for column in ("median_us", "p99_us")
    )
    send, receive = (
        1e3 * one(found.costs, "message_costs", column, SHORT_BYTES)
        for column in ("send_us", "receive_us")
    )
    # Both cores may be at work at once, so nothing may seem to be left for the journey.
    latency = max(half - send - receive, half / 10)
    spread = log(1 + max(late - half, 0) / latency) / DEVIATIONS_OF_P99
    flow, adapter = (
        one(rows, "bandwidth", "median_mb_per_s", RATE_BYTES) / 1e3
        for rows in (found.pair, found.pairs)
    )
    messages = one(found.pairs, "bandwidth", "messages_per_s", SHORT_BYTES) / 1e9
    datagram = float(str(fabric["packet_bytes_max"]))
    packet = CONNECTION_PACKET_BYTES if name in ("tcp", BOTH_WAYS) else datagram
    copies, connection_ns = _longer(found.costs)
    eager = EAGER_BYTES_MAX.get(name, EAGER_BYTES_MAX_ELSEWHERE)
    return _shared_core(found, send + receive) | {
        "latency_ns": Value(latency, "half round trip of 8 bytes, less what both cores do"),
        "latency_spread": Value(spread, "its quantile of 99 %"),
        "send_ns": Value(send, "MPI_Send of 8 bytes"),
        "receive_ns": Value(receive, "MPI_Recv of 8 bytes that have arrived"),
        **_connection(name, datagram, connection_ns),
        **_acknowledged(name),
        "copy_bytes_per_ns": Value(copies, "MPI_Send and MPI_Recv of 24 KiB, less those of 12 KiB"),
        "packet_ns": Value(0, "part of the copies' rate"),
        "packet_bytes": Value(packet, f"of the fabric {name}"),
        "adapter_messages_per_ns": Value(messages, "windows of 8 bytes, all pairs"),
        **_burst(found.latency, flow, connection_ns, copies),
        "adapter_bytes_per_ns": Value(max(flow, adapter), "windows of 1 MiB, all pairs"),
        "flow_bytes_per_ns": Value(flow, "windows of 1 MiB, one pair"),
        **_shared_core_rate(found.crossing, flow),
        "eager_bytes_max": Value(eager, f"of the fabric {name}"),
    }


def _shared_core(found: Measured, software_ns: float) -> dict[str, Value]:
    if found.together is None or found.crowd is None:
        return {}
    half = 1e3 * one(found.together, "pairs", "median_us", SHORT_BYTES)
    source = "half round trip of 8 bytes between hosts on one core"
    growth = switch_growth(found.together, found.crowd, software_ns)
    return dict(zip(NODE_KEYS, [switch(half, software_ns, source), growth], strict=True))


def _shared_core_rate(crossing: Rows | None, flow: float) -> dict[str, Value]:
    """For how many bytes one core does the kernel's work, where hosts share cores."""
    if crossing is None:
        return {}
    rate = one(crossing, "bandwidth_both_ways", "median_mb_per_s", RATE_BYTES) / 1e3
    # It also did the work of both ranks, so it may seem to do less than what was seen of one pair.
    source = "windows of 1 MiB, both ways between hosts on one core"
    return {"core_bytes_per_ns": Value(max(rate, flow), source)}


def _burst(latency: Rows, flow: float, connection_ns: float, copies: float) -> dict[str, Value]:
    """How many bytes pass before the rate counts, where that makes a difference."""
    short = 1e3 * one(latency, "latency", "median_us", SHORT_BYTES)
    burst, seen = 0.0, 0
    for size in BURST_SIZES:
        seen = size
        software_ns = 2 * size / copies + (0 if size < CONNECTION_BYTES_MIN else 2 * connection_ns)
        late_ns = 1e3 * one(latency, "latency", "median_us", size) - short - software_ns
        burst = size - max(late_ns, 0) * flow
        if burst < BURST_SEEN * size:
            break
    if burst / flow < short:
        return {}
    told = f"{seen >> 10} KiB and 8 bytes"
    return {"burst_bytes": Value(burst, f"half round trips of {told}, and the rate")}


def _longer(costs: Rows) -> tuple[float, float]:
    """Bytes per nanosecond that sender and receiver each copy, and what a message that is no
    datagram costs each on top, in nanoseconds: on average."""
    datagram, short, long = (
        1e3 * sum(one(costs, "message_costs", column, size) for column in ("send_us", "receive_us"))
        for size in (DATAGRAM_BYTES, *CONNECTION_SIZES)
    )
    copies = 2 * (CONNECTION_SIZES[1] - CONNECTION_SIZES[0]) / max(long - short, 1.0)
    copied = 2 * (CONNECTION_SIZES[0] - DATAGRAM_BYTES) / copies
    return copies, max(short - datagram - copied, 0) / 2


def _connection(fabric: str, datagram: float, connection_ns: float) -> dict[str, Value]:
    """Where longer messages go another way."""
    if fabric != BOTH_WAYS:
        return {}
    return {
        "connection_ns": Value(connection_ns, "those of 12 KiB, less those of 1 KiB and copies"),
        "datagram_bytes_max": Value(max(datagram, CONNECTION_BYTES_MIN - 1), "the fabric"),
    }


def _acknowledged(fabric: str) -> dict[str, Value]:
    """Where datagrams may be lost."""
    if fabric not in LOSING:
        return {}
    return {"acknowledge_ns": Value(ACKNOWLEDGE_NS, "the library")}


def text(found: Mapping[str, Value], fabric: Mapping[str, object], shared: bool) -> str:
    """The part of a machine's file that describes the network."""
    name = str(fabric["fabric"])
    lines = ["", "[network]", "adapters = 1"]
    lines += [value.line(key) for key, value in found.items() if key not in NODE_KEYS]
    lines += [f"rendezvous_copies = {str(name not in BY_ADAPTER).lower()}"]
    if shared:
        lines += ["hosts_share_cores = true".ljust(44) + "# measured with DUNLIN_WAIT=yield"]
    lines += ["", "[network.topology]"]
    lines += ["nodes_per_group = 1000000".ljust(44) + "# assumed: one switch"]
    lines += ["between_groups_ns = 0", "taper = 1", ""]
    return "\n".join(lines)
