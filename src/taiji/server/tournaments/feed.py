"""Tournaments as they happen: whoever looks is told of every change, and of the moves on the boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.server.live.room import dump
from taiji.server.tournaments.views import board_view, tournament_view

if TYPE_CHECKING:
    from taiji.server.domain.table import Event
    from taiji.server.identity.users import User
    from taiji.server.live.room import Room, Subscriber
    from taiji.server.live.rooms import RoomManager
    from taiji.server.time_source import TimeSource
    from taiji.server.tournaments.hosted import HostedTournament
    from taiji.server.tournaments.manager import TournamentManager

PUSH_INTERVAL_S = 0.5
MOVE_EVENTS = frozenset(("move", "takeback"))


class TournamentFeed:
    """Who looks at which tournament, and what they have not been told yet."""

    def __init__(self, office: TournamentManager, rooms: RoomManager, times: TimeSource) -> None:
        self._office = office
        self._rooms = rooms
        self._times = times
        self._subscribers: dict[str, dict[Subscriber, User]] = {}
        self._sent_versions: dict[str, int] = {}
        """The version that those who look at a tournament know."""
        self._stale: set[str] = set()
        self._moved: dict[str, dict[str, Room]] = {}
        rooms.listeners.append(self._on_events)

    def _on_events(self, room: Room, events: list[Event]) -> None:
        contest_id = self._office.find_id(room.table)
        if contest_id not in self._subscribers:
            return
        if any(event.event_type not in MOVE_EVENTS for event in events):
            self._stale.add(contest_id)
        elif events:
            self._moved.setdefault(contest_id, {})[room.table.id] = room

    async def enter(self, contest_id: str, member: Subscriber, person: User) -> None:
        """Let somebody look, and show them everything."""
        contest = await self._office.get(contest_id)
        self._subscribers.setdefault(contest_id, {})[member] = person
        self._sent_versions.setdefault(contest_id, contest.version)
        self._send_tournament(contest, member, person)

    def leave(self, member: Subscriber) -> None:
        """Let somebody go."""
        for contest_id, members in list(self._subscribers.items()):
            members.pop(member, None)
            if not members:
                del self._subscribers[contest_id]
                self._sent_versions.pop(contest_id, None)

    def close(self, code: int) -> None:
        """Let everybody go."""
        for members in self._subscribers.values():
            for member in members:
                member.close(code)

    async def run_push_loop(self) -> None:
        """Tell those who look, at most twice a second, what has changed."""
        while True:
            await self._times.sleep(PUSH_INTERVAL_S)
            stale, self._stale = self._stale, set()
            moved, self._moved = self._moved, {}
            for contest_id, members in list(self._subscribers.items()):
                contest = await self._office.get(contest_id)
                if contest_id in stale or contest.version != self._sent_versions.get(contest_id):
                    self._sent_versions[contest_id] = contest.version
                    for member, person in list(members.items()):
                        self._send_tournament(contest, member, person)
                elif contest_id in moved:
                    boards = [board_view(room.table) for room in moved[contest_id].values()]
                    text = dump({"type": "boards", "boards": boards})
                    for member in members:
                        member.send(text)

    def _send_tournament(self, contest: HostedTournament, member: Subscriber, person: User) -> None:
        view = tournament_view(contest, person, self._rooms)
        member.send(dump({"type": "tournament", "tournament": view}))
