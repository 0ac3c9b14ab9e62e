"""Largest groups: the sizes of the largest groups, added up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from taiji.rules.geometry import Adjacency, Board
from taiji.rules.program import Fold, Source, Tally
from taiji.rules.scoring.base import Scoring, read_adjacency, scoring_rule, size_values
from taiji.rules.tables import TomlTable, read_count


@scoring_rule
@dataclass(frozen=True)
class LargestGroups(Scoring):
    """The sum of the sizes of the `groups` largest groups."""

    key = "largest"
    options = ("groups", "adjacency")

    groups: int = 1
    adjacency: Adjacency = Adjacency.EDGE

    @classmethod
    def from_table(cls, table: TomlTable) -> Self:
        """Read `groups` and `adjacency`."""
        return cls(read_count(table, "groups", 1), read_adjacency(table))

    def lower(self, board: Board, source: Source | None) -> Tally:
        """Count ranks 1 to `groups`."""
        values = size_values(board)
        return Tally(self.key, source or Source.SQUARES, self.adjacency, 1, self.groups, values, Fold.SUM)
