"""The C benchmark programs: they travel with this package and are compiled where they run, by each
library's own wrapper. What is compiled is kept, by sources, compiler and library."""

import hashlib
import os
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from dunlin.benchmarks import Benchmark
from dunlin.errors import DunlinError
from dunlin.libraries import Library

OPTIONS = ["-std=c11", "-O2", "-pthread"]
COMPILE_TIMEOUT_S = 120
CACHE_VARIABLE = "XDG_CACHE_HOME"


def sources() -> Path:
    """The directory with the C sources: in the installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parent
    for directory in (here / "programs", here.parents[2] / "bench"):
        if (directory / "latency.c").exists():
            return directory
    raise DunlinError(f"the C programs are missing; they should be in {here / 'programs'}")


def cache() -> Path:
    """Where compiled programs are kept."""
    base = os.environ.get(CACHE_VARIABLE) or Path.home() / ".cache"
    return Path(base) / "dunlin" / "programs"


def _fingerprint(path: Path) -> str:
    status = path.stat()
    return f"{path} {status.st_size} {status.st_mtime_ns}"


@lru_cache
def _compiler_version(mpicc: Path, wrapper: str, environment: frozenset[tuple[str, str]]) -> str:
    """Asked once, not before each launch, as long as the wrapper (its fingerprint) is the same."""
    done = subprocess.run(
        [mpicc, "--version"], env=dict(environment), text=True, capture_output=True, check=False,
        timeout=COMPILE_TIMEOUT_S, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.stdout


def _key(source: Path, library: Library, environment: Mapping[str, str]) -> str:
    digest = hashlib.sha256()
    headers = sorted(source.parent.glob("*.h"))
    for file in [source, *headers]:
        digest.update(file.read_bytes())
    wrapper = _fingerprint(library.mpicc)
    compiler = _compiler_version(library.mpicc, wrapper, frozenset(environment.items()))
    words = [wrapper, library.text, compiler, *OPTIONS]
    digest.update("\0".join(words).encode())
    return digest.hexdigest()[:20]


def of(benchmark: Benchmark, library: Library) -> Path:
    """The program of a benchmark, ready to run with a library."""
    if benchmark.executable:
        if not os.access(benchmark.executable, os.X_OK):
            raise DunlinError(f"{benchmark.executable} is no program that can be run")
        return benchmark.executable
    return compiled(benchmark.source or sources() / f"{benchmark.program}.c", library)


def compiled(source: Path, library: Library, directory: Path | None = None) -> Path:
    """The program made from a source for a library, compiled if it has not been before. The
    environment of the library is what its wrapper runs in."""
    if not source.exists():
        raise DunlinError(f"there is no C source {source}")
    environment = {**os.environ, **library.environment}
    try:
        at = (directory or cache()) / _key(source, library, environment)
        program = at / source.stem
        if not program.exists():
            _compile(source, program, library, environment)
    except FileNotFoundError as error:
        raise DunlinError(
            f"{error.filename} does not exist; `dunlin libs` lists what does"
        ) from None
    except subprocess.TimeoutExpired:
        raise DunlinError(f"{library.mpicc} did not end within {COMPILE_TIMEOUT_S} s") from None
    return program


def _compile(source: Path, program: Path, library: Library, environment: Mapping[str, str]) -> None:
    program.parent.mkdir(parents=True, exist_ok=True)
    # Several jobs may share a cache: what is half written must not be run.
    partial = program.with_name(f"{program.name}.{os.uname().nodename}.{os.getpid()}")
    command = [str(library.mpicc), *OPTIONS, "-o", str(partial), str(source)]
    done = subprocess.run(
        command, env=environment, text=True, capture_output=True, check=False,
        timeout=COMPILE_TIMEOUT_S, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode != 0:
        detail = " ".join((done.stderr + done.stdout).split())[-400:]
        raise DunlinError(f"`{' '.join(command)}` ended with {done.returncode}: {detail}")
    partial.replace(program)
