"""Levels 1 to 10 for people: the tree search with few playouts and lapses below, with many and none above.

The highest level thinks with a net where there is one for the game.

What each level of each game is made of stands in levels.json, at even distances in Elo as measured by
`benchmarks/levels.py`; docs/players.md has the ladder.
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
from taiji.players.searching import mcts
from taiji.rules import Game, MatchContext, Move, State

MAX_LEVEL = 10
TOP_LEVEL_PLAYER = "neural"
"""Who plays the highest level; where no net has learnt the game it thinks as the others do."""
TOP_LEVEL_EVALUATIONS = 800
MIN_DELAY_S, MAX_DELAY_S = 0.5, 2.5
"""Seconds between which a level that keeps a human pace answers."""


@dataclass(frozen=True, slots=True)
class Level:
    """How a level plays: so many playouts a move, and now and then a move without thinking."""

    playouts: int
    blunder_rate: float = 0.0
    """How often it plays any legal move, as somebody does who overlooks something."""

    def __post_init__(self) -> None:
        if self.playouts < 1 or not 0 <= self.blunder_rate <= 1:
            raise PlayerError("a level has at least one playout and lapses between 0 and 1")


@cache
def levels() -> dict[str, tuple[Level, ...]]:
    """Return the ten levels of each game of the catalogue."""
    text = resources.files("taiji.players").joinpath("levels.json").read_text(encoding="utf-8")
    return {name: tuple(Level(*pair) for pair in pairs) for name, pairs in json.loads(text).items()}


def get_level(game: Game, number: int) -> Level:
    """Return what a level is in a game; a game of one's own takes the levels of TAIJI."""
    table = levels()
    return table.get(str(game).partition(":")[0], table["taiji"])[number - 1]


class LevelPlayer:
    """A level of a game, or a level of one's own making."""

    def __init__(self, name: str, choice: int | Level, seed: int | None, *, human_pace: bool = False) -> None:
        self.name = name
        self._choice = choice
        self._random = Random(seed)
        self._human_pace = human_pace
        self._stop_requested = threading.Event()
        self._search: Player = _make_search_player(choice, None if seed is None else seed & 0xFFFFFFFF)

    def prepare(self, game: Game) -> None:
        """Build the search of the game."""
        self._search.prepare(game)

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a move as a player of this level would, within the limit's time."""
        self._stop_requested.clear()
        began = time.monotonic()
        level = self._choice if isinstance(self._choice, Level) else get_level(state.game, self._choice)
        if self._random.random() < level.blunder_rate:
            move, info = self._random.choice(state.legal()), Info()
        else:
            # The best player has a limit of its own for games with a net, and takes the level's for the rest.
            own = replace(limit, playouts=level.playouts)
            move, info = self._search.choose(state, own, match=match, report=report)
        if self._human_pace:
            wanted = self._random.uniform(MIN_DELAY_S, MAX_DELAY_S)
            if limit.seconds is not None:
                wanted = min(wanted, limit.seconds / 2)
            self._stop_requested.wait(max(0.0, wanted - (time.monotonic() - began)))
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


def _make_search_player(choice: int | Level, seed: int | None) -> Player:
    """Return who thinks for a level."""
    if choice != MAX_LEVEL:
        return mcts(seed=seed)
    from taiji.players.factory import make_player  # which knows the levels

    return make_player(f"{TOP_LEVEL_PLAYER}:at_most={TOP_LEVEL_EVALUATIONS}", seed=seed)


def make_level(text: str, *, seed: int | None = None) -> LevelPlayer:
    """Make a level from its text: `5`, `5,pace=human`, or `playouts=300,lapse=0.1` for one of one's own."""
    number, values = "", {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if equals:
            values[key] = value
        else:
            number = part
    pace = values.pop("pace", "engine")
    if pace not in ("engine", "human"):
        raise PlayerError(f"level: pace is engine or human, not {pace[:20]!r}")
    if number and not values:
        if not (number.isascii() and number.isdigit() and 1 <= int(number[:3]) <= MAX_LEVEL):
            raise PlayerError(f"level:{number[:20]}: there are levels 1 to {MAX_LEVEL}")
        return LevelPlayer(f"level:{text}", int(number), seed, human_pace=pace == "human")
    if number or "playouts" not in values or not set(values) <= {"playouts", "lapse"}:
        raise PlayerError("level takes a number from 1 to 10, or playouts=N,lapse=P")
    try:
        own = Level(int(values["playouts"]), float(values.get("lapse", "0")))
    except ValueError as error:
        raise PlayerError(f"level:{text[:40]}: {error}") from error
    return LevelPlayer(f"level:{text}", own, seed, human_pace=pace == "human")
