"""Estimates with 95 % intervals: shares, means, medians, and differences between two of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev

Z = 1.959964
"""The normal quantile of a 95 % interval."""
RESAMPLES = 400
MAX_DRAWS = 4_000_000
"""Maximum number of margins that the bootstrap of one cell draws."""
MIN_RESAMPLES = 100


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95 % interval."""

    value: float
    low: float
    high: float

    def to_json(self) -> list[float]:
        """Return value, low and high, rounded."""
        return [round(self.value, 5), round(self.low, 5), round(self.high, 5)]

    @classmethod
    def from_json(cls, data: Sequence[float]) -> Estimate:
        """Parse what `to_json` wrote."""
        value, low, high = data
        return cls(value, low, high)


def share(points: float, count: int) -> Estimate:
    """Return a share of `count` games by Wilson's interval; `points` may contain halves."""
    if not count:
        return Estimate(0.5, 0.0, 1.0)
    p, z2 = points / count, Z * Z
    centre = (p + z2 / (2 * count)) / (1 + z2 / count)
    half = Z / (1 + z2 / count) * sqrt(p * (1 - p) / count + z2 / (4 * count * count))
    return Estimate(p, max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half)))


def mean(values: Sequence[float]) -> Estimate:
    """Return a mean with the interval of the normal approximation."""
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    value = fmean(values)
    half = Z * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
    return Estimate(value, value - half, value + half)


def grouped_median(counts: Sequence[tuple[float, float]], step: float) -> float:
    """Return the median of values on a grid, each spread evenly over its step.

    `counts` are values and their counts, sorted. At the result, as many lie above as below.
    """
    total = sum(count for _, count in counts)
    below = 0.0
    for value, count in counts:
        if count and below + count >= total / 2:
            return value - step / 2 + step * (total / 2 - below) / count
        below += count
    return counts[-1][0]


def median(values: Sequence[float], seed: int) -> Estimate:
    """Return the grouped median with a bootstrap interval."""
    counts = sorted(Counter(values).items())
    step = 0.5 if any(value % 1 for value, _ in counts) else 1.0
    centre = grouped_median(counts, step)
    random = Random(seed)
    support, weights = [value for value, _ in counts], [count for _, count in counts]
    resamples = max(MIN_RESAMPLES, min(RESAMPLES, MAX_DRAWS // len(values)))
    medians = sorted(
        grouped_median(sorted(Counter(random.choices(support, weights, k=len(values))).items()), step)
        for _ in range(resamples)
    )
    edge = round(0.025 * resamples)
    return Estimate(centre, min(centre, medians[edge]), max(centre, medians[-1 - edge]))


def difference(a: Estimate, b: Estimate) -> Estimate:
    """Return `a - b` for independent samples, by Newcombe's method on the two intervals."""
    value = a.value - b.value
    low = sqrt((a.value - a.low) ** 2 + (b.high - b.value) ** 2)
    high = sqrt((a.high - a.value) ** 2 + (b.value - b.low) ** 2)
    return Estimate(value, value - low, value + high)
