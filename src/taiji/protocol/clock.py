"""Time management: how many seconds of a clock to spend on one move."""

from __future__ import annotations

from taiji.rules import State

SAFETY_MARGIN_S = 0.05
"""Seconds kept back for communication."""
MAX_CLOCK_FRACTION = 0.25
"""Maximum fraction of the remaining time for one move."""


def turns_left(state: State) -> float:
    """Estimate how many moves the mover has left, from the free cells and the supply."""
    turns = 0.0
    for index, stage in enumerate(state.game.stages):
        if index < state.stage_index:
            continue
        size = min(len(piece.squares) for piece in stage.pieces)
        covered = state.covered if index == state.stage_index else 0
        free = (stage.board.cells & ~covered).bit_count()
        supply = sum(state.supply) if index == state.stage_index else sum(stage.supply)
        # Random games fill about 90 % of a board with dominoes, 60 % with tetrominoes.
        filled = 0.9 if size == 2 else 0.6
        turns += max(0.0, min(supply, (free - (1 - filled) * stage.board.size) / size)) / 2
    return max(1.0, turns)


def time_for_move(state: State, left: float, increment: float) -> float:
    """Return how many seconds to think, given the remaining time and the increment."""
    usable = max(0.0, left - SAFETY_MARGIN_S)
    target = usable / turns_left(state) + 0.8 * increment
    return max(0.001, min(target, MAX_CLOCK_FRACTION * usable + increment, usable))
