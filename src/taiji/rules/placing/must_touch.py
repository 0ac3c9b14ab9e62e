"""Must touch: every piece but the first shares an edge with one already placed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from taiji.rules.geometry import Board
from taiji.rules.placing.base import PlacingRule, placing_rule
from taiji.rules.program import SOME_COUNTED, Around, Cells, Plane, Test, When, Why
from taiji.rules.tables import read_switch


@placing_rule
@dataclass(frozen=True)
class MustTouch(PlacingRule):
    """Every piece but the first shares an edge with one already placed."""

    key = "touch"

    @classmethod
    def from_table(cls, value: object, board: Board) -> Self | None:
        """Read `touch = true`."""
        return cls() if read_switch(cls.key, value) else None

    def lower(self, board: Board) -> tuple[Test, ...]:
        """Require a covered cell around every later piece."""
        why = Why("no-touch", "touches no piece on the board", Cells.PIECE)
        return (Test(self.key, Plane.COVERED, Around(), SOME_COUNTED, why, When.LATER),)
