import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

from dunlin import benchmarks, programs
from dunlin.benchmarks import BENCHMARKS
from dunlin.libraries import Library

PACKAGE = Path(__file__).resolve().parents[1]


def test_the_programs_travel_with_the_package(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=PACKAGE, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    needed = {f"{benchmark.program}.c" for benchmark in BENCHMARKS.values()} | {"identify.c"}
    headers = {file.name for file in programs.sources().glob("*.h")}
    assert {f"dunlin/programs/{name}" for name in needed | headers} <= names
    templates = {"slurm.sh.j2", "pbs-pro.sh.j2", "pbs-torque.sh.j2"}
    assert {f"dunlin/templates/{name}" for name in templates} <= names
    assert "dunlin/examples/nasa.toml" in names


def test_a_program_is_compiled_once_for_each_library(fake_mpi: Path) -> None:

    bin_ = fake_mpi / "bin"
    library = Library("x", bin_ / "mpicc", bin_ / "mpiexec", text="MPICH Version: 9.9")
    first = benchmarks.program_of(BENCHMARKS["latency"], library)
    written = first.stat().st_mtime_ns
    assert benchmarks.program_of(BENCHMARKS["latency"], library) == first
    assert first.stat().st_mtime_ns == written
    newer = replace(library, text="MPICH Version: 9.10")
    assert benchmarks.program_of(BENCHMARKS["latency"], newer) != first, "another version"
