"""`dunlin tune --measure` and `--confirm`: a table of algorithms by measurement on this machine."""

import json
import os
import platform
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import inf
from pathlib import Path
from textwrap import wrap
from typing import Any

import typer
from rich.console import Console

from dunlin import (
    collective_launch,
    discover,
    execution,
    limits,
    machine,
    measured_machine,
    measured_table,
    measured_tuning,
    stats,
    tuning_gains,
    words,
)
from dunlin.collective_launch import Launch
from dunlin.commands import simulate
from dunlin.commands.tune_options import Asked
from dunlin.errors import DunlinError
from dunlin.files import read_text, write_whole
from dunlin.libraries import Library, command
from dunlin.measured_table import Confirmation, MeasuredTable
from dunlin.measured_tuning import SLOWER_MIN, TABLE, TRIAL_ROUNDS, Call, Job, Wanted
from dunlin.simulation import Request, Result
from dunlin.ticker import Ticker
from dunlin.tuning import BUILT_IN, Cell
from dunlin.tuning_gains import Gain
from dunlin.tuning_rounds import Journal, Rounds, Turn

TUNING, ALGORITHM = "DUNLIN_COLL_TUNING", "DUNLIN_COLL_ALGORITHM"
HEAD_COLUMNS = 98
EXIT_SLOWER, EXIT_INTERRUPTED = 1, 130


@dataclass
class Measuring:
    """Launches, by the library that is measured."""

    asked: Asked
    library: Library
    program: Path
    console: Console

    def launch(self, turn: Turn) -> dict[int, float]:
        """One launch."""
        settings = {}
        if turn.choice == TABLE:
            settings = {TUNING: str(self.asked.out.resolve())}
        elif turn.choice != BUILT_IN:
            settings = collective_launch.forced(turn.operation, turn.choice)
        library = self.asked.hosts.library(self.library, turn.nodes)
        return Launch(
            library, self.program, turn.nodes, turn.ppn, turn.operation, turn.sizes, settings,
            self.asked.budget_ms,
        ).run()  # fmt: skip

    def try_all(self) -> None:
        """Every layout once, so that what cannot run is told at once."""
        for nodes, ppn in sorted({call[1:3] for call in self.asked.calls}):
            try:
                self.launch(Turn("barrier", nodes, ppn, BUILT_IN, (0,)))
            except DunlinError as why:
                raise DunlinError(f"{words.layout(nodes, ppn)} cannot run: {why}") from None

    def tell(self, text: str) -> None:
        """A line for people."""
        self.console.print(text, markup=False, highlight=False)


@contextmanager
def measuring(asked: Asked, console: Console) -> Iterator[Measuring]:
    """Finds and compiles what is needed."""
    for name in (TUNING, ALGORITHM):
        if name in os.environ:
            raise DunlinError(
                f"{name} is set, and would decide what is to be measured; unset it first"
            )
    if not asked.calls:
        raise DunlinError("every job is of one rank or too large; ask for other --nodes or --ppn")
    if asked.hosts.here and max(asked.nodes) > 1:
        raise DunlinError(
            f"--nodes has {max(asked.nodes)}, and this is one; name others by --hosts a,b, or give "
            "--in-job within a job of several"
        )
    if asked.hosts.names and max(asked.nodes) > len(asked.hosts.names):
        names = words.plural(len(asked.hosts.names), "host")
        raise DunlinError(f"--nodes has {max(asked.nodes)}, and --hosts names {names}")
    library = discover.dunlin(asked.at)
    if library.fault:
        raise DunlinError(f"Dunlin ({library.launcher}) does not run: {library.fault}")
    # Where other hosts are to find the program, it must be where all look.
    with tempfile.TemporaryDirectory(dir=asked.out.resolve().parent) as directory:
        into = None if asked.hosts.here else Path(directory)
        ready = Measuring(asked, library, collective_launch.program(library, into), console)
        ready.try_all()
        yield ready


