"""First must cover: the first piece covers given cells, such as the centre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from taiji.rules.errors import GameError
from taiji.rules.geometry import Board, UnknownCell
from taiji.rules.placing.base import PlacingRule, placing_rule
from taiji.rules.program import ALL_COUNTED, Cells, Fixed, Plane, Test, When, Why


@placing_rule
@dataclass(frozen=True)
class FirstMustCover(PlacingRule):
    """The first piece covers all these cells."""

    key = "first-covers"

    cells: int

    @classmethod
    def from_table(cls, value: object, board: Board) -> Self | None:
        """Read `first-covers = "centre"` or a list of cells."""
        if value == "centre":
            return cls(board.centre)
        if not isinstance(value, list):
            raise GameError("first-covers: invalid (expected 'centre' or a list of cells)")
        try:
            return cls(board.mask(map(str, value)))
        except UnknownCell as error:
            raise GameError(f"first-covers: {error} (expected 'centre' or a list of cells)") from error

    def lower(self, board: Board) -> tuple[Test, ...]:
        """Require all the cells under the first piece."""
        code, place = (
            ("first-covers", "the centre ") if self.cells == board.centre else ("first-covers-cells", "")
        )
        why = Why(code, f"the first piece must cover {place}{{cells}}", Cells.MASK, mark=Cells.MASK)
        return (Test(self.key, Plane.PIECE, Fixed(self.cells), ALL_COUNTED, why, When.FIRST),)
