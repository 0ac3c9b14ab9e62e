"""What the games of a cell say: advantage, ties, margins, komi, length, branching, leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any

from taiji.study.estimates import Estimate, mean, median, share
from taiji.study.rows import WIN_UNIT, GameRow

LEAD_BAND = 0.1
"""A lead is a smoothed win probability outside 0.5 ± LEAD_BAND; within, the lead stays where it was."""
DECIDED = 0.9
"""A game is decided when the winner's smoothed win probability stays at or above this."""
BINS = 24
"""Maximum number of bars of a histogram."""
CURVE_POINTS = 20

ESTIMATES = (
    "starter", "light", "ties", "margin", "abs_margin", "length", "branching", "lead_changes", "decided_at",
    "komi",
)  # fmt: skip
"""The names of the estimates of a cell; docs/studies/README.md says what each means."""


@dataclass(frozen=True, slots=True)
class CellSummary:
    """The estimates and distributions of one game at one strength."""

    game: str
    strength: str
    playouts: int
    games: int
    different: int
    """Number of games that differ from all others."""
    estimates: dict[str, Estimate | None]
    swaps: float
    """Share of games with a swap."""
    komi: float | None
    """The best komi to Light in whole and half points, without ties if that is possible."""
    komi_light: Estimate | None
    """Light's score with that komi, in the same games."""
    margins: list[tuple[float, int]]
    """Histogram of Light's margin: the middle of each bar and its games."""
    lengths: list[tuple[float, int]]
    branching: list[float]
    """Mean number of choices along the game, in CURVE_POINTS steps."""

    def to_json(self) -> dict[str, Any]:
        """Return the summary as JSON."""
        return {
            "game": self.game,
            "strength": self.strength,
            "playouts": self.playouts,
            "games": self.games,
            "different": self.different,
            **{name: None if (e := self.estimates[name]) is None else e.to_json() for name in ESTIMATES},
            "swaps": round(self.swaps, 5),
            "half_point_komi": self.komi,
            "light_with_komi": None if self.komi_light is None else self.komi_light.to_json(),
            "margins": self.margins,
            "lengths": self.lengths,
            "branching_curve": [round(value, 2) for value in self.branching],
        }


def summarise(game: str, strength: str, playouts: int, rows: Sequence[GameRow], seed: int) -> CellSummary:
    """Return the summary of a cell; at least one game is needed."""
    count = len(rows)
    margins = [row.margin for row in rows]
    swaps = sum(row.swapped for row in rows)
    smooth = [smoothed(row) for row in rows]
    changes = [float(lead_changes(win_probs)) for win_probs in smooth if win_probs]
    decided = [
        decided_at(win_probs, row.winner)
        for row, win_probs in zip(rows, smooth, strict=True)
        if win_probs and row.winner is not None
    ]
    fair = None if swaps else median([-margin for margin in margins], seed)
    komi, komi_light = (None, None) if fair is None else best_komi(margins, fair.value)
    return CellSummary(
        game=game,
        strength=strength,
        playouts=playouts,
        games=count,
        different=len({row.actions for row in rows}),
        estimates={
            "starter": share(sum(row.starter_points for row in rows), count),
            "light": share(sum(row.light_points for row in rows), count),
            "ties": share(sum(row.is_tied for row in rows), count),
            "margin": mean(margins),
            "abs_margin": mean([abs(margin) for margin in margins]),
            "length": mean([float(row.plies) for row in rows]),
            "branching": mean([fmean(row.choices) for row in rows]),
            "lead_changes": mean(changes) if changes else None,
            "decided_at": mean(decided) if decided else None,
            "komi": fair,
        },
        swaps=swaps / count,
        komi=komi,
        komi_light=komi_light,
        margins=histogram(margins),
        lengths=histogram([float(row.plies) for row in rows]),
        branching=branching_curve(rows),
    )


def smoothed(row: GameRow) -> list[float]:
    """Return the win probability of seat FIRST along the game, as the mean of two successive estimates.

    Each player is optimistic about its own moves; the mean of both seats' estimates is not.
    """
    known = [win_prob / WIN_UNIT for win_prob in row.win if win_prob is not None]
    return [(one + two) / 2 for one, two in pairwise(known)]


def lead_changes(win_probs: Sequence[float]) -> int:
    """Return how often the lead passes from one seat to the other."""
    leaders = [win_prob > 0.5 for win_prob in win_probs if abs(win_prob - 0.5) > LEAD_BAND]
    return sum(one != two for one, two in pairwise(leaders))


def decided_at(win_probs: Sequence[float], winner: int | None) -> float:
    """Return the fraction of the game after which the winner stays at or above DECIDED, 0 to 1."""
    own = [1 - win_prob if winner else win_prob for win_prob in win_probs]
    last = max((ply for ply, win_prob in enumerate(own) if win_prob < DECIDED), default=-1)
    return (last + 1) / len(own)


def best_komi(margins: Sequence[float], fair: float) -> tuple[float, Estimate]:
    """Return the komi near `fair` that splits the games best, and Light's score with it.

    With whole margins only komi with a half are candidates, so that no game is tied.
    """
    step = 1.0 if all(margin % 1 == 0 for margin in margins) else 0.5
    offset = 0.5 if step == 1.0 else 0.25
    base = (fair // step) * step
    candidates = [base + offset + step * k for k in (-1, 0, 1)]
    scores = {komi: sum(margin + komi > 0 for margin in margins) for komi in candidates}
    komi = min(candidates, key=lambda k: (abs(scores[k] / len(margins) - 0.5), abs(k - fair)))
    return komi, share(scores[komi], len(margins))


def histogram(values: Sequence[float]) -> list[tuple[float, int]]:
    """Return the middles and counts of at most BINS bars of equal width over the middle 98 %.

    What lies outside is counted in the outermost bars.
    """
    ordered = sorted(values)
    low, high = ordered[len(ordered) // 100], ordered[-1 - len(ordered) // 100]
    step = 0.5 if any(value % 1 for value in values) else 1.0
    steps = round((high - low) / step) + 1
    width = step * -(-steps // BINS)
    bars = max(1, -(-steps * step // width))
    counts = Counter(min(int(bars) - 1, max(0, int((value - low + step / 2) // width))) for value in values)
    return [(low - step / 2 + width * (bar + 0.5), counts[bar]) for bar in range(int(bars))]


def branching_curve(rows: Sequence[GameRow]) -> list[float]:
    """Return the mean number of choices at equal steps from the first to the last move."""
    curve = []
    for point in range(CURVE_POINTS):
        at = point / (CURVE_POINTS - 1)
        curve.append(fmean(row.choices[round(at * (row.plies - 1))] for row in rows if row.plies))
    return curve
