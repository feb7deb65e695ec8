"""What measured times of algorithms say: which of them are worth measuring, which are faster than
the built-in choice by more than the noise, and where a table of them is slower.

All algorithms of a job are launched once in each round, one right after the other. An algorithm is
compared with the built-in choice by the ratio of their times within each round, so that what the
machine does meanwhile falls on both; the median of these ratios and its distribution-free interval
(`stats.median_interval`) decide."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from dunlin import stats, tuning, words
from dunlin.simulation import Result
from dunlin.stats import Interval
from dunlin.tuning import BUILT_IN, WITHOUT_SIZE, Cell, Costs, Rule

# What runs by the table that is confirmed.
TABLE = "(table)"
# Algorithms that take by simulation at most so many times as long as the fastest are measured.
# Either factor kept the fastest of all 304 calls on one node and 178 on hosts (docs/simulation.md),
# by which the simulator had been corrected; a factor of 1.2 lost up to 7 and 66 %.
FACTOR, FACTOR_QUICK = 2.0, 1.5
# A smaller gain is not worth a rule.
GAIN_MIN = 0.05
# A call that is slower by less is not measured again. Times differ by as much for no other reason
# than that the setting which names the table moves what lies in memory.
SLOWER_MIN = 0.02
# After so many rounds an algorithm is given up that took in each of them so many times as long as
# the built-in choice.
TRIAL_ROUNDS, HOPELESS = 3, 1.25
# Other values of an algorithm's parameter, as multiples of the usual one.
PARAMETER_STEPS = (0.25, 0.5, 2.0, 4.0)
PARAMETER_MIN = 2

Job: TypeAlias = tuple[str, int, int]  # operation, nodes, ranks per node
Wanted: TypeAlias = Mapping[Job, Mapping[str, Sequence[int]]]  # what is measured, at which sizes
Call: TypeAlias = tuple[str, int, int, int]  # the same and bytes
Series: TypeAlias = Mapping[int, float]  # microseconds by round
Samples: TypeAlias = Mapping[Call, Mapping[str, Series]]  # by what ran


@dataclass(frozen=True)
class Compared:
    """How many times as long as by the built-in choice, and the interval of that."""

    value: float
    interval: Interval

    @property
    def is_faster(self) -> bool:
        """By more than the noise."""
        return self.interval.high < 1.0

    @property
    def looks_slower(self) -> bool:
        """If not by more than the noise."""
        return self.value > 1.0 + SLOWER_MIN

    @property
    def is_slower(self) -> bool:
        """By more than the noise, and not by next to nothing."""
        return self.interval.low > 1.0 and self.looks_slower

    def __str__(self) -> str:
        low, high = 1.0 / self.interval.high, 1.0 / self.interval.low
        between = f"{words.digits(low)} to {words.digits(high)}"
        return f"{words.times(1.0 / self.value)} as fast ({between})"


def compared(times: Series, base: Series) -> Compared | None:
    """Round by round; none without a round that has both."""
    ratios = [times[number] / base[number] for number in sorted(times.keys() & base.keys())]
    return Compared(stats.median(ratios), stats.median_interval(ratios)) if ratios else None


def call_of(result: Result) -> Call:
    """What a result is of."""
    return result.operation, result.nodes, result.ppn, result.bytes


def cell_of(call: Call) -> Cell:
    """Of a table, whose rules may know no size."""
    operation, nodes, ppn, size = call
    return nodes, ppn, 0 if operation in WITHOUT_SIZE else size


def variants(results: Iterable[Result], factor: float) -> dict[str, list[str]]:
    """By operation: algorithms with other values of their parameters, of those that are near the
    fastest somewhere."""
    found: dict[str, set[str]] = defaultdict(set)
    for at in _by_call(results).values():
        for result in _near(at.values(), factor):
            if result.parameter:
                name, usual = result.algorithm.partition(":")[0], result.parameter[1]
                values = {max(int(usual * step), PARAMETER_MIN) for step in PARAMETER_STEPS}
                found[result.operation] |= {f"{name}:{value}" for value in values - {usual}}
    return {operation: sorted(names) for operation, names in sorted(found.items())}


def with_variants(results: Sequence[Result], others: Iterable[Result]) -> list[Result]:
    """With the fastest other parameter of an algorithm, where it is faster than the usual one."""
    usual = {(*call_of(r), _name(r)): r.completion_us for r in results}
    best: dict[tuple[str, int, int, int, str], Result] = {}
    for result in others:
        at = (*call_of(result), _name(result))
        least = best[at].completion_us if at in best else usual.get(at, 0.0)
        if result.completion_us < least:
            best[at] = result
    return [*results, *best.values()]


def candidates(
    results: Iterable[Result], factor: float, selected: bool = False
) -> dict[Job, dict[str, list[int]]]:
    """By job, what is to be measured and at which sizes: those near the fastest by simulation, and
    always the built-in choice. What simulation thinks that is is left out unless `selected`, and so
    is a job without anything else."""
    found: dict[Job, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for (operation, nodes, ppn, size), at in sorted(_by_call(results).items()):
        sizes = found[operation, nodes, ppn]
        sizes[BUILT_IN].append(size)
        for result in _near(at.values(), factor):
            if selected or not result.selected:
                sizes[result.algorithm].append(size)
    # A rule that knows no size is for all of them.
    return {
        job: dict.fromkeys(sizes, sizes[BUILT_IN]) if job[0] in WITHOUT_SIZE else dict(sizes)
        for job, sizes in found.items()
        if len(sizes) > 1
    }


def hopeful(samples: Samples, wanted: Wanted) -> Wanted:
    """What is worth more rounds: of a job nothing if only the built-in choice is left. Where rules
    know no size, all sizes are or none is."""
    left: dict[Job, dict[str, Sequence[int]]] = {}
    for job, by_choice in wanted.items():
        kept = left.setdefault(job, {})
        for choice, sizes in by_choice.items():
            some = [size for size in sizes if not _is_hopeless(samples, (*job, size), choice)]
            if some:
                kept[choice] = sizes if job[0] in WITHOUT_SIZE else some
    return {job: kept for job, kept in left.items() if len(kept) > 1}


def merged(one: Samples, other: Samples) -> Samples:
    """All rounds of both."""
    return {
        call: {
            name: {**one.get(call, {}).get(name, {}), **other.get(call, {}).get(name, {})}
            for name in sorted({*one.get(call, {}), *other.get(call, {})})
        }
        for call in sorted({*one, *other})
    }


def costs_of(
    samples: Samples, oversubscribed: Mapping[int, bool], calls: Iterable[Call]
) -> dict[str, list[Costs]]:
    """By operation, as `tuning.rules_of` takes them: times as parts of the built-in choice's. What
    is not faster than that by more than the noise counts as just as fast, and gets no rule of its
    own. `oversubscribed`: by ranks per node; `calls`: all that were asked for."""
    grid: dict[tuple[str, bool], set[Cell]] = defaultdict(set)
    for call in calls:
        if call[2] in oversubscribed:
            grid[call[0], oversubscribed[call[2]]].add(cell_of(call))
    found: dict[str, dict[bool, dict[Cell, Mapping[str, float]]]] = {}
    for operation, cells in _ratios(samples).items():
        kinds = found.setdefault(operation, {})
        for cell, ratios in cells.items():
            kinds.setdefault(oversubscribed[cell[1]], {})[cell] = {
                name: ratio.value if ratio.is_faster else max(ratio.value, 1.0)
                for name, ratio in ratios.items()
            }
    return {
        operation: [
            Costs(
                kind, cells, GAIN_MIN, frozenset(grid[operation, kind]),
                operation not in WITHOUT_SIZE,
            )
            for kind, cells in sorted(kinds.items())
        ]
        for operation, kinds in sorted(found.items())
    }  # fmt: skip


def times_of(samples: Samples) -> dict[str, dict[Cell, dict[str, float]]]:
    """By operation: the medians as they are, as parts of the built-in choice's."""
    return {
        operation: {
            cell: {name: ratio.value for name, ratio in ratios.items()}
            for cell, ratios in cells.items()
        }
        for operation, cells in _ratios(samples).items()
    }


