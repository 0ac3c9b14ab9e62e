"""Intervals, medians and differences, against values computed by hand or known from the literature."""

from __future__ import annotations

from random import Random

import pytest

from taiji.study.estimates import Estimate, difference, grouped_median, mean, median, share


def test_wilson_interval() -> None:
    # 8 of 10: Wilson's 95 % interval is 0.490 to 0.943.
    estimate = share(8, 10)
    assert estimate.value == 0.8
    assert (round(estimate.low, 3), round(estimate.high, 3)) == (0.49, 0.943)


@pytest.mark.parametrize(("points", "count"), [(0, 7), (7, 7), (3.5, 7), (0, 0)])
def test_a_share_stays_within_0_and_1(points: float, count: int) -> None:
    estimate = share(points, count)
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


def test_mean() -> None:
    estimate = mean([1.0, 2.0, 3.0])
    assert estimate.value == 2
    assert estimate.high - 2 == pytest.approx(1.96 / 3**0.5, rel=1e-3)


def test_grouped_median_splits_its_step() -> None:
    # 2 below, 4 at 1, 4 above: the middle is three quarters of the way through the step from 0.5 to 1.5.
    assert grouped_median([(0, 2), (1, 4), (2, 4)], 1.0) == 1.25
    assert grouped_median([(-3, 5)], 1.0) == -3


def test_the_bootstrap_interval_covers_the_truth_as_often_as_it_says() -> None:
    random = Random(5)
    covered = 0
    for trial in range(60):
        values = [float(round(random.gauss(0.0, 3.0))) for _ in range(100)]
        estimate = median(values, seed=trial)
        covered += estimate.low <= 0 <= estimate.high
    assert covered >= 51  # 57 expected; fewer than 51 has a chance below 1 %


def test_the_bootstrap_depends_on_the_seed_only() -> None:
    values = [0.0, 1.0, 1.0, 2.0, 5.0]
    assert median(values, 3) == median(values, 3)


def test_difference_by_newcombe() -> None:
    # 56/70 against 48/80, Newcombe 1998, method 10: 0.2, 0.0524 to 0.3339.
    estimate = difference(share(56, 70), share(48, 80))
    assert [round(part, 4) for part in (estimate.value, estimate.low, estimate.high)] == [0.2, 0.0524, 0.3339]
    assert Estimate.from_json(estimate.to_json()).value == pytest.approx(0.2)
