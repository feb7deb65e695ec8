"""A launch of the benchmark of collective operations (`collective.c`) in which one operation runs
as it is told: by an algorithm, by a table of rules, or as Dunlin chooses by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dunlin import execution, programs
from dunlin.errors import DunlinError
from dunlin.libraries import Library, command

BUDGET_MS = 20
TIMEOUT_S = 60
ERROR_CHARACTERS = 200


def forced(operation: str, algorithm: str) -> dict[str, str]:
    """The setting by which an operation runs by an algorithm."""
    return {"DUNLIN_COLL_ALGORITHM": f"{operation}={algorithm}"}


@dataclass(frozen=True)
class Launch:
    """One operation on one job, all sizes. `program` is `collective.c`, compiled."""

    library: Library
    program: Path
    nodes: int
    ppn: int
    operation: str
    sizes: Sequence[int]
    settings: Mapping[str, str]
    budget_ms: int = BUDGET_MS

    def run(self) -> dict[int, float]:
        """Microseconds to completion by size."""
        sizes = ",".join(map(str, self.sizes))
        words = command(
            self.library, self.nodes * self.ppn, self.program, "--op", self.operation,
            "--sizes", sizes, "--budget", self.budget_ms, "--completion", "--pin", "--json",
            nodes=self.nodes,
        )  # fmt: skip
        environment = {**self.library.environment, **self.settings}
        ended = execution.execute(words, environment, TIMEOUT_S)
        if ended.exit_code is None:
            raise DunlinError(f"did not end within {TIMEOUT_S} s")
        if ended.exit_code != 0:
            why = ended.detail[:ERROR_CHARACTERS]
            raise DunlinError(f"ended with {ended.exit_code}: {why}")
        found = {row["bytes"]: row["complete_us"] for row in execution.rows_of(ended.out)}
        if missing := set(self.sizes) - set(found):
            raise DunlinError(f"printed no time of {sorted(missing)} bytes")
        return found


def program(library: Library, directory: Path | None = None) -> Path:
    """`collective.c`, compiled for a library: into a directory, or where all programs are kept."""
    return programs.compiled(programs.sources() / "collective.c", library, directory)
