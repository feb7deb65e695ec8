"""What the ranks of a launch that does not end are doing: their stacks, as good as a machine gives
them. `python -m dunlin.stacks MARK PROGRAM DIRECTORY` leaves those of its machine in a file."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dunlin import machine, watchdog
from dunlin.files import write_whole
from dunlin.watchdog import Process

DEBUGGER_TIMEOUT_S = 30.0
# For all ranks of a machine: what comes later has the kernel's view only.
ALL_TIMEOUT_S = 60.0
# A debugger reads symbols, which takes a core; the ranks wait meanwhile.
DEBUGGERS_AT_ONCE_LEAST, DEBUGGERS_AT_ONCE_MOST = 4, 32
# A stack that is longer repeats itself; the top of it says where it waits.
STACK_CHARACTERS_MAX = 20_000
# Symbols are not fetched from the network: that takes minutes, and nodes may have none.
QUIET = {"DEBUGINFOD_URLS": ""}


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


def _by_debugger(process: Process, until: float) -> str | None:
    command = _debugger(process.pid, process.executable)
    if command is None:
        return None
    limit = min(DEBUGGER_TIMEOUT_S, until - time.monotonic())
    if limit <= 0:
        return f"(no debugger: the {ALL_TIMEOUT_S:g} s for all ranks were used up)"
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, timeout=limit,
            stdin=subprocess.DEVNULL, env={**os.environ, **QUIET},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"({command[0]} did not end within {limit:.0f} s)"
    except OSError:
        return None
    lines = done.stdout.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith(("Thread ", "#0"))), None)
    return None if first is None else "\n".join(lines[first:])


def _stack_of(process: Process, until: float) -> str:
    """A debugger's view of a process, or else the kernel's."""
    kernel = _kernel_view(process.pid)
    seen = _by_debugger(process, until)
    text = kernel if seen is None else f"{seen}\n\n{kernel}"
    return text[:STACK_CHARACTERS_MAX]


def _runs(process: Process, program: Path) -> bool:
    """A rank itself, and not a shell or a proxy that has its number."""
    executable = process.executable
    if executable is None or executable.name == program.name:
        return executable is not None
    # A program in Python is its interpreter's first or, after an option, second word.
    return (
        executable.name.startswith("python") and str(program) in watchdog.words_of(process.pid)[:3]
    )


def here(mark: str, program: Path) -> dict[str, str]:
    """The stacks of all ranks that are on this machine, by rank."""
    ranks = {
        process.rank: process
        for process in watchdog.processes(mark)
        if process.rank is not None and _runs(process, program)
    }
    in_order = [ranks[rank] for rank in sorted(ranks)]
    until = time.monotonic() + ALL_TIMEOUT_S
    many = min(DEBUGGERS_AT_ONCE_MOST, max(DEBUGGERS_AT_ONCE_LEAST, machine.usable_cores()))
    with ThreadPoolExecutor(many) as pool:
        texts = pool.map(lambda process: _stack_of(process, until), in_order)
        return {str(p.rank): text for p, text in zip(in_order, texts, strict=True)}


def left_in(directory: Path) -> dict[str, str]:
    """What machines have left there."""
    found: dict[str, str] = {}
    for file in directory.glob("*.json"):
        try:
            found |= json.loads(file.read_text(encoding="utf-8"))
        except (ValueError, TypeError):
            continue  # Cut off, with the machine that wrote it.
    return found


if __name__ == "__main__":
    taken = here(sys.argv[1], Path(sys.argv[2]))
    write_whole(Path(sys.argv[3]) / f"{socket.gethostname()}-{os.getpid()}.json", json.dumps(taken))
