"""What the ranks of a launch that does not end are doing: their stacks, as good as this machine
gives them. Processes are known by a mark in their environment, whoever started them."""

import contextlib
import os
import shutil
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
DEBUGGER_TIMEOUT_S = 30
ENDING_S = 5.0
POLL_S = 0.05
# A stack that is longer repeats itself; the top of it says where it waits.
STACK_CHARACTERS_MAX = 20_000


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


def processes(run_id: str) -> list[Process]:
    """All of a launch that are on this machine."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            environment = _environment(int(entry.name))
            if environment.get(MARK) == run_id:
                found.append(Process(int(entry.name), environment))
    return sorted(found, key=lambda process: process.pid)


def marked() -> set[str]:
    """The launches of which there is a process on this machine."""
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


def end_processes(run_id: str) -> int:
    """Ends what is left of a launch whose runner is gone; returns how many processes it was."""
    left = processes(run_id)
    for process in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    return len(left)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError as error:
        return f"({error.strerror})"


def _kernel_view(pid: int) -> str:
    """Where the kernel has it: always there, though it says nothing of the program's own calls."""
    wanted = ("Name", "State", "VmRSS", "Threads", "Cpus_allowed_list", "voluntary_ctxt_switches")
    status = [line for line in _read(f"/proc/{pid}/status").splitlines() if line.startswith(wanted)]
    parts = [*status, f"wchan: {_read(f'/proc/{pid}/wchan')}"]
    parts += [f"syscall: {_read(f'/proc/{pid}/syscall')}", f"stack:\n{_read(f'/proc/{pid}/stack')}"]
    return "\n".join(parts)


def _debugger(pid: int, executable: Path | None) -> list[str] | None:
    if executable and executable.name.startswith("python") and shutil.which("py-spy"):
        return ["py-spy", "dump", "--pid", str(pid), "--native"]
    if shutil.which("gdb"):
        return [
            "gdb", "-p", str(pid), "-batch", "-nx", "-ex", "set pagination off", "-ex",
            "thread apply all backtrace 40",
        ]  # fmt: skip
    return None


def _by_debugger(process: Process) -> str | None:
    command = _debugger(process.pid, process.executable)
    if command is None:
        return None
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False,
            timeout=DEBUGGER_TIMEOUT_S, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith(("Thread ", "#0"))), None)
    return None if first is None else "\n".join(lines[first:])


def stack_of(process: Process) -> str:
    """A debugger's view of a process, or else the kernel's."""
    seen = _by_debugger(process)
    kernel = _kernel_view(process.pid)
    text = kernel if seen is None else f"{seen}\n\n{kernel}"
    return text[:STACK_CHARACTERS_MAX]


def stacks(run_id: str, program: Path) -> dict[str, str]:
    """The stacks of all ranks that are on this machine, by rank."""
    found = {}
    for process in processes(run_id):
        if process.rank is not None and _runs(process, program):
            found[str(process.rank)] = stack_of(process)
    return dict(sorted(found.items(), key=lambda item: int(item[0])))


def _runs(process: Process, program: Path) -> bool:
    """A rank itself, and not a shell or a proxy that has its number."""
    executable = process.executable
    if executable is None or executable.name == program.name:
        return executable is not None
    # A program in Python is its interpreter's first or, after an option, second word.
    try:
        words = Path(f"/proc/{process.pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return executable.name.startswith("python") and os.fsencode(program) in words[:3]


def end(child: subprocess.Popen[bytes], run_id: str) -> None:
    """Ends a launch and everything that it started, first with a word and then without."""
    # Its session is its own. Once it has been waited for, its number may be another's.
    session = _members(child.pid) if child.poll() is None else set()
    for number in (signal.SIGTERM, signal.SIGKILL):
        _signal_all(child, _left(run_id, child.pid, session), number)
        until = time.monotonic() + ENDING_S
        while time.monotonic() < until:
            if child.poll() is not None and not _left(run_id, child.pid, session):
                return
            time.sleep(POLL_S)
    if left := _left(run_id, child.pid, session):
        print(f"dunlin: processes that could not be ended: {sorted(left)}", file=sys.stderr)


def _left(run_id: str, session: int, members: set[int]) -> set[int]:
    """What there still is of a launch: by its mark, or because it was in its session."""
    unmarked = {pid for pid in members if pid != session and _session(pid) == session}
    return unmarked | {process.pid for process in processes(run_id)}


def _signal_all(child: subprocess.Popen[bytes], left: set[int], number: signal.Signals) -> None:
    targets = {child.pid} if child.poll() is None else set()
    # The launcher alone first: a good one ends its ranks, also those on other machines.
    if number == signal.SIGKILL:
        targets |= left
    for pid in targets:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
