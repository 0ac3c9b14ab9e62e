"""How groups score, and who wins a tie: the rules of counting as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import prod

from taiji.rules.geometry import Adjacency, Board


@dataclass(frozen=True)
class LargestGroups:
    """The sum of the sizes of the `groups` largest groups."""

    groups: int = 1
    adjacency: Adjacency = Adjacency.EDGE

    def scoring_groups(self, board: Board, own: int) -> list[int]:
        """Return the groups that count."""
        return board.groups(own, self.adjacency)[: self.groups]

    def score(self, board: Board, own: int) -> int:
        """Return the points for these squares."""
        return sum(group.bit_count() for group in self.scoring_groups(board, own))


@dataclass(frozen=True)
class NthLargestGroup:
    """The size of the group of this rank; rank 2 is the second largest, 0 where there is none."""

    rank: int
    adjacency: Adjacency = Adjacency.EDGE

    def scoring_groups(self, board: Board, own: int) -> list[int]:
        """Return the group that counts."""
        return board.groups(own, self.adjacency)[self.rank - 1 : self.rank]

    def score(self, board: Board, own: int) -> int:
        """Return the points for these squares."""
        return sum(group.bit_count() for group in self.scoring_groups(board, own))


@dataclass(frozen=True)
class SumOfSquares:
    """The sum of the squared sizes of the `groups` largest groups."""

    groups: int = 1
    adjacency: Adjacency = Adjacency.EDGE

    def scoring_groups(self, board: Board, own: int) -> list[int]:
        """Return the groups that count."""
        return board.groups(own, self.adjacency)[: self.groups]

    def score(self, board: Board, own: int) -> int:
        """Return the points for these squares."""
        return sum(group.bit_count() ** 2 for group in self.scoring_groups(board, own))


@dataclass(frozen=True)
class GroupProduct:
    """The product of the sizes of the `groups` largest groups, or of all; no group makes 0 (our ruling)."""

    groups: int | None = None
    adjacency: Adjacency = Adjacency.EDGE

    def scoring_groups(self, board: Board, own: int) -> list[int]:
        """Return the groups that count."""
        return board.groups(own, self.adjacency)[: self.groups]

    def score(self, board: Board, own: int) -> int:
        """Return the points for these squares."""
        return prod(group.bit_count() for group in self.scoring_groups(board, own)) if own else 0


@dataclass(frozen=True)
class UncoveredSymbols:
    """The number of one's own symbols that no piece covers."""

    def scoring_groups(self, board: Board, own: int) -> list[int]:
        """Return no group: symbols count one by one."""
        return []

    def score(self, board: Board, own: int) -> int:
        """Return the points for these symbols."""
        return own.bit_count()


Scoring = LargestGroups | NthLargestGroup | SumOfSquares | GroupProduct | UncoveredSymbols


class Tie(Enum):
    """Who wins when the totals are equal."""

    LIGHT = "light"
    DARK = "dark"
    LAST = "last"
    """Whoever placed the last piece."""
    DRAW = "draw"
