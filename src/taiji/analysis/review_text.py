"""A review as lines of text, for the command line and the terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from taiji.analysis.data import MoveReason, Review, ReviewPly, SeatReview
from taiji.rules import Colour, Seat, State

MAX_REASONS = 2
"""Reasons that are said of one move."""
HEADER = f"{'ply':>4}  {'':<6} {'played':<10} {'best':<10} {'loss':>6} {'points':>7}  mark"


def move_line(state: State, ply: ReviewPly) -> str:
    """Return the line of one classified move; `state` is the position before it."""
    assert ply.played is not None
    best = ply.analysis.best
    choice = "" if best is None else "=" if best.move == ply.played.move else best.text
    loss = "" if ply.loss is None else f"{ply.loss:.1%}"
    points = "" if ply.margin_loss is None else f"{ply.margin_loss:.1f}"
    name = state.game.colour_names.of(state.colour_to_move)
    columns = f"{state.ply + 1:>4}  {name:<6} {ply.played.text:<10} {choice:<10} {loss:>6} {points:>7}"
    return f"{columns}  {ply.mark or ''}".rstrip()


def summary_lines(states: Sequence[State], review: Review) -> list[str]:
    """Return a line per seat, by the colours they began with, and one with the turning points."""
    names = states[0].game.colour_names
    seats = zip((Colour.LIGHT, Colour.DARK), (review.first, review.second), strict=True)
    lines = [f"{names.of(colour)}: {_seat_words(seat)}" for colour, seat in seats]
    turning = [
        f"{states[index].ply + 1} ({played.text})"
        for index in review.turning_points
        if (played := review.plies[index].played) is not None
    ]
    if turning:
        lines.append(f"The lead changed hands at ply {', '.join(turning)}.")
    return lines


def reason_lines(states: Sequence[State], review: Review) -> list[str]:
    """Return a line per marked move: what speaks against it, and what the better move does."""
    lines = []
    for state, ply in zip(states, review.moves, strict=False):
        if ply.mark is None or ply.played is None or ply.analysis.best is None:
            continue
        words = [
            f"{text} {'; '.join(reasons)}"
            for text, reasons in (
                (ply.played.text, _texts(ply.against)),
                (ply.analysis.best.text, _texts(ply.analysis.reasons)),
            )
            if reasons
        ]
        if words:
            name = state.game.colour_names.of(state.colour_to_move)
            lines.append(f"{state.ply + 1:>4}  {name}: {'. '.join(words)}.")
    return lines


def _texts(reasons: Sequence[MoveReason]) -> list[str]:
    return [reason.text for reason in reasons[:MAX_REASONS] if reason.code != "search"]


def _seat_words(seat: SeatReview) -> str:
    accuracy = "accuracy unknown" if seat.accuracy is None else f"accuracy {seat.accuracy:.0f} %"
    return f"{accuracy}; {seat.counts} in {seat.moves} {'move' if seat.moves == 1 else 'moves'}"


def review_to_json(states: Sequence[State], review: Review) -> dict[str, Any]:
    """Return a review as JSON; `light` and `dark` are the seats that began as that colour."""
    sides = ("light", "dark")
    moves = []
    for state, ply in zip(states, review.moves, strict=False):
        assert ply.played is not None
        moves.append(
            {
                "ply": state.ply + 1,
                "side": sides[state.seat_to_move],
                "move": ply.played.text,
                "best": None if ply.analysis.best is None else ply.analysis.best.text,
                "loss": ply.loss,
                "margin_loss": ply.margin_loss,
                "mark": ply.mark,
                "reasons": _texts(ply.analysis.reasons),
                "against": _texts(ply.against),
            }
        )
    seats = {Seat.FIRST: review.first, Seat.SECOND: review.second}
    return {
        "game": review.game,
        "player": review.player,
        "players": {sides[seat]: _seat_to_json(seats[seat]) for seat in Seat},
        "turning_points": [states[index].ply + 1 for index in review.turning_points],
        "moves": moves,
    }


def _seat_to_json(seat: SeatReview) -> dict[str, Any]:
    return {
        "accuracy": seat.accuracy,
        "mistakes": seat.mistakes,
        "inaccuracies": seat.inaccuracies,
        "blunders": seat.blunders,
        "moves": seat.moves,
        "loss": seat.loss,
    }
