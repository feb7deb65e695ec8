"""`make bench-fortran`: 8-byte messages and sums through the module mpi_f08 beside the same calls
in C, by the same two processes in turns (`bench/fortran_vs_c.c`)."""

import argparse
from pathlib import Path

from dunlin import checkout, execution, programs
from dunlin.cli import told
from dunlin.errors import DunlinError
from dunlin.libraries import Library
from dunlin.stats import median
from dunlin.words import columns

NAME = "fortran_vs_c"
RANKS = 2
# Medians of seven still differ by 5 %: each launch places its memory elsewhere.
LAUNCHES = 21


def obstacle(library: Library) -> str | None:
    """Why no Fortran program can be built, if so."""
    mpifort = library.mpicc.with_name("mpifort")
    if not mpifort.exists():
        return f"there is no {mpifort}"
    asked = execution.execute([mpifort, "--version"], {}, programs.COMPILE_TIMEOUT_S)
    return None if asked.exit_code == 0 else "there is no Fortran compiler, such as gfortran"


def build(library: Library, directory: Path) -> Path:
    """The program of both languages, made by the library's wrappers."""
    if why := obstacle(library):
        raise DunlinError(why)
    mpifort, sources = library.mpicc.with_name("mpifort"), programs.sources()
    directory.mkdir(parents=True, exist_ok=True)
    part, program = directory / f"{NAME}.o", directory / NAME
    execution.call([library.mpicc, *programs.OPTIONS, "-c", "-o", part, sources / f"{NAME}.c"])
    execution.call([mpifort, "-O2", "-J", directory, "-o", program, sources / f"{NAME}.f90", part])
    return program


def main() -> None:
    """Medians over launches: where a launch places memory shifts all its times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prefix", type=Path, default=checkout.PREFIX,
                        help="where Dunlin is installed (default: build/prefix)")
    parser.add_argument("--launches", type=int, default=LAUNCHES, help="default: %(default)d")
    options = parser.parse_args()
    library = checkout.dunlin(options.prefix.resolve())
    program = build(library, checkout.BUILT / "fortran")
    by_name: dict[str, list[dict[str, float]]] = {}
    for _ in range(options.launches):
        for row in programs.rows(library, RANKS, program):
            by_name.setdefault(row["bench"], []).append(row)
    table = []
    for name, rows in by_name.items():
        fortran, c, ratio = (median([r[key] for r in rows])
                             for key in ("fortran_ns", "c_ns", "ratio"))
        ratios = [r["ratio"] for r in rows]
        table.append([name, f"{fortran:.0f}", f"{c:.0f}", f"{ratio:.3f}",
                      f"{min(ratios):.3f} to {max(ratios):.3f}"])
    print(columns(["8 bytes", "mpi_f08 ns", "C ns", "ratio", "of single launches"], table))


if __name__ == "__main__":
    told(main)
