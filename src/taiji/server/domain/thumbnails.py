"""Thumbnails: a position in a short text, from which a page draws a small board without knowing the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.rules import Placement
from taiji.rules.geometry import bits

if TYPE_CHECKING:
    from taiji.rules import Move, State

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""A digit per cell: what it shows, plus 8 if its piece goes on to the right, 16 upwards, 32 if it is new."""
HOLE = "."
EMPTY, LIGHT, DARK, PLAIN, SYMBOL_LIGHT, SYMBOL_DARK, LOWER_LIGHT, LOWER_DARK = range(8)
RIGHT, UP, NEW = 8, 16, 32


def thumbnail(state: State, last: Move | None) -> str:
    """Return a position as `WIDTH:CELLS`, from `a1` row by row; `last` is the move that led to it."""
    board, game, layer = state.board, state.game, state.layer
    cells = [EMPTY] * board.size
    below = state.layers[-2] if len(state.layers) > 1 else None
    symbols = state.symbols
    marks = [
        (below.light if below else 0, LOWER_LIGHT),
        (below.dark if below else 0, LOWER_DARK),
        *([] if below else [(symbols.light, SYMBOL_LIGHT), (symbols.dark, SYMBOL_DARK)]),
        (layer.covered, PLAIN),
        (layer.light, LIGHT),
        (layer.dark, DARK),
    ]
    for mask, mark in marks:
        for cell in bits(mask):
            cells[cell] = mark
    inner = _without_last_column(board.width, board.height)
    right = up = 0
    for action in state.placed[-1]:
        move = game.move(action)
        assert isinstance(move, Placement)
        right |= move.cells & (move.cells >> 1) & inner
        up |= move.cells & (move.cells >> board.width)
    new = last.cells if isinstance(last, Placement) and last.cells & layer.covered == last.cells else 0
    for mask, mark in ((right, RIGHT), (up, UP), (new, NEW)):
        for cell in bits(mask):
            cells[cell] += mark
    text = "".join(DIGITS[cell] for cell in cells)
    for hole in bits(board.holes):
        text = text[:hole] + HOLE + text[hole + 1 :]
    return f"{board.width}:{text}"


def _without_last_column(width: int, height: int) -> int:
    row = (1 << (width - 1)) - 1
    return sum(row << (width * index) for index in range(height))
