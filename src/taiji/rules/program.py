"""The compiled form of a game: tests of a placement and tallies of groups, the same for every engine.

A rule is declared under `rules/placing/` or `rules/scoring/` and lowered to this form once. Every engine (the
Python state, the C++ kernel, the JAX environment, the web page) interprets the form and raises `Unsupported`
for what it does not implement; no engine knows a rule by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from taiji.rules.geometry import Adjacency, Board, bits
from taiji.rules.regions import (
    ALL_COUNTED,
    NONE_COUNTED,
    NONE_OR_ALL_COUNTED,
    NOT_ALL_COUNTED,
    SOME_COUNTED,
    Around,
    Counts,
    Each,
    Fixed,
    Region,
    Under,
)

if TYPE_CHECKING:
    from taiji.rules.game import ColourNames, Symbols
    from taiji.rules.pieces import Colour
    from taiji.rules.placements import Layout
    from taiji.rules.traits import StageTraits


class Plane(Enum):
    """The cells that a test counts."""

    PIECE = "piece"
    """The cells of the piece to be placed."""
    COVERED = "covered"
    """The cells that the pieces of this stage cover."""
    AFTER = "after"
    """COVERED and PIECE together."""
    KIND = "kind"
    """The cells that pieces of the same kind cover in this stage."""
    GROUND = "ground"
    """The cells that the stage before has covered."""


class When(Enum):
    """At which placements of a stage a test applies."""

    ALWAYS = "always"
    FIRST = "first"
    """Only while nothing has been placed in this stage."""
    LATER = "later"
    """Only once something has been placed in this stage."""


class Cells(Enum):
    """A set of cells that explains a failed test."""

    NONE = "none"
    HITS = "hits"
    """The cells of the failed mask that were counted."""
    MISSES = "misses"
    """The cells of the failed mask that were not counted."""
    MASK = "mask"
    """All cells of the failed mask."""
    PIECE = "piece"


class Pick(Enum):
    """Which cells of a set a sentence names."""

    ALL = "all"
    FIRST = "first"
    """The first by column, then row."""
    ENDS = "ends"
    """The lowest and the highest cell number: two corners of a block."""


@dataclass(frozen=True)
class Why:
    """How a failed test is explained.

    `text` may contain {cells} (the named cells, joined by commas), {first} and {last} (of the named cells)
    and {kind} (the word). `word` may contain {kind} (the piece's kind) and {part} ("one half", or "a part of
    it" if the piece has more than two squares).
    """

    code: str
    """Names the sentence for translations: the web page looks up `reason.CODE` and falls back to `text`."""
    text: str
    cells: Cells = Cells.NONE
    """The set from which `pick` takes the cells that the text names."""
    pick: Pick = Pick.ALL
    word: str = ""
    mark: Cells = Cells.NONE
    """The cells to highlight on the board."""


@dataclass(frozen=True)
class Test:
    """A condition on placing: in each mask of the region, the number of cells in the plane must pass."""

    __test__ = False  # not a test case, whatever pytest makes of the name

    rule: str
    plane: Plane
    region: Region
    counts: Counts
    why: Why
    when: When = When.ALWAYS


class Source(Enum):
    """The cells that a tally groups, for each colour."""

    SQUARES = "squares"
    """The squares of the colour on this stage's pieces."""
    SYMBOLS = "symbols"
    """The symbols of the colour that no piece of this stage covers."""


class Fold(Enum):
    """How the values of the groups that count are combined; no group makes 0."""

    SUM = "sum"
    PRODUCT = "product"


def fold_values(fold: Fold, values: list[int]) -> int:
    """Combine the values of the groups that count."""
    if not values:
        return 0
    return sum(values) if fold is Fold.SUM else prod(values)


class Tie(Enum):
    """Who wins if the totals and all tie-breaks are equal."""

    LIGHT = "light"
    DARK = "dark"
    LAST = "last"
    """The player who placed the last piece."""
    DRAW = "draw"


@dataclass(frozen=True)
class Tally:
    """A way to score: the groups of ranks `first` to `last`, largest first, each worth `value[size]`."""

    rule: str
    source: Source
    join: Adjacency | None
    """Which cells join into a group; None makes each cell a group of its own."""
    first: int
    last: int | None
    """The last rank that counts; None counts all."""
    value: tuple[int, ...]
    """The points of a group by its size, from 0 to the number of cells of the board."""
    fold: Fold
    term: str = "{n}"
    """How one group is shown, such as `{n}²`."""

    def groups(self, board: Board, cells: int) -> list[int]:
        """Return the groups among `cells` that count, as masks, largest first."""
        groups = [1 << cell for cell in bits(cells)] if self.join is None else board.groups(cells, self.join)
        return groups[self.first - 1 : self.last]

    def score(self, board: Board, cells: int) -> int:
        """Return the points for `cells` of one colour."""
        if self.join is None and self.fold is Fold.SUM and self.first == 1 and self.last is None:
            return self.value[1] * cells.bit_count()
        return fold_values(self.fold, [self.value[group.bit_count()] for group in self.groups(board, cells)])

    @cached_property
    def depth(self) -> int:
        """How many of the largest groups decide the score; 0 if all may, or if cells count one by one."""
        return 0 if self.join is None or self.last is None else self.last

    @cached_property
    def linear(self) -> bool:
        """Whether the score is the number of cells in the groups that count."""
        return self.fold is Fold.SUM and self.value == tuple(range(len(self.value)))

    @cached_property
    def monotone(self) -> bool:
        """Whether no group can lower the score by growing or by joining another."""
        if self.fold is not Fold.SUM or self.first != 1:
            return False
        sizes = range(1, len(self.value))
        return all(
            self.value[one + two] >= self.value[one] + self.value[two]
            for one in range(len(self.value))
            for two in sizes
            if one + two < len(self.value)
        ) and all(self.value[size] >= 0 for size in sizes)

    def shown(self, sizes: list[int]) -> str:
        """Return how a score comes about, such as `5² + 4²`; nothing if cells count one by one."""
        if self.join is None:
            return ""
        joiner = " + " if self.fold is Fold.SUM else " × "
        return joiner.join(self.term.replace("{n}", str(size)) for size in sizes)


@dataclass(frozen=True, eq=False, repr=False)
class CompiledStage:
    """One stage as every engine reads it."""

    name: str
    board: Board
    layout: Layout
    kinds: tuple[str, ...]
    tests: tuple[Test, ...]
    """In the order in which they explain an illegal move; the first forbids covered cells."""
    score: Tally
    tiebreak: tuple[Tally, ...]
    first_colour: Colour
    supply: tuple[int, ...]
    symbols: Symbols | None
    """The printed symbols; None takes the squares of the stage before."""
    last_placement_bonus: int
    """In half points."""
    swap_after: int | None
    """After this many placements of the stage the player to move may swap; None: never."""
    traits: StageTraits

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """The score and the tie-breaks."""
        return (self.score, *self.tiebreak)

    @property
    def counts_symbols(self) -> bool:
        """Whether symbols score in this stage, and not squares."""
        return self.score.source is Source.SYMBOLS


@dataclass(frozen=True, eq=False, repr=False)
class CompiledGame:
    """A game as every engine reads it."""

    name: str
    stages: tuple[CompiledStage, ...]
    tie_rule: Tie
    swap_action: int | None
    action_count: int
    colour_names: ColourNames
    komi: int = 0
    """Half points that Light gets in the first stage, if they are fixed."""
    komi_names: tuple[int, ...] = ()
    """The half points that may be named before the first placement; their actions follow the swap's."""
    opening: tuple[int, ...] = ()
    """The placements, in order, that lie on the board when the game starts."""


__all__ = [
    "ALL_COUNTED",
    "NONE_COUNTED",
    "NONE_OR_ALL_COUNTED",
    "NOT_ALL_COUNTED",
    "SOME_COUNTED",
    "Around",
    "Cells",
    "CompiledGame",
    "CompiledStage",
    "Counts",
    "Each",
    "Fixed",
    "Fold",
    "Pick",
    "Plane",
    "Region",
    "Source",
    "Tally",
    "Test",
    "Tie",
    "Under",
    "When",
    "Why",
    "fold_values",
]
