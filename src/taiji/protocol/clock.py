"""How much of a clock to spend on one move."""

from __future__ import annotations

from taiji.rules import State

SAFETY_MARGIN_S = 0.05
"""Seconds kept back for everything that is not thinking."""
MAX_CLOCK_FRACTION = 0.25
"""No single move takes a larger part of what is left."""


def turns_left(state: State) -> float:
    """Estimate how many more turns the mover has, from the room left on the board and in the supply."""
    turns = 0.0
    for index, stage in enumerate(state.game.stages):
        if index < state.stage_index:
            continue
        size = min(len(piece.squares) for piece in stage.pieces)
        covered = state.covered if index == state.stage_index else 0
        free = (stage.board.cells & ~covered).bit_count()
        supply = sum(state.supply) if index == state.stage_index else sum(stage.supply)
        # Random games fill about nine tenths of a board with dominoes, six tenths with tetrominoes.
        filled = 0.9 if size == 2 else 0.6
        turns += max(0.0, min(supply, (free - (1 - filled) * stage.board.size) / size)) / 2
    return max(1.0, turns)


def time_for_move(state: State, left: float, increment: float) -> float:
    """Return how many seconds to think, given what is left on the clock and what each move adds."""
    usable = max(0.0, left - SAFETY_MARGIN_S)
    wanted = usable / turns_left(state) + 0.8 * increment
    return max(0.001, min(wanted, MAX_CLOCK_FRACTION * usable + increment, usable))
