"""How far something is that takes long: a bar, or, where nobody watches, a line now and then."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

SECONDS_BETWEEN_LINES = 30.0


class Ticker:
    """From `with` to its end."""

    def __init__(self, console: Console):
        self.console = console
        self.said = time.monotonic()
        self.bar: Progress | None = None
        self.task = TaskID(0)

    def __enter__(self) -> Self:
        if self.console.is_terminal:
            columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
            self.bar = Progress(*columns, console=self.console, transient=True)
            self.task = self.bar.add_task("", total=None)
            self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if self.bar:
            self.bar.stop()

    def say(self, done: int, total: int, words: str) -> None:
        """What comes next."""
        if self.bar:
            self.bar.update(self.task, total=total, completed=done, description=words)
        elif time.monotonic() - self.said > SECONDS_BETWEEN_LINES:
            self.said = time.monotonic()
            self.console.print(f"{done}/{total} launches, {words}", highlight=False)
