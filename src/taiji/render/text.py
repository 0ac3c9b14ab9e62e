"""Draw a position as text: the board, and beside it the scores, the turn and the supply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.notation.wording import counted
from taiji.render.text_board import ASCII, COLOURED, PLAIN, UNICODE, TextBoard
from taiji.rules import Seat
from taiji.rules.outcomes import from_half_points

if TYPE_CHECKING:
    from taiji.rules import Move, State

GAP = "   "
MAX_NAME_CHARS = 44


def draw(
    state: State,
    *,
    ascii: bool = False,  # noqa: A002 - the usual name of this option
    colour: bool = False,
    last: Move | None = None,
    scoring_groups: bool = True,
    panel: bool = True,
) -> str:
    """Return a position as lines of text, without a line break at the end.

    A light square is `○` (`o` in ASCII), a dark one `●` (`*`); those in groups that count are `◎` and `◉`
    (`O` and `#`). The last move is in brackets. If heights matter, raised cells are shaded.
    """
    glyphs, paint = (ASCII if ascii else UNICODE), (COLOURED if colour else PLAIN)
    left = TextBoard(state, glyphs, paint, last, scoring_groups).lines()
    right = describe_lines(state, last=last, ascii=ascii) if panel else []
    lines = [f"{line}{GAP}{right[index]}" if index < len(right) else line for index, line in enumerate(left)]
    lines += [" " * _width(state) + GAP + line for line in right[len(left) :]]
    return "\n".join(line.rstrip() for line in lines)


def _width(state: State) -> int:
    return len(str(state.board.height)) + 1 + 4 * state.board.width + 1


def describe_lines(state: State, *, last: Move | None = None, ascii: bool = False) -> list[str]:  # noqa: A002
    """Return the lines beside the board: game, scores with their groups, turn, last move, supply."""
    game = state.game
    name = str(game)
    lines = [name if len(name) <= MAX_NAME_CHARS else name[: MAX_NAME_CHARS - 1] + "…"]
    if len(game.stages) > 1:
        lines.append(f"stage {state.stage_index + 1} of {len(game.stages)}, {state.current_stage.name}")
    width = max(len(_side_text(state, seat)) for seat in Seat)
    scores = state.scores()
    lines += [
        "",
        *(
            f"{_side_text(state, seat):<{width}}  {scores.of(seat)}{score_breakdown(state, seat)}"
            for seat in Seat
        ),
    ]
    lines += ["", _turn_text(state)]
    if last is not None:
        lines.append(f"last move {last!s}")
    if not state.is_over:
        lines += ["", "left to place", f"  {_supply_text(state)}"]
    return [_to_ascii(line) for line in lines] if ascii else lines


def _side_text(state: State, seat: Seat) -> str:
    """Return a seat's colour; if colours can be swapped, also which player it is."""
    name = state.game.colour_names.of(state.colour_of(seat))
    return f"{name} ({'first' if seat is Seat.FIRST else 'second'} player)" if state.game.swap else name


def score_breakdown(state: State, seat: Seat) -> str:
    """Return how a score is made up, such as ` = 3 + (5² + 4²)`: earlier stages and the groups that count."""
    sizes = [group.bit_count() for group in state.scoring_groups(state.colour_of(seat))]
    current = state.compiled_stage.score.shown(sizes) or str(state.stage_scores().of(seat))
    earlier = state.scores().of(seat) - state.stage_scores().of(seat)
    if earlier:
        half_points = round(2 * earlier)
        is_komi = state.stage_index == 0 and half_points == state.komi
        before = f"{from_half_points(half_points)}{' komi' if is_komi else ''}"
        return f" = {before} + {f'({current})' if ' ' in current else current}"
    return f" = {current}" if current != str(state.scores().of(seat)) else ""


def _turn_text(state: State) -> str:
    outcome = state.outcome()
    names = state.game.colour_names
    if outcome is None:
        if state.must_name_komi:
            return f"ply {state.ply + 1}: {names.of(state.colour_to_move)} names the komi"
        choices = len(state.legal())
        swap = ", swap is one" if state.can_swap else ""
        name = names.of(state.colour_to_move)
        return f"ply {state.ply + 1}: {name} has {counted(choices, 'choice')}{swap}"
    over = f"over after {counted(state.ply, 'ply', 'plies')}"
    if outcome.winner is None:
        return f"{over}: a draw"
    tie = " the tie" if outcome.scores.first == outcome.scores.second else ""
    return f"{over}: {names.of(state.colour_of(outcome.winner))} wins{tie}"


def _supply_text(state: State) -> str:
    left: dict[str, int] = {}
    for stock, count in zip(state.current_stage.stocks, state.supply, strict=True):
        left[stock.kind] = left.get(stock.kind, 0) + count
    return ", ".join(f"{count} {kind}" for kind, count in left.items())


def _to_ascii(line: str) -> str:
    return line.replace("²", "^2").replace("×", "*").replace("…", "...")
