"""The table of the levels: how each one plays in each game, and its measured Elo."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from math import inf
from numbers import Real
from typing import Any

from taiji.players.base import PlayerError
from taiji.rules import Game
from taiji.rules.errors import check_type

MAX_LEVEL = 10
MAX_RANDOM_LEVEL = 3
"""The highest level that may play a random move."""
PLAYOUTS_PER_EVALUATION = 40
"""Playouts per evaluation of a level in games and endgames that its net does not play."""


@dataclass(frozen=True, slots=True)
class Level:
    """How a level plays: with a net if it has `evaluations`, else with a tree search."""

    playouts: int = 0
    """Playouts per move of `mcts`."""
    evaluations: int = 0
    """Evaluations per move of the net; in a game without a net, `mcts` plays instead."""
    temperature: float = 0.0
    """How readily another candidate than the best is played: with a probability proportional to the visits
    to the power of 1 / temperature; 0 always plays the best."""
    blunder_rate: float = 0.0
    """Probability of a random legal move, 0 to 1."""
    elo: int | None = None
    """Measured strength; level 1 of the game has 0. None if a step below has too few games."""

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name == "elo" and self.elo is None:
                continue
            check_type(field.name, getattr(self, field.name), Real, "a number")
        if self.playouts < 1 and not self.evaluations:
            raise PlayerError(f"playouts={self.playouts}: invalid (expected at least 1)")
        if self.playouts and self.evaluations:
            raise PlayerError(f"playouts={self.playouts}: invalid beside evaluations (expected one of them)")
        if not 0 <= self.temperature < inf:
            raise PlayerError(f"temperature={self.temperature}: invalid (expected at least 0)")
        if not 0 <= self.blunder_rate <= 1:
            raise PlayerError(f"blunder_rate={self.blunder_rate}: invalid (expected 0 to 1)")

    @property
    def search_playouts(self) -> int:
        """Playouts per move if a tree search plays."""
        return self.playouts or PLAYOUTS_PER_EVALUATION * self.evaluations


@cache
def levels() -> dict[str, dict[int, tuple[Level, ...]]]:
    """Return the ten levels of each game of the catalogue, by the width of its board."""
    return parse_table(resources.files("taiji.players").joinpath("levels.json").read_text(encoding="utf-8"))


def parse_table(text: str) -> dict[str, dict[int, tuple[Level, ...]]]:
    """Parse the text of levels.json; raise `PlayerError` that names a bad row."""
    return {
        name: {int(width): _parse_rows(f"{name} {width}", rows) for width, rows in by_width.items()}
        for name, by_width in json.loads(text).items()
    }


def _parse_rows(table: str, rows: list[dict[str, Any]]) -> tuple[Level, ...]:
    if len(rows) != MAX_LEVEL:
        raise PlayerError(f"{table}: {len(rows)} levels (expected {MAX_LEVEL})")
    parsed = []
    for number, row in enumerate(rows, 1):
        try:
            level = Level(**row)
        except (TypeError, PlayerError) as error:
            raise PlayerError(f"{table}, level {number}: {error}") from error
        if level.blunder_rate and number > MAX_RANDOM_LEVEL:
            raise PlayerError(f"{table}, level {number}: plays random moves (expected blunder_rate 0)")
        parsed.append(level)
    return tuple(parsed)


def get_levels(game: Game) -> tuple[Level, ...]:
    """Return the levels of a game: those of the nearest board; custom games use the levels of TAIJI."""
    check_type("game", game, Game, "a Game")
    by_game = levels()
    by_width = by_game.get(str(game).partition(":")[0], by_game["taiji"])
    width = game.stages[0].board.width
    return by_width[min(by_width, key=lambda known: (abs(known - width), known))]


def get_level(game: Game, number: int) -> Level:
    """Return a level of a game."""
    return get_levels(game)[number - 1]
