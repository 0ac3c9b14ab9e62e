"""Positions as one line: `tji1 GAME PLACEMENTS MOVER SEATS`.

PLACEMENTS are the canonical moves of each stage joined by `,` (`-` for none), the stages joined by `;`.
MOVER is `light`, `dark` or `over`: it follows from the rest and is checked. SEATS is `-`, or `swapped`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from taiji.notation.errors import NotationError, excerpt
from taiji.notation.moves import format_move, parse_stage_move
from taiji.rules import GameError, IllegalMove, Placement, State, parse_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taiji.rules import Colour, Game

VERSION = "tji1"
MAX_POSITION_CHARS = 8192
"""A position may not be longer; the longest of the catalogue's have some 1,000 characters."""

_FIELDS = ("version", "game", "placements", "mover", "seats")
_NONE = "-"
_SWAPPED = "swapped"
_WORD = re.compile(r"\S+")


def format_position(state: State) -> str:
    """Write a position; equal positions make equal texts."""
    return position_text(
        state.game, state.placed, None if state.is_over else state.colour_to_move, state.swapped
    )


def position_text(
    game: Game, placed: Sequence[Sequence[int]], mover: Colour | None, swapped: bool = False
) -> str:
    """Write a position given by the sorted placements of each stage reached; no mover means it is over."""
    stages = [[format_move(game, game.placements[number]) for number in numbers] for numbers in placed]
    return position_from_texts(game, stages, mover, swapped)


def position_from_texts(
    game: Game, stages: Sequence[Sequence[str]], mover: Colour | None, swapped: bool = False
) -> str:
    """Write a position whose placements are texts already."""
    placed = ";".join(",".join(texts) or _NONE for texts in stages)
    return f"{VERSION} {game} {placed} {_mover_word(mover)} {_SWAPPED if swapped else _NONE}"


def parse_position(text: str) -> State:
    """Read a position; one that no sequence of legal moves leads to is refused."""
    if len(text) > MAX_POSITION_CHARS:
        raise NotationError(f"a position has at most {MAX_POSITION_CHARS} characters, this one {len(text)}")
    words = [(match[0], match.start() + 1) for match in _WORD.finditer(text)]
    if words and words[0][0].lower() != VERSION:
        raise NotationError(
            f"a position starts with {VERSION}, not {excerpt(words[0][0])}", column=words[0][1]
        )
    if len(words) != len(_FIELDS):
        raise NotationError(
            f"a position has {len(_FIELDS)} fields, {' '.join(_FIELDS)}; this one has {len(words)}",
            column=words[min(len(words) - 1, len(_FIELDS))][1] if words else 1,
        )
    _, (game_text, game_at), (placements, placed_at), (mover, mover_at), (seats, seats_at) = words
    try:
        game = parse_game(game_text)
    except GameError as error:
        raise NotationError(str(error), column=game_at) from error
    if seats.lower() not in (_NONE, _SWAPPED):
        raise NotationError(f"seats: {_NONE} or {_SWAPPED}, not {excerpt(seats)}", column=seats_at)
    placed = _parse_placements(game, placements, placed_at)
    try:
        state = State.restore(game, placed, swapped=seats.lower() == _SWAPPED)
    except IllegalMove as error:
        raise NotationError(f"no game leads here: {error}", column=placed_at, reason=error.reason) from error
    word = _mover_word(None if state.is_over else state.colour_to_move)
    if mover.lower() != word:
        raise NotationError(f"mover: it is {word}, not {excerpt(mover)}", column=mover_at)
    return state


def _mover_word(mover: Colour | None) -> str:
    return "over" if mover is None else mover.name.lower()


def _parse_placements(game: Game, text: str, column: int) -> tuple[tuple[int, ...], ...]:
    stages = text.split(";")
    if len(stages) > len(game.stages):
        raise NotationError(f"{game} has {len(game.stages)} stages, not {len(stages)}", column=column)
    placed = []
    for index, stage in enumerate(stages):
        placed.append(_parse_stage(game, index, stage, column))
        column += len(stage) + 1
    return tuple(placed)


def _parse_stage(game: Game, stage: int, text: str, column: int) -> tuple[int, ...]:
    if text == _NONE:
        return ()
    numbers = []
    for word in text.split(","):
        try:
            move = parse_stage_move(game, stage, word)
        except NotationError as error:
            raise error.at(column=column) from error
        if not isinstance(move, Placement) or move.stage_index != stage:
            raise NotationError(f"{excerpt(word)} is no placement of this stage", column=column)
        numbers.append(move.action)
        column += len(word) + 1
    return tuple(numbers)
