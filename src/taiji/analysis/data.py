"""Analysis results: the one type that the command line, UGI, the engine workers and reviews render.

Win probabilities (0 to 1) and margins (points) are always from the view of the seat to move, `Analysis.seat`.
Every field is plain data, so that `dataclasses.asdict` and pydantic serialise it as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

SeatName = Literal["first", "second"]
Mark = Literal["inaccuracy", "mistake", "blunder"]


@dataclass(frozen=True, slots=True)
class MoveReason:
    """One argument for a move, with the cells that show it."""

    code: str
    """Stable key for translations, such as `joins`."""
    text: str
    """The reason in English."""
    cells: tuple[int, ...] = ()
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move that the player considered; None stands for what it does not know."""

    move: int
    """Action id."""
    text: str
    visits: int | None
    share: float
    """Fraction of all visits, 0 to 1."""
    prior: float | None
    """Probability that the policy gave the move before the search."""
    win_prob: float | None
    margin: float | None
    pv: tuple[str, ...]
    """Principal variation in move notation, beginning with this move."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A player's evaluation of one position."""

    ply: int
    seat: SeatName
    win_prob: float | None
    margin: float | None
    exact: bool
    """Whether `win_prob` and `margin` are proven."""
    final: bool
    """False for a report while the player is still thinking."""
    playouts: int
    seconds: float
    player: str
    candidates: tuple[Candidate, ...] = ()
    """Best first; empty if the game is over or nothing is known yet."""
    reasons: tuple[MoveReason, ...] = ()
    """Arguments for the best move, most telling first."""

    @property
    def best(self) -> Candidate | None:
        """The best move, if there is one."""
        return self.candidates[0] if self.candidates else None

    @property
    def playouts_per_s(self) -> float:
        """Playouts per second; 0 if no time has passed."""
        return self.playouts / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """The move that followed a position of a game."""

    move: int
    """Action id."""
    text: str


@dataclass(frozen=True, slots=True)
class ReviewPly:
    """One position of a reviewed game; the last one has no `played`, `loss` or `mark`."""

    analysis: Analysis
    played: PlayedMove | None = None
    loss: float | None = None
    """Win probability that the played move gave away, 0 to 1."""
    mark: Mark | None = None
