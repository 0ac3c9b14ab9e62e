"""The board widget: drawn in the largest size that fits, with mouse input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from taiji.terminal.glyphs import SIZES, Size
from taiji.terminal.grid import Grid
from taiji.terminal.styles import MONO, style_for

if TYPE_CHECKING:
    from textual import events

    from taiji.rules import Move, State
    from taiji.terminal.hand import Hand


class BoardView(Widget):
    """Shows a position and the piece in the player's hand."""

    DEFAULT_CSS = "BoardView { width: auto; height: auto; }"

    class Pointed(Message):
        """The mouse is over a cell; `clicked`: left button, `turn`: another button."""

        def __init__(self, cell: int, *, clicked: bool = False, turn: bool = False) -> None:
            super().__init__()
            self.cell = cell
            self.clicked = clicked
            self.turn = turn

    class Rolled(Message):
        """The mouse's wheel was turned."""

        def __init__(self, steps: int) -> None:
            super().__init__()
            self.steps = steps

    def __init__(self, state: State, *, ascii_only: bool = False, name: str | None = None) -> None:
        super().__init__(name=name)
        self.state = state
        self.last_move: Move | None = None
        self.hand: Hand | None = None
        self.show_groups = True
        self.ascii_only = ascii_only
        self.theme_name = "paper"
        self.cell_size = SIZES[-1]
        self._strips: list[Strip] = []

    def show(self, state: State, last: Move | None, hand: Hand | None) -> None:
        """Show a position."""
        self.state, self.last_move, self.hand = state, last, hand
        self.redraw()

    def redraw(self) -> None:
        """Draw everything again."""
        self._strips = []
        self.refresh(layout=True)

    def fit(self, width: int, height: int) -> None:
        """Use the largest cells with which the board fits into `width` × `height` characters."""
        size = fitting_size(self.state, width, height) or SIZES[-1]
        if size != self.cell_size:
            self.cell_size = size
            self.redraw()

    @property
    def grid(self) -> Grid:
        """Return the drawing of the current position."""
        return Grid(
            self.state,
            self.cell_size,
            self.last_move,
            self.hand,
            self.show_groups,
            self.ascii_only,
            shaded=self.theme_name != MONO and not self.ascii_only,
        )

    def get_content_width(self, *_: object) -> int:
        """Return the width of the board in characters."""
        return self.grid.width

    def get_content_height(self, *_: object) -> int:
        """Return the height of the board in characters."""
        return self.grid.height

    def render_line(self, y: int) -> Strip:
        """Return one row of characters."""
        if not self._strips:
            self._strips = [
                Strip([Segment(part.text, style_for(part.style, self.theme_name)) for part in line])
                for line in self.grid.lines()
            ]
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width)

    # --- the mouse

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Post the cell under the mouse."""
        cell = self.grid.cell_at(event.x, event.y)
        if cell is not None:
            self.post_message(self.Pointed(cell))

    def on_click(self, event: events.Click) -> None:
        """Post the cell that was clicked; the right button rotates the piece."""
        cell = self.grid.cell_at(event.x, event.y)
        if cell is not None:
            self.post_message(self.Pointed(cell, clicked=event.button == 1, turn=event.button != 1))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Rotate the piece clockwise."""
        event.stop()
        self.post_message(self.Rolled(1))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Rotate the piece anticlockwise."""
        event.stop()
        self.post_message(self.Rolled(-1))


def fitting_size(state: State, width: int, height: int) -> Size | None:
    """Return the largest cell size with which a board fits, or None if none does."""
    for size in SIZES:
        grid = Grid(state, size)
        if grid.width <= width and grid.height <= height:
            return size
    return None


def min_board_size(state: State) -> tuple[int, int]:
    """Return the minimum width and height of a board in characters."""
    grid = Grid(state, SIZES[-1])
    return grid.width, grid.height
