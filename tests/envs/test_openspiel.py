"""The games pass OpenSpiel's own simulation test, its MCTS bot plays them, and playthroughs hold them fast.

`python -m tests.envs.test_openspiel` updates the playthroughs, after a change that is meant.
"""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import make_observation

from taiji.envs import openspiel
from taiji.rules import GAMES, GameError, game_from_dict, register
from tests.waiting import PATIENCE_S

SMALL = [
    "python_taiji(size=4)",
    "python_tailits",
    "python_battle_of_lits(size=6)",
    "python_tailits_taiji",
    "python_taiji_battle_of_lits(size=4)",
]
"""A quick value of each game."""

OPTIONS = [
    "python_taiji",
    "python_taiji(size=5,groups=3,score=squares,diagonal=yes)",
    "python_taiji(score=omega)",
    "python_taiji(game=battle-of-lits:board:2;size:8)",
    "python_tailits(score=second,set=free)",
    "python_battle_of_lits(symbols=x..o|.xo.|.xo.|x..o,swap=no)",
    "python_tailits_taiji(score=second,groups=1)",
    "python_taiji_battle_of_lits(size=7,groups=2)",
]
PLAYED = {
    "python_taiji": "python_taiji(size=3)",
    "python_tailits": "python_tailits",
    "python_battle_of_lits": "python_battle_of_lits(size=6)",
    "python_tailits_taiji": "python_tailits_taiji",
    "python_taiji_battle_of_lits": "python_taiji_battle_of_lits(size=3)",
}
"""What each playthrough plays."""
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
TENSOR_ROW = re.compile("[◯◉ 0-9.]+")
WIDEST_ROW, MAX_LINE_CHARS = 40, 300
assert openspiel


@pytest.mark.parametrize("name", SMALL + OPTIONS)
def test_its_random_simulation_test_passes(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", SMALL)
def test_its_mcts_bot_plays(name: str) -> None:
    game = pyspiel.load_game(name)
    dice = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 3, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)
    state = game.new_initial_state()
    for _ in range(8):
        if not state.is_terminal():
            state.apply_action(bot.step(state))
    while not state.is_terminal():
        state.apply_action(int(dice.choice(state.legal_actions())))
    assert sorted(state.returns()) == [-1.0, 1.0]


def test_its_mcts_bot_finds_a_win() -> None:
    game = pyspiel.load_game("python_taiji(size=2)")
    dice = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 50, mcts.RandomRolloutEvaluator(2, dice), random_state=dice, solve=True)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert state.returns() == [-1.0, 1.0], "a tie is Dark's win, and Dark can always have one on 2×2"


def test_every_game_of_the_catalogue_is_registered() -> None:
    names = {game.short_name for game in pyspiel.registered_games()}
    assert {f"python_{name.replace('+', '_').replace('-', '_')}" for name in GAMES} <= names


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("taiji:size=7,groups=2", "taiji:size=7,groups=2"),
        ("taiji:size:7;groups:2", "taiji:size=7,groups=2"),
        ("tailits:score=second", "tailits:score=second"),
        ("nestorgames-7x7", "taiji:size=7"),
    ],
)
def test_any_game_text_survives_the_spelling_of_the_library(text: str, value: str) -> None:
    game = pyspiel.load_game("python_taiji", {"game": text})
    assert str(game.adapter.game) == value
    assert str(pyspiel.load_game(str(game)).adapter.game) == value


def test_a_game_of_ones_own_is_played() -> None:
    register(
        game_from_dict(
            {
                "name": "tiny-triominoes",
                "board": ["....", "....", "...."],
                "pieces": [
                    {"kind": "three", "shape": ["ldl"], "count": 2},
                    {"kind": "two", "shape": ["dl"], "count": 4},
                ],
            }
        )
    )
    game = pyspiel.load_game("python_taiji(game=tiny-triominoes)")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_clones_go_their_own_way() -> None:
    state = pyspiel.load_game("python_taiji(size=4)").new_initial_state()
    state.apply_action(0)
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[0])
    assert len(state.history()) == 1
    assert str(state) != str(twin)
    assert str(pickle.loads(pickle.dumps(twin))) == str(twin)


def test_a_program_that_used_it_ends_quietly() -> None:
    program = (
        "import pyspiel, taiji.envs.openspiel\n"
        "state = pyspiel.load_game('python_taiji(size=4)').new_initial_state()\n"
        "state.apply_action(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), "the core reports what outlives it"


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    state = pyspiel.load_game("python_taiji(size=4)").new_initial_state()
    state.apply_action(0)
    before = str(state)
    with pytest.raises(ValueError, match="a1"):
        state.apply_action(0)
    assert str(state) == before


def test_both_players_see_the_board_from_their_side() -> None:
    game = pyspiel.load_game("python_taiji(size=4)")
    state = game.new_initial_state()
    state.apply_action(state.string_to_action("a1/b1"))
    seen = make_observation(game)
    for player in (0, 1):
        seen.set_from(state, player)
        assert np.argwhere(seen.dict["observation"][1]).tolist() == [[0, player]]
        assert seen.string_from(state, player) == str(state)
    assert state.information_state_string(0) == "0"


@pytest.mark.parametrize(
    ("name", "params", "says"),
    [
        ("python_taiji", {"size": 99}, "size=99"),
        ("python_taiji", {"game": "go"}, "unknown game"),
        ("python_taiji", {"game": "tailits", "size": 7}, "contradict"),
        ("python_tailits", {"score": "third"}, "score=third"),
    ],
)
def test_wrong_parameters_are_refused(name: str, params: dict, says: str) -> None:
    with pytest.raises(GameError, match=says):
        pyspiel.load_game(name, params)


def playthrough(game: str, **options: Any) -> list[str]:
    """OpenSpiel's playthrough, long lists cut, without the rows of large tensors, which other tests hold."""
    # Half a second, most of it for statistics that nobody uses.
    from open_spiel.python.algorithms import generate_playthrough

    return [
        line if len(line) <= MAX_LINE_CHARS else line[:MAX_LINE_CHARS] + "…"
        for line in generate_playthrough.playthrough_lines(game, **options)
        if not (TENSOR_ROW.fullmatch(line) and len(line) > WIDEST_ROW)
    ]


@pytest.mark.parametrize("name", PLAYED)
def test_playthroughs_are_as_they_were(name: str) -> None:
    expected = (PLAYTHROUGHS / f"{name}.txt").read_text().splitlines()
    actions = [int(line.removeprefix("action: ")) for line in expected if line.startswith("action: ")]
    assert playthrough(PLAYED[name], action_sequence=actions) == expected


def write_playthroughs() -> None:
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for name, text in PLAYED.items():
        lines = playthrough(text, seed=1)
        (PLAYTHROUGHS / f"{name}.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write_playthroughs()