def measure(asked: Asked, console: Console) -> None:
    """Makes a table, and confirms it."""
    with measuring(asked, console) as ready:
        here = _machine_here(ready)
        model = asked.machine or here["model"] or _calibrated(ready)
        # Where no table is shipped for the machine, the built-in rules choose.
        built_in = here["table"] is None
        results = _simulated(ready, model, built_in)
        is_known = built_in or model == here["model"]
        wanted = measured_tuning.candidates(results, asked.factor, selected=not is_known)
        journal = Journal(asked.beside(".measured.jsonl"), _settings(ready, model), asked.resume)
        with _interruptible(ready, journal), Ticker(Console(stderr=True)) as ticker:
            rounds = Rounds(ready.launch, journal, ticker, _telling(ticker), asked.rounds)
            _tell_plan(ready, model, wanted)
            samples = rounds.choose(wanted)
            table = measured_table.made(
                samples, {r.ppn: r.oversubscribed for r in results},
                {r.algorithm: r.parameter for r in results if r.parameter},
            )  # fmt: skip
            final = Tuned(ready, rounds, table, model)
            final.confirm()
        final.tell()


def confirm(asked: Asked, console: Console) -> None:
    """Measures a table that is there; ends with 1 if it is slower somewhere."""
    text = _text_of(asked.out)
    rules = tomllib.loads(text)
    cores = machine.usable_cores() if asked.hosts.here else None

    def decides(call: Call) -> bool:
        crowded = call[2] > cores if cores else None
        return measured_table.may_decide(rules.get(call[0], []), call, crowded)

    jobs = {call[:3] for call in asked.calls if decides(call)}
    if not jobs:
        raise DunlinError(
            "it decides no call that is to be measured; say what it is for with --operations, "
            "--nodes, --ppn and --bytes",
            file=asked.out,
        )
    calls = [call for call in asked.calls if call[:3] in jobs]
    with measuring(asked, console) as ready:
        settings = _settings(ready, None) | {"table": text}
        journal = Journal(asked.beside(".confirmed.jsonl"), settings, asked.resume)
        with _interruptible(ready, journal), Ticker(Console(stderr=True)) as ticker:
            rounds = Rounds(ready.launch, journal, ticker, _telling(ticker), asked.rounds)
            found = measured_table.confirm(rounds, text, _jobs(calls), decides)
        if not found.decided & found.found.keys() and not found.failed:
            raise DunlinError("nothing could be measured; the lines above say why")
        ratios: dict[str, list[tuple[float, Cell]]] = {}
        for call, ratio in found.found.items():
            if call in found.decided:
                ratios.setdefault(call[0], []).append((1.0 / ratio.value, call[1:]))
        console.print(tuning_gains.shown(tuning_gains.gains_of(ratios), "measured"))
        for line in [*_slower_lines(found), *_statement(found, asked.rounds)]:
            ready.tell(line)
        if found.failed or any(ratio.is_slower for ratio in found.slower.values()):
            raise typer.Exit(EXIT_SLOWER)


