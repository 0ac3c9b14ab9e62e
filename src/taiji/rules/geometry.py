"""Boards: rectangles of up to 128 cells, with holes, as numbered cells and bit masks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from taiji.rules.errors import check_type

MAX_CELLS = 128
LETTERS = "abcdefghijklmnopqrstuvwxyz"

_EDGE_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
_KING_STEPS = (*_EDGE_STEPS, (1, 1), (1, -1), (-1, 1), (-1, -1))


class UnknownCell(ValueError):
    """A cell name that is not on the board."""


class Adjacency(Enum):
    """Which cells count as neighbours when groups are formed."""

    EDGE = "edge"
    KING = "king"


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the set bits, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cells: Iterable[int]) -> int:
    """Return the mask with these bits set."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


@dataclass(frozen=True)
class Board:
    """A rectangle of cells, numbered row by row from `a1` at the bottom left; `holes` cannot be covered."""

    width: int
    height: int
    holes: int = 0

    def __post_init__(self) -> None:
        for name in ("width", "height", "holes"):
            check_type(name, getattr(self, name), int, "an integer")
        if not (1 <= self.width <= len(LETTERS) and self.height >= 1 and self.size <= MAX_CELLS):
            raise ValueError(
                f"a board of {self.width}×{self.height} is out of bounds: "
                f"at most {len(LETTERS)} columns and {MAX_CELLS} cells"
            )
        if self.holes < 0 or self.holes >> self.size:
            raise ValueError("holes must lie on the board")

    @property
    def size(self) -> int:
        """How many cells the rectangle has, holes included."""
        return self.width * self.height

    @cached_property
    def cells(self) -> int:
        """The mask of the cells that can be covered."""
        return ((1 << self.size) - 1) & ~self.holes

    def cell_at(self, column: int, row: int) -> int | None:
        """Return the cell in this column and row, or None off the board or in a hole."""
        check_type("column", column, int, "an integer")
        check_type("row", row, int, "an integer")
        if 0 <= column < self.width and 0 <= row < self.height:
            cell = row * self.width + column
            if self.cells >> cell & 1:
                return cell
        return None

    def name(self, cell: int) -> str:
        """Return the cell's name, such as `e4`."""
        check_type("cell", cell, int, "an integer")
        if not 0 <= cell < self.size:
            raise UnknownCell(f"cell {cell} is not on the board (expected 0 to {self.size - 1})")
        return f"{LETTERS[cell % self.width]}{cell // self.width + 1}"

    def names(self, mask: int) -> list[str]:
        """Return the names of a mask's cells, sorted by column, then row."""
        self._check_mask(mask)
        order = sorted(bits(mask), key=lambda cell: (cell % self.width, cell // self.width))
        return [self.name(cell) for cell in order]

    def cell(self, name: str) -> int:
        """Return the number of the cell of this name, in any case."""
        check_type("cell", name, str, "a text such as 'e4'")
        text = name.lower()
        if len(text) >= 2 and text[0] in LETTERS and text[1:].isascii() and text[1:].isdigit():
            cell = self.cell_at(LETTERS.index(text[0]), int(text[1:4]) - 1)
            if cell is not None and len(text) <= 4 and text[1] != "0":
                return cell
        raise UnknownCell(f"{name[:8]} is not on the board")

    def mask(self, names: Iterable[str]) -> int:
        """Return the mask of these cells."""
        check_type("names", names, Iterable, "texts such as 'e4'")
        return mask_of(self.cell(name) for name in names)

    def _check_mask(self, mask: int) -> None:
        """Raise TypeError or UnknownCell unless a mask consists of cells of the rectangle."""
        check_type("mask", mask, int, "an integer")
        if mask >> self.size:  # -1 for a negative mask, whose bits have no end
            raise UnknownCell(f"the mask has cells off the board (expected 0 to {(1 << self.size) - 1:#x})")

    @cached_property
    def edge_neighbours(self) -> tuple[int, ...]:
        """For each cell, the mask of the cells that share an edge with it."""
        return self._neighbours(_EDGE_STEPS)

    @cached_property
    def king_neighbours(self) -> tuple[int, ...]:
        """For each cell, the mask of the cells that share an edge or a corner with it."""
        return self._neighbours(_KING_STEPS)

    def _neighbours(self, steps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
        masks = []
        for cell in range(self.size):
            row, column = divmod(cell, self.width)
            near = (self.cell_at(column + dx, row + dy) for dx, dy in steps)
            masks.append(mask_of(other for other in near if other is not None))
        return tuple(masks)

    def neighbours(self, adjacency: Adjacency) -> tuple[int, ...]:
        """For each cell, the mask of its neighbours of this kind."""
        check_type("adjacency", adjacency, Adjacency, "an Adjacency")
        return self.edge_neighbours if adjacency is Adjacency.EDGE else self.king_neighbours

    @cached_property
    def centre(self) -> int:
        """The mask of the middle cell, or of the middle two or four if a side is even."""
        columns = {(self.width - 1) // 2, self.width // 2}
        rows = {(self.height - 1) // 2, self.height // 2}
        middle = (self.cell_at(column, row) for column in columns for row in rows)
        return mask_of(cell for cell in middle if cell is not None)

    def blocks(self, width: int, height: int) -> tuple[int, ...]:
        """Return the masks of all whole blocks of this size."""
        for name, side in (("width", width), ("height", height)):
            check_type(name, side, int, "an integer")
            if side < 1:
                raise ValueError(f"{name}: {side} is invalid (expected at least 1)")
        blocks = []
        for row in range(self.height - height + 1):
            for column in range(self.width - width + 1):
                cells = [self.cell_at(column + x, row + y) for y in range(height) for x in range(width)]
                if None not in cells:
                    blocks.append(mask_of(cell for cell in cells if cell is not None))
        return tuple(blocks)

    def groups(self, mask: int, adjacency: Adjacency) -> list[int]:
        """Split a mask into its connected groups, the largest first."""
        self._check_mask(mask)
        near = self.neighbours(adjacency)
        groups = []
        while mask:
            group = 0
            front = mask & -mask
            while front:
                group |= front
                reach = 0
                for cell in bits(front):
                    reach |= near[cell]
                front = reach & mask & ~group
            mask &= ~group
            groups.append(group)
        return sorted(groups, key=lambda group: (-group.bit_count(), group & -group))

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The turns and reflections that keep the board, as maps from cell to cell; the first keeps all."""
        w, h = self.width, self.height
        maps: list[Callable[[int, int], tuple[int, int]]] = [
            lambda x, y: (x, y),
            lambda x, y: (w - 1 - x, y),
            lambda x, y: (x, h - 1 - y),
            lambda x, y: (w - 1 - x, h - 1 - y),
        ]
        if w == h:
            maps += [
                lambda x, y: (y, x),
                lambda x, y: (w - 1 - y, x),
                lambda x, y: (y, h - 1 - x),
                lambda x, y: (w - 1 - y, h - 1 - x),
            ]
        images = []
        for move in maps:
            moved = [move(cell % w, cell // w) for cell in range(self.size)]
            image = tuple(y * w + x for x, y in moved)
            if mask_of(image[cell] for cell in bits(self.holes)) == self.holes:
                images.append(image)
        return tuple(images)
