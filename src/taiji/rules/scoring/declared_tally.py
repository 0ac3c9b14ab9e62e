"""Declared tally: a scoring rule in the compiled form itself, so that a declaration can state a new rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from taiji.rules.errors import GameError
from taiji.rules.geometry import Adjacency, Board
from taiji.rules.program import Fold, Source, Tally
from taiji.rules.scoring.base import Scoring, scoring_rule
from taiji.rules.tables import TomlTable, read_choice, read_enum, read_typed

MAX_VALUE = 1_000_000
MAX_TERM_CHARS = 20
POWERS = {"one": 0, "size": 1, "square": 2}
_ALONE = "none"


@scoring_rule
@dataclass(frozen=True)
class DeclaredTally(Scoring):
    """The groups of some ranks, worth a power of their size or what a list says, added up or multiplied."""

    key = "tally"
    options = ("ranks", "value", "fold", "source", "adjacency", "term")

    first: int
    last: int | None
    value: int | tuple[int, ...]
    """The power of the size, or the points of groups of 1, 2, 3, … cells; larger ones get the last value."""
    fold: Fold
    source: Source | None
    adjacency: Adjacency | None
    term: str

    @classmethod
    def from_table(cls, table: TomlTable) -> Self:
        """Read `ranks`, `value`, `fold`, `source`, `adjacency` and `term`."""
        first, last = _read_ranks(table.get("ranks", [1]))
        joins = [*(adjacency.value for adjacency in Adjacency), _ALONE]
        join = read_choice(table, "adjacency", joins, Adjacency.EDGE.value)
        return cls(
            first,
            last,
            _read_value(table.get("value", "size")),
            read_enum(table, "fold", Fold, Fold.SUM),
            read_enum(table, "source", Source) if "source" in table else None,
            None if join == _ALONE else Adjacency(join),
            _read_term(table),
        )

    def lower(self, board: Board, source: Source | None) -> Tally:
        """Expand the values for this board."""
        sizes = range(1, board.cells.bit_count() + 1)
        if isinstance(self.value, int):
            values = [size**self.value for size in sizes]
        else:
            values = [self.value[min(size, len(self.value)) - 1] for size in sizes]
        source = self.source or source or Source.SQUARES
        return Tally(
            self.key, source, self.adjacency, self.first, self.last, (0, *values), self.fold, self.term
        )


def _read_ranks(value: object) -> tuple[int, int | None]:
    """Read `[first, last]`, or `[first]` for all from there."""
    if isinstance(value, list) and 1 <= len(value) <= 2 and all(type(rank) is int for rank in value):
        first, last = value[0], value[-1] if len(value) == 2 else None
        if first >= 1 and (last is None or last >= first):
            return first, last
    raise GameError("ranks: invalid (expected [first, last], or [first] for all from there, counted from 1)")


def _read_term(table: TomlTable) -> str:
    term = read_typed(table, "term", str, "{n}")
    if "{n}" not in term or len(term) > MAX_TERM_CHARS:
        raise GameError(
            f"term: invalid "
            f"(expected at most {MAX_TERM_CHARS} characters with {{n}} for the size, such as {{n}}²)"
        )
    return term


def _read_value(value: object) -> int | tuple[int, ...]:
    if isinstance(value, str) and value in POWERS:
        return POWERS[value]
    if isinstance(value, list) and value and all(type(n) is int and abs(n) <= MAX_VALUE for n in value):
        return tuple(value)
    raise GameError(
        f"value: invalid (expected one of {', '.join(POWERS)}, or the points of groups of 1, 2, 3, … cells)"
    )