@dataclass
class Tuned:
    """A table on its way to its last form."""

    ready: Measuring
    rounds: Rounds
    table: MeasuredTable
    model: str
    told: tuple[str, ...] = ("Not confirmed: with --passes 0 nothing was measured again.",)
    last: Confirmation | None = None
    back: list[str] = field(default_factory=list)  # what was slower

    def confirm(self) -> None:
        """Measures it beside the built-in rules, and gives back to these what it makes slower, in
        so many passes at most; it is in its file all the time."""
        asked = self.ready.asked
        self.write()
        for number in range(1, asked.passes + 1):
            jobs = {call[:3] for call in asked.calls if self.decides(call)}
            if not jobs:
                least = words.percent(measured_tuning.GAIN_MIN)
                self.told = (f"No rule is left: nothing gains more than {least} and the noise.",)
                self.last = None
                break
            calls = [call for call in asked.calls if call[:3] in jobs]
            self.last = measured_table.confirm(
                self.rounds, self.table.text(), _jobs(calls), self.decides
            )
            for line in _slower_lines(self.last):
                self.rounds.tell(f"{line}: back to the built-in rules")
                self.back += [line]
            self.told = tuple(_statement(self.last, asked.rounds))
            if not self.last.given_back:
                break
            self.table = self.table.without(self.last)
            back = words.plural(len(self.last.given_back), "call")
            self.told = (f"After {words.plural(number, 'pass', 'passes')}: {back} slower with the "
                         "table went back to the built-in rules last, and nothing was measured "
                         "after that; what the table still decides was not slower.",)  # fmt: skip
            self.write()
        self.write()

    def decides(self, call: Call) -> bool:
        """Whether the table does."""
        return self.table.chosen(call) != BUILT_IN

    def gains(self) -> list[Gain]:
        """Over the built-in rules, by the last confirmation."""
        found = self.last.found if self.last else {}
        return tuning_gains.gains_of(
            measured_table.ratios_of(self.ready.asked.calls, self.table, found)
        )

    def write(self) -> None:
        """The table with its head."""
        asked, now = self.ready.asked, datetime.now().astimezone()
        where = platform.node()
        if not asked.hosts.here:
            where = f"the job of {where}" if asked.hosts.in_job else ", ".join(asked.hosts.names)
        near = ("all algorithms" if asked.factor == inf else
                f"algorithms within {words.times(asked.factor)} of the fastest")  # fmt: skip
        level = words.percent(stats.median_interval([1.0] * asked.rounds).level)
        gain = words.percent(measured_tuning.GAIN_MIN)
        paragraphs = [
            f"Algorithms measured on {where}, {now:%Y-%m-%d %H:%M}, by Dunlin "
            f"{self.ready.library.version}: {asked.rounds} rounds in turns.",
            f"  dunlin tune {asked.command}",
            f"By simulation of {self.model} {near} were kept. Of these the fastest as measured is "
            f"here, where it beats the built-in choice by more than {gain} and the noise: the "
            f"interval of the median of the ratios within each round (level {level}).",
            *self.told,
            *(f"Now by the built-in rules: {line[:1].lower()}{line[1:]}" for line in self.back),
        ]
        if self.last:
            paragraphs += ["How many times as fast as by the built-in rules, measured with a table "
                           "(nodes:ranks per node):"]  # fmt: skip
        head = [f"# {line}" for text in paragraphs for line in wrap(text, HEAD_COLUMNS)]
        head += tuning_gains.head(self.gains()) if self.last else []
        write_whole(asked.out, "\n".join(head) + "\n\n" + self.table.text())

    def tell(self) -> None:
        """What came out, for people."""
        ready = self.ready
        if self.last:
            ready.console.print(tuning_gains.shown(self.gains(), "measured"))
        for line in self.told:
            ready.tell(line)
        rules, out = words.plural(self.table.count(), "rule"), ready.asked.out
        use = f": `DUNLIN_COLL_TUNING={out}` uses it" if self.table.count() else ""
        ready.tell(f"{rules} written to {out}, measured here{use}. All times are in "
                   f"{self.rounds.journal.file}.")  # fmt: skip


def _text_of(table: Path) -> str:
    try:
        text = read_text(table)
        tomllib.loads(text)
    except FileNotFoundError:
        raise DunlinError(f"there is no table {table} to confirm") from None
    except tomllib.TOMLDecodeError as error:
        raise DunlinError(f"it is no TOML: {error}", file=table) from None
    return text


@contextmanager
def _interruptible(ready: Measuring, journal: Journal) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        ready.tell(f"Interrupted. What was measured is in {journal.file}: the same command with "
                   "--resume goes on from there.")  # fmt: skip
        raise typer.Exit(EXIT_INTERRUPTED) from None


def _telling(ticker: Ticker) -> Callable[[str], None]:
    return lambda line: ticker.console.print(line, markup=False, highlight=False)


def _jobs(calls: Iterable[Call]) -> dict[Job, list[int]]:
    jobs: dict[Job, list[int]] = {}
    for call in calls:
        jobs.setdefault(call[:3], []).append(call[3])
    return jobs


def _settings(ready: Measuring, model: str | None) -> dict[str, Any]:
    """What results depend on, to resume by; more rounds may be asked for then."""
    asked = ready.asked
    return {
        "host": platform.node(), "library": ready.library.version, "machine": model,
        "operations": list(asked.operations), "nodes": list(asked.nodes), "ppn": list(asked.ppn),
        "bytes": list(asked.sizes), "hosts": list(asked.hosts.names),
        "in_job": asked.hosts.in_job, "budget_ms": asked.budget_ms,
    }  # fmt: skip


def _machine_here(ready: Measuring) -> dict[str, Any]:
    """What Dunlin says of the first node."""
    info = [ready.library.launcher.with_name("dunlin-info"), "machine", "--json"]
    library = ready.asked.hosts.library(ready.library, 1)
    said = execution.call(command(library, 1, *info), library.environment)
    return dict(json.loads(said))


