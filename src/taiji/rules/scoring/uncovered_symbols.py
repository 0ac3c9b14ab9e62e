"""Uncovered symbols: the symbols of a colour that no piece covers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from taiji.rules.geometry import Board
from taiji.rules.program import Fold, Source, Tally
from taiji.rules.scoring.base import Scoring, scoring_rule, size_values
from taiji.rules.tables import TomlTable


@scoring_rule
@dataclass(frozen=True)
class UncoveredSymbols(Scoring):
    """The number of symbols of one's colour that no piece covers."""

    key = "uncovered"

    @classmethod
    def from_table(cls, table: TomlTable) -> Self:
        """Read the rule, which has no options."""
        return cls()

    def lower(self, board: Board, source: Source | None) -> Tally:
        """Count every symbol by itself."""
        return Tally(self.key, source or Source.SYMBOLS, None, 1, None, size_values(board), Fold.SUM)
