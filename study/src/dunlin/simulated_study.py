"""A study file done in simulation: the same launches, with records that say that nothing was
measured, so that `report`, `compare` and `anomalies` read them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from dunlin import model, plan, simulation, words
from dunlin.errors import DunlinError
from dunlin.model import Clock, Run, Sample
from dunlin.plan import Launch, Point
from dunlin.simulation import LIBRARIES, Request, Result
from dunlin.studyfile import Study
from dunlin.summary import SIMULATED

DUNLIN = "dunlin"
# Operations that `dunlin-sim` knows.
OPERATIONS = frozenset({
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast", "exscan",
    "gather", "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "scatter",
    "scatterv",
})  # fmt: skip
Simulate = Callable[[Request], Iterable[Result]]


@dataclass(frozen=True)
class Feasible:
    """Of a study's launches those that can be simulated, and why the others cannot."""

    launches: list[Launch]
    left_out: Counter[str]


def feasible(study: Study) -> Feasible:
    """All rounds that the file asks for at least."""
    can, cannot = [], Counter[str]()
    for repetition in range(study.repeat.launches):
        for launch in plan.round_of(study, repetition):
            if why := _obstacle(study, launch.point):
                cannot[why] += 1
            else:
                can.append(launch)
    return Feasible(can, cannot)


def _obstacle(study: Study, point: Point) -> str | None:
    if point.case.benchmark not in OPERATIONS:
        return f"`{point.case.benchmark}` is no operation that can be simulated"
    if stands_for(point.library) is None:
        known = words.listed([DUNLIN, *LIBRARIES])
        return f"the choices of `{point.library}` are not known; those of {known} are"
    settings = study.profiles[point.profile].settings(point.library)
    if settings.environment or settings.options:
        return f"what the settings of profile `{point.profile}` do is not modelled"
    return None


def stands_for(library: str) -> str | None:
    """Whose choices a library of the file gets, by its name: `openmpi-5.0.11` is Open MPI."""
    return next((name for name in (DUNLIN, *LIBRARIES) if library.startswith(name)), None)


def records(
    study: Study, launches: Iterable[Launch], models: Callable[[str], str], simulate: Simulate
) -> Iterator[tuple[Run, list[Sample]]]:
    """A record for each launch; `models` names the model of each system. Every launch draws other
    latencies, but the libraries of one round the same."""
    for launch in launches:
        request = request_of(study, launch, models)
        run = _run(study, launch, request)
        samples = []
        for result in sorted(simulate(request), key=lambda one: one.bytes):
            clocks: tuple[tuple[Clock, float], ...] = (
                ("global", result.completion_us), ("local", result.local_us),
            )  # fmt: skip
            samples += [_sample(run, result.bytes, clock, us) for clock, us in clocks]
        yield run, samples


def request_of(study: Study, launch: Launch, models: Callable[[str], str]) -> Request:
    """What is simulated for a launch."""
    case = launch.point.case
    library = stands_for(launch.point.library) or DUNLIN
    return Request(
        models(case.system), [case.benchmark], [case.nodes], [case.ranks_per_node],
        case.sizes or [0], ["selected"] if library == DUNLIN else [library],
        seed=study.seed + launch.repetition,
    )  # fmt: skip


def is_done(file: Path, request: Request) -> bool:
    """Whether a record is there of just this, and no older than the model, if that is a file."""
    if not file.exists():
        return False
    run, _ = model.read(file)
    machine = Path(request.machine)
    changed = machine.is_file() and machine.stat().st_mtime > file.stat().st_mtime
    return run.command == _command(request) and not changed


def _command(request: Request) -> list[str]:
    return [simulation.PROGRAM, *request.arguments()]


def _run(study: Study, launch: Launch, request: Request) -> Run:
    point, case = launch.point, launch.point.case
    library = stands_for(point.library)
    chooses = LIBRARIES.get(library or "", "Dunlin")
    return Run(
        run_id=_run_id(launch), study=f"{study.name}{SIMULATED}",
        system=f"{case.system}{SIMULATED}", library=point.library, vendor=library or "",
        library_version=f"choices of {chooses}, simulated", profile=point.profile,
        nodes=case.nodes, ranks_per_node=case.ranks_per_node, benchmark=case.benchmark,
        repetition=launch.repetition, order=launch.order, started=datetime.now(UTC),
        message=f"simulated on the model {request.machine}: nothing was measured",
        command=_command(request), machine={"model": request.machine},
    )  # fmt: skip


def _sample(run: Run, size: int, clock: Clock, us: float) -> Sample:
    return Sample(
        run_id=run.run_id, benchmark=run.benchmark, bytes=size, metric="time_us", clock=clock,
        values=[us],
    )  # fmt: skip


def model_of(study: Study, system: str, known: Iterable[str], directory: Path) -> str:
    """The model of a system: the one that the file names, or the one of the same name. The path of
    a model begins at the directory of the study."""
    if (named := study.systems[system].model) is not None:
        is_path = named not in known and ("/" in named or "." in named)
        return str(directory / named) if is_path else named
    if system not in known:
        raise DunlinError(
            f"which model stands for system `{system}`? Give its table `model`, a name that "
            "`dunlin simulate --machines` lists or a file"
        )
    return system


def file_of(raw: Path, launch: Launch) -> Path:
    """Where the record of a launch goes."""
    return raw / f"{_run_id(launch)}.jsonl"


def _run_id(launch: Launch) -> str:
    return f"simulated-{launch.run_id}"


def directory_of(study: Path) -> Path:
    """Where its records go: beside the study, whose own are measured ones."""
    return study.with_name(f"{study.name}-simulated")
