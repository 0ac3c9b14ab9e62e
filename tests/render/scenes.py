"""Positions for the tests of pictures: every game, each at several moments of a game played at random."""

from __future__ import annotations

from functools import cache

from taiji.notation import Record
from taiji.rules import Move, State
from tests.notation.games import TEXTS, game, random_game

GAMES = TEXTS


@cache
def played(text: str, seed: int = 1) -> tuple[tuple[Move, ...], tuple[State, ...]]:
    """Play a game to its end at random."""
    moves, states = random_game(text, seed)
    return tuple(moves), tuple(states)


def moments(text: str, seed: int = 1) -> list[tuple[State, Move | None]]:
    """Return the start, the middle and the end of a game, with the moves that led there."""
    moves, states = played(text, seed)
    return [(states[at], moves[at - 1] if at else None) for at in sorted({0, len(moves) // 2, len(moves)})]


@cache
def record(text: str, seed: int = 1, plies: int | None = None) -> Record:
    """Return a random game as a record."""
    return Record.of(game(text), played(text, seed)[0][:plies], {"Light": "Ann", "Dark": "Zoë"})
