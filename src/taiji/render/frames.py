"""The frames of a record: each position with its last move and a caption."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from taiji.notation import Record
from taiji.rules import Colour

if TYPE_CHECKING:
    from taiji.rules import Move, State

MAX_NAME_CHARS = 18


@dataclass(frozen=True, slots=True)
class Frame:
    """A position of a record, with the move that led to it."""

    ply: int
    state: State
    move: Move | None
    caption: str


def frames(record: Record, first: int = 0, last: int | None = None) -> list[Frame]:
    """Return the positions after plies `first` to `last`; None means the end of the record."""
    replay = record.replay()
    end = len(replay.moves) if last is None else last
    if not 0 <= first <= end <= len(replay.moves):
        raise ValueError(f"plies {first}-{end}: out of range (expected 0 to {len(replay.moves)})")
    return [
        Frame(
            ply,
            replay.states[ply],
            replay.moves[ply - 1] if ply else None,
            caption(record, replay.states[ply], replay.moves[ply - 1] if ply else None, ply),
        )
        for ply in range(first, end + 1)
    ]


def caption(record: Record, state: State, move: Move | None, ply: int) -> str:
    """Return a line with the move, the scores and the result."""
    scores = f"{_side_text(record, state, Colour.LIGHT)} · {_side_text(record, state, Colour.DARK)}"
    played = f"{ply}. {move!s}" if move is not None else str(state.game)
    return f"{played} · {scores}{_ending_text(state)}"


def _side_text(record: Record, state: State, colour: Colour) -> str:
    """Return a colour with its player and points; tags name players by their starting colours."""
    seat = state.seat_of(colour)
    name = record.tag(("Light", "Dark")[seat])
    side = state.game.colour_names.of(colour)
    if name and name != "?":
        side = f"{name[:MAX_NAME_CHARS]} ({side})"
    return f"{side} {state.scores().of(seat)}"


def _ending_text(state: State) -> str:
    outcome = state.outcome()
    if outcome is None:
        return ""
    if outcome.winner is None:
        return " — a draw"
    return f" — {state.game.colour_names.of(state.colour_of(outcome.winner))} wins"
