"""Analysis results: the one type that the command line, UGI, the engine workers and reviews render.

Win probabilities (0 to 1) and margins (points) are always from the view of the seat to move, `Analysis.seat`.
Every field is plain data, so that `dataclasses.asdict` and pydantic serialise it as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

SeatName = Literal["first", "second"]
Mark = Literal["inaccuracy", "mistake", "blunder"]
"""How much a move lost, if that deserves a word."""
Verdict = Literal["best", "good", "inaccuracy", "mistake", "blunder", "unknown"]


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

    def __str__(self) -> str:
        values = [f"seat {self.seat}"]
        if self.win_prob is not None:
            values.append(f"{self.win_prob:.1%} to win")
        if self.margin is not None:
            values.append(f"margin {self.margin:+.1f}")
        if self.exact:
            values.append("proven")
        line = f": {' '.join(self.best.pv)}" if self.best else ""
        return f"{', '.join(values)}{line} ({self.playouts:,} playouts in {self.seconds:.2f} s)"

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
    margin_loss: float | None = None
    """Points of the expected margin that the played move gave away."""
    against: tuple[MoveReason, ...] = ()
    """What the best reply gains from the played move; empty if the played move was the best."""


@dataclass(frozen=True, slots=True)
class TriedMove:
    """A move that the reader of a review tried instead of the played one."""

    move: int
    """Action id."""
    text: str
    verdict: Verdict
    loss: float | None
    """Win probability that the move gives away, 0 to 1; None if it is unknown."""
    margin_loss: float | None
    reasons: tuple[MoveReason, ...] = ()
    """What the move does."""
    against: tuple[MoveReason, ...] = ()
    """What the best reply gains from it."""


@dataclass(frozen=True, slots=True)
class SeatReview:
    """How well one seat played."""

    moves: int
    """Number of its moves that were reviewed."""
    accuracy: float | None
    """0 to 100; None if no loss is known."""
    loss: float | None
    """Average loss of win probability per move."""
    inaccuracies: int
    mistakes: int
    blunders: int

    @property
    def counts(self) -> str:
        """The counts of its marks in words."""
        counts = (
            (self.blunders, "blunder", "blunders"),
            (self.mistakes, "mistake", "mistakes"),
            (self.inaccuracies, "inaccuracy", "inaccuracies"),
        )
        return ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts)


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game, or of its beginning while the review is going on."""

    game: str
    player: str
    """The player that reviewed."""
    positions: int
    """Number of positions of the game: one more than moves."""
    plies: tuple[ReviewPly, ...]
    first: SeatReview
    second: SeatReview
    turning_points: tuple[int, ...]
    """Indices of the plies whose move lost the lead, in order."""

    @property
    def is_complete(self) -> bool:
        """Whether every position is reviewed."""
        return len(self.plies) == self.positions

    @property
    def moves(self) -> tuple[ReviewPly, ...]:
        """The plies whose move is classified: those with a reviewed position after them."""
        return self.plies[:-1]

    def __str__(self) -> str:
        seats = ", ".join(
            f"{name} {'?' if seat.accuracy is None else f'{seat.accuracy:.0f}%'} accurate ({seat.counts})"
            for name, seat in (("first", self.first), ("second", self.second))
        )
        return f"{self.game}, {len(self.moves)} of {self.positions - 1} moves reviewed: {seats}"
