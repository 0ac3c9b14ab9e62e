"""New tables: their ids, first events and what is written of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from taiji.rules import Seat
from taiji.server.contract.errors import ApiError
from taiji.server.domain import commands
from taiji.server.domain.matches import next_slot
from taiji.server.domain.table import Event, MatchSlot, SeatedPlayer, Table, TableSettings
from taiji.server.identity.credentials import new_id
from taiji.server.live.room import Room
from taiji.server.store import queries
from taiji.server.store.shards import PREFIX

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.domain.commands import FollowUp
    from taiji.server.store.ownership import Ownership
    from taiji.server.time_source import TimeSource

MAX_ID_TRIES = 10_000
"""How many ids are tried to find one of an own shard; a server owns at least one in 256."""

Work = Callable[["Connection"], None]


class NewTables:
    """Prepares tables; each comes with the work that writes it."""

    def __init__(self, ownership: Ownership, time: TimeSource) -> None:
        self._ownership = ownership
        self._time = time

    def new_id(self, beside: str | None = None) -> str:
        """Return an id that this server owns, or one with the owner of another id."""
        if beside is not None:
            return beside[:PREFIX] + new_id()[PREFIX:]
        for _ in range(MAX_ID_TRIES):
            table_id = new_id()
            if self._ownership.term(table_id) is not None:
                return table_id
        raise ApiError("unavailable", "this server owns no games at the moment: try again")

    def prepare(
        self,
        settings: TableSettings,
        players: dict[Seat, SeatedPlayer],
        match: bool,
        link: dict[str, Any] | None,
        beside: str | None,
    ) -> tuple[Room, Work]:
        """Prepare a table, with a link to its free seat if there is one."""
        slot = MatchSlot(new_id(), 1) if match else None
        table = Table.new(self.new_id(beside), settings, self._time.now(), slot)
        room, work = self._prepare(table, players)
        if link is None:
            return room, work
        row = {**link, "table_id": table.id}
        room.invite = row["secret"]

        def write(connection: Connection) -> None:
            work(connection)
            queries.add_seat_link(connection, row)

        return room, write

    def prepare_follow_up(self, table: Table, follow_up: FollowUp) -> tuple[Room, Work]:
        """Prepare the second game of a match, or a rematch, with the seats exchanged and the same owner."""
        if follow_up == "next-game":
            slot: MatchSlot | None = next_slot(table)
            previous = None
        else:
            slot = MatchSlot(new_id(), 1) if table.match else None
            previous = table.id
        new = Table.new(self.new_id(table.id), table.settings, self._time.now(), slot, previous)
        players = {seat.other: player for seat in Seat if (player := table.seats[seat]) is not None}
        holders = [
            (seat.other, holder)
            for seat, player in ((seat, table.seats[seat]) for seat in Seat)
            for holder in sorted(table.holders[seat] - {player.id if player else ""})
        ]
        return self._prepare(new, players, holders)

    def _prepare(
        self, table: Table, players: dict[Seat, SeatedPlayer], holders: Iterable[tuple[Seat, str]] = ()
    ) -> tuple[Room, Work]:
        row = {**queries.settings_row(table), **queries.projection_row(table)}
        now = table.created_at
        events: list[Event] = []
        for seat, player in players.items():
            joined = commands.join(table, seat, player, now)
            events += [table.apply_draft(draft, now) for draft in joined.drafts]
        for seat, holder in holders:
            added = commands.add_device(table, seat, holder)
            events += [table.apply_draft(draft, now) for draft in added.drafts]
        rows = [queries.event_row(table.id, event) for event in events]
        projection = queries.projection_row(table)

        def write(connection: Connection) -> None:
            queries.add_table(connection, row)
            queries.add_events(connection, table.id, projection, rows)

        room = Room(table, events)
        room.term = self._ownership.term(table.id)
        return room, write
