"""The player `random`, and a base class for players without state."""

from __future__ import annotations

from random import Random

from taiji.players.base import Info, Limit, Report, check_choice
from taiji.rules import Game, MatchContext, Move, State


class StatelessPlayer:
    """A player that answers at once and keeps nothing between moves."""

    name = "instant"

    def prepare(self, game: Game) -> None:
        """Do nothing."""

    def stop(self) -> None:
        """Do nothing; the player answers at once."""

    def new_game(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class RandomPlayer(StatelessPlayer):
    """Plays a uniformly random legal move."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = Random(seed)

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a random legal move."""
        check_choice(state, limit, match, report)
        return self._random.choice(state.legal()), Info()