def _calibrated(ready: Measuring) -> str:
    """A model of this machine, measured now and kept beside the table."""
    file, asked = ready.asked.beside(".machine.toml"), ready.asked
    if asked.resume and file.exists():
        return str(file)
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        raise DunlinError(
            "no model of this machine is known, and with one usable core none can be measured; "
            "name one with --machine"
        )
    between = asked.hosts.library(ready.library, 2) if max(asked.nodes) > 1 else None
    with (
        Console(stderr=True).status("no model of this machine is known: measuring one"),
        tempfile.TemporaryDirectory(dir=asked.out.resolve().parent) as directory,
    ):
        _, text = measured_machine.measure(ready.library, between, Path(directory), cpus, 1)
    write_whole(file, text)
    ready.tell(f"No model of this machine is known: measured one, {file}.")
    return str(file)


def _simulated(ready: Measuring, model: str, built_in: bool) -> list[Result]:
    """What simulation says of all algorithms, also by other parameters than the usual ones."""
    asked = ready.asked
    results: list[Result] = []
    for operation in asked.operations:
        sizes = [0] if operation == "barrier" else asked.sizes
        request = Request(
            model, [operation], asked.nodes, asked.ppn, sizes, ["selected", "all"],
            ranks_max=limits.ranks_max(operation), give_up=asked.factor, built_in=built_in,
        )  # fmt: skip
        found = simulate.results_of(request)
        others = measured_tuning.variants(found, asked.factor).get(operation, [])
        if others:
            tried = simulate.results_of(replace(request, algorithms=others))
            # Where an algorithm does not fit, another one runs.
            found = measured_tuning.with_variants(
                found, (result for result in tried if result.algorithm in others)
            )
        results += [result for result in found if result.ranks > 1]
    cores = machine.usable_cores()
    if asked.hosts.here and any(r.oversubscribed != (r.ppn > cores) for r in results):
        raise DunlinError(
            f"{model} is of another machine: this one has {words.plural(cores, 'usable core')}; "
            "leave --machine out, or make a model with `dunlin calibrate`"
        )
    return results


def _tell_plan(ready: Measuring, model: str, wanted: Wanted) -> None:
    launches = sum(len(by_choice) for by_choice in wanted.values())
    asked = ready.asked
    for told in limits.left_out(asked.operations, asked.nodes, asked.ppn):
        ready.tell(f"Left out: {told}.")
    kept = f"those within {words.times(asked.factor)} of the fastest by simulation of {model}"
    kept = "all that fit" if asked.factor == inf else kept
    others, jobs = (
        words.plural(launches - len(wanted), "algorithm"),
        words.plural(len(wanted), "job"),
    )
    ready.tell(f"{others} beside the built-in choice of {jobs} are measured ({kept}): "
               f"{asked.rounds} rounds, of {launches} launches, fewer after the first "
               f"{TRIAL_ROUNDS}.")  # fmt: skip


def _slower_lines(found: Confirmation) -> list[str]:
    def named(call: Call) -> str:
        return f"{call[0]} {words.cell(*call[1:])}"

    lines = [
        f"Slower with the table, twice{'' if ratio.is_slower else ', if within the noise'}: "
        f"{named(call)}, {ratio}"
        for call, ratio in found.slower.items()
    ]
    return lines + [f"Failed with the table: {named(call)}" for call in found.failed]


def _statement(found: Confirmation, rounds: int) -> list[str]:
    """What a confirmation proves."""
    decided = {call: found.found[call] for call in sorted(found.decided & found.found.keys())}
    back = len(found.given_back)
    lines = [f"Of {words.plural(len(decided), 'call')} that the table decides {back or 'none'} "
             f"{'was' if back < 2 else 'were'} slower by more than {words.percent(SLOWER_MIN)} "
             f"twice, each time in {rounds} rounds in turns ({len(found.again)} "
             "once)."]  # fmt: skip
    if decided:
        call, least = max(decided.items(), key=lambda item: item[1].value)
        lines += [f"The least: {call[0]} {words.cell(*call[1:])}, {least}."]
    alike = [ratio for call, ratio in found.found.items() if call not in found.decided]
    if alike:
        ends = [words.digits(1.0 / pick(r.value for r in alike)) for pick in (max, min)]
        lines += [f"{words.plural(len(alike), 'call')} beside them, which run the same with the "
                  f"table and without, seemed {ends[0]} to {ends[1]} times as fast."]  # fmt: skip
    return lines
