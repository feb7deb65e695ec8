"""A table made of measured times, and its confirmation: it is measured beside the built-in rules,
and what it makes slower goes back to them."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dunlin import measured_tuning, stats, tuning
from dunlin.measured_tuning import TABLE, Call, Compared, Job, Samples, cell_of
from dunlin.tuning import BUILT_IN, Cell, Costs, Rule
from dunlin.tuning_gains import Ratios
from dunlin.tuning_rounds import Rounds, turns_of

Parameters = Mapping[str, tuple[str, int]]


@dataclass(frozen=True)
class Part:
    """The rules of an operation, for calls with cores for all ranks or without."""

    operation: str
    costs: Costs
    rules: Sequence[Rule]
    times: Mapping[Cell, Mapping[str, float]]  # as they were measured

    def has(self, call: Call) -> bool:
        """Whether a call is one of its own."""
        return call[0] == self.operation and cell_of(call) in self.costs.by_cell


@dataclass(frozen=True)
class MeasuredTable:
    """All rules."""

    parts: Sequence[Part]
    parameters: Parameters

    def chosen(self, call: Call) -> str:
        """What runs there."""
        part = next((part for part in self.parts if part.has(call)), None)
        return tuning.chosen(part.rules, cell_of(call)) if part else BUILT_IN

    def text(self) -> str:
        """As a table file has it."""
        texts = [
            tuning.text(part.operation, part.costs, part.rules, self.parameters, part.times)
            for part in self.parts
        ]
        return "\n".join(text for text in texts if text)

    def count(self) -> int:
        """Of rules."""
        return sum(len(part.rules) for part in self.parts)

    def without(self, confirmation: "Confirmation") -> "MeasuredTable":
        """What is left of it where it was not slower."""
        parts = []
        for part in self.parts:
            own = {c: r for c, r in confirmation.found.items() if part.has(c)}
            slower = {cell_of(call) for call in confirmation.given_back if part.has(call)}
            costs = measured_tuning.settled(part.costs, part.rules, _by_cell(own), slower)
            parts.append(Part(part.operation, costs, tuning.rules_of(costs), part.times))
        return MeasuredTable(parts, self.parameters)


@dataclass(frozen=True)
class Confirmation:
    """What was measured with a table and without."""

    found: Mapping[Call, Compared]  # of all calls of the jobs that it changes, over all rounds
    decided: frozenset[Call]  # those that it decides; others run the same with it and without
    again: Mapping[Call, Compared]  # of those what looked slower, measured once more
    failed: Sequence[Call]  # with the table

    @property
    def slower(self) -> dict[Call, Compared]:
        """Twice."""
        return {call: ratio for call, ratio in self.again.items() if ratio.looks_slower}

    @property
    def given_back(self) -> list[Call]:
        """To the built-in rules."""
        return sorted({*self.slower, *self.failed})


def made(
    samples: Samples, oversubscribed: Mapping[int, bool], parameters: Parameters
) -> MeasuredTable:
    """A table of what was measured."""
    times = measured_tuning.times_of(samples)
    parts = [
        Part(
            operation, costs, tuning.rules_of(costs),
            {cell: times[operation][cell] for cell in costs.by_cell},
        )
        for operation, kinds in measured_tuning.costs_of(samples, oversubscribed).items()
        for costs in kinds
    ]  # fmt: skip
    return MeasuredTable(parts, parameters)


def may_decide(
    rules: Sequence[Mapping[str, object]], call: Call, oversubscribed: bool | None
) -> bool:
    """Whether one of an operation's rules, as a file has them, covers a call. Conditions of which
    nothing is known here count as met."""
    nodes, ppn, size = cell_of(call)
    known = {"nodes": nodes, "ranks_per_node": ppn, "ranks": nodes * ppn, "bytes": size}

    def covers(rule: Mapping[str, object]) -> bool:
        crowd = rule.get("oversubscribed", oversubscribed)
        ranges = [
            (int(str(rule.get(f"{name}_min", value))), value,
             int(str(rule.get(f"{name}_max", value))))
            for name, value in known.items()
        ]  # fmt: skip
        return oversubscribed in (None, crowd) and all(low <= v <= high for low, v, high in ranges)

    return any(covers(rule) for rule in rules)


def confirm(
    rounds: Rounds, table: str, wanted: Mapping[Job, Sequence[int]], decides: Callable[[Call], bool]
) -> Confirmation:
    """Measures jobs by a table, which is in place, beside the built-in rules. What looks slower is
    measured again: among many calls some look slower by chance, but seldom twice."""
    phase = f"confirming {hashlib.sha256(table.encode()).hexdigest()[:8]}"
    rounds.failed = {turn for turn in rounds.failed if turn.choice != TABLE}
    first = rounds.measure(phase, turns_of(_both(wanted)))
    once = measured_tuning.confirmed(first)
    decided = frozenset(call for call in _calls(wanted) if decides(call))
    doubtful: dict[Job, list[int]] = defaultdict(list)
    for call in sorted(decided & once.keys()):
        if once[call].looks_slower:
            doubtful[call[:3]].append(call[3])
    # They have numbers of their own: no round is both.
    numbers = range(rounds.count, 2 * rounds.count)
    second = rounds.measure(phase, turns_of(_both(doubtful)), numbers)
    found = measured_tuning.confirmed(measured_tuning.merged(first, second))
    jobs = {(t.operation, t.nodes, t.ppn) for t in rounds.failed if t.choice == TABLE}
    failed = sorted(call for call in decided if call[:3] in jobs)
    return Confirmation(found, decided, measured_tuning.confirmed(second), failed)


def ratios_of(
    calls: Sequence[Call], table: MeasuredTable, found: Mapping[Call, Compared]
) -> Ratios:
    """How many times as fast each call is by the table."""
    ratios: dict[str, list[tuple[float, Cell]]] = defaultdict(list)
    for call in calls:
        changed = table.chosen(call) != BUILT_IN and call in found
        ratios[call[0]].append((1.0 / found[call].value if changed else 1.0, call[1:]))
    return ratios


def _calls(wanted: Mapping[Job, Sequence[int]]) -> list[Call]:
    return [(*job, size) for job, sizes in sorted(wanted.items()) for size in sizes]


def _both(wanted: Mapping[Job, Sequence[int]]) -> dict[Job, dict[str, Sequence[int]]]:
    return {job: {BUILT_IN: sizes, TABLE: sizes} for job, sizes in wanted.items()}


def _by_cell(found: Mapping[Call, Compared]) -> dict[Cell, float]:
    values: dict[Cell, list[float]] = defaultdict(list)
    for call, ratio in found.items():
        values[cell_of(call)].append(ratio.value)
    return {cell: stats.geometric_mean(some) for cell, some in values.items()}
