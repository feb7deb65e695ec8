"""The states of a machine whose cores are now near each other, now far apart: the host of a virtual
machine moves its processors, and for some seconds a cache line takes 25 or 165 ns from core to
core, and everything else with it. A median over both says little, so figures of each state stand
by themselves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dunlin import checkout, execution, programs
from dunlin.libraries import Library
from dunlin.peers.rounds import Look, Run

# Two states differ by at least so much, and what is looked at more often in one by less.
APART = 1.8
# Of all looks, so many make a state.
SHARE = 0.1


@dataclass(frozen=True)
class State:
    """All looks at the line that found it between two limits."""

    least_ns: float
    most_ns: float

    @property
    def title(self) -> str:
        """What a reader is told."""
        least, most = f"{self.least_ns:.0f}", f"{self.most_ns:.0f}"
        range_ = least if least == most else f"{least} to {most}"
        return f"While a cache line took {range_} ns from core to core"

    def has(self, look: Look | None) -> bool:
        """Was the machine in this state before a launch and after it?"""
        return look is not None and all(self.least_ns <= ns <= self.most_ns for ns in look)


def looker(library: Library) -> Callable[[], float]:
    """Measures the line, in some milliseconds; any library's wrapper compiles the program."""
    program = programs.compiled(programs.sources() / "limits.c", library, checkout.BUILT)

    def look() -> float:
        row, = execution.rows_of(execution.call([program, "--json", "--op", "cache_line"]))
        return float(row["median_ns"])

    return look


def states(looks: Sequence[float]) -> list[State]:
    """Where the times of the line lie close together. A few that lie elsewhere are no state: a core
    was busy with something else."""
    found = sorted(looks)
    cuts = [at for at in range(1, len(found)) if found[at] > APART * found[at - 1]]
    parts = [found[begin:end] for begin, end in pairwise([0, *cuts, len(found)])]
    return [State(part[0], part[-1]) for part in parts if len(part) >= SHARE * len(found) > 0]


def by_state(runs: Sequence[Run]) -> list[tuple[State, list[Run]]]:
    """The launches of each state, if there were several; those in which it changed are left out."""
    found = states([ns for run in runs for look in run.looks if look for ns in look])
    if len(found) < 2:
        return []
    return [(state, [only(run, state) for run in runs]) for state in found]


def only(run: Run, state: State) -> Run:
    """What it gave in one state."""
    kept = [rows for rows, look in zip(run.rows, run.looks, strict=True) if state.has(look)]
    return replace(run, rows=kept, looks=[])
