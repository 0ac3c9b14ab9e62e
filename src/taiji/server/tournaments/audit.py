"""The audit trail of a tournament as data, so that every reader has it in their own language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taiji.arena.tournaments import (
    Entered,
    Paired,
    ResultCorrected,
    ResultEntered,
    Returned,
    Tournament,
    Withdrew,
    event_from_json,
)
from taiji.arena.tournaments.audit import format_result
from taiji.server.tournaments.hosted import SEATED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taiji.arena.tournaments import Event
    from taiji.server.tournaments.hosted import HostedTournament

AuditEntry = dict[str, Any]


def audit_view(contest: HostedTournament, rows: Sequence[dict[str, Any]]) -> list[AuditEntry]:
    """Return a line an event, the latest first; `by` is the organiser, a player or the server itself."""
    lines: list[AuditEntry] = []
    state: Tournament | None = None
    for row in rows:
        data = row["data"]
        if data["event"] == SEATED:
            continue
        event = event_from_json(data)
        before, state = state, Tournament.of([event]) if state is None else state.after(event)
        by = "server" if not row["who"] else "organiser" if row["who"] == contest.organiser else "player"
        lines.append({"at": row["at"], "by": by, "event": data["event"], **_about(before, state, event)})
    return lines[::-1]


def _about(before: Tournament | None, after: Tournament, event: Event) -> AuditEntry:
    match event:
        case Entered():
            return {"name": after.entrants[-1].name}
        case Withdrew(player=player) | Returned(player=player):
            return {"name": after.entrant(player).name}
        case Paired():
            return {"round": len(after.rounds)}
        case ResultEntered(round_no=number, board_no=table):
            return {**_place(after, number, table), "result": format_result(after, number, table)}
        case ResultCorrected(round_no=number, board_no=table, reason=reason):
            assert before is not None
            old, new = format_result(before, number, table), format_result(after, number, table)
            return {**_place(after, number, table), "result": new, "before": old, "reason": reason}
        case _:
            return {}


def _place(state: Tournament, number: int, table: int) -> AuditEntry:
    names = [state.entrant(player).name for player in state.pairing(number, table).players]
    return {"round": number, "table": table, "players": names}
