"""The store of a study: one DuckDB file, filled from the launches' JSON lines by `ingest`. The
lines remain what counts: the store may be deleted at any time and is made anew from them."""

import json
from collections.abc import Sequence
from datetime import UTC
from pathlib import Path

import duckdb

from dunlin import model
from dunlin.errors import DunlinError
from dunlin.model import Run, Sample

STORE = "study.duckdb"
RAW = "raw"

_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    run_id VARCHAR PRIMARY KEY, study VARCHAR, system VARCHAR, library VARCHAR,
    library_version VARCHAR, vendor VARCHAR, profile VARCHAR, nodes INTEGER,
    ranks_per_node INTEGER, benchmark VARCHAR, repetition INTEGER, "order" INTEGER,
    started TIMESTAMP, seconds DOUBLE, status VARCHAR, exit_code INTEGER, message VARCHAR,
    command JSON, environment JSON, machine JSON, placement JSON, stacks JSON
);
CREATE TABLE IF NOT EXISTS samples (
    run_id VARCHAR, benchmark VARCHAR, bytes BIGINT, metric VARCHAR, clock VARCHAR,
    "values" DOUBLE[], iterations BIGINT
);
"""
# What is in memory at once, and in one transaction.
LAUNCHES_AT_ONCE = 500

Launch = tuple[Run, list[Sample]]


def connect(study: Path, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """Opens the store of the study in this directory; makes it where there is none."""
    try:
        connection = duckdb.connect(str(study / STORE), read_only=read_only)
    except duckdb.Error as error:
        what = (
            "another process has the store open; try again when it has ended"
            if "lock" in str(error) else
            "this is no store that can be read; delete it, and it is made anew from the raw data"
        )  # fmt: skip
        raise DunlinError(what, file=study / STORE) from None
    if not read_only:
        connection.execute(_SCHEMA)
    return connection


def _run_row(run: Run) -> list[object]:
    asdict = run.model_dump(mode="json", exclude={"kind", "schema_"})
    # UTC without saying so: DuckDB's own type with a zone needs another package to read it.
    asdict["started"] = run.started.astimezone(UTC).replace(tzinfo=None)
    structured = {"command", "environment", "machine", "placement", "stacks"}
    return [
        json.dumps(value) if name in structured and value is not None else value
        for name, value in asdict.items()
    ]


def _sample_row(sample: Sample) -> list[object]:
    return list(sample.model_dump(exclude={"kind"}).values())


def _unnested(rows: list[list[object]], types: Sequence[str]) -> tuple[str, list[object]]:
    """Rows as a table, handed over column by column: a hundred times faster than row by row."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    words = [f"unnest(CAST(? AS {type_}[]))" for type_ in types]
    return f"SELECT {', '.join(words)}", list(columns)


def _types(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"DESCRIBE {table}").fetchall()]


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: list[list[object]]) -> None:
    if rows:
        query, columns = _unnested(rows, _types(connection, table))
        connection.execute(f"INSERT INTO {table} {query}", columns)


def add(connection: duckdb.DuckDBPyConnection, launches: list[Launch]) -> None:
    """Adds launches that the store does not have, all or none."""
    connection.execute("BEGIN")
    try:
        _insert(connection, "runs", [_run_row(run) for run, _ in launches])
        _insert(connection, "samples", [_sample_row(s) for _, own in launches for s in own])
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def ingest(study: Path) -> int:
    """Adds every launch in `raw` that the store does not have; returns how many were added."""
    with connect(study) as connection:
        known = {row[0] for row in connection.execute("SELECT run_id FROM runs").fetchall()}
        files = [f for f in sorted((study / RAW).glob("*.jsonl")) if f.stem not in known]
        added = 0
        for at in range(0, len(files), LAUNCHES_AT_ONCE):
            found = [model.read(file) for file in files[at : at + LAUNCHES_AT_ONCE]]
            # A copy of a file under another name is the same launch.
            new = {run.run_id: (run, own) for run, own in found if run.run_id not in known}
            add(connection, list(new.values()))
            known |= new.keys()
            added += len(new)
    return added
