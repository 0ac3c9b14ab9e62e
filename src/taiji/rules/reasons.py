"""Why a move is illegal, as data that any language can put into words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from taiji.rules.errors import Unsupported
from taiji.rules.program import Cells, Pick, Test

if TYPE_CHECKING:
    from taiji.rules.geometry import Board
    from taiji.rules.placements import Footprint

MESSAGES = {
    "occupied": "{cells} is already covered",
    "off-board": "{cells} is not on the board",
    "not-a-piece": "no piece of this game covers just these cells in these colours",
    "no-supply": "no {kind} of that colouring is left",
    "over": "the game is over",
    "no-swap": "a swap is only possible when the rules offer it",
    "no-komi": "the komi is not to be named now",
    "komi-first": "the komi must be named first",
    "no-opening": "the pieces of the opening are missing",
    "no-order": "no legal order of the pieces was found",
    "foreign": "this move belongs to another game",
    "wrong-stage": "this piece belongs to another stage of the game",
}
"""The English sentence of each code that belongs to no rule of placing."""


@dataclass(frozen=True, slots=True)
class IllegalReason:
    """The rule that forbids a move, the cells that show it and a word about them, such as a kind of piece."""

    code: str
    cells: tuple[str, ...] = ()
    kind: str = ""
    message: str = ""
    """The sentence of a rule of placing, with the placeholders of `Why.text`; else the code has one."""

    @property
    def text(self) -> str:
        """The reason in a sentence that a player understands."""
        ends = (self.cells[0], self.cells[-1]) if self.cells else ("", "")
        values = {"cells": ", ".join(self.cells), "first": ends[0], "last": ends[1], "kind": self.kind}
        return fill_in(self.message or MESSAGES[self.code], values)


class IllegalMove(ValueError):
    """A move that the rules forbid; `reason` says why."""

    def __init__(self, reason: IllegalReason) -> None:
        super().__init__(reason.text)
        self.reason = reason


def check_why(engine: str, test: Test) -> None:
    """Raise `Unsupported` if a failure of the test could not be explained."""
    why = test.why
    parts = (("cells", why.cells, Cells), ("pick", why.pick, Pick), ("mark", why.mark, Cells))
    for part, value, known in parts:
        if not isinstance(value, known):
            raise Unsupported(engine, test.rule, f"{part} {value!r}")


def explain(test: Test, mask: int, hits: int, footprint: Footprint, board: Board) -> IllegalReason:
    """Return why a footprint fails a test that counted `hits` in `mask`."""
    why = test.why
    sets = {
        Cells.NONE: 0,
        Cells.HITS: hits,
        Cells.MISSES: mask & ~hits,
        Cells.MASK: mask,
        Cells.PIECE: footprint.cells,
    }
    part = "one half" if footprint.cells.bit_count() == 2 else "a part of it"
    word = fill_in(why.word, {"kind": footprint.kind, "part": part})
    return IllegalReason(why.code, _pick(sets[why.cells], why.pick, board), word, why.text)


def _pick(cells: int, pick: Pick, board: Board) -> tuple[str, ...]:
    match pick:
        case Pick.ALL:
            return tuple(board.names(cells))
        case Pick.FIRST:
            return tuple(board.names(cells)[:1])
        case Pick.ENDS:
            low, high = (cells & -cells).bit_length() - 1, cells.bit_length() - 1
            return (board.name(low), board.name(high)) if cells else ()
        case _:
            assert_never(pick)


def fill_in(text: str, values: dict[str, str]) -> str:
    """Replace `{name}` by its value; other braces stay, so that no text can fail."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text
