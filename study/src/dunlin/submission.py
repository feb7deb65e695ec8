"""A study's launches on their way through batch systems: what is due becomes jobs, and nothing is
submitted that a job has already, whatever became of whoever submitted it."""

import time
from collections.abc import Callable

from dunlin.backends import batch
from dunlin.backends.batch import Backend, SilentError
from dunlin.backends.pbs import Pbs
from dunlin.backends.slurm import Slurm
from dunlin.errors import DunlinError
from dunlin.plan import Launch
from dunlin.progress import Progress
from dunlin.runner import alone
from dunlin.studyfile import FILE, System
from dunlin.words import plural

# Soon at first, because a small job is over soon, and then ever less often.
POLL_S_LEAST, POLL_S_MOST = 0.5, 10.0
POLL_PART = 0.1
# A controller that is restarted, or too busy to answer, must not end a night's waiting.
SILENCE_S_MAX = 1800.0

Say = Callable[[str], None]


def backend_of(system: System) -> Backend | None:
    """None for what runs right here."""
    if system.backend == "slurm":
        return Slurm(system.options)
    return Pbs(system.dialect) if system.backend == "pbs" else None


class Queue:
    """One batch system of a study."""

    def __init__(self, progress: Progress, name: str, backend: Backend, say: Say):
        self.progress, self.name, self.backend, self.say = progress, name, backend, say
        self.system = progress.study.systems[name]
        self.done_before = 0

    def check(self) -> None:
        """Can jobs be submitted from here? A mistake in one system must not leave half a study."""
        try:
            self.backend.check()
        except DunlinError as error:
            raise DunlinError(
                f"{error.message} With `--system` the study goes on with others only.",
                file=self.progress.directory / FILE, key=f"systems.{self.name}",
            ) from None  # fmt: skip

    def submit(self) -> int:
        """Submits what is due and in no job that is alive; returns how many jobs there are now."""
        progress, directory = self.progress, self.progress.directory
        with alone(directory, "submit"):
            mine = self._jobs()
            batch.settle(mine, self.backend, directory)
            alive = self.backend.alive([job.id for job in mine if job.id])
            progress.read()
            self.done_before = self._done()
            taken = {run_id for job in mine if job.id in alive for run_id in job.run_ids}
            due = progress.left(self.name) or progress.due(self.name)
            open_ = [la for la in due if la.run_id not in taken]
            parts = batch.pack(open_, self.system, lambda la: progress.seconds_of(la.point))
            for part in parts:
                self._hand_over(part)
            return len(parts) + len(alive)

    def _hand_over(self, part: list[Launch]) -> None:
        directory = self.progress.directory
        name = f"dunlin-{batch.next_number(directory):04}"
        job = batch.job_of(part, name, self.name, self.system.seconds, directory)
        batch.submit(job, self.system, self.backend, directory)
        launches = plural(len(part), "launch", "launches")
        self.say(f"{self.name}: job {job.id} ({name}): {launches} on {plural(job.nodes, 'node')}")

    def is_over(self) -> bool:
        """Has every job ended, and is there nothing more to submit? What further rounds need is
        submitted."""
        if self.backend.alive([job.id for job in self._jobs() if job.id]):
            return False
        self.progress.read()
        if self.progress.due(self.name) and self._done() == self.done_before:
            raise DunlinError(
                f"the jobs of system `{self.name}` ended and left nothing; their output is in "
                f"{self.progress.directory / batch.JOBS}/*.log"
            )
        return self.submit() == 0

    def _jobs(self) -> list[batch.Job]:
        return [job for job in batch.jobs_of(self.progress.directory) if job.system == self.name]

    def _done(self) -> int:
        every = self.progress.every
        return sum(every[id_].point.case.system == self.name for id_ in self.progress.done)


def wait(queues: list[Queue], say: Say) -> None:
    """Until what each of these systems has to do is done. All go on beside each other."""
    open_, began = list(queues), time.monotonic()
    answered = began
    while open_:
        try:
            open_ = [queue for queue in open_ if not queue.is_over()]
            answered = time.monotonic()
        except SilentError as error:
            if time.monotonic() - answered > SILENCE_S_MAX:
                raise
            say(f"{error}; trying again")
        if open_:
            pause = POLL_PART * (time.monotonic() - began)
            time.sleep(min(POLL_S_MOST, max(POLL_S_LEAST, pause)))
