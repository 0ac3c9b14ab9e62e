"""Openings: a few random moves, the same for both sides of a pair, none of them one-sided."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from taiji.rules import Game, Move, State

Judge = Callable[[State], float]
"""Estimates the probability that seat FIRST wins."""

MOST_TRIES = 50


def random_opening(
    game: Game, plies: int, seed: int, *, judge: Judge | None = None, tolerance: float = 0.2
) -> list[Move]:
    """Return `plies` random moves from the start, drawn again until the judge finds the position balanced.

    Of the openings tried the most balanced one is taken where none is within the tolerance of one half.
    """
    random = Random(f"{game} {seed}")
    best: tuple[float, list[Move]] | None = None
    for _ in range(MOST_TRIES):
        moves = _walk(game, plies, random)
        if judge is None:
            return moves
        tilt = abs(judge(_reach(game, moves)) - 0.5)
        if best is None or tilt < best[0]:
            best = tilt, moves
        if tilt <= tolerance:
            break
    assert best is not None
    return best[1]


def _walk(game: Game, plies: int, random: Random) -> list[Move]:
    """Play random moves but never the last one: an opening leaves something to play."""
    state = game.start()
    moves: list[Move] = []
    for _ in range(plies):
        move = random.choice(state.legal())
        after = state.play(move)
        if after.over:
            break
        state = after
        moves.append(move)
    return moves


def _reach(game: Game, moves: list[Move]) -> State:
    state = game.start()
    for move in moves:
        state = state.play(move)
    return state
