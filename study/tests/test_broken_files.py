"""Files as networks, editors and other programs leave them: each reader takes what is good and says
what is not in a sentence, with file and line; none ends in a traceback."""

import json
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dunlin import files, model, store, studyfile
from dunlin.backends import batch
from dunlin.cli import app
from dunlin.errors import DunlinError
from dunlin.execution import rows_of
from dunlin.importers import records

LATENCY = "# OSU MPI Latency Test v7.3\n# Size          Latency (us)\n"
INIT = "# OSU MPI Init Test v5.8\n"
PINGPONG = """# Benchmarking PingPong
# #processes = 2
       #bytes #repetitions      t[usec]   Mbytes/sec
"""
SHEET = "benchmark,bytes,time_us,nodes,ranks_per_node,repetition\n"
STUDY = """name = "s"
[run]
timeout = 60
[systems.here]
backend = "local"
[libraries.a]
prefix = "/opt/mpich"
[[measure]]
benchmarks = ["latency"]
sizes = [8, "64K"]
scales = ["1:2"]
"""
SAID = records.Said("s", ranks_per_node=2)


def a_run() -> str:
    return model.to_json(model.Run(
        run_id="r", study="s", system="here", library="mpich", nodes=1, ranks_per_node=2,
        benchmark="latency", started=datetime(2026, 11, 22, tzinfo=UTC),
    ))  # fmt: skip


def a_sample() -> str:
    return model.to_json(
        model.Sample(run_id="r", benchmark="latency", bytes=8, metric="time_us", values=[1.0, 2.0])
    )


def refusal(read: Callable[[], object]) -> DunlinError:
    with pytest.raises(DunlinError) as caught:
        read()
    assert len(str(caught.value)) < 1000
    return caught.value


BIG = "9" * 5000


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.txt", LATENCY + "inf 1.0\n", 3),
        ("a.txt", LATENCY + "nan 1.0\n", 3),
        ("a.txt", LATENCY + "-8 1.0\n", 3),
        ("a.txt", LATENCY + "8.5 1.0\n", 3),
        ("a.txt", LATENCY + "1e300 1.0\n", 3),
        ("a.txt", LATENCY + "0 1.0\n8 -1.0\n", 4),
        ("a.txt", LATENCY + "8 inf\n", 3),
        ("a.txt", LATENCY + "8 nan\n", 3),
        ("a.txt", LATENCY + f"{BIG[:4000]} 1\n", 3),
        ("a.txt", INIT + "nprocs: 8, min: 1, max: 2, avg: 1.2.3\n", 2),
        ("a.txt", INIT + f"nprocs: {BIG[:4000]}, avg: 3\n", 2),
        ("a.txt", INIT + "nprocs: 0, avg: 3\n", 2),
        ("a.txt", PINGPONG + "8 1000 -1.0 3.0\n", 4),
        ("a.txt", PINGPONG + "inf 1000 1.0 3.0\n", 4),
        ("a.txt", PINGPONG + "8 nan 1.0 3.0\n", 4),
        ("a.txt", PINGPONG.replace("= 2", "= 0") + "8 1 1 1\n", 2),
        ("a.txt", PINGPONG.replace("= 2", "= 99999999999") + "8 1 1 1\n", 2),
        ("a.csv", SHEET + "latency,inf,1,1,2,0\n", 2),
        ("a.csv", SHEET + "latency,8,nan,1,2,0\n", 2),
        ("a.csv", SHEET + "latency,8,1e999,1,2,0\n", 2),
        ("a.csv", SHEET + "latency,-8,1,1,2,0\n", 2),
        ("a.csv", SHEET + f"latency,{BIG},1,1,2,0\n", 2),
        ("a.csv", SHEET + "latency,8,1,-1,2,0\n", 2),
        ("a.csv", SHEET + "latency,8,1,1,0,0\n", 2),
        ("a.csv", SHEET + "latency,8,1,1,many,0\n", 2),
        ("a.csv", SHEET + "latency,8,1,1,2,99999999999\n", 2),
        ("a.csv", SHEET + "latency,8,1,1,2,0\n" + "x" * 200_000 + ",8,1,1,2,0\n", 3),
        ("a.csv", "x" * 200_000 + "\n", 1),
        ("a.csv", SHEET + "lat\udcffency,8,1,1,2,0\n", 2),
    ],
)
def test_what_no_program_can_have_measured_is_refused_with_file_and_line(
    tmp_path: Path, name: str, text: str, line: int
) -> None:
    file = tmp_path / name
    file.write_bytes(text.encode(errors="surrogateescape"))
    error = refusal(lambda: records.launches(file, SAID))
    assert (error.file, error.line) == (file, line)
    done = CliRunner().invoke(app, ["import", str(file), "--into", str(tmp_path / "s")])
    assert isinstance(done.exception, DunlinError)
    assert not (tmp_path / "s").exists()


