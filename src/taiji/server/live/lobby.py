"""The lobby: open challenges, games to watch and one's own, pushed to whoever looks when they change."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from taiji.server.domain.views import summary_view
from taiji.server.live.room import dump
from taiji.server.store import queries

if TYPE_CHECKING:
    from collections.abc import Collection

    from taiji.server.domain.table import Event
    from taiji.server.identity.users import User
    from taiji.server.live.room import Room, Subscriber
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

WATCHABLE = ("open", "player", "computer")
"""Games by link stay among those who have the link."""
LOBBY_EVENTS = frozenset(("join", "start", "move", "takeback", "end", "next", "rematch", "seat"))
PUSH_INTERVAL_S = 1.0
LIVE_CHALLENGE_TTL_MS = 60_000
"""A challenge on a clock stands so long without its maker, in milliseconds."""
CORRESPONDENCE_CHALLENGE_TTL_MS = 14 * 86_400_000


class Lobby:
    """Answers what goes on, and tells those who wait for it."""

    def __init__(self, store: Store, rooms: RoomManager, times: TimeSource) -> None:
        self._store = store
        self._rooms = rooms
        self._times = times
        self._subscribers: dict[Subscriber, User] = {}
        self._changed = False
        rooms.listeners.append(self._on_events)

    def _on_events(self, room: Room, events: list[Event]) -> None:
        self._changed = self._changed or any(event.event_type in LOBBY_EVENTS for event in events)

    def watchers(self, table_id: str) -> int:
        """Return how many watch a table."""
        room = self._rooms.rooms.get(table_id)
        return 0 if room is None else sum(member.seat is None for member in room.subscribers)

    def _summaries(self, rows: list[dict[str, Any]], ids: Collection[str]) -> list[dict[str, Any]]:
        return [summary_view(row, ids, self.watchers(row["id"])) for row in rows]

    async def challenges(self, ids: Collection[str]) -> list[dict[str, Any]]:
        """Return the open challenges."""
        rows = await self._store.read(
            lambda c: queries.list_tables(c, status="waiting", opponents=("open",), limit=200)
        )
        return self._summaries([row for row in rows if self._is_open(row)][:50], ids)

    def _is_open(self, row: dict[str, Any]) -> bool:
        """Tell whether a challenge is worth taking: who made it is there, or has days to come back."""
        age: int = self._times.now() - row["created"]
        clock = row["clock_rule"]
        if clock is None or clock["kind"] == "correspondence":
            return age < CORRESPONDENCE_CHALLENGE_TTL_MS
        room = self._rooms.rooms.get(row["id"])
        return age < LIVE_CHALLENGE_TTL_MS or (
            room is not None and any(m.seat is not None for m in room.subscribers)
        )

    async def live(self, ids: Collection[str]) -> list[dict[str, Any]]:
        """Return the games to watch, the most watched first."""
        rows = await self._store.read(
            lambda c: queries.list_tables(c, status="playing", opponents=WATCHABLE, limit=50)
        )
        return sorted(self._summaries(rows, ids), key=lambda line: -line["watchers"])

    async def my_tables(
        self, ids: Collection[str], status: str | None = None, before: int | None = None, limit: int = 50
    ) -> list[dict[str, Any]]:
        """Return somebody's own tables, the latest first."""
        if not ids:
            return []
        rows = await self._store.read(
            partial(queries.list_tables, status=status, ids=ids, before=before, limit=limit)
        )
        return self._summaries(rows, ids)

    async def _unfinished(self, ids: Collection[str]) -> list[dict[str, Any]]:
        return [*await self.my_tables(ids, "waiting"), *await self.my_tables(ids, "playing")]

    async def enter(self, member: Subscriber, person: User) -> None:
        """Let somebody look."""
        self._subscribers[member] = person
        challenges, live = await self.challenges(()), await self.live(())
        await self._send_lobby(member, person, challenges, live)

    def leave(self, member: Subscriber) -> None:
        """Let somebody go."""
        self._subscribers.pop(member, None)

    async def run_push_loop(self) -> None:
        """Tell those who look, at most once a second, when something has changed."""
        while True:
            await self._times.sleep(PUSH_INTERVAL_S)
            if not self._changed:
                continue
            self._changed = False
            if self._subscribers:
                challenges, live = await self.challenges(()), await self.live(())
                for member, person in tuple(self._subscribers.items()):
                    await self._send_lobby(member, person, challenges, live)

    async def _send_lobby(
        self, member: Subscriber, person: User, challenges: list[dict[str, Any]], live: list[dict[str, Any]]
    ) -> None:
        message = {
            "type": "lobby",
            "challenges": challenges,
            "live": live,
            "mine": await self._unfinished(person.ids),
        }
        member.send(dump(message))
