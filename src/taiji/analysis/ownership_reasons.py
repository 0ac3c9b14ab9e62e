"""Reasons against a move from what a net expects to count at the end, compared with the better move."""

from __future__ import annotations

from taiji.analysis.data import MoveReason
from taiji.analysis.ownership import ownership_of
from taiji.analysis.reasons import side_of, worded
from taiji.rules import Move, State

MIN_SQUARES = 2
"""Expected squares that are worth mentioning."""
MIN_CHANGE = 0.2
"""Change of a cell's probability from which the cell belongs to the place that is named."""


def explain_by_ownership(state: State, move: Move, better: Move) -> list[MoveReason]:
    """Return what a move probably gives the opponent, or costs the mover, compared with the better move.

    Empty if no bundled net supports the game, or one of the moves ends the game or its stage.
    """
    after, best = state.play(move), state.play(better)
    if any(one.is_over or one.stage_index != state.stage_index for one in (after, best)):
        return []
    ownership = ownership_of(state.game)
    if ownership is None:
        return []
    expected, possible = ownership.counting(after), ownership.counting(best)
    mover = state.colour_to_move
    reasons = []
    for code, colour, sign in (("lets-keep", mover.other, 1), ("lets-lose", mover, -1)):
        pairs = zip(expected[colour], possible[colour], strict=True)
        changes = [sign * (now - then) for now, then in pairs]
        squares = round(sum(changes))
        cells = tuple(cell for cell, change in enumerate(changes) if change >= MIN_CHANGE)
        if squares >= MIN_SQUARES and cells:
            where = side_of(state.board, sum(1 << cell for cell in cells))
            reasons.append(worded(state, mover, code, cells, {"squares": squares, "where": where}))
    return reasons
