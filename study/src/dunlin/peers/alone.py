"""`make bench`: messages, collectives, ring, start-up, memory and packing beside what the machine
can do."""

import argparse
import os
from pathlib import Path

from dunlin import bare, checkout, programs
from dunlin.cli import told
from dunlin.peers import cases
from dunlin.peers.libraries import Contender
from dunlin.stats import median
from dunlin.words import columns, size

PROGRAMS = ["latency", "bandwidth", "collective", "ring", "startup", "memory",
            "pingpong_vs_cache_line",
            "pack"]
SIZES_SHOWN = [0, 8, 64, 1024, 8192, 65536, 262144, 1 << 20, 4 << 20]
RING_RANKS = 8
STARTUP_RANKS = [2, 16, 64]
STARTUP_REPEATS = 5
MEMORY_RANKS = [2, 16]
COLLECTIVE_RANKS = [2, 4]
COLLECTIVE_BUDGET_MS = 20
DOUBLE_BYTES = 8


def at_size(by_size: dict[int, float], count: int, decimals: int) -> str:
    """A figure, where there is one of that size."""
    return f"{by_size[count]:.{decimals}f}" if count in by_size else ""


def show(titles: list[str], rows: list[list[str]]) -> None:
    """A table."""
    print(columns(titles, rows))


def messages(one: Contender, limits: bare.Limits) -> None:
    """Latency and bandwidth by size, and what one copy of that size takes."""
    latency = {r["bytes"]: r for r in one.rows("latency", 2)}
    one_way, both_ways = (
        {r["bytes"]: r["median_mb_per_s"] for r in one.rows("bandwidth", 2, *how)}
        for how in ([], ["--both-ways"]))
    rows = []
    for count in SIZES_SHOWN:
        lat = latency[count]
        rows.append([
            size(count),
            f"{lat['median_us']:.2f}", f"{lat['min_us']:.2f}", f"{lat['p99_us']:.2f}",
            at_size(limits.single_copy_us, count, 2), at_size(one_way, count, 0),
            at_size(both_ways, count, 0), at_size(limits.copy_mb_per_s, count, 0),
        ])
    print("\nTwo ranks of one node: half round trip, and the rate of windows of 64 messages\n")
    show(
        ["Size", "Median us", "Min us", "p99 us", "single copy us", "MB/s", "both ways",
         "memcpy MB/s"], rows)


def collectives(one: Contender, ranks: int) -> None:
    """The common operations at the sizes of the comparison with other libraries."""
    sizes = ",".join(map(str, cases.COLLECTIVE_SIZES))
    found = one.rows("collective", ranks, "--op", ",".join(cases.OPERATIONS),
                     "--sizes", sizes, "--budget", COLLECTIVE_BUDGET_MS)
    by_op: dict[str, dict[int, float]] = {}
    for r in found:
        key = cases.collective_figure(r["bench"]).key
        by_op.setdefault(r["bench"], {})[r["bytes"]] = r[key]
    print(f"\nCollective operations on {ranks} ranks, us; docs/benchmarks.md says which time\n")
    show(
        ["", "no data", *map(size, cases.COLLECTIVE_SIZES)],
        [[op, *(at_size(times, count, 2) for count in [0, *cases.COLLECTIVE_SIZES])]
         for op, times in by_op.items()])


def memory(one: Contender) -> None:
    """Proportional shares, as the system counts them."""
    print("\nMemory of a rank, KiB: its share, and what it alone has written\n")
    keys = ("init_pss_kib", "init_dirty_kib", "talked_pss_kib", "talked_dirty_kib",
            "used_pss_kib", "used_dirty_kib")
    rows = [one.rows("memory", n)[0] for n in MEMORY_RANKS]
    show(
        ["Ranks", "after MPI_Init", "own", "after an all-to-all", "own", "after collectives",
         "own"],
        [[str(r["ranks"]), *(f"{r[key]:.0f}" for key in keys)] for r in rows])


def against_the_line(one: Contender) -> None:
    """The 8-byte message beside the bare cache line, measured in turns."""
    row = one.rows("pingpong_vs_cache_line", 2)[0]
    print("\nPrice of MPI over the machine, 8 bytes, measured in turns\n")
    show(
        ["MPI ns", "cache line ns", "ratio"],
        [[f"{row['mpi_ns']:.0f}", f"{row['line_ns']:.0f}", f"{row['ratio']:.1f}"]])


def ring(one: Contender) -> None:
    """A token round more ranks than a small machine has cores."""
    cores = len(os.sched_getaffinity(0))
    row = one.rows("ring", RING_RANKS)[0]
    print(f"\nA token round {RING_RANKS} ranks on {cores} core(s)\n")
    show(
        ["Median us/hop", "Min us/hop", "p99 us/hop"],
        [[f"{row[key]:.2f}" for key in
          ("median_us_per_hop", "min_us_per_hop", "p99_us_per_hop")]])


def start_ms(one: Contender, ranks: int) -> float:
    """Median of the wall-clock time of a job that does nothing but begin and end."""
    program = one.programs["startup"]
    return median([programs.seconds(one.library, ranks, program)
                   for _ in range(STARTUP_REPEATS)]) * 1e3


def startup(one: Contender) -> None:
    """From the command to its end, of a program that only calls MPI_Init and MPI_Finalize."""
    print(f"\nStart and end of a job (median of {STARTUP_REPEATS})\n")
    rows = [
        [str(n), f"{start_ms(one, n):.1f}"]
        for n in STARTUP_RANKS
    ]
    show(["Ranks", "ms"], rows)


def pack(one: Contender) -> None:
    """A strided vector of doubles through MPI's packing and through a loop."""
    rows = [
        [str(r["bytes"] // DOUBLE_BYTES)]
        + [f"{r[key]:.2f}" for key in ("pack_us", "pack_loop_us", "pack_ratio",
                                       "unpack_us", "unpack_loop_us", "unpack_ratio")]
        for r in one.rows("pack", 1)
    ]
    print("\nEvery second block of doubles, beside a hand-written loop, measured in turns\n")
    show(
        ["Block", "Pack us", "loop us", "ratio", "Unpack us", "loop us", "ratio"], rows)


def main() -> None:
    """One table after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prefix", type=Path, default=checkout.PREFIX,
                        help="where Dunlin is installed (default: build/prefix)")
    one = Contender(checkout.dunlin(parser.parse_args().prefix), [])
    one.build(PROGRAMS)
    limits = bare.limits(one.library, checkout.BUILT)
    print(f"The machine: one cache line moves between two cores in {limits.line_ns:.0f} ns "
          "(half round trip)")
    messages(one, limits)
    against_the_line(one)
    for ranks in COLLECTIVE_RANKS:
        collectives(one, ranks)
    ring(one)
    startup(one)
    memory(one)
    pack(one)


if __name__ == "__main__":
    told(main)
