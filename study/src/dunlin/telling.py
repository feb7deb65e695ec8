"""What a person sees while a study runs: a bar with the time left, or, where nobody watches, a line
now and then."""

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn
from rich.progress import Progress as Bar

from dunlin.model import Run
from dunlin.plan import Launch
from dunlin.progress import Progress

SECONDS_BETWEEN_LINES = 30.0
MESSAGE_CHARACTERS = 160


def duration(seconds: float) -> str:
    """40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def describe(launch: Launch) -> str:
    """A launch in a few words."""
    case, point = launch.point.case, launch.point
    profile = "" if point.profile == "none" else f" ({point.profile})"
    return f"{case.benchmark} {case.nodes}:{case.ranks_per_node} {point.library}{profile}"


def trouble(launch: Launch, run: Run) -> str:
    """A launch that went wrong, in a line."""
    return f"{run.status}: {describe(launch)}: {(run.message or '')[:MESSAGE_CHARACTERS]}"


def plain_tell(launch: Launch, run: Run | None) -> None:
    """For the log of a batch job."""
    if run is not None:
        text = trouble(launch, run) if run.status != "ok" else f"ok: {describe(launch)}"
        print(f"{text} ({run.seconds:.1f} s)", flush=True)


class Teller:
    """Tells of each launch of a study that runs here."""

    def __init__(self, progress: Progress, console: Console):
        self.progress, self.console = progress, console
        self.said = time.monotonic()
        self.bar: Bar | None = None
        self.task = TaskID(0)

    def __enter__(self) -> "Teller":
        if self.console.is_terminal:
            columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
            self.bar = Bar(*columns, console=self.console)
            self.task = self.bar.add_task("", total=None)
            self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        if self.bar:
            self.bar.stop()

    def __call__(self, launch: Launch, run: Run | None) -> None:
        """Before a launch (None) and after it."""
        if run is not None and run.status != "ok":
            self.console.print(trouble(launch, run), markup=False, highlight=False)
        if run is not None:
            return
        done = len(self.progress.done)
        left = len(self.progress.left()) or len(self.progress.due())
        words = f"about {duration(self.progress.seconds_left())} left: {describe(launch)}"
        if self.bar:
            self.bar.update(self.task, total=done + left, completed=done, description=words)
        elif time.monotonic() - self.said > SECONDS_BETWEEN_LINES:
            self.said = time.monotonic()
            self.console.print(f"{done}/{done + left} launches, {words}", highlight=False)
