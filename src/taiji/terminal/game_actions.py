"""What the keys and the mouse do on the game screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

from taiji.rules import Colour
from taiji.rules.placements import format_half_points
from taiji.terminal.session import legal_swap
from taiji.terminal.styles import THEMES

if TYPE_CHECKING:
    from taiji.players import Player
    from taiji.rules import Move, State
    from taiji.terminal.board_view import BoardView
    from taiji.terminal.hand import Hand
    from taiji.terminal.session import Session


def komi_note(state: State, index: int) -> str:
    """Return what a player who names the komi is told."""
    points = format_half_points(state.game.komi_names[index])
    light = state.game.colour_names.of(Colour.LIGHT)
    return f"Komi for {light}: {points}. Arrows change it, Enter names it; the other player then chooses."


class GameActions(Screen[None]):
    """The actions of the keys; a subclass shows the game."""

    session: Session
    hand: Hand | None
    note: str
    """The message below the moves: a hint, an illegal move, a warning about saving."""
    resigning: bool
    komi_index: int
    """The komi that Enter names, as an index into the game's `komi_moves`."""
    _players: dict[str, Player]
    _turn: int
    """Counts turns, so that a move chosen for a turn that was taken back is recognised."""

    @property
    def board(self) -> BoardView:
        """Return the board widget."""
        raise NotImplementedError

    def say(self, text: str) -> None:
        """Show a message beside the board."""
        raise NotImplementedError

    def leave(self) -> None:
        """Stop the players and save the game."""
        raise NotImplementedError

    def _show(self) -> None:
        raise NotImplementedError

    def _begin_turn(self) -> None:
        raise NotImplementedError

    def _play(self, move: Move) -> None:
        raise NotImplementedError

    def _stop_thinking(self) -> None:
        raise NotImplementedError

    def _request_hint(self) -> None:
        raise NotImplementedError

    # --- the hand

    def _hold(self, hand: Hand | None) -> None:
        if hand is not None and self.session.waits_for_person:
            self.hand = hand
            self.note = ""
            self.resigning = False
            self._show()

    def action_move(self, columns: int, rows: int) -> None:
        """Move the piece; before the komi is named, raise or lower it."""
        if self.session.state.must_name_komi:
            self._step_komi(columns + rows)
        else:
            self._hold(self.hand and self.hand.move(columns, rows))

    def _step_komi(self, step: int) -> None:
        if self.session.waits_for_person:
            most = len(self.session.state.game.komi_moves) - 1
            self.komi_index = min(most, max(0, self.komi_index + step))
            self.say(komi_note(self.session.state, self.komi_index))

    def action_turn(self, times: int) -> None:
        """Rotate the piece by quarter turns."""
        self._hold(self.hand and self.hand.rotate(times))

    def action_flip(self) -> None:
        """Flip the piece."""
        self._hold(self.hand and self.hand.flip())

    def action_recolour(self) -> None:
        """Take a piece of the same shape in other colours."""
        self._hold(self.hand and self.hand.recolour())

    def action_kind(self, step: int) -> None:
        """Take a piece of the kind `step` places further; -1 is the kind before."""
        self._hold(self.hand and self.hand.next_kind(step))

    def action_nth_kind(self, index: int) -> None:
        """Take a piece of the kind with this index."""
        kinds = self.session.state.current_stage.kinds
        if self.hand and index < len(kinds):
            self._hold(self.hand.of_kind(kinds[index]))

    def action_place(self) -> None:
        """Place the piece; after the first game of a match, start the second."""
        session = self.session
        if session.more_to_play:
            session.next_game()
            for player in self._players.values():
                player.new_game()
            session.start_clock()
            self.hand = None
            self._begin_turn()
        elif session.waits_for_person and session.state.must_name_komi:
            self._play(session.state.game.komi_moves[self.komi_index])
        elif session.waits_for_person and self.hand is not None:
            self._play(self.hand.placement)

    def on_board_view_pointed(self, message: BoardView.Pointed) -> None:
        """Follow the mouse; a left click places the piece, a right click rotates it."""
        if self.hand is None or not self.session.waits_for_person:
            return
        if message.turn:
            self.action_turn(1)
        elif message.clicked:
            self._hold(self.hand.move_to(message.cell))
            self.action_place()
        elif not self.hand.placement.cells >> message.cell & 1 or message.cell != self.hand.cursor:
            self._hold(self.hand.move_to(message.cell))

    def on_board_view_rolled(self, message: BoardView.Rolled) -> None:
        """Rotate the piece with the wheel."""
        self.action_turn(message.steps)

    # --- everything else

    def action_hint(self) -> None:
        """Suggest a move."""
        if self.session.waits_for_person:
            self.say("Looking for a good move …")
            self._request_hint()

    def action_undo(self) -> None:
        """Take back moves to the person's last turn."""
        self._turn += 1
        self._stop_thinking()
        if self.session.undo():
            self._begin_turn()
        else:
            self.say("No move to take back.")
            if not self.session.is_over and not self.session.waits_for_person:
                self._begin_turn()

    def action_swap(self) -> None:
        """Swap colours instead of placing a piece."""
        swap = legal_swap(self.session.state)
        if not self.session.waits_for_person:
            return
        if swap is None:
            self.say("✗ a swap is only possible when the rules offer it")
        else:
            self._play(swap)

    def action_resign(self) -> None:
        """Resign, after asking once."""
        if self.session.is_over:
            return
        if not self.resigning:
            self.resigning = True
            self.say("Press x again to resign.")
            return
        self.resigning = False
        self._turn += 1
        self._stop_thinking()
        seat = self.session.state.seat_to_move
        if not self.session.waits_for_person:
            seat = seat.other
        self.session.resign(seat)
        self._begin_turn()

    def action_groups(self) -> None:
        """Show or hide the scoring groups."""
        self.board.show_groups = not self.board.show_groups
        self.board.redraw()

    def action_theme(self) -> None:
        """Switch to the next theme."""
        now = THEMES.index(self.board.theme_name)
        self.app.show_theme(THEMES[(now + 1) % len(THEMES)])  # type: ignore[attr-defined]

    def action_menu(self) -> None:
        """Switch to the menu, and save the game."""
        self.leave()
        self.app.show_menu()  # type: ignore[attr-defined]

    def action_review(self) -> None:
        """Evaluate the moves of the game so far."""
        from taiji.terminal.review_screen import ReviewScreen

        if not self.session.moves:
            self.say("No move to review yet.")
        elif not self.session.is_over:
            self.say("The review is for the end of the game.")
        else:
            self.app.push_screen(ReviewScreen(self.session.states, self.session.moves))

    def action_help(self) -> None:
        """Show the list of keys."""
        from taiji.terminal.help_screen import HelpScreen

        self.app.push_screen(HelpScreen())
