"""A checkout of Dunlin's sources: where it is, and the library that `make build` leaves there."""

from pathlib import Path

from dunlin.libraries import DUNLIN, Library

ROOT = Path(__file__).resolve().parents[3]
PREFIX = ROOT / "build" / "prefix"
# What benchmarks are compiled into; `make clean` removes it.
BUILT = ROOT / "build" / "bench"
RESULTS = ROOT / "bench-results"


def dunlin(prefix: Path = PREFIX) -> Library:
    """The Dunlin under `prefix`."""
    bin_ = prefix / "bin"
    return Library(DUNLIN, bin_ / "mpicc", bin_ / "mpirun", vendor=DUNLIN)
