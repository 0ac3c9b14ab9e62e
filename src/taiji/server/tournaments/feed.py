"""The live feed of tournaments: every change, and the moves on the boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.server.contract.tournaments import BoardsFrame, TournamentFrame
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
    """The subscribers of each tournament, and the changes to send."""

    def __init__(self, manager: TournamentManager, rooms: RoomManager, time: TimeSource) -> None:
        self._manager = manager
        self._rooms = rooms
        self._time = time
        self._subscribers: dict[str, dict[Subscriber, User]] = {}
        self._sent_versions: dict[str, int] = {}
        """The version of each tournament that its subscribers know."""
        self._stale: set[str] = set()
        self._moved: dict[str, dict[str, Room]] = {}
        rooms.followers.append(self._on_events)

    def _on_events(self, room: Room, events: list[Event]) -> None:
        tournament_id = self._manager.loaded.find_id(room.table)
        if tournament_id not in self._subscribers:
            return
        if any(event.event_type not in MOVE_EVENTS for event in events):
            self._stale.add(tournament_id)
        elif events:
            self._moved.setdefault(tournament_id, {})[room.table.id] = room

    async def enter(self, tournament_id: str, subscriber: Subscriber, user: User) -> None:
        """Add a subscriber and send the whole tournament."""
        hosted = await self._manager.loaded.get(tournament_id)
        await self._manager.rounds.load_boards(hosted)
        self._subscribers.setdefault(tournament_id, {})[subscriber] = user
        self._sent_versions.setdefault(tournament_id, hosted.version)
        self._send_tournament(hosted, subscriber, user)

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        for tournament_id, subscribers in list(self._subscribers.items()):
            subscribers.pop(subscriber, None)
            if not subscribers:
                del self._subscribers[tournament_id]
                self._sent_versions.pop(tournament_id, None)

    def close(self, code: int) -> None:
        """Close all connections."""
        for subscribers in self._subscribers.values():
            for subscriber in subscribers:
                subscriber.close(code)

    async def run_push_loop(self) -> None:
        """Send changes to the subscribers, at most twice per second."""
        while True:
            await self._time.sleep(PUSH_INTERVAL_S)
            stale, self._stale = self._stale, set()
            moved, self._moved = self._moved, {}
            try:
                for tournament_id in list(self._subscribers):
                    await self._push(tournament_id, stale, moved)
            except Exception:
                self._stale |= stale | set(moved)  # for the next attempt
                raise

    async def _push(self, tournament_id: str, stale: set[str], moved: dict[str, dict[str, Room]]) -> None:
        hosted = await self._manager.loaded.get(tournament_id)
        subscribers = self._subscribers.get(tournament_id, {})
        if tournament_id in stale or hosted.version != self._sent_versions.get(tournament_id):
            self._sent_versions[tournament_id] = hosted.version
            for subscriber, user in list(subscribers.items()):
                self._send_tournament(hosted, subscriber, user)
        elif tournament_id in moved:
            boards = [board_view(room.table) for room in moved[tournament_id].values()]
            text = BoardsFrame(boards=boards).model_dump_json()
            for subscriber in subscribers:
                subscriber.send(text)

    def _send_tournament(self, hosted: HostedTournament, subscriber: Subscriber, user: User) -> None:
        view = tournament_view(hosted, user, self._rooms)
        subscriber.send(TournamentFrame(tournament=view).model_dump_json())
