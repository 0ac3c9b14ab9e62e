"""Glicko-2, Mark Glickman's rating system: rating, deviation and volatility.

After Glickman, "Example of the Glicko-2 system" (2013); the steps below carry its numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

INITIAL_RATING = 1500.0
"""The rating of a new player."""
_SCALE = 173.7178
TAU = 0.5
"""Constrains the change of the volatility over time."""
INITIAL_DEVIATION = 350.0
MAX_CERTAIN_DEVIATION = 110.0
"""With a larger deviation a rating is provisional."""
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Glicko:
    """A rating, its deviation (a quarter of the width of its 95 % interval), and the volatility."""

    rating: float = INITIAL_RATING
    deviation: float = INITIAL_DEVIATION
    volatility: float = 0.06

    @property
    def provisional(self) -> bool:
        """Whether the deviation is too large to rank the player."""
        return self.deviation > MAX_CERTAIN_DEVIATION

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.rating - 2 * self.deviation, self.rating + 2 * self.deviation


def update(player: Glicko, games: Sequence[tuple[Glicko, float]], *, tau: float = TAU) -> Glicko:
    """Return a player's rating after one rating period; a game is an opponent and 1, 0.5 or 0 points."""
    # Step 2: convert to the Glicko-2 scale.
    mu, phi = (player.rating - INITIAL_RATING) / _SCALE, player.deviation / _SCALE
    if not games:
        return _back(mu, sqrt(phi**2 + player.volatility**2), player.volatility)
    # Steps 3 and 4: the variance and the improvement that the results estimate.
    information = surprise = 0.0
    for opponent, points in games:
        weight = _weight(opponent.deviation / _SCALE)
        expected = 1 / (1 + exp(-weight * (mu - (opponent.rating - INITIAL_RATING) / _SCALE)))
        information += weight**2 * expected * (1 - expected)
        surprise += weight * (points - expected)
    variance = 1 / information
    # Step 5: the new volatility.
    volatility = _volatility(phi, player.volatility, variance, variance * surprise, tau)
    # Steps 6 and 7: the new deviation and rating.
    wider = sqrt(phi**2 + volatility**2)
    deviation = 1 / sqrt(1 / wider**2 + 1 / variance)
    return _back(mu + deviation**2 * surprise, deviation, volatility)


def rate_game(one: Glicko, two: Glicko, points: float) -> tuple[Glicko, Glicko]:
    """Return both ratings after a single game in which `one` got `points`: 1, 0.5 or 0."""
    return update(one, [(two, points)]), update(two, [(one, 1 - points)])


def _weight(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _back(mu: float, phi: float, volatility: float) -> Glicko:
    return Glicko(mu * _SCALE + INITIAL_RATING, min(INITIAL_DEVIATION, phi * _SCALE), volatility)


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Return the new volatility, found by the Illinois method."""
    start = log(sigma**2)

    def slope(x: float) -> float:
        spread = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - start) / tau**2

    low = start
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        step = 1
        while slope(start - step * tau) < 0:
            step += 1
        high = start - step * tau
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _TOLERANCE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
