"""The Gymnasium environment passes that library's checker and plays against our players."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from taiji.envs import gymnasium_v1
from taiji.players import PlayerError, make_player
from taiji.rules import GAMES, GameError, IllegalMove, Seat


@pytest.mark.parametrize("seat", ["first", "second", "either"])
@pytest.mark.parametrize("name", GAMES)
def test_its_checker_passes(name: str, seat: str, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(gymnasium.make(gymnasium_v1.env_id(name), seat=seat).unwrapped)
    assert "choices" in capsys.readouterr().out


@pytest.mark.parametrize("opponent", ["greedy", "level:1", "mcts"])
def test_its_checker_passes_against_players(opponent: str, capsys: pytest.CaptureFixture[str]) -> None:
    settings = {"game": "taiji:size=4", "opponent": opponent, "seat": "second", "playouts": 20}
    check_env(gymnasium.make("taiji/taiji-v1", **settings).unwrapped)
    assert capsys.readouterr().out


def finish(env: gymnasium.Env, seed: int) -> tuple[float, dict]:
    """Play any legal actions to the end."""
    dice = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    over, reward = False, 0.0
    while not over:
        assert reward == 0
        assert not info.get("illegal")
        choices = info["action_mask"].nonzero()[0]
        assert np.array_equal(env.unwrapped.action_masks().nonzero()[0], choices)
        _, reward, over, cut, info = env.step(dice.choice(choices))
        assert not cut
    return reward, info


@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_a_whole_game_pays_who_wins_it(opponent: str) -> None:
    env = gymnasium.make("taiji/taiji-v1", game="taiji:size=5", opponent=opponent, seat="either")
    seats = set()
    for seed in range(12):
        reward, info = finish(env, seed)
        core = env.unwrapped.position
        assert reward == (1.0 if core.winner() == info["seat"] else -1.0)
        assert info["margin"] == core.scores()[info["seat"]] - core.scores()[1 - info["seat"]]
        seats.add(info["seat"])
        assert finish(env, seed)[0] == reward
    assert seats == {0, 1}


def test_a_player_object_may_sit_opposite() -> None:
    player = make_player("greedy", seed=3)
    env = gymnasium.make("taiji/battle-of-lits-v1", game="battle-of-lits:size=6", opponent=player)
    finish(env, 1)
    env.close()


def test_the_opponent_begins_for_the_second_seat() -> None:
    env = gymnasium.make("taiji/tailits-v1", seat="first")
    _, info = env.reset(seed=1)
    assert len(info["answers"]) == 1, "Black starts in TAILITS, and the first seat is White"
    assert env.unwrapped.position.seat_to_move is Seat.FIRST


def test_an_illegal_action_loses_and_says_why() -> None:
    env = gymnasium.make("taiji/taiji-v1", game="taiji:size=4")
    env.reset(seed=1)
    env.step(0)
    history = env.unwrapped.position.history
    _, reward, over, _, info = env.step(0)
    assert (reward, over) == (-1.0, True)
    assert "a1" in info["illegal"]
    assert env.unwrapped.position.history == history
    with pytest.raises(RuntimeError, match="reset"):
        env.unwrapped.step(1)


def test_an_illegal_action_can_raise() -> None:
    env = gymnasium.make("taiji/taiji-v1", game="taiji:size=4", illegal="raise")
    env.reset(seed=1)
    env.step(0)
    history = env.unwrapped.position.history
    with pytest.raises(IllegalMove, match="a1"):
        env.step(0)
    assert env.unwrapped.position.history == history
    env.step(env.unwrapped.position.legal()[0])


@pytest.mark.parametrize(
    ("settings", "error", "says"),
    [
        ({"seat": "third"}, ValueError, "seat"),
        ({"illegal": "pass"}, ValueError, "illegal"),
        ({"opponent": "nobody"}, PlayerError, "unknown player"),
        ({"playouts": 0, "opponent": "greedy"}, PlayerError, "playouts"),
        ({"render_mode": "3d"}, ValueError, "render_mode"),
        ({"seat": ["first"]}, ValueError, "seat"),
        ({"game": 5}, TypeError, "game: expected a Game or its text, not int"),
        ({"opponent": 5}, TypeError, "opponent: expected a player or its text, not int"),
    ],
)
def test_wrong_arguments_are_refused(settings: dict, error: type, says: str) -> None:
    with pytest.raises(error, match=says):
        gymnasium_v1.TaijiEnv(**settings)


def test_options_and_actions_of_the_wrong_type_are_refused() -> None:
    env = gymnasium_v1.TaijiEnv("taiji:size=4")
    with pytest.raises(TypeError, match="options: expected a dictionary, not int"):
        env.reset(options=5)
    env.reset(seed=1)
    for action in (-1, 48, 10**40):
        with pytest.raises(GameError, match="is not an action of taiji:size=4"):
            env.step(action)
