"""Replay games given as lines of JSON: the contract of `taiji replay --jsonl`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from taiji.cli._output import to_json
from taiji.kernel.fast_replay import replay_with_kernel
from taiji.notation import NotationError
from taiji.notation.records import initial_state
from taiji.rules import GameError, Seat, parse_game

if TYPE_CHECKING:
    from taiji.rules import Game

MAX_LINE_BYTES = 1_000_000
"""The maximum length of one line of input."""


class _LineError(Exception):
    """A line that cannot be replayed; `ply` is 0 if the error is not in a move."""

    def __init__(self, message: str, ply: int = 0) -> None:
        super().__init__(message)
        self.ply = ply


def answer(line: bytes) -> str:
    """Return the line of JSON that answers one line of input."""
    try:
        value = _replay(*_parse_request(line))
    except _LineError as error:
        value = {"error": str(error), "ply": error.ply}
    return to_json(value)


def _parse_request(line: bytes) -> tuple[Game, list[object]]:
    if len(line) > MAX_LINE_BYTES:
        raise _LineError(f"line too long (expected at most {MAX_LINE_BYTES:,} bytes)")
    try:
        value = json.loads(line.rstrip())
    except UnicodeDecodeError:
        raise _LineError("not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise _LineError(f"not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError):
        raise _LineError("not JSON: number too long, or nested too deep") from None
    if not isinstance(value, dict):
        raise _LineError('not an object (expected {"game": "...", "moves": [...]})')
    text, moves = value.get("game"), value.get("moves")
    if not isinstance(text, str):
        raise _LineError("game: invalid (expected a string)" if "game" in value else "game: missing")
    if not isinstance(moves, list):
        raise _LineError("moves: invalid (expected a list)" if "moves" in value else "moves: missing")
    try:
        return parse_game(text), moves
    except GameError as error:
        raise _LineError(str(error)) from None


def _replay(game: Game, moves: list[object]) -> dict[str, Any]:
    start = initial_state(game)
    texts = []
    for text in moves:
        if not isinstance(text, str):
            break
        texts.append(text)
    try:
        replayed = replay_with_kernel(start, texts)
    except NotationError as error:
        raise _LineError(f"ply {error.ply}: {error.message}", error.ply or 0) from None
    if len(texts) < len(moves):
        ply = len(texts) + 1
        raise _LineError(f"ply {ply}: invalid (expected a string)", ply)
    names = {None: None, Seat.FIRST: "light", Seat.SECOND: "dark"}
    plies, outcome = replayed.plies, replayed.outcome
    scores = plies[-1].scores if plies else start.scores()
    return {
        "game": str(game),
        "plies": len(plies),
        "legal": [ply.choices for ply in plies],
        "over": outcome is not None,
        "scores": {"light": scores.first, "dark": scores.second},
        "winner": names[outcome.winner if outcome else None],
    }
