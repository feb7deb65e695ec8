"""`dunlin tune --measure` and `--confirm`: a table of algorithms by measurement on this machine."""

import json
import os
import platform
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
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
    programs,
    stats,
    tuning,
    tuning_gains,
    words,
)
from dunlin.collective_launch import Launch
from dunlin.commands import simulate
from dunlin.commands.tune_options import Asked
from dunlin.errors import DunlinError
from dunlin.files import write_whole
from dunlin.libraries import Library, command
from dunlin.measured_table import Confirmation, MeasuredTable
from dunlin.measured_tuning import TABLE, TRIAL_ROUNDS, Call, Job, Wanted
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
    machine: Mapping[str, Any]  # what Dunlin says of the first node
    program: Path
    console: Console
    unconfirmed: bool = False  # whether the table is in its file so far

    @property
    def cores(self) -> int:
        """Of a node."""
        return _cores(self.asked, self.machine)

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
def measuring(asked: Asked, console: Console, place: Path) -> Iterator[Measuring]:
    """Finds and compiles what is needed; `place`: a directory where all hosts look."""
    for name in (TUNING, ALGORITHM):
        if name in os.environ:
            raise DunlinError(
                f"{name} is set, and would decide what is to be measured; unset it first"
            )
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
    if asked.hosts.in_job:
        asked = _in_job(asked, library)
    here = _machine_here(asked, library)
    asked = asked.with_cores(_cores(asked, here))
    if not asked.calls:
        raise DunlinError("every job is of one rank or too large; ask for other --nodes or --ppn")
    with nullcontext() if asked.hosts.here else tempfile.TemporaryDirectory(dir=place) as directory:
        program = collective_launch.program(library, Path(directory) if directory else None)
        yield Measuring(asked, library, here, program, console)


def measure(asked: Asked, console: Console) -> None:
    """Makes a table, and confirms it."""
    with measuring(asked, console, asked.out.resolve().parent) as ready:
        asked, here = ready.asked, ready.machine
        ready.try_all()
        model = asked.machine or here["model"] or _calibrated(ready)
        # Where no table is shipped for the machine, the built-in rules choose.
        built_in = here["table"] is None
        results = _simulated(ready, model, built_in)
        is_known = built_in or model == here["model"]
        wanted = measured_tuning.candidates(results, asked.factor, selected=not is_known)
        journal = _journal(ready, asked.beside(".measured.jsonl"), {"machine": model})
        with _interruptible(ready, journal), Ticker(Console(stderr=True)) as ticker:
            rounds = Rounds(ready.launch, journal, ticker, _telling(ticker), asked.rounds)
            _tell_plan(ready, model, wanted)
            samples = rounds.choose(wanted)
            table = measured_table.made(
                samples, {r.ppn: r.oversubscribed for r in results},
                {r.algorithm: r.parameter for r in results if r.parameter}, asked.calls,
            )  # fmt: skip
            final = Tuned(ready, rounds, table, model)
            final.confirm()
        final.tell()


def confirm(asked: Asked, console: Console) -> None:
    """Measures a table that is there; ends with 1 if it is slower somewhere, or was not measured
    everywhere. It writes only where it was called: the table may be somebody else's."""
    text = measured_table.text_of(asked.out)
    rules = tomllib.loads(text)
    with measuring(asked, console, Path.cwd()) as ready:
        asked = ready.asked

        def decides(call: Call) -> bool:
            return measured_table.may_decide(rules.get(call[0], []), call, call[2] > ready.cores)

        jobs = {call[:3] for call in asked.calls if decides(call)}
        if not jobs:
            raise DunlinError(
                "it decides no call that is to be measured; say what it is for with --operations, "
                "--nodes, --ppn and --bytes",
                file=asked.out,
            )
        calls = [call for call in asked.calls if call[:3] in jobs]
        ready.try_all()
        file = Path(asked.beside(".confirmed.jsonl").name)
        journal = _journal(ready, file, {"table": text})
        with _interruptible(ready, journal), Ticker(Console(stderr=True)) as ticker:
            rounds = Rounds(ready.launch, journal, ticker, _telling(ticker), asked.rounds)
            found = measured_table.confirm(rounds, text, _jobs(calls), decides)
        _tell_confirmed(ready, found)
        slower = any(ratio.is_slower for ratio in found.slower.values())
        if slower or found.failed or found.unmeasured:
            raise typer.Exit(EXIT_SLOWER)


