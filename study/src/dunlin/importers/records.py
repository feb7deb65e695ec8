"""From tables to a study's raw lines. A launch is named after its content, so that importing a file
again adds nothing."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from dunlin import store
from dunlin.errors import DunlinError
from dunlin.files import read_text
from dunlin.importers import imb, omb, sheet
from dunlin.importers.tables import Table, Value
from dunlin.model import Run, Sample, write

FORMATS = ("omb", "imb", "csv")


@dataclass(frozen=True)
class Said:
    """What files do not say of themselves."""

    study: str
    system: str = "imported"
    library: str = "imported"
    library_version: str = ""
    profile: str = "none"
    nodes: int = 1
    ranks_per_node: int | None = None
    repetition: int = 0


def guess(text: str, file: Path) -> str:
    """The format of a file, by its content; of a sheet by its name."""
    if omb.recognised(text):
        return "omb"
    if imb.recognised(text):
        return "imb"
    if file.suffix.lower() in (".csv", ".tsv"):
        return "csv"
    raise DunlinError(
        "neither the OSU benchmarks nor IMB wrote this, and it is not named .csv; say --format",
        file=file,
    )


def launches(
    file: Path, said: Said, form: str | None = None, renamed: dict[str, str] | None = None
) -> list[tuple[Run, list[Sample]]]:
    """Every launch of a file."""
    # What stands around tables need not be readable.
    text = read_text(file, errors="replace")
    form = form or guess(text, file)
    when = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    try:
        if form == "csv":
            return _of_sheet(sheet.rows(text, renamed), said, file, when)
        tables = omb.tables(text) if form == "omb" else imb.tables(text)
        if not tables:
            raise DunlinError("no table of figures was found", file=file)
        return [_launch(table, said, file, when, at) for at, table in enumerate(tables)]
    except DunlinError as error:
        raise DunlinError(
            error.message, file=error.file or file, line=error.line, key=error.key
        ) from None


def _layout(table: Table, said: Said) -> tuple[int, int]:
    """Nodes and ranks per node. IMB measures on fewer processes than it was started with, too:
    these fill node after node where it is known how many fit on one."""
    ranks, nodes, fit = table.ranks, said.nodes, said.ranks_per_node
    if ranks is None:
        if fit is None:
            raise DunlinError(f"the table of {table.benchmark} does not say its number of ranks; "
                              "say --ranks-per-node")  # fmt: skip
        return nodes, fit
    if fit is None and ranks % nodes == 0:
        return nodes, ranks // nodes
    if fit is not None and (ranks <= fit or ranks % fit == 0) and ranks <= nodes * fit:
        return max(1, ranks // fit), min(ranks, fit)
    given = f"{nodes} nodes" + (f" of {fit} ranks" if fit else "")
    raise DunlinError(f"the {ranks} processes of {table.benchmark} do not spread evenly over "
                      f"{given}; say --nodes and --ranks-per-node")  # fmt: skip


def _launch(
    table: Table, said: Said, file: Path, when: datetime, at: int
) -> tuple[Run, list[Sample]]:
    nodes, rpn = _layout(table, said)
    name = _name(replace(said, nodes=nodes), rpn, table.benchmark, at, table.values)
    run = Run(
        run_id=name, study=said.study, system=said.system, library=said.library,
        library_version=said.library_version, profile=said.profile, nodes=nodes,
        ranks_per_node=rpn, benchmark=table.benchmark, repetition=said.repetition, started=when,
        message=f"imported from {file.name}, written by {table.program}",
    )  # fmt: skip
    return run, [_sample(name, table.benchmark, value) for value in table.values]


def _name(said: Said, rpn: int, benchmark: str, at: int, values: Iterable[Value]) -> str:
    content = repr((said, rpn, benchmark, at, tuple(values)))
    return f"imported-{hashlib.sha256(content.encode()).hexdigest()[:16]}"


def _sample(run_id: str, benchmark: str, value: Value) -> Sample:
    return Sample(
        run_id=run_id, benchmark=benchmark, bytes=value.bytes, metric=value.metric, clock="local",
        values=[value.value], iterations=value.iterations,
    )  # fmt: skip


def _of_sheet(
    rows: list[sheet.Row], said: Said, file: Path, when: datetime
) -> list[tuple[Run, list[Sample]]]:
    """Rows that agree in everything but size are a launch; a size met again begins the next."""
    groups: dict[tuple[Said, str, int], list[Value]] = {}
    seen: dict[tuple[Said, str, int, str], int] = {}
    for row in rows:
        own = replace(said, **row.said)  # type: ignore[arg-type]
        place = (own, row.benchmark, row.value.bytes, row.value.metric)
        again = seen[place] = seen.get(place, -1) + 1
        groups.setdefault((own, row.benchmark, again), []).append(row.value)
    return [
        _launch(
            Table(benchmark, "CSV", tuple(values)),
            replace(own, repetition=own.repetition + again), file, when, again,
        )
        for (own, benchmark, again), values in groups.items()
    ]  # fmt: skip


def _apart(found: list[tuple[Run, list[Sample]]]) -> Iterator[tuple[Run, list[Sample]]]:
    """Two launches may well have printed the same figures: what is met twice among files imported
    together is no copy."""
    met: dict[str, int] = {}
    for run, samples in found:
        times = met[run.run_id] = met.get(run.run_id, 0) + 1
        if times > 1:
            name = {"run_id": f"{run.run_id}-{times}"}
            yield run.model_copy(update=name), [s.model_copy(update=name) for s in samples]
        else:
            yield run, samples


def add(directory: Path, found: list[tuple[Run, list[Sample]]]) -> int:
    """Writes what the study does not have yet and fills its store; returns how many were new."""
    raw = directory / store.RAW
    raw.mkdir(parents=True, exist_ok=True)
    new = 0
    for run, samples in _apart(found):
        file = raw / f"{run.run_id}.jsonl"
        if not file.exists():
            write(file, run, samples)
            new += 1
    store.ingest(directory)
    return new
