"""Handle the commands that can be typed instead of a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.analysis import review_text
from taiji.notation import NotationError, format_position, format_record, parse_move
from taiji.notation.wording import counted
from taiji.rules import Colour, IllegalMove, Placement, Seat, UnknownCell
from taiji.terminal import speech
from taiji.terminal.clocks import format_time
from taiji.terminal.commands import help_lines
from taiji.terminal.opponents import hint, review_moves

if TYPE_CHECKING:
    from collections.abc import Callable

    from taiji.analysis import Review
    from taiji.rules import Move
    from taiji.terminal.session import Session

MAX_LISTED_MOVES = 60
"""The maximum number of moves that `moves` lists."""


class Quit(Exception):
    """The user wants to quit, or the input has ended."""


class CommandHandler:
    """Handles each command in a method `_do_NAME`; a subclass plays the game."""

    session: Session
    write: Callable[[str], None]
    board: bool

    def handle(self, name: str, rest: str) -> None:
        """Run the command `name` with its argument `rest`."""
        getattr(self, f"_do_{name}")(rest)

    def _show(self) -> None:
        raise NotImplementedError

    def _draw(self) -> None:
        raise NotImplementedError

    def _move(self, text: str) -> None:
        raise NotImplementedError

    def _play_move(self, move: Move) -> None:
        raise NotImplementedError

    def _side(self, seat: Seat) -> str:
        raise NotImplementedError

    def _do_help(self, _: str) -> None:
        for line in help_lines():
            self.write(line)

    def _do_board(self, rest: str) -> None:
        if rest in ("on", "off"):
            self.board = rest == "on"
            self.write(f"The board is {'drawn' if self.board else 'not drawn'} after each move.")
        else:
            self._draw()

    def _do_read(self, _: str) -> None:
        for line in speech.say_board(self.session.state):
            self.write(line)

    def _do_score(self, _: str) -> None:
        state = self.session.state
        self.write(speech.say_scores(state))
        for colour in Colour:
            for group in state.scoring_groups(colour):
                size = group.bit_count()
                cells = speech.list_cells(state, group)
                self.write(f"{state.game.colour_names.of(colour)}, a group of {size}: {cells}.")

    def _do_moves(self, rest: str) -> None:
        state = self.session.state
        moves = state.legal()
        if rest:
            try:
                bit = 1 << state.board.cell(rest)
            except UnknownCell as error:
                self.write(f"Not understood: {error}.")
                return
            moves = [move for move in moves if isinstance(move, Placement) and move.cells & bit]
        listed = " ".join(str(move) for move in moves[:MAX_LISTED_MOVES])
        more = f", the first {MAX_LISTED_MOVES}" if len(moves) > MAX_LISTED_MOVES else ""
        self.write(f"{counted(len(moves), 'move')}{more}{': ' if moves else ''}{listed}")

    def _do_why(self, rest: str) -> None:
        if not rest:
            self.write("Give the move: why e4/e5")
            return
        state = self.session.state
        try:
            reason = state.illegal_reason(parse_move(state, rest))
        except (NotationError, IllegalMove) as error:
            self.write(f"Invalid move: {error}.")
            return
        self.write(f"{rest} is legal." if reason is None else f"Illegal move: {reason.text}.")

    def _do_hint(self, _: str) -> None:
        if self.session.is_over:
            self.write("The game is over.")
            return
        state = self.session.state
        move = hint(state)
        self.write(f"A good move: {move!s}. {speech.say_move(state, move)}")

    def _do_go(self, _: str) -> None:
        if self.session.is_over:
            self.write("The game is over.")
            return
        self._play_move(hint(self.session.state))

    def _do_undo(self, _: str) -> None:
        taken = self.session.undo()
        if not taken:
            self.write("No move to take back.")
            return
        self.write(f"{counted(taken, 'move')} taken back.")
        self._show()

    def _do_swap(self, _: str) -> None:
        self._move("swap")

    def _do_supply(self, _: str) -> None:
        self.write(speech.say_supply(self.session.state))

    def _do_clock(self, _: str) -> None:
        clock = self.session.clock
        if clock is None:
            self.write("This game has no clock.")
        else:
            self.write(
                ", ".join(f"{self._side(seat)} has {format_time(clock.remaining_s(seat))}" for seat in Seat)
                + "."
            )

    def _do_position(self, _: str) -> None:
        self.write(format_position(self.session.state))

    def _do_record(self, _: str) -> None:
        self.write(format_record(self.session.record()).rstrip())

    def _do_review(self, _: str) -> None:
        session = self.session
        if not session.moves:
            self.write("No move to review yet.")
            return
        states = session.states
        written = 0

        def show(review: Review) -> None:
            nonlocal written
            for ply in review.moves[written:]:
                self.write(review_text.move_line(states[written], ply))
                written += 1

        self.write(review_text.HEADER)
        review = review_moves(states[0], session.moves, show)
        for line in (*review_text.summary_lines(states, review), *review_text.reason_lines(states, review)):
            self.write(line)

    def _do_resign(self, _: str) -> None:
        if self.session.is_over:
            self.write("The game is over.")
            return
        self.session.resign()

    def _do_save(self, _: str) -> None:
        if self.session.save():
            saved = f"Saved as {self.session.path}."
            self.write(saved if self.session.moves else "The game will be saved after the first move.")

    def _do_quit(self, _: str) -> None:
        raise Quit