def confirmed(samples: Samples) -> dict[Call, Compared]:
    """The table beside the built-in rules."""
    found = {
        call: compared(series.get(TABLE, {}), series.get(BUILT_IN, {}))
        for call, series in sorted(samples.items())
    }
    return {call: ratio for call, ratio in found.items() if ratio is not None}


def settled(
    costs: Costs, rules: Sequence[Rule], found: Mapping[Cell, float], back: set[Cell]
) -> Costs:
    """For rules after a confirmation. A job has the choice between the algorithm that was confirmed
    there and the built-in rules, and where it was not confirmed (`back`), only these: so new rules
    run nothing that was not confirmed. `found`: how long jobs took by the table."""
    by_cell = {}
    for cell in costs.by_cell:
        name = tuning.chosen(rules, cell)
        by_cell[cell] = {BUILT_IN: 1.0}
        if name != BUILT_IN and cell not in back:
            by_cell[cell][name] = min(found.get(cell, 1.0), 1.0)
    return replace(costs, by_cell=by_cell)


def _is_hopeless(samples: Samples, call: Call, choice: str) -> bool:
    series = samples.get(call, {})
    base, times = series.get(BUILT_IN, {}), series.get(choice, {})
    rounds = times.keys() & base.keys()
    return bool(rounds) and all(times[number] > HOPELESS * base[number] for number in rounds)


