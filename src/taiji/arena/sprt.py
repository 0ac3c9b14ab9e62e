"""The sequential probability ratio test (SPRT): stop as soon as a hypothesis is decided."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from taiji.arena.elo import PairScore, expected_score


@dataclass(frozen=True, slots=True)
class Sprt:
    """Tests H1, a difference of `elo1`, against H0, a difference of `elo0`."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    """Probability of accepting H1 although H0 is true."""
    beta: float = 0.05
    """Probability of accepting H0 although H1 is true."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"SPRT: elo1={self.elo1:g} (expected more than elo0={self.elo0:g})")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("SPRT: error rates must be between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def llr(self, score: PairScore) -> float:
        """Return the log-likelihood ratio of the results (normal approximation over pairs)."""
        count = len(score.points)
        if count < 2:
            return 0.0
        variance = score.standard_error**2 * count
        s0, s1 = expected_score(self.elo0), expected_score(self.elo1)
        return count * (s1 - s0) * (2 * score.score - s0 - s1) / (2 * variance)

    def verdict(self, score: PairScore) -> bool | None:
        """Return whether H1 is accepted (True), H0 is accepted (False) or neither yet (None)."""
        lower, upper = self.bounds
        llr = self.llr(score)
        if llr >= upper:
            return True
        return False if llr <= lower else None
