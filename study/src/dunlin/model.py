"""The raw data of a study: what one launch leaves behind, as lines of JSON. The first line of a
file tells of the launch (`Run`), each further one of a series of measured values (`Sample`)."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from dunlin.errors import DunlinError
from dunlin.files import read_text, write_whole

SCHEMA = 1

Status = Literal["ok", "failed", "hang", "misplaced"]
Metric = Literal["time_us", "bandwidth_mbps", "rate_per_s", "memory_kib"]
# Whose clock a time is of: each rank's own, as the OSU benchmarks have it, or one that all share,
# from the first rank's beginning to the last one's end.
Clock = Literal["local", "global"]


# As the store keeps them.
INT32_MAX, INT64_MAX = 2**31 - 1, 2**63 - 1
Count = Annotated[int, Field(ge=0, le=INT32_MAX)]
Long = Annotated[int, Field(ge=0, le=INT64_MAX)]


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
    nodes: Count
    ranks_per_node: Count
    benchmark: str
    repetition: Count = 0
    order: Count = 0
    started: datetime
    seconds: float = 0.0
    status: Status = "ok"
    exit_code: Annotated[int, Field(ge=-INT32_MAX, le=INT32_MAX)] | None = None
    message: str | None = None
    command: list[str] = Field(default_factory=list)
    environment: dict[str, str] = Field(default_factory=dict)
    machine: dict[str, Any] = Field(default_factory=dict)
    placement: list[Placement] = Field(default_factory=list)
    stacks: dict[str, str] | None = None

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    @field_validator("started")
    @classmethod
    def _is_storable(cls, started: datetime) -> datetime:
        """The first and the last year have times that have none in another zone."""
        try:
            started.astimezone(UTC)
        except (OverflowError, ValueError, OSError):
            raise ValueError("there is no such time") from None
        return started


class Sample(_Record):
    """Values of one size and one metric: one per iteration, or the one that a program gives."""

    kind: Literal["sample"] = "sample"
    run_id: str
    benchmark: str
    bytes: Long
    metric: Metric
    clock: Clock = "local"
    values: list[float]
    iterations: Long = 1


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
    # Not `splitlines`: what programs said may hold marks that it takes for ends of lines.
    for number, text in enumerate(read_text(file).split("\n"), start=1):
        if text.strip():
            yield parse(text, file, number)


def write(file: Path, run: Run, samples: list[Sample]) -> None:
    """Writes a launch's file in one step: it is there whole, or not at all."""
    lines = [to_json(run), *map(to_json, samples)]
    write_whole(file, "\n".join(lines) + "\n")
