import sys
from collections.abc import Callable
from pathlib import Path

import pytest

FAKES = Path(__file__).resolve().parent / "fakes"
Install = Callable[..., Path]


def install(fake: str, at: Path, *names: str) -> Path:
    """Puts a fake under some names into a directory."""
    at.mkdir(parents=True, exist_ok=True)
    for name in names:
        tool = at / name
        # exec -a would be lost on the interpreter; so the script stands there under its name.
        # Fakes need nothing but the standard library, and are started often.
        tool.write_text(f"#!{sys.executable} -IS\n" + (FAKES / fake).read_text())
        tool.chmod(0o755)
    return at


@pytest.fixture
def fake_mpi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The prefix of a library that is none; what is compiled goes to this test's own cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    install("mpi.py", tmp_path / "mpi" / "bin", "mpicc", "mpiexec")
    return tmp_path / "mpi"


@pytest.fixture
def study(tmp_path: Path, fake_mpi: Path) -> Callable[..., Path]:
    """Makes a study of two names for the fake library."""

    def make(
        text: str = "", system: str = "", measure: str = "",
        benchmarks: tuple[str, ...] = ("latency", "allreduce"),
    ) -> Path:  # fmt: skip
        directory = tmp_path / "study"
        directory.mkdir(exist_ok=True)
        (directory / "study.toml").write_text(f"""
name = "t"
[systems.here]
{system}
[libraries.one]
prefix = "{fake_mpi}"
[libraries.two]
prefix = "{fake_mpi}"
[[measure]]
benchmarks = {list(benchmarks)}
scales = ["1:2"]
sizes = [8, 64]
{measure}
[repeat]
launches = 2
{text}
""")
        return directory

    return make
