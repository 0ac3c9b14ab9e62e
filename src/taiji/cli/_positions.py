"""Positions as the user names them: one line, a game's start, or a place in a file of records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.cli._files import STDIN, open_source, source_name
from taiji.cli._games import DECLARATION_SUFFIX, load_game
from taiji.cli.errors import BadInput

if TYPE_CHECKING:
    from taiji.notation import Record
    from taiji.rules import Move, State


def find_position(text: str, number: int = 1, ply: int | None = None) -> tuple[State, Move | None]:
    """Return the position that a text stands for, and the move that led to it where that is known."""
    from taiji.notation import parse_position

    if text.lower().startswith("tji") and " " in text:
        return parse_position(text), None
    if is_record(text):
        return _from_file(text, number, ply)
    return load_game(text).start(), None


def is_record(text: str) -> bool:
    """Tell whether a text names a file of records rather than a game, also where no such file exists."""
    if text.lower().endswith(DECLARATION_SUFFIX):
        return False
    return text == STDIN or text.lower().endswith(".tji") or "/" in text


def _from_file(file: str, number: int, ply: int | None) -> tuple[State, Move | None]:
    from taiji.notation import NotationError

    try:
        replay = nth_record(file, number).replay()
    except NotationError as error:
        raise BadInput(f"{source_name(file)}: {error}") from error
    at = len(replay.moves) if ply is None else ply
    if at > len(replay.moves):
        raise BadInput(f"--ply {at}: the game has {len(replay.moves)}")
    return replay.states[at], replay.moves[at - 1] if at else None


def nth_record(file: str, number: int) -> Record:
    """Return one game of a file; what is wrong with the games before it does not matter."""
    from taiji.notation import NotationError, RecordReader

    with open_source(file) as stream:
        reader = RecordReader(stream, check=False)
        games = 0
        while True:
            games += 1
            try:
                record = next(reader, None)
            except NotationError:
                if games == number:
                    raise
                continue
            if record is None:
                raise BadInput(f"{source_name(file)}: there is no game {number} in it, it holds {games - 1}")
            if games == number:
                return record


def find_positions(text: str, number: int = 1) -> list[State]:
    """Return every position of a record, or the one that a text stands for."""
    from taiji.notation import NotationError

    if not is_record(text):
        return [find_position(text)[0]]
    try:
        return list(nth_record(text, number).replay().states)
    except NotationError as error:
        raise BadInput(f"{source_name(text)}: {error}") from error
