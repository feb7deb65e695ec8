"""`make test`: every test of the tree, step by step. One line per step; the output of a step that
fails is shown, and all output is kept in build/test-logs. The last lines name the tests that failed
and count all."""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from dunlin import checkout, execution
from dunlin.errors import DunlinError
from dunlin.peers import libraries
from tests.cluster import cluster
from tests.efa import standin
from tests.mpi4py import suite

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "test-logs"
# The slowest step takes a fifth of this on two cores; a hang must not eat the night.
STEP_TIMEOUT_S = 900
LINES_SHOWN = 60
FAILURES_NAMED = 10
PYTHON = sys.executable
PYTEST = [PYTHON, "-m", "pytest"]
# Enough to show that the other library understands our header; judging it is not our business.
RUN_BY_MPICH = ["send_modes", "wildcards", "nonblocking", "allreduce"]
# Who else may start our ranks: the peer whose package has the launcher, what it wants to hear, and
# the protocol.
LAUNCHERS = [
    ("mpich", "mpiexec", "", "pmi1"),
    ("mpich", "mpiexec", "", "pmi2"),
    ("openmpi", "prterun", "--allow-run-as-root --map-by :oversubscribe", "pmix"),
]
# Messages, collectives, communicators, an end by MPI_Abort; on 1 to 8 ranks.
STARTED_BY_OTHERS = ["wildcards", "allreduce", "alltoall", "comm_kinds", "abort", "self"]
# What is most different where a progress thread works beside the program: requests and collectives
# in progress, threads, sleep, windows, ends of MPI; on 2 and 3 ranks.
BESIDE_PROGRESS_THREAD = ["nonblocking", "coll_requests", "persistent", "send_modes", "flood",
                          "request_free", "cancel", "threads", "user_op", "sleepers", "grequest",
                          "session", "partitioned", "sizes", "window_epochs", "window_locks"]
# One rank alone, and an odd number of ranks on the two cores that a test machine has.
MPI4PY_RANKS = [1, 3]
# `make test-full`: powers of two and none, and four ranks to a core.
MPI4PY_RANKS_FULL = [2, 4, 5, 8]

# The parts of mpi4py's tests that its wheel runs as with each library; `make test-binaries` runs
# all. With Open MPI's those that pass most kinds of handles and constants, which it has its own of.
WHEEL = {"openmpi": ["test_p2p", "test_cco_buf", "test_cco_nb_buf", "test_rma", "test_status",
                     "test_comm", "test_datatype", "test_group", "test_op", "test_info", "test_win",
                     "test_request", "test_errhandler", "test_attributes", "test_file"],
         "mpich": ["test_p2p", "test_cco_buf", "test_rma", "test_status", "test_comm"]}

# How the test programs say what they counted: cargo test, tests/run.py, pytest, mpi4py's suite.
COUNTED = [
    re.compile(r"^test result: \w+\. (?P<passed>\d+) passed; (?P<failed>\d+) failed", re.M),
    re.compile(r"^(?P<passed>\d+) passed, (?P<failed>\d+) failed$", re.M),
    re.compile(r"^(?:(?P<failed>\d+) failed, )?(?P<passed>\d+) passed[^\n]* in [\d.]+s", re.M),
    re.compile(r"^mpi4py NP=\d+: ran \d+, passed (?P<passed>\d+), failed (?P<failed>\d+)", re.M),
]
# How they name a test that failed: tests/run.py, pytest and mpi4py's suite, cargo test.
NAMED = re.compile(
    r"^ *(?:FAIL(?:ED)? +(\S.*)|ERROR (\S+\.py(?:::| - ).*)"
    r"|(?:test )?(\S+) (?:\.\.\.|---) FAILED)$", re.M)


@dataclass
class Step:
    """A command that passes with exit status 0; `absent` says why it cannot run here."""

    name: str
    command: list
    environment: dict[str, str] = field(default_factory=dict)
    absent: str | None = None


@dataclass
class Count:
    """Single tests."""

    passed: int = 0
    failed: int = 0
    # The names of those that failed, each with its step.
    failures: list[str] = field(default_factory=list)


def names_of_failures(step: str, output: str) -> list[str]:
    """Which tests of a step have failed, by its output."""
    names = [next(filter(None, match.groups())) for match in NAMED.finditer(output)]
    more = len(names) - FAILURES_NAMED
    return [f"{step}: {name}" for name in names[:FAILURES_NAMED] or ["see its log"]] + (
        [f"{step}: and {more} more"] if more > 0 else [])


def conclude(counts: list[Count]) -> NoReturn:
    """Ends the program: says what has failed, and how many have passed."""
    for name in (name for count in counts for name in count.failures):
        print(f"FAILED  {name}")
    failed = sum(count.failed for count in counts)
    print(f"{sum(count.passed for count in counts)} passed, {failed} failed")
    sys.exit(1 if failed else 0)


