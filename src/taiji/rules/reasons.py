"""Why a move is not allowed, as data that any language can put into words."""

from __future__ import annotations

from dataclasses import dataclass

MESSAGES = {
    "occupied": "{cells} is already covered",
    "off-board": "{cells} is not on the board",
    "not-a-piece": "no piece of this game covers just these cells in these colours",
    "no-supply": "no {kind} of that colouring is left",
    "no-touch": "touches no piece on the board",
    "same-kind": "touches another {kind} at {cells}",
    "full-block": "fills the {kind} block {cells}",
    "first-covers": "the first piece must cover the centre {cells}",
    "not-level": "{kind} would hang over the step at {cells}",
    "over": "the game is over",
    "no-swap": "a swap is only possible on the second player's first turn",
    "wrong-stage": "this piece belongs to another stage of the game",
}
"""The English sentence of each code."""


@dataclass(frozen=True, slots=True)
class IllegalReason:
    """A rule that forbids a move, the cells that show it and what stands there."""

    code: str
    cells: tuple[str, ...] = ()
    kind: str = ""

    @property
    def text(self) -> str:
        """The reason in a sentence that a player understands."""
        joiner = "–" if self.code == "full-block" else ", "
        return MESSAGES[self.code].format(cells=joiner.join(self.cells), kind=self.kind)


class IllegalMove(ValueError):
    """A move that the rules forbid; `reason` says why."""

    def __init__(self, reason: IllegalReason) -> None:
        super().__init__(reason.text)
        self.reason = reason
