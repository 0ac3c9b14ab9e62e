"""Ratings of accounts: Glicko-2 after every rated game, each game once."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from taiji.arena.glicko import Glicko, rate_game
from taiji.server.contract.events import Ended
from taiji.server.contract.tournaments import RatedPlayer, RatingPoint
from taiji.server.store.schema import accounts, rating_history, ratings, tables
from taiji.server.tournaments.background import BackgroundJobs

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.domain.table import Event, Table
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

log = logging.getLogger("taiji.server")


class Finished(NamedTuple):
    """A finished game: its table, the players' ids by seat, and the winning seat."""

    table: str
    game: str
    players: tuple[str, str]
    winner: str | None
    at: int


class Ratings:
    """Rates finished games, and answers queries about ratings."""

    def __init__(self, store: Store, rooms: RoomManager, time: TimeSource) -> None:
        self._store = store
        self._jobs = BackgroundJobs(time)
        rooms.listeners.append(self._on_events)

    async def rate_missed(self) -> None:
        """Rate the games that ended just before the server stopped."""
        for game in await self._store.read(unrated):
            try:
                await self._rate(game)
            except Exception:
                log.exception("table %s could not be rated", game.table)
                self._jobs.start(f"rating table {game.table}", partial(self._rate, game))

    def _on_events(self, room: Room, events: list[Event]) -> None:
        for event in events:
            if isinstance(event.data, Ended) and is_rated(room.table):
                game = finished(room.table, event.at)
                self._jobs.start(f"rating table {game.table}", partial(self._rate, game))

    async def _rate(self, game: Finished) -> None:
        try:
            await self._store.write(partial(rate, game=game))
        except IntegrityError:
            log.info("table %s is rated already", game.table)

    async def settle(self) -> None:
        """Wait until the games that have ended are rated."""
        await self._jobs.settle()

    async def close(self) -> None:
        """Wait for pending writes."""
        await self._jobs.close()

    async def get_rating(self, account: str, game: str) -> int:
        """Return an account's current rating at a game."""
        glicko, _ = await self._store.read(partial(_rating, account=account, game=game))
        return round(glicko.rating)

    async def leaders(self, game: str, limit: int) -> list[RatedPlayer]:
        """Return the best players of a game; provisional ratings come last."""
        return await self._store.read(partial(_leaders, game=game, limit=limit))

    async def games(self) -> list[str]:
        """Return the games with ratings."""
        query = select(ratings.c.game).distinct().order_by(ratings.c.game)
        return await self._store.read(lambda connection: list(connection.execute(query).scalars()))

    async def history(self, name: str, game: str) -> list[RatingPoint]:
        """Return an account's ratings after each game, oldest first."""
        return await self._store.read(partial(_history, name=name, game=game))


def is_rated(table: Table) -> bool:
    """Return whether a finished game is rated."""
    return bool(table.settings.rated and table.result and table.result.ended_by != "aborted")


def finished(table: Table, at: int) -> Finished:
    """Return the game of a table."""
    assert table.result is not None
    first, second = (player.id if player else "" for player in table.seats)
    return Finished(table.id, table.settings.game, (first, second), table.result.winner, at)


def unrated(connection: Connection) -> list[Finished]:
    """Return the finished games that are not rated yet, in the order of their ends."""
    done = select(rating_history.c.table_id).where(rating_history.c.table_id == tables.c.id).exists()
    query = select(tables).where(tables.c.rated, tables.c.status == "over", ~done)
    return [
        Finished(
            row["id"],
            row["game"],
            (row["first_id"] or "", row["second_id"] or ""),
            row["result"]["winner"],
            row["updated_at"],
        )
        for row in connection.execute(query.order_by(tables.c.updated_at)).mappings()
        if row["result"] and row["result"]["ended_by"] != "aborted"
    ]


def rate(connection: Connection, game: Finished) -> None:
    """Update both ratings after a game; the primary key of the history prevents a second time."""
    ids = game.players
    existing = (accounts.c.id.in_(ids), accounts.c.deleted_at.is_(None))
    known = connection.execute(select(accounts.c.id).where(*existing)).scalars().all()
    if len(set(known)) != 2:
        return
    done = select(rating_history.c.account_id).where(rating_history.c.table_id == game.table)
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
            "updated_at": game.at,
        }
        key = (ratings.c.account_id == ids[side], ratings.c.game == game.game)
        if not connection.execute(update(ratings).where(*key).values(row)).rowcount:
            connection.execute(insert(ratings), [{"account_id": ids[side], "game": game.game, **row}])
        entry = {
            "account_id": ids[side],
            "table_id": game.table,
            "game": game.game,
            "at": game.at,
            "rating": after[side].rating,
            "deviation": after[side].deviation,
            "points": points if side == 0 else 1 - points,
            "opponent_id": ids[1 - side],
        }
        connection.execute(insert(rating_history), [entry])


def _rating(connection: Connection, account: str, game: str) -> tuple[Glicko, int]:
    query = select(ratings).where(ratings.c.account_id == account, ratings.c.game == game)
    row = connection.execute(query).mappings().first()
    if row is None:
        return Glicko(), 0
    return Glicko(row["rating"], row["deviation"], row["volatility"]), row["games"]


def _leaders(connection: Connection, game: str, limit: int) -> list[RatedPlayer]:
    query = (
        select(accounts.c.name, ratings.c.rating, ratings.c.deviation, ratings.c.games)
        .join(accounts, accounts.c.id == ratings.c.account_id)
        .where(ratings.c.game == game)
        .order_by(ratings.c.rating.desc())
        .limit(limit)
    )
    players = [
        RatedPlayer(**row, provisional=Glicko(row["rating"], row["deviation"]).provisional)
        for row in connection.execute(query).mappings()
    ]
    return sorted(players, key=lambda player: (player.provisional, -player.rating))


def _history(connection: Connection, name: str, game: str) -> list[RatingPoint]:
    query = (
        select(
            rating_history.c.at,
            rating_history.c.rating,
            rating_history.c.deviation,
            rating_history.c.points,
            rating_history.c.table_id,
        )
        .join(accounts, accounts.c.id == rating_history.c.account_id)
        .where(accounts.c.name_key == name.lower(), rating_history.c.game == game)
        .order_by(rating_history.c.at)
        .limit(2000)
    )
    return [RatingPoint(**row) for row in connection.execute(query).mappings()]
