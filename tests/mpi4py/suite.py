"""`make mpi4py-suite NP=3`: mpi4py's own tests, unmodified from its source package, on our mpirun.

Module by module, so that a crash or a hang costs one module's tests. A test passes if it passes on
every rank; tests of what Dunlin lacks are named one by one in listed.toml and may fail."""

import argparse
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import time
from pathlib import Path

from dunlin import checkout, execution
from scripts import demo
from tests.mpi4py import outcomes

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "mpi4py"
MODULE_TIMEOUT_S = 120
# Modules that take half a minute each, for what happens within one rank.
LOCAL = ["test_datatype", "test_util_dtlib"]
REASON_COLUMNS_MAX = 160


def fetch_sources() -> Path:
    """The tests' directory, from the source package of the version that the demo builds."""
    name = demo.MPI4PY.replace("==", "-")
    tests = WORK / name / "test"
    if not tests.is_dir():
        WORK.mkdir(parents=True, exist_ok=True)
        download = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary",
                    "mpi4py", "--disable-pip-version-check", "-d", str(WORK), demo.MPI4PY]
        subprocess.run(download, check=True)
        with tarfile.open(WORK / f"{name}.tar.gz") as package:
            package.extractall(WORK, filter="data")
    return tests


def run_module(command: list[str], log: Path, environment: dict[str, str],
               timeout_s: int) -> str:
    """Runs one module; returns what went wrong with the job as a whole, or nothing."""
    with log.open("wb") as out:
        ended = execution.execute(command, environment, timeout_s, at=log.parent, into=out,
                                  together=True)
    if ended.exit_code is None:
        return f"did not end within {timeout_s} s"
    if ended.exit_code == 0:
        return ""
    last = [line for line in log.read_text(errors="replace").splitlines() if "mpirun: " in line]
    return last[-1] if last else f"mpirun ended with exit code {ended.exit_code}"


def one_line(text: str) -> str:
    """The end of a message, which says what it was, on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= REASON_COLUMNS_MAX else "..." + flat[-REASON_COLUMNS_MAX:]


class Suite:
    """All modules on one number of ranks."""

    def __init__(self, ranks: int, prefix: Path, python: str, timeout_s: int,
                 mpirun: list[str], family: str | None):
        self.ranks = ranks
        self.timeout_s = timeout_s
        self.mpirun = mpirun
        self.python = python
        self.logs = WORK / f"logs-{family + '-' if family else ''}np{ranks}"
        shutil.rmtree(self.logs, ignore_errors=True)
        self.logs.mkdir(parents=True)
        # numpy's own threads would fight the ranks for the cores.
        self.environment = {"LD_LIBRARY_PATH": str(prefix / "lib" / (family or "")),
                            "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        if family:
            self.environment["MPI4PY_MPIABI"] = family

    def module(self, tests: Path, name: str, left_out: list[str]) -> dict[str, outcomes.Outcome]:
        """Runs one module and returns the outcome of each of its tests."""
        out = self.logs / name
        pattern = f"^{re.escape(name)}\\.py$"
        command = [*self.mpirun, "-n", str(self.ranks), self.python, str(HERE / "record.py"),
                   str(tests), str(out), "-v", "-i", pattern,
                   *(word for test in left_out for word in ("-x", f"*{test}"))]
        trouble = run_module(command, out.with_suffix(".log"), self.environment,
                             self.timeout_s)
        records = [Path(f"{out}.{rank}") for rank in range(self.ranks)]
        found = outcomes.of_module(name, [outcomes.read(path) for path in records], trouble)
        return found | {test: outcomes.Outcome("failed", "not run") for test in left_out}


def show(name: str, found: dict[str, outcomes.Outcome], mine: outcomes.Judged, took_s: float):
    """The line of a module, and what failed in it."""
    words = [f"{mine.passed} passed"]
    words += [f"{n} {word}" for n, word in
              [(mine.skipped, "skipped"), (mine.listed_failed, "listed"),
               (len(mine.failed), "FAILED")] if n]
    print(f"{name + ' ':.<28} {', '.join(words)}, {took_s:.1f} s", flush=True)
    for test in mine.failed:
        print(f"  FAILED {test}: {one_line(found[test].why)}", flush=True)
    for test in mine.listed_passed:
        print(f"  passes, and may leave listed.toml: {test}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=3, metavar="NP", help="ranks (default: 3)")
    parser.add_argument("-k", metavar="TEXT", action="append",
                        help="only modules that contain TEXT, or another one")
    parser.add_argument("--without", metavar="MODULE", action="append", default=[],
                        help="but not this one, or another one")
    parser.add_argument("--prefix", type=Path, default=checkout.PREFIX,
                        help="where Dunlin is installed (default: build/prefix)")
    parser.add_argument("--timeout", type=int, default=MODULE_TIMEOUT_S, metavar="S",
                        help="for one module, in seconds (default: %(default)s)")
    parser.add_argument("--python", help="a Python that has mpi4py for the standard ABI; without "
                        "it mpi4py is built for this one")
    parser.add_argument("--family", choices=["mpich", "openmpi"],
                        help="whose library a binary wheel of mpi4py shall take Dunlin for")
    parser.add_argument("--mpirun", help="another launcher (default: that of the prefix)")
    parser.add_argument("--mpirun-args", default=[], type=shlex.split,
                        help="further arguments for mpirun")
    parser.add_argument("--all", action="store_true",
                        help="run the tests too that are listed as hanging")
    options = parser.parse_args()
    tests = fetch_sources()
    if options.python is None:
        demo.OUT.mkdir(parents=True, exist_ok=True)
        demo.build_mpi4py()
    prefix = options.prefix.resolve()
    launcher = [options.mpirun or str(prefix / "bin" / "mpirun"), *options.mpirun_args]
    suite = Suite(options.n, prefix, options.python or sys.executable, options.timeout, launcher,
                  options.family)
    listed, judged = outcomes.read_listed(HERE / "listed.toml"), outcomes.Judged()
    for path in sorted(tests.glob("test_*.py")):
        is_wanted = any(text in path.stem for text in options.k or [""])
        if is_wanted and path.stem not in options.without:
            began = time.monotonic()
            left_out = [] if options.all else listed.hanging_in(path.stem)
            found = suite.module(tests, path.stem, left_out)
            mine = outcomes.judge(found, listed.failing | listed.hanging)
            show(path.stem, found, mine, time.monotonic() - began)
            judged.add(mine)
    print(f"skipped by mpi4py itself: {judged.skipped}; details: {suite.logs}")
    print(f"mpi4py NP={options.n}: ran {judged.ran}, passed {judged.passed}, "
          f"failed {len(judged.failed)}, listed {judged.listed_failed}")
    sys.exit(1 if judged.failed or judged.ran == 0 else 0)


if __name__ == "__main__":
    main()
