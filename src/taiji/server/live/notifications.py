"""Notices about tables: challenges, starts and ends, for users who do not follow the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taiji.server.contract.events import Ended, Started, StoredJoined
from taiji.server.contract.frames import ChallengeNotice, TableEndNotice, TableStartNotice
from taiji.server.domain.views import table_view

if TYPE_CHECKING:
    from taiji.server.contract.frames import Notice
    from taiji.server.contract.tables import TableInfo
    from taiji.server.domain.table import Event
    from taiji.server.live.bus import NotificationBus
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.time_source import TimeSource


class TableNotifier:
    """Publishes events of tables on the bus."""

    def __init__(self, rooms: RoomManager, bus: NotificationBus, time: TimeSource) -> None:
        self._bus = bus
        self._time = time
        rooms.listeners.append(self._on_events)

    def _on_events(self, room: Room, events: list[Event]) -> None:
        table = room.table
        for event in events:
            if isinstance(event.data, Started):
                self._notify_seats(room, TableStartNotice)
            elif isinstance(event.data, Ended):
                self._notify_seats(room, TableEndNotice)
            elif isinstance(event.data, StoredJoined) and table.status == "waiting":
                challenged = table.settings.challenged
                if challenged:
                    view = self._view(room, frozenset({challenged}))
                    self._bus.publish([challenged], ChallengeNotice(table=view))

    def _notify_seats(self, room: Room, notice: type[TableStartNotice | TableEndNotice]) -> None:
        for holders in room.table.holders:
            if holders:
                self._bus.publish(holders, notice(table=self._view(room, frozenset(holders))))

    def _view(self, room: Room, ids: frozenset[str]) -> TableInfo:
        table = room.table
        return table_view(
            table,
            self._time.now(),
            your_seat=table.find_seat(ids),
            presence=room.presence(),
            thinking=False,
            joinable=table.is_joinable(ids),
        )

    def current_notice(self, room: Room, ids: frozenset[str]) -> Notice | None:
        """Return the notice that a new subscriber receives about a table, or None."""
        table = room.table
        if table.status == "waiting" and table.settings.challenged in ids:
            return ChallengeNotice(table=self._view(room, ids))
        if table.status == "playing":
            return TableStartNotice(table=self._view(room, ids))
        return None
