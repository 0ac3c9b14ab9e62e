"""Openings: a few random moves, the same for both sides of a pair, none of them one-sided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from taiji.kernel import Limits, Search, kernel_of
from taiji.players.recipes import recipe
from taiji.rules import GAMES, Game, Move, Seat, State, parse_game
from taiji.rules.options import Whole

Judge = Callable[[State], float]
"""Estimates the probability that seat FIRST wins."""

MOST_TRIES = 50
MOST_CLOSE_LOOKS = 10
"""How many openings that look balanced are searched longer."""
GLANCE, CLOSE_LOOK = Limits(playouts=2000), Limits(playouts=20_000)
JUDGE_MEMORY = 32 << 20
GLANCE_TOLERANCE, TOLERANCE = 0.12, 0.04
"""How far from one half the estimates may be. Where pieces bind each other a glance says little: of openings
of Battle of LITS that it gave 42 to 58 %, four in five were won by the same colour whoever had it."""


SEEDED = "board"
"""The option that names one of many boards by a number."""


def on_own_board(game: str, number: int) -> str:
    """Return the game on the seeded board of this number; raise ValueError where it has no such boards."""
    name, _, options = game.partition(":")
    declared = GAMES.get(name.strip().lower())
    seeds = [option for option in declared.options if option.name == SEEDED] if declared else []
    if not seeds or not isinstance(seeds[0], Whole):
        raise ValueError(f"{game}: this game has no boards to choose from")
    board = f"{name}:{SEEDED}={number % (seeds[0].high + 1)}"
    return str(parse_game(",".join(filter(None, [board, options]))))


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
    """Return a random opening after which a search gives both sides a fair chance."""
    if not plies:
        return []
    search = Search(kernel_of(game), replace(recipe(game), memory=JUDGE_MEMORY))
    looks = 0

    def chance(state: State, limits: Limits) -> float:
        search.reset()
        win = search.run(state, limits).win
        return win if state.mover is Seat.FIRST else 1 - win

    def judge(state: State) -> float:
        nonlocal looks
        glance = chance(state, GLANCE)
        if abs(glance - 0.5) > GLANCE_TOLERANCE or looks == MOST_CLOSE_LOOKS:
            # What is not looked at closely counts as more one-sided than anything that is.
            return glance + (1 if glance > 0.5 else -1)
        looks += 1
        return chance(state, CLOSE_LOOK)

    return random_opening(game, plies, seed, judge=judge, tolerance=TOLERANCE)


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
