"""One launch: the command, its environment, its output, its end, and the record of it all."""

import os
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from dunlin import benchmarks, execution, libraries, machine, watchdog
from dunlin.benchmarks import Benchmark, Effort
from dunlin.errors import DunlinError
from dunlin.execution import Ended
from dunlin.libraries import Library, Place
from dunlin.model import Placement, Run, Sample, Status
from dunlin.nodes import Nodes
from dunlin.studyfile import Settings
from dunlin.words import spans

MESSAGE_CHARACTERS_MAX = 4000
# Of all ranks together, so that a hang of 8,000 is not a file that nobody can open.
STACKS_CHARACTERS_MAX = 8_000_000
# Of a launch's time: by then Dunlin says by itself who waits for whom.
STALL_REPORT_PART = 0.5


@dataclass(frozen=True)
class Task:
    """What is to be launched."""

    run_id: str
    study: str
    directory: Path
    system: str
    library: Library
    profile: str
    settings: Settings
    place: Place
    benchmark: str
    kind: Benchmark
    sizes: list[int]
    effort: Effort
    timeout_s: float
    repetition: int = 0
    order: int = 0
    description: dict[str, Any] = field(default_factory=machine.describe)

    @property
    def mark(self) -> str:
        """By which its processes are known."""
        return watchdog.mark_of(self.run_id, self.directory)


def environment_of(task: Task) -> dict[str, str]:
    """The variables that are set for a launch, beyond those of whoever starts it."""
    needed = libraries.necessary_environment(task.library, bound_by_program=task.effort.pin)
    return needed | task.settings.environment | {watchdog.MARK: task.mark}


def command_of(task: Task, program: Path, hostfile: Path | None) -> list[str]:
    """The command line."""
    words = libraries.launcher_words(task.library, task.place, hostfile)
    if task.library.vendor == "dunlin" and not task.library.launch:
        words += ["--stall-report", str(max(1, int(task.timeout_s * STALL_REPORT_PART)))]
    arguments = benchmarks.arguments(task.kind, task.sizes, task.effort)
    return [*words, *task.settings.options, str(program), *arguments]


@dataclass(frozen=True)
class Launched:
    """How a launch came to its end, and what is known of ranks that did not."""

    ended: Ended
    stacks: dict[str, str] | None = None
    unreached: str | None = None  # why there are no stacks of some ranks
    fault: str | None = None  # why it was never started, or what it printed is of no use


def execute(task: Task, command: list[str], environment: dict[str, str], program: Path) -> Launched:
    """Runs it, and looks at ranks that do not end."""
    nodes = Nodes(task.library, task.place, environment, task.settings.options, task.mark)
    found: tuple[dict[str, str] | None, str | None] = (None, None)

    def look() -> None:
        nonlocal found
        found = nodes.stacks(program, task.directory)

    ended = execution.execute(command, environment, task.timeout_s, mark=task.mark, at_limit=look)
    if ended.exit_code is None:
        nodes.end_leftovers()
    return Launched(ended, *found)


def _cpu_count(cpus: str) -> int:
    pairs = (part.partition("-") for part in cpus.split(","))
    return sum(int(last or first) - int(first) + 1 for first, _, last in pairs)


def misplacement(placement: list[Placement], place: Place, *, pinned: bool) -> str | None:
    """What is wrong with where the ranks are, in a sentence; None if nothing is."""
    by_host = Counter(p.host for p in placement)
    if len(placement) != place.ranks:
        return f"{place.ranks} ranks were asked for; {len(placement)} ran"
    if len(by_host) != place.nodes:
        return f"{place.nodes} nodes were asked for; the ranks ran on {len(by_host)}"
    uneven = {host: n for host, n in by_host.items() if n != place.ranks_per_node}
    if uneven:
        told = ", ".join(f"{n} on {host}" for host, n in sorted(uneven.items()))
        return f"{place.ranks_per_node} ranks were to be on each node; there were {told}"
    return _crowd(placement) if pinned else None


