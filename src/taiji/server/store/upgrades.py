"""Upgrades of stored events and reviews to the current format, applied when they are read."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from taiji.analysis.data import Analysis, Candidate, PlayedMove, ReviewPly
from taiji.notation import parse_position
from taiji.rules import Seat, State, parse_game
from taiji.server.contract.events import EVENT_FORMAT, STORED_EVENTS, StoredEvent

Data = dict[str, Any]

REVIEW_FORMAT = 2
_REVIEW_PLIES = TypeAdapter(list[ReviewPly])

_TYPES_2 = {"seat": "device-added", "next": "next-game"}
"""Event types of format 1 that format 2 names otherwise."""
_KEYS_2 = {
    "holder": "user_id",
    "spent_ms": "elapsed_ms",
    "away_ms": "downtime_ms",
    "by": "ended_by",
    "kind": "account_type",
}
"""Keys of format 1 that format 2 names otherwise, in every event; `number` depends on the event type."""


class UnknownFormatError(ValueError):
    """An event written by a newer server."""


def read_event_data(event_type: str, data: Data, event_format: int) -> StoredEvent:
    """Return the data of a stored event of any format up to the current one."""
    if event_format > EVENT_FORMAT:
        raise UnknownFormatError(f"event format: {event_format} is too new (expected at most {EVENT_FORMAT})")
    if event_format < 2:
        event_type, data = _to_format_2(event_type, data)
    if event_format < 3:
        data = _to_format_3(event_type, data)
    return STORED_EVENTS[event_type].model_validate(data)


def _to_format_2(event_type: str, data: Data) -> tuple[str, Data]:
    keys = {**_KEYS_2, "number": "game_no" if event_type == "end" else "action"}
    if event_type == "join":
        seated = data["sitter"]
        data = {"seat": data["seat"], "player": seated, "user_id": seated["id"]}
    upgraded: Data = _rename_keys(data, keys)
    return _TYPES_2.get(event_type, event_type), upgraded


def _to_format_3(event_type: str, data: Data) -> Data:
    """Mark guests, whose ids begin with v."""
    if event_type != "join":
        return data
    return {**data, "player": {**data["player"], "guest": data["user_id"].startswith("v")}}


def _rename_keys(value: Any, keys: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {keys.get(key, key): _rename_keys(entry, keys) for key, entry in value.items()}
    return value


def read_review_plies(data: Data) -> list[ReviewPly]:
    """Return the positions of a stored review of any format."""
    if data.get("format", 1) < 2:
        return _review_to_format_2(data)
    return _REVIEW_PLIES.validate_python(data["plies"])


def _review_to_format_2(data: Data) -> list[ReviewPly]:
    """Return the positions of a review of format 1, whose values are those of the seat `first`."""
    game = parse_game(data["game"])
    state = game.start() if data["start"] is None else parse_position(data["start"])
    plies = []
    for entry in data["plies"]:
        played = None
        analysis = _analysis_from_format_1(entry, state)
        if "played" in entry:
            played = PlayedMove(entry["played"], entry["played_text"])
            state = state.play(game.move(entry["played"]))
        plies.append(ReviewPly(analysis, played, entry.get("loss"), entry.get("mark")))
    return plies


def _analysis_from_format_1(entry: Data, state: State) -> Analysis:
    win_prob, margin, seat = entry["win"], entry["margin"], state.seat_to_move
    if seat is Seat.SECOND:
        win_prob = None if win_prob is None else round(1 - win_prob, 4)
        margin = None if margin is None else -margin
    candidates: tuple[Candidate, ...] = ()
    if entry["best"] is not None:
        pv = tuple(entry["line"])
        best = Candidate(entry["best"], entry["best_text"], None, 1.0, None, win_prob, margin, pv)
        candidates = (best,)
    return Analysis(
        ply=entry["ply"],
        seat="first" if seat is Seat.FIRST else "second",
        win_prob=win_prob,
        margin=margin,
        exact=state.is_over,
        final=True,
        playouts=0,
        seconds=0.0,
        player="",
        candidates=candidates,
    )
