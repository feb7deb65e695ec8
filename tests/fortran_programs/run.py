#!/usr/bin/env python3
"""`make fortran-programs`: Fortran programs by others, unmodified from Debian's source packages,
built with our mpifort and run with their own tests on our mpirun.

Where Debian's Open MPI is installed, each is built with that too: the numbers in both outputs must
agree, and the times are medians of runs in turns. programs.toml describes the programs."""

import argparse
import dataclasses
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
import tomllib
from pathlib import Path

from dunlin import checkout
from tests.peer_suites import debian

HERE = Path(__file__).resolve().parent
BUILD = checkout.ROOT / "build" / "fortran_programs"
BUILT = "built-by-run.py"
PATIENCE_S = 1800
CLOSE = 1e-6


@dataclasses.dataclass(frozen=True)
class Library:
    """An MPI library: its wrappers and its launcher."""

    name: str
    cc: str
    fc: str
    cxx: str
    mpirun: str

    def words(self, ranks: int = 1) -> dict[str, str]:
        launch = f"{self.mpirun} -n {ranks}"
        return {"cc": self.cc, "fc": self.fc, "cxx": self.cxx, "mpirun": self.mpirun,
                "launch": launch, "ranks": str(ranks), "root": str(checkout.ROOT)}


def ours() -> Library:
    bin_ = checkout.PREFIX / "bin"
    cc, fc, cxx, mpirun = (str(bin_ / n) for n in ("mpicc", "mpifort", "mpicxx", "mpirun"))
    return Library("dunlin", cc, fc, cxx, mpirun)


def debians() -> Library | None:
    names = ("mpicc.openmpi", "mpifort.openmpi", "mpicxx.openmpi", "mpirun.openmpi")
    found = [path for path in map(shutil.which, names) if path]
    if len(found) < len(names):
        return None
    cc, fc, cxx, mpirun = found
    return Library("openmpi", cc, fc, cxx, f"{mpirun} --oversubscribe --allow-run-as-root")


def shell(line: str, at: Path, log: Path) -> None:
    with log.open("a") as out:
        out.write(f"$ {line}\n")
        out.flush()
        done = subprocess.run(line, shell=True, cwd=at, stdout=out, stderr=out, check=False)
    if done.returncode != 0:
        raise debian.Unable(f"`{line}` ended with {done.returncode}; {log} says why")


def build(name: str, program: dict, library: Library) -> Path:
    """A copy of the program's sources, built with the library's wrappers unless it is already."""
    at = BUILD / library.name / name
    if not (at / BUILT).exists():
        shutil.rmtree(at, ignore_errors=True)
        at.parent.mkdir(parents=True, exist_ok=True)
        sources = debian.fetch(program.get("package", name), BUILD / "sources")
        shutil.copytree(sources, at, symlinks=True)
        print(f"  building {name} with {library.name} ...", flush=True)
        for line in program["build"]:
            shell(line.format(**library.words()), at, at / "build.log")
        (at / BUILT).touch()
    return at


@dataclasses.dataclass
class Outcome:
    """What one run has said, how long it took, and its exit status."""

    text: str
    seconds: float
    code: int


