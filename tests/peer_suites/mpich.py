#!/usr/bin/env python3
"""`make peer-suites`: MPICH's own tests, unmodified from Debian's source package, on our mpirun.

Each line of its test lists is a case, with its own number of ranks and arguments; "No Errors", and
nothing else, is its verdict. Cases that may fail are named in mpich.toml with the reason. With
`--native DIR` the same tests are built with another library's mpicc and run by its mpiexec."""

import argparse
import concurrent.futures
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

from dunlin import execution
from tests.peer_suites import debian

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "peer_suites"
OLDER_NAMES = f"-include {HERE / 'older_names.h'}"
# Directories of the tests, in the order of MPICH's list.
DIRECTORIES = """
    attr coll comm datatype errhan group info init pt2pt part rma topo
    errors/attr errors/coll errors/comm errors/datatype errors/group errors/pt2pt errors/rma
    errors/topo threads/coll threads/comm threads/init threads/pt2pt threads/rma impls/mpich/comm
""".split()
# The same for Fortran, where there is a compiler: with mpif.h, mpi and mpi_f08.
FORTRAN = [f"{interface}/{topic}" for interface in ("f77", "f90", "f08")
           for topic in "attr coll comm datatype ext info init pt2pt rma topo".split()]
FORTRAN += ["f90/misc", "f90/timer", "f90/f90types", "f08/misc", "f08/timer", "f08/subarray"]
# Directories that are left out, under what they need and the library has not. C++ is another
# language; ft, ckpoint and perf are no part of MPICH's own default run.
LEFT_OUT = {
    "files": "io errors/io".split(),
    "dynamic processes": "spawn errors/spawn threads/spawn".split(),
    "MPI_T": "mpi_t threads/mpi_t impls/mpich/mpi_t".split(),
    "ends of ranks": "errors/faults".split(),
}
LISTS = ("testlist", "testlist.dtp")
CONFIGURE = """
    --disable-cxx --disable-spawn --disable-romio
    --enable-threads=multiple --enable-checkerrors --disable-dependency-tracking
""".split()
TIME_LIMIT_S = 120
JOBS = 2
LINES_SHOWN = 6
NO_ERRORS = re.compile(r"^\s*No [Ee]rrors\s*$")
HARMLESS = re.compile(r"^\s*(No [Ee]rrors|Test Passed|)\s*$")


@dataclass(frozen=True)
class Case:
    """A line of a test list."""

    directory: str
    program: str
    ranks: int
    arguments: tuple[str, ...]
    options: tuple[str, ...]  # for mpiexec
    verdict: str
    limit_s: int

    def __str__(self):
        return " ".join((f"{self.directory}/{self.program}", str(self.ranks), *self.arguments))


def read_case(directory: str, line: str) -> Case | None:
    """A line of a list: program, ranks, key=value. Lines of optional parts begin with a mark."""
    words = line.split("#")[0].split()
    if len(words) < 2 or not words[1].isdigit():
        return None
    values: dict[str, list[str]] = {}
    for word in words[2:]:
        key, _, value = word.partition("=")
        values.setdefault(key, []).append(value)
    if "xfail" in values:  # MPICH itself does not expect it to pass.
        return None
    limit_s = int(values.get("timeLimit", ["0"])[0]) or TIME_LIMIT_S
    return Case(directory, words[0], int(words[1]), tuple(values.get("arg", [])),
                tuple(values.get("mpiexecarg", [])), values.get("resultTest", [""])[0], limit_s)


def read_cases(directories: list[str], build: Path, sources: Path) -> list[Case]:
    """All cases; those that differ in settings of MPICH alone are one."""
    found: dict[Case, None] = {}
    for directory in directories:
        for name in LISTS:
            at = [build / directory, sources / directory]
            places = [place / file for file in (name, f"{name}.in") for place in at]
            for path in [place for place in places if place.is_file()][:1]:
                for line in path.read_text().splitlines():
                    if case := read_case(directory, line):
                        found[case] = None
    return list(found)


