"""Statistics for measurements whose unit is the launch: nothing here assumes a normal distribution,
and with few launches the answer says how sure it can be, not how sure one would like to be."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, exp, sqrt
from typing import Literal

import numpy as np
import scipy
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEVEL = 0.95
# Beyond this many pairs the normal approximation of the rank sum is exact to three digits. Below
# it is not in the tails, which is where a correction for many points looks.
PAIRS_EXACT_MAX = 400
# The median of n normal values scatters this much more than their mean: sqrt(pi / 2).
MEDIAN_OVER_MEAN = 1.2533


@dataclass(frozen=True, slots=True)
class Interval:
    """A range that covers the true value in `level` of all studies like this one."""

    low: float
    high: float
    level: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def inside(self, low: float, high: float) -> bool:
        """Does the whole interval lie between these two?"""
        return low <= self.low and self.high <= high


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times B is A, with its interval and the chance of seeing as much by luck."""

    value: float
    interval: Interval
    p: float


@lru_cache(maxsize=1024)
def _median_rank(n: int, level: float) -> tuple[int, float]:
    """The k for which the k-th smallest and k-th largest of n values enclose the median with at
    least `level`; the outermost pair, and what it does cover, where n is too small for that."""
    covered = [1.0 - 2.0 * float(scipy.special.bdtr(k - 1, n, 0.5)) for k in range(1, n // 2 + 1)]
    enough = [k for k, c in enumerate(covered, 1) if c >= level]
    if enough:
        return enough[-1], covered[enough[-1] - 1]
    return 1, max(0.0, covered[0]) if covered else 0.0


def median(values: Sequence[float] | Array) -> float:
    """Of a few values; for those a list is several times faster than an array."""
    ordered = sorted(values.tolist() if isinstance(values, np.ndarray) else values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return float(ordered[middle])
    return float((ordered[middle - 1] + ordered[middle]) / 2.0)


def median_interval(values: Sequence[float] | Array, level: float = LEVEL) -> Interval:
    """The distribution-free interval of the median from order statistics. Two launches reach a
    level of 50 %, five 94 %, six or more the 95 % asked for."""
    ordered = np.sort(np.asarray(values, dtype=float))
    if len(ordered) == 0:
        raise ValueError("an interval needs at least one value, and got none")
    rank, covered = _median_rank(len(ordered), level)
    return Interval(float(ordered[rank - 1]), float(ordered[len(ordered) - rank]), covered)


@lru_cache(maxsize=256)
def _rank_sum_cdf(n: int, m: int) -> Array:
    """P(U <= u) of the Mann-Whitney statistic, from its generating function
    prod (1 - x^(m+i)) / (1 - x^i)."""
    counts = np.zeros(n * m + 1)
    counts[0] = 1.0
    for i in range(1, n + 1):
        factor = m + i
        if factor <= n * m:
            counts[factor:] = counts[factor:] - counts[:-factor]
        for u in range(i, n * m + 1):
            counts[u] += counts[u - i]
    return np.asarray(np.cumsum(counts) / comb(n + m, n))


@lru_cache(maxsize=256)
def _ratio_rank(n: int, m: int, level: float) -> tuple[int, float]:
    """Like `_median_rank`, for the n*m pairwise ratios: the rank test turned inside out."""
    if n * m <= PAIRS_EXACT_MAX:
        cdf = _rank_sum_cdf(n, m)
        tail = [float(cdf[k - 1]) for k in range(1, n * m // 2 + 1)]
    else:
        scale = (n * m * (n + m + 1) / 12.0) ** 0.5
        ranks = np.arange(1, n * m // 2 + 1)
        tail = scipy.special.ndtr((ranks - 0.5 - n * m / 2.0) / scale).tolist()
    enough = [k for k, t in enumerate(tail, 1) if 1.0 - 2.0 * t >= level]
    if enough:
        return enough[-1], 1.0 - 2.0 * tail[enough[-1] - 1]
    return 1, max(0.0, 1.0 - 2.0 * tail[0]) if tail else 0.0


def ratio(a: Sequence[float] | Array, b: Sequence[float] | Array, level: float = LEVEL) -> Ratio:
    """B over A by Hodges and Lehmann: the median of all pairwise ratios, with the interval that
    belongs to the Mann-Whitney test. All values must be positive."""
    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if len(first) == 0 or len(second) == 0:
        raise ValueError("a ratio needs values on both sides")
    if min(first.min(), second.min()) <= 0:
        raise ValueError("a ratio needs positive values on both sides")
    pairs = np.sort((np.log(second)[:, None] - np.log(first)[None, :]).ravel())
    rank, covered = _ratio_rank(len(first), len(second), level)
    interval = Interval(exp(pairs[rank - 1]), exp(pairs[len(pairs) - rank]), covered)
    return Ratio(exp(float(np.median(pairs))), interval, rank_test(first, second))


def rank_test(a: Sequence[float] | Array, b: Sequence[float] | Array) -> float:
    """Mann-Whitney, two-sided: the chance of a difference like this where there is none."""
    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    different = len(np.unique(np.concatenate([first, second])))
    if different == 1:
        return 1.0
    ties = different < len(first) + len(second)
    exact = not ties and len(first) * len(second) <= PAIRS_EXACT_MAX
    method: Literal["exact", "auto"] = "exact" if exact else "auto"
    # Only here: it takes longer to load than everything else, and most commands never need it.
    from scipy.stats import mannwhitneyu

    test = mannwhitneyu(first, second, alternative="two-sided", method=method)
    return float(test.pvalue)


def smallest_p(launches_a: int, launches_b: int) -> float:
    """What the rank test gives when every launch of one side beats every launch of the other."""
    return min(1.0, 2.0 / comb(launches_a + launches_b, launches_a))


def launches_needed(tests: int, alpha: float = 1.0 - LEVEL) -> int:
    """With how many launches per side one of `tests` corrected tests can be significant at all."""
    launches = 1
    while smallest_p(launches, launches) * tests > alpha:
        launches += 1
    return launches


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: the chance of even one false alarm among all tests stays at alpha."""
    order = np.argsort(p_values)
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for position, index in enumerate(order):
        highest = max(highest, (len(p_values) - position) * p_values[index])
        adjusted[index] = min(1.0, highest)
    return adjusted


def false_discovery(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's correction: of what it lets pass at alpha, no more than that share
    is luck. For maps with many fields, of which no single one is acted on."""
    if not len(p_values):
        return []
    # Only here, as in `rank_test`.
    from scipy.stats import false_discovery_control

    return [float(p) for p in false_discovery_control(p_values, method="bh")]


def geometric_mean(values: Sequence[float] | Array) -> float:
    """The mean of ratios: twice and half make one."""
    return exp(float(np.mean(np.log(np.asarray(values, dtype=float)))))


def mean_interval(ratios: Sequence[float] | Array, level: float = LEVEL) -> Interval:
    """Student's interval of the geometric mean of several ratios."""
    logs = np.log(np.asarray(ratios, dtype=float))
    reach = float(scipy.special.stdtrit(len(logs) - 1, 0.5 + level / 2))
    half = reach * float(logs.std(ddof=1)) / sqrt(len(logs))
    middle = float(logs.mean())
    return Interval(exp(middle - half), exp(middle + half), level)


@dataclass(frozen=True, slots=True)
class Scatter:
    """How much launches of the same thing differ, as the standard deviation of their logarithm."""

    sigma: float
    freedom: float

    def p_above(self, statistic: float) -> float:
        """The chance that a difference of nothing reaches this many standard errors."""
        return float(np.asarray(scipy.special.stdtr(max(1.0, self.freedom), -statistic)))


# What launches scatter by where the data cannot say it (one launch each, as in imported tables).
# Wide on purpose: a finding from such data has to be plain to see.
SIGMA_ASSUMED = 0.10
# Less than this nobody's machine repeats; it also keeps three equal values from proving anything.
SIGMA_LEAST = 0.02
FREEDOM_ASSUMED = 10.0


def scatter(groups: Sequence[Array]) -> Scatter:
    """The scatter pooled over groups of launches; each group is the same thing measured again."""
    squares, freedom = 0.0, 0
    for launches in {len(group) for group in groups} - {0, 1}:
        logs = np.log(np.asarray([group for group in groups if len(group) == launches]))
        squares += float(((logs - logs.mean(axis=1, keepdims=True)) ** 2).sum())
        freedom += len(logs) * (launches - 1)
    if freedom == 0:
        return Scatter(SIGMA_ASSUMED, FREEDOM_ASSUMED)
    return Scatter(max(SIGMA_LEAST, (squares / freedom) ** 0.5), freedom)


def log_error(launches: int, sigma: float) -> float:
    """The standard error of the logarithm of a median of so many launches."""
    factor = MEDIAN_OVER_MEAN if launches > 2 else 1.0
    return factor * sigma / sqrt(launches)
