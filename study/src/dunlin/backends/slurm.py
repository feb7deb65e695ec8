"""Slurm: sbatch, squeue, scontrol."""

import os
import re
import subprocess
from collections import defaultdict
from pathlib import Path

from dunlin.backends.batch import SilentError, needs
from dunlin.errors import DunlinError

COMMAND_TIMEOUT_S = 60
# How a study's options send jobs to other clusters than that of the machine they are made on.
CLUSTERS = re.compile(r"(?:--clusters?[= ]|-M ?)(\S+)")


def call(command: list[str], at: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Asks the batch system, which may be slow but not for ever."""
    try:
        return subprocess.run(
            command, text=True, capture_output=True, check=False, timeout=COMMAND_TIMEOUT_S,
            stdin=subprocess.DEVNULL, cwd=at,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        told = " ".join(command)
        raise SilentError(f"`{told}` did not answer within {COMMAND_TIMEOUT_S} s") from None


def answer(command: list[str], at: Path | None = None) -> str:
    """The output of a command that must not fail."""
    done = call(command, at)
    if done.returncode != 0:
        detail = " ".join((done.stderr + done.stdout).split())
        raise DunlinError(f"`{' '.join(command)}` ended with {done.returncode}: {detail}")
    return done.stdout


class Slurm:
    """The backend. A job's number is `123`, or `123;cluster` where sbatch says a cluster: asked
    for without it, another cluster's Slurm would know nothing of the job."""

    name = "slurm"
    template = "slurm.sh.j2"

    def __init__(self, options: list[str] | None = None):
        named = (CLUSTERS.match(option) for option in options or [])
        self.clusters = next((match[1] for match in named if match), "")

    def check(self) -> None:
        """Is there what submits?"""
        needs("sbatch")

    def submit(self, script: Path, log: Path, tag: str) -> str:
        """`--parsable` prints the number, and after a `;` the cluster."""
        # In the name of an output file % begins what Slurm fills in.
        out = ["--output", str(log).replace("%", "%%")]
        return answer([needs("sbatch"), "--parsable", "--job-name", tag, *out, str(script)]).strip()

    def find(self, tag: str) -> str | None:
        """By its name."""
        for cluster in self.clusters.split(","):
            if found := self._queue(cluster, "--name", tag):
                return f"{min(found)};{cluster}" if cluster else min(found)
        return None

    def alive(self, ids: list[str]) -> set[str]:
        """Squeue lists what waits, runs or is just ending."""
        by_cluster: dict[str, list[str]] = defaultdict(list)
        for id_ in ids:
            by_cluster[id_.partition(";")[2]].append(id_)
        return {
            id_ for cluster, own in by_cluster.items() for listed in [self._queue(cluster)]
            for id_ in own if id_.partition(";")[0] in listed
        }  # fmt: skip

    def _queue(self, cluster: str, *words: str) -> set[str]:
        """The numbers of this user's jobs."""
        where = ["--clusters", cluster] if cluster else []
        done = call([needs("squeue"), "--noheader", "--format=%i", "--me", *where, *words])
        if done.returncode != 0:
            detail = " ".join(done.stderr.split())
            raise SilentError(f"squeue does not answer: {detail}; nothing is submitted, because "
                              "jobs may still be alive")  # fmt: skip
        return set(done.stdout.split())

    def hosts(self) -> tuple[str, ...]:
        """Scontrol writes the compressed list out."""
        nodes = os.environ.get("SLURM_JOB_NODELIST")
        if not nodes:
            raise DunlinError("SLURM_JOB_NODELIST is not set; this is no job of Slurm")
        return tuple(answer([needs("scontrol"), "show", "hostnames", nodes]).split())
