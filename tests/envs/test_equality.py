"""Random games in the environments, held against `State` at every ply.

`make soak` sets TAIJI_SOAK=1 and plays a thousand games of each value.
"""

from __future__ import annotations

import os
import random

import numpy as np
import pyspiel
import pytest

from taiji.envs import openspiel, taiji_v1
from taiji.envs.openspiel_names import GAME
from taiji.notation import format_position
from taiji.rules import Seat, State, parse_game
from tests.envs.values import VALUES, expected_planes

SOAKING = os.environ.get("TAIJI_SOAK") == "1"
PLIES = 120
"""About how many plies of each value are compared when not soaking."""
assert openspiel


def seeds(text: str) -> range:
    longest = sum(
        stage.board.size // (2 if len(stage.kinds) == 1 else 4) for stage in parse_game(text).stages
    )
    return range(1000) if SOAKING else range(max(2, PLIES // longest))


def compare(env: taiji_v1.raw_env, state: State) -> None:
    """Hold what both agents see and may do against the rules."""
    legal = [move.action for move in state.legal()]
    for seat, agent in enumerate(taiji_v1.AGENTS):
        seen = env.observe(agent)
        acting = not state.is_over and state.seat_to_move == seat
        assert seen["action_mask"].nonzero()[0].tolist() == (legal if acting else [])
        planes = expected_planes(state, Seat(seat))
        for plane, found in zip(env.adapter.planes.planes, seen["observation"], strict=True):
            wanted = np.broadcast_to(np.float32(planes[plane.name]), found.size)
            assert np.array_equal(found.ravel(), wanted), (plane, state)


def play_both(text: str, seed: int) -> None:
    env, state = taiji_v1.raw_env(text), parse_game(text).start()
    spiel = pyspiel.load_game("python_taiji", {GAME: text}).new_initial_state()
    dice = random.Random(seed)
    env.reset()
    while True:
        compare(env, state)
        assert spiel.legal_actions() == [move.action for move in state.legal()]
        assert str(spiel) == env.adapter.position_text(env.position) == format_position(state)
        if state.is_over:
            break
        assert env.agent_selection == taiji_v1.AGENTS[state.seat_to_move]
        assert spiel.current_player() == state.seat_to_move
        move = dice.choice(state.legal())
        if state.can_swap and dice.random() < 0.5:
            move = state.game.swap
        state = state.play(move)
        env.step(move.action)
        spiel.apply_action(move.action)
    outcome = state.outcome()
    pays = [0.0 if outcome.winner is None else 1.0 if outcome.winner is seat else -1.0 for seat in Seat]
    assert [env.rewards[agent] for agent in taiji_v1.AGENTS] == pays == spiel.returns()
    assert all(env.terminations.values())
    for seat, agent in zip(Seat, taiji_v1.AGENTS, strict=True):
        assert env.infos[agent]["score"] == outcome.scores.of(seat)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("text", VALUES)
def test_random_games_agree_with_the_rules(text: str) -> None:
    for seed in seeds(text):
        play_both(text, seed)
