"""`dunlin study`: new, run, status, resume; and `job`, which job scripts call."""

import math
import time
from collections import defaultdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from dunlin import resolve, store, studyfile, submission
from dunlin.backends import batch
from dunlin.backends.batch import Job
from dunlin.errors import DunlinError
from dunlin.progress import Progress
from dunlin.runner import run_here, run_some
from dunlin.studyfile import FILE, System
from dunlin.submission import Queue, backend_of
from dunlin.telling import Teller, plain_tell
from dunlin.words import choice, duration, plural

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

EXAMPLES_HELP = (
    "laptop: this machine, every key explained. demo: four libraries on 2, 4 and 8 ranks. nasa: "
    "eleven operations on 50 nodes, three systems, four profiles. osu: 1 to 32 nodes of 64 ranks."
)
# A shell's exit status of what Ctrl-C ended.
INTERRUPTED = 130

app = typer.Typer(
    help="Measure libraries, systems and settings beside each other, as a file says.",
    no_args_is_help=True,
)

Directory = Annotated[Path, typer.Argument(help="The study's directory, with its study.toml.")]
Systems = Annotated[list[str] | None, typer.Option("--system", help="Only this one; may repeat.")]
Wait = Annotated[bool, typer.Option("--wait", help="Stay until the jobs of batch systems end.")]


def _examples() -> dict[str, Path]:
    return {file.stem: file for file in sorted(EXAMPLES.glob("*.toml"))}


@app.command()
def new(
    directory: Annotated[Path, typer.Argument(help="Made for the study.")],
    example: Annotated[str, typer.Option(help=EXAMPLES_HELP)] = "laptop",
) -> None:
    """Write a commented study file, and the templates of job scripts, to start from."""
    known = _examples()
    if example not in known:
        raise DunlinError(choice("example", example, known))
    directory.mkdir(parents=True, exist_ok=True)
    file = directory / FILE
    if file.exists():
        raise DunlinError("it exists already; nothing was written", file=file)
    templates = directory / "templates"
    templates.mkdir(exist_ok=True)
    for template in batch.TEMPLATES.glob("*.j2"):
        (templates / template.name).write_text(template.read_text(encoding="utf-8"))
    file.write_text(known[example].read_text(encoding="utf-8"), encoding="utf-8")
    typer.echo(f"Wrote {file}. Change it to your needs; `dunlin study check {directory}` then says "
               f"how much it is, and `dunlin study run {directory}` does it.")  # fmt: skip


def _systems(progress: Progress, wanted: list[str] | None) -> dict[str, System]:
    known = progress.study.systems
    for name in wanted or []:
        if name not in known:
            raise DunlinError(choice("system", name, known), file=progress.directory / FILE)
    return {name: system for name, system in known.items() if not wanted or name in wanted}


def _go_on(directory: Path, systems: list[str] | None, wait: bool) -> None:
    study, at = studyfile.load(directory)
    progress = Progress(study, at)
    chosen = _systems(progress, systems)
    backends = {name: backend_of(system) for name, system in chosen.items()}
    queues = [
        Queue(progress, name, backend, typer.echo)
        for name, backend in backends.items() if backend is not None
    ]  # fmt: skip
    for queue in queues:
        queue.check()
    # Jobs wait in queues while this machine works.
    for queue in queues:
        queue.submit()
    for name, system in chosen.items():
        if backends[name] is None:
            _run_here(progress, name, system, directory)
    if wait:
        submission.wait(queues, typer.echo)
    store.ingest(at)
    if _print_status(progress):
        typer.echo(f"`dunlin report {directory}` shows what came out.")
    elif queues and not wait:
        typer.echo(f"Jobs go on by themselves: `dunlin study status {directory}` tells how far "
                   "they are, and `resume` submits what they leave.")  # fmt: skip


def _run_here(progress: Progress, name: str, system: System, directory: Path) -> None:
    try:
        with Teller(progress, Console(stderr=True)) as tell:
            run_here(progress, name, tuple(system.hosts), tell)
    except KeyboardInterrupt:
        typer.echo(f"Stopped. `dunlin study resume {directory}` does the rest.", err=True)
        raise typer.Exit(INTERRUPTED) from None


@app.command()
def run(directory: Directory, system: Systems = None, wait: Wait = False) -> None:
    """Begin a study: here, or by submitting jobs."""
    at = directory if directory.is_dir() else directory.parent
    if any((at / store.RAW).glob("*.jsonl")):
        raise DunlinError(f"it has begun already; use `dunlin study resume {directory}`", file=at)
    _go_on(directory, system, wait)


@app.command()
def resume(directory: Directory, system: Systems = None, wait: Wait = False) -> None:
    """Do what is left of a study, after a crash or when jobs have ended."""
    _go_on(directory, system, wait)


@app.command()
def status(directory: Directory) -> None:
    """Say what is done, what went wrong, and what is left."""
    study, at = studyfile.load(directory)
    store.ingest(at)
    progress = Progress(study, at)
    _print_status(progress)
    _print_troubles(at)
    _print_jobs(progress)


