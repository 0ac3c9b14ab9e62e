"""Where a test counts cells and which counts pass: the geometry of the compiled form."""

from __future__ import annotations

from dataclasses import dataclass

from taiji.rules.geometry import Adjacency, Board, bits


@dataclass(frozen=True)
class Under:
    """The cells of the piece."""

    def masks(self, cells: int, board: Board) -> tuple[int, ...]:
        """Return the masks in which a test counts, for a piece on `cells`."""
        return (cells,)


@dataclass(frozen=True)
class Around:
    """The cells next to the piece."""

    adjacency: Adjacency = Adjacency.EDGE

    def masks(self, cells: int, board: Board) -> tuple[int, ...]:
        """Return the masks in which a test counts, for a piece on `cells`."""
        neighbours = board.neighbours(self.adjacency)
        around = 0
        for cell in bits(cells):
            around |= neighbours[cell]
        return (around & ~cells,)


@dataclass(frozen=True)
class Fixed:
    """The same cells wherever the piece lies."""

    cells: int

    def masks(self, cells: int, board: Board) -> tuple[int, ...]:
        """Return the masks in which a test counts, for a piece on `cells`."""
        return (self.cells,)


@dataclass(frozen=True)
class Each:
    """Every one of these sets that shares a cell with the piece; the test must pass in all of them."""

    sets: tuple[int, ...]

    def masks(self, cells: int, board: Board) -> tuple[int, ...]:
        """Return the masks in which a test counts, for a piece on `cells`."""
        return tuple(mask for mask in self.sets if mask & cells)


Region = Under | Around | Fixed | Each


@dataclass(frozen=True)
class Counts:
    """The counts that pass, as inclusive ranges; a negative end counts from the region's size.

    -1 is all cells of the region, -2 all but one: `((0, -2),)` passes unless every cell is counted.
    """

    ranges: tuple[tuple[int, int], ...]

    def passing(self, size: int) -> int:
        """Return the counts that pass in a region of `size` cells, as a mask."""
        mask = 0
        for ends in self.ranges:
            low, high = (end + size + 1 if end < 0 else end for end in ends)
            for count in range(max(low, 0), min(high, size) + 1):
                mask |= 1 << count
        return mask

    def allows(self, count: int, size: int) -> bool:
        """Return whether `count` cells of a region of `size` cells pass."""
        return bool(self.passing(size) >> count & 1)

    @property
    def is_down_set(self) -> bool:
        """Whether every count below a passing one passes: a growing count can only begin to fail."""
        return len(self.ranges) == 1 and self.ranges[0][0] == 0


NONE_COUNTED = Counts(((0, 0),))
SOME_COUNTED = Counts(((1, -1),))
ALL_COUNTED = Counts(((-1, -1),))
NOT_ALL_COUNTED = Counts(((0, -2),))
NONE_OR_ALL_COUNTED = Counts(((0, 0), (-1, -1)))
