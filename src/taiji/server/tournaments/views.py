"""Views of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taiji.arena.tournaments.data import to_dict
from taiji.server.contract.tournaments import BoardInfo, PairingInfo, TournamentInfo, TournamentSummary

if TYPE_CHECKING:
    from taiji.server.domain.table import Table
    from taiji.server.identity.users import User
    from taiji.server.live.rooms import RoomManager
    from taiji.server.tournaments.hosted import HostedTournament, PairingId


def tournament_view(hosted: HostedTournament, user: User, rooms: RoomManager) -> TournamentInfo:
    """Return a tournament as one visitor sees it."""
    data = _shared_data(hosted)
    entrant_no = hosted.find_entrant(user.ids)
    organiser = hosted.organiser in user.ids
    rounds = [
        [
            PairingInfo(**pairing, board=_board(hosted, (round_no, pairing["table"]), rooms))
            for pairing in pairings
        ]
        for round_no, pairings in enumerate(data["rounds"], 1)
    ]
    return TournamentInfo.model_validate(
        {
            **data,
            "id": hosted.id,
            "version": hosted.version,
            "match_rule": hosted.state.settings.rule.value,
            "rounds": rounds,
            "edition": hosted.edition,
            "clock": hosted.clock,
            "rated": hosted.rated,
            "public": hosted.public,
            "starts_at": hosted.starts_at,
            "min_players": hosted.min_players,
            "recurring": hosted.recurring_id is not None,
            "cancelled": hosted.cancelled,
            "over": hosted.state.over or hosted.cancelled is not None,
            "started": bool(hosted.state.rounds),
            "your_entrant_no": entrant_no,
            "organiser": organiser,
            "invite": f"/tournament/{hosted.id}#{hosted.invite}" if organiser else None,
            "board": _own_board(entrant_no, rounds),
        }
    )


def _shared_data(hosted: HostedTournament) -> dict[str, Any]:
    """Return the data that are the same for all visitors, computed once per version."""
    if hosted.cached_data is None or hosted.cached_data[0] != hosted.version:
        data = to_dict(hosted.state)
        for row in data["standings"]:
            row["guest"] = hosted.player_ids.get(row["number"], "").startswith("v")
        hosted.cached_data = (hosted.version, data)
    return hosted.cached_data[1]


def _board(hosted: HostedTournament, pairing_id: PairingId, rooms: RoomManager) -> BoardInfo | None:
    """Return the table of a pairing and its state."""
    boards = hosted.boards.get(pairing_id, [])
    if not boards:
        return None
    table = hosted.openings[boards[-1]]
    room = rooms.rooms.get(table)
    if room is not None and room.table.match is not None and room.table.match.other is not None:
        table = room.table.match.other
        room = rooms.rooms.get(table, room)
    if room is None or pairing_id in hosted.state.results:
        return BoardInfo(table=table, ply=None, scores=None, moves=None)
    return board_view(room.table)


def board_view(table: Table) -> BoardInfo:
    """Return a board for a thumbnail."""
    moves = [played.action for played in table.moves]
    return BoardInfo(table=table.id, ply=len(moves), scores=table.scores, moves=moves)


def _own_board(entrant_no: int | None, rounds: list[list[PairingInfo]]) -> str | None:
    if entrant_no is None or not rounds:
        return None
    for pairing in rounds[-1]:
        if entrant_no in (pairing.first, pairing.second) and pairing.points is None and pairing.board:
            return pairing.board.table
    return None


def tournament_summary(hosted: HostedTournament, user: User) -> TournamentSummary:
    """Return a tournament as an entry of a list."""
    state = hosted.state
    return TournamentSummary(
        id=hosted.id,
        name=state.settings.name,
        format=state.settings.format.value,
        game=state.settings.game,
        edition=hosted.edition,
        players=len(state.entrants),
        round=len(state.rounds),
        total_rounds=state.total_rounds,
        over=state.over or hosted.cancelled is not None,
        organiser=hosted.organiser in user.ids,
        updated=hosted.updated_at,
    )
