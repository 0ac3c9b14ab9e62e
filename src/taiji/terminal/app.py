"""The full-screen app: menu, game screen and themes."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, ClassVar

from rich.console import Console
from textual.app import App
from textual.events import Resize
from textual.geometry import Size
from textual.theme import Theme

from taiji.render.theme import theme as palette
from taiji.terminal.game_screen import GameScreen
from taiji.terminal.setup_screen import SetupScreen
from taiji.terminal.styles import MONO

if TYPE_CHECKING:
    from textual.binding import BindingType

    from taiji.terminal.saves import Saves
    from taiji.terminal.session import Session


class PlayApp(App[None]):
    """The full-screen app."""

    CSS_PATH = "app.tcss"
    TITLE = "taiji"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        ("ctrl+c", "leave", "quit"),
        ("ctrl+q", "leave", "quit"),
    ]

    def __init__(
        self,
        session: Session | None,
        saves: Saves,
        *,
        ascii_only: bool = False,
        seed: int | None = None,
        theme_name: str | None = None,
    ) -> None:
        mono = wants_no_colours() if theme_name is None else theme_name == MONO
        super().__init__(ansi_color=mono)
        self.first = session
        self.saves = saves
        self.ascii_only = ascii_only
        self.seed = seed
        self.theme_name = MONO if mono else theme_name or "paper"
        self.farewell = ""
        for name in ("paper", "night"):
            self.register_theme(_textual_theme(name))

    def on_mount(self) -> None:
        """Show the requested game, or the menu."""
        self.show_theme(self.theme_name)
        self.set_interval(0.5, self._follow_size)
        if self.first is None:
            self.push_screen(SetupScreen(self.saves))
        else:
            self.push_screen(self._game_screen(self.first))

    def _follow_size(self) -> None:
        """Poll the size of the terminal, and resize the screen if it missed a change.

        The parent process may have blocked the resize signal, and Textual delays the event by a timer that
        can be lost on a busy machine.
        """
        size = self.size if self.is_headless else terminal_size() or self.size
        if size != self.size:
            self.post_message(Resize(size, size))
        elif self.screen.outer_size != size:
            self.screen.post_message(Resize(size, size))

    def _game_screen(self, session: Session) -> GameScreen:
        return GameScreen(session, ascii_only=self.ascii_only, seed=self.seed)

    def show_game(self, session: Session) -> None:
        """Switch to the game screen."""
        self.switch_screen(self._game_screen(session))

    def show_menu(self) -> None:
        """Switch to the menu."""
        self.switch_screen(SetupScreen(self.saves))

    def show_theme(self, name: str) -> None:
        """Apply a theme to every screen."""
        self.theme_name = name
        self.ansi_color = name == MONO
        self.theme = "ansi-dark" if name == MONO else f"taiji-{name}"
        for screen in self.screen_stack:
            if isinstance(screen, GameScreen) and screen.is_mounted:
                screen.board.theme_name = name
                screen.board.redraw()

    def action_leave(self) -> None:
        """Quit, and save an unfinished game."""
        for screen in self.screen_stack:
            if isinstance(screen, GameScreen):
                screen.leave()
                session = screen.session
                if (session.moves or session.finished) and not (session.is_over and not session.more_to_play):
                    self.farewell = "The game is saved. Resume it with: taiji play --resume"
        self.exit()


def terminal_size() -> Size | None:
    """Return the actual size of the terminal, ignoring the environment; None if there is no terminal."""
    try:
        return Size(*os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1))
    except (OSError, ValueError):
        return None


def wants_no_colours() -> bool:
    """Return whether the terminal has no colours, or NO_COLOR is set."""
    return bool(os.environ.get("NO_COLOR")) or Console().color_system is None


def _textual_theme(name: str) -> Theme:
    """Return a Textual theme with the colours of a palette."""
    colours = palette(name)
    return Theme(
        f"taiji-{name}",
        primary=colours["seal"],
        secondary=colours["teal"],
        accent=colours["amber"],
        warning=colours["amber"],
        error=colours["bad"],
        success=colours["good"],
        foreground=colours["ink"],
        background=colours["paper"],
        surface=colours["raised"],
        panel=colours["sunken"],
        dark=name == "night",
    )


def play_full_screen(
    session: Session | None, saves: Saves, *, ascii_only: bool = False, seed: int | None = None
) -> None:
    """Run the full-screen app, then print warnings and how to resume an unfinished game."""
    app = PlayApp(session, saves, ascii_only=ascii_only, seed=seed)
    app.run()
    for sentence in [*saves.warnings, app.farewell]:
        if sentence:
            print(sentence)