def _tell_confirmed(ready: Measuring, found: Confirmation) -> None:
    measured = sorted(found.decided & found.found.keys())
    if not measured and not found.failed:
        raise DunlinError("nothing could be measured; the lines above say why")
    ratios: dict[str, list[tuple[float, Cell]]] = {}
    for call in measured:
        ratios.setdefault(call[0], []).append((1.0 / found.found[call].value, call[1:]))
    if ratios:
        ready.console.print(tuning_gains.shown(tuning_gains.gains_of(ratios), "measured"))
    for line in [*found.lines(), *found.statement(ready.asked.rounds)]:
        ready.tell(line)


@dataclass
class Tuned:
    """A table on its way to its last form."""

    ready: Measuring
    rounds: Rounds
    table: MeasuredTable
    model: str
    told: tuple[str, ...] = ("Not confirmed yet: it is being measured.",)
    last: Confirmation | None = None
    back: list[str] = field(default_factory=list)  # what was not confirmed

    def confirm(self) -> None:
        """Measures it beside the built-in rules, and gives back to these what it makes slower, in
        so many passes at most; it is in its file all the time."""
        asked = self.ready.asked
        if asked.passes == 0:
            self.told = ("Not confirmed: with --passes 0 nothing was measured again.",)
        self.ready.unconfirmed = True
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
            for line in self.last.lines():
                self.rounds.tell(f"{line}: back to the built-in rules")
                self.back += [line]
            self.told = tuple(self.last.statement(asked.rounds))
            self.table = self.table.after(self.last)
            if not self.last.given_back:
                break
            back = words.plural(len(self.last.given_back), "call")
            self.told = (f"After {words.plural(number, 'pass', 'passes')}: {back} that the "
                         "measurement did not confirm went back to the built-in rules last, and "
                         "nothing was measured after that; what the table still decides was "
                         "measured and not slower.",)  # fmt: skip
            self.write()
        self.write()
        self.ready.unconfirmed = False

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
            self.extent(),
            "Above each rule stands what its algorithm gained, confirmed where the table is, and "
            "how far it is behind the fastest when all were measured.",
            *self.told,
            *(f"Now by the built-in rules: {line[:1].lower()}{line[1:]}" for line in self.back),
        ]
        if self.last:
            paragraphs += ["How many times as fast as by the built-in rules, measured with a table "
                           "(nodes:ranks per node):"]  # fmt: skip
        head = [f"# {line}" for text in paragraphs for line in wrap(text, HEAD_COLUMNS)]
        head += tuning_gains.head(self.gains()) if self.last else []
        write_whole(asked.out, "\n".join(head) + "\n\n" + self.table.text())

    def extent(self) -> str:
        """Where rules end."""
        asked = self.ready.asked
        nodes, ppn, sizes = (sorted(set(some)) for some in (asked.nodes, asked.ppn, asked.sizes))
        least, most = tuning.beyond(sizes)
        every = [name for name in asked.operations if name in tuning.WITHOUT_SIZE]
        without = f" Rules of {words.listed(every)} know no size." if every else ""
        return (f"Measured: {words.listed(nodes)} {'node' if nodes == [1] else 'nodes'}, "
                f"{words.listed(ppn)} ranks per node, {words.listed([*map(words.size, sizes)])}. "
                "Rules reach halfway, as a ratio, to the next of these numbers, and of sizes "
                f"half a step beyond them, {words.size(least)} to {words.size(most)}; nothing "
                "between them was measured. Beyond, the built-in rules decide."
                + without)  # fmt: skip

    def tell(self) -> None:
        """What came out, for people."""
        ready = self.ready
        if self.last:
            ready.console.print(tuning_gains.shown(self.gains(), "measured"))
        for line in [*self.told, self.extent()]:
            ready.tell(line)
        rules, out = words.plural(self.table.count(), "rule"), ready.asked.out
        use = f": `DUNLIN_COLL_TUNING={out}` uses it" if self.table.count() else ""
        ready.tell(f"{rules} written to {out}, measured here{use}. All times are in "
                   f"{self.rounds.journal.file}.")  # fmt: skip


def _in_job(asked: Asked, library: Library) -> Asked:
    """What is asked for on the nodes of the job around this process, as mpirun sees it."""
    job = _allocation(library)
    if job is None:
        raise DunlinError(
            "--in-job: there is no job of a batch system around this command (`dunlin-info launch` "
            "says what is looked for); call it within one, or name hosts by --hosts a,b"
        )
    there = len(job["hosts"])
    asked = asked.with_nodes(there)
    if max(asked.nodes) > there:
        name, nodes = f"{job['system']} job {job['job']}", words.plural(there, "node")
        raise DunlinError(
            f"--nodes has {max(asked.nodes)}, and {name} has {nodes}; leave --nodes out to "
            "measure on one and on all of them, or ask the batch system for more"
        )
    return asked


