"""Explore a position: how often each move was played, how the games ended, and what the engine thinks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from taiji.analysis.explorer.book import Book, Stats
from taiji.analysis.explorer.keys import get_keys, key_of
from taiji.rules import Colour, Placement, State

Lookup = Callable[[int], Stats | None]


@dataclass(frozen=True, slots=True)
class ExploredMove:
    """A move and the games that reached the position after it, from the view of the player to move."""

    move: int
    """Action id; of several symmetric moves, the first."""
    text: str
    games: int
    win_rate: float
    """Fraction of these games that the mover won."""
    value: float | None
    """Win probability of the mover by the engine."""
    margin: float | None
    """Mean final margin of the mover in points."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """What is known of a position and of the moves that were played in it."""

    games: int
    win_rate: float | None
    value: float | None
    margin: float | None
    moves: tuple[ExploredMove, ...]
    """Most played first."""


def explore(state: State, lookup: Book | Lookup) -> Exploration:
    """Return what a book, or another source of statistics by key, knows of a position."""
    find = lookup.find if isinstance(lookup, Book) else lookup
    keys = get_keys(state.game)
    lanes = keys.of_state(state)
    is_light = state.colour_to_move is Colour.LIGHT
    current = find(key_of(lanes)) or Stats(0, 0)
    moves: dict[int, ExploredMove] = {}
    for move in state.legal():
        if not isinstance(move, Placement):
            continue
        key = key_of(keys.add(lanes, move.action))
        stats = None if key in moves else find(key)
        if stats is not None and stats.games:
            moves[key] = _explored(move, stats, is_light)
    ranked = sorted(moves.values(), key=lambda move: (-move.games, move.move))
    return Exploration(
        current.games,
        _rate(current, is_light) if current.games else None,
        _value(current, is_light),
        _margin(current, is_light),
        tuple(ranked),
    )


def _explored(move: Placement, stats: Stats, is_light: bool) -> ExploredMove:
    return ExploredMove(
        move.action,
        str(move),
        stats.games,
        _rate(stats, is_light),
        _value(stats, is_light),
        _margin(stats, is_light),
    )


def _rate(stats: Stats, is_light: bool) -> float:
    wins = stats.light_wins if is_light else stats.games - stats.light_wins
    return round(wins / stats.games, 4)


def _value(stats: Stats, is_light: bool) -> float | None:
    if stats.light_value is None:
        return None
    return round(stats.light_value if is_light else 1 - stats.light_value, 4)


def _margin(stats: Stats, is_light: bool) -> float | None:
    if stats.light_margin is None:
        return None
    return round(stats.light_margin if is_light else 0.0 - stats.light_margin, 2)
