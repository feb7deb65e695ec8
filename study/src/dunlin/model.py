"""The raw data of a study: what one launch leaves behind, as lines of JSON. The first line of a
file tells of the launch (`Run`), each further one of a series of measured values (`Sample`)."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from dunlin.errors import DunlinError
from dunlin.files import write_whole

SCHEMA = 1

Status = Literal["ok", "failed", "hang", "misplaced"]
Metric = Literal["time_us", "bandwidth_mbps", "rate_per_s", "memory_kib"]
# Whose clock a time is of: each rank's own, as the OSU benchmarks have it, or one that all share,
# from the first rank's beginning to the last one's end.
Clock = Literal["local", "global"]


class _Record(BaseModel):
    # A program may print "nan", which is for `anomalies` to find and no reason to lose the launch.
    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="constants")


class Placement(_Record):
    """Where a rank was when it ran."""

    rank: int
    host: str
    cpus: str  # as in 0-3,8
    usable: int | None = None  # cores, before it bound itself; 0 if that is not known


class Run(_Record):
    """One launch of one benchmark program: what was asked for, what happened, and where."""

    kind: Literal["run"] = "run"
    schema_: Annotated[int, Field(alias="schema")] = SCHEMA
    run_id: str
    study: str
    system: str
    library: str
    library_version: str = ""
    vendor: str = ""
    profile: str = "none"
    nodes: int
    ranks_per_node: int
    benchmark: str
    repetition: int = 0
    order: int = 0
    started: datetime
    seconds: float = 0.0
    status: Status = "ok"
    exit_code: int | None = None
    message: str | None = None
    command: list[str] = Field(default_factory=list)
    environment: dict[str, str] = Field(default_factory=dict)
    machine: dict[str, Any] = Field(default_factory=dict)
    placement: list[Placement] = Field(default_factory=list)
    stacks: dict[str, str] | None = None

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Sample(_Record):
    """Values of one size and one metric: one per iteration, or the one that a program gives."""

    kind: Literal["sample"] = "sample"
    run_id: str
    benchmark: str
    bytes: int
    metric: Metric
    clock: Clock = "local"
    values: list[float]
    iterations: int = 1


Line = Annotated[Run | Sample, Field(discriminator="kind")]
_LINE: TypeAdapter[Run | Sample] = TypeAdapter(Line)


def to_json(record: Run | Sample) -> str:
    """One line, without its end."""
    return record.model_dump_json(by_alias=True)


def _reason(error: ValidationError) -> tuple[str, str]:
    first = error.errors()[0]
    return ".".join(str(part) for part in first["loc"]), first["msg"]


def parse(text: str, file: Path | str | None = None, line: int | None = None) -> Run | Sample:
    """One record from its line; an error says where the line stands."""
    try:
        return _LINE.validate_json(text)
    except ValidationError as error:
        key, reason = _reason(error)
        raise DunlinError(
            f"not a record of a study: {reason}", file=file, line=line, key=key
        ) from None


def read(file: Path) -> tuple[Run, list[Sample]]:
    """All records of one launch's file."""
    records = list(_records(file))
    if not records or not isinstance(records[0], Run):
        raise DunlinError(
            "the first line must be a record of kind `run`; without this file the launch is done "
            "again", file=file, line=1,
        )  # fmt: skip
    samples = [r for r in records[1:] if isinstance(r, Sample)]
    if len(samples) != len(records) - 1:
        raise DunlinError("there is more than one record of kind `run`", file=file)
    return records[0], samples


def _records(file: Path) -> Iterator[Run | Sample]:
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if text.strip():
            yield parse(text, file, number)


def write(file: Path, run: Run, samples: list[Sample]) -> None:
    """Writes a launch's file in one step: it is there whole, or not at all."""
    lines = [to_json(run), *map(to_json, samples)]
    write_whole(file, "\n".join(lines) + "\n")
