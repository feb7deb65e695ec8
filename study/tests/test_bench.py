from pathlib import Path

import pytest

from dunlin import discover, model
from dunlin.commands import bench
from dunlin.discover import Candidate
from dunlin.errors import DunlinError
from test_run import dunlin


@pytest.fixture
def two_libraries(fake_mpi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bin_ = fake_mpi / "bin"
    fake = discover.probe(Candidate(bin_ / "mpicc", bin_ / "mpiexec", "test"), "")
    broken = discover.probe(Candidate(bin_ / "none", bin_ / "mpiexec", "test"), "broken")
    monkeypatch.setattr(discover, "find", lambda _: discover.named([fake, fake, broken]))


@pytest.mark.usefixtures("two_libraries")
def test_libraries_stand_beside_each_other(tmp_path: Path) -> None:
    keep = tmp_path / "kept"
    words = ["allreduce", "-n", 3, "--sizes", "8,1K", "--seconds", 0.1, "--keep", keep]
    said = dunlin("bench", *words)
    lines = [line.split() for line in said.splitlines()]
    assert ["Bytes", "mpich", "mpich-9.9"] in lines
    assert any(words[:2] == ["8", "1.28"] and words[-1] == "1.00x" for words in lines)
    assert any(words[:2] == ["1,024", "11.4"] for words in lines)
    assert said.startswith("allreduce, 3 ranks: us; median of ")
    assert " its 95 % interval, and ratio to mpich" in " ".join(said.split())
    runs = [model.read(file)[0] for file in (keep / "raw").glob("*.jsonl")]
    assert len(runs) % 2 == 0
    assert len(runs) >= 2
    with pytest.raises(DunlinError, match="it holds a study already"):
        dunlin("bench", "allreduce", "--seconds", 0.1, "--keep", keep)


@pytest.mark.usefixtures("two_libraries")
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (
            ["allreduse"],
            "there is no benchmark `allreduse`; did you mean `allreduce`? There are: la",
        ),
        (["latency", "-n", 1], "-n is 1; `latency` needs 2 ranks"),
        (["latency", "--libs", "mpich,x"], "there is no library `x`; there are: mpich, mpi"),
        (["latency", "--sizes", "8,x"], "--sizes: `x` is no size"),
        (["latency", "--libs", "broken"], "library `broken` does not run: "),
        (["latency", "--set", "A=1"], "--set is `A=1`; write LIBRARY:NAME=VALUE"),
    ],
)
def test_mistakes_are_answered(words: list[object], complaint: str) -> None:
    with pytest.raises(DunlinError) as caught:
        dunlin("bench", *words)
    assert complaint in str(caught.value)


def test_variables_are_for_one_library() -> None:
    assert bench.variables(["a:X=1", "b:Y=2=3", "a:Z="], ["a", "b"]) == {
        "a": {"environment": {"X": "1", "Z": ""}}, "b": {"environment": {"Y": "2=3"}},
    }  # fmt: skip
