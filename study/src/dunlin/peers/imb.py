"""`make bench-imb`: the binaries of Intel's MPI benchmarks, as they are in the wheel impi-devel, on
Dunlin and on Intel MPI in turns: all benchmarks. Medians over rounds; the geometric mean of all
ratios, the points at which Dunlin is slower, and those that it has not run.

    python -m dunlin.peers.imb IMB-NBC -n 2 --only Ibcast Igather     # a part
    python -m dunlin.peers.imb IMB-RMA --rounds 1 --keep imb.json     # adds to what the file has
"""

import argparse
import json
import math
import re
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dunlin import checkout, execution
from dunlin.cli import told
from dunlin.errors import DunlinError
from dunlin.peers import libraries
from dunlin.peers.libraries import CALM, OVERSUBSCRIBED
from dunlin.stats import median
from dunlin.turns import in_turns
from dunlin.words import columns

PROGRAMS = ["IMB-MPI1", "IMB-P2P", "IMB-NBC", "IMB-MT", "IMB-RMA"]
RANKS = [2, 4]
ROUNDS = 5
LIMIT_S = 900
# Up to 4 MiB.
SIZES = ["-msglog", "0:22"]
# As many repetitions as fit into this time for each size.
SAMPLE_S = 0.2
# IMB-P2P and IMB-MT count repetitions: by megabytes and at most so many, and so many.
P2P = ["-iter", "1000,50", "-pause", "0"]
MT = ["-datatype", "char", "-repeat", "50",
      "-count", ",".join(str(1 << power) for power in range(23))]
# What the programs leave out, unless it is asked for.
INCLUDED = {
    "IMB-MPI1": ["Biband", "Uniband", "PingPongAnySource", "PingPongSpecificSource",
                 "PingPingAnySource", "PingPingSpecificSource"],
    "IMB-NBC": [f"I{name}_pure" for name in (
        "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast",
        "gather", "gatherv", "reduce", "reduce_scatter", "scatter", "scatterv")],
    "IMB-RMA": ["Get_local", "Get_all_local"],
}
SLOWER = 1.05
# IMB-MT needs Intel's library for OpenMP.
OPENMP = "intel-openmp==2025.3.1"

BENCHMARK = re.compile(r"^# Benchmarking (\S+)")
MODE = re.compile(r"^# +MODE: (\S+)")
# What stands for a row's time, best first.
TIMES = ("t[usec]", "t_avg[usec]", "t_ovrl[usec]", "t_avg", "t_ovrl")
# A line of numbers; one that ran out of time has words.
ROW = re.compile(r"^ +\d[-\d. ]*$")


class Point(NamedTuple):
    """What was measured: a line of a table."""

    program: str
    ranks: int
    benchmark: str
    bytes: int


def points(program: str, ranks: int, text: str) -> Iterator[tuple[Point, float]]:
    """The times in the output of a program, in microseconds."""
    benchmark, column, has_bytes = "", None, False
    for line in text.splitlines():
        if found := BENCHMARK.match(line):
            benchmark, column = found[1], None
        elif found := MODE.match(line):
            benchmark += f" {found[1].lower()}"
        elif "#repetitions" in line:
            names = line.split()
            has_bytes = names[0] == "#bytes"
            column = next((names.index(name) for name in TIMES if name in names), None)
        elif column is not None and ROW.match(line):
            fields = line.split()
            if column < len(fields) and (us := float(fields[column])) > 0:
                yield Point(program, ranks, benchmark, int(fields[0]) if has_bytes else 0), us


def openmp() -> Path:
    """The folder with Intel's library for OpenMP, fetched on first use."""
    at = libraries.PEERS_AT / OPENMP.replace("==", "-")
    if not at.exists():
        venv.create(at, with_pip=True)
        execution.call([at / "bin" / "python", "-m", "pip", "install", "-q", "--no-deps",
                        "--disable-pip-version-check", OPENMP],
                       limit_s=libraries.INSTALL_LIMIT_S)
    return at / "lib"


class Side(NamedTuple):
    """A library on which the binaries run."""

    name: str
    launcher: Path
    environment: dict[str, str]


def sides(prefix: Path, ranks: int, openmp_at: Path | None) -> list[Side]:
    """Dunlin and Intel MPI, under the setting at which that is at its best."""
    intel = libraries.contender("intel", {})
    situation = CALM if ranks <= 2 else OVERSUBSCRIBED
    setting = intel.settings_for(situation, "imb")[0]
    root = intel.library.launcher.parent.parent
    further = [str(openmp_at)] if openmp_at else []
    dunlin_at = [str(prefix / "lib" / "mpich"), *further]
    intel_at = [str(root / "lib"), *further]
    return [
        Side("dunlin", prefix / "bin" / "mpirun", {"LD_LIBRARY_PATH": ":".join(dunlin_at)}),
        Side("intel", intel.library.launcher,
             intel.environment(setting) | {"LD_LIBRARY_PATH": ":".join(intel_at)}),
    ]


Times = dict[Point, dict[str, list[float]]]


