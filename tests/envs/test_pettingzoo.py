"""The PettingZoo environment passes that library's own tests and keeps to the rules."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from taiji.envs import taiji_v1
from taiji.envs.adapter import PICTURES
from taiji.notation import parse_move, parse_position
from taiji.rules import GameError, IllegalMove, parse_game
from tests.envs.values import GAMES

ITS_OWN_LIST = [
    # PettingZoo keeps a list of its own environments whose observations are dictionaries; ours is not on it.
    "ignore:Observation space for each agent probably should be gymnasium.spaces.box:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
    # An agent that has nothing to do any more may do nothing.
    "ignore:Action mask numpy array is all zeros:UserWarning",
]
own_list = pytest.mark.filterwarnings(*ITS_OWN_LIST)


def action(env: taiji_v1.raw_env, text: str) -> int:
    return parse_move(env.adapter.state(env.position), text).action


@own_list
@pytest.mark.parametrize("make", [taiji_v1.env, taiji_v1.raw_env])
@pytest.mark.parametrize("game", GAMES)
def test_its_api_test_passes(game: str, make: type) -> None:
    api_test(make(game), num_cycles=100)


@pytest.mark.parametrize("game", GAMES)
def test_its_seed_test_passes(game: str) -> None:
    seed_test(lambda: taiji_v1.env(game), num_cycles=50)


@pytest.mark.parametrize("game", GAMES)
def test_its_render_test_passes(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: taiji_v1.env(game, render_mode=render_mode))
    assert "choices" in capsys.readouterr().out


def test_three_lines_play_a_game() -> None:
    env = taiji_v1.env("taiji:size=5")
    env.reset(seed=1)
    plies = 0
    for agent in env.agent_iter():
        seen, _, over, _, _ = env.last()
        env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
        plies += not over
    assert 8 <= plies <= 12
    assert env.agents == []


def test_an_illegal_action_loses_by_the_convention_of_the_library() -> None:
    env = taiji_v1.env("taiji:size=4")
    env.reset()
    env.step(action(env, "a1/a2"))
    before = env.position.history
    env.step(action(env, "a1/a2"))
    assert env.position.history == before
    assert env.rewards == {"player_0": 0.0, "player_1": -1.0}
    assert all(env.terminations.values())
    for _ in env.agent_iter():
        env.step(None)


def test_an_illegal_action_raises_without_wrapping_and_changes_nothing() -> None:
    env = taiji_v1.raw_env("taiji:size=4")
    env.reset()
    env.step(action(env, "a1/a2"))
    seen = env.observe("player_1")
    with pytest.raises(IllegalMove, match="a1"):
        env.step(action(env, "a1/a2"))
    with pytest.raises(GameError, match="48 is not an action"):
        env.step(48)
    for nonsense in (None, 1.5, "a1/a2", True):
        with pytest.raises(TypeError, match="expected an integer"):
            env.step(nonsense)
    again = env.observe("player_1")
    assert all(np.array_equal(seen[key], again[key]) for key in seen)
    assert env.agent_selection == "player_1"


def test_a_swap_changes_the_colour_and_the_turn() -> None:
    env = taiji_v1.raw_env("battle-of-lits")
    env.reset()
    env.step(next(iter(env.position.legal())))
    names = [plane.name for plane in env.adapter.planes.planes]
    dark, may_swap = names.index("dark"), names.index("may swap")
    seen = env.observe("player_1")["observation"]
    assert seen[dark].all()
    assert seen[may_swap].all()
    env.step(env.game.swap.action)
    assert env.agent_selection == "player_0"
    assert env.observe("player_0")["observation"][dark].all()
    assert not env.observe("player_1")["observation"][dark].any()


def test_the_next_stage_may_give_somebody_two_turns_in_a_row() -> None:
    env = taiji_v1.raw_env("taiji+battle-of-lits:size=4")
    turns = []
    for seed in range(20):
        env.reset()
        dice = np.random.default_rng(seed)
        movers = []
        while not env.position.is_over:
            movers.append(env.agent_selection)
            env.step(int(dice.choice(env.position.legal())))
        turns.append(any(one == two for one, two in pairwise(movers)))
    assert any(turns)


def test_a_game_may_begin_in_a_position() -> None:
    env = taiji_v1.env("taiji:size=4")
    text = "tji1 taiji:size=4 a1/a2,b1/c1,d1/d2 dark -"
    env.reset(options={"position": text})
    assert env.agent_selection == "player_1"
    assert env.adapter.state(env.position) == parse_position(text)
    assert env.adapter.position_text(env.position) == text
    with pytest.raises(ValueError, match="not to taiji:size=4"):
        env.reset(options={"position": "tji1 taiji:size=5 - light -"})
    with pytest.raises(ValueError, match="over"):
        env.reset(options={"position": "tji1 taiji:size=2 a1/b1,a2/b2 over -"})


def test_a_game_value_may_be_given_instead_of_a_text() -> None:
    game = parse_game("taiji:size=4")
    assert taiji_v1.env(game).adapter is taiji_v1.env("taiji:size=4,groups=1").adapter


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(GameError, match="unknown game"):
        taiji_v1.env("go")
    with pytest.raises(ValueError, match="render_mode"):
        taiji_v1.env(render_mode="3d")
    with pytest.raises(ValueError, match="illegal"):
        taiji_v1.raw_env(illegal="pass")
    with pytest.raises(RuntimeError, match="reset"):
        taiji_v1.env().step(0)
    with pytest.raises(RuntimeError, match="reset"):
        taiji_v1.env().observe("player_0")


@pytest.mark.skipif(not PICTURES, reason="needs taiji[render]")
def test_pictures_have_pixels() -> None:
    env = taiji_v1.env("tailits", render_mode="rgb_array")
    env.reset()
    before = env.render()
    env.step(env.position.legal()[0])
    after = env.render()
    assert before.shape == after.shape
    assert before.shape[1] == 480
    assert not np.array_equal(before, after)
