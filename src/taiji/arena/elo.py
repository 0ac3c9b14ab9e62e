"""Elo from results: scores with errors, rating differences, and Bradley–Terry ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import erf, inf, log, log10, sqrt

Z95 = 1.959964
"""Standard errors on each side of a 95 % interval."""


def expected_score(difference: float) -> float:
    """Return the expected score, 0 to 1, for a difference in Elo."""
    if difference < 0:
        return 1 - expected_score(-difference)
    return float(1 / (1 + 10 ** (-difference / 400)))


def elo_from_score(score: float) -> float:
    """Return the difference in Elo for a score from 0 to 1; infinite at the ends."""
    if score <= 0:
        return -inf
    if score >= 1:
        return inf
    return -400 * log10(1 / score - 1)


@dataclass(frozen=True, slots=True)
class PairScore:
    """The results of one side, with each pair of games from one opening as one observation.

    The two games of a pair are not independent, so the error is taken over pairs. If openings favour a
    colour, it is also smaller than the error over games.
    """

    points: tuple[float, ...] = ()
    """Mean score per pair, 0 to 1."""
    games: int = 0

    @property
    def score(self) -> float:
        """The mean score."""
        return sum(self.points) / len(self.points) if self.points else 0.5

    @property
    def standard_error(self) -> float:
        """The standard error of the score; above 0 even if all results are equal."""
        count = len(self.points)
        if count == 0:
            return 0.5
        mean = self.score
        spread = sum((point - mean) ** 2 for point in self.points)
        # A virtual pair with one loss and one win keeps 50 : 0 from looking certain.
        virtual = ((0 - mean) ** 2 + (1 - mean) ** 2) / 2
        return sqrt((spread + virtual) / (count + 1) / count)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score."""
        half = Z95 * self.standard_error
        return max(0.0, self.score - half), min(1.0, self.score + half)

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in Elo with its 95 % bounds."""
        low, high = self.interval
        return elo_from_score(self.score), elo_from_score(low), elo_from_score(high)

    @property
    def los(self) -> float:
        """Likelihood of superiority: the probability that this side is stronger."""
        return (1 + erf((self.score - 0.5) / (self.standard_error * sqrt(2)))) / 2


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's Elo in a field with mean 0; `error_95` is half the width of the 95 % interval."""

    player: str
    elo: float
    error_95: float
    games: int
    score: float


def bradley_terry(
    players: Sequence[str], scores: Mapping[tuple[str, str], tuple[float, float]], *, prior: float = 0.5
) -> list[Rating]:
    """Rate players from `scores[a, b] = (points of a, games)`, strongest first.

    Strengths maximise the Bradley–Terry likelihood by minorisation–maximisation; `prior` points won and
    lost against an average opponent keep an unbeaten player's rating finite. Errors come from the Fisher
    information.
    """
    index = {player: position for position, player in enumerate(players)}
    count = len(players)
    wins = [prior] * count
    met = [[0.0] * count for _ in range(count)]
    for (one, two), (points, games) in scores.items():
        a, b = index[one], index[two]
        wins[a] += points
        wins[b] += games - points
        met[a][b] += games
        met[b][a] += games
    strength = [1.0] * count
    for _ in range(2000):
        updated = []
        for a in range(count):
            weight = 2 * prior / (strength[a] + 1)
            weight += sum(met[a][b] / (strength[a] + strength[b]) for b in range(count) if met[a][b])
            updated.append(wins[a] / weight if weight else strength[a])
        change = max(abs(log(new / old)) for new, old in zip(updated, strength, strict=True))
        strength = updated
        if change < 1e-9:
            break
    scale = 400 / log(10)
    ratings = [scale * log(value) for value in strength]
    mean = sum(ratings) / count if count else 0.0
    return sorted(
        (
            Rating(
                player,
                ratings[a] - mean,
                Z95 * scale / sqrt(_information(strength, met, a, prior)),
                round(sum(met[a])),
                (wins[a] - prior) / sum(met[a]) if sum(met[a]) else 0.5,
            )
            for player, a in index.items()
        ),
        key=lambda rating: -rating.elo,
    )


def _information(strength: Sequence[float], met: Sequence[Sequence[float]], a: int, prior: float) -> float:
    s = strength[a]
    total = 2 * prior * s / (s + 1) ** 2
    for b, games in enumerate(met[a]):
        total += games * s * strength[b] / (s + strength[b]) ** 2
    return total