def run(case: dict, at: Path, library: Library, ranks: int) -> Outcome:
    line = case["run"].format(**library.words(ranks))
    begin = time.monotonic()
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(line, shell=True, cwd=at / case.get("at", "."), env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        return Outcome("", PATIENCE_S, 124)
    return Outcome(done.stdout, time.monotonic() - begin, done.returncode)


def numbers(pattern: str, text: str) -> list[float]:
    found = (match for line in re.findall(pattern, text, re.MULTILINE)
             for match in ([line] if isinstance(line, str) else line))
    return [float(word.replace("D", "E")) for word in found]


def differ(case: dict, some: list[float], others: list[float]) -> str | None:
    if len(some) != len(others):
        return f"{len(some)} numbers beside {len(others)}"
    close = case.get("close", CLOSE)
    for one, other in zip(some, others, strict=True):
        if not math.isclose(one, other, rel_tol=close, abs_tol=close):
            return f"{one} beside {other}"
    return None


def complaint(case: dict, outcome: Outcome, at: Path) -> str | None:
    """Why a run is not right by the program's own word."""
    if outcome.code != 0 and "code" not in case.get("ignore", []):
        return f"ended with {outcome.code}"
    if (wrong := case.get("wrong")) and (found := re.search(wrong, outcome.text, re.MULTILINE)):
        return found[0].strip()
    if (right := case.get("right")) and not re.search(right, outcome.text, re.MULTILINE):
        return f"the output lacks /{right}/"
    if "numbers" in case and not numbers(case["numbers"], outcome.text):
        return "no numbers in the output"
    if reference := case.get("reference"):
        expected = numbers(case["numbers"], (at / case.get("at", ".") / reference).read_text())
        if wrong := differ(case, numbers(case["numbers"], outcome.text), expected):
            return f"{wrong} in {reference}"
    return None


def first_complaint(case: dict, outcomes: list[Outcome], at: Path) -> str | None:
    return next(filter(None, (complaint(case, outcome, at) for outcome in outcomes)), None)


def judge(name: str, case: dict, places: dict[str, Path], libraries: list[Library], turns: int,
          ranks: int, logs: Path = BUILD) -> bool:
    """Runs a case with each library in turns, prints a line, and tells whether all is well with the
    first library, by the program's own word and beside the second."""
    outcomes: dict[str, list[Outcome]] = {library.name: [] for library in libraries}
    for _ in range(turns if len(libraries) > 1 else 1):
        for library in libraries:
            outcomes[library.name].append(run(case, places[library.name], library, ranks))
    mine = libraries[0].name
    wrong = first_complaint(case, outcomes[mine], places[mine])
    beside = ""
    for peer in (library.name for library in libraries[1:]):
        theirs = first_complaint(case, outcomes[peer], places[peer])
        if theirs:
            beside = f"; {peer}: {theirs}"
        elif "numbers" in case and not wrong:
            expected = numbers(case["numbers"], outcomes[peer][0].text)
            found = (numbers(case["numbers"], o.text) for o in outcomes[mine])
            wrong = next(filter(None, (differ(case, each, expected) for each in found)), None)
        ours_s, theirs_s = (statistics.median(o.seconds for o in outcomes[of])
                            for of in (mine, peer))
        beside = f"{ours_s:.2f} s / {theirs_s:.2f} s = {ours_s / theirs_s:.2f}{beside}"
    verdict = "pass" if wrong is None else "FAIL"
    shown = f"n={ranks}" if ranks else "on the ranks it chooses"
    print(f"{verdict}  {name} {case['name']} {shown}  {beside}", flush=True)
    if wrong is not None:
        print(f"      {wrong}")
        log = logs / f"failed-{name}-{case['name'].replace('/', '-')}-{ranks}.log"
        log.write_text("\n=== next run\n".join(o.text for o in outcomes[mine]))
    return wrong is None


def cases_of(program: dict):
    """The program's cases; one with `files` stands for a case for each."""
    for case in program["cases"]:
        for file in case.get("files", [""]):
            filled = {key: value.replace("@", file) if isinstance(value, str) else value
                      for key, value in case.items()}
            yield filled | {"name": f"{case['name']}/{file}".rstrip("/")}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*", help="these alone (default: all)")
    parser.add_argument("-n", type=int, action="append", help="ranks (default: 1, 2 and 4)")
    parser.add_argument("--turns", type=int, default=3, help="runs of each library (default: 3)")
    parser.add_argument("--alone", action="store_true", help="without Open MPI")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    programs = tomllib.loads((HERE / "programs.toml").read_text())
    if unknown := set(options.programs) - set(programs):
        print(f"no program {sorted(unknown)}; there are {sorted(programs)}", file=sys.stderr)
        return 2
    peer = None if options.alone else debians()
    if peer is None:
        print("Without Debian's Open MPI (apt-get install openmpi-bin libopenmpi-dev) beside it.")
    libraries = [library for library in (ours(), peer) if library is not None]
    passed = failed = 0
    for name, program in programs.items():
        if options.programs and name not in options.programs:
            continue
        try:
            places = {library.name: build(name, program, library) for library in libraries}
        except debian.Unable as why:
            print(f"FAIL  {name}  {why}")
            failed += 1
            continue
        for case in cases_of(program):
            for ranks in case.get("ranks", options.n or [1, 2, 4]):
                good = judge(name, case, places, libraries, options.turns, ranks)
                passed, failed = passed + good, failed + (not good)
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
