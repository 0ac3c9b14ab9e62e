"""Openings: a few random moves, the same for both sides of a pair, none of them one-sided."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from taiji.kernel import Limits, Search, SearchOptions, kernel_of
from taiji.rules import Game, Move, Seat, State

Judge = Callable[[State], float]
"""Estimates the probability that seat FIRST wins."""

MOST_TRIES = 50
JUDGE_PLAYOUTS = 2000
JUDGE_MEMORY = 32 << 20
TOLERANCE = 0.12
"""How far from one half the judge's estimate may be."""


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


def balanced_opening(game: Game, plies: int, seed: int) -> list[Move]:
    """Return a random opening after which a short search gives both sides a fair chance."""
    search = Search(kernel_of(game), SearchOptions(memory=JUDGE_MEMORY))

    def judge(state: State) -> float:
        search.reset()
        win = search.run(state, Limits(playouts=JUDGE_PLAYOUTS)).win
        return win if state.mover is Seat.FIRST else 1 - win

    return random_opening(game, plies, seed, judge=judge if plies else None, tolerance=TOLERANCE)


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
