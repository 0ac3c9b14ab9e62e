"""The game screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from taiji.rules import IllegalMove, NameKomi, Placement
from taiji.terminal import panel
from taiji.terminal.board_view import BoardView, fitting_size, min_board_size
from taiji.terminal.game_actions import GameActions, komi_note
from taiji.terminal.hand import Hand
from taiji.terminal.opponents import hint, limit_for, opponent, title

if TYPE_CHECKING:
    from rich.text import Text
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from taiji.players import Player
    from taiji.rules import Move
    from taiji.terminal.session import Session

PANEL_WIDTH = 30
"""The minimum width of the panel beside the board."""
PANEL_HEIGHT = 20


class GameScreen(GameActions):
    """A game, or a match, between people and computer players."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("left", "move(-1, 0)", "left"),
        ("right", "move(1, 0)", "right"),
        ("up", "move(0, 1)", "up"),
        ("down", "move(0, -1)", "down"),
        ("r,space", "turn(1)", "turn"),
        ("R,shift+r", "turn(-1)", "turn back"),
        ("f", "flip", "flip"),
        ("c", "recolour", "colours"),
        ("tab,n", "kind(1)", "next piece"),
        ("shift+tab,p", "kind(-1)", "piece before"),
        ("1", "nth_kind(0)", "first kind"),
        ("2", "nth_kind(1)", "second kind"),
        ("3", "nth_kind(2)", "third kind"),
        ("4", "nth_kind(3)", "fourth kind"),
        ("enter", "place", "place"),
        ("h", "hint", "hint"),
        ("u,backspace", "undo", "undo"),
        ("s", "swap", "swap"),
        ("g", "groups", "groups"),
        ("t", "theme", "theme"),
        ("x", "resign", "resign"),
        ("m", "menu", "menu"),
        ("v", "review", "review"),
        ("question_mark,f1", "help", "help"),
        ("q,escape", "app.leave", "quit"),
    ]

    def __init__(self, session: Session, *, ascii_only: bool = False, seed: int | None = None) -> None:
        super().__init__()
        self.session = session
        self.ascii_only = ascii_only
        self.seed = seed
        self.hand: Hand | None = None
        self.note = ""
        self.resigning = False
        self.komi_index = 0
        self._players: dict[str, Player] = {}
        self._thinking: Player | None = None
        self._turn = 0

    # --- parts

    def compose(self) -> ComposeResult:
        """Put the board and the panel side by side."""
        with Horizontal(id="table"):
            with Vertical(id="board-side"):
                yield BoardView(self.session.state, ascii_only=self.ascii_only)
            with Vertical(id="panel"):
                for part in ("head", "players", "supply", "moves", "held", "note", "keys"):
                    yield Static("", id=part, markup=part == "keys")
        yield Static("", id="too-small", markup=False)

    @property
    def board(self) -> BoardView:
        """Return the board widget."""
        return self.query_one(BoardView)

    def on_mount(self) -> None:
        """Start the clock and the first turn."""
        self.board.theme_name = self.app.theme_name  # type: ignore[attr-defined]
        self.set_interval(0.25, self._update_clock)
        self.session.start_clock()
        self._begin_turn()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the board to the terminal, or show the size that it needs."""
        self._fit(event.size.width, event.size.height)

    def _fit(self, width: int, height: int) -> None:
        state = self.session.state
        room = (width - PANEL_WIDTH - 1, height)
        size = fitting_size(state, *room) if height >= PANEL_HEIGHT else None
        self.set_class(size is None, "-too-small")
        if size is None:
            columns, rows = min_board_size(state)
            need = f"{columns + PANEL_WIDTH + 1}×{max(rows, PANEL_HEIGHT)}"
            message = f"This board needs {need} characters;\nthe terminal has {width}×{height}.\n\n"
            message += "Enlarge it to continue.\nThe game is saved; q quits."
            self.query_one("#too-small", Static).update(message)
        else:
            self.board.fit(*room)
            self.call_after_refresh(self._show)

    # --- showing

    def _show(self) -> None:
        """Show the position and the panel."""
        session = self.session
        person = session.waits_for_person
        self.board.show(session.state, session.last_move, self.hand if person else None)
        self._show_texts()

    def _show_texts(self) -> None:
        session = self.session
        width = max(PANEL_WIDTH - 1, self.query_one("#panel").content_size.width)
        thinking = self._thinking is not None
        parts: dict[str, Text | str] = {
            "head": panel.head(session, width),
            "players": panel.players(session, width, thinking=thinking),
            "supply": panel.supply(session),
            "held": panel.held(session, self.hand if session.waits_for_person else None),
            "note": self.note,
        }
        moves = self.query_one("#moves", Static)
        parts["moves"] = panel.moves(session, width, moves.content_size.height)
        for name, text in parts.items():
            self.query_one(f"#{name}", Static).update(panel.in_ascii(text) if self.ascii_only else text)
        self.query_one("#keys", Static).update(_links(panel.keys(session), width))

    def say(self, text: str) -> None:
        """Show a message beside the board."""
        self.note = text
        self._show_texts()

    def _update_clock(self) -> None:
        """Update the clocks, and end the game if one has run out."""
        session = self.session
        if session.clock is None:
            return
        if session.check_time():
            self._stop_thinking()
            self._begin_turn()
        else:
            self._show_players()

    def _show_players(self) -> None:
        width = max(PANEL_WIDTH - 1, self.query_one("#panel").content_size.width)
        text = panel.players(self.session, width, thinking=self._thinking is not None)
        self.query_one("#players", Static).update(text)

    # --- the course of the game

    def _begin_turn(self) -> None:
        """Start the turn of the seat to move, or show the result."""
        self._turn += 1
        session = self.session
        self.note = " ".join(session.saves.warnings)
        session.saves.warnings.clear()
        if session.is_over:
            self.hand = None
            after = (
                " Enter begins the second game."
                if session.more_to_play
                else " v reviews, u takes back, m is the menu."
            )
            self.note = panel.result(session) + after
        elif session.waits_for_person:
            self._take_turn()
        else:
            self._think(self._turn)
        self._show()

    def _take_turn(self) -> None:
        """Give the person at the keyboard a piece, or the komi to name."""
        state = self.session.state
        if state.must_name_komi:
            self.hand = None
            self.komi_index = state.game.komi_names.index(0)
            self.note = komi_note(state, self.komi_index)
            return
        held = self.hand.for_state(state) if self.hand else Hand.take(state)
        self.hand = held and held.snap_to_legal()
        if state.can_swap and state.covered:
            self.note = "You may swap colours: s."
        elif state.can_swap:
            names, colour = state.game.colour_names, state.colour_to_move
            self.note = f"Place a piece to play {names.of(colour)}, or take {names.of(colour.other)}: s."

    def _play(self, move: Move) -> None:
        stage = self.session.state.stage_index
        try:
            self.session.play(move)
        except IllegalMove as error:
            self.say(f"✗ {error}")
            return
        self._begin_turn()
        if self.session.state.stage_index != stage and not self.session.is_over:
            self.say(f"Next stage: {self.session.state.current_stage.name}, on top of the pieces so far.")

    @work(thread=True, group="thinking")
    def _think(self, turn: int) -> None:
        """Let a computer player choose, in a worker thread."""
        session = self.session
        state = session.state
        who = session.player(state.seat_to_move)
        try:
            if who not in self._players:
                self._players[who] = opponent(who, self.seed)
            self._thinking = self._players[who]
            move, _ = self._thinking.choose(
                state, limit_for(who, state, session.clock), match=session.match_context
            )
        except Exception as error:  # noqa: BLE001 - a player that fails must not end the app
            self.app.call_from_thread(self.say, f"{title(who)} failed: {error}. u takes back, m is the menu.")
            return
        finally:
            self._thinking = None
        self.app.call_from_thread(self._apply_choice, turn, move)

    def _apply_choice(self, turn: int, move: Move) -> None:
        if turn == self._turn and not self.session.is_over:
            self._play(move)

    def _stop_thinking(self) -> None:
        player = self._thinking
        if player is not None:
            player.stop()

    def _request_hint(self) -> None:
        self._find_hint(self._turn)

    @work(thread=True, group="hint", exclusive=True)
    def _find_hint(self, turn: int) -> None:
        try:
            move = hint(self.session.state)
        except Exception as error:  # noqa: BLE001 - as above
            self.app.call_from_thread(self.say, f"No hint: {error}")
            return
        self.app.call_from_thread(self._show_hint, turn, move)

    def _show_hint(self, turn: int, move: Move) -> None:
        if turn != self._turn:
            return
        if isinstance(move, Placement):
            self.hand = Hand(self.session.state, move, first_cell(move))
            self.note = f"Hint: {move!s}"
        elif isinstance(move, NameKomi):
            self.komi_index = self.session.state.game.komi_moves.index(move)
            self.note = f"Hint: {move!s}, with Enter"
        else:
            self.note = "Hint: swap, with s"
        self._show()

    def leave(self) -> None:
        """Stop the players and save the game."""
        self._turn += 1
        self._stop_thinking()
        for player in self._players.values():
            player.close()
        self.session.close()


def first_cell(move: Placement) -> int:
    """Return the first cell of a placement."""
    return (move.cells & -move.cells).bit_length() - 1


def _links(keys: list[tuple[str, str, str]], width: int) -> str:
    """Return the keys as clickable links; no key is separated from its label by a line break."""
    text, column = "", 0
    for key, label, action in keys:
        length = len(key) + 1 + len(label)
        if column:
            text += "  " if column + 2 + length <= width else "\n"
            column = column + 2 if column + 2 + length <= width else 0
        text += f"[@click={action}][b]{key}[/b] {label}[/]"
        column += length
    return text
