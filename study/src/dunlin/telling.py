"""What a person is told of the launches of a study."""

from rich.console import Console

from dunlin.model import Run
from dunlin.plan import Launch
from dunlin.progress import Progress
from dunlin.ticker import Ticker
from dunlin.words import duration

MESSAGE_CHARACTERS = 160


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


class Teller(Ticker):
    """Tells of each launch of a study that runs here."""

    def __init__(self, progress: Progress, console: Console):
        super().__init__(console)
        self.progress = progress

    def __call__(self, launch: Launch, run: Run | None) -> None:
        """Before a launch (None) and after it."""
        if run is not None and run.status != "ok":
            self.console.print(trouble(launch, run), markup=False, highlight=False)
        if run is None:
            done = len(self.progress.done)
            left = len(self.progress.left()) or len(self.progress.due())
            about = duration(self.progress.seconds_left())
            self.say(done, done + left, f"about {about} left: {describe(launch)}")
