"""The players `greedy` and `alphabeta`: maximise the score difference after one or two plies."""

from __future__ import annotations

from random import Random

from taiji.kernel import get_kernel
from taiji.players.base import Info, Limit, Report, check_choice
from taiji.players.simple import StatelessPlayer
from taiji.rules import Game, MatchContext, Move, State


class LookaheadPlayer(StatelessPlayer):
    """Plays a move with the best score difference after `depth` plies, a random one of equal moves."""

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
        check_choice(state, limit, match, report)
        position = get_kernel(state.game).position_from_state(state)
        action, margin = position.look_ahead(self._depth, self._random.getrandbits(63))
        move = state.game.move(action)
        return move, Info(margin=margin, pv=(move,))


def greedy(seed: int | None = None) -> LookaheadPlayer:
    """Return a player that maximises the score difference now; weak by design, as it ignores replies."""
    return LookaheadPlayer(1, "greedy", seed)


def alphabeta(seed: int | None = None) -> LookaheadPlayer:
    """Return a player that looks two plies ahead: its move and the reply."""
    return LookaheadPlayer(2, "alphabeta", seed)
