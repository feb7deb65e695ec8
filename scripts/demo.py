"""`make demo`: what Dunlin does, in two minutes. mpi4py is built from its source package against
Dunlin and runs on several ranks, programs in C and Fortran do the same, and the speed is compared
with the limits of the machine."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from dunlin import bare, checkout, execution, programs, words
from dunlin.libraries import Library, command

ROOT = Path(__file__).resolve().parent.parent
MPI4PY = "mpi4py==4.1.1"
# -O3, Python's own choice, takes three times as long and gains a demo nothing.
CFLAGS = "-O1 -g0"
STAMP = ROOT / ".venv" / "dunlin-mpi4py-stamp"
OUT = ROOT / "build" / "demo"
STEP_TIMEOUT_S = 300
PINGPONG_BYTES_MAX = 1 << 20
PINGPONG_SIZES = [8, 1024, 65536, PINGPONG_BYTES_MAX]

HELLO = """\
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    int rank, size, length, sum;
    char host[MPI_MAX_PROCESSOR_NAME];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(host, &length);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("Hello from rank %d of %d on %s; all ranks add up to %d\\n", rank, size, host, sum);
    MPI_Finalize();
    return 0;
}
"""

HELLO_FORTRAN = """\
program hello
  use mpi_f08
  implicit none
  integer :: rank, total
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  print '(a, i0, a, i0)', 'Hello from rank ', rank, '; all ranks add up to ', total
  call MPI_Finalize()
end program
"""


def style(code: str, text: str) -> str:
    """Colour on a terminal, plain text in a file or where NO_COLOR asks for it."""
    if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
        return f"\033[{code}m{text}\033[0m"
    return text


def heading(text: str) -> None:
    """Opens a step."""
    print("\n" + style("1;36", f"== {text}"), flush=True)


def show(command: list[str]) -> None:
    """Runs a command in the open: the command line as a user would type it, then its output."""
    typed = " ".join(Path(word).name if word.startswith("/") else word for word in command)
    print(style("2", f"$ {typed}"), flush=True)
    try:
        code = subprocess.run(command, timeout=STEP_TIMEOUT_S, check=False).returncode
    except subprocess.TimeoutExpired:
        sys.exit(f"This step did not end within {STEP_TIMEOUT_S} s; the demo stops here.")
    if code != 0:
        sys.exit(f"This step ended with exit code {code}; the demo stops here.")


def fingerprint() -> str:
    """mpi4py must be built anew when the header or the wrapper's flags change; not when the library
    does, whose ABI stays."""
    flags = execution.call([checkout.PREFIX / "bin" / "mpicc", "-show"])
    header = (checkout.PREFIX / "include" / "mpi.h").read_bytes()
    return hashlib.sha256(f"{MPI4PY} {CFLAGS} {flags}".encode() + header).hexdigest()


def build_mpi4py() -> None:
    """Pip builds mpi4py with our mpicc; kept until the header or the wrapper changes."""
    if STAMP.exists() and STAMP.read_text() == fingerprint():
        print(f"{MPI4PY} is built already.")
        return
    print("pip compiles mpi4py with Dunlin's mpicc; this takes a while the first time.",
          flush=True)
    STAMP.unlink(missing_ok=True)
    log = OUT / "mpi4py-build.log"
    mpicc = checkout.PREFIX / "bin" / "mpicc"
    environment = {**os.environ, "MPICC": str(mpicc), "CFLAGS": CFLAGS}
    with log.open("w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "-v",
             "--force-reinstall", "--no-deps", "--no-cache-dir", "--no-binary", "mpi4py", MPI4PY],
            env=environment, stdout=out, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        sys.exit("".join(log.read_text().splitlines(keepends=True)[-30:])
                 + f"mpi4py could not be built; the whole story is in {log}")
    STAMP.write_text(fingerprint())


def python_programs(mpi: Library) -> None:
    """mpi4py's own small programs."""
    heading("Hello from four Python processes")
    show(command(mpi, 4, sys.executable, "-m", "mpi4py.bench", "helloworld"))
    heading("A message goes round four Python processes")
    show(command(mpi, 4, sys.executable, "-m", "mpi4py.bench", "ringtest"))
    heading("Two Python processes play ping-pong")
    show(command(mpi, 2, sys.executable, "-m", "mpi4py.bench", "pingpong",
                     "-m", "1", "-n", str(PINGPONG_BYTES_MAX)))


