"""Where the parts of a picture of a board lie, in board units."""

from __future__ import annotations

from dataclasses import dataclass

from taiji.render.outline import Cell, Rounding
from taiji.render.shapes import Point
from taiji.render.theme import Geometry, geometry
from taiji.rules import Board, bits

CAPTION_HEIGHT = 34.0
"""The room for the line under the board."""
BARE_MARGIN = 10.0
"""The margin round a board without coordinates, and at the sides where there are none."""


@dataclass(frozen=True)
class BoardLayout:
    """The places of a board's cells in a picture."""

    board: Board
    coordinates: bool
    caption: bool

    @property
    def sizes(self) -> Geometry:
        """The lengths of a drawn board."""
        return geometry()

    @property
    def margin(self) -> float:
        """The room left of and below the frame, for the coordinates."""
        return self.sizes.margin if self.coordinates else BARE_MARGIN

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """The left and top edges, the width and the height of the frame."""
        sizes = self.sizes
        width = self.board.width * sizes.cell + 2 * sizes.frame
        height = self.board.height * sizes.cell + 2 * sizes.frame
        return self.margin, BARE_MARGIN, width, height

    @property
    def origin(self) -> Point:
        """The top left corner of the cells."""
        left, top, _, _ = self.frame
        return left + self.sizes.frame, top + self.sizes.frame

    @property
    def width(self) -> float:
        """The width of the picture."""
        left, _, width, _ = self.frame
        return left + width + BARE_MARGIN

    @property
    def board_bottom(self) -> float:
        """Where the board ends, its coordinates included, and the caption may begin."""
        _, top, _, height = self.frame
        return top + height + self.margin

    @property
    def height(self) -> float:
        """The height of the picture."""
        return self.board_bottom + (CAPTION_HEIGHT if self.caption else 0)

    def cell_xy(self, cell: int) -> Cell:
        """Return a cell's column and its row counted from the top."""
        return cell % self.board.width, self.board.height - 1 - cell // self.board.width

    def cells_xy(self, mask: int) -> list[Cell]:
        """Return the columns and rows of a mask's cells."""
        return [self.cell_xy(cell) for cell in bits(mask)]

    def corner(self, cell: int) -> Point:
        """Return the top left corner of a cell."""
        column, row = self.cell_xy(cell)
        return self.origin[0] + column * self.sizes.cell, self.origin[1] + row * self.sizes.cell

    def centre(self, cell: int) -> Point:
        """Return the middle of a cell."""
        x, y = self.corner(cell)
        return x + self.sizes.cell / 2, y + self.sizes.cell / 2

    def rounding(self, inset: float, convex: float, concave: float | None = None) -> Rounding:
        """Return how to draw an outline of cells; inner corners have the inset as radius unless told."""
        return Rounding(self.sizes.cell, self.origin, inset, convex, inset if concave is None else concave)
