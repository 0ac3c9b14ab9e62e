"""The help screen: a list of the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

TEXT = """\
arrows       move the piece      mouse   point at a cell
r, space     turn it             wheel   turn it
R            turn it back        click   place it there
f            flip it             right   turn it
c            same shape, other colours
tab, n, 1–4  another piece       enter   place it

h  hint          u  undo          s  swap colours
g  groups        t  theme         x  resign
m  menu          v  review        q  quit; the game is saved

○ light   ● dark   ◎ ◉ in a scoring group
[ ] the last move   ( ) legal   ! ! illegal
░ one piece higher

Any key closes this."""


class HelpScreen(ModalScreen[None]):
    """A list of the keys over the game."""

    def compose(self) -> ComposeResult:
        """Show the list."""
        with Vertical(id="help"):
            yield Static(TEXT, markup=False)

    def on_key(self, event: events.Key) -> None:
        """Close at any key."""
        event.stop()
        self.dismiss()

    def on_click(self) -> None:
        """Close at a click."""
        self.dismiss()
