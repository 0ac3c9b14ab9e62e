"""Glicko-2, Mark Glickman's rating system: a rating, how sure it is, and how steady the player.

After Glickman, "Example of the Glicko-2 system" (2013); the steps below carry its numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

INITIAL_RATING = 1500.0
"""Everybody's first rating."""
_SCALE = 173.7178
TAU = 0.5
"""How fast the volatility may change."""
INITIAL_DEVIATION = 350.0
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Glicko:
    """A rating, its deviation (half the width of a 95 % interval is twice that), and the volatility."""

    rating: float = INITIAL_RATING
    deviation: float = INITIAL_DEVIATION
    volatility: float = 0.06

    @property
    def provisional(self) -> bool:
        """Whether too few games stand behind the rating to rank it."""
        return self.deviation > 110

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.rating - 2 * self.deviation, self.rating + 2 * self.deviation


def update(player: Glicko, games: Sequence[tuple[Glicko, float]], *, tau: float = TAU) -> Glicko:
    """Return a player's rating after the games of one period: opponents, and 1, one half or 0 points."""
    # Step 2: onto the Glicko-2 scale.
    mu, phi = (player.rating - INITIAL_RATING) / _SCALE, player.deviation / _SCALE
    if not games:
        return _back(mu, sqrt(phi**2 + player.volatility**2), player.volatility)
    # Step 3 and 4: what the games tell, and in which direction.
    information = surprise = 0.0
    for opponent, points in games:
        weight = _weight(opponent.deviation / _SCALE)
        chance = 1 / (1 + exp(-weight * (mu - (opponent.rating - INITIAL_RATING) / _SCALE)))
        information += weight**2 * chance * (1 - chance)
        surprise += weight * (points - chance)
    variance = 1 / information
    # Step 5: the new volatility.
    volatility = _volatility(phi, player.volatility, variance, variance * surprise, tau)
    # Step 6 and 7: the new deviation and rating.
    wider = sqrt(phi**2 + volatility**2)
    deviation = 1 / sqrt(1 / wider**2 + 1 / variance)
    return _back(mu + deviation**2 * surprise, deviation, volatility)


def rate_game(one: Glicko, two: Glicko, points: float) -> tuple[Glicko, Glicko]:
    """Return both ratings after a single game, in which `one` got so many points."""
    return update(one, [(two, points)]), update(two, [(one, 1 - points)])


def _weight(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _back(mu: float, phi: float, volatility: float) -> Glicko:
    return Glicko(mu * _SCALE + INITIAL_RATING, min(INITIAL_DEVIATION, phi * _SCALE), volatility)


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Find the volatility that explains the results best, by the Illinois method."""
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
