"""A model of this machine, from what single cores and pairs of ranks take. Of collective operations
an exchange of two messages alone is measured: what the model says of others can be checked against
them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any

from dunlin import execution, programs
from dunlin.errors import DunlinError
from dunlin.libraries import Library, command

# Sizes at which rates are read: they fit into a core's own cache, into a shared one, and into none.
OWN_CACHE_BYTES, SHARED_CACHE_BYTES, LONG_BYTES = 64 << 10, 1 << 20, 32 << 20
# Copies out of shared memory begin slowly and are mostly of some KiB.
REMOTE_BYTES = 16 << 10
# Of a message that shares its cache line with its header, and of one that is all data.
SHORT_BYTES = 8
PAGE_BYTES = 4096
# What each of several copies at once.
READ_BYTES = 128 << 10
# Of a bounce buffer.
FRAGMENT_BYTES = 32 << 10
# Within a collective operation a message is a request of a task, which costs more than MPI_Send:
# this is an exchange of two messages by two ranks, and nothing else.
AS_EXCHANGE = "barrier=dissemination"
# Of one rank alone these communicate nothing: a call with data that does not take the fast path;
# two alltoalls, of which the second asks for SCRATCHES pieces of scratch memory; two allgathers,
# of which the second asks for one and copies once more; and a call that finds the ranks of levels.
ALONE = {"call": "bcast=binomial", "plain": "alltoall=linear", "scratch": "alltoall=bruck",
         "once": "allgather=direct", "twice": "allgather=bruck",
         "levels": "bcast=two_level"}  # fmt: skip
SCRATCHES = 3
CALL_NS = 60
SIZES = "1K,64K,1M,32M"
# Ranks that share a core, and for each of some cores.
CROWD, PER_CORE, CROWDED_CORES_MAX = 8, 4, 8
# Of launches whose ranks the system places, one in which they are lucky says nothing.
PLACED_LAUNCHES = 3
# A message, copied twice, that stays in all caches but the smallest.
CROWD_BYTES = 16 << 10
Rows = list[dict[str, Any]]
Repeated = Callable[[Callable[[], Rows]], Rows]


@dataclass(frozen=True)
class Value:
    """A value of the model, and where it comes from."""

    value: float
    source: str

    def line(self, key: str) -> str:
        """As in a file of machines/."""
        whole = float(self.value).is_integer()
        told = f"{self.value:.0f}" if whole else f"{self.value:.4g}"
        return f"{key} = {told}".ljust(44) + f"# {self.source}"


def combined(rounds: Sequence[Mapping[str, Value]]) -> dict[str, Value]:
    """The median of each value that most rounds have, and from where to where it went."""
    found = {}
    for key in dict.fromkeys(key for values in rounds for key in values):
        seen = sorted((v[key] for v in rounds if key in v), key=lambda value: value.value)
        if len(seen) <= len(rounds) / 2:
            continue  # too small to be told from errors of measurement
        source, (least, most) = seen[0].source, (seen[0].value, seen[-1].value)
        if most > least:
            source = f"{source}: {least:.4g} to {most:.4g}"
        found[key] = Value(median(value.value for value in seen), source)
    return found


def middle(launches: Sequence[Rows]) -> Rows:
    """Of several launches of `pairs.c`, the one whose copies take neither the longest nor the
    shortest."""
    return sorted(launches, key=lambda rows: _copies(rows, "pairs"))[len(launches) // 2]


def _copies(rows: Rows, bench: str) -> float:
    """What the copies of a message take that is not short, in us."""
    short, long = (one(rows, bench, "median_us", size) for size in (SHORT_BYTES, CROWD_BYTES))
    return long - short


def one(rows: Rows, bench: str, column: str, size: int | None = None) -> float:
    """A figure of one benchmark at one size."""
    for row in rows:
        if row["bench"] == bench and size in (None, row["bytes"]):
            return float(row[column])
    raise DunlinError(f"the benchmark printed no `{bench}`; nothing can be said of this machine")


@dataclass(frozen=True)
class Measured:
    """What was measured on one node."""

    costs: Rows  # node_costs.c
    limits: Rows  # limits.c
    apart: Rows  # latency.c, each rank on a core of its own
    exchange: Rows  # two ranks exchange empty messages by the code of collective operations
    together: Rows  # pairs.c, two ranks on one core
    crowd: Rows  # pairs.c, CROWD ranks on one core
    crowds: Rows  # pairs.c, PER_CORE ranks for each core, wherever the system puts them
    alone: Mapping[str, float]  # us of a call of one rank: of a barrier, and by the name in ALONE


def measure(
    library: Library,
    directory: Path,
    cpus: Sequence[int],
    repeated: Repeated = lambda run: run(),
) -> Measured:
    """Measures this node, whose usable processors are `cpus`, in a few seconds. Each launch whose
    ranks have their places goes through `repeated`, which may do it several times."""

    def rows(
        source: str, *arguments: str, ranks: int = 2, before: tuple[str, ...] = (),
        how: Repeated = repeated, **setting: str,
    ) -> Rows:  # fmt: skip
        program = programs.compiled(programs.sources() / source, library, directory)
        words = [*before, *command(library, ranks, program, *arguments, "--json")]
        environment = {**library.environment, **setting}
        return how(lambda: execution.rows_of(execution.call(words, environment)))

    def placed_by_system(run: Callable[[], Rows]) -> Rows:
        return middle([run() for _ in range(PLACED_LAUNCHES)])

    def alone(algorithm: str) -> float:
        operation = algorithm.partition("=")[0]
        words = "--op", operation, "--sizes", str(SHORT_BYTES), "--pin"
        found = rows("collective.c", *words, ranks=1, DUNLIN_COLL_ALGORITHM=algorithm)
        return one(found, operation, "in_a_row_us")

    def on(cores: Sequence[int]) -> tuple[str, ...]:
        return "taskset", "-c", ",".join(map(str, cores))

    limits = programs.compiled(programs.sources() / "limits.c", library, directory)
    one_core, crowded = on([min(cpus)]), sorted(cpus)[:CROWDED_CORES_MAX]
    in_crowds = "--sizes", f"8,{CROWD_BYTES}", "--no-pin"
    return Measured(
        rows("node_costs.c", "--sizes", "16K,64K", ranks=len(cpus)),
        repeated(lambda: execution.rows_of(execution.call([limits, "--json", "--sizes", SIZES]))),
        rows("latency.c", "--sizes", f"8,{CROWD_BYTES},64K,1M", "--pin"),
        rows("collective.c", "--op", "barrier", "--pin", DUNLIN_COLL_ALGORITHM=AS_EXCHANGE),
        rows("pairs.c", *in_crowds, before=one_core),
        rows("pairs.c", *in_crowds, ranks=CROWD, before=one_core),
        rows(
            "pairs.c",
            *in_crowds,
            ranks=PER_CORE * len(crowded),
            before=on(crowded),
            how=placed_by_system,
        ),
        {name: alone(algorithm) for name, algorithm in {"barrier": AS_EXCHANGE, **ALONE}.items()},
    )


def node(found: Measured, caches: Mapping[str, float]) -> dict[str, Value]:
    """The values of a node's model."""
    half_ns = 1e3 * one(found.apart, "latency", "median_us", SHORT_BYTES)
    software_ns = half_ns / 5
    row_ns = 1e3 * one(found.exchange, "barrier", "in_a_row_us")
    shared_ns = 1e3 * one(found.together, "pairs", "median_us", SHORT_BYTES)
    line_ns = half_ns - software_ns
    copy = one(found.limits, "memory_copy", "mb_per_s", OWN_CACHE_BYTES) / 1e3
    remote = one(found.costs, "remote_copy", "bytes_per_ns", REMOTE_BYTES)
    return {
        "call_ns": Value(CALL_NS, "assumed"),
        **_general(found.alone),
        "line_ns": Value(line_ns, f"half round trip of 8 bytes, {half_ns:.0f} ns, less messages"),
        "line_next_reader_ns": Value(20, "assumed: two cores cannot tell"),
        "copy_bytes_per_ns": Value(copy, "memcpy of 64 KiB"),
        "remote_copy_bytes_per_ns": Value(
            REMOTE_BYTES / max(REMOTE_BYTES / remote - line_ns, 1),
            "memcpy of 16 KiB that another core has written, less a line",
        ),
        "reduce_bytes_per_ns": Value(
            one(found.costs, "reduce", "bytes_per_ns", OWN_CACHE_BYTES), "64 KiB of floats"
        ),
        "cache_bytes": Value(caches["all"], "the kernel: own caches and a share of the last"),
        "private_cache_bytes": Value(caches["own"], "the kernel"),
        "shared_cache_copy_bytes_per_ns": Value(
            one(found.limits, "memory_copy", "mb_per_s", SHARED_CACHE_BYTES) / 1e3,
            "memcpy of 1 MiB",
        ),
        "memory_copy_bytes_per_ns": Value(
            one(found.costs, "memory_copy_one", "bytes_per_ns"), "memcpy of 32 MiB, one core"
        ),
        "page_fault_ns": Value(
            PAGE_BYTES / one(found.costs, "fresh_memory", "bytes_per_ns"),
            "a page of 2 MiB that is mapped, touched and unmapped",
        ),
        "numa_bytes_per_ns": Value(
            2 * one(found.costs, "memory_copy_all", "bytes_per_ns"),
            "all cores copy 32 MiB each: bytes read and written",
        ),
        "message_ns": Value(
            max(row_ns - line_ns - max(1e3 * found.alone["barrier"], CALL_NS), software_ns) / 2,
            f"exchange of empty messages, {row_ns:.0f} ns, less a line and a barrier by one rank",
        ),
        **_long(found.apart, half_ns),
        **_single_copy(found.limits),
        "single_copy_page_lock_ns": _page_lock(found.costs),
        "switch_ns": switch(shared_ns, software_ns, "half round trip of 8 bytes on one core"),
        "switch_growth": switch_growth(found.together, found.crowd, software_ns),
        "shared_core_slowdown": _slowdown(found),
    }


