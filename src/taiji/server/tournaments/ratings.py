"""Ratings of accounts: Glicko-2 after every rated game, each game once."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from taiji.arena.glicko import MAX_CERTAIN_DEVIATION, Glicko, rate_game
from taiji.server.contract.events import Ended
from taiji.server.contract.tournaments import GameLeaders, RatedPlayer, RatingPoint
from taiji.server.store.schema import accounts, rating_history, rating_queue, ratings, tables
from taiji.server.tournaments.background import BackgroundJobs

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping

    from taiji.server.domain.table import Event, Table
    from taiji.server.live.room import Room
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

log = logging.getLogger("taiji.server")

MAX_RATED_GAMES = 500
LEADING_GAMES, LEADERS = 12, 10
"""How many games the overview of leaders shows, and how many players of each."""
OVERVIEW_MS = 30_000
"""How long the overview is kept: it counts all ratings."""


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
        self._time = time
        self._jobs = BackgroundJobs(time)
        self._overview: tuple[int, list[GameLeaders]] | None = None
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
            if isinstance(event.data, Ended) and room.table.is_rated:
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

    async def overview(self) -> list[GameLeaders]:
        """Return the best players of the games with the most players, counted twice per minute."""
        now = self._time.now()
        if self._overview is None or now - self._overview[0] >= OVERVIEW_MS:
            self._overview = (now, await self._store.read(_overview))
        return self._overview[1]

    async def games(self) -> list[str]:
        """Return the games with ratings."""
        return await self._store.read(_rated_games)

    async def history(self, name: str, game: str) -> list[RatingPoint]:
        """Return an account's ratings after each game, oldest first."""
        return await self._store.read(partial(_history, name=name, game=game))


def finished(table: Table, at: int) -> Finished:
    """Return the game of a table."""
    assert table.result is not None
    first, second = (player.id if player else "" for player in table.seats)
    return Finished(table.id, table.settings.game, (first, second), table.result.winner, at)


def unrated(connection: Connection) -> list[Finished]:
    """Return the finished games that are not rated yet, in the order of their ends."""
    query = select(tables).where(tables.c.id.in_(select(rating_queue.c.table_id)))
    return [
        Finished(
            row["id"],
            row["game"],
            (row["first_id"] or "", row["second_id"] or ""),
            row["result"]["winner"],
            row["updated_at"],
        )
        for row in connection.execute(query.order_by(tables.c.updated_at)).mappings()
    ]


def rate(connection: Connection, game: Finished) -> None:
    """Update both ratings after a game; the primary key of the history prevents a second time."""
    connection.execute(delete(rating_queue).where(rating_queue.c.table_id == game.table))
    ids = game.players
    existing = (accounts.c.id.in_(ids), accounts.c.deleted_at.is_(None))
    # Two games of one player must not be rated at the same time by two servers.
    query = select(accounts.c.id).where(*existing).order_by(accounts.c.id).with_for_update()
    known = connection.execute(query).scalars().all()
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


def _rated_games(connection: Connection) -> list[str]:
    """Return the games with ratings, one search of the index for each: all ratings may be many more."""
    games: list[str] = []
    while len(games) < MAX_RATED_GAMES:
        later = select(func.min(ratings.c.game)).where(ratings.c.game > (games[-1] if games else ""))
        game = connection.execute(later).scalar()
        if game is None:
            break
        games.append(game)
    return games


def _leaders(connection: Connection, game: str, limit: int) -> list[RatedPlayer]:
    """Return the best players whose rating is certain, then those whose rating is provisional."""
    columns = (
        accounts.c.name,
        accounts.c.account_type,
        ratings.c.rating,
        ratings.c.deviation,
        ratings.c.games,
    )
    joined = select(*columns).join(accounts, accounts.c.id == ratings.c.account_id)
    players: list[RatedPlayer] = []
    for provisional in (False, True):
        certain = ratings.c.deviation <= MAX_CERTAIN_DEVIATION
        query = joined.where(ratings.c.game == game, ~certain if provisional else certain)
        best = query.order_by(ratings.c.rating.desc()).limit(limit - len(players))
        players += [_player(row, provisional=provisional) for row in connection.execute(best).mappings()]
    return players


def _player(row: RowMapping, *, provisional: bool) -> RatedPlayer:
    return RatedPlayer(
        name=row["name"],
        rating=row["rating"],
        deviation=row["deviation"],
        games=row["games"],
        provisional=provisional,
        bot=row["account_type"] == "bot",
    )


def _overview(connection: Connection) -> list[GameLeaders]:
    rated = func.count()
    query = select(ratings.c.game, rated).group_by(ratings.c.game).order_by(rated.desc(), ratings.c.game)
    return [
        GameLeaders(game=game, rated=count, players=_leaders(connection, game, LEADERS))
        for game, count in connection.execute(query.limit(LEADING_GAMES)).all()
    ]


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
