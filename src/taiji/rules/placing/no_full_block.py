"""No full block: no rectangle of a given size is ever fully covered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from taiji.rules.errors import GameError
from taiji.rules.geometry import Board
from taiji.rules.placing.base import PlacingRule, placing_rule
from taiji.rules.program import NOT_ALL_COUNTED, Cells, Each, Pick, Plane, Test, Why


@placing_rule
@dataclass(frozen=True)
class NoFullBlock(PlacingRule):
    """No block of this size is ever fully covered."""

    key = "no-full-block"

    width: int = 2
    height: int = 2

    @classmethod
    def from_table(cls, value: object, board: Board) -> Self | None:
        """Read `no-full-block = [width, height]`."""
        if not (isinstance(value, list) and len(value) == 2 and all(type(n) is int and n > 0 for n in value)):
            raise GameError("no-full-block: invalid (expected its width and height, such as [2, 2])")
        return cls(*value)

    def lower(self, board: Board) -> tuple[Test, ...]:
        """Forbid completing any block that the piece meets."""
        why = Why(
            "full-block",
            "fills the {kind} block {first}–{last}",
            Cells.MASK,
            Pick.ENDS,
            f"{self.width}×{self.height}",
            mark=Cells.MASK,
        )
        blocks = Each(board.blocks(self.width, self.height))
        return (Test(self.key, Plane.AFTER, blocks, NOT_ALL_COUNTED, why),)
