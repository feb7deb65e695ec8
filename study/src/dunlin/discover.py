"""Finds MPI libraries on this machine: on PATH, in Debian's alternatives, in virtual environments
that hold the wheels of PyPI, in Dunlin's own prefix, in Spack and in environment modules. Each is
asked by a program what it is, and must run two ranks."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dunlin import checkout, execution, programs
from dunlin.errors import DunlinError
from dunlin.libraries import DUNLIN, PLAIN, Library, identify, necessary_environment

# Intel's mpirun is a script that needs its directory on PATH; its mpiexec does not.
LAUNCHERS = ["mpiexec", "mpirun"]
PROBE_RANKS = 2
PROBE_TIMEOUT_S = 60
ASK_TIMEOUT_S = 30
# Variables with which installations say where they are.
ROOTS = [
    "I_MPI_ROOT",
    "MPI_HOME",
    "MPI_ROOT",
    "MPIHOME",
    "MPICH_HOME",
    "OPENMPI_HOME",
    "DUNLIN_HOME",
]
# Modules whose names say that they hold an MPI; all others of a site are left alone.
MODULE = re.compile(r"(^|/)(dunlin|i?mpi|intel-?mpi|intel-oneapi-mpi|mpich|cray-mpich|mvapich\d?|"
                    r"open-?mpi|impi)(/|$)", re.IGNORECASE)  # fmt: skip
SPACK_PACKAGES = ["mpich", "openmpi", "mvapich", "mvapich2", "intel-oneapi-mpi", "intel-mpi"]


@dataclass(frozen=True)
class Candidate:
    """A wrapper and a launcher that may belong together."""

    mpicc: Path
    launcher: Path
    source: str
    environment: dict[str, str] = field(default_factory=dict)


def pair_in(directory: Path, source: str, suffix: str = "") -> Candidate | None:
    """The wrapper and the launcher of one `bin` directory."""
    mpicc = directory / f"mpicc{suffix}"
    for name in LAUNCHERS:
        launcher = directory / f"{name}{suffix}"
        if os.access(mpicc, os.X_OK) and os.access(launcher, os.X_OK):
            return Candidate(mpicc, launcher, source, _root_of(directory))
    return None


def _root_of(directory: Path) -> dict[str, str]:
    # The scripts of Intel's wheels look for the rest of it where this variable says.
    if (directory / "impi_info").exists() and "I_MPI_ROOT" not in os.environ:
        return {"I_MPI_ROOT": str(directory.parent)}
    return {}


def on_path() -> Iterator[Candidate]:
    """Each directory of PATH, in its order."""
    for entry in os.environ.get("PATH", "").split(os.pathsep):
        if entry and (found := pair_in(Path(entry), "PATH")):
            yield found


def by_variables() -> Iterator[Candidate]:
    """Where an environment variable points."""
    for name in ROOTS:
        if (root := os.environ.get(name)) and (found := pair_in(Path(root) / "bin", f"${name}")):
            yield found


def debian() -> Iterator[Candidate]:
    """Debian's packages lie side by side under names with an ending."""
    for mpicc in sorted(Path("/usr/bin").glob("mpicc.*")):
        if found := pair_in(mpicc.parent, "Debian", mpicc.suffix):
            yield found


def environments(near: Iterable[Path]) -> Iterator[Candidate]:
    """Virtual environments: the one that runs this, the active one, and those below `near`."""
    roots = [Path(sys.prefix)]
    if active := os.environ.get("VIRTUAL_ENV"):
        roots.append(Path(active))
    for directory in near:
        roots += sorted(config.parent for config in directory.glob("*/pyvenv.cfg"))
    for root in roots:
        if found := pair_in(root / "bin", "virtual environment"):
            yield found


def prefixes(near: Iterable[Path]) -> Iterator[Candidate]:
    """Installations with a `bin` of their own: below the given directories, or they themselves."""
    for directory in near:
        for bin_ in [directory / "bin", *sorted(directory.glob("*/bin"))]:
            if found := pair_in(bin_, "directory"):
                yield found


def spack() -> Iterator[Candidate]:
    """What `spack find` knows."""
    if not shutil.which("spack"):
        return
    for package in SPACK_PACKAGES:
        listing = execution.output_of("spack", "find", "--format", "{prefix}", package) or ""
        for line in listing.splitlines():
            if line.startswith("/") and (found := pair_in(Path(line) / "bin", "Spack")):
                yield found