def test_a_line_without_end_costs_no_time(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("# OSU MPI " + " " * 3_000_000 + "\n" + LATENCY + "8 1.0\n")
    assert records.launches(file, SAID)[0][1][0].values == [1.0]


def test_what_stands_around_tables_need_not_be_readable(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"host caf\xe9\n\0\n" + LATENCY.encode() + b"8 1.0\r\n")
    assert len(records.launches(file, SAID)) == 1


def test_a_file_that_is_too_long_or_no_text_is_said(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"a\nb\nc\xff\n")
    error = refusal(lambda: files.read_text(file))
    assert (error.line, error.message) == (3, "this is not UTF-8")
    error = refusal(lambda: files.read_text(file, bytes_max=5))
    assert "more than 5 bytes" in error.message
    error = refusal(lambda: files.read_text(tmp_path))
    assert "cannot be read" in error.message


@pytest.mark.parametrize(
    ("what", "by"),
    [
        ('"nodes":1', '"nodes":-1'), ('"nodes":1', '"nodes":99999999999'),
        ('"nodes":1', f'"nodes":{BIG}'), ('"order":0', '"order":1e99'),
        ('"started":"2026-11-22', '"started":"0001-01-01'),
        ('"exit_code":null', '"exit_code":99999999999'),
        ('"run_id":"r"', '"run_id":"\\ud800"'), ('"machine":{}', '"machine":' + "[" * 99999),
    ],
)  # fmt: skip
def test_records_that_no_store_can_hold_are_refused_with_their_line(
    tmp_path: Path, what: str, by: str
) -> None:
    (tmp_path / "raw").mkdir()
    file = tmp_path / "raw" / "r.jsonl"
    line = a_run().replace(what, by)
    assert line != a_run()
    # The first day has an hour that has none in another zone.
    file.write_text(line.replace("00:00:00Z", "00:00:00+14:00") + "\n")
    error = refusal(lambda: store.ingest(tmp_path))
    assert (error.file, error.line) == (file, 1)


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "t.toml").mkdir()
    with pytest.raises(IsADirectoryError):
        files.write_whole(tmp_path / "t.toml", "text")
    assert [file.name for file in tmp_path.iterdir()] == ["t.toml"]


def test_what_a_program_said_ends_no_line(tmp_path: Path) -> None:
    run = model.Run.model_validate_json(a_run()).model_copy(update={"message": "a\u2028b\x0bc"})
    file = tmp_path / "r.jsonl"
    model.write(file, run, [])
    assert model.read(file)[0].message == "a\u2028b\x0bc"


def test_a_store_that_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / store.STORE).write_bytes(b"\0" * 5000)
    assert "delete it" in refusal(lambda: store.connect(tmp_path)).message


def test_numbers_and_brackets_without_end_are_no_rows() -> None:
    text = '{"a":' * 100_000 + "\n" + '{"a":' + BIG + '}\n{"a":1}\n'
    assert rows_of(text) == [{"a": 1}]


def _read_job(file: Path) -> object:
    (file.parent / batch.JOBS).mkdir(exist_ok=True)
    (file.parent / batch.JOBS / "j.json").write_bytes(file.read_bytes())
    return batch.load(file.parent, "j")


def _read_raw(file: Path) -> object:
    (file.parent / "raw").mkdir(exist_ok=True)
    (file.parent / "raw" / "r.jsonl").write_bytes(file.read_bytes())
    (file.parent / store.STORE).unlink(missing_ok=True)
    return store.ingest(file.parent)


JOB = json.dumps({"name": "j", "system": "here", "nodes": 1, "ranks_per_node": 2, "run_ids": []})
READERS: list[tuple[str, str, Callable[[Path], object]]] = [
    ("omb", LATENCY + "0 1.0\n8 1.25\n" + INIT + "nprocs: 2, min: 41, max: 45, avg: 43\n",
     lambda file: records.launches(file, SAID, "omb")),
    ("imb", PINGPONG + "0 1000 0.5 0.0\n8 1000 0.5 16.0\n",
     lambda file: records.launches(file, SAID, "imb")),
    ("csv", SHEET + 'latency,8,1.5,1,2,0\n"a b",16,2,1,2,1\n',
     lambda file: records.launches(file, SAID, "csv")),
    ("raw", f"{a_run()}\n{a_sample()}\n", _read_raw),
    ("job", JOB, _read_job),
    ("study", STUDY, studyfile.load),
]  # fmt: skip
PIECES = [
    b"inf", b"nan", b"-1", b"1e999", b"9" * 30, b"\xff", b"\0", b"\n", b"\r", b",", b'"', b"{",
    b"[", b"]", b"=", b"#", b" ", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"'''", b"\\u0000",
]  # fmt: skip


def _changed(good: bytes, chance: random.Random) -> bytes:
    """Cut, doubled, or with something put in."""
    bad = bytearray(good)
    for _ in range(chance.randint(1, 4)):
        at, to = sorted(chance.choices(range(len(bad) + 1), k=2))
        match chance.randrange(5):
            case 0:
                del bad[at:]
            case 1:
                del bad[at : min(to, at + 9)]
            case 2:
                bad[at:at] = bad[at:to]
            case 3:
                bad[at:at] = chance.choice(PIECES)
            case _:
                bad[at : at + 1] = bytes([chance.randrange(256)])
    return bytes(bad)


@pytest.mark.parametrize(("name", "good", "read"), READERS, ids=[r[0] for r in READERS])
def test_changed_files_are_read_or_refused_with_a_sentence(
    tmp_path: Path, name: str, good: str, read: Callable[[Path], object]
) -> None:
    file = tmp_path / ("study.toml" if name == "study" else "file")
    file.write_text(good)
    read(file)
    seed = random.randrange(2**32)
    chance, times = random.Random(seed), 40 if name == "raw" else 400
    for _ in range(times):
        bad = _changed(good.encode(), chance)
        file.write_bytes(bad)
        try:
            read(file)
        except DunlinError as error:
            assert error.message
        except Exception as error:
            pytest.fail(f"seed {seed}: {bad!r}: {error!r}")
