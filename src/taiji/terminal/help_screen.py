"""The keys, explained."""

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
R            turn it back        click   lay it there
f            flip it             right   turn it
c            same form, other colours
tab, n, 1–4  another piece       enter   lay it

h  hint          u  undo          s  swap colours
g  groups        t  theme         x  resign
m  menu          q  quit; the game is kept

○ light   ● dark   ◎ ◉ counted in the score
[ ] the last move   ( ) may be laid   ! ! may not
░ lies one piece higher

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
