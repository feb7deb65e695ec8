"""Algorithms and tables measured in turns: rounds of launches, kept line by line as they end, so
that an interruption loses nothing."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Any

from dunlin import files, measured_tuning, turns, words
from dunlin.errors import DunlinError
from dunlin.execution import rows_of
from dunlin.measured_tuning import TABLE, TRIAL_ROUNDS, Call, Samples, Wanted
from dunlin.ticker import Ticker
from dunlin.tuning import BUILT_IN

SHOWN = {BUILT_IN: "built-in rules", TABLE: "the table"}


@dataclass(frozen=True)
class Turn:
    """One launch in each round."""

    operation: str
    nodes: int
    ppn: int
    choice: str  # an algorithm, BUILT_IN or TABLE
    sizes: tuple[int, ...]

    def __str__(self) -> str:
        choice = SHOWN.get(self.choice, self.choice)
        return f"{self.operation} {self.nodes}:{self.ppn}, {choice}"


def turns_of(wanted: Wanted) -> list[list[Turn]]:
    """By job: what is compared, so what takes turns right after one another."""
    return [
        [Turn(*job, choice, tuple(sizes)) for choice, sizes in sorted(by_choice.items())]
        for job, by_choice in sorted(wanted.items())
    ]


class Journal:
    """A file with a line of JSON for what is measured, and one for each launch that went well."""

    def __init__(self, file: Path, settings: Mapping[str, Any], resume: bool) -> None:
        self.file = file
        self.known: dict[str, dict[int, float]] = {}
        self.former: Path | None = None  # where a file of before is now
        first = json.dumps({"settings": settings})
        if resume:
            self._read(first)
            return
        if file.exists():
            # Somebody may have forgotten --resume.
            self.former = file.replace(self._unused())
        files.write_whole(file, first + "\n")

    def _unused(self) -> Path:
        names = (f".before{number}.jsonl" for number in chain([""], count(2)))
        return next(at for name in names if not (at := self.file.with_suffix(name)).exists())

    def _read(self, first: str) -> None:
        try:
            text = files.read_text(self.file)
        except FileNotFoundError:
            raise DunlinError(
                f"there is no {self.file}, so there is nothing to resume; leave --resume out"
            ) from None
        settings, *rows = rows_of(text) or [{}]
        if settings != json.loads(first):
            told = self._differing(settings.get("settings", {}), json.loads(first)["settings"])
            raise DunlinError(
                f"{self.file} was measured otherwise ({told}); give the same options with "
                "--resume, or leave it out to begin anew"
            )
        for row in rows:
            self.known[row["key"]] = {int(size): us for size, us in row["us"].items()}
        # A line that was cut off must not be joined by the next one.
        files.write_whole(self.file, "".join(json.dumps(r) + "\n" for r in [settings, *rows]))

    @staticmethod
    def _differing(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
        names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        return "; ".join(f"{n}: {before.get(n)}, now {now.get(n)}" for n in names)

    def add(self, key: str, found: Mapping[int, float]) -> None:
        """Another launch."""
        with self.file.open("a", encoding="utf-8") as out:
            out.write(json.dumps({"key": key, "us": dict(found)}) + "\n")


def key_of(phase: str, number: int, turn: Turn) -> str:
    """By which a launch is found again."""
    return json.dumps([phase, number, asdict(turn)])


@dataclass
class Rounds:
    """Measures; what is there already is not measured again."""

    launch: Callable[[Turn], dict[int, float]]
    journal: Journal
    ticker: Ticker
    tell: Callable[[str], None]
    count: int  # of rounds
    launches: int = 0  # done now
    seconds: float = 0.0  # that they took
    failed: set[Turn] = field(default_factory=set)

    def choose(self, wanted: Wanted) -> Samples:
        """All that is wanted, what is hopeless after some rounds in these alone."""
        trial = min(TRIAL_ROUNDS, self.count)
        first = self.measure("choosing", turns_of(wanted), range(trial))
        left = measured_tuning.hopeful(first, wanted)
        rest = self.measure("choosing", turns_of(left), range(trial, self.count))
        failed = {(t.operation, t.nodes, t.ppn, t.choice) for t in self.failed}
        return {
            call: {name: times for name, times in some.items() if (*call[:3], name) not in failed}
            for call, some in measured_tuning.merged(first, rest).items()
        }

    def measure(
        self, phase: str, groups: Sequence[Sequence[Turn]], rounds: Sequence[int] | None = None
    ) -> Samples:
        """All rounds of a phase, or these. What fails once is not launched again, and has no
        times."""
        every = [
            (number, turn)
            for number in (range(self.count) if rounds is None else rounds)
            for turn in turns.in_turns(groups, f"{phase} {number}")
        ]
        times: dict[Turn, dict[int, dict[int, float]]] = defaultdict(dict)
        for done, (number, turn) in enumerate(every):
            if turn in self.failed:
                continue
            self.ticker.say(done, len(every), f"{self._left(len(every) - done)}{phase}: {turn}")
            found = self._one(key_of(phase, number, turn), turn)
            if found is not None:
                times[turn][number] = found
        samples: dict[Call, dict[str, dict[int, float]]] = {}
        for turn, by_round in times.items():
            if turn in self.failed:
                continue
            for size in turn.sizes:
                call = samples.setdefault((turn.operation, turn.nodes, turn.ppn, size), {})
                call[turn.choice] = {number: us[size] for number, us in by_round.items()}
        return samples

    def _one(self, key: str, turn: Turn) -> dict[int, float] | None:
        if key in self.journal.known:
            return self.journal.known[key]
        began = time.monotonic()
        try:
            found = self.launch(turn)
        except DunlinError as why:
            self.failed.add(turn)
            self.tell(f"Left out: {turn}: {why}")
            return None
        self.launches += 1
        self.seconds += time.monotonic() - began
        self.journal.add(key, found)
        return found

    def _left(self, launches: int) -> str:
        if not self.launches:
            return ""
        left = words.duration(self.seconds / self.launches * launches)
        return f"about {left} of this left, "
