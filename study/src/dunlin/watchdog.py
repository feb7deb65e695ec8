"""The processes of a launch, and their end. They are known by a mark in their environment, whoever
started them."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

# In the environment of everything a launch starts.
MARK = "STUDY_RUN_ID"
# Where each launcher tells a rank its number. Dunlin's mpirun removes the first two: where they
# are, one of these launchers was started within a rank of it.
RANK_VARIABLES = [
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "DUNLIN_JOB_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
    "SLURM_PROCID",
]  # fmt: skip
ENDING_S = 5.0
POLL_S = 0.05


def mark_of(run_id: str, directory: Path) -> str:
    """A copy of a study has launches of the same names: only those of the same directory are ours
    to end."""
    return f"{run_id}@{directory}"


@dataclass(frozen=True)
class Process:
    """A process of a launch."""

    pid: int
    environment: Mapping[str, str]

    @property
    def rank(self) -> int | None:
        """In the job; None for launchers and helpers."""
        for name in RANK_VARIABLES:
            if self.environment.get(name, "").isdigit():
                return int(self.environment[name])
        return None

    @property
    def executable(self) -> Path | None:
        """What it runs."""
        with contextlib.suppress(psutil.Error):
            return Path(psutil.Process(self.pid).exe())
        return None


def words_of(pid: int) -> list[str]:
    """What a process was started with; nothing if it has ended."""
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).cmdline()
    return []


def environment_of(process: psutil.Process) -> dict[str, str]:
    """As far as it may be seen."""
    # What a process writes over its environment need not look like one.
    with contextlib.suppress(psutil.Error, OSError, ValueError):
        return process.environ()
    return {}


def _everyone() -> list[Process]:
    others = (process for process in psutil.process_iter() if process.pid != os.getpid())
    return [Process(process.pid, environment_of(process)) for process in others]


def processes(mark: str) -> list[Process]:
    """All of a launch that are on this machine."""
    return [process for process in _everyone() if process.environment.get(MARK) == mark]


def marked() -> set[str]:
    """The marks of all launches of which there is a process on this machine."""
    return {process.environment[MARK] for process in _everyone() if MARK in process.environment}


def session_of(pid: int) -> int | None:
    """Of which session a process is; None if it has ended, waited for or not."""
    with contextlib.suppress(psutil.Error, OSError):
        if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
            return os.getsid(pid)
    return None


def end_processes(mark: str) -> int:
    """Ends what is left of a launch whose runner is gone; returns how many processes it was."""
    left = processes(mark)
    for process in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    return len(left)


def end(child: subprocess.Popen[bytes], mark: str) -> int:
    """Ends a launch and everything that it started, first with a word and then without; returns how
    many processes did not end by themselves, nor when they were asked."""
    # Its session is its own. Once it has been waited for, its number may be another's; those who
    # have shed their environment are known by it.
    alone = child.poll() is None
    session = {pid for pid in psutil.pids() if alone and session_of(pid) == child.pid}
    stubborn = 0
    for number in (signal.SIGTERM, signal.SIGKILL):
        left = _left(mark, child.pid, session)
        targets = {child.pid} if child.poll() is None else set()
        # The launcher alone first: a good one ends its ranks, also those on other machines.
        if number == signal.SIGKILL:
            targets |= left
            stubborn = len(targets)
        for pid in targets:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        until = time.monotonic() + ENDING_S
        while time.monotonic() < until:
            if child.poll() is not None and not _left(mark, child.pid, session):
                return stubborn
            time.sleep(POLL_S)
    if left := _left(mark, child.pid, session):
        print(f"dunlin: processes that could not be ended: {sorted(left)}", file=sys.stderr)
    return stubborn


def _left(mark: str, session: int, members: set[int]) -> set[int]:
    """What there still is of a launch: by its mark, or because it was in its session."""
    unmarked = {pid for pid in members if pid != session and session_of(pid) == session}
    return unmarked | {process.pid for process in processes(mark)}


if __name__ == "__main__":
    end_processes(sys.argv[1])
