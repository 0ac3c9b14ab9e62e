"""The sequential probability ratio test: stop a match as soon as the question is answered."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from taiji.arena.elo import PairScore, expected_score


@dataclass(frozen=True, slots=True)
class Sprt:
    """Asks whether one side is at least `high` Elo stronger rather than at most `low`."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    """How often a side no stronger than `low` may pass."""
    beta: float = 0.05
    """How often a side as strong as `high` may fail."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"SPRT: the upper bound {self.elo1:g} must exceed the lower bound {self.elo0:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("SPRT: error rates lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test fails and passes."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def llr(self, tally: PairScore) -> float:
        """Return the log-likelihood ratio of the results so far (normal approximation over pairs)."""
        count = len(tally.points)
        if count < 2:
            return 0.0
        variance = tally.standard_error**2 * count
        one, two = expected_score(self.elo0), expected_score(self.elo1)
        return count * (two - one) * (2 * tally.score - one - two) / (2 * variance)

    def verdict(self, tally: PairScore) -> bool | None:
        """Tell whether the stronger claim is accepted (True), rejected (False) or still open (None)."""
        fail, passed = self.bounds
        ratio = self.llr(tally)
        if ratio >= passed:
            return True
        return False if ratio <= fail else None
