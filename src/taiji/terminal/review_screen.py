"""The review screen: the moves of the game so far, evaluated one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from taiji.analysis import review_text
from taiji.terminal.opponents import review_moves

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from taiji.analysis import Review
    from taiji.rules import Move, State


class ReviewScreen(ModalScreen[None]):
    """A table over the game that grows while the review goes on; closing it ends the review."""

    BINDINGS: ClassVar[list[BindingType]] = [("v,escape,q,enter", "close", "close")]

    def __init__(self, states: list[State], moves: list[Move]) -> None:
        super().__init__()
        self._states = list(states)
        self._moves = list(moves)
        self._is_ended = False

    def compose(self) -> ComposeResult:
        """Show the table."""
        with VerticalScroll(id="review"):
            yield Static("Reviewing …", markup=False)

    def on_mount(self) -> None:
        """Start the review."""
        self._run_review()

    @work(thread=True, group="review")
    def _run_review(self) -> None:
        try:
            review_moves(self._states[0], self._moves, self._report, lambda: self._is_ended)
        except Exception as error:  # noqa: BLE001 - a player that fails must not end the app
            self._post(f"No review: {error}. Esc closes this.")

    def _report(self, review: Review) -> None:
        lines = [review_text.HEADER]
        lines += map(review_text.move_line, self._states, review.moves)
        if review.is_complete:
            lines += ["", *review_text.summary_lines(self._states, review)]
            lines += ["", *review_text.reason_lines(self._states, review)]
        done = "Arrows scroll; Esc closes this."
        lines += ["", done if review.is_complete else f"{len(review.plies)} of {review.positions} …"]
        self._post("\n".join(lines))

    def _post(self, text: str) -> None:
        if not self._is_ended:
            self.app.call_from_thread(self._show, text)

    def _show(self, text: str) -> None:
        if not self._is_ended:
            self.query_one(Static).update(text)

    def action_close(self) -> None:
        """End the review and close the screen."""
        self._is_ended = True
        self.dismiss()