def count(output: str, code: int) -> Count:
    """What a step's output counted; a step that counts nothing is one test."""
    total = Count()
    for pattern in COUNTED:
        for match in pattern.finditer(output):
            total.passed += int(match["passed"])
            total.failed += int(match["failed"] or 0)
    if code != 0 and total.failed == 0:
        total.failed = 1
    if total.passed + total.failed == 0:
        total.passed = 1
    return total


def has_cargo_tool(tool: str) -> bool:
    """Is `cargo fmt` or `cargo clippy` installed?"""
    done = subprocess.run(["cargo", tool, "--version"], capture_output=True, check=False)
    return done.returncode == 0


def rust_steps() -> list[Step]:
    """What cargo checks."""
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    return [
        Step("format", ["cargo", "fmt", "--all", "--check"],
             absent=None if has_cargo_tool("fmt") else "rustfmt is not installed"),
        Step("clippy", ["cargo", "clippy", "-q", "--workspace", "--all-targets", "--",
                        "-D", "warnings"],
             absent=None if has_cargo_tool("clippy") else "clippy is not installed"),
        Step("unit tests", ["cargo", "test", "-q", "--workspace", "--no-fail-fast"]),
        Step("memory model",
             ["cargo", "test", "-q", "-p", "dunlin-shm", "--profile", "loom", "--lib"],
             {"RUSTFLAGS": "--cfg loom", "CARGO_TARGET_DIR": f"{target}/loom"}),
    ]


def progress_thread_steps() -> list[Step]:
    """A part of the C programs, on one node, where ranks have progress threads."""
    names = [word for name in BESIDE_PROGRESS_THREAD for word in ("-k", name)]
    run = [PYTHON, "tests/run.py", "--prefix", checkout.PREFIX, "-n", "2", "-n", "3", *names]
    return [Step("C programs beside a progress thread", run, {"DUNLIN_PROGRESS": "thread"})]


def pytest(name: str, directory: str, absent: str | None = None) -> Step:
    """The tests in Python of one directory."""
    return Step(name, [*PYTEST, directory], absent=absent)


def abi_steps() -> list[Step]:
    """The standard ABI, both ways: programs built by one library's wrapper run on the other."""
    try:
        mpich = libraries.install("mpich")
    except DunlinError as why:
        return [Step("ABI: beside MPICH", [], absent=str(why))]
    ours = checkout.PREFIX
    run = [PYTHON, "tests/run.py", "-n", "2"]
    there = {"LD_LIBRARY_PATH": str(mpich.parent / "lib")}
    return [
        Step("ABI: same header", ["tests/abi/compare_constants.sh",
                                  mpich.parent / "include/mpi_abi.h"]),
        Step("ABI: built by MPICH, run by Dunlin",
             [*run, "--mpicc", mpich / "mpicc_abi", "--mpirun", ours / "bin/mpirun",
              "--without", "removed"],  # its header has no names that MPI 3.0 removed
             {"LD_LIBRARY_PATH": str(ours / "lib")}),
        *(Step(f"ABI: {name}, built by Dunlin, run by MPICH",
               [*run, "--mpicc", ours / "bin/mpicc", "--mpirun", mpich / "mpiexec", "-k", name],
               there)
          for name in RUN_BY_MPICH),
    ]


def launcher_steps() -> list[Step]:
    """Programs built by our wrapper, started by other people's launchers."""
    run = [PYTHON, "tests/run.py", "--mpicc", checkout.PREFIX / "bin/mpicc"]
    names = [word for name in STARTED_BY_OTHERS for word in ("-k", name)]
    found = []
    for peer, launcher, arguments, protocol in LAUNCHERS:
        title = f"started by {peer}'s {launcher}, {protocol}"
        try:
            mpirun = libraries.install(peer) / launcher
        except DunlinError as why:
            found.append(Step(title, [], absent=str(why)))
            continue
        found.append(Step(title, [*run, "--mpirun", mpirun, f"--mpirun-args={arguments}", *names],
                          {"DUNLIN_PMI": protocol}))
    return found


def project_steps() -> list[Step]:
    """How others' projects find Dunlin."""
    tools = ("c++", "cmake", "autoconf", "gfortran")
    absent = {tool: f"there is no {tool}" for tool in tools if not shutil.which(tool)}
    return [
        Step("a project with a Makefile", ["tests/makefile/run.sh", checkout.PREFIX],
             absent=absent.get("c++")),
        Step("a project with CMake", ["tests/cmake/run.sh", checkout.PREFIX],
             absent=absent.get("c++") or absent.get("cmake")),
        pytest("Fortran: every routine", "tests/fortran", absent.get("gfortran")),
        Step("a project with autoconf", ["tests/autoconf/run.sh", checkout.PREFIX],
             absent=absent.get("autoconf") or absent.get("gfortran")),
    ]


def python_steps() -> list[Step]:
    """What ruff and mypy say of all Python, and the package behind the command `dunlin`."""
    at = Path(PYTHON).parent
    absent = None if (at / "dunlin").exists() else "PyPI could not be reached for its packages"
    check = f"{at}/ruff check . && {at}/ruff format --check study && {at}/mypy"
    return [
        Step("Python: lint and types", ["sh", "-c", check], absent=absent),
        # Most of them take one core: two at a time.
        Step("study", [*PYTEST, "study/tests", "-n", "2"], absent=absent),
    ]