def environment_of(script: str) -> dict[str, str]:
    """What a shell script (`module load ...`, `source ...`) changes in the environment."""
    mark = "\x1e"
    text = f"{script}\nprintf '{mark}'\nenv -0"
    try:
        done = subprocess.run(
            ["bash", "-lc", f"set -e\n{text}"], capture_output=True, check=False,
            timeout=ASK_TIMEOUT_S, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise DunlinError(f"`{script}` did not end within {ASK_TIMEOUT_S} s") from None
    if done.returncode != 0 or mark.encode() not in done.stdout:
        detail = " ".join(done.stderr.decode(errors="replace").split())[-300:]
        raise DunlinError(f"`{script}` failed: {detail or f'exit status {done.returncode}'}")
    after = done.stdout.split(mark.encode(), 1)[1].decode(errors="surrogateescape")
    pairs = (entry.split("=", 1) for entry in after.split("\0") if "=" in entry)
    ignored = {"_", "SHLVL", "PWD", "OLDPWD"}
    changed = {name: value for name, value in pairs if os.environ.get(name) != value}
    return {
        name: value
        for name, value in changed.items()
        if name not in ignored and not name.startswith("BASH_FUNC")
    }


def in_path_of(environment: dict[str, str], source: str) -> Candidate | None:
    """The first wrapper with a launcher on a changed PATH."""
    for entry in environment.get("PATH", os.environ.get("PATH", "")).split(os.pathsep):
        if entry and (found := pair_in(Path(entry), source)):
            return replace(found, environment=environment)
    return None


def modules() -> Iterator[Candidate]:
    """Environment modules or Lmod, whichever `module` is."""
    script = "type module >/dev/null 2>&1 && module -t avail 2>&1"
    listing = execution.output_of("bash", "-lc", script) or ""
    names = {line.removesuffix("(default)").strip() for line in listing.splitlines()}
    for name in sorted(n for n in names if MODULE.search(n) and not n.endswith((":", "/"))):
        try:
            environment = environment_of(f"module load {name}")
        except DunlinError:
            continue
        if "PATH" in environment and (found := in_path_of(environment, f"module {name}")):
            yield found


def candidates(at: Iterable[Path], *, everywhere: bool = True) -> list[Candidate]:
    """All of them, the first of those that are the same file."""
    near = [Path(directory).resolve() for directory in at]
    sources: list[Callable[[], Iterable[Candidate]]] = [
        lambda: prefixes(near), lambda: environments(near),
    ]  # fmt: skip
    if everywhere:
        sources += [on_path, by_variables, debian, spack, modules]
    found: dict[Path, Candidate] = {}
    for source in sources:
        for candidate in source():
            found.setdefault(candidate.mpicc.resolve(), candidate)
    return list(found.values())


def probe(candidate: Candidate, name: str = "") -> Library:
    """Asks a library what it is. What went wrong becomes its `fault`."""
    library = Library(
        name or "unknown", candidate.mpicc, candidate.launcher, source=candidate.source,
        environment=candidate.environment,
    )  # fmt: skip
    try:
        # Which library it is decides where its program is kept, and the program says which: so
        # this one is not kept.
        source = programs.sources() / "identify.c"
        with tempfile.TemporaryDirectory(prefix="dunlin-") as directory:
            program = programs.compiled(source, library, Path(directory))
            said = _run_probe(library, program)
    except DunlinError as error:
        return replace(library, fault=str(error))
    vendor, version = identify(said["text"])
    known = replace(library, name=name or vendor, vendor=vendor, version=version, text=said["text"])
    if said["ranks"] != PROBE_RANKS:
        fault = f"{PROBE_RANKS} ranks were asked for; each believes to be 1 of {said['ranks']}"
        return replace(known, fault=fault)
    return known


def _environment_to_run(library: Library) -> dict[str, str]:
    # Before it is known what it is: what Open MPI needs does no harm to others.
    guess = replace(library, vendor="openmpi") if library.family == PLAIN else library
    return necessary_environment(guess, bound_by_program=False)


def _run_probe(library: Library, program: Path) -> dict[str, Any]:
    command = [str(library.launcher), "-n", str(PROBE_RANKS), str(program)]
    ended = execution.execute(command, _environment_to_run(library), PROBE_TIMEOUT_S)
    if ended.exit_code is None:
        raise DunlinError(f"two ranks did not end within {PROBE_TIMEOUT_S} s")
    lines = [line for line in ended.out.splitlines() if line.startswith("{")]
    if ended.exit_code != 0 or not lines:
        raise DunlinError(f"two ranks ended with {ended.exit_code}: {ended.detail}")
    try:
        said: dict[str, Any] = json.loads(lines[0])
    except (ValueError, RecursionError):
        raise DunlinError(f"two ranks said `{lines[0][:80]}`, which is cut off") from None
    return said


def named(found: list[Library]) -> list[Library]:
    """Each under a name of its own: a second MPICH is `mpich-5.0.1`, and a third of that version
    `mpich-5.0.1-2`."""
    taken: set[str] = set()
    result = []
    for library in found:
        choices = [library.name, f"{library.name}-{library.version}"]
        choices += [f"{choices[1]}-{i}" for i in range(2, len(found) + 2)]
        name = next(choice for choice in choices if choice not in taken)
        taken.add(name)
        result.append(replace(library, name=name))
    return result


def default_places() -> list[Path]:
    """In a checkout: what `make build` and `make bench-peers` leave."""
    return [p for p in (checkout.PREFIX, checkout.ROOT / "build" / "peers") if p.exists()]


def find(at: Iterable[Path] = (), *, everywhere: bool = True) -> list[Library]:
    """Every library that is there, usable or not."""
    places = [*at, *default_places()]
    return named([probe(c) for c in candidates(places, everywhere=everywhere)])


def dunlin(at: Iterable[Path] = ()) -> Library:
    """The first Dunlin that is found, below the directories if some are named."""
    places = [place.resolve() for place in at]
    libraries = [found for found in find(places) if found.vendor == DUNLIN]
    if places:
        there = [x for x in libraries if any(x.launcher.is_relative_to(at) for at in places)]
        if libraries and not there:
            names = ", ".join(map(str, places))
            raise DunlinError(f"--at: there is no Dunlin in {names}, but {libraries[0].launcher}")
        libraries = there
    library = next(iter(libraries), None)
    if library is None:
        raise DunlinError("Dunlin's mpirun was not found; name its directory with --at")
    return library
