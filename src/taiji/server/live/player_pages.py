"""Player pages: who an account is, its ratings, results and games, and whom one follows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from taiji.arena.glicko import Glicko
from taiji.server.contract.errors import ApiError
from taiji.server.contract.people import (
    GameStanding,
    OpponentStanding,
    PlayerPage,
    PlayerRating,
    PublicPuzzles,
    PuzzleProgress,
    PuzzleStanding,
)
from taiji.server.store import follows, queries, results
from taiji.server.store.blocks import find_block
from taiji.server.store.identities import player_ids
from taiji.server.store.schema import accounts, ratings

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.contract.people import PlayerType
    from taiji.server.contract.tables import TableSummary
    from taiji.server.identity.users import Account, User
    from taiji.server.live.listings import Listings
    from taiji.server.live.online import OnlineAccounts
    from taiji.server.store.queries import Row
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

PAGE = 24
"""Games per page."""
MAX_PLAYING = 12
MAX_RATINGS = 60
NO_PUZZLES = PuzzleStanding(rating=1200, tries=0, streak=0, last_day=None, shared=False)
"""An account that has reported no puzzles; the rating is that of the page's start."""


class _Stored(NamedTuple):
    """What the database holds about a player, for one viewer."""

    account: Row
    ratings: list[Row]
    games: list[tuple[str, results.Tally]]
    opponents: list[tuple[str | None, str, results.Tally]]
    puzzles: Row | None
    playing: list[Row]
    last_game: list[Row]
    followers: int | None
    following: bool
    block_id: str | None


class PlayerPages:
    """Reads player pages, and changes whom a user follows."""

    def __init__(self, store: Store, listings: Listings, online: OnlineAccounts, time: TimeSource) -> None:
        self._store = store
        self._listings = listings
        self._online = online
        self._time = time

    async def read(self, viewer: User, name: str) -> PlayerPage:
        """Return the page of a player; raise `ApiError` if there is none."""
        stored = await self._store.read(partial(_find, name=name, viewer=viewer))
        if stored is None:
            raise ApiError("not-found", f"no player is called {name!r}")
        account, puzzles = stored.account, stored.puzzles
        last = self._listings.summaries(stored.last_game, viewer.ids)
        return PlayerPage(
            name=account["name"],
            account_type=_player_type(account["account_type"]),
            since=account["created_at"],
            online=self._online.is_online(account["id"]),
            followers=stored.followers,
            following=stored.following,
            blocked=stored.block_id is not None,
            block_id=stored.block_id,
            yourself=account["id"] in viewer.ids,
            ratings=[_rating_view(row) for row in stored.ratings],
            games=[GameStanding(game=game, **tally._asdict()) for game, tally in stored.games],
            opponents=[
                OpponentStanding(name=other, account_type=_player_type(kind), **tally._asdict())
                for other, kind, tally in stored.opponents
            ],
            puzzles=PublicPuzzles(rating=puzzles["rating"], tries=puzzles["tries"])
            if puzzles is not None and puzzles["shared"]
            else None,
            playing=self._listings.summaries(stored.playing, viewer.ids),
            last_game=last[0] if last else None,
        )

    async def games(self, viewer: User, name: str, before: int | None) -> list[TableSummary]:
        """Return the finished public games of a player, latest first."""
        rows = await self._store.read(partial(_finished, name=name, before=before))
        if rows is None:
            raise ApiError("not-found", f"no player is called {name!r}")
        return self._listings.summaries(rows, viewer.ids)

    async def follow(self, user: User, name: str) -> None:
        """Follow a player. Whoever is blocked sees no difference, but is not among the player's followers."""
        account = await self._store.read(partial(_find_account, name=name))
        if account is None:
            raise ApiError("not-found", f"no player is called {name!r}")
        if account["id"] in user.ids:
            raise ApiError("bad-request", "you cannot follow yourself")
        work = partial(
            follows.follow, user_id=user.id, ids=user.ids, followed=account["id"], now=self._time.now()
        )
        try:
            await self._store.write(work)
        except IntegrityError:
            return  # at the same moment from another page

    async def unfollow(self, user: User, name: str) -> None:
        """Follow a player no longer."""
        account = await self._store.read(partial(_find_account, name=name))
        if account is not None:
            await self._store.write(partial(follows.unfollow, ids=user.ids, followed=account["id"]))

    async def puzzles(self, account: Account) -> PuzzleStanding:
        """Return the puzzles of an account."""
        row = await self._store.read(partial(follows.read_puzzles, account_id=account.id))
        return NO_PUZZLES if row is None else PuzzleStanding.model_validate(row)

    async def report_puzzles(self, account: Account, report: PuzzleProgress) -> PuzzleStanding:
        """Keep what a browser reports, and return what counts."""
        now = self._time.now()
        work = partial(follows.write_puzzles, account_id=account.id, report=report, now=now)
        await self._store.write(work)
        return await self.puzzles(account)

    async def share_puzzles(self, account: Account, shared: bool) -> PuzzleStanding:
        """Show or hide the puzzle rating."""
        await self._store.write(partial(follows.share_puzzles, account_id=account.id, shared=shared))
        return await self.puzzles(account)


def _player_type(account_type: str) -> PlayerType:
    return "bot" if account_type == "bot" else "person"


def _rating_view(row: Row) -> PlayerRating:
    provisional = Glicko(row["rating"], row["deviation"]).provisional
    return PlayerRating.model_validate({**row, "provisional": provisional})


def _find_account(connection: Connection, name: str) -> Row | None:
    wanted = (accounts.c.name_key == name.lower(), accounts.c.deleted_at.is_(None))
    columns = (accounts.c.id, accounts.c.name, accounts.c.account_type, accounts.c.created_at)
    row = connection.execute(select(*columns).where(*wanted)).mappings().first()
    return None if row is None else dict(row)


def _find(connection: Connection, name: str, viewer: User) -> _Stored | None:
    account = _find_account(connection, name)
    if account is None:
        return None
    identity = account["id"]
    rated = (
        select(ratings.c.game, ratings.c.rating, ratings.c.deviation, ratings.c.games)
        .where(ratings.c.account_id == identity)
        .order_by(ratings.c.games.desc())
        .limit(MAX_RATINGS)
    )
    playing = queries.list_tables(connection, status="playing", ids=(identity,), limit=50)
    last = results.last_between(connection, viewer.ids, identity)
    return _Stored(
        account=account,
        ratings=[dict(row) for row in connection.execute(rated).mappings()],
        games=results.tallies_by_game(connection, identity),
        opponents=results.tallies_by_opponent(connection, identity),
        puzzles=follows.read_puzzles(connection, identity),
        playing=queries.public_rows(connection, playing)[:MAX_PLAYING],
        last_game=[] if last is None else queries.rows_by_id(connection, [last]),
        followers=follows.count_followers(connection, identity) if identity in viewer.ids else None,
        following=follows.is_following(connection, viewer.ids, identity),
        block_id=find_block(connection, viewer.id, player_ids(connection, identity)),
    )


def _finished(connection: Connection, name: str, before: int | None) -> list[Row] | None:
    account = _find_account(connection, name)
    if account is None:
        return None
    return queries.rows_by_id(connection, results.finished_ids(connection, account["id"], before, PAGE))
