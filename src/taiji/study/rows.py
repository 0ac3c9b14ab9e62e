"""One game of a study: its moves, its result, and what the players thought of each position."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from taiji.rules import Seat

WIN_UNIT = 1000
"""Win probabilities are kept in thousandths."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A finished game; seat 0 (FIRST) began as Light, seat 1 (SECOND) as Dark."""

    cell: str
    """The game and the strength that it belongs to."""
    index: int
    """Its number in the cell, from 0."""
    game: str
    """The game as played, with its board if the boards differ."""
    opening: int
    """Number of moves before the players began."""
    actions: tuple[int, ...]
    choices: tuple[int, ...]
    """The number of legal moves before each move."""
    win: tuple[int | None, ...]
    """The win probability of seat FIRST before each move, in thousandths; None if unknown."""
    scores: tuple[float, float]
    winner: int | None
    starter: int
    """The seat that moved first."""
    swapped: bool

    @property
    def key(self) -> str:
        """What identifies the game in the journal."""
        return f"{self.cell} #{self.index}"

    def to_json(self) -> dict[str, Any]:
        """Return the game as JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> GameRow:
        """Parse what `to_json` wrote."""
        values: dict[str, Any] = dict(data)
        for name in ("actions", "choices", "win", "scores"):
            values[name] = tuple(values[name])
        return cls(**values)

    @property
    def plies(self) -> int:
        """The number of moves, a swap included."""
        return len(self.actions)

    @property
    def is_tied(self) -> bool:
        """Whether the totals are equal, so that the tie rule decided."""
        return self.scores[0] == self.scores[1]

    @property
    def margin(self) -> float:
        """The lead of the player who was Light at the end."""
        lead = self.scores[0] - self.scores[1]
        return -lead if self.swapped else lead

    def points(self, seat: int) -> float:
        """Return the points of a seat: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == seat)

    @property
    def starter_points(self) -> float:
        """The points of the player who moved first."""
        return self.points(self.starter)

    @property
    def light_points(self) -> float:
        """The points of the player who was Light at the end."""
        return self.points(Seat.SECOND if self.swapped else Seat.FIRST)
