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
class CandidateMove:
    """A move that a player considered, from the mover's view; None if the player does not know."""

    move: Move
    share: float
    """Fraction of all visits, 0 to 1."""
    win_prob: float | None = None
    visits: int | None = None
    margin: float | None = None
    prior: float | None = None
    """Probability that the policy gave the move before the search."""


@dataclass(frozen=True, slots=True)
class Info:
    """A player's evaluation of a position, from the mover's view; None if the player has no opinion."""

    win_prob: float | None = None
    """Probability that the mover wins, 0 to 1."""
    margin: float | None = None
    """Expected final margin in points."""
    pv: tuple[Move, ...] = ()
    """Principal variation, beginning with the chosen move."""
    playouts: int = 0
    seconds: float = 0.0
    exact: bool = False
    """Whether `win_prob` and `margin` are proven."""
    candidates: tuple[CandidateMove, ...] = ()
    """The moves considered, best first."""


Report = Callable[[Info], None]
"""Receives interim evaluations while a player thinks."""


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
