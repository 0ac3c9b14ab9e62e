"""Openings: random moves after which the position is balanced, shared by both games of a pair."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from random import Random

from taiji.kernel import Search, SearchLimits, get_kernel
from taiji.players import Limit, PlayerError, make_player
from taiji.players.presets import search_preset
from taiji.rules import GAMES, Game, Move, Seat, State, parse_game
from taiji.rules.options import IntOption

BalanceEval = Callable[[State], float]
"""Estimates the probability that seat FIRST wins."""

MAX_TRIES = 50
MAX_FULL_CHECKS = 10
"""Maximum number of openings that get the full check."""
QUICK_CHECK, FULL_CHECK = SearchLimits(playouts=2000), SearchLimits(playouts=20_000)
CHECK_MEMORY_BYTES = 32 << 20
QUICK_TOLERANCE, BALANCE_TOLERANCE = 0.12, 0.04
"""Maximum distance of the win probability from 0.5. The quick check alone is not enough in games with
placement constraints: of Battle of LITS openings that it put at 42 to 58 %, one colour won four in five."""
PLAYER_TOLERANCE = 0.1
"""The same where a player evaluates the openings."""

BOARD_OPTION = "board"
"""The game option that selects a seeded board."""


def with_seeded_board(game: str, seed: int) -> str:
    """Return the game on a seeded board; raise ValueError if the game has no such boards."""
    name, _, options = game.partition(":")
    declared = GAMES.get(name.strip().lower())
    seeds = [option for option in declared.options if option.name == BOARD_OPTION] if declared else []
    if not seeds or not isinstance(seeds[0], IntOption):
        raise ValueError(f"{game}: this game has no seeded boards")
    board = f"{name}:{BOARD_OPTION}={seed % (seeds[0].high + 1)}"
    return str(parse_game(",".join(filter(None, [board, options]))))


def random_opening(
    game: Game, plies: int, seed: int, *, evaluate: BalanceEval | None = None, tolerance: float = 0.2
) -> list[Move]:
    """Return `plies` random moves after which `evaluate` is within `tolerance` of 0.5.

    If none of MAX_TRIES openings is, return the most balanced one.
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


def balanced_opening(game: Game, plies: int, seed: int, player: str = "") -> list[Move]:
    """Return a random opening that a search finds balanced, or the player whose text is given."""
    if not plies:
        return []
    if player:
        return _opening_balanced_by(game, plies, seed, player)
    search = Search(get_kernel(game), replace(search_preset(game), memory=CHECK_MEMORY_BYTES))
    checks = 0

    def win_prob(state: State, limits: SearchLimits) -> float:
        search.reset()
        mover = search.run(state, limits).win_prob
        return mover if state.seat_to_move is Seat.FIRST else 1 - mover

    def evaluate(state: State) -> float:
        nonlocal checks
        quick = win_prob(state, QUICK_CHECK)
        if abs(quick - 0.5) > QUICK_TOLERANCE or checks == MAX_FULL_CHECKS:
            # Without a full check it counts as less balanced than any opening with one.
            return quick + (1 if quick > 0.5 else -1)
        checks += 1
        return win_prob(state, FULL_CHECK)

    return random_opening(game, plies, seed, evaluate=evaluate, tolerance=BALANCE_TOLERANCE)


def _opening_balanced_by(game: Game, plies: int, seed: int, text: str) -> list[Move]:
    with closing(make_player(text, seed=seed)) as player:

        def evaluate(state: State) -> float:
            player.new_game()
            _, info = player.choose(state, Limit())
            if info.win_prob is None:
                raise PlayerError(f"{text}: gives no win probability, so it cannot tell a balanced opening")
            return info.win_prob if state.seat_to_move is Seat.FIRST else 1 - info.win_prob

        return random_opening(game, plies, seed, evaluate=evaluate, tolerance=PLAYER_TOLERANCE)


def _random_moves(game: Game, plies: int, random: Random) -> list[Move]:
    """Return random moves that do not end the game."""
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
