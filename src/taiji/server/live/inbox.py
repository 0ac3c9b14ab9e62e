"""The list of notifications of each player, sent to the player's open pages when it has changed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from taiji.server.contract.notifications import NotificationList, NotificationsFrame
from taiji.server.store import notifications

if TYPE_CHECKING:
    from collections.abc import Collection

    from taiji.server.contract.notifications import NotificationSettings
    from taiji.server.identity.users import User
    from taiji.server.live.room import Subscriber
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

PUSH_INTERVAL_S = 0.5


class Inbox:
    """Reads and changes the lists, and sends them to subscribers."""

    def __init__(self, store: Store, rooms: RoomManager, time: TimeSource) -> None:
        self._store = store
        self._time = time
        self._peers = rooms.peers
        self._subscribers: dict[Subscriber, User] = {}
        self._changed: set[str] = set()
        self._peers.hear("inbox", lambda _, ids: self._changed.update(ids))

    async def read(self, user: User) -> NotificationList:
        """Return a user's notifications."""
        return await self._store.read(partial(notifications.read_list, ids=user.ids))

    async def mark_read(self, user: User, table_id: str | None) -> None:
        """Mark the notifications of a table, or all, as read."""
        now = self._time.now()
        work = partial(notifications.mark_read, ids=user.ids, table_id=table_id, now=now)
        if await self._store.write(work):
            self.note(user.ids)

    async def settings(self, user: User) -> NotificationSettings:
        """Return a user's settings."""
        return await self._store.read(partial(notifications.read_settings, user_id=user.id))

    async def change_settings(self, user: User, settings: NotificationSettings) -> None:
        """Store a user's settings."""
        await self._store.write(partial(notifications.write_settings, user_id=user.id, settings=settings))

    async def purge(self) -> None:
        """Delete old notifications."""
        await self._store.write(partial(notifications.purge, now=self._time.now()))

    def note(self, ids: Collection[str]) -> None:
        """Note that the lists of these players have changed."""
        if ids:
            self._changed.update(ids)
            self._peers.cast("inbox", sorted(ids))

    async def enter(self, subscriber: Subscriber, user: User) -> None:
        """Add a subscriber and send its list."""
        self._subscribers[subscriber] = user
        await self._send(subscriber, user)

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        self._subscribers.pop(subscriber, None)

    async def _send(self, subscriber: Subscriber, user: User) -> None:
        listed = await self.read(user)
        frame = NotificationsFrame(notifications=listed.notifications, unread=listed.unread)
        subscriber.send(frame.model_dump_json())

    async def run_push_loop(self) -> None:
        """Send the lists that have changed, at most twice per second."""
        while True:
            await self._time.sleep(PUSH_INTERVAL_S)
            changed, self._changed = self._changed, set()
            if not changed:
                continue
            try:
                for subscriber, user in tuple(self._subscribers.items()):
                    if not changed.isdisjoint(user.ids):
                        await self._send(subscriber, user)
            except Exception:
                self._changed |= changed  # for the next attempt
                raise
