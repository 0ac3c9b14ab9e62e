"""Same kind apart: no two pieces of the same kind share an edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from taiji.rules.geometry import Board
from taiji.rules.placing.base import PlacingRule, placing_rule
from taiji.rules.program import NONE_COUNTED, Around, Cells, Pick, Plane, Test, Why
from taiji.rules.tables import read_switch


@placing_rule
@dataclass(frozen=True)
class SameKindApart(PlacingRule):
    """No two pieces of the same kind share an edge."""

    key = "same-kind-apart"

    @classmethod
    def from_table(cls, value: object, board: Board) -> Self | None:
        """Read `same-kind-apart = true`."""
        return cls() if read_switch(cls.key, value) else None

    def lower(self, board: Board) -> tuple[Test, ...]:
        """Forbid cells of the same kind around the piece."""
        why = Why(
            "same-kind",
            "touches another {kind} at {cells}",
            Cells.HITS,
            Pick.FIRST,
            "{kind}",
            mark=Cells.HITS,
        )
        return (Test(self.key, Plane.KIND, Around(), NONE_COUNTED, why),)