def _print_status(progress: Progress) -> bool:
    """Returns whether there is nothing left to do."""
    left = progress.left() or progress.due()
    words = [f"{plural(len(progress.done), 'launch', 'launches')} done"]
    words += [f"{n} {status}" for status, n in progress.status.items() if status != "ok"]
    if progress.budget_spent:
        words.append("the budget is spent")
    elif left:
        words.append(f"{len(left)} to do, about {duration(progress.seconds_left())}")
    else:
        words.append("complete")
    typer.echo(f"{progress.study.name}: {', '.join(words)}")
    return progress.budget_spent or not left


def _print_troubles(at: Path) -> None:
    query = """SELECT status, library, profile, nodes, ranks_per_node, benchmark, count(*),
               any_value(message) FROM runs WHERE status <> 'ok' GROUP BY ALL ORDER BY ALL"""
    with store.connect(at, read_only=True) as connection:
        rows = connection.execute(query).fetchall()
    if not rows:
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("Status", "Library", "Profile", "Scale", "Benchmark", "Times", "Message"):
        table.add_column(title, overflow="fold")
    for what, library, profile, nodes, ranks, benchmark, times, message in rows:
        text = (message or "")[:200]
        table.add_row(what, library, profile, f"{nodes}:{ranks}", benchmark, str(times), text)
    Console().print(table)


def _print_jobs(progress: Progress) -> None:
    jobs = batch.jobs_of(progress.directory)
    by_system: dict[str, list[Job]] = defaultdict(list)
    for job in jobs:
        by_system[job.system].append(job)
    for name, mine in by_system.items():
        system = progress.study.systems.get(name)
        backend = backend_of(system) if system else None
        # Asked once for all: a batch system has others to answer too.
        alive = backend.alive([job.id for job in mine if job.id]) if backend else set()
        for job in mine:
            typer.echo(f"job {_called(job)} {_state(job, system, alive)}: "
                       f"{sum(run_id in progress.done for run_id in job.run_ids)} of "
                       f"{len(job.run_ids)} done")  # fmt: skip


def _called(job: Job) -> str:
    return f"{job.id} ({job.name})" if job.id else job.name


def _state(job: Job, system: System | None, alive: set[str]) -> str:
    if system is None:
        return f"is of the system `{job.system}`, which the file does not have any more"
    if job.lost:
        return "was never submitted"
    if job.id is None:
        return "was being submitted; `dunlin study resume` finds out whether it was"
    return "waits or runs" if job.id in alive else "has ended"


@app.command(hidden=True)
def job(directory: Directory, name: str) -> None:
    """Inside a batch job: do its launches."""
    began = time.monotonic()
    study, at = studyfile.load(directory)
    mine = batch.load(at, name)
    if mine.lost:
        raise DunlinError("this job was taken for lost: its launches are in others")
    backend = backend_of(study.systems[mine.system])
    hosts = backend.hosts() if backend else ()
    _check_allocation(mine, hosts)
    until = began + batch.USABLE_PART * mine.seconds if mine.seconds else math.inf
    # A single node needs no list, and its launchers find themselves without.
    nodes = hosts if len(hosts) > 1 else ()
    if left := run_some(Progress(study, at), mine.run_ids, nodes, plain_tell, until):
        launches = plural(left, "launch", "launches")
        typer.echo(f"The job's time is nearly over: {launches} left, for `dunlin study resume`")


def _check_allocation(mine: Job, hosts: tuple[str, ...]) -> None:
    if len(hosts) < mine.nodes:
        raise DunlinError(f"job {mine.name} asked for {mine.nodes} nodes and got {len(hosts)}: "
                          f"{', '.join(hosts)}")  # fmt: skip


@app.command()
def check(directory: Directory) -> None:
    """Check a study file and the libraries it names, and say how much it is."""
    study, at = studyfile.load(directory)
    progress = Progress(study, at)
    points = sum(map(len, progress.by_case.values()))
    left = plural(len(progress.left()), "launch", "launches")
    about = duration(progress.seconds_left())
    typer.echo(f"{study.name}: {plural(points, 'point')}, {left} to do, about {about}")
    by_system: dict[str, set[str]] = defaultdict(set)
    for case, points_ in progress.by_case.items():
        by_system[case.system] |= {point.library for point in points_}
    for name, libraries in by_system.items():
        system = study.systems[name]
        if system.backend == "local":
            for own, library in resolve.libraries_of(study, at / FILE, libraries).items():
                typer.echo(f"{own}: {library.vendor} {library.version}, {library.mpicc}")
        else:
            parts = batch.pack(
                progress.left(name), system, lambda la: progress.seconds_of(la.point)
            )
            jobs, names = plural(len(parts), "job"), ", ".join(sorted(libraries))
            typer.echo(f"system {name}: {jobs} of {system.time}, which look for {names} themselves")
