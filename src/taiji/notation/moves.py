"""Moves as text: `e4/e5` and `e4e5/e6f5` (light cells, dark cells), `e4e5e6f5` without colours, `swap`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from taiji.notation.errors import NotationError, excerpt
from taiji.rules import Game, IllegalReason, Swap, UnknownCell

if TYPE_CHECKING:
    from taiji.rules import Board, Move, Placement, State

SWAP = "swap"
MAX_MOVE_CHARS = 600
"""A move text may not be longer; a piece that covered a whole board would need no more."""

_CELL = re.compile(r"([a-z])([0-9]+)")
_CELL_SEPARATORS = " ,-"


def format_move(context: Game | State, move: Move) -> str:
    """Write a move in its one canonical form: cells by column, then row."""
    if isinstance(move, Swap):
        return SWAP
    game = context if isinstance(context, Game) else context.game
    board = game.stages[move.stage_index].board
    if move.light or move.dark:
        return f"{''.join(board.names(move.light))}/{''.join(board.names(move.dark))}"
    return "".join(board.names(move.cells))


def parse_move(state: State, text: str) -> Move:
    """Read a move of the stage being played, in any order and case; `State.play` says if it is legal.

    Besides the canonical forms, the cells of a taijitu may be written `e4,e5`, `e4-e5`, `e4 e5` or `e4e5`,
    the light one first. A placement of another stage is returned as such, so that `play` can say so.
    """
    return parse_stage_move(state.game, state.stage_index, text, state.covered)


def parse_stage_move(game: Game, stage: int, text: str, covered: int = 0) -> Move:
    """Read a move of a stage on which these cells are covered."""
    if len(text) > MAX_MOVE_CHARS:
        raise NotationError(f"a move has at most {MAX_MOVE_CHARS} characters, this one {len(text)}")
    words = text.lower()
    if words.strip() == SWAP:
        return _parse_swap(game)
    board = game.stages[stage].board
    before, slash, after = words.partition("/")
    first = _parse_cells(board, before, 1)
    second = _parse_cells(board, after, len(before) + 2) if slash else []
    named = first + second
    if not named:
        raise NotationError(
            f"{excerpt(text.strip()) or 'nothing'} is no move; one is e4/e5, e4e5e6f5 or swap"
        )
    for index, (cell, column) in enumerate(named):
        if any(cell == other for other, _ in named[:index]):
            raise NotationError(f"{board.name(cell)} is named twice", column=column)
    written = _MoveText(_mask(first), _mask(second), 1 << named[0][0], coloured=bool(slash))
    found = _find_placement(game, stage, written)
    return (
        found
        or _find_in_other_stages(game, stage, written)
        or _raise_not_a_placement(game, stage, written, covered)
    )


class _MoveText(NamedTuple):
    """The cells of a move text: without a slash all of them count as light, and `lead` is the first."""

    light: int
    dark: int
    lead: int
    coloured: bool


def _parse_swap(game: Game) -> Move:
    if game.swap is None:
        raise NotationError(f"{game} has no swap", reason=IllegalReason("no-swap"))
    return game.swap


def _parse_cells(board: Board, text: str, column: int) -> list[tuple[int, int]]:
    """Read cell names, each with the column at which it stands."""
    found = []
    offset = 0
    while offset < len(text):
        if text[offset] in _CELL_SEPARATORS or text[offset].isspace():
            offset += 1
            continue
        match = _CELL.match(text, offset)
        if match is None:
            raise NotationError(f"{excerpt(text[offset:])!r} is no cell; one is e4", column=column + offset)
        name = match[0]
        try:
            found.append((board.cell(name), column + offset))
        except UnknownCell:
            reason = IllegalReason("off-board", (excerpt(name, 8),))
            raise NotationError(reason.text, column=column + offset, reason=reason) from None
        offset = match.end()
    return found


def _mask(cells: list[tuple[int, int]]) -> int:
    mask = 0
    for cell, _ in cells:
        mask |= 1 << cell
    return mask


def _find_placement(game: Game, stage: int, written: _MoveText) -> Placement | None:
    """Find the placement of a stage; two cells without a slash may be a taijitu, light first."""
    light, dark, lead, coloured = written
    if coloured:
        return game.placement(stage, light | dark, light, dark)
    found = game.placement(stage, light, 0, 0)
    if found is None and light.bit_count() == 2:
        found = game.placement(stage, light, lead, light & ~lead)
    return found


def _find_in_other_stages(game: Game, stage: int, written: _MoveText) -> Placement | None:
    found = (_find_placement(game, other, written) for other in range(len(game.stages)) if other != stage)
    return next(filter(None, found), None)


def _raise_not_a_placement(game: Game, stage: int, written: _MoveText, covered: int) -> NoReturn:
    """Say why these cells are no placement: covered, wrongly coloured, or no piece at all."""
    cells = written.light | written.dark
    taken = game.stages[stage].board.names(cells & covered)
    if taken:
        reason = IllegalReason("occupied", (taken[0],))
        raise NotationError(reason.text, reason=reason)
    reason = IllegalReason("not-a-piece")
    faces = [p for p in game.layouts[stage].placements if p.cells == cells]
    if faces and written.coloured and not any(p.light | p.dark for p in faces):
        message = f"this piece has no colours: write {format_move(game, faces[0])}"
    elif faces and not written.coloured:
        message = (
            f"which squares are light? Write light cells, a slash, dark cells: {format_move(game, faces[0])}"
        )
    else:
        message = reason.text
    raise NotationError(message, reason=reason)
