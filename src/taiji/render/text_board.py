"""Draw a board as lines of text; each piece has one outline, so that its shape shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from taiji.rules import Colour, bits
from taiji.rules.geometry import LETTERS

if TYPE_CHECKING:
    from taiji.rules import Move, State

OUTSIDE = -1
FREE = -2
RAISED = -3
"""Contents of a cell without a piece: outside the board, free, a piece of the stage before."""


class Glyphs(NamedTuple):
    """The characters of a drawing."""

    light: str
    dark: str
    scoring_light: str
    scoring_dark: str
    cross: str
    ring: str
    free: str
    start: str
    raised: str
    corners: str
    """The corner for each set of walls that meet: up 1, right 2, down 4, left 8."""
    diagonals: str
    """The joint of two squares of a piece that touch at a corner: rising, falling, both."""


UNICODE = Glyphs("○", "●", "◎", "◉", "x", "o", "·", "◇", "░", " ╵╶└╷│┌├╴┘─┴┐┤┬┼", "╱╲╳")
ASCII = Glyphs("o", "*", "O", "#", "x", "o", ".", "+", ":", " |-+||++-+-+++++", "/\\X")


class Paint(NamedTuple):
    """Terminal escape codes; empty ones leave the drawing plain."""

    light: str = ""
    dark: str = ""
    plain: str = ""
    scoring_light: str = ""
    scoring_dark: str = ""
    last: str = ""
    faint: str = ""
    off: str = ""


PLAIN = Paint()
COLOURED = Paint(
    light="\x1b[48;5;230;38;5;235m",
    dark="\x1b[48;5;236;38;5;230m",
    plain="\x1b[48;5;180;38;5;235m",
    scoring_light="\x1b[48;5;230;38;5;166;1m",
    scoring_dark="\x1b[48;5;236;38;5;80;1m",
    last="\x1b[31;1m",
    faint="\x1b[2m",
    off="\x1b[0m",
)


@dataclass(frozen=True)
class TextBoard:
    """The board of a state as text."""

    state: State
    glyphs: Glyphs = UNICODE
    paint: Paint = PLAIN
    last: Move | None = None
    scoring_groups: bool = True

    def lines(self) -> list[str]:
        """Return the lines of the board with coordinates; without escape codes all have the same width."""
        board = self.state.board
        margin = len(str(board.height)) + 1
        lines = []
        for row in reversed(range(-1, board.height)):
            lines.append(" " * margin + self._walls_above(row))
            if row >= 0:
                lines.append(f"{row + 1:>{margin - 1}} " + self._row_text(row))
        names = "".join(f"  {letter} " for letter in LETTERS[: board.width])
        return [*lines, " " * margin + names + " "]

    @cached_property
    def _owners(self) -> dict[int, int]:
        """The action that placed the piece on each covered cell."""
        placements = self.state.game.placements
        return {cell: action for action in self.state.placed[-1] for cell in bits(placements[action].cells)}

    @cached_property
    def _scoring_cells(self) -> int:
        if not self.scoring_groups:
            return 0
        return sum(group for colour in Colour for group in self.state.scoring_groups(colour))

    @cached_property
    def _start_cells(self) -> int:
        return 0 if self.state.covered else self.state.compiled_stage.traits.start_cells

    @cached_property
    def _last_cells(self) -> int:
        move = self.last
        return (
            getattr(move, "cells", 0) if getattr(move, "stage_index", None) == self.state.stage_index else 0
        )

    def _content_id(self, column: int, row: int) -> int:
        """Return the action of the piece on a cell, or one of the constants for cells without a piece."""
        cell = self.state.board.cell_at(column, row)
        if cell is None:
            return OUTSIDE
        if cell in self._owners:
            return self._owners[cell]
        return RAISED if self._is_raised(cell) else FREE

    def _is_raised(self, cell: int) -> bool:
        return self.state.compiled_stage.traits.heights_matter and bool(self.state.ground >> cell & 1)

    def _walls_above(self, row: int) -> str:
        """Return the line between a row and the row above it."""
        text = ""
        for column in range(self.state.board.width + 1):
            text += self._corner(column, row)
            if column < self.state.board.width:
                wall = self._content_id(column, row) != self._content_id(column, row + 1)
                text += self._wall_or_ground("─-", wall, (column, row), (column, row + 1)) * 3
        return text

    def _row_text(self, row: int) -> str:
        text = ""
        for column in range(self.state.board.width + 1):
            wall = self._content_id(column - 1, row) != self._content_id(column, row)
            text += self._wall_or_ground("│|", wall, (column - 1, row), (column, row))
            if column < self.state.board.width:
                text += self._content(column, row)
        return text

    def _wall_or_ground(
        self, wall_glyphs: str, wall: bool, one: tuple[int, int], two: tuple[int, int]
    ) -> str:
        if wall:
            return wall_glyphs[self.glyphs is ASCII]
        cells = [self.state.board.cell_at(*one), self.state.board.cell_at(*two)]
        raised = all(cell is not None and self._is_raised(cell) for cell in cells)
        return self.glyphs.raised if raised else " "

    def _corner(self, column: int, row: int) -> str:
        """Return the character at the corner of four cells: this row and the row above, left and right."""
        below = self._content_id(column - 1, row), self._content_id(column, row)
        above = self._content_id(column - 1, row + 1), self._content_id(column, row + 1)
        rising, falling = self._joined(below[0], above[1]), self._joined(above[0], below[1])
        if rising or falling:
            return self.glyphs.diagonals[rising + 2 * falling - 1]
        arms = (above[0] != above[1], above[1] != below[1], below[0] != below[1], above[0] != below[0])
        walls = sum(1 << arm for arm, there in enumerate(arms) if there)
        if walls:
            return self.glyphs.corners[walls]
        around = [self.state.board.cell_at(column + x, row + y) for x in (-1, 0) for y in (0, 1)]
        raised = all(cell is not None and self._is_raised(cell) for cell in around)
        return self.glyphs.raised if raised else " "

    def _joined(self, one: int, two: int) -> bool:
        """Return whether two cells that touch at a corner belong to one piece without shared edges."""
        return one == two >= 0 and not self._has_edges(one)

    def _has_edges(self, action: int) -> bool:
        footprint = self.state.game.placements[action].footprint
        edge = self.state.board.edge_neighbours
        return any(edge[cell] & footprint.cells for cell in bits(footprint.cells))

    def _content(self, column: int, row: int) -> str:
        cell = self.state.board.cell_at(column, row)
        if cell is None:
            return "   "
        bit = 1 << cell
        side = self.glyphs.raised if self._is_raised(cell) else " "
        mark, paint = self._mark(cell, bit)
        if bit & self._last_cells:
            return self._paint_text(f"[{mark}]", paint or self.paint.last)
        return self._paint_text(f"{side}{mark}{side}", paint)

    def _mark(self, cell: int, bit: int) -> tuple[str, str]:
        """Return the character of a cell and its escape code."""
        state, glyphs, paint = self.state, self.glyphs, self.paint
        counts = bit & self._scoring_cells
        if bit & state.light:
            return (glyphs.scoring_light, paint.scoring_light) if counts else (glyphs.light, paint.light)
        if bit & state.dark:
            return (glyphs.scoring_dark, paint.scoring_dark) if counts else (glyphs.dark, paint.dark)
        if bit & state.covered:
            return state.game.placements[self._owners[cell]].kind[:1], paint.plain
        symbols = state.symbols
        if bit & symbols.light:
            return glyphs.cross if state.current_stage.symbols else glyphs.light, ""
        if bit & symbols.dark:
            return glyphs.ring if state.current_stage.symbols else glyphs.dark, ""
        if bit & self._start_cells:
            return glyphs.start, paint.last
        return (glyphs.raised, paint.faint) if self._is_raised(cell) else (glyphs.free, paint.faint)

    def _paint_text(self, text: str, paint: str) -> str:
        return f"{paint}{text}{self.paint.off}" if paint else text
