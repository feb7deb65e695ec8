"""The study file: what is to be measured, in TOML. Everything a person can get wrong in it is
answered with the line and the key."""

import re
import shlex
import tomllib
from pathlib import Path
from string import Formatter
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)  # fmt: skip

from dunlin.benchmarks import BENCHMARKS, Benchmark
from dunlin.errors import DunlinError
from dunlin.files import read_text
from dunlin.libraries import LAUNCH_FIELDS
from dunlin.words import choice

FILE = "study.toml"
_BYTES = re.compile(r"(\d+)\s*([KMG]?)")
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(s|m|h)")
_WALLTIME = re.compile(r"(?:(?P<days>\d+)-)?(?P<h>\d+):(?P<m>[0-5]\d):(?P<s>[0-5]\d)")
_SHIFT = {"": 0, "K": 10, "M": 20, "G": 30}
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


def parse_bytes(text: object) -> int:
    """8, "8" or "64K"."""
    match = _BYTES.fullmatch(str(text).strip())
    if not match:
        raise ValueError(f"`{text}` is no size; write 8, 64K or 4M")
    return int(match[1]) << _SHIFT[match[2]]


def expand_sizes(value: object) -> list[int]:
    """Sizes one by one, or as the powers of two of a range ("8..1M")."""
    entries = value if isinstance(value, list) else [value]
    sizes: list[int] = []
    for entry in entries:
        first, dots, last = str(entry).partition("..")
        if not dots:
            sizes.append(parse_bytes(entry))
            continue
        at, end = parse_bytes(first), parse_bytes(last)
        if at > end:
            raise ValueError(f"`{entry}` ends before it begins")
        while at <= end:
            sizes.append(at)
            at = max(1, at * 2)
    return sizes


def parse_seconds(value: object) -> float:
    """30, "30s", "10m" or "2h"."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    match = _DURATION.fullmatch(str(value).strip())
    if not match:
        raise ValueError(f"`{value}` is no time; write 30s, 10m or 2h")
    return float(match[1]) * _SECONDS[match[2]]


def parse_walltime(value: object) -> str:
    """A job's time as every batch system reads it, hours:minutes:seconds. What they read in ways of
    their own is not taken: 30 is half an hour to one and half a minute to another."""
    text = str(value).strip()
    if match := _WALLTIME.fullmatch(text):
        days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
        total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    elif isinstance(value, str) and _DURATION.fullmatch(text):
        total = round(parse_seconds(text))
    else:
        raise ValueError(f"`{value}` is no time of a job; write 02:00:00, 90m or 2h")
    if total == 0:
        raise ValueError(f"`{value}` is no time at all")
    return f"{total // 3600:02}:{total // 60 % 60:02}:{total % 60:02}"


def parse_scale(value: object) -> tuple[int, int]:
    """Nodes and ranks per node: "50:126"."""
    nodes, colon, ranks = str(value).partition(":")
    if not (colon and nodes.isdigit() and ranks.isdigit() and int(nodes) and int(ranks)):
        raise ValueError(f"`{value}` is no scale; write nodes:ranks_per_node, as in 2:64")
    return int(nodes), int(ranks)


def _plain_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"`{name}` is no name; use letters, digits and . _ + - only")
    return name


def _launch_words(text: str) -> str:
    """Its words can be told apart, and what stands in braces is known."""
    try:
        words = shlex.split(text)
        used = {field for word in words for _, field, _, _ in Formatter().parse(word)} - {None}
    except ValueError as error:
        raise ValueError(f"`{text}` is no command: {error}") from None
    if unknown := used - set(LAUNCH_FIELDS):
        known = ", ".join(f"{{{field}}}" for field in LAUNCH_FIELDS)
        raise ValueError(f"`{text}` uses {{{min(map(str, unknown))}}}; there are {known}")
    return text


Seconds = Annotated[float, BeforeValidator(parse_seconds), Field(gt=0)]
Sizes = Annotated[list[Annotated[int, Field(ge=0)]], BeforeValidator(expand_sizes)]
Walltime = Annotated[str, BeforeValidator(parse_walltime)]
Scale = Annotated[tuple[int, int], BeforeValidator(parse_scale)]
Name = Annotated[str, AfterValidator(_plain_name)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid")


class System(_Table):
    """A machine or a cluster, and how work gets onto it."""

    backend: Literal["local", "slurm", "pbs"] = "local"
    hosts: list[str] = []  # backend local: reached by the launchers' own ssh
    cores_per_node: int | None = Field(None, gt=0)  # PBS asks for whole nodes by it
    time: Walltime = "01:00:00"  # of one job
    queue: str | None = None  # Slurm: partition
    account: str | None = None
    options: list[str] = []  # further #SBATCH or #PBS lines
    setup: list[str] = []  # shell lines of the job, before anything runs
    template: str | None = None  # a job script of the site's own, beside the study file
    launches_per_job: int = Field(200, gt=0)
    dialect: Literal["pro", "torque"] = "pro"
    model: str | None = None  # stands for it in a simulation; without this, the one of its own name

    @property
    def seconds(self) -> float:
        """The time of one job."""
        hours, minutes, seconds = map(int, self.time.split(":"))
        return float(hours * 3600 + minutes * 60 + seconds)


class LibraryTable(_Table):
    """Where a library is. With none of these, `dunlin libs` must find it by the table's name."""

    prefix: Path | None = None
    mpicc: Path | None = None
    mpirun: Path | None = None
    modules: list[str] = []
    setup: list[str] = []  # shell lines, such as `source .../setvars.sh`
    # As in "srun --mpi=pmi2 -N {nodes} -n {ranks}".
    launch: Annotated[str, AfterValidator(_launch_words)] | None = None
    environment: dict[str, str] = {}

    @model_validator(mode="after")
    def _both_or_none(self) -> "LibraryTable":
        if (self.mpicc is None) != (self.mpirun is None):
            raise ValueError("`mpicc` and `mpirun` go together; give both, or `prefix`")
        return self


