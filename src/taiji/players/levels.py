"""Levels 1 to 10 for people: `mcts` with few playouts and random moves below, many playouts above.

Level 10 plays with a net if there is one for the game. levels.json lists the levels of each game, evenly
spaced in Elo as measured by `benchmarks/levels.py`; docs/players.md has the results.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from random import Random

from taiji.players.base import Info, Limit, Player, PlayerError, Report
from taiji.players.options import Parser, integer, one_of, parse_options, real, split_options
from taiji.players.searching import mcts
from taiji.rules import Game, MatchContext, Move, State

MAX_LEVEL = 10
TOP_LEVEL_EVALUATIONS = 800
"""Evaluations per move of `neural` at the highest level."""
MIN_DELAY_S, MAX_DELAY_S = 0.5, 2.5
"""Range of the answer time at human pace."""
_PARSERS: dict[str, Parser] = {"pace": one_of("engine", "human"), "playouts": integer, "blunder_rate": real}
_OPTION_ALIASES = {"lapse": "blunder_rate"}
"""Earlier option names, still accepted."""


@dataclass(frozen=True, slots=True)
class Level:
    """How a level plays."""

    playouts: int
    """Playouts per move."""
    blunder_rate: float = 0.0
    """Probability of a random legal move, 0 to 1."""

    def __post_init__(self) -> None:
        if self.playouts < 1:
            raise PlayerError(f"playouts={self.playouts}: invalid (expected at least 1)")
        if not 0 <= self.blunder_rate <= 1:
            raise PlayerError(f"blunder_rate={self.blunder_rate}: invalid (expected 0 to 1)")


@cache
def levels() -> dict[str, tuple[Level, ...]]:
    """Return the ten levels of each game of the catalogue."""
    text = resources.files("taiji.players").joinpath("levels.json").read_text(encoding="utf-8")
    return {name: tuple(Level(*pair) for pair in pairs) for name, pairs in json.loads(text).items()}


def get_level(game: Game, number: int) -> Level:
    """Return a level of a game; custom games use the levels of TAIJI."""
    by_game = levels()
    return by_game.get(str(game).partition(":")[0], by_game["taiji"])[number - 1]


class LevelPlayer:
    """Plays at a numbered level, or at a custom `Level`."""

    def __init__(self, name: str, level: int | Level, seed: int | None, *, human_pace: bool = False) -> None:
        self.name = name
        self._level = level
        self._random = Random(seed)
        self._human_pace = human_pace
        self._stop_requested = threading.Event()
        self._search: Player = _make_search_player(level, None if seed is None else seed & 0xFFFFFFFF)

    def prepare(self, game: Game) -> None:
        """Build the search of the game."""
        self._search.prepare(game)

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a move as a player of this level would, within the limit's seconds."""
        self._stop_requested.clear()
        began = time.monotonic()
        level = self._level if isinstance(self._level, Level) else get_level(state.game, self._level)
        if self._random.random() < level.blunder_rate:
            move, info = self._random.choice(state.legal()), Info()
        else:
            # `neural` overrides the playouts in games with a net, and uses them in all others.
            level_limit = replace(limit, playouts=level.playouts, infinite=False)
            move, info = self._search.choose(state, level_limit, match=match, report=report)
        if self._human_pace:
            delay = self._random.uniform(MIN_DELAY_S, MAX_DELAY_S)
            if limit.seconds is not None:
                delay = min(delay, limit.seconds / 2)
            self._stop_requested.wait(max(0.0, delay - (time.monotonic() - began)))
        return move, info

    def stop(self) -> None:
        """Answer at once."""
        self._stop_requested.set()
        self._search.stop()

    def new_game(self) -> None:
        """Drop the tree."""
        self._search.new_game()

    def close(self) -> None:
        """Release the tree."""
        self._search.close()


def _make_search_player(level: int | Level, seed: int | None) -> Player:
    """Return the player that searches for a level."""
    if level != MAX_LEVEL:
        return mcts(seed)
    from taiji.players.neural import neural

    return neural(seed, max_evaluations=str(TOP_LEVEL_EVALUATIONS))


def make_level(text: str, *, seed: int | None = None) -> LevelPlayer:
    """Make a level from its text: `5`, `5,pace=human`, or a custom one: `playouts=300,blunder_rate=0.1`."""
    parts = text.split(",")
    numbers = [part for part in parts if "=" not in part]
    options = split_options("level", ",".join(part for part in parts if "=" in part))
    values = parse_options("level", options, _PARSERS, _OPTION_ALIASES)
    human_pace = values.pop("pace", "engine") == "human"
    if not numbers and "playouts" in values:
        return LevelPlayer(f"level:{text}", Level(**values), seed, human_pace=human_pace)
    number = numbers[0] if len(numbers) == 1 and not values else ""
    if not (number.isascii() and number.isdigit() and 1 <= int(number[:3]) <= MAX_LEVEL):
        expected = f"expected a number from 1 to {MAX_LEVEL}, or playouts=N,blunder_rate=P"
        raise PlayerError(f"invalid level {text[:40]!r} ({expected})")
    return LevelPlayer(f"level:{text}", int(number), seed, human_pace=human_pace)