def make(build: Path, directory: str, *words: str, flags: str) -> bool:
    log = build / directory / "build.log"
    command = ["make", "-k", "-C", str(build / directory), f"-j{os.cpu_count()}", "CFLAGS=-O1",
               f"CPPFLAGS={flags}", *words]
    with log.open("w") as out:
        return subprocess.run(command, stdout=out, stderr=out, check=False).returncode == 0


def has_fortran() -> bool:
    return shutil.which("gfortran") is not None


def all_directories() -> list[str]:
    return DIRECTORIES + (FORTRAN if has_fortran() else [])


def add_f08(sources: Path, util: Path, prefix: Path) -> None:
    """Outside of MPICH its `configure` leaves what tests of mpi_f08 share out of their library."""
    wrapper = str(prefix / "bin" / "mpifort")
    source = str(sources / "util" / "mtest_f08.f90")
    compiled = subprocess.run([wrapper, "-c", source], cwd=util, check=False)
    if compiled.returncode == 0:
        command = ["ar", "crs", ".libs/libmtest_f08.a", "mtest_f08.o"]
        subprocess.run(command, cwd=util, check=True)


def build_all(directories: list[str], sources: Path, build: Path, prefix: Path,
              flags: str) -> None:
    """Configures and builds whatever is not built yet."""
    if not (build / "config.status").is_file():
        build.mkdir(parents=True, exist_ok=True)
        with (build / "configure.log").open("w") as out:
            fortran = "--enable-fortran=all" if has_fortran() else "--disable-fortran"
            command = [str(sources / "configure"), f"--with-mpi={prefix}", *CONFIGURE, fortran]
            path = f"{prefix / 'bin'}:{os.environ['PATH']}"
            subprocess.run(command, cwd=build, stdout=out, stderr=out, check=True,
                           env={**os.environ, "PATH": path, "CC": "gcc",
                                "MPICC": str(prefix / "bin" / "mpicc"),
                                "MPIF77": str(prefix / "bin" / "mpifort"),
                                "MPIFC": str(prefix / "bin" / "mpifort")})
    for directory in ("util", "dtpools"):
        make(build, directory, flags=flags)
    if has_fortran():
        make(build, "util", "libmtest_f08.la", flags=flags)
        add_f08(sources, build / "util", prefix)
    for directory in directories:
        rules = build / directory / "programs.mk"
        rules.write_text("include Makefile\nprograms: $(noinst_PROGRAMS) $(EXTRA_PROGRAMS)\n")
        if not make(build, directory, "-f", "programs.mk", "programs", flags=flags):
            print(f"{directory}: some programs do not build: {build / directory / 'build.log'}")


def judge(case: Case, code: int, output: str) -> str:
    """What was wrong with a run, or nothing; the rules of MPICH's `runtests`."""
    lines = output.splitlines()
    if case.verdict == "TestStatus":
        return "" if code != 0 else "its exit status is 0"
    if case.verdict == "TestErrFatal":
        return "" if code != 0 and not any(map(NO_ERRORS.match, lines)) else "it did not fail"
    others = [line for line in lines if not HARMLESS.match(line)]
    if others:
        return "; ".join(line.strip() for line in others[:LINES_SHOWN])
    if not any(map(NO_ERRORS.match, lines)):
        return f"no word, exit status {code}"
    return f"exit status {code}" if code else ""


def run(case: Case, build: Path, launcher: list[str], environment: dict[str, str]) -> str:
    """Runs a case; returns what was wrong, or nothing."""
    program = build / case.directory / case.program
    if not program.is_file():
        return "does not build"
    command = [*launcher, "-n", str(case.ranks), f"./{case.program}", *case.arguments]
    ended = execution.execute(command, environment, case.limit_s, at=program.parent, together=True)
    if ended.exit_code is not None:
        return judge(case, ended.exit_code, ended.out)
    in_time = case.verdict == "TestErrFatal" and "timeout" in case.program
    return "" if in_time else f"did not end in {case.limit_s} s: {judge(case, 0, ended.out)}"


