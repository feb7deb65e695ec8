"""What of a study is done, what is certain, and what is left: found out from the raw data alone,
so that it is the same after a crash."""

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import scipy

from dunlin import model, plan, store
from dunlin.model import Run, Sample
from dunlin.plan import Case, Launch, Point
from dunlin.studyfile import Study

CONFIDENCE = 0.95
# With fewer launches an interval says nothing.
LAUNCHES_FOR_INTERVAL = 3
# Before anything has been measured.
SECONDS_GUESSED = 3.0


def half_width(values: list[float]) -> float:
    """Of the interval for the middle of a few launches, as a part of it. Taken from the logarithms:
    times scatter by factors, and a rate and its time get the same answer."""
    if len(values) < LAUNCHES_FOR_INTERVAL or min(values) <= 0:
        return math.inf
    logs = [math.log(value) for value in values]
    # Student's. All of scipy.stats would take longer to load than everything else.
    quantile = float(scipy.special.stdtrit(len(logs) - 1, (1 + CONFIDENCE) / 2))
    return math.expm1(quantile * statistics.stdev(logs) / math.sqrt(len(logs)))


@dataclass
class PointState:
    """What is known of one point."""

    launches: int = 0
    failures: int = 0
    seconds: list[float] = field(default_factory=list)
    # By bytes, metric and clock: the median of each launch.
    medians: dict[tuple[int, str, str], list[float]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, run: Run, samples: Iterable[Sample]) -> None:
        """Takes one launch in."""
        self.launches += 1
        self.seconds.append(run.seconds)
        self.failures += run.status != "ok"
        for sample in samples:
            if sample.values and run.status == "ok":
                key = (sample.bytes, sample.metric, sample.clock)
                self.medians[key].append(statistics.median(sample.values))

    def certain(self, until: float) -> bool:
        """Are the intervals of all its medians narrow enough?"""
        return bool(self.medians) and all(half_width(m) <= until for m in self.medians.values())


class Progress:
    """A study on its way."""

    def __init__(self, study: Study, directory: Path):
        self.study, self.directory = study, directory
        self.by_case = plan.cases_of(study)
        self.done: set[str] = set()
        self.spent_s = 0.0
        self.states: dict[Point, PointState] = {
            point: PointState() for points in self.by_case.values() for point in points
        }
        self.every = {launch.run_id: launch for launch in plan.all_launches(study)}
        self.status: dict[str, int] = defaultdict(int)
        self.read()

    def read(self) -> None:
        """Takes in what has been added to the raw data."""
        for file in sorted((self.directory / store.RAW).glob("*.jsonl")):
            if file.stem not in self.done and file.stem in self.every:
                self.add(*model.read(file))

    def add(self, run: Run, samples: list[Sample]) -> None:
        """Takes one launch in."""
        self.done.add(run.run_id)
        self.spent_s += run.seconds
        self.status[run.status] += 1
        self.states[self.every[run.run_id].point].add(run, samples)

    def given_up(self, point: Point) -> bool:
        """Has it failed too often?"""
        return self.states[point].failures >= self.study.repeat.failures_max

    def certain(self, case: Case) -> bool:
        """Need no more launches: all its points that work are certain."""
        until = self.study.repeat.until
        working = [p for p in self.by_case[case] if not self.given_up(p)]
        return until is None or all(self.states[p].certain(until) for p in working)

    @property
    def budget_spent(self) -> bool:
        """Has the study used the time that it was given?"""
        budget = self.study.repeat.budget
        return budget is not None and self.spent_s >= budget

    def needed(self, launch: Launch) -> bool:
        """Is it still to be done, as far as is known now?"""
        if launch.run_id in self.done or self.given_up(launch.point) or self.budget_spent:
            return False
        if launch.repetition < self.study.repeat.launches:
            return True
        return not self.certain(launch.point.case)

    def due(self, system: str | None = None) -> list[Launch]:
        """The launches of the first round that is not complete, in order; of one system, which
        does not wait for the rounds of others, or of all."""
        for repetition in range(plan.repetitions_most(self.study)):
            if left := self._needed_in(repetition, system):
                return left
        return []

    def left(self, system: str | None = None) -> list[Launch]:
        """All that is to be done for certain: the least number of launches of each point."""
        return [
            la for r in range(self.study.repeat.launches) for la in self._needed_in(r, system)
        ]  # fmt: skip

    def _needed_in(self, repetition: int, system: str | None) -> list[Launch]:
        return [
            la for la in plan.round_of(self.study, repetition)
            if system in (None, la.point.case.system) and self.needed(la)
        ]  # fmt: skip

    def seconds_of(self, point: Point) -> float:
        """How long a launch of it is likely to take."""
        seconds = self.states[point].seconds
        if seconds:
            return statistics.median(seconds)
        budget_s = self.study.run.budget_ms / 1000
        guess = SECONDS_GUESSED + budget_s * len(point.case.sizes)
        return self.spent_s / len(self.done) if self.done else min(guess, self.study.run.timeout)

    def seconds_left(self) -> float:
        """Of the least number of launches, or of the budget if that is less."""
        left = sum(self.seconds_of(launch.point) for launch in self.left())
        budget = self.study.repeat.budget
        return left if budget is None else max(0.0, min(left, budget - self.spent_s))
