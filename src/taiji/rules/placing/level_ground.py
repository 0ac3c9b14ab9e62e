"""Level ground: all squares of a piece lie at the same height."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from taiji.rules.geometry import Board
from taiji.rules.placing.base import PlacingRule, placing_rule
from taiji.rules.program import NONE_OR_ALL_COUNTED, Cells, Pick, Plane, Test, Under, Why
from taiji.rules.tables import read_switch


@placing_rule
@dataclass(frozen=True)
class LevelGround(PlacingRule):
    """All squares of a piece lie at the same height: on bare board, or on pieces of the stage before."""

    key = "level-ground"

    @classmethod
    def from_table(cls, value: object, board: Board) -> Self | None:
        """Read `level-ground = true`."""
        return cls() if read_switch(cls.key, value) else None

    def lower(self, board: Board) -> tuple[Test, ...]:
        """Require pieces below all squares or below none."""
        why = Why(
            "not-level",
            "{kind} would hang over the step at {cells}",
            Cells.MISSES,
            Pick.FIRST,
            "{part}",
            mark=Cells.HITS,
        )
        return (Test(self.key, Plane.GROUND, Under(), NONE_OR_ALL_COUNTED, why),)
