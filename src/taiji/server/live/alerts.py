"""Alerts: which events of tables are told to players who do not look at the table."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from taiji.rules import Seat
from taiji.server.contract.events import Ended, Moved, Started, StoredJoined, TakenBack
from taiji.server.store import notifications
from taiji.server.store.identities import distinct_players

if TYPE_CHECKING:
    import asyncio

    from sqlalchemy import Connection

    from taiji.server.contract.notifications import NotificationKind
    from taiji.server.domain.table import Event, Table
    from taiji.server.live.inbox import Inbox
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.ownership import Term
    from taiji.server.store.store import Store

log = logging.getLogger("taiji.server")

MAX_CLEAN = 50_000


@dataclass(frozen=True, slots=True)
class Alert:
    """One notification to the players behind some ids."""

    kind: NotificationKind
    ids: frozenset[str]
    table_id: str
    version: int
    at: int
    game: str
    opponent: str | None
    deadline: int | None

    def data(self) -> dict[str, Any]:
        """Return what is stored of it besides its key."""
        return {"game": self.game, "opponent": self.opponent, "deadline": self.deadline}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a write changed: whose lists, and the pushes to send by player."""

    changed: frozenset[str]
    pushes: list[tuple[str, Alert]]


def is_slow(table: Table) -> bool:
    """Return whether people play without a live clock, so that they do not wait at the board."""
    clock = table.settings.clock
    return table.computer is None and (clock is None or clock.clock_type == "correspondence")


class Alerts:
    """Writes notifications; only the owner of a table does, when its events are on disk."""

    def __init__(self, store: Store, rooms: RoomManager, inbox: Inbox) -> None:
        self._store = store
        self._inbox = inbox
        self.push: Callable[[list[tuple[str, Alert]]], None] | None = None
        """Sends pushes to players."""
        self._clean: set[tuple[str, Term | None]] = set()
        """Tables that surely have no notification: their moves need not delete any.

        Each with the term of the ownership: another server may have written some in between.
        """
        rooms.listeners.append(self._on_events)

    def _on_events(self, room: Room, events: list[Event]) -> None:
        # Of several events at once, after a takeover for example, the last of each kind counts.
        last = {(alert.kind, alert.ids): alert for event in events for alert in _alerts(room, event)}
        alerts, stale = list(last.values()), self._stale(room, events)
        if not alerts and not stale:
            return
        if alerts:
            self._clean.discard((room.table.id, room.term))
        before = events[-1].version
        future = self._store.write(
            partial(_write, table_id=room.table.id, before=before, alerts=alerts, stale=stale)
        )
        future.add_done_callback(partial(self._on_written, (room.table.id, room.term)))

    def _stale(self, room: Room, events: list[Event]) -> dict[NotificationKind, frozenset[str]]:
        """Return the kinds of notifications that are over, each with the ids that need them no longer."""
        table = room.table
        in_tournament = table.settings.opponent == "tournament"
        has_any = is_slow(table) or in_tournament or table.settings.challenged is not None
        known = (table.id, room.term)
        if not has_any or known in self._clean:
            return {}
        if len(self._clean) >= MAX_CLEAN:
            self._clean.clear()
        everybody = frozenset(table.holders[0] | table.holders[1] | {table.settings.challenged or ""})
        if any(isinstance(event.data, Ended) for event in events):
            return {"turn": everybody, "challenge": everybody, "round": everybody}
        if any(isinstance(event.data, Moved | TakenBack) for event in events):
            self._clean.add(known)
            return {"turn": everybody, "round" if in_tournament else "challenge": everybody}
        if any(isinstance(event.data, Started) for event in events) and table.settings.challenged:
            return {"challenge": everybody}
        return {}

    def _on_written(self, table: tuple[str, Term | None], future: asyncio.Future[Outcome]) -> None:
        if future.cancelled() or future.exception() is not None:
            self._clean.discard(table)
            log.warning("a notification could not be written: %r", _reason(future))
            return
        outcome = future.result()
        self._inbox.note(outcome.changed)
        if outcome.pushes and self.push is not None:
            self.push(outcome.pushes)


def _reason(future: asyncio.Future[Outcome]) -> object:
    return "cancelled" if future.cancelled() else future.exception()


def _alerts(room: Room, event: Event) -> list[Alert]:
    table = room.table
    match event.data:
        case StoredJoined() if table.status == "waiting" and table.settings.challenged:
            creator = next((player for player in table.seats if player is not None), None)
            name = None if creator is None else creator.name
            return [_alert(room, event, "challenge", frozenset({table.settings.challenged}), name)]
        case Started() if table.settings.opponent == "tournament":
            if table.match is None or table.match.game_no == 1:
                return [_to_seat(room, event, "round", seat) for seat in _absent(room)]
        case Started() | Moved() | TakenBack() if is_slow(table) and table.turn in _absent(room):
            assert table.turn is not None
            return [_to_seat(room, event, "turn", table.turn)]
        case Ended(result=result) if is_slow(table) and result.ended_by != "aborted":
            return [_to_seat(room, event, "over", seat) for seat in _absent(room)]
    return []


def _absent(room: Room) -> list[Seat]:
    """Return the seats of people who are not connected to the table."""
    presence = room.presence()
    connected = (presence.first, presence.second)
    return [
        seat
        for seat in Seat
        if not connected[seat] and (player := room.table.seats[seat]) and player.account_type == "person"
    ]


def _to_seat(room: Room, event: Event, kind: NotificationKind, seat: Seat) -> Alert:
    opponent = room.table.seats[seat.other]
    name = None if opponent is None else opponent.name
    return _alert(room, event, kind, frozenset(room.table.holders[seat]), name)


def _alert(
    room: Room, event: Event, kind: NotificationKind, ids: frozenset[str], opponent: str | None
) -> Alert:
    table = room.table
    game = table.settings.edition or table.settings.game
    deadline = table.deadline if kind == "turn" else None
    return Alert(kind, ids, table.id, event.version, event.at, game, opponent, deadline)


def _write(
    connection: Connection,
    table_id: str,
    before: int,
    alerts: list[Alert],
    stale: dict[NotificationKind, frozenset[str]],
) -> Outcome:
    changed: set[str] = set()
    for kind, ids in stale.items():
        players = {*ids, *distinct_players(connection, ids)}
        if notifications.remove(connection, players, kind, table_id, before):
            changed |= players
    pushes = []
    for alert in alerts:
        for user_id in distinct_players(connection, alert.ids):
            channels = getattr(notifications.read_settings(connection, user_id), alert.kind)
            is_new = (channels.list or channels.push) and notifications.put(
                connection,
                user_id,
                alert.kind,
                alert.table_id,
                version=alert.version,
                data=alert.data(),
                at=alert.at,
                listed=channels.list,
            )
            if is_new:
                changed.add(user_id)
                if channels.push:
                    pushes.append((user_id, alert))
    return Outcome(frozenset(changed), pushes)
