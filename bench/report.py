"""`make bench`: latency, bandwidth, ring, start-up and packing beside what the machine can do."""

import argparse
import os
from pathlib import Path

import harness
from harness import size_text

SIZES_SHOWN = [0, 8, 64, 1024, 8192, 65536, 262144, 1 << 20, 4 << 20]
RING_RANKS = 8
STARTUP_RANKS = [2, 16, 64]
STARTUP_REPEATS = 5
DOUBLE_BYTES = 8


def messages(mpi, programs, copy_mb_per_s) -> None:
    """Latency and bandwidth by size, and the rate of one memory copy of that size."""
    latency = {r["bytes"]: r for r in mpi.rows(2, programs["latency"])}
    bandwidth = {r["bytes"]: r for r in mpi.rows(2, programs["bandwidth"])}
    rows = []
    for size in SIZES_SHOWN:
        lat, band = latency[size], bandwidth.get(size)
        rows.append([
            size_text(size),
            f"{lat['median_us']:.2f}", f"{lat['min_us']:.2f}", f"{lat['p99_us']:.2f}",
            f"{band['mb_per_s']:.0f}" if band else "",
            f"{copy_mb_per_s[size]:.0f}" if size in copy_mb_per_s else "",
        ])
    print("\nTwo ranks of one node: half round trip, and the rate of windows of 64 messages\n")
    harness.print_table(
        ["Size", "Median us", "Min us", "p99 us", "MB/s", "memcpy MB/s"], rows)


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
    line_ns, copy_mb_per_s = harness.limits(directory, mpi)
    print(f"The machine: one cache line moves between two cores in {line_ns:.0f} ns "
          "(half round trip)")
    messages(mpi, programs, copy_mb_per_s)
    against_the_line(mpi, programs)
    ring(mpi, programs)
    startup(mpi, programs)
    pack(mpi, programs)


if __name__ == "__main__":
    main()
