"""Positions as a line of text: `tji1 GAME PLACEMENTS MOVER SEATS`.

PLACEMENTS are the canonical moves of each stage joined by `,` (`-` for none), the stages joined by `;`.
MOVER is `light`, `dark` or `over`; it follows from the rest and is checked. SEATS is `-` or `swapped`. Games
in which a player names the komi have a sixth field: `komi=1.5`, or `-` before it was named.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from taiji.rules import GameError, IllegalMove, NameKomi, Placement, State, parse_game
from taiji.rules.errors import NotationError, check_type, excerpt
from taiji.rules.move_text import parse_stage_move

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taiji.rules import Colour, Game

VERSION = "tji1"
MAX_POSITION_CHARS = 8192
"""Maximum length of a position text; the longest of the catalogue have about 1,000 characters."""

_FIELDS = ("version", "game", "placements", "mover", "seats")
_KOMI = "komi"
_NONE = "-"
_SWAPPED = "swapped"
_WORD = re.compile(r"\S+")


def format_position(state: State) -> str:
    """Format a position; equal positions give equal texts."""
    check_type("state", state, State, "a State")
    return position_text(
        state.game,
        state.placed,
        None if state.is_over else state.colour_to_move,
        state.swapped,
        state.komi,
    )


def position_text(
    game: Game,
    placed: Sequence[Sequence[int]],
    colour_to_move: Colour | None,
    swapped: bool = False,
    komi: int | None = None,
) -> str:
    """Format a position from the sorted actions of each stage reached; without a mover it is over.

    `komi` counts half points; it is written only if the rules let a player name it.
    """
    stages = [[str(game.placements[action]) for action in actions] for actions in placed]
    return position_from_texts(game, stages, colour_to_move, swapped, komi)


def position_from_texts(
    game: Game,
    stages: Sequence[Sequence[str]],
    colour_to_move: Colour | None,
    swapped: bool = False,
    komi: int | None = None,
) -> str:
    """Format a position from the move texts of each stage reached."""
    placed = ";".join(",".join(texts) or _NONE for texts in stages)
    named = next((str(move) for move in game.komi_moves if move.half_points == komi), _NONE)
    last = [named] if game.komi_names else []
    seats = _SWAPPED if swapped else _NONE
    return " ".join([VERSION, str(game), placed, _mover_field(colour_to_move), seats, *last])


def parse_position(text: str) -> State:
    """Parse a position; raise `NotationError` if no sequence of legal moves leads to it."""
    check_type("position", text, str, "a text")
    if len(text) > MAX_POSITION_CHARS:
        raise NotationError(f"position of {len(text)} characters (maximum {MAX_POSITION_CHARS})")
    words = [(match[0], match.start() + 1) for match in _WORD.finditer(text)]
    if words and words[0][0].lower() != VERSION:
        raise NotationError(
            f"unknown version {excerpt(words[0][0])!r} (expected {VERSION})", column=words[0][1]
        )
    game = _parse_game(words)
    _, _, (placements, placed_at), (mover_text, mover_at), (seats, seats_at), *last = words
    if seats.lower() not in (_NONE, _SWAPPED):
        raise NotationError(f"seats: {excerpt(seats)!r} (expected {_NONE} or {_SWAPPED})", column=seats_at)
    placed = _parse_placements(game, placements, placed_at)
    komi = _parse_komi(game, *last[0]) if last else None
    try:
        state = State.restore(game, placed, seats.lower() == _SWAPPED, komi)
    except IllegalMove as error:
        message = f"unreachable position: {error}"
        raise NotationError(message, column=placed_at, reason=error.reason) from error
    word = _mover_field(None if state.is_over else state.colour_to_move)
    if mover_text.lower() != word:
        raise NotationError(f"mover: {excerpt(mover_text)!r} (expected {word})", column=mover_at)
    return state


def _parse_game(words: list[tuple[str, int]]) -> Game:
    """Parse the game of a position, and raise `NotationError` if its line has other fields."""
    fields: tuple[str, ...] = _FIELDS
    if len(words) >= len(_FIELDS):
        try:
            game = parse_game(words[1][0])
        except GameError as error:
            raise NotationError(str(error), column=words[1][1]) from error
        fields = (*_FIELDS, _KOMI) if game.komi_names else _FIELDS
        if len(words) == len(fields):
            return game
    raise NotationError(
        f"position with {len(words)} fields (expected {len(fields)}: {' '.join(fields)})",
        column=words[min(len(words) - 1, len(fields))][1] if words else 1,
    )


def _parse_komi(game: Game, text: str, column: int) -> int | None:
    if text == _NONE:
        return None
    try:
        move = parse_stage_move(game, 0, text)
    except NotationError as error:
        raise error.at(column=column) from error
    if not isinstance(move, NameKomi):
        raise NotationError(f"komi: {excerpt(text)!r} (expected {_NONE} or komi=1.5)", column=column)
    return move.half_points


def _mover_field(colour_to_move: Colour | None) -> str:
    return "over" if colour_to_move is None else colour_to_move.name.lower()


def _parse_placements(game: Game, text: str, column: int) -> tuple[tuple[int, ...], ...]:
    stages = text.split(";")
    if len(stages) > len(game.stages):
        raise NotationError(f"{len(stages)} stages (maximum {len(game.stages)} in {game})", column=column)
    placed = []
    for index, stage in enumerate(stages):
        placed.append(_parse_stage(game, index, stage, column))
        column += len(stage) + 1
    return tuple(placed)


def _parse_stage(game: Game, stage: int, text: str, column: int) -> tuple[int, ...]:
    if text == _NONE:
        return ()
    actions = []
    for word in text.split(","):
        try:
            move = parse_stage_move(game, stage, word)
        except NotationError as error:
            raise error.at(column=column) from error
        if not isinstance(move, Placement) or move.stage_index != stage:
            raise NotationError(f"{excerpt(word)!r} is not a placement of this stage", column=column)
        actions.append(move.action)
        column += len(word) + 1
    return tuple(actions)
