"""Comparing two libraries, profiles or whole studies point by point. Every ratio is a ratio of
costs: above one, B is slower than A, whether a time, a bandwidth or a rate was measured."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from dunlin import stats, summary
from dunlin.errors import DunlinError
from dunlin.stats import Array, Ratio
from dunlin.summary import Cell, Key, Study

Verdict = Literal["faster", "slower", "same", "unclear"]

# A difference smaller than this is nothing to act on, even where it is certain.
SMALLEST_EFFECT = 1.03
ALPHA = 1.0 - stats.LEVEL


def _verdict(ratio: Ratio, p: float, smallest: float) -> Verdict:
    certain = p < ALPHA
    if certain and ratio.value >= smallest:
        return "slower"
    if certain and ratio.value <= 1.0 / smallest:
        return "faster"
    sure = ratio.interval.level >= stats.LEVEL
    return "same" if sure and ratio.interval.inside(1.0 / smallest, smallest) else "unclear"


@dataclass(frozen=True)
class Side:
    """What stands on one side: its name, its cells, what all of them have in common."""

    name: str
    cells: tuple[Cell, ...]
    library: str | None = None
    profile: str | None = None


@dataclass(frozen=True)
class Row:
    """One point measured on both sides. `p` is corrected for all points compared with it."""

    key: Key
    a: Cell
    b: Cell
    ratio: Ratio
    p: float
    smallest: float

    @property
    def verdict(self) -> Verdict:
        """In a word: what the data can carry and no more."""
        return _verdict(self.ratio, self.p, self.smallest)

    @property
    def costs(self) -> tuple[Array, Array]:
        """The launches of both sides."""
        return self.a.costs, self.b.costs


@dataclass(frozen=True)
class Overall:
    """A benchmark at one layout over all of its sizes: each launch counts once."""

    key: Key
    sizes: int
    costs: tuple[Array, Array]
    ratio: Ratio
    p: float
    smallest: float

    @property
    def verdict(self) -> Verdict:
        """In a word; what is certain but too small to be named stays unnamed."""
        return _verdict(self.ratio, self.p, self.smallest)

    @property
    def launches(self) -> tuple[int, int]:
        """Of both sides."""
        return len(self.costs[0]), len(self.costs[1])


@dataclass(frozen=True)
class Comparison:
    """All rows and the benchmarks' totals."""

    a: Side
    b: Side
    rows: tuple[Row, ...]
    overall: tuple[Overall, ...]

    @cached_property
    def ratio(self) -> float:
        """The geometric mean over all points."""
        return stats.geometric_mean([row.ratio.value for row in self.rows])

    def slower_than(self, limit: float) -> list[Row | Overall]:
        """What is certainly slower by more than the limit: points, and whole benchmarks. Two
        families of tests, each corrected by itself: of both sides' alarms half are for slower."""
        return [*_beyond(self.rows, limit), *_beyond(self.overall, limit)]

    @property
    def decidable(self) -> bool:
        """Are there launches enough for any difference, however large, to be significant?"""
        return any(
            stats.smallest_p(row.a.launches, row.b.launches) * len(self.rows) < ALPHA
            for row in self.rows
        ) or any(
            stats.smallest_p(*one.launches) * len(self.overall) < ALPHA for one in self.overall
        )

    @property
    def launches_needed(self) -> int:
        """Of each side, for anything to be significant: the smaller family of tests decides."""
        families = [len(self.rows), len(self.overall)]
        return stats.launches_needed(min(count for count in families if count))


def side(text: str, default: Path) -> Side:
    """What an operand names: a study (`DIRECTORY`), a library in one (`DIRECTORY@LIBRARY`,
    `DIRECTORY@LIBRARY/PROFILE`), or a library in the default study (`LIBRARY/PROFILE`)."""
    if _is_study(Path(text)):
        return Side(text, tuple(summary.load(Path(text)).judged))
    directory, separator, name = text.rpartition("@")
    study = summary.load(Path(directory or default) if separator else default)
    return _library(study, name if separator else text)


