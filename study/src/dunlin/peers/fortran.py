"""`make bench-fortran`: 8-byte messages and sums through the module mpi_f08 beside the same calls
in C, by the same two processes in turns (`bench/fortran_vs_c.c`)."""

from pathlib import Path

from dunlin import checkout, execution, programs
from dunlin.cli import told
from dunlin.errors import DunlinError
from dunlin.libraries import Library
from dunlin.peers import ratios

NAME = "fortran_vs_c"


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
    options = ratios.options(__doc__)
    library = checkout.dunlin(options.prefix.resolve())
    program = build(library, checkout.BUILT / "fortran")
    ratios.show(library, program, options.launches, "Fortran", "C")


if __name__ == "__main__":
    told(main)
