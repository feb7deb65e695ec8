"""`make bench-peers`: Dunlin beside MPICH, Open MPI and Intel MPI, as PyPI ships them. Each round
runs every library once in every case, one right after the other, so that whatever else the machine
does falls on all of them; medians over rounds count, and each peer's best setting."""

import argparse
import hashlib
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import harness
import peer_cases
import peer_libraries
import peer_table
import rounds
from peer_cases import Case, Plan
from peer_libraries import Library, Setting

RUN_TIMEOUT_S = 60
# Where nobody looks at a moving line, a line now and then says that it goes on.
SECONDS_BETWEEN_LINES = 30
ERROR_CHARACTERS = 200


@dataclass
class Run:
    """A library, under one setting, in one case: what its launches gave."""

    library: Library
    setting: Setting
    case: Case
    rows: list[list[dict]] = field(default_factory=list)  # by launch
    error: str | None = None
    took_s: float = 1.0

    @property
    def command(self) -> list[str]:
        """What is started."""
        program = self.library.programs[self.case.program]
        told = [] if self.case.from_outside else ["--pin", "--json"]
        return self.library.mpi.command(self.case.ranks, program, *self.case.arguments, *told)


class Failed(Exception):
    """A launch that gave no result, and why."""


def narrowed(cores: int | None):
    """What a child does before it begins: it keeps the first few of its cores."""
    if cores is None:
        return None
    usable = sorted(os.sched_getaffinity(0))[:cores]
    return lambda: os.sched_setaffinity(0, usable)


def launch(run: Run) -> list[dict]:
    """One launch: its rows."""
    environment = {**os.environ, **run.library.mpi.environment, **run.setting.environment}
    began = time.monotonic()
    child = subprocess.Popen(
        run.command, env=environment, text=True, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=narrowed(run.case.cores))
    try:
        out, err = child.communicate(timeout=RUN_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        harness.end_group(child)
        child.communicate()
        raise Failed(f"did not end within {RUN_TIMEOUT_S} s") from None
    run.took_s = time.monotonic() - began
    if child.returncode != 0:
        detail = " ".join((err + out).split())
        raise Failed(f"ended with {child.returncode}: {detail[:ERROR_CHARACTERS]}")
    rows = [{"bytes": 0, "ms": run.took_s * 1e3}] if run.case.from_outside \
        else harness.json_lines(out)
    if not rows:
        raise Failed("printed no result")
    return rows


class Progress:
    """One moving line on a terminal, a plain line now and then elsewhere."""

    def __init__(self, left_s):
        self.left_s, self.began = left_s, time.monotonic()
        self.moving = sys.stderr.isatty()
        self.said = self.began

    def say(self, text: str, done: int, total: int) -> None:
        """What runs now."""
        now = time.monotonic()
        if not self.moving and now - self.said < SECONDS_BETWEEN_LINES:
            return
        self.said = now
        left = f"about {self.left_s() / 60:.1f} min left" if done else ""
        line = f"{done}/{total} runs, {(now - self.began) / 60:.1f} min, {left}: {text}"
        if self.moving:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns
            print(f"\r\x1b[K{line[:columns - 1]}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leaves the line."""
        if self.moving:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def runs_of(cases: list[Case], libraries: list[Library]) -> list[list[Run]]:
    """By case: every library under every setting that may be its best."""
    return [[Run(library, setting, case) for library in libraries
             for setting in library.settings_for(case.situation, case.program)]
            for case in cases]


def measure(by_case: list[list[Run]], launches: int, tidy=lambda: None) -> None:
    """All rounds. Each starts with another library: the first may find colder caches. `tidy` is
    called after a failure."""
    total = launches * sum(map(len, by_case))
    done = 0

    def left_s() -> float:
        rounds = launches * sum(r.took_s for runs in by_case for r in runs)
        return rounds * (total - done) / total

    progress = Progress(left_s)
    for round_ in range(launches):
        for runs in by_case:
            turn = round_ % len(runs)
            for run in runs[turn:] + runs[:turn]:
                progress.say(f"{run.case.name}, {run.library.name}", done, total)
                done += 1
                if run.error is not None:
                    continue
                try:
                    run.rows.append(launch(run))
                except Failed as why:
                    run.error = str(why)
                    tidy()
    progress.end()


def directory_of(library: Library) -> Path:
    """Where its programs are built. A program knows the library that it was built with, so each
    place that a library is installed in has a directory of its own."""
    place = hashlib.sha256(str(library.mpi.mpicc).encode()).hexdigest()[:8]
    return harness.ROOT / "build" / "bench" / f"{library.name}-{place}"


def prepare(options: argparse.Namespace, programs: set[str]) -> list[Library]:
    """Installs the libraries and builds the programs."""
    prefixes = {peer_libraries.DUNLIN: options.prefix}
    names = options.libraries
    if options.before is not None:
        prefixes[peer_libraries.BEFORE] = options.before
        names = [*names, peer_libraries.BEFORE]
    libraries = [peer_libraries.library(name, prefixes) for name in names]
    build(libraries, programs)
    return libraries


def build(libraries: list[Library], programs: set[str]) -> None:
    """Builds the programs with each library's own wrapper."""
    for library in libraries:
        directory = directory_of(library)
        library.programs = {
            name: library.mpi.compile(harness.BENCH / f"{name}.c", directory)
            for name in sorted(programs)
        }


def line_ratio(libraries: list[Library]) -> dict | None:
    """Dunlin's 8 bytes beside the bare cache line, measured in turns."""
    for library in libraries:
        if library.name == peer_libraries.DUNLIN and "pingpong_vs_line" in library.programs:
            return library.mpi.rows(2, library.programs["pingpong_vs_line"])[0]
    return None


def parse() -> argparse.Namespace:
    """The command line."""
    parser = rounds.parser("peers", __doc__, "under ten minutes on two cores")
    rounds.add_libraries(parser)
    parser.add_argument("--only", nargs="+", metavar="PATTERN",
                        help="benchmarks by name (latency, 'all*', ...) or group")
    parser.add_argument("--before", type=Path, metavar="PREFIX",
                        help="another build of Dunlin, to be a peer as well")
    return rounds.parse(parser)


def main() -> None:
    options = parse()
    plan = Plan(len(os.sched_getaffinity(0)), not options.quick, options.ranks, options.sizes,
                options.only)
    cases = peer_cases.cases_of(plan)
    if not cases:
        sys.exit("nothing has that name; leave out --only to see what there is")
    programs = {c.program for c in cases}
    if any(c.benchmark == "latency" for c in cases):
        programs.add("pingpong_vs_line")
    libraries = prepare(options, programs)
    by_case = runs_of(cases, libraries)
    began = time.monotonic()
    try:
        measure(by_case, options.launches)
    except KeyboardInterrupt:
        print("\ninterrupted; what is there follows", file=sys.stderr)
    records = peer_table.records([run for runs in by_case for run in runs])
    text = peer_table.report(records, line_ratio(libraries))
    minutes = (time.monotonic() - began) / 60
    text += f"\n{plan.cores} cores, {options.launches} launches, {minutes:.1f} min\n"
    rounds.save(options.out, "peers", records, text)
    print(text)


if __name__ == "__main__":
    main()
