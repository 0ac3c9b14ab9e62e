"""What is sent of a table: the whole of it, or a line in a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taiji.rules import Seat
from taiji.server.contract.messages import PROTOCOL
from taiji.server.domain.matches import match_view
from taiji.server.domain.table import Table, seat_name

if TYPE_CHECKING:
    from collections.abc import Collection


def table_view(
    table: Table,
    now: int,
    *,
    your_seat: Seat | None,
    presence: dict[str, Any],
    thinking: bool,
    invite: str | None = None,
) -> dict[str, Any]:
    """Return a table as one person sees it."""
    terms = table.settings
    return {
        "id": table.id,
        "protocol": PROTOCOL,
        "version": table.version,
        "status": table.status,
        "game": terms.game,
        "edition": terms.edition,
        "rule": terms.match_rule.value,
        "opponent": terms.opponent,
        "clock_rule": terms.clock,
        "takebacks": terms.takebacks or terms.opponent == "computer",
        "rated": terms.rated,
        "hints": terms.opponent == "computer",
        "seats": seats_view(table),
        "you": None if your_seat is None else seat_name(your_seat),
        "moves": moves_view(table),
        "turn": None if table.turn is None else seat_name(table.turn),
        "clock": None if table.clock is None else table.clock.view(now),
        "scores": table.scores,
        "result": table.result,
        "offers": {
            "takeback": None if table.takeback_offer is None else seat_name(table.takeback_offer),
            "rematch": None if table.rematch_offer is None else seat_name(table.rematch_offer),
        },
        "match": match_view(table),
        "rematch": table.rematch,
        "previous": table.previous,
        "presence": presence,
        "thinking": thinking,
        "invite": invite,
        "created": table.created_at,
        "updated": table.updated_at,
    }


def seats_view(table: Table) -> dict[str, Any]:
    """Return who sits where."""
    return {seat_name(seat): sitter.to_wire() if (sitter := table.seats[seat]) else None for seat in Seat}


def moves_view(table: Table) -> list[dict[str, Any]]:
    """Return the moves so far."""
    return [
        {
            "ply": ply,
            "number": played.action,
            "text": played.text,
            "seat": seat_name(played.seat),
            "spent_ms": played.elapsed_ms,
            "at": played.at,
        }
        for ply, played in enumerate(table.moves)
    ]


_SHOWN = (
    "id", "version", "status", "game", "edition", "opponent", "clock_rule", "rated", "seats", "ply", "turn",
    "scores", "result", "created", "updated",
)  # fmt: skip


def summary_view(row: dict[str, Any], ids: Collection[str], watchers: int) -> dict[str, Any]:
    """Return a row of the database as a line in a list."""
    you = "first" if row["first_id"] in ids else "second" if row["second_id"] in ids else None
    return {
        **{name: row[name] for name in _SHOWN},
        "you": you,
        "match": {"number": row["match_number"]} if row["match_id"] else None,
        "watchers": watchers,
    }