def expected_failures(path: Path) -> dict[str, str]:
    """Case -> reason."""
    parts = tomllib.loads(path.read_text()).values()
    return {test: part["reason"] for part in parts for test in part["tests"]}


def report(wrong: dict[str, str], expected: dict[str, str], took_s: float) -> bool:
    """Prints the outcome; True if it is as it should be."""
    unexpected = sum(1 for name, why in wrong.items() if why and name not in expected)
    for name in [name for name, why in wrong.items() if not why and name in expected]:
        print(f"passes, and may leave mpich.toml: {name}")
    listed = sum(1 for name, why in wrong.items() if why and name in expected)
    passed = sum(1 for why in wrong.values() if not why)
    print(f"MPICH's tests: ran {len(wrong)} in {took_s:.0f} s: {passed} passed, {listed} failed "
          f"as listed, {unexpected} unexpected")
    return not unexpected and bool(wrong)


def say_left_out(build: Path, sources: Path) -> None:
    counts = [f"{len(read_cases(directories, build, sources))} of {what}"
              for what, directories in LEFT_OUT.items()]
    print(f"Not run: {', '.join(counts)}, which the library has not")


def options_of() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directories", nargs="*", metavar="DIRECTORY", default=[],
                        help=f"of the tests: {' '.join(all_directories())} (default: all)")
    parser.add_argument("-k", metavar="TEXT", help="only cases that contain TEXT")
    parser.add_argument("--prefix", type=Path, default=ROOT / "build" / "prefix",
                        help="where Dunlin is installed (default: build/prefix)")
    parser.add_argument("--native", type=Path, metavar="DIR",
                        help="build and run with the MPI library installed here instead")
    parser.add_argument("--mpirun-args", default=[], type=shlex.split,
                        help="further arguments for mpirun")
    parser.add_argument("--jobs", type=int, default=JOBS,
                        help="runs at once (default: %(default)s)")
    parser.add_argument("--only-build", action="store_true", help="build, and run nothing")
    options = parser.parse_args()
    if unknown := set(options.directories) - set(all_directories()):
        parser.error(f"no directory of tests here: {' '.join(sorted(unknown))}; see --help")
    options.directories = options.directories or all_directories()
    return options


def main() -> None:
    options = options_of()
    prefix = (options.native or options.prefix).resolve()
    try:
        sources = debian.fetch("mpich", WORK) / "test" / "mpi"
    except debian.Unable as why:
        print(f"skipped: MPICH's tests cannot be fetched: {why}")
        return
    name = f"mpich-with-{options.native.name}" if options.native else "mpich-tests"
    build = WORK / (f"{name}-fortran" if has_fortran() else name)
    build_all(options.directories, sources, build, prefix, "" if options.native else OLDER_NAMES)
    if options.only_build:
        return
    launcher = [str(prefix / "bin" / ("mpiexec" if options.native else "mpirun")),
                *options.mpirun_args]
    environment = {} if options.native else {"LD_LIBRARY_PATH": str(prefix / "lib")}
    cases = [case for case in read_cases(options.directories, build, sources)
             if (options.k or "") in str(case)]
    expected = {} if options.native else expected_failures(HERE / "mpich.toml")
    began = time.monotonic()
    wrong: dict[str, str] = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = {pool.submit(run, case, build, launcher, environment): str(case) for case in cases}
        for done in concurrent.futures.as_completed(runs):
            name = runs[done]
            wrong[name] = done.result()
            if wrong[name] and name not in expected:
                print(f"FAILED {name}: {wrong[name]}", flush=True)
    if options.directories == all_directories() and not options.k:
        say_left_out(build, sources)
    sys.exit(0 if report(wrong, expected, time.monotonic() - began) else 1)


if __name__ == "__main__":
    main()
