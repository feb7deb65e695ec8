"""Jobs of a batch system: many launches are packed into one allocation; which launches a job has
stands in a file beside its script, so that the job needs nothing but that file's name."""

import json
import shlex
import shutil
import sys
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

import jinja2

from dunlin.errors import DunlinError
from dunlin.plan import Launch
from dunlin.studyfile import System

JOBS = "jobs"
TEMPLATES = Path(__file__).resolve().parents[1] / "templates"
# Torque takes 15 characters.
NAME_CHARACTERS_MAX = 15


class Backend(Protocol):
    """A batch system."""

    name: str
    template: str

    def submit(self, script: Path, log: Path) -> str:
        """Hands a script over; returns the job's number."""
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
    id: str | None = None  # of the batch system, once it is submitted

    def path(self, directory: Path, suffix: str) -> Path:
        """One of its files."""
        return directory / JOBS / f"{self.name}{suffix}"

    def save(self, directory: Path) -> None:
        """Writes it in one step."""
        partial = self.path(directory, ".partial")
        partial.write_text(json.dumps(asdict(self), indent=1), encoding="utf-8")
        partial.replace(self.path(directory, ".json"))


def load(directory: Path, name: str) -> Job:
    """A job by its name."""
    file = directory / JOBS / f"{name}.json"
    try:
        return Job(**json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise DunlinError("there is no such job", file=file) from None
    except (json.JSONDecodeError, TypeError) as error:
        raise DunlinError(f"this is no job: {error}", file=file) from None


def jobs_of(directory: Path) -> list[Job]:
    """All that were ever made, the oldest first."""
    files = sorted((directory / JOBS).glob("*.json"))
    return [load(directory, file.stem) for file in files]


def pack(launches: list[Launch], system: str, per_job: int, first: int) -> list[Job]:
    """Launches on the same number of nodes share jobs, in their order. A job's nodes have room for
    the most ranks that any of its launches needs."""
    by_nodes: dict[int, list[Launch]] = defaultdict(list)
    for launch in launches:
        by_nodes[launch.point.case.nodes].append(launch)
    jobs: list[Job] = []
    for nodes, group in sorted(by_nodes.items()):
        for at in range(0, len(group), per_job):
            part = group[at : at + per_job]
            ranks = max(launch.point.case.ranks_per_node for launch in part)
            name = f"dunlin-{first + len(jobs):04}"
            jobs.append(Job(name, system, nodes, ranks, [launch.run_id for launch in part]))
    return jobs


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
            log=job.path(directory, ".log"), short_name=job.name[:NAME_CHARACTERS_MAX],
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
    must find it."""
    (directory / JOBS).mkdir(exist_ok=True)
    script = job.path(directory, ".sh")
    script.write_text(render(job, system, backend, directory), encoding="utf-8")
    script.chmod(0o755)
    job.save(directory)
    job.id = backend.submit(script, job.path(directory, ".log"))
    job.save(directory)


def needs(program: str) -> str:
    """A command of the batch system, or a sentence."""
    found = shutil.which(program)
    if found is None:
        raise DunlinError(f"there is no `{program}` on PATH; is this a node that jobs are "
                          "submitted from?")  # fmt: skip
    return found
