"""A table made of measured times, and its confirmation: it is measured beside the built-in rules,
and what it makes slower goes back to them."""

import hashlib
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dunlin import measured_tuning, stats, tuning, words
from dunlin.errors import DunlinError
from dunlin.files import read_text
from dunlin.measured_tuning import (
    GAIN_MIN,
    SLOWER_MIN,
    TABLE,
    Call,
    Compared,
    Job,
    Samples,
    cell_of,
)
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
    # As they were measured: to choose, and of what was chosen, once it is confirmed, with a table.
    times: Mapping[Cell, Mapping[str, float]]

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

    def after(self, confirmation: "Confirmation") -> "MeasuredTable":
        """What is left of it, with the times of the confirmation."""
        parts = []
        for part in self.parts:
            own = {c: r for c, r in confirmation.found.items() if part.has(c)}
            back = {cell_of(call) for call in confirmation.given_back if part.has(call)}
            found, costs, rules = _by_cell(own), part.costs, part.rules
            if back:
                costs = measured_tuning.settled(costs, rules, found, back)
                rules = tuning.rules_of(costs)
            parts.append(Part(part.operation, costs, rules, _confirmed(part, found, back)))
        return MeasuredTable(parts, self.parameters)


@dataclass(frozen=True)
class Confirmation:
    """What was measured with a table and without."""

    found: Mapping[Call, Compared]  # of all calls of the jobs that it changes, over all rounds
    decided: frozenset[Call]  # those that it decides; others run the same with it and without
    again: Mapping[Call, Compared]  # of those what looked slower, measured once more
    failed: Sequence[Call]  # with the table
    unmeasured: Sequence[Call]  # those that it decides of which a launch without it failed

    @property
    def slower(self) -> dict[Call, Compared]:
        """Those that looked so twice."""
        return {call: ratio for call, ratio in self.again.items() if ratio.looks_slower}

    @property
    def given_back(self) -> list[Call]:
        """To the built-in rules: all that was not confirmed."""
        return sorted({*self.slower, *self.failed, *self.unmeasured})

    @property
    def next_to_nothing(self) -> list[Call]:
        """What gained less than is worth a rule, or no more than the noise, and stays by it."""
        return sorted(
            call
            for call in (self.decided & self.found.keys()) - set(self.given_back)
            if not self.found[call].is_faster or self.found[call].value > 1.0 / (1.0 + GAIN_MIN)
        )

    def lines(self) -> list[str]:
        """In words, each call that was not confirmed."""
        lines = [
            f"Slower with the table, twice{'' if ratio.is_slower else ', if within the noise'}: "
            f"{_named(call)}, {ratio}"
            for call, ratio in self.slower.items()
        ]
        lines += [f"Failed with the table: {_named(call)}" for call in self.failed]
        return lines + [f"Not measured: {_named(call)}" for call in self.unmeasured]

    def statement(self, rounds: int) -> list[str]:
        """How many calls were measured, and what came out."""
        measured = (self.decided & self.found.keys()) - {*self.failed, *self.unmeasured}
        back, once = len(self.slower), len(self.again) - len(self.slower)
        lines = []
        if measured:
            call = max(sorted(measured), key=lambda call: self.found[call].value)
            lines += [f"Of {words.plural(len(measured), 'call')} that the table decides "
                      f"{back or 'none'} {'was' if back < 2 else 'were'} slower by more than "
                      f"{words.percent(SLOWER_MIN)} twice, each time in {rounds} rounds in turns "
                      f"({once} only once).",
                      f"The least: {_named(call)}, {self.found[call]}."]  # fmt: skip
        if small := len(self.next_to_nothing):
            lines += [f"{small} of them gained less than {words.percent(GAIN_MIN)}, or no more "
                      "than the noise; the table decides them still."]  # fmt: skip
        for calls, what in ((self.failed, "failed with the table"),
                            (self.unmeasured, "could not be measured")):  # fmt: skip
            lines += [f"{words.plural(len(calls), 'call')} {what}."] if calls else []
        alike = [1.0 / ratio.value for c, ratio in self.found.items() if c not in self.decided]
        if alike:
            least, most = words.digits(min(alike)), words.digits(max(alike))
            ends = least if least == most else f"{least} to {most}"
            lines += [f"{words.plural(len(alike), 'call')} beside them, which run the same with "
                      f"the table and without, seemed {ends} times as fast."]  # fmt: skip
        return lines


