"""Review a game: classify each played move by the win probability that it gave away."""

from __future__ import annotations

from collections.abc import Sequence

from taiji.analysis.data import Analysis, Mark, PlayedMove, ReviewPly

MARKS: tuple[tuple[float, Mark], ...] = ((0.2, "blunder"), (0.1, "mistake"), (0.05, "inaccuracy"))
"""Minimum loss of win probability for each mark, largest first."""


def win_prob_loss(before: Analysis, played: int, after: Analysis) -> float | None:
    """Return the win probability that the played action gave away; None if it is unknown.

    The engine's own choice loses nothing, even if the next search evaluates the position lower.
    """
    if before.best is not None and before.best.move == played:
        return 0.0
    if before.win_prob is None or after.win_prob is None:
        return None
    kept = after.win_prob if after.seat == before.seat else 1 - after.win_prob
    return round(max(0.0, before.win_prob - kept), 4)


def classify(loss: float | None) -> Mark | None:
    """Return the mark for a loss of win probability, if it deserves one."""
    if loss is None:
        return None
    return next((mark for least, mark in MARKS if loss >= least), None)


def review_ply(before: Analysis, played: PlayedMove, after: Analysis) -> ReviewPly:
    """Return the review of a move from the analyses of the positions before and after it."""
    loss = win_prob_loss(before, played.move, after)
    return ReviewPly(before, played, loss, classify(loss))


def review_game(analyses: Sequence[Analysis], moves: Sequence[PlayedMove]) -> list[ReviewPly]:
    """Return the review of a game from one analysis per position, the last one after the last move."""
    pairs = zip(analyses, moves, analyses[1:], strict=False)
    return [*(review_ply(*ply) for ply in pairs), ReviewPly(analyses[-1])]
