"""The interface of a player: it chooses a move for a position within a limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Protocol

from taiji.rules import Game, MatchContext, Move, State
from taiji.rules.errors import check_callback, check_type


class PlayerError(ValueError):
    """An invalid text, option or limit of a player."""


_MAX_LIMITS = {"seconds": 10**9, "playouts": 10**12, "depth": 10**9}
"""The core counts playouts and nanoseconds in 64 bits."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits of one move, whichever is reached first; without any the player decides."""

    seconds: float | None = None
    playouts: int | None = None
    depth: int | None = None
    """Plies of the principal variation at which a tree search ends."""
    infinite: bool = False
    """Think until `stop`, whatever the other limits are."""

    def __post_init__(self) -> None:
        check_type("seconds", self.seconds, (Real, type(None)), "a number")
        check_type("playouts", self.playouts, (Integral, type(None)), "an integer")
        check_type("depth", self.depth, (Integral, type(None)), "an integer")
        check_type("infinite", self.infinite, bool, "True or False")
        for name, value in (("seconds", self.seconds), ("playouts", self.playouts), ("depth", self.depth)):
            if value is not None and not 0 < value < float("inf"):
                raise PlayerError(f"{name}={value}: invalid (expected a number above 0)")
            if value is not None and value > _MAX_LIMITS[name]:
                raise PlayerError(f"{name}: too large (expected at most {_MAX_LIMITS[name]:,})")

    @property
    def is_open_ended(self) -> bool:
        """Whether nothing but `stop` or a depth ends the search."""
        return self.infinite or (self.depth is not None and self.seconds is None and self.playouts is None)


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

    def __str__(self) -> str:
        values = []
        if self.win_prob is not None:
            values.append(f"{self.win_prob:.1%} to win")
        if self.margin is not None:
            values.append(f"margin {self.margin:+g}" if self.exact else f"margin {self.margin:+.1f}")
        if self.exact:
            values.append("proven")
        line = f": {' '.join(map(str, self.pv))}" if self.pv else ""
        spent = f" ({self.playouts:,} playouts in {self.seconds:.2f} s)" if self.playouts else ""
        return f"{', '.join(values) or 'no opinion'}{line}{spent}"


Report = Callable[[Info], None]
"""Receives interim evaluations while a player thinks."""


def check_choice(
    state: State, limit: Limit, match: MatchContext | None, report: Report | None = None
) -> None:
    """Raise TypeError for arguments of `choose` of another type, `PlayerError` if the game is over."""
    check_type("state", state, State, "a State")
    check_type("limit", limit, Limit, "a Limit")
    check_type("match", match, (MatchContext, type(None)), "a MatchContext or None")
    check_callback("report", report)
    if state.is_over:
        raise PlayerError("state: the game is over (expected a position with a legal move)")


class Player(Protocol):
    """A player. `choose` is called for any position of its game that is not over."""

    @property
    def name(self) -> str:
        """The text that `make_player` turns into this player."""
        ...

    def prepare(self, game: Game) -> None:
        """Load what the game needs, before the clock starts."""
        ...

    def choose(
        self, state: State, limit: Limit, *, match: MatchContext | None = None, report: Report | None = None
    ) -> tuple[Move, Info]:
        """Choose a legal move within the limit."""
        ...

    def stop(self) -> None:
        """Stop thinking; `choose`, called from another thread, then returns within 50 ms."""
        ...

    def new_game(self) -> None:
        """Drop what was cached of earlier positions, before a new game."""
        ...

    def close(self) -> None:
        """Release memory, files and processes."""
        ...