class Settings(_Table):
    """What a profile sets for one library."""

    environment: dict[str, str] = {}
    options: list[str] = []  # of the launcher


class Profile(Settings):
    """A named set of variables and launcher options; for some libraries other ones."""

    libraries: list[str] | None = None  # the only ones it is for
    library: dict[str, Settings] = {}

    def wants(self, library: str) -> bool:
        """Is it for this library?"""
        return self.libraries is None or library in self.libraries

    def settings(self, library: str) -> Settings:
        """For a library: what is for all, and what is for it."""
        own = self.library.get(library, Settings())
        return Settings(
            environment=self.environment | own.environment, options=[*self.options, *own.options]
        )


class Measure(_Table):
    """Benchmarks by scales by sizes; on some systems, libraries and profiles, or on all."""

    benchmarks: list[str] = Field(min_length=1)
    scales: list[Scale] = Field(min_length=1)
    sizes: Sizes = []
    systems: list[str] | None = None
    libraries: list[str] | None = None
    profiles: list[str] | None = None


class Program(_Table):
    """A program of the study's own, say an application: the whole job is timed from outside."""

    source: Path | None = None  # C, compiled by each library's wrapper
    executable: Path | None = None
    arguments: list[str] = []

    @model_validator(mode="after")
    def _one_of_both(self) -> "Program":
        if (self.source is None) == (self.executable is None):
            raise ValueError("give either `source` or `executable`")
        return self


class Repeat(_Table):
    """How often each point is launched: at least `launches` times, and on until the interval of
    every median is narrower than `until` of it, `launches_max` or `budget` is reached."""

    launches: int = Field(5, gt=0)
    launches_max: int | None = Field(None, gt=0)
    until: float | None = Field(None, gt=0, lt=1)
    budget: Seconds | None = None
    failures_max: int = Field(2, gt=0)  # a point that failed so often is given up

    @model_validator(mode="after")
    def _rule_is_whole(self) -> "Repeat":
        if (self.until is None) != (self.launches_max is None):
            raise ValueError(
                "`until` and `launches_max` go together: a narrow interval may never come"
            )
        if self.launches_max is not None and self.launches_max < self.launches:
            raise ValueError(f"`launches_max` is {self.launches_max}; it is below `launches`")
        return self


class RunTable(_Table):
    """How a launch is done."""

    timeout: Seconds = 120.0
    iterations: int = Field(1000, gt=0)  # at most, for each size
    budget_ms: int = Field(50, ge=0)  # fewer iterations where they would take longer
    bind: Literal["program", "launcher"] = "program"


class Study(_Table):
    """The whole file."""

    name: Name
    seed: int = 1
    systems: dict[Name, System] = Field(min_length=1)
    libraries: dict[Name, LibraryTable] = Field(min_length=1)
    profiles: dict[Name, Profile] = {"none": Profile()}
    programs: dict[Name, Program] = {}
    measure: list[Measure] = Field(min_length=1)
    repeat: Repeat = Repeat()
    run: RunTable = RunTable()

    def benchmark(self, name: str, directory: Path) -> Benchmark | None:
        """One of ours, or one of the study's own, whose files lie beside its own file."""
        if name not in self.programs:
            return BENCHMARKS.get(name)
        own = self.programs[name]
        return Benchmark(
            name, tuple(own.arguments), sized=False, from_outside=True,
            source=own.source and directory / own.source,
            executable=own.executable and directory / own.executable,
        )  # fmt: skip


def line_of(text: str, location: tuple[str | int, ...]) -> int | None:
    """The line where a key stands, or the table that lacks it. TOML's parser forgets lines, so this
    looks for the tables' headers and the keys below them, as people write them."""
    header, line, best = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$"), None, 0
    wanted = [str(part) for part in location]
    table: list[str] = []
    arrays: dict[str, int] = {}
    for number, words in enumerate(text.splitlines(), start=1):
        if match := header.match(words):
            table = [part.strip().strip("\"'") for part in match[1].split(".")]
            if words.lstrip().startswith("[["):
                arrays[match[1]] = arrays.get(match[1], -1) + 1
                table.append(str(arrays[match[1]]))
            path = table
        elif "=" in words and not words.lstrip().startswith("#"):
            keys = [k.strip().strip("\"'") for k in words.split("=", 1)[0].split(".")]
            path = [*table, *keys]
        else:
            continue
        if len(path) <= len(wanted) and path == wanted[: len(path)] and len(path) > best:
            line, best = number, len(path)
    return line


