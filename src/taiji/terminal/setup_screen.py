"""The menu: resume an unfinished game, or set up a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from taiji.rules import EDITIONS, GAMES, match_rule, parse_game
from taiji.terminal.clocks import TimeControl
from taiji.terminal.opponents import PERSON, is_person, opponent, player_choices, title
from taiji.terminal.session import Session, Setup

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from taiji.terminal.saves import Saved, Saves

CLOCKS = ("none", "3+2", "5+3", "10+5", "15+10", "30+20")
OTHER = "other"
ONE_GAME, MATCH = "one", "match"
MAX_LISTED_SAVES = 4
"""The maximum number of unfinished games listed."""


class SetupScreen(Screen[None]):
    """Asks what to play and against whom."""

    BINDINGS: ClassVar[list[BindingType]] = [("q,escape", "app.leave", "quit"), ("ctrl+s", "start", "start")]

    def __init__(self, saves: Saves) -> None:
        super().__init__()
        self.saves = saves
        self.unfinished: list[Saved] = saves.unfinished()[:MAX_LISTED_SAVES]

    def compose(self) -> ComposeResult:
        """Show the unfinished games and the form of a new one."""
        with VerticalScroll(id="menu"):
            yield Static("t a i j i", id="title")
            yield Static("", id="message", markup=False)
            if self.unfinished:
                yield Label("Resume")
                yield OptionList(
                    *(Option(saved.title, id=str(index)) for index, saved in enumerate(self.unfinished)),
                    id="unfinished",
                    compact=True,
                )
            yield from self._form()

    def _form(self) -> ComposeResult:
        games = [(f"{name} — {GAMES[name].title}", name) for name in GAMES]
        games += [(f"{name} — {EDITIONS[name].title}", name) for name in EDITIONS]
        with Horizontal(classes="row"):
            yield Label("Game")
            yield Select(games, value=next(iter(GAMES)), allow_blank=False, compact=True, id="game")
        with Horizontal(classes="row"):
            yield Label("Options")
            yield Input(placeholder="such as size=7,groups=1", id="options", compact=True)
        who = [(title(name), name) for name in player_choices()] + [("another player, named below", OTHER)]
        for side, start in (("Light", PERSON), ("Dark", _first_opponent())):
            with Horizontal(classes="row"):
                yield Label(side, id=f"{side.lower()}-label")
                yield Select(who, value=start, allow_blank=False, compact=True, id=side.lower())
        with Horizontal(classes="row"):
            yield Label("Another")
            yield Input(placeholder="a player, such as ugi:./engine", id="another", compact=True)
        with Horizontal(classes="row"):
            yield Label("Clock")
            yield Select([(c, c) for c in CLOCKS], value="none", allow_blank=False, compact=True, id="clock")
            games_to_play = [("one game", ONE_GAME), ("a match of two games", MATCH)]
            yield Select(games_to_play, value=ONE_GAME, allow_blank=False, compact=True, id="match")
        with Vertical(classes="row"):
            yield Button("  Play  ", variant="primary", id="start", compact=True)

    def on_mount(self) -> None:
        """Show warnings about saved games."""
        self._show_message("\n".join(self.saves.warnings))
        self.saves.warnings.clear()
        self.query_one("#unfinished" if self.unfinished else "#start").focus()

    def _show_message(self, text: str) -> None:
        message = self.query_one("#message", Static)
        message.update(text)
        message.display = bool(text)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Resume a saved game."""
        saved = self.unfinished[int(event.option.id or 0)]
        self.app.show_game(Session.resume(saved, self.saves))  # type: ignore[attr-defined]

    def on_select_changed(self, event: Select.Changed) -> None:
        """Show the colour names of the chosen game."""
        if event.select.id == "game":
            game = parse_game(str(event.value))
            self.query_one("#light-label", Label).update(game.colour_names.light)
            self.query_one("#dark-label", Label).update(game.colour_names.dark)

    def on_button_pressed(self) -> None:
        """Start the game."""
        self.action_start()

    def on_input_submitted(self) -> None:
        """Start the game."""
        self.action_start()

    def action_start(self) -> None:
        """Start the game of the form, or show what is wrong with it."""
        try:
            setup = self._setup()
        except ValueError as error:
            self._show_message(str(error))
            return
        self.app.show_game(Session.begin(setup, self.saves))  # type: ignore[attr-defined]

    def _setup(self) -> Setup:
        name = str(self.query_one("#game", Select).value)
        options = self.query_one("#options", Input).value.strip()
        text = name
        if options:
            base = EDITIONS[name].game if name in EDITIONS else name
            text = f"{base}{',' if ':' in base else ':'}{options}"
        players = []
        for side in ("light", "dark"):
            who = str(self.query_one(f"#{side}", Select).value)
            if who == OTHER:
                who = self.query_one("#another", Input).value.strip() or PERSON
            if not is_person(who):
                opponent(who).close()
            players.append(who)
        control = TimeControl.parse(str(self.query_one("#clock", Select).value))
        match = match_rule(name) if self.query_one("#match", Select).value == MATCH else None
        return Setup(parse_game(text), (players[0], players[1]), control, match)


def _first_opponent() -> str:
    """Return the default opponent: a level of medium strength."""
    offered = player_choices()
    return next((name for name in ("level:3", "greedy") if name in offered), PERSON)
