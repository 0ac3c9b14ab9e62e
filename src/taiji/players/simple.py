"""Players that do not search: one that plays anything, and one that only looks at the score."""

from __future__ import annotations

from random import Random

from taiji.players.base import Info, Limit, Report, Stake
from taiji.rules import Move, State


class Instant:
    """A player that answers at once and remembers nothing."""

    name = "instant"

    def stop(self) -> None:
        """Do nothing: the answer is never long in coming."""

    def forget(self) -> None:
        """Do nothing: nothing is remembered."""

    def close(self) -> None:
        """Do nothing: nothing is held."""


class RandomPlayer(Instant):
    """Plays any legal move, each as likely as the others."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = Random(seed)

    def choose(
        self, state: State, limit: Limit, *, stake: Stake | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a legal move at random."""
        return self._random.choice(state.legal()), Info()


class GreedyPlayer(Instant):
    """Plays the move after which it leads by most, and any of them where several do; it looks no further.

    Weak by design: it never sees an answer coming.
    """

    name = "greedy"

    def __init__(self, seed: int | None = None) -> None:
        self._random = Random(seed)

    def choose(
        self, state: State, limit: Limit, *, stake: Stake | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose the move with the best score right after it."""
        seat = state.mover
        best: list[Move] = []
        most = float("-inf")
        for move in state.legal():
            scores = state._play_unchecked(move).scores()
            lead = scores.of(seat) - scores.of(seat.other)
            if lead > most:
                best, most = [], lead
            if lead == most:
                best.append(move)
        move = self._random.choice(best)
        return move, Info(margin=most, line=(move,))
