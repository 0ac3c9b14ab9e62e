"""The lobby: open challenges, games to watch and a visitor's tables, pushed to subscribers on change."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from taiji.server.contract.frames import LobbyFrame
from taiji.server.domain.views import summary_view
from taiji.server.store import queries

if TYPE_CHECKING:
    from collections.abc import Collection

    from taiji.server.contract.tables import TableSummary
    from taiji.server.domain.table import Event
    from taiji.server.identity.users import User
    from taiji.server.live.room import Room, Subscriber
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

WATCHABLE = ("open", "player", "computer")
"""Games by link are not listed."""
LOBBY_EVENTS = frozenset(
    ("join", "start", "move", "takeback", "end", "next-game", "rematch", "device-added", "device-removed")
)
PUSH_INTERVAL_S = 1.0
LIVE_CHALLENGE_TTL_MS = 60_000
"""How long a challenge with a live clock stays open without its creator."""
CORRESPONDENCE_CHALLENGE_TTL_MS = 14 * 86_400_000


class Lobby:
    """Lists tables, and pushes the lists to subscribers."""

    def __init__(self, store: Store, rooms: RoomManager, time: TimeSource) -> None:
        self._store = store
        self._rooms = rooms
        self._time = time
        self._subscribers: dict[Subscriber, User] = {}
        self._changed = False
        rooms.listeners.append(self._on_events)

    def _on_events(self, room: Room, events: list[Event]) -> None:
        self._changed = self._changed or any(event.event_type in LOBBY_EVENTS for event in events)

    def watchers(self, table_id: str) -> int:
        """Return the number of watchers of a table."""
        room = self._rooms.rooms.get(table_id)
        return 0 if room is None else sum(subscriber.seat is None for subscriber in room.subscribers)

    def _summaries(self, rows: list[dict[str, Any]], ids: Collection[str]) -> list[TableSummary]:
        return [summary_view(row, ids, self.watchers(row["id"])) for row in rows]

    async def challenges(self, ids: Collection[str]) -> list[TableSummary]:
        """Return the open challenges."""
        rows = await self._store.read(
            lambda c: queries.list_tables(c, status="waiting", opponents=("open",), limit=200)
        )
        return self._summaries([row for row in rows if self._is_open(row)][:50], ids)

    def _is_open(self, row: dict[str, Any]) -> bool:
        """Return whether a challenge can be taken: its creator is connected, or has days to come back."""
        age: int = self._time.now() - row["created_at"]
        clock = row["clock_rule"]
        if clock is None or clock["clock_type"] == "correspondence":
            return age < CORRESPONDENCE_CHALLENGE_TTL_MS
        room = self._rooms.rooms.get(row["id"])
        connected = room is not None and any(s.seat is not None for s in room.subscribers)
        return age < LIVE_CHALLENGE_TTL_MS or connected

    async def live(self, ids: Collection[str]) -> list[TableSummary]:
        """Return the games to watch, the most watched first."""
        rows = await self._store.read(
            lambda c: queries.list_tables(c, status="playing", opponents=WATCHABLE, limit=50)
        )
        return sorted(self._summaries(rows, ids), key=lambda summary: -summary.watchers)

    async def my_tables(
        self, ids: Collection[str], status: str | None = None, before: int | None = None, limit: int = 50
    ) -> list[TableSummary]:
        """Return the tables of these ids, the latest first."""
        if not ids:
            return []
        rows = await self._store.read(
            partial(queries.list_tables, status=status, ids=ids, before=before, limit=limit)
        )
        return self._summaries(rows, ids)

    async def _unfinished(self, ids: Collection[str]) -> list[TableSummary]:
        return [*await self.my_tables(ids, "waiting"), *await self.my_tables(ids, "playing")]

    async def enter(self, subscriber: Subscriber, user: User) -> None:
        """Add a subscriber and send it the lobby."""
        self._subscribers[subscriber] = user
        challenges, live = await self.challenges(()), await self.live(())
        await self._send_lobby(subscriber, user, challenges, live)

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        self._subscribers.pop(subscriber, None)

    async def run_push_loop(self) -> None:
        """Send the lobby to all subscribers when it has changed, at most once per second."""
        while True:
            await self._time.sleep(PUSH_INTERVAL_S)
            if not self._changed:
                continue
            self._changed = False
            if self._subscribers:
                challenges, live = await self.challenges(()), await self.live(())
                for subscriber, user in tuple(self._subscribers.items()):
                    await self._send_lobby(subscriber, user, challenges, live)

    async def _send_lobby(
        self, subscriber: Subscriber, user: User, challenges: list[TableSummary], live: list[TableSummary]
    ) -> None:
        mine = await self._unfinished(user.ids)
        subscriber.send(LobbyFrame(challenges=challenges, live=live, my_tables=mine).model_dump_json())
