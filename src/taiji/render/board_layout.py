"""The layout of a board in a picture, in board units."""

from __future__ import annotations

from dataclasses import dataclass

from taiji.render.outline import Cell, Rounding
from taiji.render.shapes import Point
from taiji.render.theme import Geometry, geometry
from taiji.rules import Board, bits

CAPTION_HEIGHT = 34.0
"""Height of the caption under the board."""
BARE_MARGIN = 10.0
"""Margin on sides without coordinates."""


@dataclass(frozen=True)
class BoardLayout:
    """Positions and sizes of the parts of a board."""

    board: Board
    coordinates: bool
    caption: bool

    @property
    def sizes(self) -> Geometry:
        """Measures of a drawn board."""
        return geometry()

    @property
    def margin(self) -> float:
        """Margin left of and below the frame, for the coordinates."""
        return self.sizes.margin if self.coordinates else BARE_MARGIN

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of the frame."""
        sizes = self.sizes
        width = self.board.width * sizes.cell + 2 * sizes.frame
        height = self.board.height * sizes.cell + 2 * sizes.frame
        return self.margin, BARE_MARGIN, width, height

    @property
    def origin(self) -> Point:
        """Top left corner of the cells."""
        left, top, _, _ = self.frame
        return left + self.sizes.frame, top + self.sizes.frame

    @property
    def width(self) -> float:
        """Width of the picture."""
        left, _, width, _ = self.frame
        return left + width + BARE_MARGIN

    @property
    def board_bottom(self) -> float:
        """Bottom of the board with its coordinates; the caption starts here."""
        _, top, _, height = self.frame
        return top + height + self.margin

    @property
    def height(self) -> float:
        """Height of the picture."""
        return self.board_bottom + (CAPTION_HEIGHT if self.caption else 0)

    def cell_xy(self, cell: int) -> Cell:
        """Return the column and row of a cell, counted from the top left."""
        return cell % self.board.width, self.board.height - 1 - cell // self.board.width

    def cells_xy(self, mask: int) -> list[Cell]:
        """Return the columns and rows of the cells in a mask."""
        return [self.cell_xy(cell) for cell in bits(mask)]

    def corner(self, cell: int) -> Point:
        """Return the top left corner of a cell."""
        column, row = self.cell_xy(cell)
        return self.origin[0] + column * self.sizes.cell, self.origin[1] + row * self.sizes.cell

    def centre(self, cell: int) -> Point:
        """Return the centre of a cell."""
        x, y = self.corner(cell)
        return x + self.sizes.cell / 2, y + self.sizes.cell / 2

    def rounding(self, inset: float, convex: float, concave: float | None = None) -> Rounding:
        """Return the parameters of an outline; the radius of concave corners is the inset by default."""
        return Rounding(self.sizes.cell, self.origin, inset, convex, inset if concave is None else concave)
