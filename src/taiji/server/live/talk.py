"""Phrases between the two players of a table: stored, sent to both, and hidden from one who has blocked."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select

from taiji.server.contract.errors import ApiError
from taiji.server.contract.frames import PhraseFrame
from taiji.server.contract.talk import NewPhrase, PhraseInfo, TableTalk
from taiji.server.domain.table import seat_name
from taiji.server.store.blocks import has_blocked
from taiji.server.store.identities import player_ids
from taiji.server.store.schema_talk import phrases

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.rules import Seat
    from taiji.server.contract.messages import SeatName
    from taiji.server.domain.table import SeatedPlayer
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

MAX_PHRASES_PER_SEAT = 40
MAX_LISTED = 20


class Talk:
    """What the players of all tables say; any server takes it, and all that have the table show it."""

    def __init__(self, store: Store, rooms: RoomManager, time: TimeSource) -> None:
        self._store = store
        self._rooms = rooms
        self._time = time
        rooms.peers.hear("phrase", lambda _, content: self._deliver(content))

    async def say(self, room: Room, ids: frozenset[str], new: NewPhrase) -> None:
        """Say a phrase to the opponent; one whom the opponent has blocked is heard only by themselves."""
        seat, opponent = _opponent(room, ids)
        info = PhraseInfo(seat=seat_name(seat), phrase=new.phrase, at=self._time.now())

        def write(connection: Connection) -> tuple[bool, bool]:
            blocked = has_blocked(connection, opponent.id, ids)
            return _add(connection, room.table.id, new.id, info), blocked

        is_new, blocked = await self._store.write(write)
        if is_new:
            hearers = [info.seat] if blocked else ["first", "second"]
            content = {"table": room.table.id, "to": hearers, "phrase": info.model_dump()}
            self._deliver(content)
            self._rooms.peers.cast("phrase", content)

    def _deliver(self, content: dict[str, Any]) -> None:
        room = self._rooms.rooms.get(content["table"])
        if room is None:
            return
        text = PhraseFrame.model_validate(content["phrase"]).model_dump_json()
        for subscriber in tuple(room.subscribers):
            if subscriber.seat is not None and seat_name(subscriber.seat) in content["to"]:
                subscriber.send(text)

    async def read(self, room: Room, ids: frozenset[str]) -> TableTalk:
        """Return what was said, without what an opponent said whom the reader has blocked."""
        seat, opponent = _opponent(room, ids)
        return await self._store.read(
            partial(_read, table_id=room.table.id, seat=seat_name(seat), ids=ids, opponent_id=opponent.id)
        )


def _opponent(room: Room, ids: frozenset[str]) -> tuple[Seat, SeatedPlayer]:
    """Return the seat of these ids and the person opposite, or raise `ApiError`."""
    seat = room.table.find_seat(ids)
    if seat is None:
        raise ApiError("not-your-table")
    opponent = room.table.seats[seat.other]
    if opponent is None:
        raise ApiError("not-started")
    if opponent.account_type == "computer":
        raise ApiError("not-found", "the computer does not talk")
    return seat, opponent


def _add(connection: Connection, table_id: str, request_id: str, info: PhraseInfo) -> bool:
    """Store a phrase; return whether it is new."""
    mine = (phrases.c.table_id == table_id, phrases.c.seat == info.seat)
    known = select(phrases.c.at).where(*mine, phrases.c.request_id == request_id)
    if connection.execute(known).first() is not None:
        return False
    if connection.execute(select(func.count()).where(*mine)).scalar_one() >= MAX_PHRASES_PER_SEAT:
        raise ApiError("too-late", f"you have said {MAX_PHRASES_PER_SEAT} phrases at this table")
    row = {"table_id": table_id, "request_id": request_id, **info.model_dump()}
    connection.execute(insert(phrases), [row])
    return True


def _read(
    connection: Connection, table_id: str, seat: SeatName, ids: frozenset[str], opponent_id: str
) -> TableTalk:
    blocked = has_blocked(connection, min(ids), player_ids(connection, opponent_id))
    query = select(phrases).where(phrases.c.table_id == table_id)
    if blocked:
        query = query.where(phrases.c.seat == seat)
    rows = connection.execute(query.order_by(phrases.c.at.desc()).limit(MAX_LISTED)).mappings().all()
    return TableTalk(
        phrases=[PhraseInfo.model_validate(dict(row)) for row in reversed(rows)], blocked=blocked
    )
