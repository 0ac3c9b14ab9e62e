"""Group product: the sizes of the largest groups, or of all groups (OMEGA), multiplied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from taiji.rules.geometry import Adjacency, Board
from taiji.rules.program import Fold, Source, Tally
from taiji.rules.scoring.base import (
    SCORING_RULES,
    Scoring,
    ScoringReader,
    read_adjacency,
    scoring_rule,
    size_values,
)
from taiji.rules.tables import TomlTable, read_count

OMEGA = "omega"


@scoring_rule
@dataclass(frozen=True)
class GroupProduct(Scoring):
    """The product of the sizes of the `groups` largest groups, or of all; no group makes 0 (our ruling)."""

    key = "product"
    options = ("groups", "adjacency")

    groups: int | None = None
    adjacency: Adjacency = Adjacency.EDGE

    @classmethod
    def from_table(cls, table: TomlTable) -> Self:
        """Read `groups` and `adjacency`."""
        return cls(read_count(table, "groups", 1), read_adjacency(table))

    @classmethod
    def omega_from_table(cls, table: TomlTable) -> Self:
        """Read `adjacency`; all groups count."""
        return cls(None, read_adjacency(table))

    def lower(self, board: Board, source: Source | None) -> Tally:
        """Multiply ranks 1 to `groups`, or all."""
        rule = OMEGA if self.groups is None else self.key
        values = size_values(board)
        return Tally(rule, source or Source.SQUARES, self.adjacency, 1, self.groups, values, Fold.PRODUCT)


SCORING_RULES[OMEGA] = ScoringReader(GroupProduct.omega_from_table, ("adjacency",))
