"""Games and random play for the tests of the notation: every game, every stage, boards with holes."""

from __future__ import annotations

import random
from functools import cache

from taiji.rules import GAMES, Game, Move, State, game_from_toml, parse_game, register

HOLES = """
name = "test-holes"
words = ["Sun", "Moon"]
tie = "draw"
board = ["#...#", ".....", "..#..", ".....", "#...#"]
pieces = [
    { kind = "pair", shape = ["ld"], count = 6 },
    { kind = "sun", shape = ["ll"], count = 2 },
    { kind = "dot", shape = ["d"], count = 3 },
    { kind = "bar", shape = ["..."], count = 2 },
]
[score]
rule = "squares"
groups = 2
"""
"""A game with holes, and with pieces of one colour, of both and of none."""

TEXTS = [
    *GAMES,
    "taiji:size=4",
    "taiji:size=5,diagonal=yes",
    "taiji:size=6,score=omega",
    "tailits:score=second,set=free",
    "battle-of-lits:symbols=x..o|.xo.|.xo.|x..o",
    "battle-of-lits:board=7,size=8,swap=no",
    "taiji+battle-of-lits:size=4",
    "test-holes",
]


def game(text: str) -> Game:
    """Return a game; the tests' own is registered for the test that asks for it."""
    return register(_holes()) if text == "test-holes" else _built_in(text)


@cache
def _holes() -> Game:
    return game_from_toml(HOLES)


@cache
def _built_in(text: str) -> Game:
    return parse_game(text)


def random_game(text: str, seed: int, plies: int = 1000) -> tuple[list[Move], list[State]]:
    """Play at random: the moves, and one state more."""
    chance = random.Random(seed)
    states = [game(text).start()]
    moves: list[Move] = []
    while not states[-1].is_over and len(moves) < plies:
        moves.append(chance.choice(states[-1].legal()))
        states.append(states[-1].play(moves[-1]))
    return moves, states
