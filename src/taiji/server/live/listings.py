"""Lists of tables: open challenges, games to watch, recent results, and a user's own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from taiji.server.contract.people import FollowedPlayer
from taiji.server.domain.views import summary_views
from taiji.server.store import queries
from taiji.server.store.blocks import hidden_from
from taiji.server.store.follows import followed_by
from taiji.server.store.results import LISTED

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection

    from taiji.server.contract.tables import TableSummary
    from taiji.server.live.online import OnlineAccounts
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.follows import Followed
    from taiji.server.store.queries import Row
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

MINUTE_MS, DAY_MS = 60_000, 86_400_000
LIVE_CHALLENGE_TTL_MS = MINUTE_MS
"""How long a challenge with a live clock stays open without its creator."""
CORRESPONDENCE_CHALLENGE_TTL_MS = 14 * DAY_MS
MIN_WATCHED_PLIES = 3
"""A game that has hardly begun may be given up at once; it is not listed."""
LIVE_WINDOW_MS = 10 * MINUTE_MS
"""A game is live if its last move is not older than this."""
CORRESPONDENCE_WINDOW_MS = 60 * MINUTE_MS
MAX_UNFINISHED = 100
MAX_LIVE, MAX_CHALLENGES, MAX_RESULTS = 24, 50, 8
MAX_FOLLOWED_PLAYING = 50


class Challenge(NamedTuple):
    """An open challenge, and the ids of those whom its creator has blocked or was blocked by."""

    table: TableSummary
    hidden_from: frozenset[str]


def visible_to(challenges: list[Challenge], ids: Collection[str]) -> list[TableSummary]:
    """Return the challenges that a user with these ids is shown."""
    return [one.table for one in challenges if one.hidden_from.isdisjoint(ids)]


class Listings:
    """Reads lists of tables."""

    def __init__(self, store: Store, rooms: RoomManager, online: OnlineAccounts, time: TimeSource) -> None:
        self._store = store
        self._rooms = rooms
        self._online = online
        self._time = time

    def watchers(self, table_id: str) -> int:
        """Return the number of watchers of a table."""
        room = self._rooms.rooms.get(table_id)
        if room is None:
            presence = self._rooms.presence
            return 0 if presence is None else presence.remote(table_id).watchers
        return room.watchers

    def summaries(self, rows: list[Row], ids: Collection[str]) -> list[TableSummary]:
        """Return rows as a user with these ids sees them."""
        return summary_views(rows, ids, [self.watchers(row["id"]) for row in rows])

    async def challenges(self, ids: Collection[str]) -> list[Challenge]:
        """Return the open challenges, each with those to whom it is not shown."""
        rows = [row for row in await self._store.read(open_challenges) if self.is_open(row)][:MAX_CHALLENGES]
        creators = {row["creator_id"] for row in rows}
        hidden = await self._store.read(partial(hidden_from, user_ids=creators)) if creators else {}
        return [
            Challenge(summary, hidden.get(row["creator_id"], frozenset()))
            for row, summary in zip(rows, self.summaries(rows, ids), strict=True)
        ]

    def is_open(self, row: dict[str, Any], ttl_ms: int = LIVE_CHALLENGE_TTL_MS) -> bool:
        """Return whether a challenge can be taken: its creator is connected, or has days to come back."""
        age: int = self._time.now() - row["created_at"]
        clock = row["clock_rule"]
        if clock is None or clock["clock_type"] == "correspondence":
            return age < CORRESPONDENCE_CHALLENGE_TTL_MS
        return age < ttl_ms or self.is_attended(row["id"])

    def is_attended(self, table_id: str) -> bool:
        """Return whether a player of a table is connected to it, at any server."""
        room = self._rooms.rooms.get(table_id)
        if room is not None and any(s.seat is not None for s in room.subscribers):
            return True
        presence = self._rooms.presence
        return presence is not None and any(presence.remote(table_id).seats)

    async def live(self, ids: Collection[str]) -> list[TableSummary]:
        """Return the games worth watching, the most watched first: public, begun, and with a recent move."""
        now = self._time.now()
        after = now - CORRESPONDENCE_WINDOW_MS
        rows = await self._store.read(
            partial(queries.list_tables, status="playing", opponents=LISTED, after=after, limit=100)
        )
        listed = self.summaries([row for row in rows if is_worth_watching(row, now)], ids)
        return sorted(listed, key=lambda summary: (-summary.watchers, -summary.updated))[:MAX_LIVE]

    async def results(self, ids: Collection[str]) -> list[TableSummary]:
        """Return the public games that ended last."""
        rows = await self._store.read(
            partial(queries.list_tables, status="over", opponents=LISTED, limit=4 * MAX_RESULTS)
        )
        ended = [row for row in rows if row["result"]["ended_by"] != "aborted"]
        return self.summaries(ended[:MAX_RESULTS], ids)

    async def my_tables(
        self, ids: Collection[str], status: str | None = None, before: int | None = None, limit: int = 50
    ) -> list[TableSummary]:
        """Return the tables of these ids, the latest first."""
        if not ids:
            return []
        rows = await self._store.read(
            partial(queries.list_tables, status=status, ids=ids, before=before, limit=limit)
        )
        return self.summaries(rows, ids)

    async def unfinished(self, ids: Collection[str]) -> list[TableSummary]:
        """Return the tables of these ids that wait or are being played."""
        if not ids:
            return []
        read = partial(queries.list_tables, status=("playing", "waiting"), ids=ids, limit=MAX_UNFINISHED)
        return self.summaries(await self._store.read(read), ids)

    async def of_reader(self, ids: Collection[str]) -> tuple[list[TableSummary], list[Followed]]:
        """Return the unfinished tables of these ids and the players whom they follow, by one connection."""
        if not ids:
            return [], []
        rows, followed = await self._store.read(partial(_of_reader, ids=ids))
        return self.summaries(rows, ids), followed

    async def following(self, followed: list[Followed]) -> list[FollowedPlayer]:
        """Return players whom somebody follows, those online first, with a game to watch."""
        online = [one.id for one in followed if self._online.is_online(one.id)]
        games: dict[str, str] = {}
        if online:
            for row in await self._store.read(partial(_public_games, ids=online[:MAX_FOLLOWED_PLAYING])):
                games |= {row["first_id"]: row["id"], row["second_id"]: row["id"]}
        listed = [
            FollowedPlayer(
                name=one.name,
                account_type="bot" if one.account_type == "bot" else "person",
                online=one.id in online,
                playing=games.get(one.id),
            )
            for one in followed
        ]
        return sorted(listed, key=lambda player: not player.online)

    async def followed(self, ids: Collection[str]) -> list[Followed]:
        """Return the players whom a user with these ids follows."""
        return await self._store.read(partial(followed_by, ids=ids)) if ids else []


def _of_reader(connection: Connection, ids: Collection[str]) -> tuple[list[Row], list[Followed]]:
    status = ("playing", "waiting")
    rows = queries.list_tables(connection, status=status, ids=ids, limit=MAX_UNFINISHED)
    return rows, followed_by(connection, ids)


def _public_games(connection: Connection, ids: Collection[str]) -> list[Row]:
    """Return public games in progress of these players, the latest last."""
    rows = queries.list_tables(connection, status="playing", ids=ids, limit=100)
    return queries.public_rows(connection, rows)[::-1]


def open_challenges(connection: Connection) -> list[Row]:
    """Return the newest tables that wait for anybody."""
    return queries.list_tables(connection, status="waiting", opponents=("open",), limit=200)


def is_worth_watching(row: Row, now: int) -> bool:
    """Return whether a game has begun, and its last move is not long ago."""
    clock = row["clock_rule"]
    slow = clock is not None and clock["clock_type"] == "correspondence"
    window = CORRESPONDENCE_WINDOW_MS if slow else LIVE_WINDOW_MS
    return bool(row["ply"] >= MIN_WATCHED_PLIES and row["updated_at"] > now - window)
