"""A position as text: drawn for `print(state)`, or as the call that makes it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.rules.geometry import LETTERS
from taiji.rules.pieces import Colour

if TYPE_CHECKING:
    from taiji.rules.state import State

LIGHT, DARK, PLAIN = "o", "*", "#"
"""A light square, a dark square, a square without a colour."""
LIGHT_SYMBOL, DARK_SYMBOL, RAISED, FREE, HOLE = "X", "O", ":", ".", " "


def draw(state: State) -> str:
    """Return the board with coordinates, then the scores and who is to move or has won.

    `taiji.render` draws better boards.
    """
    board = state.board
    margin = len(str(board.height))
    rows = [
        f"{row + 1:>{margin}}  " + " ".join(_glyph(state, column, row) for column in range(board.width))
        for row in reversed(range(board.height))
    ]
    letters = " ".join(LETTERS[: board.width])
    return "\n".join([*rows, f"{'':>{margin}}  {letters}", _summary(state)])


def _glyph(state: State, column: int, row: int) -> str:
    cell = state.board.cell_at(column, row)
    if cell is None:
        return HOLE
    layer, symbols = state.layer, state.symbols
    planes = (
        (layer.light, LIGHT),
        (layer.dark, DARK),
        (layer.covered, PLAIN),
        (symbols.light, LIGHT_SYMBOL),
        (symbols.dark, DARK_SYMBOL),
        (state.ground if state.compiled_stage.traits.heights_matter else 0, RAISED),
    )
    return next((glyph for mask, glyph in planes if mask >> cell & 1), FREE)


def _summary(state: State) -> str:
    names, scores = state.game.colour_names, state.scores()
    totals = ", ".join(f"{names.of(colour)} {scores.of(state.seat_of(colour))}" for colour in Colour)
    outcome = state.outcome()
    if outcome is None:
        return f"{totals}; {names.of(state.colour_to_move)} to move"
    if outcome.winner is None:
        return f"{totals}; a draw"
    return f"{totals}; {names.of(state.colour_of(outcome.winner))} wins"


def represent(state: State) -> str:
    """Return the call of `State.restore` that makes the position again."""
    swapped = ", swapped=True" if state.swapped else ""
    is_named = state.game.komi_names and state.komi is not None
    komi = f", komi={state.komi}" if is_named else ""
    return f"State.restore({state.game!r}, {state.placed!r}{swapped}{komi})"
