"""Who sits opposite a single agent: chance itself, or any of our players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from taiji.envs.adapter import StateTracker
from taiji.players import Limit, Player, make_player

if TYPE_CHECKING:
    import numpy as np

    from taiji.envs.adapter import GameAdapter
    from taiji.kernel import Position

RANDOM = "random"
SEED_RANGE = 2**31


class Opponent(Protocol):
    """Chooses an action for the seat opposite the agent."""

    def begin(self, random: np.random.Generator, *, seeded: bool) -> None:
        """Get ready for a game; after a seed, what follows must be the same every time."""
        ...

    def choose(self, position: Position) -> int:
        """Return a legal action."""
        ...

    def close(self) -> None:
        """Release what is held."""
        ...


class RandomOpponent:
    """Plays any legal action, each as likely as the others, without leaving the core."""

    def __init__(self) -> None:
        self._random: np.random.Generator | None = None

    def begin(self, random: np.random.Generator, *, seeded: bool) -> None:
        """Draw from the environment's own generator."""
        self._random = random

    def choose(self, position: Position) -> int:
        """Return any legal action."""
        assert self._random is not None
        legal = position.legal()
        return legal[int(self._random.integers(len(legal)))]

    def close(self) -> None:
        """Release nothing: nothing is held."""


class PlayerOpponent:
    """One of our players; it sees the position as a value of the rules."""

    def __init__(self, table: GameAdapter, player: str | Player, limit: Limit) -> None:
        self._follower = StateTracker(table)
        self._text = player if isinstance(player, str) else None
        self._player = make_player(player) if isinstance(player, str) else player
        self._limit = limit

    def begin(self, random: np.random.Generator, *, seeded: bool) -> None:
        """Forget the last game; a seeded one gets a player that draws from the seed."""
        if seeded and self._text is not None:
            self._player.close()
            self._player = make_player(self._text, seed=int(random.integers(SEED_RANGE)))
        self._player.new_game()

    def choose(self, position: Position) -> int:
        """Ask the player."""
        move, _ = self._player.choose(self._follower.state(position), self._limit)
        return move.action

    def close(self) -> None:
        """Close the player."""
        self._player.close()


def make_opponent(table: GameAdapter, player: str | Player, limit: Limit) -> Opponent:
    """Return the opponent that a player's text names, or that a player is."""
    return RandomOpponent() if player == RANDOM else PlayerOpponent(table, player, limit)