def _named(call: Call) -> str:
    return f"{call[0]} {words.cell(*call[1:])}"


def text_of(table: Path) -> str:
    """A table file, whose rules have the shape of rules."""
    try:
        text = read_text(table)
        for operation, rules in tomllib.loads(text).items():
            _check(operation, rules, table)
    except FileNotFoundError:
        raise DunlinError(f"there is no table {table} to confirm") from None
    except tomllib.TOMLDecodeError as error:
        raise DunlinError(f"it is no TOML: {error}", file=table) from None
    return text


def _check(operation: str, rules: object, table: Path) -> None:
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        raise DunlinError(
            f"`{operation}` is no list of rules; each begins with [[{operation}]]", file=table
        )
    for rule in rules:
        for name, value in rule.items():
            if name.endswith(("_min", "_max")) and type(value) is not int:
                raise DunlinError(
                    f"`{name}` of {operation} is {value!r}; it must be a whole number", file=table
                )


def made(
    samples: Samples, oversubscribed: Mapping[int, bool], parameters: Parameters,
    calls: Iterable[Call],
) -> MeasuredTable:  # fmt: skip
    """A table of what was measured; `calls`: of all that were asked for."""
    times = measured_tuning.times_of(samples)
    parts = [
        Part(
            operation, costs, tuning.rules_of(costs),
            {cell: times[operation][cell] for cell in costs.by_cell},
        )
        for operation, kinds in measured_tuning.costs_of(samples, oversubscribed, calls).items()
        for costs in kinds
    ]  # fmt: skip
    return MeasuredTable(parts, parameters)


def may_decide(rules: Sequence[Mapping[str, object]], call: Call, oversubscribed: bool) -> bool:
    """Whether one of an operation's rules, as a file has them, covers a call. Conditions of which
    nothing is known here count as met."""
    nodes, ppn, size = cell_of(call)
    known = {"nodes": nodes, "ranks_per_node": ppn, "ranks": nodes * ppn, "bytes": size}

    def covers(rule: Mapping[str, object]) -> bool:
        ranges = [
            (int(str(rule.get(f"{name}_min", value))), value,
             int(str(rule.get(f"{name}_max", value))))
            for name, value in known.items()
        ]  # fmt: skip
        crowd = rule.get("oversubscribed", oversubscribed)
        return crowd == oversubscribed and all(low <= v <= high for low, v, high in ranges)

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
    again = measured_tuning.confirmed(second)
    jobs = {(t.operation, t.nodes, t.ppn) for t in rounds.failed if t.choice == TABLE}
    failed = sorted(call for call in decided if call[:3] in jobs)
    measured = once.keys() - (set(_calls(doubtful)) - again.keys())
    unmeasured = sorted(decided - measured - set(failed))
    return Confirmation(found, decided, again, failed, unmeasured)


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


def _confirmed(
    part: Part, found: Mapping[Cell, float], back: set[Cell]
) -> dict[Cell, dict[str, float]]:
    """The times of a part, of what its rules choose as they were with the table, and without what
    was given back."""
    times = {}
    for cell, known in part.times.items():
        name = tuning.chosen(part.rules, cell)
        times[cell] = dict(known)
        if name != BUILT_IN and cell in back:
            times[cell].pop(name, None)
        elif name != BUILT_IN and cell in found:
            times[cell][name] = found[cell]
    return times
