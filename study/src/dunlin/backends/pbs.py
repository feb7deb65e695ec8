"""PBS in its two dialects, Pro (OpenPBS) and Torque: qsub, qstat, $PBS_NODEFILE."""

import os
import re
from pathlib import Path

from dunlin.backends.batch import SilentError, needs
from dunlin.backends.slurm import answer, call
from dunlin.errors import DunlinError
from dunlin.files import read_text

NODEFILE = "PBS_NODEFILE"
# States of jobs that are over: F in PBS Pro (shown where history is kept), C in Torque; X is a
# finished subjob.
OVER = {"F", "C", "X"}


def _number(id_: str) -> str:
    """Without the server, which commands call by different names."""
    return id_.partition(".")[0]


def _states(text: str) -> dict[str, str]:
    """By number, from what `qstat -f` says of several jobs."""
    found: dict[str, str] = {}
    job = ""
    for line in text.splitlines():
        if line.startswith("Job Id:"):
            job = _number(line.partition(":")[2].strip())
        name, _, value = line.partition("=")
        if name.strip() == "job_state":
            found[job] = value.strip()
    return found


class Pbs:
    """The backend."""

    name = "pbs"

    def __init__(self, dialect: str = "pro"):
        self.template = f"pbs-{dialect}.sh.j2"

    def check(self) -> None:
        """Is there what submits?"""
        needs("qsub")

    def submit(self, script: Path, log: Path, tag: str) -> str:
        """Options stand in the script; qsub prints the number with the server's name. It is called
        where the output is to be: PBS then needs no path, in which it would trip over spaces."""
        lines = answer([needs("qsub"), "-N", tag, str(script)], log.parent).split()
        if not lines:
            raise DunlinError(f"qsub {script} printed no job number")
        return lines[-1]

    def find(self, tag: str) -> str | None:
        """By its name, among those that are not over."""
        found = answer([needs("qselect"), "-N", tag]).split()
        return min(self.alive(found), default=None)

    def alive(self, ids: list[str]) -> set[str]:
        """Qstat forgets jobs that are over, or shows them as such. All are asked for at once: a
        server is not there for one user alone."""
        if not ids:
            return set()
        done = call([needs("qstat"), "-f", *ids])
        states = _states(done.stdout)
        said = [line.lower() for line in done.stderr.splitlines()]
        for id_ in ids:
            own = [line for line in said if _number(id_) in re.findall(r"\d+", line)]
            over = any("unknown job" in line or "has finished" in line for line in own)
            if _number(id_) not in states and not over:
                detail = " ".join(done.stderr.split())
                raise SilentError(f"qstat does not tell the state of {id_}: {detail}; nothing is "
                             "submitted, because jobs may still be alive")  # fmt: skip
        return {id_ for id_ in ids if states.get(_number(id_), "F") not in OVER}

    def hosts(self) -> tuple[str, ...]:
        """PBS gives no count of nodes or ranks, only a file with a line for each slot."""
        path = os.environ.get(NODEFILE)
        if not path:
            raise DunlinError(f"{NODEFILE} is not set; this is no job of PBS")
        try:
            lines = read_text(Path(path)).split()
        except FileNotFoundError:
            raise DunlinError(f"{NODEFILE} cannot be read: no such file", file=path) from None
        return tuple(dict.fromkeys(lines))
