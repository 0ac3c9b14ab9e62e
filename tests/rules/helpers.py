"""Moves as text for the tests of the rules: a writer and a reader of their own, apart from `notation/`."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from taiji.rules import IllegalMove, NameKomi, Swap, parse_game

if TYPE_CHECKING:
    from taiji.rules import Board, Game, IllegalReason, Move, Placement, State

_TABLES: dict[Game, dict[tuple[int, str], Placement]] = {}
_TEXTS: dict[Board, dict[tuple[int, int, int], str]] = defaultdict(dict)
"""What placements of each board are called, by their light, dark and covered cells."""


def text_of(board: Board, move: Move) -> str:
    """Write a move: light cells, a slash, dark cells; or just cells; or swap; or the komi."""
    if isinstance(move, Swap):
        return "swap"
    if isinstance(move, NameKomi):
        whole, half = divmod(abs(move.half_points), 2)
        return f"komi={'-' if move.half_points < 0 else ''}{whole}{'.5' if half else ''}"
    return placement_text(board, move)


def placement_text(board: Board, move: Placement) -> str:
    """Write a placement: light cells, a slash, dark cells; or just cells."""
    if move.light or move.dark:
        return "".join(board.names(move.light)) + "/" + "".join(board.names(move.dark))
    return "".join(board.names(move.cells))


def table(game: Game) -> dict[tuple[int, str], Placement]:
    """Every placement of a game by its stage and its text."""
    if game not in _TABLES:
        _TABLES[game] = {
            (move.stage_index, text_of(game.stages[move.stage_index].board, move)): move
            for move in game.placements
        }
    return _TABLES[game]


def move_of(state: State, text: str, stage: int | None = None) -> Move:
    """Read a move of the current stage, or of another one, legal or not."""
    if text == "swap":
        assert state.game.swap is not None
        return state.game.swap
    if text.startswith("komi="):
        return next(move for move in state.game.komi_moves if str(move) == text)
    return table(state.game)[state.stage_index if stage is None else stage, text]


def legal_texts(state: State) -> dict[str, Move]:
    """The legal moves by their texts."""
    board, legal, moves = state.board, state.legal(), {}
    known = _TEXTS[board]
    for move in legal:
        if isinstance(move, Swap | NameKomi):
            moves[text_of(board, move)] = move
            continue
        key = move.light, move.dark, move.cells
        if key not in known:
            known[key] = placement_text(board, move)
        moves[known[key]] = move
    assert len(moves) == len(legal), "two legal moves have one text"
    return moves


def play(start: str | State, *texts: str) -> State:
    """Play moves from the start of a game or from a state."""
    state = parse_game(start).start() if isinstance(start, str) else start
    for text in texts:
        state = state.play(move_of(state, text))
    return state


def refusal(state: State, text: str, stage: int | None = None) -> IllegalReason:
    """Try an illegal move, in every way there is, and return why it is refused."""
    move = move_of(state, text, stage)
    with pytest.raises(IllegalMove) as refused:
        state.play(move)
    reason = refused.value.reason
    assert str(refused.value) == reason.text
    assert state.illegal_reason(move) == reason
    assert not state.is_legal(move)
    assert move not in state.legal()
    return reason


def drawn(state: State) -> list[str]:
    """Draw the current stage's squares, top row first: l, d, # (covered without a colour) and dots."""
    marks = {"#": state.covered, "l": state.light, "d": state.dark}
    rows = []
    for row in reversed(range(state.board.height)):
        line = ""
        for column in range(state.board.width):
            cell = 1 << (row * state.board.width + column)
            line += next((mark for mark in "ld#" if cell & marks[mark]), ".")
        rows.append(line)
    return rows


def totals(state: State) -> tuple[float, float]:
    """The scores as light : dark, by the seats that began so."""
    scores = state.scores()
    return scores.first, scores.second


def symbols_text(board: Board, light: int, dark: int) -> str:
    """Spell the symbols of a Battle of LITS board as its game text does."""
    rows = []
    for row in reversed(range(board.height)):
        cells = [1 << (row * board.width + column) for column in range(board.width)]
        rows.append("".join("x" if cell & light else "o" if cell & dark else "." for cell in cells))
    return "|".join(rows)
