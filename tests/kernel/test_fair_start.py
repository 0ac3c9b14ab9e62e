"""Fair starts in the core: the same games as `State`, and solved values that follow from the margins.

`make soak` sets TAIJI_SOAK=1 and plays each game 1,000 times.
"""

from __future__ import annotations

import os
import pickle
from functools import cache
from random import Random

import pytest

from taiji.kernel import Kernel, Position, Search, SearchLimits, SearchOptions, Solver
from taiji.rules import NameKomi, Seat, State, parse_game
from tests.kernel.helpers import play_side_by_side
from tests.rules.plans import FAIR_STARTS, LARGE_FAIR_STARTS

SOAKING = os.environ.get("TAIJI_SOAK") == "1"


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("text", [*FAIR_STARTS, *LARGE_FAIR_STARTS])
def test_the_core_plays_as_the_state_does(text: str) -> None:
    game = parse_game(text)
    kernel, dice = Kernel(game), Random(text)
    for _ in range(1_000 if SOAKING else 4):
        play_side_by_side(game, kernel, dice)
        state = game.start()
        for action in kernel.start().random_game(dice.randrange(1 << 30)):
            state = state.play(game.move(action))
        assert state.is_over or all(move is game.swap for move in state.legal())


@pytest.mark.parametrize("text", ["taiji:size=4,komi=choose", "taiji:size=7,opening=1", "tailits:pie=3"])
def test_a_position_carries_over_with_its_komi_and_its_opening(text: str) -> None:
    game, dice = parse_game(text), Random(3)
    kernel = Kernel(game)
    state, played = game.start(), kernel.start()
    while not state.is_over:
        restored = kernel.position_from_state(state)
        copied: Position = pickle.loads(pickle.dumps(played))
        for other in (restored, copied):
            assert other.legal() == played.legal()
            assert (other.hash, other.scores(), other.komi) == (played.hash, played.scores(), state.komi)
            assert sorted(other.history) == sorted(played.history)
        assert len(played.history) == state.ply
        move = dice.choice(state.legal())
        state = state.play(move)
        played.play(move.action)


@cache
def minimax(state: State) -> tuple[float, int]:
    """Return the best result for seat FIRST: the margin, then 1, 0 or -1 for who wins."""
    outcome = state.outcome()
    if outcome is not None:
        margin = outcome.scores.first - outcome.scores.second
        return margin, {Seat.FIRST: 1, None: 0, Seat.SECOND: -1}[outcome.winner]
    values = [minimax(state.play(move)) for move in state.legal()]
    return max(values) if state.seat_to_move is Seat.FIRST else min(values)


@pytest.mark.parametrize("options", ["pie=1", "pie=3", "tie=draw", "tie=last,komi=1", "komi=-0.5,pie=1"])
def test_the_solver_agrees_with_minimax_from_the_start(options: str) -> None:
    game = parse_game(f"taiji:size=3,{options}")
    minimax.cache_clear()
    margin, sign = minimax(game.start())
    found = Solver(Kernel(game)).solve(game.start())
    assert (found.solved, found.margin) == (True, margin)
    assert found.winner is {1: Seat.FIRST, 0: None, -1: Seat.SECOND}[sign]


@pytest.mark.parametrize("size", [3, 4])
def test_a_komi_shifts_the_solved_margin_and_decides_the_winner(size: int) -> None:
    """With a komi of K the margin is K more, and Light wins just if that is above 0 (at 0: by the tie)."""
    plain = parse_game(f"taiji:size={size}")
    margin = Solver(Kernel(plain)).solve(plain.start()).margin
    assert margin is not None
    for half in (-3, -2, -1, 1, 2, 3):
        game = parse_game(f"taiji:size={size},komi={half / 2}")
        found = Solver(Kernel(game)).solve(game.start())
        assert found.margin == margin + half / 2
        assert (found.winner is Seat.FIRST) is (margin + half / 2 > 0)
    for tie, winner in (("light", Seat.FIRST), ("dark", Seat.SECOND), ("draw", None)):
        game = parse_game(f"taiji:size={size},tie={tie},komi={-margin:g}")
        found = Solver(Kernel(game)).solve(game.start())
        assert (found.margin, found.winner) == (0, winner)


def test_the_solver_names_the_komi_that_leaves_the_least() -> None:
    game = parse_game("taiji:size=3,tie=draw,komi=choose")
    value = Solver(Kernel(parse_game("taiji:size=3"))).solve(parse_game("taiji:size=3").start()).margin
    found = Solver(Kernel(game)).solve(game.start())
    assert value is not None
    assert [str(move) for move in found.best] == [f"komi={-value:g}"]
    assert (found.margin, found.winner) == (0, None)


@pytest.mark.parametrize("lead", [-6, 6])
def test_the_search_takes_the_better_colour(lead: int) -> None:
    game = parse_game("taiji:size=5,komi=choose")
    search = Search(Kernel(game), SearchOptions(seed=1, threads=1))
    named = game.start().play(f"komi={lead}")
    found = search.run(named, SearchLimits(playouts=400))
    assert game.swap is not None
    assert (found.action == game.swap.action) is (lead < 0)
    assert found.win_prob > 0.9


def test_the_search_names_a_balanced_komi() -> None:
    game = parse_game("taiji:size=7,komi=choose")
    search = Search(Kernel(game), SearchOptions(seed=1, threads=1))
    found = search.run(game.start(), SearchLimits(playouts=4000))
    move = game.move(found.action)
    assert isinstance(move, NameKomi)
    assert -2 <= move.half_points <= 6
    assert 0.3 < found.win_prob <= 0.5
