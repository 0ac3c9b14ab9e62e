"""A tournament as the page shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taiji.arena.tournaments.data import to_dict

if TYPE_CHECKING:
    from taiji.server.domain.table import Table
    from taiji.server.identity.users import User
    from taiji.server.live.rooms import RoomManager
    from taiji.server.tournaments.hosted import HostedTournament, PairingId


def tournament_view(contest: HostedTournament, person: User, rooms: RoomManager) -> dict[str, Any]:
    """Return everything the page needs: settings, players, rounds with their boards, and what one may do."""
    state = contest.state
    data = _data(contest)
    you = contest.find_entrant(person.ids)
    organiser = contest.organiser in person.ids
    rounds = [
        [{**pairing, "board": _board(contest, (number, pairing["table"]), rooms)} for pairing in pairings]
        for number, pairings in enumerate(data["rounds"], 1)
    ]
    return {
        "id": contest.id,
        "version": contest.version,
        **data,
        "rounds": rounds,
        "edition": contest.edition,
        "clock": contest.clock,
        "rated": contest.rated,
        "started": bool(state.rounds),
        "you": you,
        "organiser": organiser,
        "invite": f"/tournament/{contest.id}#{contest.invite}" if organiser else None,
        "board": _own_board(you, rounds),
    }


def _data(contest: HostedTournament) -> dict[str, Any]:
    """Return what is the same for everybody who looks; worked out once a version."""
    if contest.cached_data is None or contest.cached_data[0] != contest.version:
        contest.cached_data = (contest.version, to_dict(contest.state))
    return contest.cached_data[1]


def _board(contest: HostedTournament, place: PairingId, rooms: RoomManager) -> dict[str, Any] | None:
    """Return where a pairing is played now, and how it stands there."""
    boards = contest.boards.get(place, [])
    if not boards:
        return None
    table = contest.openings[boards[-1]]
    room = rooms.rooms.get(table)
    if room is not None and room.table.match is not None and room.table.match.other is not None:
        table = room.table.match.other
        room = rooms.rooms.get(table, room)
    if room is None or place in contest.state.results:
        return {"table": table, "ply": None, "scores": None, "moves": None}
    return board_view(room.table)


def board_view(table: Table) -> dict[str, Any]:
    """Return a board as a small picture of it needs it."""
    return {
        "table": table.id,
        "ply": len(table.moves),
        "scores": table.scores,
        "moves": [played.action for played in table.moves],
    }


def _own_board(you: int | None, rounds: list[list[dict[str, Any]]]) -> str | None:
    if you is None or not rounds:
        return None
    for pairing in rounds[-1]:
        if you in (pairing["first"], pairing["second"]) and pairing["points"] is None and pairing["board"]:
            return str(pairing["board"]["table"])
    return None


def tournament_summary(contest: HostedTournament, person: User) -> dict[str, Any]:
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
