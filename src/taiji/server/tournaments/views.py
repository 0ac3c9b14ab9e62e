"""A tournament as the page shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taiji.arena.tournaments.data import as_data

if TYPE_CHECKING:
    from taiji.server.people import Person
    from taiji.server.rooms import Rooms
    from taiji.server.tournaments.contest import Contest


def contest_view(contest: Contest, person: Person, rooms: Rooms) -> dict[str, Any]:
    """Return everything the page needs: settings, players, rounds with their boards, and what one may do."""
    state = contest.state
    data = as_data(state)
    you = contest.number_of(person.ids)
    organiser = contest.organiser in person.ids
    for number, pairings in enumerate(data["rounds"], 1):
        for pairing in pairings:
            boards = contest.boards.get((number, pairing["table"]), [])
            pairing["board"] = _board(contest, boards[-1], rooms) if boards else None
    if not data["standings"]:
        data["standings"] = []
    return {
        "id": contest.id,
        "version": contest.version,
        **data,
        "edition": contest.edition,
        "clock": contest.clock,
        "rated": contest.rated,
        "started": bool(state.rounds),
        "you": you,
        "organiser": organiser,
        "invite": f"/tournament/{contest.id}#{contest.invite}" if organiser else None,
        "board": _own_board(contest, you, data),
    }


def _board(contest: Contest, board: str, rooms: Rooms) -> dict[str, Any]:
    """Return where a pairing is played now, and how it stands there."""
    table = contest.openings[board]
    room = rooms.rooms.get(table)
    if room is not None and room.table.match is not None and room.table.match.other is not None:
        table = room.table.match.other
        room = rooms.rooms.get(table, room)
    if room is None:
        return {"table": table, "ply": None, "scores": None}
    return {"table": table, "ply": len(room.table.moves), "scores": room.table.scores}


def _own_board(contest: Contest, you: int | None, data: dict[str, Any]) -> str | None:
    if you is None or not data["rounds"]:
        return None
    for pairing in data["rounds"][-1]:
        if you in (pairing["first"], pairing["second"]) and pairing["points"] is None and pairing["board"]:
            return str(pairing["board"]["table"])
    return None


def contest_summary(contest: Contest, person: Person) -> dict[str, Any]:
    """Return a line of the list of tournaments."""
    state = contest.state
    return {
        "id": contest.id,
        "name": state.settings.name,
        "format": state.settings.format.value,
        "game": state.settings.game,
        "edition": contest.edition,
        "players": len(state.entrants),
        "round": len(state.rounds),
        "total_rounds": state.total_rounds,
        "over": state.over,
        "organiser": contest.organiser in person.ids,
        "updated": contest.updated,
    }
