"""`make bench`: messages, collectives, ring, start-up, memory and packing beside what the machine
can do."""

import argparse
import os
from pathlib import Path

import harness
import peer_cases
from harness import size_text

SIZES_SHOWN = [0, 8, 64, 1024, 8192, 65536, 262144, 1 << 20, 4 << 20]
RING_RANKS = 8
STARTUP_RANKS = [2, 16, 64]
STARTUP_REPEATS = 5
MEMORY_RANKS = [2, 16]
COLLECTIVE_RANKS = [2, 4]
COLLECTIVE_BUDGET_MS = 20
DOUBLE_BYTES = 8


def at_size(by_size: dict[int, float], size: int, decimals: int) -> str:
    """A figure, where there is one of that size."""
    return f"{by_size[size]:.{decimals}f}" if size in by_size else ""


def messages(mpi, programs, limits) -> None:
    """Latency and bandwidth by size, and what one copy of that size takes."""
    latency = {r["bytes"]: r for r in mpi.rows(2, programs["latency"])}
    one_way, both_ways = (
        {r["bytes"]: r["median_mb_per_s"] for r in mpi.rows(2, programs["bandwidth"], *how)}
        for how in ([], ["--both-ways"]))
    rows = []
    for size in SIZES_SHOWN:
        lat = latency[size]
        rows.append([
            size_text(size),
            f"{lat['median_us']:.2f}", f"{lat['min_us']:.2f}", f"{lat['p99_us']:.2f}",
            at_size(limits.single_copy_us, size, 2), at_size(one_way, size, 0),
            at_size(both_ways, size, 0), at_size(limits.copy_mb_per_s, size, 0),
        ])
    print("\nTwo ranks of one node: half round trip, and the rate of windows of 64 messages\n")
    harness.print_table(
        ["Size", "Median us", "Min us", "p99 us", "single copy us", "MB/s", "both ways",
         "memcpy MB/s"], rows)


def collectives(mpi, programs, ranks: int) -> None:
    """The common operations at the sizes of the comparison with other libraries."""
    sizes = ",".join(map(str, peer_cases.COLLECTIVE_SIZES))
    found = mpi.rows(ranks, programs["collective"], "--op", ",".join(peer_cases.OPERATIONS),
                     "--sizes", sizes, "--budget", COLLECTIVE_BUDGET_MS)
    by_op: dict[str, dict[int, float]] = {}
    for r in found:
        key = peer_cases.collective_figure(r["bench"]).key
        by_op.setdefault(r["bench"], {})[r["bytes"]] = r[key]
    print(f"\nCollective operations on {ranks} ranks, us; docs/benchmarks.md says which time\n")
    harness.print_table(
        ["", "no data", *map(size_text, peer_cases.COLLECTIVE_SIZES)],
        [[op, *(at_size(times, size, 2) for size in [0, *peer_cases.COLLECTIVE_SIZES])]
         for op, times in by_op.items()])


def memory(mpi, programs) -> None:
    """Proportional shares, as the system counts them."""
    print("\nMemory of a rank, KiB: its share, and what it alone has written\n")
    keys = ("init_pss_kib", "init_dirty_kib", "talked_pss_kib", "talked_dirty_kib",
            "used_pss_kib", "used_dirty_kib")
    rows = [mpi.rows(n, programs["memory"])[0] for n in MEMORY_RANKS]
    harness.print_table(
        ["Ranks", "after MPI_Init", "own", "after an all-to-all", "own", "after collectives",
         "own"],
        [[str(r["ranks"]), *(f"{r[key]:.0f}" for key in keys)] for r in rows])


def against_the_line(mpi, programs) -> None:
    """The 8-byte message beside the bare cache line, measured in turns."""
    row = mpi.rows(2, programs["pingpong_vs_line"])[0]
    print("\nPrice of MPI over the machine, 8 bytes, measured in turns\n")
    harness.print_table(
        ["MPI ns", "cache line ns", "ratio"],
        [[f"{row['mpi_ns']:.0f}", f"{row['line_ns']:.0f}", f"{row['ratio']:.1f}"]])


def ring(mpi, programs) -> None:
    """A token round more ranks than a small machine has cores."""
    cores = len(os.sched_getaffinity(0))
    row = mpi.rows(RING_RANKS, programs["ring"])[0]
    print(f"\nA token round {RING_RANKS} ranks on {cores} core(s)\n")
    harness.print_table(
        ["Median us/hop", "Min us/hop", "p99 us/hop"],
        [[f"{row[key]:.2f}" for key in
          ("median_us_per_hop", "min_us_per_hop", "p99_us_per_hop")]])


def startup(mpi, programs) -> None:
    """From the command to its end, of a program that only calls MPI_Init and MPI_Finalize."""
    print(f"\nStart and end of a job (median of {STARTUP_REPEATS})\n")
    rows = [
        [str(n), f"{harness.startup_ms(mpi, programs['startup'], n, STARTUP_REPEATS):.1f}"]
        for n in STARTUP_RANKS
    ]
    harness.print_table(["Ranks", "ms"], rows)


def pack(mpi, programs) -> None:
    """A strided vector of doubles through MPI's packing and through a loop."""
    rows = [
        [str(r["bytes"] // DOUBLE_BYTES)]
        + [f"{r[key]:.2f}" for key in ("pack_us", "pack_loop_us", "pack_ratio",
                                       "unpack_us", "unpack_loop_us", "unpack_ratio")]
        for r in mpi.rows(1, programs["pack"])
    ]
    print("\nEvery second block of doubles, beside a hand-written loop, measured in turns\n")
    harness.print_table(
        ["Block", "Pack us", "loop us", "ratio", "Unpack us", "loop us", "ratio"], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prefix", type=Path, default=harness.PREFIX,
                        help="where Dunlin is installed (default: build/prefix)")
    mpi = harness.dunlin(parser.parse_args().prefix)
    directory = harness.ROOT / "build" / "bench"
    programs = {
        name: mpi.compile(harness.BENCH / f"{name}.c", directory)
        for name in harness.PROGRAMS_OF_MPI
    }
    limits = harness.limits(directory, mpi)
    print(f"The machine: one cache line moves between two cores in {limits.line_ns:.0f} ns "
          "(half round trip)")
    messages(mpi, programs, limits)
    against_the_line(mpi, programs)
    for ranks in COLLECTIVE_RANKS:
        collectives(mpi, programs, ranks)
    ring(mpi, programs)
    startup(mpi, programs)
    memory(mpi, programs)
    pack(mpi, programs)


if __name__ == "__main__":
    main()
