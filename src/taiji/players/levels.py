"""Levels 1 to 10 for people: a net with few evaluations above, a small tree search below, and human mistakes.

levels.json lists the levels of each game and board size with their measured Elo. `benchmarks/levels.py`
measures them; docs/players.md has the results.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from taiji.players.base import CandidateMove, Info, Limit, Player, PlayerError, Report, check_choice
from taiji.players.level_table import MAX_LEVEL, Level, get_level
from taiji.players.options import Parser, integer, one_of, parse_options, real, split_options
from taiji.players.searching import mcts
from taiji.rules import Game, MatchContext, Move, State

MIN_DELAY_S, MAX_DELAY_S = 0.5, 2.5
"""Range of the answer time at human pace."""
_LEVEL_PARSERS: dict[str, Parser] = {
    "playouts": integer,
    "evaluations": integer,
    "temperature": real,
    "blunder_rate": real,
}
_PARSERS = {"pace": one_of("engine", "human"), **_LEVEL_PARSERS}
_OPTION_ALIASES = {"lapse": "blunder_rate"}
"""Earlier option names, still accepted."""


class LevelPlayer:
    """Plays at a numbered level, or at a custom `Level`."""

    def __init__(self, name: str, level: int | Level, seed: int | None, *, human_pace: bool = False) -> None:
        self.name = name
        self._level = level
        self._random = Random(seed)
        self._search_seed = None if seed is None else seed & 0xFFFFFFFF
        self._human_pace = human_pace
        self._stop_requested = threading.Event()
        self._prepared: Level | None = None
        self._search: Player | None = None

    def prepare(self, game: Game) -> None:
        """Build the search of the game."""
        self._ready(self._level_of(game)).prepare(game)

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a move as a player of this level would, within the limit's seconds."""
        check_choice(state, limit, match, report)
        self._stop_requested.clear()
        began = time.monotonic()
        level = self._level_of(state.game)
        if self._random.random() < level.blunder_rate:
            move, info = self._random.choice(state.legal()), Info()
        else:
            # `neural` uses the playouts in games and endgames that the net does not play.
            level_limit = replace(limit, playouts=level.search_playouts, infinite=False)
            move, info = self._ready(level).choose(state, level_limit, match=match, report=report)
            if level.temperature and not info.exact:
                candidate = choose_candidate(info.candidates, level.temperature, self._random)
                if candidate.move != move:
                    move = candidate.move
                    info = replace(info, win_prob=candidate.win_prob, margin=candidate.margin, pv=(move,))
        if self._human_pace:
            delay = self._random.uniform(MIN_DELAY_S, MAX_DELAY_S)
            if limit.seconds is not None:
                delay = min(delay, limit.seconds / 2)
            self._stop_requested.wait(max(0.0, delay - (time.monotonic() - began)))
        return move, info

    def _level_of(self, game: Game) -> Level:
        return self._level if isinstance(self._level, Level) else get_level(game, self._level)

    def _ready(self, level: Level) -> Player:
        """Return the player that searches for a level."""
        if self._search is None or self._prepared != level:
            if self._search is not None:
                self._search.close()
            self._search = _make_search_player(level, self._search_seed)
            self._prepared = level
        return self._search

    def stop(self) -> None:
        """Answer at once."""
        self._stop_requested.set()
        if self._search is not None:
            self._search.stop()

    def new_game(self) -> None:
        """Drop the tree."""
        if self._search is not None:
            self._search.new_game()

    def close(self) -> None:
        """Release the tree."""
        if self._search is not None:
            self._search.close()


def choose_candidate(
    candidates: Sequence[CandidateMove], temperature: float, random: Random
) -> CandidateMove:
    """Return a candidate with a probability proportional to its visits to the power of 1 / `temperature`."""
    most = max(candidate.visits or 0 for candidate in candidates) or 1
    weights = [((candidate.visits or 0) / most) ** (1 / temperature) for candidate in candidates]
    rest = random.random() * sum(weights)
    for candidate, weight in zip(candidates, weights, strict=True):
        rest -= weight
        if rest < 0:
            return candidate
    return candidates[0]


def _make_search_player(level: Level, seed: int | None) -> Player:
    """Return the player that searches for a level; one that makes human mistakes does not prove its wins."""
    mirrors = "no" if level.temperature or level.blunder_rate else "yes"
    if not level.evaluations:
        return mcts(seed, mirrors=mirrors)
    from taiji.players.neural import neural

    return neural(seed, max_evaluations=str(level.evaluations), mirrors=mirrors, book=mirrors)


def make_level(text: str, *, seed: int | None = None) -> LevelPlayer:
    """Make a level from its text: `5`, `5,pace=human`, or a custom one: `playouts=300,temperature=0.5`."""
    parts = text.split(",")
    numbers = [part for part in parts if "=" not in part]
    options = split_options("level", ",".join(part for part in parts if "=" in part))
    values = parse_options("level", options, _PARSERS, _OPTION_ALIASES)
    human_pace = values.pop("pace", "engine") == "human"
    if not numbers and values.keys() & {"playouts", "evaluations"}:
        return LevelPlayer(f"level:{text}", Level(**values), seed, human_pace=human_pace)
    number = numbers[0] if len(numbers) == 1 and not values else ""
    if not (number.isascii() and number.isdigit() and 1 <= int(number[:3]) <= MAX_LEVEL):
        expected = f"expected a number from 1 to {MAX_LEVEL}, or playouts=N,temperature=T"
        raise PlayerError(f"invalid level {text[:40]!r} ({expected})")
    return LevelPlayer(f"level:{text}", int(number), seed, human_pace=human_pace)