def _allocation(library: Library) -> dict[str, Any] | None:
    """The job around this process, if there is one."""
    info = [str(library.launcher.with_name("dunlin-info")), "launch", "--json"]
    found = json.loads(execution.call(info, library.environment))["allocation"]
    return None if found is None else dict(found)


def _cores(asked: Asked, here: Mapping[str, Any]) -> int:
    return machine.usable_cores() if asked.hosts.here else int(here["cpus"])


def _journal(ready: Measuring, file: Path, more: Mapping[str, Any]) -> Journal:
    journal = Journal(file, {**_settings(ready), **more}, ready.asked.resume)
    if journal.former:
        ready.tell(f"What was measured before is now in {journal.former}; with --resume it would "
                   "have been gone on with.")  # fmt: skip
    return journal


@contextmanager
def _interruptible(ready: Measuring, journal: Journal) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        table = f" The table in {ready.asked.out} is not confirmed." if ready.unconfirmed else ""
        ready.tell(f"Interrupted. What was measured is in {journal.file}: the same command with "
                   f"--resume goes on from there.{table}")  # fmt: skip
        raise typer.Exit(EXIT_INTERRUPTED) from None


def _telling(ticker: Ticker) -> Callable[[str], None]:
    return lambda line: ticker.console.print(line, markup=False, highlight=False)


def _jobs(calls: Iterable[Call]) -> dict[Job, list[int]]:
    jobs: dict[Job, list[int]] = {}
    for call in calls:
        jobs.setdefault(call[:3], []).append(call[3])
    return jobs


def _settings(ready: Measuring) -> dict[str, Any]:
    """What results depend on, to resume by; more rounds may be asked for then."""
    asked, library = ready.asked, ready.library
    files = [library.launcher, *library.prefix.glob("lib*/libmpi_abi.so*")]
    environment = {**os.environ, **library.environment}
    return {
        "host": platform.node(), "library": library.version,
        "files": sorted(programs.fingerprint(file) for file in files if file.exists()),
        "environment": {k: v for k, v in sorted(environment.items()) if k[:7] == "DUNLIN_"},
        "operations": list(asked.operations), "nodes": list(asked.nodes), "ppn": list(asked.ppn),
        "bytes": list(asked.sizes), "hosts": list(asked.hosts.names),
        "in_job": asked.hosts.in_job, "budget_ms": asked.budget_ms,
    }  # fmt: skip


def _machine_here(asked: Asked, library: Library) -> dict[str, Any]:
    """What Dunlin says of the first node."""
    info = [library.launcher.with_name("dunlin-info"), "machine", "--json"]
    there = asked.hosts.library(library, 1)
    return dict(json.loads(execution.call(command(there, 1, *info), there.environment)))


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
    cores = ready.cores
    if any(r.oversubscribed != (r.ppn > cores) for r in results):
        who = "this one" if asked.hosts.here else "the first host"
        raise DunlinError(
            f"{model} is of another machine: {who} has {words.plural(cores, 'usable core')}; "
            "leave --machine out, or make a model with `dunlin calibrate`"
        )
    return results


def _tell_plan(ready: Measuring, model: str, wanted: Wanted) -> None:
    launches = sum(len(by_choice) for by_choice in wanted.values())
    asked = ready.asked
    for told in limits.left_out(asked.operations, asked.nodes, asked.ppn):
        ready.tell(f"Left out: {told}.")
    kept = f"within {words.times(asked.factor)} of the fastest by simulation of {model}"
    if asked.factor in (1.0, inf):
        kept = "all that fit" if asked.factor == inf else f"the fastest by simulation of {model}"
    count = launches - len(wanted)
    fewer = f", fewer after the first {TRIAL_ROUNDS}" if asked.rounds > TRIAL_ROUNDS else ""
    ready.tell(f"{words.plural(count, 'algorithm is', 'algorithms are')} measured beside the "
               f"built-in choice of {words.plural(len(wanted), 'job')} ({kept}): {asked.rounds} "
               f"rounds, of {words.plural(launches, 'launch', 'launches')}{fewer}.")  # fmt: skip
