"""The player that plays anything, and what players share that answer at once."""

from __future__ import annotations

from random import Random

from taiji.players.base import Info, Limit, Report
from taiji.rules import Game, MatchContext, Move, State


class StatelessPlayer:
    """A player that answers at once and remembers nothing."""

    name = "instant"

    def prepare(self, game: Game) -> None:
        """Do nothing: there is nothing to build."""

    def stop(self) -> None:
        """Do nothing: the answer is never long in coming."""

    def new_game(self) -> None:
        """Do nothing: nothing is remembered."""

    def close(self) -> None:
        """Do nothing: nothing is held."""


class RandomPlayer(StatelessPlayer):
    """Plays any legal move, each as likely as the others."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = Random(seed)

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a legal move at random."""
        return self._random.choice(state.legal()), Info()
