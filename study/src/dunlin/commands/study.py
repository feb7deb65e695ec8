"""`dunlin study`: new, run, status, resume; and `job`, which job scripts call."""

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from dunlin import resolve, store, studyfile
from dunlin.backends import batch
from dunlin.backends.batch import Backend, Job
from dunlin.backends.pbs import Pbs
from dunlin.backends.slurm import Slurm
from dunlin.errors import DunlinError
from dunlin.progress import Progress
from dunlin.runner import alone, run_here, run_some
from dunlin.studyfile import FILE, System
from dunlin.telling import Teller, duration, plain_tell

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
POLL_S = 10.0

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
    example: Annotated[str, typer.Option(help="laptop, demo, nasa or osu.")] = "laptop",
) -> None:
    """Write a commented study file, and the templates of job scripts, to start from."""
    known = _examples()
    if example not in known:
        raise DunlinError(f"there is no example `{example}`; there are: {', '.join(known)}")
    directory.mkdir(parents=True, exist_ok=True)
    file = directory / FILE
    if file.exists():
        raise DunlinError("it exists already; nothing was written", file=file)
    templates = directory / "templates"
    templates.mkdir(exist_ok=True)
    for template in batch.TEMPLATES.glob("*.j2"):
        (templates / template.name).write_text(template.read_text(encoding="utf-8"))
    file.write_text(known[example].read_text(encoding="utf-8"), encoding="utf-8")
    typer.echo(f"Wrote {file}. Change it to your needs, then: dunlin study run {directory}")


def _systems(progress: Progress, wanted: list[str] | None) -> dict[str, System]:
    known = progress.study.systems
    for name in wanted or []:
        if name not in known:
            raise DunlinError(f"there is no system `{name}`; there are: {', '.join(known)}",
                              file=progress.directory / FILE)  # fmt: skip
    return {name: system for name, system in known.items() if not wanted or name in wanted}


def backend_of(system: System) -> Backend | None:
    """None for what runs right here."""
    if system.backend == "slurm":
        return Slurm()
    return Pbs(system.dialect) if system.backend == "pbs" else None


def _submit(progress: Progress, name: str, system: System, backend: Backend) -> int:
    """Submits what is due and in no job that is alive; returns how many jobs there are now."""
    directory = progress.directory
    with alone(directory, "submit"):
        all_jobs = batch.jobs_of(directory)
        mine = [job for job in all_jobs if job.system == name and job.id]
        alive = backend.alive([job.id for job in mine if job.id])
        progress.read()
        taken = {run_id for job in mine if job.id in alive for run_id in job.run_ids}
        due = [
            la for la in (progress.left(name) or progress.due(name)) if la.run_id not in taken
        ]  # fmt: skip
        jobs = batch.pack(due, name, system.launches_per_job, len(all_jobs))
        for job in jobs:
            batch.submit(job, system, backend, directory)
            typer.echo(f"{name}: job {job.id} ({job.name}): {len(job.run_ids)} launches on "
                       f"{job.nodes} nodes")  # fmt: skip
        return len(jobs) + len(alive)


def _wait(progress: Progress, name: str, system: System, backend: Backend) -> None:
    while _submit(progress, name, system, backend):
        jobs = [job.id for job in batch.jobs_of(progress.directory) if job.system == name]
        before = len(progress.done)
        while backend.alive([id_ for id_ in jobs if id_]):
            time.sleep(POLL_S)
        progress.read()
        if len(progress.done) == before:
            raise DunlinError(f"the jobs of system `{name}` ended and left nothing; their output "
                              f"is in {progress.directory / batch.JOBS}/*.log")  # fmt: skip


def _go_on(directory: Path, systems: list[str] | None, wait: bool) -> None:
    study, at = studyfile.load(directory)
    progress = Progress(study, at)
    console = Console(stderr=True)
    for name, system in _systems(progress, systems).items():
        backend = backend_of(system)
        if backend is None:
            with Teller(progress, console) as tell:
                run_here(progress, name, tuple(system.hosts), tell)
        elif wait:
            _wait(progress, name, system, backend)
        else:
            _submit(progress, name, system, backend)
    store.ingest(at)
    _print_status(progress)


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


def _print_status(progress: Progress) -> None:
    left = progress.left() or progress.due()
    words = [f"{len(progress.done)} launches done"]
    words += [f"{n} {status}" for status, n in progress.status.items() if status != "ok"]
    if progress.budget_spent:
        words.append("the budget is spent")
    elif left:
        words.append(f"{len(left)} to do, about {duration(progress.seconds_left())}")
    else:
        words.append("complete")
    typer.echo(f"{progress.study.name}: {', '.join(words)}")


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
    for job in batch.jobs_of(progress.directory):
        system = progress.study.systems.get(job.system)
        if system is None:
            typer.echo(f"job {job.id} ({job.name}): the file has no system `{job.system}` any more")
            continue
        backend = backend_of(system)
        alive = backend is not None and job.id is not None and job.id in backend.alive([job.id])
        done = sum(run_id in progress.done for run_id in job.run_ids)
        state = "waits or runs" if alive else "has ended"
        typer.echo(f"job {job.id} ({job.name}) {state}: {done} of {len(job.run_ids)} done")


@app.command(hidden=True)
def job(directory: Directory, name: str) -> None:
    """Inside a batch job: do its launches."""
    study, at = studyfile.load(directory)
    mine = batch.load(at, name)
    backend = backend_of(study.systems[mine.system])
    hosts = backend.hosts() if backend else ()
    _check_allocation(mine, hosts)
    # A single node needs no list, and its launchers find themselves without.
    run_some(Progress(study, at), mine.run_ids, hosts if len(hosts) > 1 else (), plain_tell)


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
    typer.echo(f"{study.name}: {points} points, {len(progress.left())} launches to do")
    here = {
        point.library for case, points_ in progress.by_case.items() for point in points_
        if study.systems[case.system].backend == "local"
    }  # fmt: skip
    for name, library in resolve.libraries_of(study, at / FILE, here).items():
        typer.echo(f"{name}: {library.vendor} {library.version}, {library.mpicc}")
