"""Positions as the user names them: a line of notation, the start of a game, or a ply of a record."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from taiji.cli._files import STDIN, open_source, source_name
from taiji.cli._games import DECLARATION_SUFFIX, load_game
from taiji.cli.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from taiji.notation import Record, RecordReader, Replay
    from taiji.notation.files import RecordFile
    from taiji.rules import Move, State


def find_position(text: str, game_no: int = 1, ply: int | None = None) -> tuple[State, Move | None]:
    """Return the position that a text names, and the move before it, or None if that is unknown."""
    from taiji.notation import parse_position

    if is_record(text):
        return _from_file(text, game_no, ply)
    state = parse_position(text) if _is_position(text) else load_game(text).start()
    if ply or game_no != 1:
        option = f"--ply {ply}" if ply else f"--game-number {game_no}"
        raise BadInput(f"{option}: {text[:40]} is not a file of records")
    return state, None


def is_record(text: str) -> bool:
    """Return whether a text names a file of records, which need not exist if its name shows what it is."""
    if _is_position(text) or text.lower().endswith(DECLARATION_SUFFIX):
        return False
    if text == STDIN or text.lower().endswith(".tji") or "/" in text:
        return True
    return bool(Path(text).suffix) and os.path.isfile(text)  # noqa: PTH113 - False for a name that is too long


def _is_position(text: str) -> bool:
    return text.lower().startswith("tji") and " " in text


def _from_file(file: str, game_no: int, ply: int | None) -> tuple[State, Move | None]:
    _, replay = nth_replay(file, game_no)
    at = len(replay.moves) if ply is None else ply
    check_ply(replay, at)
    return replay.states[at], replay.moves[at - 1] if at else None


def check_ply(replay: Replay, ply: int) -> None:
    """Raise `BadInput` unless the game has this many moves."""
    plies = len(replay.moves)
    if ply > plies:
        raise BadInput(f"--ply {ply}: too large (the game has {plies} {'ply' if plies == 1 else 'plies'})")


def nth_record(file: str, game_no: int) -> Record:
    """Return one game of a file of any format, counted from 1; errors in the games before it are ignored."""
    from taiji.notation import NotationError

    if " " in file and not Path(file).exists():
        raise BadInput(f"{file}: no such file, and not a position (a position starts with 'tji1')")
    with _open_records(file) as reader:
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


@contextmanager
def _open_records(file: str) -> Iterator[RecordReader | RecordFile]:
    """Open a file of records of any format; those of our own are not replayed yet."""
    from taiji.notation import RecordReader
    from taiji.notation.files import read_file

    if file != STDIN and Path(file).is_file():
        with read_file(file) as records:
            if records.format != "tji":
                yield records
                return
    with open_source(file) as stream:
        yield RecordReader(stream, check=False)


def nth_replay(file: str, game_no: int) -> tuple[Record, Replay]:
    """Return one game of a file, counted from 1, and its positions."""
    from taiji.notation import NotationError

    try:
        record = nth_record(file, game_no)
        return record, record.replay()
    except NotationError as error:
        raise BadInput(f"{source_name(file)}: {error}") from error