def cluster_steps() -> list[Step]:
    """Several hosts, made of network namespaces."""
    return [pytest("hosts on one machine", "tests/cluster", cluster.obstacle("nft"))]


def device_steps() -> list[Step]:
    """Jobs on a device of a fast network, for which a provider of libfabric stands in."""
    return [pytest("a device of a fast network", "tests/efa", standin.obstacle())]


def mpi4py_steps(counts: list[int]) -> list[Step]:
    """mpi4py's own tests, by number of ranks. What happens within one rank, the same on each, is
    tested on one: three on two cores take three times as long, a module almost its limit."""
    return [Step(f"mpi4py's tests on {n} rank{'s' if n > 1 else ''}",
                 [PYTHON, "-m", "tests.mpi4py.suite", "-n", n,
                  *(word for module in suite.LOCAL if n > 1 for word in ("--without", module))])
            for n in counts]


def binaries_steps() -> list[Step]:
    """Programs linked with other libraries: a short part of `make test-binaries`."""
    return [
        pytest("symbols of other libraries", "tests/binaries"),
        Step("C programs built by MPICH and Open MPI",
             [PYTHON, "-m", "tests.binaries.c_programs", "mpich", "openmpi"]),
        Step("Fortran programs built by MPICH and Open MPI",
             [PYTHON, "-m", "tests.binaries.c_programs", "debian-mpich", "debian-openmpi",
              "--fortran", "-n", "1", "-n", "2", "-n", "3"]),
        *(Step(f"mpi4py's binary wheel, as with {family}",
               [PYTHON, "-m", "tests.binaries.mpi4py_wheel", "-n", "2", family,
                *(word for module in modules for word in ("-k", module))])
          for family, modules in WHEEL.items()),
    ]


def full_steps() -> list[Step]:
    """What `make test-full` adds."""
    return [
        *mpi4py_steps(MPI4PY_RANKS_FULL),
        Step("64-bit Arm", ["scripts/test-arm.sh"]),
    ]


def steps(full: bool) -> list[Step]:
    """Quick ones first: a misspelt line should not wait for the suites."""
    return [
        pytest("style", "tests/style"),
        *rust_steps(),
        Step("C programs", [PYTHON, "tests/run.py", "--prefix", checkout.PREFIX]),
        *progress_thread_steps(),
        Step("C programs as with a core for each rank", [PYTHON, "-m", "tests.own_cores"]),
        pytest("install", "scripts"),
        pytest("mpi4py's list", "tests/mpi4py"),
        pytest("beside other libraries", "tests/differential"),
        *cluster_steps(),
        *device_steps(),
        *project_steps(),
        pytest("benchmarks", "tests/bench"),
        *python_steps(),
        Step("demo", [PYTHON, "-m", "scripts.demo"]),
        *abi_steps(),
        pytest("launchers and ranks of others", "tests/launchers"),
        *launcher_steps(),
        *mpi4py_steps(MPI4PY_RANKS),
        *binaries_steps(),
        *(full_steps() if full else []),
    ]


def execute(step: Step, log: Path) -> int:
    """Runs a step into its log; 124, as timeout(1) has it, when it took too long."""
    with log.open("wb") as out:
        out.write(f"$ {shlex.join(map(str, step.command))}\n".encode())
        out.flush()
        ended = execution.execute(step.command, step.environment, STEP_TIMEOUT_S, at=ROOT, into=out,
                                  together=True)
        if ended.exit_code is None:
            out.write(f"did not end within {STEP_TIMEOUT_S} s\n".encode())
        return 124 if ended.exit_code is None else ended.exit_code


def run(step: Step) -> Count:
    """Runs one step and prints its line."""
    print(f"{step.name + ' ':.<44} ", end="", flush=True)
    if step.absent:
        print(f"skipped: {step.absent}", flush=True)
        return Count()
    log = LOGS / f"{re.sub('[^a-z0-9]+', '-', step.name.lower())}.log"
    began = time.monotonic()
    code = execute(step, log)
    output = log.read_text(errors="replace")
    result = count(output, code)
    verdict = "ok" if code == 0 else f"FAILED (exit {code})"
    print(f"{verdict}: {result.passed} passed, {result.failed} failed, "
          f"{time.monotonic() - began:.0f} s", flush=True)
    if code != 0:
        result.failures = names_of_failures(step.name, output)
        shown = output.splitlines()
        print("\n".join(f"  | {line}" for line in shown[-LINES_SHOWN:]))
        print(f"  all of it: {log}", flush=True)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-k", metavar="TEXT", default="", help="only steps that contain TEXT")
    parser.add_argument("--full", action="store_true", help="the longer steps of `make test-full`")
    options = parser.parse_args()
    wanted = [s for s in steps(options.full) if options.k in s.name]
    LOGS.mkdir(parents=True, exist_ok=True)
    conclude([run(step) for step in wanted])


if __name__ == "__main__":
    main()
