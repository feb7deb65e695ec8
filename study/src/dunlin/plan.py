"""From a study file to single launches, in the order in which they are done. Everything here is
determined by the file and its seed: a run that was killed finds out what is left by looking at what
is there."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from dunlin import turns
from dunlin.benchmarks import BENCHMARKS
from dunlin.studyfile import Study


@dataclass(frozen=True)
class Case:
    """What libraries and profiles are compared in: they take turns within one."""

    system: str
    nodes: int
    ranks_per_node: int
    benchmark: str
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Point:
    """One library under one profile in one case."""

    case: Case
    library: str
    profile: str

    def run_id(self, study: str, repetition: int) -> str:
        """The same launch has the same name, whoever does it and whenever: so none is done twice,
        and other settings of the file that do not concern it do not make it another."""
        case = self.case
        words = [
            study, case.system, self.library, self.profile, case.nodes, case.ranks_per_node,
            case.benchmark, list(case.sizes), repetition,
        ]  # fmt: skip
        digest = hashlib.sha256(json.dumps(words).encode()).hexdigest()[:12]
        return f"{case.benchmark}-{case.nodes}x{case.ranks_per_node}-{self.library}-{digest}"


@dataclass(frozen=True)
class Launch:
    """One launch of one point."""

    point: Point
    repetition: int
    order: int
    run_id: str


def cases_of(study: Study) -> dict[Case, list[Point]]:
    """All cases, and the points that are compared in each. What two blocks of the file ask for is
    measured once."""
    found: dict[Case, dict[Point, None]] = {}
    for block in study.measure:
        for system in block.systems or study.systems:
            for benchmark in block.benchmarks:
                for nodes, ranks in block.scales:
                    sized = benchmark not in study.programs and BENCHMARKS[benchmark].sized
                    sizes = tuple(block.sizes) if sized else ()
                    case = Case(system, nodes, ranks, benchmark, sizes)
                    points = found.setdefault(case, {})
                    for library in block.libraries or study.libraries:
                        for profile in block.profiles or study.profiles:
                            if study.profiles[profile].wants(library):
                                points[Point(case, library, profile)] = None
    return {case: list(points) for case, points in found.items() if points}


def repetitions_most(study: Study) -> int:
    """Launches of a point that never becomes certain."""
    return study.repeat.launches_max or study.repeat.launches


def round_of(study: Study, repetition: int) -> list[Launch]:
    """One repetition of everything, in turns."""
    points = list(turns.in_turns(cases_of(study).values(), f"{study.seed} {repetition}"))
    first = repetition * len(points)
    return [
        Launch(point, repetition, order, point.run_id(study.name, repetition))
        for order, point in enumerate(points, first)
    ]


def all_launches(study: Study) -> Iterator[Launch]:
    """Every launch that the file can lead to, round by round."""
    for repetition in range(repetitions_most(study)):
        yield from round_of(study, repetition)
