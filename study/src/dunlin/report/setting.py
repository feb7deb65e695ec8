"""What was measured, where and with what: the tables at the end of the page, made of what every
launch recorded of itself."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dunlin import words
from dunlin.model import Run
from dunlin.summary import Cell, Study

SETTINGS_SHOWN = 16
LAYOUTS_SHOWN = 24


@dataclass(frozen=True)
class Fact:
    """A line of the table of systems: one text for each system."""

    name: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class LibraryFact:
    """A library with a profile, as launches met it."""

    library: str
    profile: str
    version: str
    settings: str
    command: str
    launches: int
    failed: int


def distinct(values: Iterable[object]) -> str:
    """The different ones of them, sorted; what is not known is left out."""
    return ", ".join(sorted({str(v) for v in values if v not in (None, "")}))


def _recorded(name: str) -> Callable[[Sequence[Run], Sequence[Cell]], str]:
    return lambda runs, _cells: distinct(run.machine.get(name) for run in runs)


def _memory(runs: Sequence[Run], _cells: Sequence[Cell]) -> str:
    sizes = [run.machine.get("memory_kib") for run in runs]
    return distinct(words.size(s * words.KIB) for s in sizes if isinstance(s, int | float))


def _threads(runs: Sequence[Run], _cells: Sequence[Cell]) -> str:
    found = {run.machine.get("threads_per_core") for run in runs} - {None}
    return distinct("off" if n == 1 else f"{n} per core" for n in found)


def _layouts(runs: Sequence[Run], _cells: Sequence[Cell]) -> str:
    layouts = sorted({(run.nodes, run.ranks_per_node) for run in runs})
    shown = [f"{nodes}:{ranks}" for nodes, ranks in layouts[:LAYOUTS_SHOWN]]
    more = len(layouts) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _benchmarks(runs: Sequence[Run], _cells: Sequence[Cell]) -> str:
    return distinct(run.benchmark for run in runs)


def _sizes(_runs: Sequence[Run], cells: Sequence[Cell]) -> str:
    sizes = sorted({c.key.bytes for c in cells} - {0})
    if len(sizes) <= 4:
        return ", ".join(words.size(s) for s in sizes)
    return f"{len(sizes)} from {words.size(sizes[0])} to {words.size(sizes[-1])}"


def _launches(runs: Sequence[Run], _cells: Sequence[Cell]) -> str:
    bad = sum(run.status != "ok" for run in runs)
    return f"{len(runs)}" + (f", {bad} of them without figures" if bad else "")


def when(runs: Sequence[Run], _cells: Sequence[Cell] = ()) -> str:
    """The days from the first launch to the last."""
    if not runs:
        return ""
    days = [f"{r.started.day} {r.started:%B %Y}" for r in sorted(runs, key=lambda r: r.started)]
    return days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"


_FACTS: tuple[tuple[str, Callable[[Sequence[Run], Sequence[Cell]], str]], ...] = (
    ("Model, simulated", _recorded("model")),
    ("Processor", _recorded("cpu")),
    ("Architecture", _recorded("architecture")),
    ("Cores", _recorded("cores")),
    ("Usable cores", _recorded("usable_cores")),
    ("Cores granted by the control group", _recorded("cgroup_cores")),
    ("Hardware threads", _threads),
    ("Memory", _memory),
    ("Operating system", _recorded("system")),
    ("Kernel", _recorded("kernel")),
    ("Frequency governor", _recorded("governor")),
    ("Huge pages", _recorded("huge_pages")),
    ("Clock source", _recorded("clock_source")),
    ("Nodes:ranks per node", _layouts),
    ("Benchmarks", _benchmarks),
    ("Sizes", _sizes),
    ("Launches", _launches),
    ("Measured", when),
)


def facts(study: Study) -> tuple[list[str], list[Fact]]:
    """The systems, and for each line of their table a text for each of them."""
    systems = sorted({run.system for run in study.runs})
    columns = [
        ([r for r in study.runs if r.system == s], [c for c in study.cells if c.key.system == s])
        for s in systems
    ]
    found = [Fact(name, tuple(tell(*own) for own in columns)) for name, tell in _FACTS]
    return systems, [fact for fact in found if any(fact.texts)]


def libraries(runs: Sequence[Run]) -> list[LibraryFact]:
    """What was measured, how it was set, and how often it went wrong."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.library, run.profile), []).append(run)
    return [
        LibraryFact(
            library, profile,
            distinct(f"{r.vendor} {r.library_version}".strip() for r in members),
            _settings(members), " ".join(members[0].command),
            len(members), sum(r.status != "ok" for r in members),
        )
        for (library, profile), members in sorted(groups.items())
    ]  # fmt: skip


def _settings(runs: Sequence[Run]) -> str:
    """The variables that all of these launches had alike."""
    same = set.intersection(*(set(run.environment.items()) for run in runs))
    shown = [f"{name}={value}" for name, value in sorted(same)]
    more = len(shown) - SETTINGS_SHOWN
    return " ".join(shown[:SETTINGS_SHOWN]) + (f" and {more} more" if more > 0 else "")
