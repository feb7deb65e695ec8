"""The C benchmark programs: they travel with this package and are compiled where they run, by each
library's own wrapper. What is compiled is kept, by sources, compiler and library."""

import hashlib
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from dunlin import execution
from dunlin.errors import DunlinError
from dunlin.libraries import Library, command

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


def fingerprint(path: Path) -> str:
    """Of a file that may be made anew under the same name."""
    status = path.stat()
    return f"{path} {status.st_size} {status.st_mtime_ns}"


@lru_cache
def _compiler_version(mpicc: Path, wrapper: str, environment: frozenset[tuple[str, str]]) -> str:
    """Asked once, not before each launch, as long as the wrapper (its fingerprint) is the same."""
    return execution.execute([mpicc, "--version"], dict(environment), COMPILE_TIMEOUT_S).out


def _key(source: Path, library: Library) -> str:
    digest = hashlib.sha256()
    headers = sorted(source.parent.glob("*.h"))
    for file in [source, *headers]:
        digest.update(file.read_bytes())
    wrapper = fingerprint(library.mpicc)
    compiler = _compiler_version(library.mpicc, wrapper, frozenset(library.environment.items()))
    words = [wrapper, library.text, compiler, *OPTIONS]
    digest.update("\0".join(words).encode())
    return digest.hexdigest()[:20]


def compiled(source: Path, library: Library, directory: Path | None = None) -> Path:
    """The program made from a source for a library, compiled if it has not been before. The
    environment of the library is what its wrapper runs in."""
    if not source.exists():
        raise DunlinError(f"there is no C source {source}")
    try:
        at = (directory or cache()) / _key(source, library)
    except FileNotFoundError as error:
        raise DunlinError(
            f"{error.filename} does not exist; `dunlin libs` lists what does"
        ) from None
    program = at / source.stem
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        # Several jobs may share a cache: what is half written must not be run.
        partial = program.with_name(f"{program.name}.{os.uname().nodename}.{os.getpid()}")
        words = [library.mpicc, *OPTIONS, "-o", partial, source]
        execution.call(words, library.environment, COMPILE_TIMEOUT_S)
        partial.replace(program)
    return program


def rows(library: Library, ranks: int, program: Path, *arguments: object) -> list[dict[str, Any]]:
    """Runs a program on so many ranks; what it prints as JSON."""
    words = command(library, ranks, program, *arguments, "--json")
    return execution.rows_of(execution.call(words, library.environment))


def seconds(library: Library, ranks: int, program: Path) -> float:
    """Wall-clock time of one run, from outside."""
    words = command(library, ranks, program)
    return execution.finished(words, library.environment).seconds