def _crowd(placement: list[Placement]) -> str | None:
    """Ranks that share a core of a host that has one for each of its ranks."""
    single = Counter((p.host, p.cpus) for p in placement if _cpu_count(p.cpus) == 1)
    for (host, cpus), n in single.items():
        here = [p for p in placement if p.host == host]
        usable = max(p.usable or 0 for p in here)
        # Each was given one core by its launcher: nodes of a job are alike, as far as is known.
        cores = usable if usable > 1 else machine.usable_cores()
        if n > 1 and len(here) <= cores:
            return f"{n} ranks share core {cpus} of {host}, though there is one for each"
    return None


def _verdict(
    launched: Launched, task: Task, rows: list[Any], placed: list[Placement]
) -> tuple[Status, str]:
    ended = launched.ended
    said = " ".join((ended.error + " " + _without_rows(ended.out)).split())
    if launched.fault:
        return "failed", launched.fault
    if ended.exit_code is None:
        return "hang", f"did not end within {task.timeout_s:g} s ({_whose(launched, task)}). {said}"
    if ended.exit_code != 0:
        return "failed", f"ended with {ended.exit_code}: {said}"
    if task.kind.from_outside:
        return "ok", said
    if not any("values" in row or "bench" in row for row in rows):
        return "failed", f"printed no result: {said}"
    wrong = misplacement(placed, task.place, pinned=task.effort.pin)
    return ("misplaced", wrong) if wrong else ("ok", said)


def _whose(launched: Launched, task: Task) -> str:
    """Of which ranks there are stacks, and of which not, and why."""
    taken = {int(rank) for rank in launched.stacks or {}}
    missing = set(range(task.place.ranks)) - taken
    told = f"stacks of ranks: {spans(taken) or 'none'}"
    if not missing:
        return told
    reason = launched.unreached or "they were not found among the processes of their nodes"
    return f"{told}; not taken of ranks {spans(missing)}: {reason}"


def _shortened(stacks: dict[str, str] | None) -> dict[str, str] | None:
    if not stacks:
        return stacks
    each = STACKS_CHARACTERS_MAX // len(stacks)
    return {rank: text[:each] for rank, text in stacks.items()}


def _without_rows(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("{"))


def launch(task: Task) -> tuple[Run, list[Sample]]:
    """Does it. Whatever goes wrong with the library becomes part of the record."""
    started = datetime.now(UTC)
    environment, command = environment_of(task), []
    with tempfile.TemporaryDirectory(prefix="dunlin-") as directory:
        try:
            program = benchmarks.program_of(task.kind, task.library)
            hostfile = Path(directory) / "hosts" if task.place.hosts else None
            if hostfile:
                libraries.write_hostfile(task.library, task.place, hostfile)
            command = command_of(task, program, hostfile)
            launched = execute(task, command, environment, program)
        except DunlinError as error:
            launched = Launched(Ended(0.0, None, "", ""), fault=str(error))
    ended = launched.ended
    rows = execution.rows_of(ended.out)
    try:
        placed = [Placement(**p) for row in rows for p in row.get("placement", [])]
        values = benchmarks.samples(task.benchmark, task.kind, task.run_id, rows, ended.seconds)
    except (AttributeError, KeyError, TypeError, ValidationError) as error:
        fault = f"a line of JSON that the program printed is no row of figures: {error!r}"
        if ended.exit_code == 0:
            launched = replace(launched, fault=fault)
        rows, placed, values = [], [], []
    status, message = _verdict(launched, task, rows, placed)
    run = Run(
        run_id=task.run_id, study=task.study, system=task.system, library=task.library.name,
        library_version=task.library.version, vendor=task.library.vendor, profile=task.profile,
        nodes=task.place.nodes, ranks_per_node=task.place.ranks_per_node,
        benchmark=task.benchmark, repetition=task.repetition, order=task.order, started=started,
        seconds=round(ended.seconds, 6), status=status, exit_code=ended.exit_code,
        message=message[:MESSAGE_CHARACTERS_MAX] or None, command=command,
        environment=machine.telling({**os.environ, **environment}) | task.settings.environment,
        machine=task.description, placement=placed, stacks=_shortened(launched.stacks),
    )  # fmt: skip
    complete = status in ("ok", "misplaced")
    return run, values if complete else []
