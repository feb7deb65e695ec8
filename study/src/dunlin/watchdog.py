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

# In the environment of everything a launch starts.
MARK = "STUDY_RUN_ID"
# Where each launcher tells a rank its number.
RANK_VARIABLES = [
    "DUNLIN_JOB_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
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
        try:
            return Path(f"/proc/{self.pid}/exe").readlink()
        except OSError:
            return None


def _environment(pid: int) -> dict[str, str]:
    try:
        raw = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return {}
    entries = raw.decode(errors="surrogateescape").split("\0")
    return dict(entry.split("=", 1) for entry in entries if "=" in entry)


def processes(mark: str) -> list[Process]:
    """All of a launch that are on this machine."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            environment = _environment(int(entry.name))
            if environment.get(MARK) == mark:
                found.append(Process(int(entry.name), environment))
    return sorted(found, key=lambda process: process.pid)


def marked() -> set[str]:
    """The marks of all launches of which there is a process on this machine."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return {mark for pid in pids if (mark := _environment(pid).get(MARK))}


def _session(pid: int) -> int | None:
    """Of which session a process is; None if it has ended, waited for or not."""
    try:
        # The name, in parentheses, may hold anything; what follows it are numbers.
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return None if fields[0] == b"Z" else int(fields[3])
    except (OSError, IndexError):
        return None


def _members(session: int) -> set[int]:
    """The processes of a session on this machine, also those that shed their environment."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return {pid for pid in pids if _session(pid) == session}


def end_processes(mark: str) -> int:
    """Ends what is left of a launch whose runner is gone; returns how many processes it was."""
    left = processes(mark)
    for process in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    return len(left)


def end(child: subprocess.Popen[bytes], mark: str) -> None:
    """Ends a launch and everything that it started, first with a word and then without."""
    # Its session is its own. Once it has been waited for, its number may be another's.
    session = _members(child.pid) if child.poll() is None else set()
    for number in (signal.SIGTERM, signal.SIGKILL):
        _signal_all(child, _left(mark, child.pid, session), number)
        until = time.monotonic() + ENDING_S
        while time.monotonic() < until:
            if child.poll() is not None and not _left(mark, child.pid, session):
                return
            time.sleep(POLL_S)
    if left := _left(mark, child.pid, session):
        print(f"dunlin: processes that could not be ended: {sorted(left)}", file=sys.stderr)


def _left(mark: str, session: int, members: set[int]) -> set[int]:
    """What there still is of a launch: by its mark, or because it was in its session."""
    unmarked = {pid for pid in members if pid != session and _session(pid) == session}
    return unmarked | {process.pid for process in processes(mark)}


def _signal_all(child: subprocess.Popen[bytes], left: set[int], number: signal.Signals) -> None:
    targets = {child.pid} if child.poll() is None else set()
    # The launcher alone first: a good one ends its ranks, also those on other machines.
    if number == signal.SIGKILL:
        targets |= left
    for pid in targets:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


if __name__ == "__main__":
    end_processes(sys.argv[1])
