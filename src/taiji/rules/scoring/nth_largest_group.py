"""Nth largest group: the size of the group of one rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from taiji.rules.geometry import Adjacency, Board
from taiji.rules.program import Fold, Source, Tally
from taiji.rules.scoring.base import Scoring, read_adjacency, scoring_rule, size_values
from taiji.rules.tables import TomlTable, read_count


@scoring_rule
@dataclass(frozen=True)
class NthLargestGroup(Scoring):
    """The size of the group of this rank; rank 2 is the second largest. 0 if there are fewer groups."""

    key = "ranked"
    options = ("rank", "adjacency")

    rank: int
    adjacency: Adjacency = Adjacency.EDGE

    @classmethod
    def from_table(cls, table: TomlTable) -> Self:
        """Read `rank` and `adjacency`."""
        return cls(read_count(table, "rank", 2), read_adjacency(table))

    def lower(self, board: Board, source: Source | None) -> Tally:
        """Count one rank."""
        values = size_values(board)
        return Tally(
            self.key, source or Source.SQUARES, self.adjacency, self.rank, self.rank, values, Fold.SUM
        )
