"""Parses moves: `e4/e5` and `e4e5/e6f5` (light cells, dark cells), `e4e5e6f5` without colours.

The other moves are `swap` and, if the rules let a player name the komi, `komi=1.5`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from taiji.rules.errors import NotationError, excerpt
from taiji.rules.geometry import UnknownCell
from taiji.rules.placements import KOMI, SWAP, format_half_points, parse_half_points
from taiji.rules.reasons import IllegalReason

if TYPE_CHECKING:
    from taiji.rules.game import Game
    from taiji.rules.geometry import Board
    from taiji.rules.placements import Move, Placement
    from taiji.rules.state import State

MAX_MOVE_CHARS = 600
"""Maximum length of a move text; enough for a piece that covers a whole board."""

_CELL = re.compile(r"([a-z])([0-9]+)")
_CELL_SEPARATORS = " ,-"


def parse_move(state: State, text: str) -> Move:
    """Parse a move of the current stage, in any order and case; `State.play` checks whether it is legal.

    Besides the canonical forms, the cells of a taijitu may be written `e4,e5`, `e4-e5`, `e4 e5` or `e4e5`,
    light cell first. A placement of another stage is returned as such; `play` rejects it.
    """
    return parse_stage_move(state.game, state.stage_index, text, state.covered)


def parse_stage_move(game: Game, stage: int, text: str, covered: int = 0) -> Move:
    """Parse a move of a stage; `covered` holds the cells already covered, for the error message."""
    if not isinstance(text, str):
        raise TypeError(f"invalid {type(text).__name__} (expected a move or its text)")
    if len(text) > MAX_MOVE_CHARS:
        raise NotationError(f"move text of {len(text)} characters (maximum {MAX_MOVE_CHARS})")
    words = text.lower()
    if words.strip() == SWAP:
        return _parse_swap(game)
    if words.lstrip().startswith(KOMI):
        return _parse_komi(game, words.strip())
    board = game.stages[stage].board
    before, slash, after = words.partition("/")
    first = _parse_cells(board, before, 1)
    second = _parse_cells(board, after, len(before) + 2) if slash else []
    named = first + second
    if not named:
        raise NotationError(f"invalid move {excerpt(text.strip())!r} (expected e4/e5, e4e5e6f5 or swap)")
    for index, (cell, column) in enumerate(named):
        if any(cell == other for other, _ in named[:index]):
            raise NotationError(f"duplicate cell {board.name(cell)}", column=column)
    written = _MoveText(_mask(first), _mask(second), 1 << named[0][0], coloured=bool(slash))
    placement = _find_placement(game, stage, written) or _find_in_other_stages(game, stage, written)
    return placement or _raise_not_a_placement(game, stage, written, covered)


class _MoveText(NamedTuple):
    """The cells of a move text; without a slash all are in `light`, and `lead` is the first."""

    light: int
    dark: int
    lead: int
    coloured: bool


def _parse_swap(game: Game) -> Move:
    if game.swap is None:
        raise NotationError(f"{game} has no swap", reason=IllegalReason("no-swap"))
    return game.swap


def _parse_komi(game: Game, words: str) -> Move:
    if not game.komi_moves:
        raise NotationError(f"{game} has no komi to name", reason=IllegalReason("no-komi"))
    named = parse_half_points(words.removeprefix(KOMI).lstrip(" =:"))
    move = next((move for move in game.komi_moves if move.half_points == named), None)
    if move is None:
        low, high = (format_half_points(named) for named in (game.komi_names[0], game.komi_names[-1]))
        raise NotationError(f"invalid komi {excerpt(words)!r} (expected komi={low} to komi={high})")
    return move


def _parse_cells(board: Board, text: str, column: int) -> list[tuple[int, int]]:
    """Parse cell names; return each cell with its column in the text."""
    cells = []
    offset = 0
    while offset < len(text):
        if text[offset] in _CELL_SEPARATORS or text[offset].isspace():
            offset += 1
            continue
        match = _CELL.match(text, offset)
        if match is None:
            raise NotationError(
                f"invalid cell {excerpt(text[offset:])!r} (expected e4)", column=column + offset
            )
        name = match[0]
        try:
            cells.append((board.cell(name), column + offset))
        except UnknownCell:
            reason = IllegalReason("off-board", (excerpt(name, 8),))
            raise NotationError(reason.text, column=column + offset, reason=reason) from None
        offset = match.end()
    return cells


def _mask(cells: list[tuple[int, int]]) -> int:
    mask = 0
    for cell, _ in cells:
        mask |= 1 << cell
    return mask


def _find_placement(game: Game, stage: int, written: _MoveText) -> Placement | None:
    """Return the placement of a stage; two cells without a slash may be a taijitu, light cell first."""
    light, dark, lead, coloured = written
    if coloured:
        return game.placement(stage, light | dark, light, dark)
    placement = game.placement(stage, light, 0, 0)
    if placement is None and light.bit_count() == 2:
        return game.placement(stage, light, lead, light & ~lead)
    return placement


def _find_in_other_stages(game: Game, stage: int, written: _MoveText) -> Placement | None:
    others = (other for other in range(len(game.stages)) if other != stage)
    return next(filter(None, (_find_placement(game, other, written) for other in others)), None)


def _raise_not_a_placement(game: Game, stage: int, written: _MoveText, covered: int) -> NoReturn:
    """Raise the error that fits: a cell is covered, the colours are wrong, or no piece has this shape."""
    cells = written.light | written.dark
    taken = game.stages[stage].board.names(cells & covered)
    if taken:
        reason = IllegalReason("occupied", (taken[0],))
        raise NotationError(reason.text, reason=reason)
    reason = IllegalReason("not-a-piece")
    faces = [p for p in game.layouts[stage].placements if p.cells == cells]
    if faces and written.coloured and not any(p.light | p.dark for p in faces):
        message = f"this piece has no colours (expected {faces[0]!s})"
    elif faces and not written.coloured:
        message = f"colours missing (expected light cells/dark cells: {faces[0]!s})"
    else:
        message = reason.text
    raise NotationError(message, reason=reason)
