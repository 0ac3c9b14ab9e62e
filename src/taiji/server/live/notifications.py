"""What people hear of their tables without being at them: challenges, starts, turns and ends, for bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taiji.server.domain.views import table_view

if TYPE_CHECKING:
    from taiji.server.domain.table import Event
    from taiji.server.live.bus import NotificationBus
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.time_source import TimeSource


class TableNotifier:
    """Listens to the rooms and tells the bus."""

    def __init__(self, rooms: RoomManager, bus: NotificationBus, times: TimeSource) -> None:
        self._bus = bus
        self._times = times
        rooms.listeners.append(self._on_events)

    def _on_events(self, room: Room, events: list[Event]) -> None:
        table = room.table
        for event in events:
            if event.event_type == "start":
                self._notify_seats(room, "table-start")
            elif event.event_type == "end":
                self._notify_seats(room, "table-end")
            elif event.event_type == "join" and table.status == "waiting" and table.settings.challenged:
                self._bus.publish([table.settings.challenged], self.notice(room, "challenge", frozenset()))

    def _notify_seats(self, room: Room, kind: str) -> None:
        for holders in room.table.holders:
            if holders:
                self._bus.publish(holders, self.notice(room, kind, frozenset(holders)))

    def notice(self, room: Room, kind: str, ids: frozenset[str]) -> dict[str, Any]:
        """Return a notice of a table as somebody sees it."""
        table = room.table
        view = table_view(
            table, self._times.now(), your_seat=table.find_seat(ids), presence=room.presence(), thinking=False
        )
        return {"type": kind, "table": view}
