"""Rows: the footprints that pass each test as one integer, a bit per footprint.

A placement changes a row by a few operations on whole integers, instead of testing every footprint again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import compress
from operator import and_, or_
from typing import NamedTuple, TypeVar, assert_never

from taiji.rules.errors import Unsupported
from taiji.rules.geometry import Adjacency, Board, bits, mask_of
from taiji.rules.placements import Footprint
from taiji.rules.program import (
    Around,
    CompiledGame,
    CompiledStage,
    Each,
    Fixed,
    Fold,
    Plane,
    Source,
    Tally,
    Test,
    Tie,
    Under,
    When,
)
from taiji.rules.reasons import check_why
from taiji.rules.traits import Shape, classify

ENGINE = "state"
T = TypeVar("T")
_FLAGS = bytes.maketrans(b"01", b"\0\1")


def members(row: int, items: Iterable[T]) -> Iterator[T]:
    """Yield the items whose bits are set in a row."""
    return compress(items, format(row, "b").encode().translate(_FLAGS)[::-1])


class Planes(NamedTuple):
    """The cells that tests count, apart from those of the piece."""

    covered: int
    kinds: tuple[int, ...]
    """For each kind, the cells covered by its pieces."""
    ground: int

    def of(self, test: Test, footprint: Footprint) -> int:
        """Return the cells that a test counts for a piece on this footprint."""
        match test.plane:
            case Plane.PIECE:
                return footprint.cells
            case Plane.COVERED:
                return self.covered
            case Plane.AFTER:
                return self.covered | footprint.cells
            case Plane.KIND:
                return self.kinds[footprint.kind_index]
            case Plane.GROUND:
                return self.ground
            case _:
                assert_never(test.plane)


def failed_mask(test: Test, footprint: Footprint, planes: Planes, board: Board) -> int | None:
    """Return the first mask of the region in which a test fails, or None if it passes."""
    counted = planes.of(test, footprint)
    for mask in test.region.masks(footprint.cells, board):
        if not test.counts.allows((counted & mask).bit_count(), mask.bit_count()):
            return mask
    return None


def applies(test: Test, is_first: bool) -> bool:
    """Return whether a test applies to the next piece."""
    match test.when:
        case When.ALWAYS:
            return True
        case When.FIRST:
            return is_first
        case When.LATER:
            return not is_first
        case _:
            raise Unsupported(ENGINE, test.rule, f"when {test.when!r}")


def build_rows(game: CompiledGame) -> tuple[StageRows, ...]:
    """Return the rows of every stage; raise `Unsupported` for a rule that the state does not know."""
    match game.tie_rule:
        case Tie.LIGHT | Tie.DARK | Tie.LAST | Tie.DRAW:
            return tuple(StageRows(stage) for stage in game.stages)
        case _:
            raise Unsupported(ENGINE, "tie", f"tie rule {game.tie_rule!r}")


class StageRows:
    """The rows of one stage."""

    def __init__(self, stage: CompiledStage) -> None:
        self.footprints = stage.layout.footprints
        self.everything = (1 << len(self.footprints)) - 1
        self.covers = _rows_by_cell(stage)
        """For each cell, the footprints that cover it."""
        self.kinds = tuple(
            mask_of(f.index for f in self.footprints if f.kind_index == kind)
            for kind in range(len(stage.kinds))
        )
        self.stocks = tuple(
            mask_of({p.footprint.index for p in stage.layout.placements if p.stock == stock})
            for stock in range(len(stage.supply))
        )
        """For each part of the supply, the footprints that a piece of it can cover."""
        for tally in stage.tallies:
            check_tally(tally)
        self.tests = tuple(TestRow(test, stage, self) for test in stage.tests)
        self._first = tuple(index for index, row in enumerate(self.tests) if applies(row.test, True))
        self._later = tuple(index for index, row in enumerate(self.tests) if applies(row.test, False))

    def start(self, planes: Planes) -> tuple[int, ...]:
        """Return for each test the footprints that pass before anything is placed in the stage."""
        return tuple(row.start(planes) for row in self.tests)

    def update(self, passing: tuple[int, ...], footprint: Footprint, planes: Planes) -> tuple[int, ...]:
        """Return for each test the footprints that pass after a piece was placed on a footprint."""
        cells = tuple(bits(footprint.cells))
        kind = footprint.kind_index
        return tuple(
            test.update(row, cells, kind, planes) for test, row in zip(self.tests, passing, strict=True)
        )

    def live(self, passing: tuple[int, ...], supply: tuple[int, ...], is_first: bool) -> int:
        """Return the footprints that pass every test and for which a piece is left."""
        if all(supply):
            live = self.everything
        else:
            live = reduce(or_, (row for row, count in zip(self.stocks, supply, strict=True) if count), 0)
        for index in self._first if is_first else self._later:
            live &= passing[index]
        return live


class TestRow:
    """One test of a stage: which footprints pass it at the start, and after each placement."""

    __test__ = False

    def __init__(self, test: Test, stage: CompiledStage, rows: StageRows) -> None:
        check_plane(test)
        check_why(ENGINE, test)
        self.test = test
        self._shape = classify(test)
        self._board = stage.board
        self._rows = rows
        self._reach = _reach(test, rows.covers, rows.everything, stage.board)
        self._sets = _sets_by_cell(test, stage.board.size)
        self._passing = [test.counts.passing(size) for size in range(stage.board.size + 1)]
        self._masks: dict[int, tuple[int, ...]] = {}
        nothing = Planes(0, (0,) * len(stage.kinds), 0)
        self._at_start = 0 if test.plane is Plane.GROUND else self._row_at_start(nothing)

    def start(self, planes: Planes) -> int:
        """Return the footprints that pass before anything is placed in the stage."""
        return self._row_at_start(planes) if self.test.plane is Plane.GROUND else self._at_start

    def _row_at_start(self, planes: Planes) -> int:
        match self._shape:
            case Shape.KILL:
                return self._rows.everything
            case Shape.WAKE:
                return 0
            case Shape.BLOCK:
                return self._rows.everything & ~self._fillers(range(self._board.size), 0)
            case Shape.STATIC | Shape.COUNT:
                return self._recount(0, range(len(self._rows.footprints)), planes)
            case _:
                assert_never(self._shape)

    def update(self, row: int, cells: tuple[int, ...], kind: int, planes: Planes) -> int:
        """Return the footprints that pass after a piece of this kind was placed on these cells."""
        if self._shape is Shape.STATIC:
            return row
        if self._shape is Shape.BLOCK:
            return row & ~self._fillers(cells, planes.covered)
        touched = 0
        for cell in cells:
            touched |= self._reach[cell]
        if self.test.plane is Plane.KIND:
            touched &= self._rows.kinds[kind]
        if self._shape is Shape.KILL:
            return row & ~touched
        if self._shape is Shape.WAKE:
            return row | touched
        return self._recount(row, bits(touched), planes)

    def _fillers(self, cells: Iterable[int], covered: int) -> int:
        """Return the footprints that would complete a set which holds one of these cells."""
        fillers = 0
        for mask in {mask for cell in cells for mask in self._sets[cell]}:
            missing = mask & ~covered
            if missing:
                fillers |= reduce(and_, (self._rows.covers[cell] for cell in bits(missing)))
        return fillers

    def _recount(self, row: int, indices: Iterable[int], planes: Planes) -> int:
        """Test some footprints again, one by one."""
        for index in indices:
            footprint = self._rows.footprints[index]
            counted = planes.of(self.test, footprint)
            if all(
                self._passing[mask.bit_count()] >> (counted & mask).bit_count() & 1
                for mask in self._region_masks(footprint)
            ):
                row |= 1 << index
            else:
                row &= ~(1 << index)
        return row

    def _region_masks(self, footprint: Footprint) -> tuple[int, ...]:
        masks = self._masks.get(footprint.index)
        if masks is None:
            masks = self._masks[footprint.index] = self.test.region.masks(footprint.cells, self._board)
        return masks


def check_plane(test: Test) -> None:
    """Raise `Unsupported` if the state does not know the plane of a test."""
    match test.plane:
        case Plane.PIECE | Plane.COVERED | Plane.AFTER | Plane.KIND | Plane.GROUND:
            return
        case _:
            raise Unsupported(ENGINE, test.rule, f"plane {test.plane!r}")


def _rows_by_cell(stage: CompiledStage) -> tuple[int, ...]:
    covering: list[list[int]] = [[] for _ in range(stage.board.size)]
    for footprint in stage.layout.footprints:
        for cell in bits(footprint.cells):
            covering[cell].append(footprint.index)
    return tuple(map(mask_of, covering))


def _reach(test: Test, covers: tuple[int, ...], everything: int, board: Board) -> tuple[int, ...]:
    """Return for each cell the footprints whose region holds it."""
    cells = range(board.size)
    match test.region:
        case Under():
            return covers
        case Around(Adjacency.EDGE | Adjacency.KING as adjacency):
            near = board.neighbours(adjacency)
            return tuple(reduce(or_, (covers[n] for n in bits(near[c])), 0) & ~covers[c] for c in cells)
        case Fixed(mask):
            return tuple(everything if mask >> cell & 1 else 0 for cell in cells)
        case Each(sets):
            reach = [0] * board.size
            for mask in sets:
                meeting = reduce(or_, (covers[cell] for cell in bits(mask)), 0)
                for cell in bits(mask):
                    reach[cell] |= meeting
            return tuple(reach)
        case _:
            raise Unsupported(ENGINE, test.rule, f"region {test.region!r}")


def _sets_by_cell(test: Test, size: int) -> tuple[tuple[int, ...], ...]:
    sets = test.region.sets if isinstance(test.region, Each) else ()
    return tuple(tuple(mask for mask in sets if mask >> cell & 1) for cell in range(size))


def check_tally(tally: Tally) -> None:
    """Raise `Unsupported` if the state cannot count a tally."""
    match tally.source:
        case Source.SQUARES | Source.SYMBOLS:
            pass
        case _:
            raise Unsupported(ENGINE, tally.rule, f"source {tally.source!r}")
    match tally.join:
        case None | Adjacency.EDGE | Adjacency.KING:
            pass
        case _:
            raise Unsupported(ENGINE, tally.rule, f"join {tally.join!r}")
    match tally.fold:
        case Fold.SUM | Fold.PRODUCT:
            pass
        case _:
            raise Unsupported(ENGINE, tally.rule, f"fold {tally.fold!r}")
