import math

import numpy as np
import pytest
from scipy import stats as reference

from dunlin import stats


def test_two_launches_cover_the_median_half_of_the_time() -> None:
    interval = stats.median_interval([3.0, 1.0])
    assert (interval.low, interval.high) == (1.0, 3.0)
    assert interval.level == pytest.approx(0.5)


def test_one_launch_covers_nothing() -> None:
    assert stats.median_interval([2.0]).level == 0.0


def test_six_launches_reach_ninety_five_percent() -> None:
    interval = stats.median_interval([1, 2, 3, 4, 5, 6])
    assert (interval.low, interval.high) == (1.0, 6.0)
    assert interval.level == pytest.approx(1 - 2 / 64)


def test_the_interval_of_the_median_covers_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    drawn = np.sort(rng.lognormal(0.0, 1.0, (4000, 9)), axis=1)
    interval = stats.median_interval(drawn[0])
    rank = int(np.searchsorted(drawn[0], interval.low))
    covered = ((drawn[:, rank] <= 1.0) & (drawn[:, 8 - rank] >= 1.0)).mean()
    assert covered == pytest.approx(interval.level, abs=0.015)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 3), (4, 6), (7, 5)])
def test_the_rank_sums_distribution_is_that_of_the_exact_test(n: int, m: int) -> None:
    cdf = stats._rank_sum_cdf(n, m)
    assert cdf[-1] == pytest.approx(1.0)
    for u in range(n * m + 1):
        # scipy has no cumulative function; its one-sided p of a sample with this U is the same.
        low, high = _sample_with_u(n, m, u)
        p = reference.mannwhitneyu(low, high, alternative="less", method="exact").pvalue
        assert cdf[u] == pytest.approx(p)


def _sample_with_u(n: int, m: int, u: int) -> tuple[list[float], list[float]]:
    """Values of which exactly u pairs have the first above the second."""
    second = [float(i) for i in range(1, m + 1)]
    first = []
    left = u
    for i in range(n):
        above = min(m, left)
        left -= above
        first.append(above + 0.5 + i * 1e-3)
    return first, second


def test_a_ratio_is_the_median_of_all_pairs_and_its_interval_holds_it() -> None:
    ratio = stats.ratio([1.0, 2.0, 4.0], [2.0, 4.0, 8.0])
    assert ratio.value == pytest.approx(2.0)
    assert ratio.value in ratio.interval


def test_the_interval_of_a_ratio_agrees_with_the_rank_test() -> None:
    rng = np.random.default_rng(2)
    for _ in range(200):
        a, b = rng.lognormal(0, 0.2, 6), rng.lognormal(0.25, 0.2, 6)
        ratio = stats.ratio(a, b)
        significant = ratio.p <= 1 - ratio.interval.level + 1e-12
        assert significant == (1.0 not in ratio.interval)


@pytest.mark.parametrize("launches", [3, 8, 9, 20])
def test_the_rank_test_reaches_the_smallest_p_there_is(launches: int) -> None:
    """With more than eight launches too, where a normal approximation would be ten times above."""
    a, b = np.arange(1.0, launches + 1), np.arange(101.0, launches + 101)
    assert stats.rank_test(a, b) == pytest.approx(stats.smallest_p(launches, launches))


def test_a_ratio_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        stats.ratio([1.0], [0.0])
    with pytest.raises(ValueError, match="both sides"):
        stats.ratio([], [1.0])


def test_holm_multiplies_the_smallest_by_all_and_never_falls() -> None:
    assert stats.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_launches_needed_for_many_sizes() -> None:
    assert stats.launches_needed(1) == 4
    needed = stats.launches_needed(20)
    assert stats.smallest_p(needed, needed) * 20 <= 0.05
    assert stats.smallest_p(needed - 1, needed - 1) * 20 > 0.05


def test_scatter_is_assumed_where_every_group_has_one_launch() -> None:
    assert stats.scatter([np.array([1.0]), np.array([2.0])]).sigma == stats.SIGMA_ASSUMED


def test_scatter_is_pooled_within_groups_and_not_between_them() -> None:
    groups = [np.exp(np.array([0.0, 0.2])), 1000 * np.exp(np.array([0.0, 0.2]))]
    pooled = stats.scatter(groups)
    assert pooled.sigma == pytest.approx(math.sqrt(0.02))
    assert pooled.freedom == 2


def test_twice_and_half_make_one() -> None:
    assert stats.geometric_mean([2.0, 0.5]) == pytest.approx(1.0)


def test_false_discoveries_are_adjusted_by_their_rank() -> None:
    assert stats.false_discovery([0.01, 0.04, 0.03, 0.5]) == pytest.approx(
        [0.04, 0.04 * 4 / 3, 0.04 * 4 / 3, 0.5]
    )
    assert stats.false_discovery([]) == []


def test_the_interval_of_a_mean_ratio_is_even_on_both_sides() -> None:
    interval = stats.mean_interval([0.5, 1.0, 2.0])
    assert interval.low * interval.high == pytest.approx(1.0)
    assert interval.high == pytest.approx(np.exp(4.302653 * np.log(2) / np.sqrt(3)))
