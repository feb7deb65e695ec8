"""Libraries in turns, round by round: launches, the command line of the programs that do so, and
the files they leave. Each round runs every library once in every case, one right after the other,
so that whatever else the machine does falls on all of them."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from dunlin import checkout, execution, turns
from dunlin.errors import DunlinError
from dunlin.peers import libraries
from dunlin.peers.cases import Case
from dunlin.peers.libraries import Contender, Setting
from dunlin.ticker import Ticker
from dunlin.words import choice, duration

RUN_TIMEOUT_S = 60
ERROR_CHARACTERS = 200
LAUNCHES, LAUNCHES_QUICK = 7, 3


# What a cache line took from core to core before a launch and after it, in nanoseconds.
Look = tuple[float, float]


@dataclass
class Run:
    """A library, under one setting, in one case: what its launches gave."""

    library: Contender
    setting: Setting
    case: Case
    rows: list[list[dict[str, Any]]] = field(default_factory=list)  # by launch
    error: str | None = None
    took_s: float = 1.0
    looks: list[Look | None] = field(default_factory=list)  # by launch

    @property
    def command(self) -> list[str]:
        """What is started."""
        told = [] if self.case.from_outside else ["--pin", "--json"]
        return self.library.command(self.case.program, self.case.ranks, *self.case.arguments, *told)


def narrowed(cores: int | None) -> Callable[[], None] | None:
    """What a child does before it begins: it keeps the first few of its cores."""
    if cores is None:
        return None
    usable = sorted(os.sched_getaffinity(0))[:cores]
    return lambda: os.sched_setaffinity(0, usable)


def launch(run: Run) -> list[dict[str, Any]]:
    """One launch: its rows."""
    environment = run.library.environment(run.setting)
    ended = execution.execute(run.command, environment, RUN_TIMEOUT_S,
                              before=narrowed(run.case.cores))
    if ended.exit_code is None:
        raise DunlinError(f"did not end within {RUN_TIMEOUT_S} s")
    run.took_s = ended.seconds
    if ended.exit_code != 0:
        raise DunlinError(f"ended with {ended.exit_code}: {ended.detail[:ERROR_CHARACTERS]}")
    rows = [{"bytes": 0, "ms": ended.seconds * 1e3}] if run.case.from_outside \
        else execution.rows_of(ended.out)
    if not rows:
        raise DunlinError("printed no result")
    return rows


def runs_of(cases: Iterable[Case], contenders: Sequence[Contender]) -> list[list[Run]]:
    """By case: every library under every setting that may be its best."""
    return [[Run(library, setting, case) for library in contenders
             for setting in library.settings_for(case.situation, case.program)]
            for case in cases]


def between_looks(
    run: Run, look: Callable[[], float] | None
) -> tuple[list[dict[str, Any]], Look | None]:
    """What a launch gives, and what is seen before and after it; a look that fails is no fault of
    the library."""
    def seen() -> float | None:
        try:
            return look() if look else None
        except DunlinError:
            return None

    before, rows, after = seen(), launch(run), seen()
    return rows, None if before is None or after is None else (before, after)


def measure(by_case: list[list[Run]], launches: int, tidy: Callable[[], None] = lambda: None,
            look: Callable[[], float] | None = None) -> list[Run]:
    """All rounds, or those before an interruption. `tidy` is called after a failure; `look` tells
    how far the cores are from each other now."""
    every = [run for runs in by_case for run in runs]
    total = launches * len(every)
    with Ticker(Console(stderr=True)) as ticker:
        try:
            for done, run in enumerate(run for round_ in range(launches)
                                       for run in turns.in_turns(by_case, str(round_))):
                left = sum(r.took_s for r in every) * launches * (total - done) / total
                words = f"about {duration(left)} left: {run.case.name}, {run.library.name}"
                ticker.say(done, total, words)
                if run.error is not None:
                    continue
                try:
                    rows, seen = between_looks(run, look)
                    run.rows.append(rows)
                    run.looks.append(seen)
                except DunlinError as why:
                    run.error = str(why)
                    tidy()
        except KeyboardInterrupt:
            print("interrupted; what is there follows", file=sys.stderr)
    return every


def parser(name: str, about: str | None, quick: str) -> argparse.ArgumentParser:
    """The common part of a command line of the program that leaves NAME.json and NAME.txt."""
    made = argparse.ArgumentParser(description=about)
    made.add_argument("--ranks", type=int, nargs="+", help="these numbers of ranks")
    made.add_argument("--launches", type=int,
                      help=f"rounds (default {LAUNCHES}; with --quick {LAUNCHES_QUICK})")
    made.add_argument("--quick", action="store_true", help=quick)
    made.add_argument("--prefix", type=Path, default=checkout.PREFIX,
                      help="where Dunlin is installed (default: build/prefix)")
    made.add_argument("--out", type=Path, default=checkout.RESULTS,
                      help=f"directory for {name}.json and {name}.txt (default: bench-results)")
    return made


def add_libraries(made: argparse.ArgumentParser) -> None:
    """Which libraries, and at which sizes."""
    made.add_argument("--sizes", type=int, nargs="+", metavar="BYTES", help="these sizes")
    made.add_argument("--libraries", default=",".join(libraries.NAMES), metavar="A,B",
                      help="of %(default)s (the default)")


def parse(made: argparse.ArgumentParser) -> argparse.Namespace:
    """The options, with the number of rounds and the libraries by name."""
    options = made.parse_args()
    options.prefix = options.prefix.resolve()
    options.launches = options.launches or (LAUNCHES_QUICK if options.quick else LAUNCHES)
    if "libraries" in options:
        options.libraries = options.libraries.split(",")
        for name in options.libraries:
            if name not in libraries.NAMES:
                made.error(f"--libraries: {choice('library', name, libraries.NAMES)}")
    return options


def save(out: Path, name: str, records: list[dict[str, Any]], text: str) -> None:
    """Leaves the figures for programs and the table for people."""
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.json").write_text(json.dumps(records, indent=1) + "\n")
    (out / f"{name}.txt").write_text(text)


def end_with(text: str, began: float, options: argparse.Namespace) -> str:
    """A table, and under what it was made."""
    cores, minutes = len(os.sched_getaffinity(0)), (time.monotonic() - began) / 60
    return f"{text}\n{cores} cores, {options.launches} launches, {minutes:.1f} min\n"
