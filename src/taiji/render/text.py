"""A position drawn as text: the board and, beside it, what is to be known about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.notation import format_move
from taiji.render.text_board import ASCII, COLOURED, PLAIN, UNICODE, TextBoard
from taiji.rules import Largest, Product, Ranked, Seat, Squares, Uncovered
from taiji.rules.state import points

if TYPE_CHECKING:
    from taiji.rules import Move, State

GAP = "   "
LONGEST_NAME = 44


def draw(
    state: State,
    *,
    ascii: bool = False,  # noqa: A002 - what everybody calls it
    colour: bool = False,
    last: Move | None = None,
    counted: bool = True,
    panel: bool = True,
) -> str:
    """Draw a position; it ends without a line break.

    A light half is `○` (`o` in ASCII), a dark one `●` (`*`); those that count are `◎` and `◉` (`O` and `#`).
    The last move stands in brackets, and shaded cells lie one piece higher where height matters.
    """
    glyphs, paint = (ASCII if ascii else UNICODE), (COLOURED if colour else PLAIN)
    left = TextBoard(state, glyphs, paint, last, counted).lines()
    right = describe(state, last=last, ascii=ascii) if panel else []
    lines = [f"{line}{GAP}{right[index]}" if index < len(right) else line for index, line in enumerate(left)]
    lines += [" " * _width(state) + GAP + line for line in right[len(left) :]]
    return "\n".join(line.rstrip() for line in lines)


def _width(state: State) -> int:
    return len(str(state.board.height)) + 1 + 4 * state.board.width + 1


def describe(state: State, *, last: Move | None = None, ascii: bool = False) -> list[str]:  # noqa: A002
    """Return the lines beside the board: game, scores and what they are made of, turn, last move, supply."""
    game = state.game
    name = str(game)
    lines = [name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"]
    if len(game.stages) > 1:
        lines.append(f"stage {state.stage + 1} of {len(game.stages)}, {state.rules.name}")
    width = max(len(_who(state, seat)) for seat in Seat)
    scores = state.scores()
    lines += [
        "",
        *(f"{_who(state, seat):<{width}}  {scores.of(seat)}{made_of(state, seat)}" for seat in Seat),
    ]
    lines += ["", _turn(state)]
    if last is not None:
        lines.append(f"last move {format_move(game, last)}")
    if not state.over:
        lines += ["", "left to place", f"  {_supply(state)}"]
    return [_plain(line) for line in lines] if ascii else lines


def _who(state: State, seat: Seat) -> str:
    """Return a seat's colour; where colours can be swapped, who it is as well."""
    word = state.game.words.of(state.colour_of(seat))
    return f"{word} ({'first' if seat is Seat.FIRST else 'second'} player)" if state.game.swap else word


def made_of(state: State, seat: Seat) -> str:
    """Return how a score comes about: what earlier stages brought and the groups that count."""
    sizes = [group.bit_count() for group in state.counted(state.colour_of(seat))]
    match state.rules.scoring:
        case Uncovered():
            here = ""
        case Squares():
            here = " + ".join(f"{size}²" for size in sizes)
        case Product():
            here = " × ".join(map(str, sizes))
        case Largest() | Ranked():
            here = " + ".join(map(str, sizes))
    here = here or str(state.stage_scores().of(seat))
    before = state.scores().of(seat) - state.stage_scores().of(seat)
    if before:
        return f" = {points(round(2 * before))} + {f'({here})' if ' ' in here else here}"
    return f" = {here}" if here != str(state.scores().of(seat)) else ""


def _turn(state: State) -> str:
    outcome = state.outcome()
    words = state.game.words
    if outcome is None:
        choices = len(state.legal())
        swap = ", swap is one" if state.can_swap else ""
        return f"ply {state.ply + 1}: {words.of(state.to_move)} has {_counted(choices, 'choice')}{swap}"
    over = f"over after {state.ply} {'ply' if state.ply == 1 else 'plies'}"
    if outcome.winner is None:
        return f"{over}: a draw"
    tie = " the tie" if outcome.scores.first == outcome.scores.second else ""
    return f"{over}: {words.of(state.colour_of(outcome.winner))} wins{tie}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _supply(state: State) -> str:
    left: dict[str, int] = {}
    for slot, count in zip(state.rules.slots, state.supply, strict=True):
        left[slot.kind] = left.get(slot.kind, 0) + count
    return ", ".join(f"{count} {kind}" for kind, count in left.items())


def _plain(line: str) -> str:
    return line.replace("²", "^2").replace("×", "*").replace("…", "...")
