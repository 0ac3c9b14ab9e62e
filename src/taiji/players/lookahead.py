"""Players that look one or two plies ahead and count nothing but the score."""

from __future__ import annotations

from random import Random

from taiji.kernel import get_kernel
from taiji.players.base import Info, Limit, Report
from taiji.players.simple import StatelessPlayer
from taiji.rules import Game, MatchContext, Move, State


class LookaheadPlayer(StatelessPlayer):
    """Plays a move with the best score difference after a few plies, any of several that are as good."""

    def __init__(self, depth: int, name: str, seed: int | None = None) -> None:
        self.name = name
        self._depth = depth
        self._random = Random(seed)

    def prepare(self, game: Game) -> None:
        """Build the kernel of the game."""
        get_kernel(game)

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose the move with the best score difference."""
        position = get_kernel(state.game).position_from_state(state)
        action, margin = position.look_ahead(self._depth, self._random.getrandbits(63))
        move = state.game.move(action)
        return move, Info(margin=margin, pv=(move,))


def greedy(seed: int | None = None) -> LookaheadPlayer:
    """Return a player that takes the most it can get now. Weak by design: it never sees an answer coming."""
    return LookaheadPlayer(1, "greedy", seed)


def alphabeta(seed: int | None = None) -> LookaheadPlayer:
    """Return a player that looks at its move and the answer."""
    return LookaheadPlayer(2, "alphabeta", seed)