def switch(half_ns: float, software_ns: float, source: str) -> Value:
    """What it costs to give a core to the next rank, by what two ranks on one core take."""
    # The one rank that waits gets a turn half of the times.
    return Value(max(half_ns - software_ns, 0) / 1.5, f"{source}, {half_ns:.0f} ns")


def switch_growth(pair: Rows, crowd: Rows, software_ns: float) -> Value:
    """By what part of that it costs more for each rank beyond two: while all pairs of a core go to
    and fro, some rank can always go on."""
    two, many = (1e3 * one(rows, "pairs", "median_us", SHORT_BYTES) for rows in (pair, crowd))
    alone, among = max(two - software_ns, 1), many / (CROWD / 2) - software_ns
    growth = max(among / alone - 1, 0) / (CROWD - 2)
    source = f"half round trips of {CROWD // 2} pairs on one core, {many:.0f} ns"
    return Value(growth, source)


def _slowdown(found: Measured) -> Value:
    """How many times as long copies between ranks take where these share cores."""
    # A pair is on one core or on two.
    alone = (_copies(found.together, "pairs") + _copies(found.apart, "latency")) / 2
    among = _copies(found.crowds, "pairs") / (PER_CORE / 2)
    if alone <= 0:
        return Value(1, "assumed: 16 KiB seemed to take no longer than 8 bytes")
    source = f"messages of 16 KiB of {PER_CORE // 2} pairs a core beside those of one pair"
    return Value(max(among / alone, 1), source)


