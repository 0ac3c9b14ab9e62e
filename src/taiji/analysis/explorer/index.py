"""Count positions of games as they come, within a bound: the statistics of a server's own games."""

from __future__ import annotations

from collections.abc import Sequence

from taiji.analysis.explorer.book import Stats
from taiji.analysis.explorer.keys import get_keys, key_of
from taiji.rules import Game, Scores, Seat

MAX_PLIES = 12
MAX_POSITIONS = 200_000


def opening_keys(game: Game, actions: Sequence[int], *, plies: int = MAX_PLIES) -> list[int]:
    """Return the keys of a game's first positions, the start first; only placements make a new one."""
    keys = get_keys(game)
    lanes = keys.start
    result = [key_of(lanes)]
    for action in actions[:plies]:
        if action < len(game.placements):
            lanes = keys.add(lanes, action)
            result.append(key_of(lanes))
    return result


def light_seat(game: Game, actions: Sequence[int]) -> Seat:
    """Return the seat that played Light at the end of a game."""
    return Seat(int(game.swap is not None and game.swap.action in actions))


class OpeningIndex:
    """Positions of the openings of one game's finished games."""

    def __init__(self, game: Game, *, plies: int = MAX_PLIES, max_positions: int = MAX_POSITIONS) -> None:
        self.games = 0
        self._game = game
        self._plies = plies
        self._max_positions = max_positions
        self._counts: dict[int, list[float]] = {}

    def add(self, actions: Sequence[int], winner: Seat | None, scores: Scores) -> None:
        """Count a finished game; positions beyond the maximum are not added, only counted if known."""
        light = light_seat(self._game, actions)
        won = 0.5 if winner is None else float(winner is light)
        margin = float(scores.of(light) - scores.of(light.other))
        self.games += 1
        for key in opening_keys(self._game, actions, plies=self._plies):
            self._count(key, won, margin)

    def _count(self, key: int, won: float, margin: float) -> None:
        entry = self._counts.get(key)
        if entry is None:
            if len(self._counts) >= self._max_positions:
                return
            entry = self._counts[key] = [0, 0.0, 0.0]
        entry[0] += 1
        entry[1] += won
        entry[2] += margin

    def find(self, key: int) -> Stats | None:
        """Return what is known of the position with this key."""
        entry = self._counts.get(key)
        if entry is None:
            return None
        games, wins, margins = entry
        return Stats(int(games), int(wins), None, margins / games)
