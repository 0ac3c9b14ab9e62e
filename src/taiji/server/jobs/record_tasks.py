"""Reading a record as a task: the text that is stored, the moves, and the view."""

from __future__ import annotations

from typing import Any

from taiji.notation import format_record, parse_record
from taiji.server.contract.requests import NewRecord
from taiji.server.jobs.record_store import ReplayedRecord, parse_upload, record_view


def read_record(request: dict[str, Any]) -> dict[str, Any]:
    """Read an upload (`new`) or a stored record (`text`), and return everything that routes need of it."""
    games = 1
    if request.get("new") is not None:
        record, games = parse_upload(NewRecord.model_validate(request["new"]))
    else:
        record = parse_record(request["text"])
    replayed = ReplayedRecord.from_record(record)
    return {
        "text": format_record(record),
        "game": str(replayed.game),
        "start": replayed.start,
        "actions": [move.action for move in replayed.moves],
        "view": record_view("", replayed, games).model_dump(mode="json"),
    }