def _beyond(found: Sequence[Row | Overall], limit: float) -> list[Row | Overall]:
    """B beside an A that takes `limit` times as long: certain against one is not certain against
    the limit."""
    tests = [stats.rank_test(limit * one.costs[0], one.costs[1]) for one in found]
    corrected = stats.holm(tests)
    return [
        one for one, p in zip(found, corrected, strict=True)
        if p < ALPHA and one.ratio.value > limit
    ]  # fmt: skip


def _is_study(path: Path) -> bool:
    return (path / "study.duckdb").exists() or (path / "raw").is_dir()


def _library(study: Study, name: str) -> Side:
    library, _, profile = name.partition("/")
    cells = [c for c in study.judged if c.key.library == library]
    if not cells:
        raise DunlinError(
            f"`{library}` is neither a directory with a study nor a library of this one; it has "
            f"{', '.join(study.values_of('library')) or 'no measurement at all'}"
        )
    if profile:
        cells = [c for c in cells if c.key.profile == profile]
        if not cells:
            raise DunlinError(f"nothing was measured of {library} with the profile `{profile}`")
    return Side(name, tuple(cells), library, profile or None)


def compare(a: Side, b: Side, smallest: float = SMALLEST_EFFECT) -> Comparison:
    """Matches what both sides measured and tests every point; corrects for testing many."""
    first, second = _matchable(a, b)
    shared = sorted(set(first) & set(second))
    if not shared:
        raise DunlinError(f"{a.name} and {b.name} have no point in common to compare")
    ratios = [stats.ratio(first[k].costs, second[k].costs) for k in shared]
    corrected = stats.holm([r.p for r in ratios])
    rows = tuple(
        Row(k, first[k], second[k], r, p, smallest)
        for k, r, p in zip(shared, ratios, corrected, strict=True)
    )
    return Comparison(a, b, rows, _overall(rows, smallest))


def _matchable(a: Side, b: Side) -> tuple[dict[Key, Cell], dict[Key, Cell]]:
    """Cells by what must agree. Where each side is one library, its name need not; likewise its
    profile, its version of the system's name."""
    drop: dict[str, str] = {}
    for name, values_a, values_b in (
        ("library", _values(a, "library"), _values(b, "library")),
        ("profile", _values(a, "profile"), _values(b, "profile")),
        ("system", _values(a, "system"), _values(b, "system")),
    ):
        if len(values_a) == 1 and len(values_b) == 1:
            drop[name] = ""
    return _by_key(a, drop), _by_key(b, drop)


def _by_key(side_: Side, drop: dict[str, str]) -> dict[Key, Cell]:
    return {replace(c.key, **drop): c for c in side_.cells}  # type: ignore[arg-type]


def _values(side_: Side, name: str) -> set[str]:
    return {getattr(cell.key, name) for cell in side_.cells}


def _overall(rows: Sequence[Row], smallest: float) -> tuple[Overall, ...]:
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(replace(row.key, bytes=-1), []).append(row)
    found = []
    for key, members in groups.items():
        launches_a, launches_b = _means([r.a for r in members]), _means([r.b for r in members])
        if len(members) > 1 and len(launches_a) and len(launches_b):
            ratio = stats.ratio(launches_a, launches_b)
            found.append((key, len(members), (launches_a, launches_b), ratio))
    corrected = stats.holm([ratio.p for _, _, _, ratio in found])
    return tuple(
        Overall(key, sizes, costs, ratio, p, smallest)
        for (key, sizes, costs, ratio), p in zip(found, corrected, strict=True)
    )


def _means(cells: Sequence[Cell]) -> Array:
    """For each launch that has every size the geometric mean over them."""
    complete = set(cells[0].run_ids).intersection(*(c.run_ids for c in cells[1:]))
    logs = [
        [float(np.log(v)) for r, v in zip(c.run_ids, c.costs, strict=True) if r in complete]
        for c in cells
    ]
    return np.exp(np.asarray(logs).mean(axis=0)) if complete else np.array([])
