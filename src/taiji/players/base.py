"""What a player is: something that looks at a position under a limit and chooses a move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from taiji.rules import Game, MatchContext, Move, State


class PlayerError(ValueError):
    """A player's text, limit or option that makes no sense."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a player may think, whichever ends first; without any, the player decides."""

    seconds: float | None = None
    playouts: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("seconds", self.seconds), ("playouts", self.playouts), ("depth", self.depth)):
            if value is not None and not 0 < value < float("inf"):
                raise PlayerError(f"{name}={value}: a limit is more than 0")


@dataclass(frozen=True, slots=True)
class Info:
    """What a player thinks of the position, from the mover's side; None where it has no opinion."""

    win_prob: float | None = None
    """The probability that the mover wins, 0 to 1."""
    margin: float | None = None
    """The expected final margin in points."""
    pv: tuple[Move, ...] = ()
    """The line it expects, its own move first."""
    playouts: int = 0
    seconds: float = 0.0
    exact: bool = False
    """Whether win and margin are proven."""
    candidates: tuple[tuple[Move, float, float], ...] = ()
    """The moves it considered with their share of attention and win probability, the best first."""

    @property
    def speed(self) -> float:
        """Playouts a second."""
        return self.playouts / self.seconds if self.seconds > 0 else 0.0


Report = Callable[[Info], None]
"""Receives interim thoughts while a player thinks."""


class Player(Protocol):
    """A player. `choose` is called for any position of its game that is not over."""

    @property
    def name(self) -> str:
        """The text that `make_player` turns into this player."""
        ...

    def prepare(self, game: Game) -> None:
        """Get ready for a game before its clock runs."""
        ...

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a legal move within the limit."""
        ...

    def stop(self) -> None:
        """End the thinking under way, from another thread; `choose` then answers within 50 ms."""
        ...

    def new_game(self) -> None:
        """Drop what was remembered of earlier positions, before a new game."""
        ...

    def close(self) -> None:
        """Release what the player holds."""
        ...
