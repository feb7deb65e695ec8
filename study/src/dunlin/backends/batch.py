"""Jobs of a batch system: many launches are packed into one allocation; which launches a job has
stands in a file beside its script, so that the job needs nothing but that file's name."""

import json
import secrets
import shlex
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

import jinja2
from pydantic import TypeAdapter, ValidationError

from dunlin.errors import DunlinError
from dunlin.files import read_text, write_whole
from dunlin.plan import Launch
from dunlin.studyfile import System

JOBS = "jobs"
TEMPLATES = Path(__file__).resolve().parents[1] / "templates"
# With what stands before them, 15 characters: Torque takes no more.
TAG_BYTES = 4
# Of a job's time, for its launches: the rest is for setting up, and for estimates that were wrong.
USABLE_PART = 0.9


class SilentError(DunlinError):
    """The batch system does not tell which jobs are alive: perhaps it will a little later."""


class Backend(Protocol):
    """A batch system."""

    name: str
    template: str

    def check(self) -> None:
        """Says so if jobs cannot be submitted from this machine."""
        ...

    def submit(self, script: Path, log: Path, tag: str) -> str:
        """Hands a script over under the name `tag`; returns the job's number."""
        ...

    def find(self, tag: str) -> str | None:
        """The number of the job of this name that waits or runs."""
        ...

    def alive(self, ids: list[str]) -> set[str]:
        """Which of these jobs wait or run."""
        ...

    def hosts(self) -> tuple[str, ...]:
        """Inside a job: its nodes."""
        ...


@dataclass
class Job:
    """An allocation and what is done in it."""

    name: str
    system: str
    nodes: int
    ranks_per_node: int
    run_ids: list[str] = field(default_factory=list)
    seconds: float | None = None  # what was asked for
    # The study it does launches of: a copy of a study has its job files too, but none of its jobs.
    directory: str | None = None
    # Its name in the batch system, by which it is found if nobody lived to write down its number.
    tag: str = field(default_factory=lambda: f"dunlin-{secrets.token_hex(TAG_BYTES)}")
    id: str | None = None  # of the batch system, once it is submitted
    # It was never submitted, or has ended already: nobody lived to see it. Should it begin all the
    # same, it does nothing, because its launches are in other jobs by then.
    lost: bool = False

    def path(self, directory: Path, suffix: str) -> Path:
        """One of its files."""
        return directory / JOBS / f"{self.name}{suffix}"

    def save(self, directory: Path) -> None:
        """Writes it in one step."""
        write_whole(self.path(directory, ".json"), json.dumps(asdict(self), indent=1))


_JOB: TypeAdapter[Job] = TypeAdapter(Job)


def load(directory: Path, name: str) -> Job:
    """A job by its name."""
    file = directory / JOBS / f"{name}.json"
    try:
        return _JOB.validate_json(read_text(file))
    except FileNotFoundError:
        raise DunlinError("there is no such job", file=file) from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or None
        raise DunlinError(f"this is no job: {first['msg']}", file=file, key=place) from None


def jobs_of(directory: Path) -> list[Job]:
    """All that were ever made for the study here, the oldest first."""
    files = sorted((directory / JOBS).glob("*.json"))
    jobs = [load(directory, file.stem) for file in files]
    return [job for job in jobs if job.directory in (None, str(directory))]


def next_number(directory: Path) -> int:
    """Of the next job: no file of another is written over."""
    taken = [file.stem.rpartition("-")[2] for file in (directory / JOBS).glob("*.json")]
    return max((int(number) + 1 for number in taken if number.isdigit()), default=0)


def pack(
    launches: list[Launch], system: System, seconds_of: Callable[[Launch], float]
) -> list[list[Launch]]:
    """Launches on the same number of nodes share jobs, in their order: as many as are likely to be
    done within a job's time, and no more than the system's table says."""
    by_nodes: dict[int, list[Launch]] = defaultdict(list)
    for launch in launches:
        by_nodes[launch.point.case.nodes].append(launch)
    parts: list[list[Launch]] = []
    for _, group in sorted(by_nodes.items()):
        part, used = list[Launch](), 0.0
        for launch in group:
            used += (own := seconds_of(launch))
            full = len(part) == system.launches_per_job or used > USABLE_PART * system.seconds
            if part and full:
                parts.append(part)
                part, used = [], own
            part.append(launch)
        parts.append(part)
    return parts


def job_of(part: list[Launch], name: str, system: str, seconds: float, directory: Path) -> Job:
    """A job for launches on the same number of nodes, which have room for the most ranks that any
    of the launches needs."""
    cases = [launch.point.case for launch in part]
    ranks = max(case.ranks_per_node for case in cases)
    run_ids = [launch.run_id for launch in part]
    return Job(name, system, cases[0].nodes, ranks, run_ids, seconds, str(directory))


def render(job: Job, system: System, backend: Backend, directory: Path) -> str:
    """The job's script, from the site's template if it has one."""
    file = directory / system.template if system.template else TEMPLATES / backend.template
    words = [sys.executable, "-m", "dunlin", "study", "job", str(directory), job.name]
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True, autoescape=False,
    )  # fmt: skip
    try:
        template = environment.from_string(file.read_text(encoding="utf-8"))
        return template.render(
            job=job, system=system, command=shlex.join(words), directory=directory,
            quoted_directory=shlex.quote(str(directory)),
            log=job.path(directory, ".log").name, short_name=job.tag,
            cores=system.cores_per_node or job.ranks_per_node,
        )  # fmt: skip
    except FileNotFoundError:
        raise DunlinError("there is no such template", file=file) from None
    except jinja2.TemplateSyntaxError as error:
        raise DunlinError(f"{error.message}", file=file, line=error.lineno) from None
    except jinja2.UndefinedError as error:
        raise DunlinError(
            f"it uses something that no job has: {error.message}", file=file
        ) from None


def submit(job: Job, system: System, backend: Backend, directory: Path) -> None:
    """Writes the job's files and hands it over. Its file is there before: a job that starts at once
    must find it, and so must whoever comes after a crash."""
    (directory / JOBS).mkdir(exist_ok=True)
    script = job.path(directory, ".sh")
    script.write_text(render(job, system, backend, directory), encoding="utf-8")
    script.chmod(0o755)
    job.save(directory)
    job.id = backend.submit(script, job.path(directory, ".log"), job.tag)
    job.save(directory)


def settle(jobs: list[Job], backend: Backend, directory: Path) -> None:
    """Finds out what became of jobs whose number was never written down, because `dunlin` was
    killed while it handed them over: nothing may be submitted twice."""
    for job in jobs:
        if job.id is None and not job.lost:
            job.id = backend.find(job.tag)
            job.lost = job.id is None
            job.save(directory)


def needs(program: str) -> str:
    """A command of the batch system, or a sentence."""
    found = shutil.which(program)
    if found is None:
        raise DunlinError(f"there is no `{program}` on PATH; is this a machine that jobs are "
                          "submitted from?")  # fmt: skip
    return found