def _general(alone: Mapping[str, float]) -> dict[str, Value]:
    """What calls cost that do not take the fast path, by what they cost one rank."""
    ns = {name: 1e3 * us for name, us in alone.items()}
    call, data = max(ns["barrier"] - CALL_NS, 0), max(ns["call"] - ns["barrier"], 0)
    verb = max(ns["scratch"] - ns["plain"], 0) / SCRATCHES
    copy, levels = max(ns["twice"] - ns["once"] - verb, 0), max(ns["levels"] - ns["call"], 0)
    return {
        "general_call_ns": Value(
            call, f"barrier by one rank, {ns['barrier']:.0f} ns, less call_ns"
        ),
        "data_call_ns": Value(
            data, f"bcast of 8 bytes by one rank, {ns['call']:.0f} ns, less the barrier"
        ),
        "general_verb_ns": Value(
            verb,
            f"alltoall by one rank with {SCRATCHES} pieces of scratch memory, "
            f"{ns['scratch']:.0f} ns, less one without",
        ),
        "general_copy_ns": Value(
            copy,
            f"allgather by one rank that copies twice, {ns['twice']:.0f} ns, less one that copies "
            "once and a piece of scratch memory",
        ),
        "levels_ns": Value(
            levels, f"bcast in two levels by one rank, {ns['levels']:.0f} ns, less the other"
        ),
    }


