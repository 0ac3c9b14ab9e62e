"""Steps per second of the environments and of the naive oracle, measured in turns within one run.

python -m benchmarks.environments [--seconds 3] [GAME ...]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

import gymnasium
import numpy as np
import pyspiel
from tests.oracle import Oracle
from tests.rules.helpers import symbols_text

import taiji.envs.openspiel
from taiji.envs import gymnasium_v1, taiji_v1
from taiji.rules import parse_game

GAMES = ["taiji", "taiji:size=11", "tailits", "battle-of-lits", "tailits+taiji", "taiji+battle-of-lits"]
ROUNDS = 6
"""How often each is measured, in turn, so that all see the same load."""


def oracle(text: str, dice: random.Random) -> Callable[[], int]:
    """One game of the naive oracle: list what is legal, play any of it."""
    symbols = parse_game(text).stages[0].symbols
    board = parse_game(text).stages[0].board
    rows = symbols_text(board, symbols.light, symbols.dark) if symbols else None

    def game() -> int:
        state, plies = Oracle(text, rows), 0
        while not state.over:
            state.play(dice.choice(list(state.legal())))
            plies += 1
        return plies

    return game


def pettingzoo(text: str, dice: random.Random) -> Callable[[], int]:
    """One game of the PettingZoo environment, observation and mask looked at in every turn."""
    env = taiji_v1.env(text)

    def game() -> int:
        env.reset()
        plies = 0
        for _ in env.agent_iter():
            seen, _, over, _, _ = env.last()
            if over:
                env.step(None)
                continue
            choices = seen["action_mask"].nonzero()[0]
            env.step(choices[int(dice.random() * len(choices))])
            plies += 1
        return plies

    return game


def gymnasium_env(text: str, dice: random.Random) -> Callable[[], int]:
    """One game of the Gymnasium environment against chance; both players' plies count."""
    env = gymnasium.make(gymnasium_v1.env_id(text.partition(":")[0]), game=text)

    def game() -> int:
        _, info = env.reset(seed=dice.randrange(2**31))
        over = False
        while not over:
            choices = info["action_mask"].nonzero()[0]
            _, _, over, _, info = env.step(choices[int(dice.random() * len(choices))])
        return len(env.unwrapped.position.history)

    return game


def openspiel(text: str, dice: random.Random) -> Callable[[], int]:
    """One game of the OpenSpiel game, its observation tensor looked at in every turn."""
    assert taiji.envs.openspiel
    spiel = pyspiel.load_game("python_taiji", {"game": text})

    def game() -> int:
        state, plies = spiel.new_initial_state(), 0
        while not state.is_terminal():
            np.asarray(state.observation_tensor(state.current_player()))
            state.apply_action(dice.choice(state.legal_actions()))
            plies += 1
        return plies

    return game


MAKERS = {"oracle": oracle, "PettingZoo": pettingzoo, "Gymnasium": gymnasium_env, "OpenSpiel": openspiel}


def measure(text: str, seconds: float) -> dict[str, float]:
    """Return the steps per second of each, measured for `seconds` each."""
    games = {name: make(text, random.Random(1)) for name, make in MAKERS.items()}
    plies, spent = dict.fromkeys(games, 0), dict.fromkeys(games, 0.0)
    for game in games.values():
        game()
    for _ in range(ROUNDS):
        for name, game in games.items():
            begun = time.perf_counter()
            while time.perf_counter() - begun < seconds / ROUNDS:
                plies[name] += game()
            spent[name] += time.perf_counter() - begun
    return {name: plies[name] / spent[name] for name in games}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each environment and game")
    options = parser.parse_args()
    print(f"{'steps/s':<24}" + "".join(f"{name:>20}" for name in MAKERS))
    for text in options.games:
        found = measure(text, options.seconds)
        cells = [f"{found['oracle']:,.0f}"]
        cells += [f"{found[name]:,.0f} ({found[name] / found['oracle']:,.0f} ×)" for name in list(MAKERS)[1:]]
        print(f"{text:<24}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
