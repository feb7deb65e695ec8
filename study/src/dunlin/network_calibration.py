"""A model of the network between two hosts, from messages between pairs of ranks alone."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

from dunlin import execution, programs
from dunlin.calibration import SHORT_BYTES, Rows, Value, one, switch
from dunlin.libraries import Library, command

SIZES = "8,1K,16K,256K,1M"
# The longest of the fabric udp+tcp that is a datagram for sure, and two that are not. All are eager
# over every fabric.
DATAGRAM_BYTES, CONNECTION_SIZES = 1 << 10, (4 << 10, 16 << 10)
COSTS_SIZES = (SHORT_BYTES, DATAGRAM_BYTES, *CONNECTION_SIZES)
RATE_BYTES = 1 << 20
# Where a token bucket limits the rate, so many bytes pass in less time than their number over it.
BURST_BYTES = 16 << 10
# A quantile of 99 % is so many standard deviations above the median.
DEVIATIONS_OF_P99 = 2.326
# As one piece of the kernel's: 64 KiB less headers.
CONNECTION_PACKET_BYTES = 65160
# The longest eager message by fabric (docs/network.md), and what a packet of it holds; others are
# asked for what they hold.
EAGER_BYTES_MAX = {"udp+tcp": 256 << 10}
EAGER_BYTES_MAX_ELSEWHERE = 64 << 10
# Fabrics whose data the adapter moves.
BY_ADAPTER = ("ofi", "ofi+tcp")
# More of them seldom find more of an adapter.
PAIRS_MAX = 16
# What a network's values have of the node's.
NODE_KEYS = ("switch_ns",)
BOOT_ID = "/proc/sys/kernel/random/boot_id"


@dataclass(frozen=True)
class Measured:
    """What was measured between two hosts."""

    latency: Rows  # latency.c, a rank on each host
    costs: Rows  # message_costs.c
    pair: Rows  # bandwidth.c, a rank on each host
    pairs: Rows  # bandwidth.c, several on each
    together: Rows | None  # latency.c, both on one core, where hosts share them


def one_machine(library: Library) -> bool:
    """Whether both hosts are one machine, whose cores they share."""
    said = execution.call(command(library, 2, "cat", BOOT_ID, nodes=2), library.environment)
    return len(set(said.split())) == 1


def fabric_of(library: Library) -> dict[str, Any]:
    """What `dunlin-info network` says on the first host."""
    info = [library.launcher.with_name("dunlin-info"), "network", "--json"]
    said = execution.call(command(library, 1, *info), library.environment)
    return dict(json.loads(said))


def measure(library: Library, directory: Path, cpus: Sequence[int], shared: bool) -> Measured:
    """Measures between the two hosts to which the library's `launch` sends ranks. Those of each
    may use `cpus`; `shared`: these are the same."""

    def rows(source: str, *arguments: str, ranks: int = 2, before: Sequence[str] = ()) -> Rows:
        program = programs.compiled(programs.sources() / source, library, directory)
        words = [*before, *command(library, ranks, program, *arguments, "--pin", "--json", nodes=2)]
        return execution.rows_of(execution.call(words, library.environment))

    pairs = 1 if shared else min(len(cpus), PAIRS_MAX)
    pair = rows("bandwidth.c", "--sizes", "8,1M")
    return Measured(
        rows("latency.c", "--sizes", SIZES),
        rows("message_costs.c", "--sizes", ",".join(map(str, COSTS_SIZES))),
        pair,
        rows("bandwidth.c", "--sizes", "8,1M", ranks=2 * pairs) if pairs > 1 else pair,
        rows("latency.c", "--sizes", "8", before=("taskset", "-c", str(cpus[0])))
        if shared
        else None,
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
    packet = CONNECTION_PACKET_BYTES if "tcp" in name else float(str(fabric["packet_bytes_max"]))
    connection = _connection(found.costs)
    eager = EAGER_BYTES_MAX.get(name, EAGER_BYTES_MAX_ELSEWHERE)
    return _shared_core(found, send + receive) | {
        "latency_ns": Value(latency, "half round trip of 8 bytes, less what both cores do"),
        "latency_spread": Value(spread, "its quantile of 99 %"),
        "send_ns": Value(send, "MPI_Send of 8 bytes"),
        "receive_ns": Value(receive, "MPI_Recv of 8 bytes that have arrived"),
        **connection,
        "packet_ns": Value(0, "part of the copies' rate"),
        "packet_bytes": Value(packet, f"of the fabric {name}"),
        "adapter_messages_per_ns": Value(messages, "windows of 8 bytes, all pairs"),
        **_burst(found.latency, flow, connection["connection_ns"].value),
        "adapter_bytes_per_ns": Value(max(flow, adapter), "windows of 1 MiB, all pairs"),
        "flow_bytes_per_ns": Value(flow, "windows of 1 MiB, one pair"),
        "eager_bytes_max": Value(eager, f"of the fabric {name}"),
    }


def _shared_core(found: Measured, software_ns: float) -> dict[str, Value]:
    if found.together is None:
        return {}
    half = 1e3 * one(found.together, "latency", "median_us", SHORT_BYTES)
    source = "half round trip of 8 bytes between hosts on one core"
    return dict(zip(NODE_KEYS, [switch(half, software_ns, source)], strict=True))


def _burst(latency: Rows, flow: float, connection_ns: float) -> dict[str, Value]:
    """How many bytes pass before the rate counts, where that makes a difference."""
    short, long = (
        1e3 * one(latency, "latency", "median_us", size) for size in (SHORT_BYTES, BURST_BYTES)
    )
    burst = BURST_BYTES - (long - short - 2 * connection_ns) * flow
    if burst / flow < short:
        return {}
    return {"burst_bytes": Value(burst, "half round trips of 16 KiB and 8 bytes, and the rate")}


def _connection(costs: Rows) -> dict[str, Value]:
    """What longer messages cost the cores, of sender and receiver on average."""
    datagram, short, long = (
        1e3 * sum(one(costs, "message_costs", column, size) for column in ("send_us", "receive_us"))
        for size in (DATAGRAM_BYTES, *CONNECTION_SIZES)
    )
    copied = CONNECTION_SIZES[1] - CONNECTION_SIZES[0]
    return {
        "connection_ns": Value(
            max(short - datagram, 0) / 2, "MPI_Send and MPI_Recv of 4 KiB, less those of 1 KiB"
        ),
        "copy_bytes_per_ns": Value(
            2 * copied / max(long - short, 1.0), "the same of 16 KiB, less those of 4 KiB"
        ),
    }


def text(found: Mapping[str, Value], fabric: Mapping[str, object], shared: bool) -> str:
    """The part of a machine's file that describes the network."""
    name = str(fabric["fabric"])
    lines = ["", "[network]", "adapters = 1"]
    lines += [value.line(key) for key, value in found.items() if key not in NODE_KEYS]
    lines += [f"rendezvous_copies = {str(name not in BY_ADAPTER).lower()}"]
    if shared:
        lines += ["hosts_share_cores = true".ljust(44) + "# both say that they are one machine"]
    lines += ["", "[network.topology]"]
    lines += ["nodes_per_group = 1000000".ljust(44) + "# assumed: one switch"]
    lines += ["between_groups_ns = 0", "taper = 1", ""]
    return "\n".join(lines)
