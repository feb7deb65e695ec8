import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dunlin import machine, model, store
from dunlin.errors import DunlinError
from dunlin.model import Placement, Run, Sample


def a_run(run_id: str = "r1") -> Run:
    return Run(
        run_id=run_id, study="s", system="laptop", library="dunlin", nodes=1, ranks_per_node=2,
        benchmark="latency", started=datetime(2026, 11, 22, tzinfo=UTC), command=["mpirun", "x"],
        placement=[Placement(rank=0, host="a", cpus="0")], machine={"cores": 2},
    )  # fmt: skip


def a_sample(run_id: str = "r1") -> Sample:
    return Sample(run_id=run_id, benchmark="latency", bytes=8, metric="time_us", values=[1.0, 2.5])


def a_study(directory: Path, *run_ids: str) -> Path:
    (directory / store.RAW).mkdir(exist_ok=True)
    for run_id in run_ids:
        model.write(directory / store.RAW / f"{run_id}.jsonl", a_run(run_id), [a_sample(run_id)])
    return directory


def test_a_launch_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "r1.jsonl"
    model.write(file, a_run(), [a_sample()])
    assert model.read(file) == (a_run(), [a_sample()])
    assert '"schema":1' in file.read_text()
    assert list(tmp_path.iterdir()) == [file]


def test_a_record_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, synced = tmp_path / "r1.jsonl", list[tuple[Path, bool]]()

    def fsync(number: int) -> None:
        at = Path(f"/proc/self/fd/{number}").readlink()
        assert at == tmp_path or '"run_id":"r1"' in at.read_text(), "nothing is in a buffer still"
        synced.append((at, file.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    model.write(file, a_run(), [a_sample()])
    assert synced == [(tmp_path / "r1.partial", False), (tmp_path, True)]


def test_a_variable_that_is_no_text_does_not_cost_the_launch(tmp_path: Path) -> None:
    told = machine.telling({"FI_X": os.fsdecode(b"a\xff"), "HOME": "/"})
    assert told == {"FI_X": "a\ufffd"}
    model.write(tmp_path / "r1.jsonl", a_run().model_copy(update={"environment": told}), [])


def test_ingesting_twice_adds_nothing(tmp_path: Path) -> None:
    study = a_study(tmp_path, "r1", "r2")
    assert store.ingest(study) == 2
    assert store.ingest(study) == 0
    a_study(tmp_path, "r3")
    assert store.ingest(study) == 1
    with store.connect(study, read_only=True) as connection:
        rows = connection.execute(
            'SELECT run_id, bytes, "values" FROM samples ORDER BY 1'
        ).fetchall()
        assert rows == [(f"r{i}", 8, [1.0, 2.5]) for i in (1, 2, 3)]
        placed = connection.execute("SELECT placement->>'$[0].host', started FROM runs").fetchone()
        assert placed == ("a", datetime(2026, 11, 22))


def test_a_copy_of_a_launch_is_the_same_launch(tmp_path: Path) -> None:
    study = a_study(tmp_path, "r1")
    text = (study / store.RAW / "r1.jsonl").read_text()
    (study / store.RAW / "copy.jsonl").write_text(text)
    assert store.ingest(study) == 1


def test_what_is_no_number_is_kept_for_anomalies_to_find(tmp_path: Path) -> None:
    sample = a_sample().model_copy(update={"values": [float("nan"), float("inf"), 1.0]})
    (tmp_path / store.RAW).mkdir()
    model.write(tmp_path / store.RAW / "r1.jsonl", a_run(), [sample])
    assert store.ingest(tmp_path) == 1
    with store.connect(tmp_path, read_only=True) as connection:
        (values,) = connection.execute('SELECT "values" FROM samples').fetchall()[0]
    assert [str(value) for value in values] == ["nan", "inf", "1.0"]


def test_a_launch_cut_off_by_a_power_cut_is_named_with_what_to_do(tmp_path: Path) -> None:
    study = a_study(tmp_path, "r1")
    (study / store.RAW / "r2.jsonl").touch()
    with pytest.raises(DunlinError, match=r"r2.jsonl:1: .* the launch is done again"):
        store.ingest(study)


def test_a_store_that_another_process_has_open_is_said(tmp_path: Path) -> None:
    study = a_study(tmp_path, "r1")
    words = (
        f"from pathlib import Path; from dunlin import store; store.ingest(Path({str(study)!r}))"
    )
    with store.connect(study):
        done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True)
    assert "study.duckdb: another process has the store open" in done.stderr


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"kind": "sample"}', "raw.jsonl:2: `sample.run_id`: not a record of a study: Field"),
        ("{", "raw.jsonl:2: not a record of a study: Invalid JSON"),
        ("RUN", "raw.jsonl: there is more than one record of kind `run`"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "raw.jsonl"
    run = model.to_json(a_run())
    file.write_text(f"{run}\n{text.replace('RUN', run)}\n")
    with pytest.raises(DunlinError) as caught:
        model.read(file)
    assert complaint in str(caught.value)
