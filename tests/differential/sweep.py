"""Runs the cases of a program, also those that end or hang it: after such a case a new process
continues with the next one."""

import signal
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from dunlin import execution

# Each case has an alarm of its own; this is for a library that cannot even start or end.
STUCK_S = 120


@dataclass
class Program:
    """A built program of cases: how it is started, and the environment its library wants."""

    path: Path
    launch: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)

    def names(self) -> list[str]:
        """What its cases are called."""
        return execution.call([self.path, "--list"], self.environment).splitlines()

    def start(self, record: Path, first: int, last: int) -> int | None:
        """Runs cases; the exit status, or none if it had to be killed."""
        command = [*self.launch, str(self.path), str(record), str(first), str(last)]
        return execution.execute(command, self.environment, STUCK_S).exit_code


def ending(status: int | None) -> str:
    """What the end of a process in the middle of a case is called."""
    if status is None:
        return "hangs"
    number = -status if status < 0 else status - 128
    if number == signal.SIGALRM:
        return "hangs"
    if status < 0 or status > 128:
        try:
            return f"crashes ({signal.Signals(number).name})"
        except ValueError:
            pass
    return "ends the process"


@dataclass
class Record:
    """What a process wrote down."""

    outcomes: dict[int, str]
    open_case: int | None  # begun, not ended
    finished: bool


def read(path: Path) -> Record:
    """Reads the lines that `fixture.h` explains."""
    found = Record({}, None, False)
    text = path.read_text(errors="replace") if path.exists() else ""
    for line in text.splitlines():
        word, *rest = line.split("\t")
        if word == "B":
            found.open_case = int(rest[0])
        elif word == "E":
            found.outcomes[int(rest[0])] = rest[1]
            found.open_case = None
        elif word == "F":
            found.finished = True
    return found


def sweep(program: Program, first: int, last: int) -> dict[int, str]:
    """The outcomes of the cases from `first` to `last`, by number."""
    outcomes: dict[int, str] = {}
    while first <= last:
        with tempfile.TemporaryDirectory(prefix="differential-") as directory:
            path = Path(directory) / "record"
            status = program.start(path, first, last)
            record = read(path)
        outcomes.update(record.outcomes)
        if record.finished:
            break
        if record.open_case is not None:
            outcomes[record.open_case] = ending(status)
            first = record.open_case + 1
        elif record.outcomes:
            # It ended while it cleaned up, after the case that was to blame.
            culprit = max(record.outcomes)
            outcomes[culprit] = f"{record.outcomes[culprit]}; afterwards {ending(status)}"
            first = culprit + 1
        else:
            raise RuntimeError(f"{program.path} did not start: status {status}")
    return outcomes


def alone(program: Program, number: int) -> str:
    """The outcome of one case in a process of its own."""
    return sweep(program, number, number)[number]