def _long(apart: Rows, half_ns: float) -> dict[str, Value]:
    """What messages carry that do not fit into a line."""

    def takes(size: int) -> float:
        return max(1e3 * one(apart, "latency", "median_us", size) - half_ns, 1)

    # The receiver copies while the sender fills the next bounce buffer.
    passes = OWN_CACHE_BYTES + FRAGMENT_BYTES
    return {
        "bounce_copy_bytes_per_ns": Value(
            passes / takes(OWN_CACHE_BYTES), "half round trip of 64 KiB, less that of 8 bytes"
        ),
        "long_message_bytes_per_ns": Value(
            SHARED_CACHE_BYTES / takes(SHARED_CACHE_BYTES), "the same of 1 MiB"
        ),
    }


def _single_copy(limits: Rows) -> dict[str, Value]:
    """Without the fixed cost where the system forbids it."""
    if not any(row["bench"] == "single_copy" for row in limits):
        return {"single_copy_bytes_per_ns": Value(1, "not used: process_vm_readv is forbidden")}
    single, long = (
        1e3 * one(limits, "single_copy", "min_us", size) for size in (1 << 10, SHARED_CACHE_BYTES)
    )
    return {
        "single_copy_ns": Value(single, "process_vm_readv of 1 KiB"),
        "single_copy_bytes_per_ns": Value(
            SHARED_CACHE_BYTES / (long - single), "process_vm_readv of 1 MiB, less that"
        ),
        "single_copy_memory_bytes_per_ns": Value(
            LONG_BYTES / (1e3 * one(limits, "single_copy", "median_us", LONG_BYTES)),
            "process_vm_readv of 32 MiB",
        ),
    }


def _page_lock(costs: Rows) -> Value:
    """What a page takes of which several copy at a time."""
    for row in costs:
        if row["bench"] == "single_copy_at_once":
            readers = row["bytes"] // READ_BYTES
            source = f"process_vm_readv of 128 KiB by {readers} at once, from one huge page"
            return Value(PAGE_BYTES / float(row["bytes_per_ns"]), source)
    return Value(20, "assumed: few cores cannot tell")


DISTANCES = ("line_ns", "remote_copy_bytes_per_ns")


def text(description: str, cores: int, values: Mapping[str, Value]) -> str:
    """The file of a machine without its network: all cores as far from each other as two are."""
    lines = [
        f'description = "{description}"', "", "[node]",
        "sockets = 1", "numa_per_socket = 1", "caches_per_numa = 1",
        f"cores_per_cache = {cores}",
    ]  # fmt: skip
    lines += [value.line(key) for key, value in values.items() if key not in DISTANCES]
    for key in DISTANCES:
        lines += ["", f"[node.{key}]"]
        lines += [values[key].line(where) for where in ("cache", "numa", "socket", "node")]
    return "\n".join([*lines, ""])


CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


def caches(cores: int, system: Path = CACHES) -> dict[str, float]:
    """Bytes of a core's own caches, and of all it may use."""
    own, shared = 0.0, 0.0
    for index in sorted(system.glob("index*")):
        kind = (index / "type").read_text().strip()
        size = int((index / "size").read_text().strip().removesuffix("K")) * 1024
        users = len(_cpus((index / "shared_cpu_list").read_text().strip()))
        if kind != "Instruction" and users == 1:
            own = max(own, size)
        elif kind != "Instruction":
            shared = max(shared, size / ceil(min(users, cores)))
    if not own + shared:
        raise DunlinError(
            f"the kernel says nothing of caches in {system}; a model needs their sizes"
        )
    return {"own": own or shared, "all": own + shared}


def _cpus(text: str) -> list[int]:
    cpus: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        cpus += range(int(first), int(last or first) + 1)
    return cpus
