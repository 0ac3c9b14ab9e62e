"""Positions as the user names them: a line of notation, the start of a game, or a ply of a record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from taiji.cli._files import STDIN, open_source, source_name
from taiji.cli._games import DECLARATION_SUFFIX, load_game
from taiji.cli.errors import BadInput

if TYPE_CHECKING:
    from taiji.notation import Record, Replay
    from taiji.rules import Move, State


def find_position(text: str, game_no: int = 1, ply: int | None = None) -> tuple[State, Move | None]:
    """Return the position that a text names, and the move before it, or None if that is unknown."""
    from taiji.notation import parse_position

    if _is_position(text):
        return parse_position(text), None
    if is_record(text):
        return _from_file(text, game_no, ply)
    return load_game(text).start(), None


def is_record(text: str) -> bool:
    """Return whether a text names a file of records, which need not exist."""
    if _is_position(text) or text.lower().endswith(DECLARATION_SUFFIX):
        return False
    return text == STDIN or text.lower().endswith(".tji") or "/" in text


def _is_position(text: str) -> bool:
    return text.lower().startswith("tji") and " " in text


def _from_file(file: str, game_no: int, ply: int | None) -> tuple[State, Move | None]:
    _, replay = nth_replay(file, game_no)
    plies = len(replay.moves)
    at = plies if ply is None else ply
    if at > plies:
        raise BadInput(f"--ply {at}: too large (the game has {plies} {'ply' if plies == 1 else 'plies'})")
    return replay.states[at], replay.moves[at - 1] if at else None


def nth_record(file: str, game_no: int) -> Record:
    """Return one game of a file, counted from 1; errors in the games before it are ignored."""
    from taiji.notation import NotationError, RecordReader

    if " " in file and not Path(file).exists():
        raise BadInput(f"{file}: no such file, and not a position (a position starts with 'tji1')")
    with open_source(file) as stream:
        reader = RecordReader(stream, check=False)
        games = 0
        while True:
            games += 1
            try:
                record = next(reader, None)
            except NotationError:
                if games == game_no:
                    raise
                continue
            if record is None:
                raise BadInput(f"{source_name(file)}: no game {game_no} (the file holds {games - 1})")
            if games == game_no:
                return record


def nth_replay(file: str, game_no: int) -> tuple[Record, Replay]:
    """Return one game of a file, counted from 1, and its positions."""
    from taiji.notation import NotationError

    try:
        record = nth_record(file, game_no)
        return record, record.replay()
    except NotationError as error:
        raise BadInput(f"{source_name(file)}: {error}") from error
