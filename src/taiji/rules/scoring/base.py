"""The base of the scoring rules, and the registry of those that a declaration may name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, NamedTuple, Self, TypeVar

from taiji.rules.geometry import Adjacency, Board
from taiji.rules.program import Source, Tally
from taiji.rules.tables import TomlTable, read_choice


class Scoring(ABC):
    """A way to score; subclass it as a frozen dataclass."""

    key: ClassVar[str]
    """Its name in declarations, in the compiled form and in messages."""
    options: ClassVar[tuple[str, ...]] = ()
    """The keys of a declaration's table that it reads, besides `rule`."""

    @classmethod
    @abstractmethod
    def from_table(cls, table: TomlTable) -> Self:
        """Read the rule from a declaration's table."""

    @abstractmethod
    def lower(self, board: Board, source: Source | None) -> Tally:
        """Return the tally on this board; a tie-break is told its `source`, a score chooses it (None)."""


class ScoringReader(NamedTuple):
    """Reads a rule from a declaration's table."""

    read: Callable[[TomlTable], Scoring]
    options: tuple[str, ...]
    """The keys that it reads, besides `rule`."""


SCORING_RULES: dict[str, ScoringReader] = {}
"""The rules that a declaration may name."""

R = TypeVar("R", bound=type[Scoring])


def scoring_rule(rule: R) -> R:
    """Register a rule under its key, so that declarations may name it."""
    SCORING_RULES[rule.key] = ScoringReader(rule.from_table, rule.options)
    return rule


def read_adjacency(table: TomlTable) -> Adjacency:
    """Read which squares join into a group."""
    return Adjacency(read_choice(table, "adjacency", [a.value for a in Adjacency], "edge"))


def size_values(board: Board, power: int = 1) -> tuple[int, ...]:
    """Return the table in which a group is worth its size to a power."""
    return tuple(size**power for size in range(board.cells.bit_count() + 1))
