"""Published figures beside simulated ones. The figures are data: `published.toml`."""

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from dunlin import words
from dunlin.simulation import LIBRARIES, Request, Result

FILE = Path(__file__).with_name("published.toml")
DUNLIN = "Dunlin"
# Only the fastest algorithm counts.
GIVE_UP = 1.5
# Seconds for each algorithm: rings of more than some thousand ranks are not candidates.
EVENTS_MAX = 2_000_000
Simulate = Callable[[Request], Iterable[Result]]


class Figure(BaseModel):
    """One that was published, and what is simulated for it."""

    model_config = ConfigDict(extra="forbid")
    source: str
    place: str
    what: str
    kind: Literal["time", "speedup", "machines", "none"]
    value: float = Field(1.0, gt=0)
    operation: str = ""
    machine: str = ""
    against: str = ""  # machines: the other one
    over: str = ""  # speedup: whose choices are the slower ones
    nodes: int = 0
    ppn: int = 0
    sizes: list[int] = []
    in_model: bool = False
    why: str = ""

    @model_validator(mode="after")
    def _says_what_to_simulate(self) -> "Figure":
        call = bool(self.operation and self.machine and self.nodes and self.ppn and self.sizes)
        needed = {"speedup": self.over in LIBRARIES, "machines": self.against != "", "time": True}
        if self.kind == "none" and not self.why:
            raise ValueError("say why nothing is simulated")
        if self.kind != "none" and not (call and needed[self.kind]):
            raise ValueError("say what is to be simulated")
        return self


class Published(BaseModel):
    """The file."""

    model_config = ConfigDict(extra="forbid")
    sources: dict[str, str]
    figure: list[Figure]


@dataclass(frozen=True)
class Compared:
    """A simulated value for a figure."""

    how: str  # by whose algorithms
    value: float
    ratio: float  # simulated over published


def read() -> Published:
    """All figures."""
    return Published.model_validate(tomllib.loads(FILE.read_text(encoding="utf-8")))


def simulated(figure: Figure, simulate: Simulate) -> list[Compared]:
    """What the simulation says of it; nothing, if it cannot."""
    if figure.kind == "time":
        return _times(figure, simulate)
    if figure.kind == "speedup":
        return [_compared(figure, f"fastest, over {LIBRARIES[figure.over]}",
                          _speedup(figure, simulate))]  # fmt: skip
    if figure.kind == "machines":
        here, there = (
            next(iter(simulate(_request(figure, machine, ["selected"])))).completion_us
            for machine in (figure.machine, figure.against)
        )
        return [_compared(figure, DUNLIN, here / there)]
    return []


def told(figure: Figure, value: float) -> str:
    """A value in the unit of its figure."""
    return words.microseconds(value) if figure.kind == "time" else words.times(value)


def _request(figure: Figure, machine: str, algorithms: list[str]) -> Request:
    return Request(
        machine, [figure.operation], [figure.nodes], [figure.ppn], figure.sizes, algorithms,
        give_up=GIVE_UP, events_max=EVENTS_MAX,
    )  # fmt: skip


def _times(figure: Figure, simulate: Simulate) -> list[Compared]:
    found = simulate(_request(figure, figure.machine, ["selected", *LIBRARIES]))
    by = {result.library: result.completion_us for result in found}
    # Of one message all have the same.
    if figure.nodes * figure.ppn == 2:
        return [_compared(figure, DUNLIN, by[None])]
    named = {**{name: by[key] for key, name in LIBRARIES.items()}, DUNLIN: by[None]}
    return [_compared(figure, name, us) for name, us in named.items()]


def _speedup(figure: Figure, simulate: Simulate) -> float:
    """The largest over all sizes, as publications say it."""
    found = list(simulate(_request(figure, figure.machine, ["selected", "all", figure.over])))

    def at(size: int) -> float:
        own = [r for r in found if r.bytes == size]
        slow = next(r.completion_us for r in own if r.library)
        return slow / min(r.completion_us for r in own if not r.library)

    return max(map(at, figure.sizes))


def _compared(figure: Figure, how: str, value: float) -> Compared:
    return Compared(how, value, value / figure.value)