def arguments(program: str, ranks: int, only: list[str], sample_s: float) -> list[object]:
    """What a program is told: which benchmarks, which sizes, how often."""
    included = [] if only or program not in INCLUDED else [
        "-include", ",".join(INCLUDED[program])]
    if program == "IMB-MT":
        return [*MT, *only]
    if program == "IMB-P2P":
        return [*SIZES, *P2P, *only]
    return ["-npmin", ranks, *SIZES, "-time", sample_s, *included, *only]


def run(side: Side, program: str, ranks: int, words: list[object], times: Times) -> str | None:
    """Adds the times of one run; returns why it did not end well."""
    binary = libraries.peer("intel").launcher.with_name(program)
    command = [side.launcher, "-n", ranks, binary, *words]
    ended = execution.execute(command, side.environment, LIMIT_S)
    for point, us in points(program, ranks, ended.out):
        times.setdefault(point, {}).setdefault(side.name, []).append(us)
    if ended.exit_code == 0:
        return None
    return f"{program} on {side.name}, {ranks} ranks: exit code {ended.exit_code}: {ended.detail}"


def ratios(times: Times) -> dict[Point, tuple[float, float, float]]:
    """Median times of both, and their ratio, where both have one."""
    found = {}
    for point, by_side in times.items():
        if len(by_side) == 2:
            mine, theirs = (median(by_side[name]) for name in ("dunlin", "intel"))
            found[point] = (mine, theirs, mine / theirs)
    return found


def geometric_mean(values: list[float]) -> float:
    """Of positive numbers."""
    return math.exp(sum(map(math.log, values)) / len(values))


def show(found: dict[Point, tuple[float, float, float]]) -> None:
    """The mean of each program, and the points at which Dunlin is slower."""
    rows = []
    for program, ranks in sorted({(point.program, point.ranks) for point in found}):
        own = [ratio for point, (_, _, ratio) in found.items()
               if (point.program, point.ranks) == (program, ranks)]
        slower = sum(ratio > SLOWER for ratio in own)
        rows.append([program, str(ranks), str(len(own)), f"{geometric_mean(own):.3f}", str(slower)])
    print(columns(["program", "ranks", "points", "Dunlin / Intel MPI", f"above {SLOWER}"], rows))
    whole = geometric_mean([ratio for _, _, ratio in found.values()])
    print(f"\ngeometric mean of {len(found)} points: {whole:.3f}\n")
    slow = sorted((item for item in found.items() if item[1][2] > SLOWER),
                  key=lambda item: -item[1][2])
    print(columns(
        ["slower", "ranks", "benchmark", "bytes", "Dunlin us", "Intel us", "ratio"],
        [[p.program, str(p.ranks), p.benchmark, str(p.bytes), f"{mine:.2f}", f"{theirs:.2f}",
          f"{ratio:.2f}"] for p, (mine, theirs, ratio) in slow]))


def kept(path: Path) -> Times:
    """The times in a file that an earlier run has written; none, if there is no such file."""
    rows = json.loads(path.read_text()) if path.exists() else []
    return {Point(*point): by_side for point, by_side in rows}


def missing(times: Times) -> list[str]:
    """The benchmarks that Intel MPI has run at a size, and Dunlin at none."""
    def ran(side: str) -> set[tuple[str, int, str]]:
        return {point[:3] for point, by_side in times.items() if side in by_side}
    return [f"{program}, {ranks} ranks: {benchmark} did not run on Dunlin"
            for program, ranks, benchmark in sorted(ran("intel") - ran("dunlin"))]


def rounds(options: argparse.Namespace, times: Times) -> set[str]:
    """Runs all in turns; returns why some did not end well."""
    chosen = options.programs or PROGRAMS
    openmp_at = openmp() if "IMB-MT" in chosen else None
    complaints = set()
    for number in range(options.rounds):
        cases = [[(side, program, ranks)
                  for side in sides(options.prefix.resolve(), ranks, openmp_at)]
                 for program in chosen for ranks in options.n or RANKS]
        for side, program, ranks in in_turns(cases, f"imb {number}"):
            words = arguments(program, ranks, options.only, options.sample)
            if why := run(side, program, ranks, words, times):
                complaints.add(why)
    return complaints


def main() -> None:
    """Runs all in turns and prints the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", help=f"of {', '.join(PROGRAMS)}")
    parser.add_argument("-n", type=int, action="append", help="ranks (default: 2 and 4)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="default: %(default)d")
    parser.add_argument("--prefix", type=Path, default=checkout.PREFIX,
                        help="where Dunlin is installed (default: build/prefix)")
    parser.add_argument("--only", nargs="*", default=[], help="these benchmarks of the programs")
    parser.add_argument("--sample", type=float, default=SAMPLE_S, metavar="SECONDS",
                        help="for each size, IMB-P2P and IMB-MT excepted (default: %(default)s)")
    parser.add_argument("--keep", type=Path, metavar="FILE",
                        help="the times are added to those of earlier runs in this file")
    options = parser.parse_args()
    times = kept(options.keep) if options.keep else {}
    complaints = rounds(options, times)
    if options.keep:
        options.keep.write_text(json.dumps(list(times.items())))
    for why in [*sorted(complaints), *missing(times)]:
        print(why)
    found = ratios(times)
    if not found:
        raise DunlinError("no benchmark has run on both libraries")
    show(found)


if __name__ == "__main__":
    told(main)
