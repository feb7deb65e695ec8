"""From a library's table in the study file to the library itself, on the machine that measures."""

import shlex
from dataclasses import replace
from pathlib import Path

from dunlin import discover
from dunlin.discover import Candidate
from dunlin.errors import DunlinError
from dunlin.libraries import Library
from dunlin.studyfile import LibraryTable, Study


def _candidate(table: LibraryTable, key: str, file: Path) -> Candidate | None:
    """What the table says; None if it leaves the search to us."""
    environment: dict[str, str] = {}
    if table.modules or table.setup:
        lines = [f"module load {shlex.quote(name)}" for name in table.modules]
        environment = discover.environment_of("\n".join([*lines, *table.setup]))
    if table.mpicc and table.mpirun:
        return Candidate(table.mpicc, table.mpirun, "study file", environment)
    found = None
    if table.prefix:
        found = discover.pair_in((file.parent / table.prefix).resolve() / "bin", "study file")
        if found is None:
            raise DunlinError(f"{table.prefix}/bin has no mpicc with mpiexec or mpirun", file=file,
                              key=f"{key}.prefix")  # fmt: skip
    elif environment:
        found = discover.in_path_of(environment, "study file")
        if found is None:
            raise DunlinError("its modules bring no mpicc with mpiexec or mpirun", file=file,
                              key=f"{key}.modules")  # fmt: skip
    return found and replace(found, environment=found.environment | environment)


def _finish(library: Library, table: LibraryTable) -> Library:
    launch = tuple(shlex.split(table.launch)) if table.launch else ()
    return replace(library, launch=launch, environment={**library.environment, **table.environment})


def libraries_of(study: Study, file: Path, wanted: set[str]) -> dict[str, Library]:
    """All libraries that are wanted, each of which has run two ranks here."""
    resolved: dict[str, Library] = {}
    searched: list[Library] | None = None
    for name in sorted(wanted):
        table, key = study.libraries[name], f"libraries.{name}"
        candidate = _candidate(table, key, file)
        if candidate is not None:
            library = discover.probe(candidate, name)
        else:
            searched = discover.find() if searched is None else searched
            library = _by_name(searched, name, key, file)
        if library.fault and not table.launch:
            raise DunlinError(f"it does not run: {library.fault}", file=file, key=key)
        resolved[name] = _finish(library, table)
    return resolved


def _by_name(found: list[Library], name: str, key: str, file: Path) -> Library:
    for library in found:
        if library.name == name:
            return library
    known = ", ".join(library.name for library in found) or "none"
    raise DunlinError(f"no library of that name is on this machine (there are: {known}); give its "
                      "`prefix`, or `modules`", file=file, key=key)  # fmt: skip
