"""The board as a grid of characters in several sizes, each character with a style name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from taiji.rules import Colour, Placement, bits
from taiji.rules.geometry import LETTERS
from taiji.terminal.glyphs import ASCII_WALLS, WALLS, Size, art

if TYPE_CHECKING:
    from taiji.rules import Move, State
    from taiji.terminal.hand import Hand

FREE, HOLE, RAISED = -1, -2, -3
"""A cell without a piece: empty, outside the board, or on a piece of an earlier stage."""


class Character(NamedTuple):
    """A character of the grid and the name of its style."""

    text: str
    style: str


@dataclass
class Grid:
    """A drawing of a position in characters; `size` is the size of a cell."""

    state: State
    size: Size
    last_move: Move | None = None
    hand: Hand | None = None
    show_groups: bool = True
    ascii: bool = False
    shaded: bool = True
    """Whether colours, besides shapes, distinguish light squares from dark ones."""
    _owner: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number in self.state.placed[-1]:
            for cell in bits(self.state.game.placements[number].cells):
                self._owner[cell] = number
        groups = (
            [g for colour in Colour for g in self.state.scoring_groups(colour)] if self.show_groups else []
        )
        self._scoring_cells = sum(groups)
        self._last = self.last_move.cells if isinstance(self.last_move, Placement) else 0
        self._ghost = self.hand.placement.cells if self.hand else 0
        self._traits = self.state.game.compiled.stages[self.state.stage_index].traits
        self._allowed = self.hand is not None and self.hand.reason is None

    @property
    def label_width(self) -> int:
        """Return the width of the row numbers left of the board."""
        return len(str(self.state.board.height)) + 1

    @property
    def width(self) -> int:
        """Return the width of the drawing in characters."""
        return self.label_width + self.state.board.width * (self.size.width + 1) + 1

    @property
    def height(self) -> int:
        """Return the height of the drawing in characters."""
        return self.state.board.height * (self.size.height + 1) + 2

    def cell_at(self, x: int, y: int) -> int | None:
        """Return the cell at a character, or None; a wall belongs to the cell before it."""
        column = (x - self.label_width) // (self.size.width + 1)
        row = self.state.board.height - 1 - y // (self.size.height + 1)
        return self.state.board.cell_at(column, row) if x >= self.label_width else None

    def lines(self) -> list[list[Character]]:
        """Return the drawing, top row first."""
        board = self.state.board
        lines = []
        for row in reversed(range(board.height)):
            lines.append(self._wall_line(row))
            lines += [self._cell_line(row, line) for line in range(self.size.height)]
        lines.append(self._wall_line(-1))
        lines.append(self._letters())
        return lines

    def _letters(self) -> list[Character]:
        side = self.size.width // 2
        line = [Character(" " * self.label_width, "label")]
        line += [
            Character(" " * (side + 1) + LETTERS[column] + " " * side, "label")
            for column in range(self.state.board.width)
        ]
        return [*line, Character(" ", "label")]

    def _wall_line(self, row: int) -> list[Character]:
        """Draw the walls above a row."""
        line = [Character(" " * self.label_width, "label")]
        for column in range(self.state.board.width + 1):
            line.append(self._corner(column, row))
            if column < self.state.board.width:
                line.append(self._between((column, row + 1), (column, row), self.size.width, upright=False))
        return line

    def _cell_line(self, row: int, line: int) -> list[Character]:
        """Draw one line of characters through the cells of a row."""
        middle = (self.size.height - 1) // 2
        label = f"{row + 1:>{self.label_width - 1}} " if line == middle else " " * self.label_width
        characters = [Character(label, "label")]
        for column in range(self.state.board.width + 1):
            characters.append(self._between((column - 1, row), (column, row), 1, upright=True))
            if column < self.state.board.width:
                characters += self._content(column, row, line)
        return characters

    # --- walls

    def _piece_at(self, column_row: tuple[int, int]) -> int:
        """Return the action that placed the piece on a cell, or FREE, HOLE or RAISED."""
        cell = self.state.board.cell_at(*column_row)
        if cell is None:
            return HOLE
        return self._owner.get(cell, RAISED if self.state.ground >> cell & 1 else FREE)

    def _between(
        self, one: tuple[int, int], two: tuple[int, int], length: int, *, upright: bool
    ) -> Character:
        """Draw the border of two neighbouring cells: a wall, or a joint if one piece covers both."""
        if self._piece_at(one) != self._piece_at(two):
            walls = ASCII_WALLS if self.ascii else WALLS
            return Character((walls.upright if upright else walls.level) * length, "wall")
        styles = [self._surface(each) for each in (one, two)]
        if styles[0] == styles[1] or not self.shaded:
            return Character(" " * length, styles[0])
        # Half a character of each colour, so that the two squares meet in the middle.
        return Character(("▐" if upright else "▄") * length, f"{styles[1]} on {styles[0]}")

    def _surface(self, column_row: tuple[int, int]) -> str:
        """Return the style of the surface of a cell."""
        cell = self.state.board.cell_at(*column_row)
        if cell is None:
            return "outside"
        bit, state = 1 << cell, self.state
        if bit & state.light:
            return "light"
        if bit & state.dark:
            return "dark"
        if bit & state.covered:
            return f"tint-{state.game.placements[self._owner[cell]].footprint.kind_index % 4}"
        if bit & state.ground:
            return self._lower_style(bit)
        return "board"

    def _lower_style(self, bit: int) -> str:
        """Return the style of a cell that shows a piece of an earlier stage."""
        symbols = self.state.symbols
        if bit & symbols.light:
            return "lower-light"
        return "lower-dark" if bit & symbols.dark else "raised"

    def _corner(self, column: int, row: int) -> Character:
        """Draw the corner between the cells of this row and of the row above."""
        above = self._piece_at((column - 1, row + 1)), self._piece_at((column, row + 1))
        below = self._piece_at((column - 1, row)), self._piece_at((column, row))
        arms = (above[0] != above[1], above[1] != below[1], below[0] != below[1], above[0] != below[0])
        walls = sum(1 << arm for arm, there in enumerate(arms) if there)
        if not walls:
            return Character(" ", self._surface((column, row)))
        return Character((ASCII_WALLS if self.ascii else WALLS).corners[walls], "wall")

    # --- cells

    def _content(self, column: int, row: int, line: int) -> list[Character]:
        cell = self.state.board.cell_at(column, row)
        if cell is None:
            return [Character(" " * self.size.width, "outside")]
        bit = 1 << cell
        name, style = self._drawing(cell, bit)
        if self.hand is not None and bit & self._ghost:
            return self._ghost_content(bit, line)
        drawn = self._art(name, line)
        if bit & self._last:
            return self._sided("[]", f"last {style}", drawn, self._text_style(bit, style))
        if self._on_top(bit):
            return self._sided(
                "::" if self.ascii else "░░", f"on-top {style}", drawn, self._text_style(bit, style)
            )
        return [Character(drawn, self._text_style(bit, style))]

    def _art(self, name: str, line: int) -> str:
        return art(self.size, name, line, ascii_only=self.ascii, shaded=self.shaded)

    @staticmethod
    def _sided(sides: str, style: str, drawn: str, text_style: str) -> list[Character]:
        """Put a character on each side of the drawing of a cell."""
        return [Character(sides[0], style), Character(drawn[1:-1], text_style), Character(sides[1], style)]

    def _on_top(self, bit: int) -> bool:
        """Return whether a piece lies on another, in games in which height matters."""
        return self._traits.heights_matter and bool(bit & self.state.covered & self.state.ground)

    def _ghost_content(self, bit: int, line: int) -> list[Character]:
        assert self.hand is not None
        held = self.hand.placement
        name = "light" if bit & held.light else "dark" if bit & held.dark else f"kind-{held.kind[:1]}"
        sides, style = ("()", "ghost") if self._allowed else ("!!", "forbidden")
        side = "light" if bit & held.light else "dark" if bit & held.dark else "plain"
        return self._sided(sides, style, self._art(name, line), f"{style}-{side}")

    def _text_style(self, bit: int, style: str) -> str:
        if bit & self._scoring_cells:
            return f"counted-{style}"
        return style

    def _drawing(self, cell: int, bit: int) -> tuple[str, str]:
        """Return the drawing of a cell and its style."""
        state = self.state
        counts = "counted-" if bit & self._scoring_cells else ""
        if bit & state.light:
            return f"{counts}light", "light"
        if bit & state.dark:
            return f"{counts}dark", "dark"
        if bit & state.covered:
            placement = state.game.placements[self._owner[cell]]
            return f"kind-{placement.kind[:1]}", f"tint-{placement.footprint.kind_index % 4}"
        if bit & state.ground:
            return self._lower(bit)
        if bit & state.symbols.light:
            return "cross", "cross"
        if bit & state.symbols.dark:
            return "ring", "ring"
        if bit & self._traits.start_cells and not state.covered:
            return "start", "start"
        return "free", "board-mark"

    def _lower(self, bit: int) -> tuple[str, str]:
        """Return the drawing of a cell of an earlier stage: its colour if it scores, else its height."""
        symbols = self.state.symbols
        if bit & symbols.light:
            return "light", "lower-light"
        if bit & symbols.dark:
            return "dark", "lower-dark"
        return "raised", "raised"
