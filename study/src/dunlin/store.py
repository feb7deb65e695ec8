"""The store of a study: one DuckDB file, filled from the launches' JSON lines by `ingest`. The
lines remain what counts: the store may be deleted at any time and is made anew from them."""

import json
from collections.abc import Iterable
from datetime import UTC
from pathlib import Path

import duckdb

from dunlin import model
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
_RUN_COLUMNS = 22
_SAMPLE_COLUMNS = 7


def connect(study: Path, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """Opens the store of the study in this directory; makes it where there is none."""
    connection = duckdb.connect(str(study / STORE), read_only=read_only)
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


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def add(connection: duckdb.DuckDBPyConnection, run: Run, samples: Iterable[Sample]) -> bool:
    """Adds a launch, whole or not at all; False where the store has it already."""
    known = connection.execute("SELECT 1 FROM runs WHERE run_id = ?", [run.run_id]).fetchone()
    if known:
        return False
    rows = [_sample_row(sample) for sample in samples]
    connection.execute("BEGIN")
    try:
        connection.execute(f"INSERT INTO runs VALUES ({_marks(_RUN_COLUMNS)})", _run_row(run))
        if rows:
            connection.executemany(f"INSERT INTO samples VALUES ({_marks(_SAMPLE_COLUMNS)})", rows)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return True


def ingest(study: Path) -> int:
    """Adds every launch in `raw` that the store does not have; returns how many were added."""
    with connect(study) as connection:
        known = {row[0] for row in connection.execute("SELECT run_id FROM runs").fetchall()}
        added = 0
        for file in sorted((study / RAW).glob("*.jsonl")):
            if file.stem in known:
                continue
            run, samples = model.read(file)
            added += add(connection, run, samples)
    return added
