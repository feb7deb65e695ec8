"""Slurm: sbatch, squeue, scontrol."""

import os
import subprocess
from pathlib import Path

from dunlin.backends.batch import needs
from dunlin.errors import DunlinError

COMMAND_TIMEOUT_S = 60


def call(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Asks the batch system, which may be slow but not for ever."""
    try:
        return subprocess.run(
            command, text=True, capture_output=True, check=False, timeout=COMMAND_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise DunlinError(
            f"`{' '.join(command)}` did not answer within {COMMAND_TIMEOUT_S} s"
        ) from None


def answer(command: list[str]) -> str:
    """The output of a command that must not fail."""
    done = call(command)
    if done.returncode != 0:
        detail = " ".join((done.stderr + done.stdout).split())
        raise DunlinError(f"`{' '.join(command)}` ended with {done.returncode}: {detail}")
    return done.stdout


class Slurm:
    """The backend."""

    name = "slurm"
    template = "slurm.sh.j2"

    def submit(self, script: Path, log: Path) -> str:
        """`--parsable` prints the number, and after a `;` the cluster."""
        out = answer([needs("sbatch"), "--parsable", "--output", str(log), str(script)])
        return out.strip().split(";")[0]

    def alive(self, ids: list[str]) -> set[str]:
        """Squeue lists what waits, runs or is just ending."""
        if not ids:
            return set()
        done = call([needs("squeue"), "--noheader", "--format=%i", "--me"])
        if done.returncode != 0:
            detail = " ".join(done.stderr.split())
            raise DunlinError(f"squeue does not answer: {detail}; nothing is submitted, because "
                              "jobs may still be alive")  # fmt: skip
        return set(done.stdout.split()) & set(ids)

    def hosts(self) -> tuple[str, ...]:
        """Scontrol writes the compressed list out."""
        nodes = os.environ.get("SLURM_JOB_NODELIST")
        if not nodes:
            raise DunlinError("SLURM_JOB_NODELIST is not set; this is no job of Slurm")
        return tuple(answer([needs("scontrol"), "show", "hostnames", nodes]).split())
