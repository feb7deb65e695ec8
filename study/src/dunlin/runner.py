"""Does launches, one after the other, on the machine where it runs: a laptop, or the first node of
a batch job. Each launch's record is written the moment it has ended."""

import fcntl
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from dunlin import machine, model, resolve, store, watchdog
from dunlin.benchmarks import Effort
from dunlin.errors import DunlinError
from dunlin.launching import Task, launch
from dunlin.libraries import Library, Place
from dunlin.model import Run
from dunlin.plan import Launch
from dunlin.progress import Progress
from dunlin.studyfile import FILE, Study

# So many times what a launch is likely to take must be left of a job for it to be begun.
CAUTION = 2.0
# A process that a killed runner was about to start has its lock until it starts.
LOCK_WAIT_S = 1.0
# Called before a launch and after it: with None, and with its record.
Tell = Callable[[Launch, Run | None], None]


@contextmanager
def alone(directory: Path, name: str) -> Iterator[None]:
    """Two runners of one study would disturb each other's measurements, and do things twice."""
    path = directory / f".{name}.lock"
    with path.open("w") as file:
        until = time.monotonic() + LOCK_WAIT_S
        while not is_locked(file):
            if time.monotonic() > until:
                raise DunlinError("another `dunlin study` is running it", file=directory)
            time.sleep(LOCK_WAIT_S / 20)
        yield


def is_locked(file: TextIO) -> bool:
    """Whether this process has the lock now."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Runner:
    """The launches of one study on one system."""

    def __init__(self, study: Study, directory: Path, hosts: tuple[str, ...] = ()):
        self.study, self.directory, self.hosts = study, directory, hosts
        self.raw = directory / store.RAW
        self.raw.mkdir(exist_ok=True)
        self.libraries: dict[str, Library] = {}
        self.machine = machine.describe()

    def prepare(self, launches: Iterable[Launch]) -> None:
        """Finds every library before anything is measured: a mistake must not cost a night."""
        wanted = {la.point.library for la in launches} - self.libraries.keys()
        self.libraries |= resolve.libraries_of(self.study, self.directory / FILE, wanted)

    def task(self, la: Launch) -> Task:
        """What is to be launched."""
        study, case = self.study, la.point.case
        kind = study.benchmark(case.benchmark, self.directory)
        assert kind is not None, "the file was checked"
        table = study.run
        return Task(
            run_id=la.run_id, study=study.name, directory=self.directory, system=case.system,
            library=self.libraries[la.point.library], profile=la.point.profile,
            settings=study.profiles[la.point.profile].settings(la.point.library),
            place=Place(case.nodes, case.ranks_per_node, self.hosts), benchmark=case.benchmark,
            kind=kind, sizes=list(case.sizes), timeout_s=table.timeout,
            effort=Effort(table.iterations, table.budget_ms, table.bind == "program"),
            repetition=la.repetition, order=la.order, description=self._machine_now(),
        )  # fmt: skip

    def _machine_now(self) -> dict[str, object]:
        return {**self.machine, "load_1m": os.getloadavg()[0]}

    def do(self, la: Launch, tell: Tell) -> tuple[Run, list[model.Sample]]:
        """One launch; its record is on the disk when this returns."""
        tell(la, None)
        run, samples = launch(self.task(la))
        model.write(self.raw / f"{la.run_id}.jsonl", run, samples)
        tell(la, run)
        return run, samples


def clear_leftovers(directory: Path, run_ids: Iterable[str]) -> int:
    """Ends what launches left behind whose runner was killed: it would disturb the next ones."""
    marks = {watchdog.mark_of(run_id, directory) for run_id in run_ids}
    return sum(watchdog.end_processes(mark) for mark in watchdog.marked() & marks)


def run_here(progress: Progress, system: str, hosts: tuple[str, ...], tell: Tell) -> None:
    """Everything of a system that is to be done, round by round, until each point is certain, or
    its launches or the budget are used up."""
    study, directory = progress.study, progress.directory
    with alone(directory, "run"):
        progress.read()
        # Of this system alone: a batch job of the same study may be running on this machine.
        mine = (la.run_id for la in progress.every.values() if la.point.case.system == system)
        clear_leftovers(directory, mine)
        runner = Runner(study, directory, hosts)
        while due := progress.due(system):
            runner.prepare(due)
            for la in due:
                if progress.needed(la):
                    progress.add(*runner.do(la, tell))
        store.ingest(directory)


def run_some(
    progress: Progress, run_ids: list[str], hosts: tuple[str, ...], tell: Tell, until: float
) -> int:
    """The launches of one batch job that are not done yet, as far as they are likely to end before
    `until`, on the clock of time.monotonic. Returns how many are left."""
    unknown = [run_id for run_id in run_ids if run_id not in progress.every]
    if unknown:
        raise DunlinError(f"the study file has no launch `{unknown[0]}` any more",
                          file=progress.directory / FILE)  # fmt: skip
    due = [progress.every[run_id] for run_id in run_ids if run_id not in progress.done]
    runner = Runner(progress.study, progress.directory, hosts)
    runner.prepare(due)
    for i, la in enumerate(due):
        if not progress.needed(la):
            continue
        likely = min(CAUTION * progress.seconds_of(la.point), progress.study.run.timeout)
        # The first is always tried: else a job that is too short would be submitted for ever.
        if i > 0 and time.monotonic() + likely > until:
            return sum(map(progress.needed, due[i:]))
        progress.add(*runner.do(la, tell))
    return 0
