"""Opponents of a single agent: uniformly random moves, or any player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from taiji.envs.adapter import StateTracker
from taiji.players import Limit, Player, make_player
from taiji.players.simple import StatelessPlayer

if TYPE_CHECKING:
    import numpy as np

    from taiji.envs.adapter import GameAdapter
    from taiji.kernel import Position

RANDOM = "random"
SEED_RANGE = 2**31


class Opponent(Protocol):
    """Chooses an action for the seat opposite the agent."""

    def begin(self, random: np.random.Generator, *, seeded: bool) -> None:
        """Start a game; if seeded, the same seed gives the same moves."""
        ...

    def choose(self, position: Position) -> int:
        """Return a legal action."""
        ...

    def close(self) -> None:
        """Release all resources."""
        ...


class RandomOpponent:
    """Plays uniformly random legal actions without leaving the core."""

    def __init__(self) -> None:
        self._random: np.random.Generator | None = None

    def begin(self, random: np.random.Generator, *, seeded: bool) -> None:
        """Use the environment's generator."""
        self._random = random

    def choose(self, position: Position) -> int:
        """Return a random legal action."""
        assert self._random is not None
        legal = position.legal()
        return legal[int(self._random.integers(len(legal)))]

    def close(self) -> None:
        """Release nothing: no resources are held."""


class PlayerOpponent:
    """Plays as a player, which sees the position as a `State`.

    A copy has a player of its own, made from the text and the seed of this one: a copy of a searching player
    starts with an empty tree.
    """

    def __init__(self, adapter: GameAdapter, player: str | Player, limit: Limit) -> None:
        self._follower = StateTracker(adapter)
        self._text = player if isinstance(player, str) else None
        self._seed: int | None = None
        self._player = make_player(player) if isinstance(player, str) else player
        self._limit = limit

    def __getstate__(self) -> dict[str, object]:
        kept = isinstance(self._player, StatelessPlayer)
        return {**self.__dict__, "_player": self._player if kept else self._player.name}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        if isinstance(self._player, str):
            self._player = make_player(self._player, seed=self._seed)

    def begin(self, random: np.random.Generator, *, seeded: bool) -> None:
        """Tell the player that a new game starts; if seeded, make it again from a seed."""
        if seeded and self._text is not None:
            self._player.close()
            self._seed = int(random.integers(SEED_RANGE))
            self._player = make_player(self._text, seed=self._seed)
        self._player.new_game()

    def choose(self, position: Position) -> int:
        """Return the player's choice."""
        move, _ = self._player.choose(self._follower.state(position), self._limit)
        return move.action

    def close(self) -> None:
        """Close the player."""
        self._player.close()


def make_opponent(adapter: GameAdapter, player: str | Player, limit: Limit) -> Opponent:
    """Return the opponent for a player or a player's text."""
    if not isinstance(player, str) and not callable(getattr(player, "choose", None)):
        raise TypeError(f"opponent: expected a player or its text, not {type(player).__name__}")
    return RandomOpponent() if player == RANDOM else PlayerOpponent(adapter, player, limit)
