"""The audit log of a tournament as data, which the web app translates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from taiji.arena.tournaments import (
    Entered,
    Paired,
    ResultCorrected,
    ResultEntered,
    Returned,
    Tournament,
    Withdrew,
)
from taiji.arena.tournaments.audit import format_result
from taiji.arena.tournaments.tables import format_points
from taiji.server.contract.tournaments import AuditEntry
from taiji.server.tournaments.hosted import Cancelled, arena_event, event_from_stored

if TYPE_CHECKING:
    from collections.abc import Sequence

    from taiji.arena.tournaments import Event
    from taiji.server.tournaments.hosted import HostedTournament


def audit_log(hosted: HostedTournament, rows: Sequence[dict[str, Any]]) -> list[AuditEntry]:
    """Return one entry per event, the latest first."""
    entries: list[AuditEntry] = []
    state: Tournament | None = None
    for row in rows:
        stored = event_from_stored(row["data"])
        if isinstance(stored, Cancelled):
            note = AuditEntry(at=row["at"], actor="server", event=row["data"]["event"], reason=stored.reason)
            entries.append(note)
        event = arena_event(stored)
        if event is None:
            continue
        before, state = state, Tournament.of([event]) if state is None else state.after(event)
        actor: Literal["organiser", "player", "server"] = "player"
        if not row["actor_id"]:
            actor = "server"
        elif row["actor_id"] == hosted.organiser:
            actor = "organiser"
        details = _details(before, state, event)
        entries.append(AuditEntry(at=row["at"], actor=actor, event=row["data"]["event"], **details))
    return entries[::-1]


def _details(before: Tournament | None, after: Tournament, event: Event) -> dict[str, Any]:
    match event:
        case Entered():
            return {"name": after.entrants[-1].name}
        case Withdrew(player=player) | Returned(player=player):
            return {"name": after.entrant(player).name}
        case Paired():
            return {"round": len(after.rounds)}
        case ResultEntered(round_no=round_no, board_no=board_no):
            return {**_pairing(after, round_no, board_no), **_result(after, round_no, board_no)}
        case ResultCorrected(round_no=round_no, board_no=board_no, reason=reason):
            assert before is not None
            old, new = (format_result(state, round_no, board_no) for state in (before, after))
            return {**_pairing(after, round_no, board_no), "result": new, "before": old, "reason": reason}
        case _:
            return {}


def _result(state: Tournament, round_no: int, board_no: int) -> dict[str, str | None]:
    ended_by = state.results[round_no, board_no].ended_by
    if ended_by is None:
        return {"result": format_result(state, round_no, board_no)}
    points = ":".join(format_points(value) for value in state.points(round_no, board_no))
    return {"result": points, "ended_by": ended_by.value}


def _pairing(state: Tournament, round_no: int, board_no: int) -> dict[str, Any]:
    names = [state.entrant(player).name for player in state.pairing(round_no, board_no).players]
    return {"round": round_no, "table": board_no, "players": names}