def _name(result: Result) -> str:
    return result.algorithm.partition(":")[0]


def _by_call(results: Iterable[Result]) -> dict[Call, dict[str, Result]]:
    found: dict[Call, dict[str, Result]] = defaultdict(dict)
    for result in results:
        at = found[call_of(result)]
        # The one that a call runs is there twice, if its name was asked for, too.
        if result.selected or result.algorithm not in at:
            at[result.algorithm] = result
    return found


def _near(results: Iterable[Result], factor: float) -> list[Result]:
    at = sorted(results, key=lambda result: result.algorithm)
    least = min(result.completion_us for result in at)
    return [result for result in at if result.completion_us <= factor * least]


def _joined(samples: Samples) -> dict[str, dict[Cell, dict[str, Series]]]:
    """By operation and what its rules know: where they know no size, each round's mean."""
    parts: dict[str, dict[Cell, list[Mapping[str, Series]]]] = {}
    for call, series in sorted(samples.items()):
        parts.setdefault(call[0], {}).setdefault(cell_of(call), []).append(series)
    return {
        operation: {cell: _mean(some) for cell, some in cells.items()}
        for operation, cells in parts.items()
    }


def _mean(some: Sequence[Mapping[str, Series]]) -> dict[str, Series]:
    names = set.intersection(*(set(series) for series in some))
    found: dict[str, Series] = {}
    for name in sorted(names):
        rounds = set.intersection(*(set(series[name]) for series in some))
        found[name] = {
            number: stats.geometric_mean([series[name][number] for series in some])
            for number in sorted(rounds)
        }
    return found


def _ratios(samples: Samples) -> dict[str, dict[Cell, dict[str, Compared]]]:
    """By operation and cell, where the built-in choice was measured."""
    found: dict[str, dict[Cell, dict[str, Compared]]] = defaultdict(dict)
    for operation, cells in _joined(samples).items():
        for cell, series in cells.items():
            base = series.get(BUILT_IN, {})
            ratios = {name: compared(times, base) for name, times in series.items()}
            if base:
                found[operation][cell] = {name: r for name, r in ratios.items() if r is not None}
    return found
