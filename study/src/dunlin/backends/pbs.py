"""PBS in its two dialects, Pro (OpenPBS) and Torque: qsub, qstat, $PBS_NODEFILE."""

import os
from pathlib import Path

from dunlin.backends.batch import needs
from dunlin.backends.slurm import answer, call
from dunlin.errors import DunlinError

NODEFILE = "PBS_NODEFILE"
# States of jobs that are over: F in PBS Pro (shown where history is kept), C in Torque; X is a
# finished subjob.
OVER = {"F", "C", "X"}


class Pbs:
    """The backend."""

    name = "pbs"

    def __init__(self, dialect: str = "pro"):
        self.template = f"pbs-{dialect}.sh.j2"

    def submit(self, script: Path, log: Path) -> str:
        """Options stand in the script; qsub prints the number with the server's name."""
        lines = answer([needs("qsub"), str(script)]).split()
        if not lines:
            raise DunlinError(f"qsub {script} printed no job number")
        return lines[-1]

    def alive(self, ids: list[str]) -> set[str]:
        """Qstat forgets jobs that are over, or shows them as such."""
        return {id_ for id_ in ids if self._state(id_) not in OVER}

    def _state(self, id_: str) -> str:
        done = call([needs("qstat"), "-f", id_])
        for line in done.stdout.splitlines():
            name, _, value = line.partition("=")
            if name.strip() == "job_state":
                return value.strip()
        said = done.stderr.lower()
        if "unknown job" in said or "has finished" in said:
            return "F"
        detail = " ".join(done.stderr.split())
        raise DunlinError(f"qstat does not tell the state of {id_}: {detail}; nothing is "
                          "submitted, because jobs may still be alive")  # fmt: skip

    def hosts(self) -> tuple[str, ...]:
        """PBS gives no count of nodes or ranks, only a file with a line for each slot."""
        path = os.environ.get(NODEFILE)
        if not path:
            raise DunlinError(f"{NODEFILE} is not set; this is no job of PBS")
        try:
            lines = Path(path).read_text(encoding="utf-8").split()
        except OSError as error:
            raise DunlinError(f"{NODEFILE} cannot be read: {error.strerror}", file=path) from None
        return tuple(dict.fromkeys(lines))
