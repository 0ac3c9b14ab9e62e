"""What people hear of their tables without being at them: challenges, starts, turns and ends, for bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from taiji.server.views import table_view

if TYPE_CHECKING:
    from taiji.server.bus import Bus
    from taiji.server.room import Room
    from taiji.server.rooms import Rooms
    from taiji.server.table import Event
    from taiji.server.times import Times


class Notices:
    """Listens to the rooms and tells the bus."""

    def __init__(self, rooms: Rooms, bus: Bus, times: Times) -> None:
        self._bus = bus
        self._times = times
        rooms.listeners.append(self._heard)

    def _heard(self, room: Room, events: list[Event]) -> None:
        table = room.table
        for event in events:
            if event.kind == "start":
                self._tell_sides(room, "table-start")
            elif event.kind == "end":
                self._tell_sides(room, "table-end")
            elif event.kind == "join" and table.status == "waiting" and table.terms.challenged:
                self._bus.tell([table.terms.challenged], self.notice(room, "challenge", frozenset()))

    def _tell_sides(self, room: Room, kind: str) -> None:
        for holders in room.table.holders:
            if holders:
                self._bus.tell(holders, self.notice(room, kind, frozenset(holders)))

    def notice(self, room: Room, kind: str, ids: frozenset[str]) -> dict[str, Any]:
        """Return a notice of a table as somebody sees it."""
        table = room.table
        view = table_view(
            table, self._times.now(), you=table.seat_of(ids), presence=room.presence(), thinking=False
        )
        return {"type": kind, "table": view}
