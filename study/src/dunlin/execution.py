"""A command from its start to its end: what it printed, how it ended, and nothing left of it."""

import json
import os
import select
import signal
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from dunlin import watchdog
from dunlin.errors import DunlinError

CALL_LIMIT_S = 120
ASK_LIMIT_S = 30
DETAIL_CHARACTERS = 400
INTERRUPTING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Ended:
    """How a command's processes came to their end."""

    seconds: float
    exit_code: int | None  # None: it did not end by itself
    out: str
    error: str
    left: int = 0  # processes that it left behind, or that had to be killed

    @property
    def detail(self) -> str:
        """The end of what it said, on one line."""
        return " ".join((self.error + self.out).split())[-DETAIL_CHARACTERS:]


def execute(
    command: Sequence[object], environment: Mapping[str, str], limit_s: float, *,
    mark: str = "", at: Path | None = None, into: IO[bytes] | None = None, together: bool = False,
    before: Callable[[], None] | None = None, at_limit: Callable[[], None] | None = None,
) -> Ended:  # fmt: skip
    """Runs it, and ends all that it started, known by a mark. `environment` is added to our own.
    Output goes to files (to `into`, if there is one; with the errors, if `together`): a pipe that a
    left-over process holds open would never end. `before` is called in the child, `at_limit` before
    what takes too long is ended."""
    words = [str(word) for word in command]
    mark = mark or uuid.uuid4().hex
    code, left = None, 0
    with ExitStack() as stack:
        out, error = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        child: subprocess.Popen[bytes] | None = None
        began = time.monotonic()
        try:
            with _uninterrupted():
                child = _started(
                    words, cwd=at, env={**os.environ, **environment, watchdog.MARK: mark},
                    stdin=subprocess.DEVNULL, stdout=into or out,
                    stderr=subprocess.STDOUT if together else error, start_new_session=True,
                    preexec_fn=before,
                )  # fmt: skip
            code = _wait(child, limit_s)
            seconds = time.monotonic() - began
        except subprocess.TimeoutExpired:
            seconds = time.monotonic() - began
            if at_limit is not None:
                at_limit()
        finally:
            if child is not None:
                left = watchdog.end(child, mark)
        return Ended(seconds, code, _content(out), _content(error), left)


def _started(words: Sequence[str], **how: Any) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(words, **how)
    except OSError as failure:
        raise DunlinError(f"`{words[0]}` cannot be started: {failure.strerror}") from None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Inside, signals wait that this program handles: one that came between a process's start and
    the moment from which we know it would leave it behind."""
    if threading.current_thread() is not threading.main_thread():
        yield  # handlers run in the main thread alone
        return
    came: list[int] = []
    handlers = {number: signal.getsignal(number) for number in INTERRUPTING}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    # All handlers change at once: none of them may run while some are others'.
    with _blocked():
        for number in handlers:
            signal.signal(number, lambda signalled, _frame: came.append(signalled))
    try:
        yield
    finally:
        with _blocked():
            for number, handler in handlers.items():
                signal.signal(number, handler)
        for signalled in came:
            signal.raise_signal(signalled)


@contextmanager
def _blocked() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait(child: subprocess.Popen[bytes], limit_s: float) -> int:
    """To the moment: with a limit, `subprocess` itself looks only every 50 ms in the end, which is
    longer than a start-up that is to be measured."""
    try:
        at = os.pidfd_open(child.pid)
    except OSError:  # a kernel before 5.3
        return child.wait(limit_s)
    try:
        ends = select.poll()
        ends.register(at, select.POLLIN)
        if not ends.poll(limit_s * 1000):
            raise subprocess.TimeoutExpired(child.args, limit_s)
    finally:
        os.close(at)
    return child.wait()


def _content(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def call(
    command: Sequence[object], environment: Mapping[str, str] | None = None,
    limit_s: float = CALL_LIMIT_S,
) -> str:  # fmt: skip
    """What a command prints that ends well."""
    return finished(command, environment, limit_s).out


def finished(
    command: Sequence[object], environment: Mapping[str, str] | None = None,
    limit_s: float = CALL_LIMIT_S,
) -> Ended:  # fmt: skip
    """A command that ends well; else an error that says how it ended."""
    ended = execute(command, environment or {}, limit_s)
    if ended.exit_code == 0:
        return ended
    text = " ".join(map(str, command))
    if ended.exit_code is None:
        raise DunlinError(f"`{text}` did not end within {limit_s:g} s")
    raise DunlinError(f"`{text}` ended with {ended.exit_code}: {ended.detail}")


def output_of(*command: str) -> str | None:
    """What a tool prints; None where there is none or it fails."""
    try:
        ended = execute(command, {}, ASK_LIMIT_S)
    except DunlinError:
        return None
    return ended.out + ended.error if ended.exit_code == 0 else None


def rows_of(text: str) -> list[dict[str, Any]]:
    """The JSON objects among the lines of an output; what a killed program cut off is left out."""
    rows = []
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                rows.append(json.loads(line))
            # Neither need it be ours: numbers without end and brackets within brackets are none.
            except (ValueError, RecursionError):
                continue
    return rows
