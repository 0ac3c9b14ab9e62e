"""Tournaments as they happen: whoever looks is told of every change, and of the moves on the boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.server.room import dump
from taiji.server.tournaments.views import board_view, contest_view

if TYPE_CHECKING:
    from taiji.server.people import Person
    from taiji.server.room import Member, Room
    from taiji.server.rooms import Rooms
    from taiji.server.table import Event
    from taiji.server.times import Times
    from taiji.server.tournaments.contest import Contest
    from taiji.server.tournaments.office import Office

PUSH_EVERY = 0.5
MOVING = frozenset(("move", "takeback"))


class Live:
    """Who looks at which tournament, and what they have not been told yet."""

    def __init__(self, office: Office, rooms: Rooms, times: Times) -> None:
        self._office = office
        self._rooms = rooms
        self._times = times
        self._here: dict[str, dict[Member, Person]] = {}
        self._told: dict[str, int] = {}
        """The version that those who look at a tournament know."""
        self._stale: set[str] = set()
        self._moved: dict[str, dict[str, Room]] = {}
        rooms.listeners.append(self._heard)

    def _heard(self, room: Room, events: list[Event]) -> None:
        contest_id = self._office.id_of(room.table)
        if contest_id not in self._here:
            return
        if any(event.kind not in MOVING for event in events):
            self._stale.add(contest_id)
        elif events:
            self._moved.setdefault(contest_id, {})[room.table.id] = room

    async def enter(self, contest_id: str, member: Member, person: Person) -> None:
        """Let somebody look, and show them everything."""
        contest = await self._office.get(contest_id)
        self._here.setdefault(contest_id, {})[member] = person
        self._told.setdefault(contest_id, contest.version)
        self._show(contest, member, person)

    def leave(self, member: Member) -> None:
        """Let somebody go."""
        for contest_id, members in list(self._here.items()):
            members.pop(member, None)
            if not members:
                del self._here[contest_id]
                self._told.pop(contest_id, None)

    def close(self, code: int) -> None:
        """Let everybody go."""
        for members in self._here.values():
            for member in members:
                member.close(code)

    async def keep_telling(self) -> None:
        """Tell those who look, at most twice a second, what has changed."""
        while True:
            await self._times.sleep(PUSH_EVERY)
            stale, self._stale = self._stale, set()
            moved, self._moved = self._moved, {}
            for contest_id, members in list(self._here.items()):
                contest = await self._office.get(contest_id)
                if contest_id in stale or contest.version != self._told.get(contest_id):
                    self._told[contest_id] = contest.version
                    for member, person in list(members.items()):
                        self._show(contest, member, person)
                elif contest_id in moved:
                    boards = [board_view(room.table) for room in moved[contest_id].values()]
                    text = dump({"type": "boards", "boards": boards})
                    for member in members:
                        member.send(text)

    def _show(self, contest: Contest, member: Member, person: Person) -> None:
        view = contest_view(contest, person, self._rooms)
        member.send(dump({"type": "tournament", "tournament": view}))
