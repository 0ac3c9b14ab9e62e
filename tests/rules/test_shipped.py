"""What a game ships with: its page, its tables and its tests; and the speed that is promised."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from taiji.rules import GAMES, parse_game

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("name", GAMES)
def test_a_game_ships_whole(name: str) -> None:
    module = name.replace("+", "_").replace("-", "_")
    for path in (
        f"docs/rules/{name}.md",
        f"tests/perft/{name}.txt",
        f"tests/playthroughs/{name}.txt",
        f"tests/rules/test_rules_{module}.py",
        f"src/taiji/rules/{module}.py",
    ):
        assert (ROOT / path).is_file(), f"{name} has no {path}"


def seconds_of_a_random_game(text: str, seed: int) -> float:
    """The processor time of one random game, with every legal move listed at every ply."""
    game = parse_game(text)
    dice = random.Random(seed)
    state = game.start()
    began = time.process_time()
    while not state.is_over:
        state = state.play(dice.choice(state.legal()))
    return time.process_time() - began


def test_a_random_game_of_taiji_takes_under_fifty_milliseconds() -> None:
    assert min(seconds_of_a_random_game("taiji:size=11", seed) for seed in range(10)) < 0.05