_TABLES: dict[str, type[BaseModel]] = {
    "systems": System, "libraries": LibraryTable, "profiles": Profile, "programs": Program,
    "measure": Measure, "repeat": Repeat, "run": RunTable,
}  # fmt: skip


def _keys_of(table: tuple[str | int, ...]) -> list[str]:
    """What may stand in a table of the file."""
    if not table:
        return list(Study.model_fields)
    within = Settings if table[0] == "profiles" and "library" in table[2:] else None
    return list((within or _TABLES[str(table[0])]).model_fields)


def _complain(error: ValidationError, file: Path, text: str) -> DunlinError:
    first = error.errors(include_url=False)[0]
    location = tuple(part for part in first["loc"] if part != "[key]")
    key = ".".join(str(part) for part in location) or None
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        message = choice("key", str(location[-1]), _keys_of(location[:-1]))
    elif first["type"] == "missing":
        message = "it is missing"
    elif "input" in first and not isinstance(first["input"], dict | list):
        message += f" (it is `{first['input']}`)" if f"{first['input']}" not in message else ""
    return DunlinError(message, file=file, line=line_of(text, location), key=key)


def parse(text: str, file: Path) -> Study:
    """A study from its text."""
    try:
        raw: dict[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else None
        raise DunlinError(f"this is no TOML: {error}", file=file, line=line) from None
    try:
        study = Study.model_validate(raw)
    except ValidationError as error:
        raise _complain(error, file, text) from None
    _check_names(study, file, text)
    return study


def _check_names(study: Study, file: Path, text: str) -> None:
    """Everything that is named exists."""
    known = {
        "systems": list(study.systems), "libraries": list(study.libraries),
        "profiles": list(study.profiles),
    }  # fmt: skip

    def check(names: list[str] | None, kind: str, location: tuple[str | int, ...]) -> None:
        for name in names or []:
            if name in known[kind]:
                continue
            raise DunlinError(
                f"`{name}` is none of the {kind} of this file: {', '.join(known[kind])}",
                file=file, line=line_of(text, location), key=".".join(map(str, location)),
            )  # fmt: skip

    for i, measure in enumerate(study.measure):
        for kind in known:
            check(getattr(measure, kind), kind, ("measure", i, kind))
        _check_measure(study, i, measure, file, text)
    for name, profile in study.profiles.items():
        check(profile.libraries, "libraries", ("profiles", name, "libraries"))
        check(list(profile.library), "libraries", ("profiles", name, "library"))
    _check_times(study, file, text)


def _check_times(study: Study, file: Path, text: str) -> None:
    """A job lasts longer than a hang: else the batch system ends it before anything is recorded."""
    for name, system in study.systems.items():
        if system.backend == "local" or study.run.timeout < system.seconds:
            continue
        place = ("systems", name, "time")
        raise DunlinError(
            f"a job has {system.seconds:g} s and a launch up to {study.run.timeout:g} s (`timeout` "
            "of [run]): the job would end before a hang is recorded",
            file=file, line=line_of(text, place), key=".".join(place),
        )  # fmt: skip


def _check_measure(study: Study, i: int, measure: Measure, file: Path, text: str) -> None:
    def complain(key: str, message: str) -> DunlinError:
        place = ("measure", i, key)
        return DunlinError(message, file=file, line=line_of(text, place), key=f"measure.{i}.{key}")

    kinds: dict[str, Benchmark] = {}
    for name in measure.benchmarks:
        if (kind := study.benchmark(name, file.parent)) is None:
            raise complain("benchmarks", choice("benchmark", name, [*study.programs, *BENCHMARKS]))
        kinds[name] = kind
    sized = [name for name, kind in kinds.items() if kind.sized]
    if sized and not measure.sizes:
        raise complain("sizes", f'`{sized[0]}` needs sizes, as in [8, "64K"] or "8..1M"')
    for nodes, ranks in measure.scales:
        for name in measure.benchmarks:
            if nodes * ranks < (least := kinds[name].ranks_least):
                raise complain("scales", f"{nodes}:{ranks} is too small for `{name}`, which needs "
                                         f"{least} ranks")  # fmt: skip
        for name in measure.systems or study.systems:
            system = study.systems[name]
            if system.backend == "local" and nodes > max(1, len(system.hosts)):
                raise complain("scales", f"{nodes}:{ranks} needs {nodes} hosts; system `{name}` "
                                         f"has {max(1, len(system.hosts))}")  # fmt: skip


def load(path: Path) -> tuple[Study, Path]:
    """The study in a directory or file, and its directory."""
    file = path / FILE if path.is_dir() else path
    try:
        text = read_text(file)
    except FileNotFoundError:
        raise DunlinError(
            f"there is no such file; `dunlin study new {path}` writes one", file=file
        ) from None
    return parse(text, file), file.parent.resolve()
