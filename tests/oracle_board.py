"""Cells, shapes and groups for the oracle: dictionaries, sets and flood fill, and nothing of the package.

A cell is (column, row), a1 is (0, 0).
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Cell = tuple[int, int]
Cells = tuple[Cell, ...]
Grid = dict[Cell, str]

ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
SHAPES: dict[str, Cells] = {
    "L": ((0, 0), (0, 1), (0, 2), (1, 0)),
    "I": ((0, 0), (0, 1), (0, 2), (0, 3)),
    "T": ((0, 0), (1, 0), (2, 0), (1, 1)),
    "S": ((0, 0), (1, 0), (1, 1), (2, 1)),
}


@cache
def write(cells: Cells) -> str:
    """Write cells by column, then row."""
    return "".join(f"{'abcdefghijklmnopqrstuvwxyz'[column]}{row + 1}" for column, row in sorted(cells))


def turned(squares: Iterable[tuple[Cell, str]]) -> Iterator[list[tuple[Cell, str]]]:
    """Yield the eight turns and reflections of marked squares, each moved to the corner and sorted."""
    marked = list(squares)
    for flip in (False, True):
        for _ in range(4):
            marked = [((-y, x), mark) for (x, y), mark in marked]
            shown = [((-x, y), mark) for (x, y), mark in marked] if flip else marked
            left, low = min(x for (x, _), _ in shown), min(y for (_, y), _ in shown)
            yield sorted(((x - left, y - low), mark) for (x, y), mark in shown)


@cache
def piece_of(light: Cells, dark: Cells) -> str:
    """Name a coloured piece so that two pieces have one name when turning or flipping makes them equal."""
    return repr(min(turned([(cell, "l") for cell in light] + [(cell, "d") for cell in dark])))


@cache
def colourings(cells: Cells) -> tuple[tuple[Cells, Cells], ...]:
    """Return the six ways to make two of four squares light."""
    return tuple(
        (light, tuple(cell for cell in cells if cell not in light)) for light in combinations(cells, 2)
    )


def six_set() -> Counter[object]:
    """One piece of each of the six colourings of each shape."""
    return Counter(piece_of(*face) for cells in SHAPES.values() for face in colourings(cells))


@cache
def tetrominoes_on(width: int, height: int) -> tuple[tuple[str, Cells], ...]:
    """Every place, shape by shape, where a tetromino fits on an empty board."""
    found = []
    for shape, squares in SHAPES.items():
        for cells in {tuple(cell for cell, _ in marked) for marked in turned((cell, "") for cell in squares)}:
            for column in range(width):
                for row in range(height):
                    placed = tuple((x + column, y + row) for x, y in cells)
                    if all(x < width and y < height for x, y in placed):
                        found.append((shape, placed))
    return tuple(found)


@cache
def neighbours(cell: Cell, diagonal: bool = False) -> Cells:
    """Return the cells beside a cell, on the board or off it."""
    steps = ORTHOGONAL + DIAGONAL if diagonal else ORTHOGONAL
    return tuple((cell[0] + across, cell[1] + up) for across, up in steps)


def groups(grid: Grid, colour: str, diagonal: bool) -> list[int]:
    """Sizes of the groups of a colour, largest first."""
    left = {cell for cell, there in grid.items() if there == colour}
    sizes = []
    while left:
        pending, size = [left.pop()], 0
        while pending:
            size += 1
            beside = left.intersection(neighbours(pending.pop(), diagonal))
            left -= beside
            pending.extend(beside)
        sizes.append(size)
    return sorted(sizes, reverse=True)


@cache
def blocks_with(cell: Cell) -> tuple[Cells, ...]:
    """Return the four 2x2 blocks a cell belongs to."""
    return tuple(
        ((left, low), (left + 1, low), (left, low + 1), (left + 1, low + 1))
        for left in (cell[0] - 1, cell[0])
        for low in (cell[1] - 1, cell[1])
    )


@cache
def blocks_closed_by(cells: Cells) -> tuple[frozenset[Cell], ...]:
    """Return the other cells of each 2x2 block that holds some of the cells."""
    blocks = {frozenset(block) for cell in cells for block in blocks_with(cell)}
    return tuple(block.difference(cells) for block in blocks)


def read_symbols(rows: list[str]) -> Grid:
    """Read rows of x, o and dots, top row first."""
    colour = {"x": "light", "o": "dark"}
    return {
        (column, len(rows) - 1 - line): colour[mark]
        for line, row in enumerate(rows)
        for column, mark in enumerate(row)
        if mark != "."
    }
