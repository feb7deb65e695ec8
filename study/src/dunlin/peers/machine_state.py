"""The state of this machine: how far its cores are from each other. The processors of a virtual
machine may be moved, so that from one second to the next a line takes twice as long and longer data
four times; and what else their host does makes all of it slower for a while. What is measured here
is what the machine takes in its fastest state, as often as it can be seen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dunlin import checkout, execution, programs
from dunlin.calibration import Rows
from dunlin.libraries import Library, command

SHORT, LONG = 8, 16 << 10
# States differ by more, and what one state takes by less.
SAME_LINE, SAME_BLOCK = 1.5, 1.8
BUDGET_MS = 15
# Of so many looks, right after each other, the fastest counts.
LOOKS = 20
# Each launch is made so often, others in between, and the least of its times counts.
TURNS = 3


@dataclass(frozen=True)
class State:
    """Half round trips within the node, in microseconds."""

    line_us: float
    block_us: float

    def is_like(self, other: "State") -> bool:
        """Whether both are the same but for noise."""
        return (1 / SAME_LINE < self.line_us / other.line_us < SAME_LINE
                and 1 / SAME_BLOCK < self.block_us / other.block_us < SAME_BLOCK)  # fmt: skip


def half_round_trips(library: Library) -> State:
    """The state now, by a launch on one node."""
    program = programs.compiled(programs.sources() / "latency.c", library, checkout.BUILT)
    words = command(library, 2, program, "--sizes", f"{SHORT},{LONG}", "--budget", BUDGET_MS,
                    "--pin", "--json")  # fmt: skip
    rows = execution.rows_of(execution.call(words, library.environment))
    return State(*(float(row["median_us"]) for row in rows[:2]))


def fastest(look: Callable[[], State]) -> State:
    """The fastest state that is seen now."""
    return min((look() for _ in range(LOOKS)), key=lambda state: state.block_us)


def best(measured: Sequence[Rows]) -> Rows:
    """Of the same rows, measured several times: the least of the times and the highest of rates."""

    def of(column: str, values: list[Any]) -> object:
        if "_per_" in column:
            return max(values)
        return min(values) if column.endswith(("_us", "_ns")) else values[0]

    return [{column: of(column, [row[column] for row in same]) for column in same[0]}
            for same in zip(*measured, strict=True)]  # fmt: skip
