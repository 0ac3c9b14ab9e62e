"""The panel beside the board: players, scores, supply, moves and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from taiji.render.text import score_breakdown
from taiji.rules import Colour, Seat
from taiji.terminal.clocks import format_time
from taiji.terminal.opponents import is_person, title
from taiji.terminal.speech import supply_by_kind

if TYPE_CHECKING:
    from taiji.terminal.hand import Hand
    from taiji.terminal.session import Session

_PLAIN = str.maketrans({"▶": ">", "○": "o", "●": "*", "✗": "x", "×": "x", "–": "-", "²": "2"})
LOW_TIME_S = 20
"""Below this time a clock is highlighted."""


def keys(session: Session) -> list[tuple[str, str, str]]:
    """Return the keys that apply to this game: key, label and action."""
    stage = session.state.current_stage
    keys = [("r", "turn", "screen.turn(1)"), ("f", "flip", "screen.flip")]
    if any(set(piece.colours) != {"."} for piece in stage.pieces):
        keys.append(("c", "colour", "screen.recolour"))
    if len(stage.kinds) > 1:
        keys.append(("tab", "piece", "screen.kind(1)"))
    keys += [("h", "hint", "screen.hint"), ("u", "undo", "screen.undo")]
    if session.setup.game.swap:
        keys.append(("s", "swap", "screen.swap"))
    return [*keys, ("?", "help", "screen.help"), ("q", "quit", "app.leave")]


def in_ascii(text: Text | str) -> str:
    """Return a text in ASCII characters, for terminals without Unicode."""
    return str(text).translate(_PLAIN).replace("…", "...").encode("ascii", "replace").decode()


def head(session: Session, width: int) -> Text:
    """Return the heading: the game, its stage and the game of the match."""
    name = str(session.setup.game)
    text = Text(name if len(name) <= width else name[: width - 1] + "…", style="bold")
    notes = []
    if len(session.setup.game.stages) > 1:
        state, stages = session.state, session.setup.game.stages
        notes.append(f"stage {state.stage_index + 1} of {len(stages)}, {state.current_stage.name}")
    if session.match:
        notes.append(f"game {session.game_index + 1} of 2")
    return text.append("\n" + " · ".join(notes), style="not bold") if notes else text


def players(session: Session, width: int, *, thinking: bool) -> Text:
    """Return both sides with their names, clocks, points and scoring groups."""
    text = Text()
    for seat in Seat:
        if text:
            text.append("\n")
        text.append_text(_player(session, seat, width, thinking=thinking))
    return text


def _player(session: Session, seat: Seat, width: int, *, thinking: bool) -> Text:
    state = session.state
    turn = not session.is_over and state.seat_to_move is seat
    sign = "○" if state.colour_of(seat) is Colour.LIGHT else "●"
    side = state.game.colour_names.of(state.colour_of(seat))
    name = title(session.player(seat))
    if is_person(name) and session.player(seat.other) != session.player(seat):
        name = "you"
    who = f"{'▶' if turn else ' '}{sign} {side}, {name}{' …' if turn and thinking else ''}"
    clock = format_time(session.clock.remaining_s(seat)) if session.clock else ""
    first = Text(f"{who[: width - len(clock) - 1]:<{width - len(clock)}}", style="bold" if turn else "")
    low = session.clock is not None and session.clock.remaining_s(seat) < LOW_TIME_S
    first.append(clock, style="bold reverse" if low and turn else "")
    points = state.scores().of(seat)
    return first.append("\n").append(f"   {points}{score_breakdown(state, seat)}"[:width], style="not bold")


def supply(session: Session) -> Text:
    """Return the number of pieces left, by kind."""
    left = supply_by_kind(session.state)
    return Text("left  " + "  ".join(f"{kind} {count}" for kind, count in left.items()))


def moves(session: Session, width: int, height: int) -> Text:
    """Return the last moves, two per line if they fit."""
    written = [f"{ply}. {step.move}" for ply, step in enumerate(session.steps, 1)]
    recent = written[-2 * height :] if height > 0 else []
    across = 2 if width >= 2 * max((len(move) for move in recent), default=0) + 2 else 1
    # A line starts with an odd ply, so that moves do not change columns from turn to turn.
    begin = (len(written) - len(recent)) // across * across
    column = width // across
    rows = [
        "".join(f"{move:<{column}}" for move in written[start : start + across]).rstrip()
        for start in range(begin, len(written), across)
    ]
    return Text("\n".join(rows[-height:] if height > 0 else []))


def held(session: Session, hand: Hand | None) -> Text:
    """Return the piece in hand, and whether it can be placed where it is."""
    if hand is None or session.is_over:
        return Text("")
    kind = hand.placement.kind
    where = str(hand.placement)
    left = f", {hand.left} left" if len(session.state.current_stage.stocks) > 1 else ""
    text = Text(f"{kind} {where}{left}")
    reason = hand.reason
    if reason is None:
        return text.append("\nEnter places it", style="bold")
    return text.append(f"\n✗ {reason.text}", style="bold")


def result(session: Session) -> str:
    """Return the result of the game, and of the match."""
    from taiji.terminal.speech import say_outcome

    state = session.state
    outcome = state.outcome()
    if outcome is not None:
        text = say_outcome(state, outcome)
    else:
        assert session.loser is not None
        assert session.termination is not None
        side = state.game.colour_names.of(state.colour_of(session.loser))
        text = f"{side} {'ran out of time' if session.termination.value == 'time' else 'resigned'}."
    match = session.match_result()
    if match is not None:
        won = "drawn" if match.winner is None else f"won by player {match.winner + 1}"
        text += f" The match is {won}, {match.totals[0]:g} to {match.totals[1]:g}."
    return text
