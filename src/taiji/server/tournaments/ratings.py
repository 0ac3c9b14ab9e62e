"""Ratings of people: Glicko-2 after every rated game, each game once; casual games never touch them."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from taiji.arena.glicko import Glicko, rate_game
from taiji.server.domain.table import SEATS
from taiji.server.store.schema import accounts, rating_history, ratings, tables

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.domain.table import Event, Table
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store

log = logging.getLogger("taiji.server")
Row = dict[str, Any]


class Finished(NamedTuple):
    """A game that is over: where, at what, who by seats, and who won."""

    table: str
    game: str
    players: tuple[str, str]
    winner: str | None
    at: int


class Ratings:
    """Listens to the boards and rates what was agreed to be rated."""

    def __init__(self, store: Store, rooms: RoomManager) -> None:
        self._store = store
        self._tasks: set[asyncio.Task[None]] = set()
        rooms.listeners.append(self._on_events)

    async def rate_missed(self) -> None:
        """Rate what ended just before the server stopped and was not rated any more."""
        for game in await self._store.read(unrated):
            await self._rate(game)

    def _on_events(self, room: Room, events: list[Event]) -> None:
        for event in events:
            if event.event_type == "end" and is_rated(room.table):
                task = asyncio.create_task(self._rate(finished(room.table, event.at)))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _rate(self, game: Finished) -> None:
        try:
            await self._store.write(partial(rate, game=game))
        except IntegrityError:
            log.info("table %s is rated already", game.table)
        except Exception:
            log.exception("table %s could not be rated", game.table)

    async def close(self) -> None:
        """Write what is in hand."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def get_rating(self, account: str, game: str) -> int:
        """Return somebody's rating at a game as it is now."""
        glicko, _ = await self._store.read(partial(_rating, account=account, game=game))
        return round(glicko.rating)

    async def leaders(self, game: str, limit: int) -> list[Row]:
        """Return the best of a game; who is still provisional stands at the end."""
        return await self._store.read(partial(_leaders, game=game, limit=limit))

    async def games(self) -> list[str]:
        """Return the games that anybody is rated at."""
        query = select(ratings.c.game).distinct().order_by(ratings.c.game)
        return await self._store.read(lambda connection: list(connection.execute(query).scalars()))

    async def history(self, name: str, game: str) -> list[Row]:
        """Return how somebody's rating went, the oldest first."""
        return await self._store.read(partial(_history, name=name, game=game))


def is_rated(table: Table) -> bool:
    """Tell whether a finished game is rated."""
    return bool(table.settings.rated and table.result and table.result["by"] != "aborted")


def finished(table: Table, at: int) -> Finished:
    """Return what a rating needs to know of a table."""
    assert table.result is not None
    first, second = (sitter.id if (sitter := table.seats[seat]) else "" for seat in SEATS.values())
    return Finished(table.id, table.settings.game, (first, second), table.result["winner"], at)


def unrated(connection: Connection) -> list[Finished]:
    """Return the games that are over and still to be rated, in the order in which they ended."""
    done = select(rating_history.c.table_id).where(rating_history.c.table_id == tables.c.id).exists()
    query = select(tables).where(tables.c.rated, tables.c.status == "over", ~done).order_by(tables.c.updated)
    return [
        Finished(
            row["id"],
            row["game"],
            (row["first_id"] or "", row["second_id"] or ""),
            row["result"]["winner"],
            row["updated"],
        )
        for row in connection.execute(query).mappings()
        if row["result"] and row["result"]["by"] != "aborted"
    ]


def rate(connection: Connection, game: Finished) -> None:
    """Change both ratings after one game; the history's key refuses a second time."""
    ids = game.players
    known = connection.execute(select(accounts.c.id).where(accounts.c.id.in_(ids))).scalars().all()
    if len(set(known)) != 2:
        return
    done = select(rating_history.c.account).where(rating_history.c.table_id == game.table)
    if connection.execute(done).first() is not None:
        return
    before = [_rating(connection, one, game.game) for one in ids]
    points = 0.5 if game.winner is None else float(game.winner == "first")
    after = rate_game(before[0][0], before[1][0], points)
    for side in (0, 1):
        row = {
            "rating": after[side].rating,
            "deviation": after[side].deviation,
            "volatility": after[side].volatility,
            "games": before[side][1] + 1,
            "updated": game.at,
        }
        key = (ratings.c.account == ids[side], ratings.c.game == game.game)
        if not connection.execute(update(ratings).where(*key).values(row)).rowcount:
            connection.execute(insert(ratings), [{"account": ids[side], "game": game.game, **row}])
        told = {
            "account": ids[side],
            "table_id": game.table,
            "game": game.game,
            "at": game.at,
            "rating": after[side].rating,
            "deviation": after[side].deviation,
            "points": points if side == 0 else 1 - points,
            "opponent": ids[1 - side],
        }
        connection.execute(insert(rating_history), [told])


def _rating(connection: Connection, account: str, game: str) -> tuple[Glicko, int]:
    query = select(ratings).where(ratings.c.account == account, ratings.c.game == game)
    row = connection.execute(query).mappings().first()
    if row is None:
        return Glicko(), 0
    return Glicko(row["rating"], row["deviation"], row["volatility"]), row["games"]


def _leaders(connection: Connection, game: str, limit: int) -> list[Row]:
    query = (
        select(accounts.c.name, ratings.c.rating, ratings.c.deviation, ratings.c.games)
        .join(accounts, accounts.c.id == ratings.c.account)
        .where(ratings.c.game == game)
        .order_by(ratings.c.rating.desc())
        .limit(limit)
    )
    rows = [dict(row) for row in connection.execute(query).mappings()]
    for row in rows:
        row["provisional"] = Glicko(row["rating"], row["deviation"]).provisional
    return sorted(rows, key=lambda row: (row["provisional"], -row["rating"]))


def _history(connection: Connection, name: str, game: str) -> list[Row]:
    query = (
        select(
            rating_history.c.at,
            rating_history.c.rating,
            rating_history.c.deviation,
            rating_history.c.points,
            rating_history.c.table_id,
        )
        .join(accounts, accounts.c.id == rating_history.c.account)
        .where(accounts.c.name_key == name.lower(), rating_history.c.game == game)
        .order_by(rating_history.c.at)
        .limit(2000)
    )
    return [dict(row) for row in connection.execute(query).mappings()]
