"""Openings: a few random moves, the same for both sides of a pair, none of them one-sided."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from taiji.kernel import Search, SearchLimits, get_kernel
from taiji.players.presets import search_preset
from taiji.rules import GAMES, Game, Move, Seat, State, parse_game
from taiji.rules.options import IntOption

BalanceEval = Callable[[State], float]
"""Estimates the probability that seat FIRST wins."""

MAX_TRIES = 50
MAX_FULL_CHECKS = 10
"""How many openings that look balanced are searched longer."""
QUICK_CHECK, FULL_CHECK = SearchLimits(playouts=2000), SearchLimits(playouts=20_000)
CHECK_MEMORY_BYTES = 32 << 20
QUICK_TOLERANCE, BALANCE_TOLERANCE = 0.12, 0.04
"""How far from one half the estimates may be. Where pieces bind each other a glance says little: of openings
of Battle of LITS that it gave 42 to 58 %, four in five were won by the same colour whoever had it."""


BOARD_OPTION = "board"
"""The option that names one of many boards by a number."""


def with_seeded_board(game: str, number: int) -> str:
    """Return the game on the seeded board of this number; raise ValueError where it has no such boards."""
    name, _, options = game.partition(":")
    declared = GAMES.get(name.strip().lower())
    seeds = [option for option in declared.options if option.name == BOARD_OPTION] if declared else []
    if not seeds or not isinstance(seeds[0], IntOption):
        raise ValueError(f"{game}: this game has no boards to choose from")
    board = f"{name}:{BOARD_OPTION}={number % (seeds[0].high + 1)}"
    return str(parse_game(",".join(filter(None, [board, options]))))


def random_opening(
    game: Game, plies: int, seed: int, *, evaluate: BalanceEval | None = None, tolerance: float = 0.2
) -> list[Move]:
    """Return `plies` random moves from the start, drawn again until the judge finds the position balanced.

    Of the openings tried the most balanced one is taken where none is within the tolerance of one half.
    """
    random = Random(f"{game} {seed}")
    best: tuple[float, list[Move]] | None = None
    for _ in range(MAX_TRIES):
        moves = _random_moves(game, plies, random)
        if evaluate is None:
            return moves
        tilt = abs(evaluate(_replay(game, moves)) - 0.5)
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
    search = Search(get_kernel(game), replace(search_preset(game), memory=CHECK_MEMORY_BYTES))
    looks = 0

    def chance(state: State, limits: SearchLimits) -> float:
        search.reset()
        win = search.run(state, limits).win_prob
        return win if state.seat_to_move is Seat.FIRST else 1 - win

    def judge(state: State) -> float:
        nonlocal looks
        glance = chance(state, QUICK_CHECK)
        if abs(glance - 0.5) > QUICK_TOLERANCE or looks == MAX_FULL_CHECKS:
            # What is not looked at closely counts as more one-sided than anything that is.
            return glance + (1 if glance > 0.5 else -1)
        looks += 1
        return chance(state, FULL_CHECK)

    return random_opening(game, plies, seed, evaluate=judge, tolerance=BALANCE_TOLERANCE)


def _random_moves(game: Game, plies: int, random: Random) -> list[Move]:
    """Play random moves but never the last one: an opening leaves something to play."""
    state = game.start()
    moves: list[Move] = []
    for _ in range(plies):
        move = random.choice(state.legal())
        after = state.play(move)
        if after.is_over:
            break
        state = after
        moves.append(move)
    return moves


def _replay(game: Game, moves: list[Move]) -> State:
    state = game.start()
    for move in moves:
        state = state.play(move)
    return state
