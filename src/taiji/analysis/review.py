"""Reviewing a game: how each position stood, what was best, and where win probability was given away."""

from __future__ import annotations

from typing import Literal

from taiji.rules import Seat, State

Mark = Literal["inaccuracy", "mistake", "blunder"]

MARKS: tuple[tuple[float, Mark], ...] = ((0.2, "blunder"), (0.1, "mistake"), (0.05, "inaccuracy"))
"""From which loss of win probability on a move is called what."""


def to_first_seat(state: State, value: float | None, *, probability: bool) -> float | None:
    """Turn a win probability or margin of the side to move into seat FIRST's."""
    if value is None or state.seat_to_move is Seat.FIRST:
        return value
    return 1 - value if probability else -value


def final_values(state: State) -> tuple[float, float]:
    """Return the win probability and margin of seat FIRST at the end of a game."""
    outcome = state.outcome()
    assert outcome is not None
    win = 0.5 if outcome.winner is None else 1.0 if outcome.winner is Seat.FIRST else 0.0
    return win, float(outcome.scores.first - outcome.scores.second)


def win_prob_loss(mover: Seat, before: float | None, after: float | None, *, best: bool) -> float | None:
    """Return the win probability that the mover gave away, from seat FIRST's values before and after.

    The move that the engine would have played loses nothing, whatever the next search says of it.
    """
    if best:
        return 0.0
    if before is None or after is None:
        return None
    given = before - after if mover is Seat.FIRST else after - before
    return max(0.0, given)


def classify(lost: float | None) -> Mark | None:
    """Name a loss."""
    if lost is None:
        return None
    return next((name for least, name in MARKS if lost >= least), None)