def c_program(mpi: Library) -> None:
    """The same from C, with the wrapper on a file of fifteen lines."""
    heading("A C program, compiled with mpicc")
    source = OUT / "hello.c"
    source.write_text(HELLO)
    show([str(mpi.mpicc), "-O2", "-o", str(OUT / "hello"), str(source)])
    show(command(mpi, 4, OUT / "hello"))


def fortran_program(mpi: Library) -> None:
    """The same from Fortran, where there is a compiler for it."""
    heading("A Fortran program, compiled with mpifort")
    mpifort = checkout.PREFIX / "bin" / "mpifort"
    if subprocess.run([mpifort, "--version"], capture_output=True, check=False).returncode != 0:
        print("There is no Fortran compiler here, so this is left out; as root, "
              "`apt-get install gfortran` brings one.")
        return
    source = OUT / "hello.f90"
    source.write_text(HELLO_FORTRAN)
    show([str(mpifort), "-O2", "-o", str(OUT / "hello_f08"), str(source)])
    show(command(mpi, 4, OUT / "hello_f08"))


def speed(mpi: Library) -> None:
    """Messages beside what the machine can do at all, measured one after the other."""
    heading("How fast is it, and how fast could it be?")
    built = {name: programs.compiled(programs.sources() / f"{name}.c", mpi, OUT)
             for name in ("latency", "bandwidth", "pingpong_vs_cache_line")}
    price = programs.rows(mpi, 2, built["pingpong_vs_cache_line"])[0]
    copy = bare.limits(mpi, OUT).copy_mb_per_s
    span = ("--min", 1, "--max", PINGPONG_BYTES_MAX)
    latency = {r["bytes"]: r for r in programs.rows(mpi, 2, built["latency"], *span)}
    bandwidth = {r["bytes"]: r for r in programs.rows(mpi, 2, built["bandwidth"], *span)}
    rows = [
        [words.size(size), f"{latency[size]['median_us']:.2f} us",
         f"{bandwidth[size]['mb_per_s'] / 1e3:.2f} GB/s",
         f"{copy[size] / 1e3:.1f} GB/s" if size in copy else ""]
        for size in PINGPONG_SIZES
    ]
    titles = ["message", "half round trip", "stream", "one core's memcpy"]
    print(words.columns(titles, rows))
    print(f"\nThe machine moves one cache line between two cores in {price['line_ns']:.0f} ns; "
          f"an 8-byte message takes\n{price['mpi_ns']:.0f} ns, {price['ratio']:.1f} times as long "
          "(both measured in turns, medians).")


def farewell() -> None:
    """What to try next."""
    heading("What next?")
    print("""\
  export PATH=$PWD/build/prefix/bin:$PATH    # mpicc, mpicxx, mpifort, mpirun
  mpirun --help                              # the launcher and its options
  mpicc hello.c -o hello && mpirun -n 4 ./hello
  make install PREFIX=$HOME/dunlin           # the same, to keep
  make test                                  # all tests
  make bench                                 # more numbers
  make bench-peers QUICK=1                   # beside MPICH, Open MPI and Intel MPI
The programs of this demo are in build/demo; README.md tells the rest.""")


def main() -> None:
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    mpi = checkout.dunlin()
    print(style("1", "Dunlin: an MPI library that speaks the MPI 5.0 standard ABI"))
    heading("mpi4py, built from its source package with Dunlin's mpicc")
    build_mpi4py()
    python_programs(mpi)
    c_program(mpi)
    fortran_program(mpi)
    speed(mpi)
    farewell()


if __name__ == "__main__":
    main()
