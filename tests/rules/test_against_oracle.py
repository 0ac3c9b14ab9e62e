"""Random games of every kind, judged by `State` and by the naive oracle at every ply.

`make soak` sets TAIJI_SOAK=1 and plays fifty times as many.
"""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import pytest

from taiji.rules import Seat, parse_game
from tests.oracle import Oracle
from tests.rules.helpers import legal_texts, symbols_text, totals
from tests.rules.plans import PLANS, Plan

if TYPE_CHECKING:
    from taiji.rules import Move, State

SOAKING = os.environ.get("TAIJI_SOAK") == "1"
SEAT_WORDS = {Seat.FIRST: "light", Seat.SECOND: "dark"}
SOAK_FACTOR = 50


def compare(state: State, oracle: Oracle, so_far: list[str]) -> dict[str, Move]:
    """Hold one position of both referees against each other and return the legal moves by their texts."""
    choices = legal_texts(state)
    assert set(choices) == oracle.legal(), so_far
    assert totals(state) == (oracle.scores()["light"], oracle.scores()["dark"]), so_far
    assert state.is_over == oracle.over, so_far
    if not state.is_over:
        assert SEAT_WORDS[state.seat_to_move] == oracle.seat_to_move, so_far
    return choices


def compare_game(text: str, seed: int) -> int:
    """Play one random game on both and return how many plies it had."""
    state = parse_game(text).start()
    symbols = state.game.stages[0].symbols if "symbols=" not in text else None
    rows = symbols_text(state.board, symbols.light, symbols.dark) if symbols else None
    oracle = Oracle(text, rows, " ".join(state.game.opening))
    dice = random.Random(f"{text} {seed}")
    moves: list[str] = []
    choices = compare(state, oracle, moves)
    while not state.is_over:
        move = "swap" if "swap" in choices and dice.random() < 0.5 else dice.choice(sorted(choices))
        moves.append(move)
        state = state.play(choices[move])
        oracle.play(move)
        choices = compare(state, oracle, moves)
    outcome = state.outcome()
    assert outcome is not None
    winner = None if outcome.winner is None else SEAT_WORDS[outcome.winner]
    assert winner == oracle.winner(), moves
    assert (outcome.scores.first, outcome.scores.second) == totals(state)
    return len(moves)


def test_the_plan_is_two_thousand_games_and_a_hundred_thousand_when_soaking() -> None:
    games = sum(plan.games for plan in PLANS)
    assert games >= 2_000
    assert games * SOAK_FACTOR >= 100_000


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_random_games_agree_with_the_oracle(plan: Plan) -> None:
    for seed in range(plan.games * (SOAK_FACTOR if SOAKING else 1)):
        compare_game(plan.text, plan.seed + seed)
