"""Who follows whom, and the puzzles of accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import bindparam, delete, func, insert, select, update

from taiji.server.contract.errors import ApiError
from taiji.server.store.blocks import ids_blocked_by
from taiji.server.store.identities import player_ids
from taiji.server.store.schema import accounts
from taiji.server.store.schema_people import follows, puzzle_ratings

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection

    from taiji.server.contract.people import PuzzleProgress

MAX_FOLLOWED = 500
"""Players whom one user may follow."""


_FOLLOWED_BY = (
    select(accounts.c.id, accounts.c.name, accounts.c.account_type)
    .join_from(follows, accounts, accounts.c.id == follows.c.followed_id)
    .where(follows.c.follower_id.in_(bindparam("ids", expanding=True)), accounts.c.deleted_at.is_(None))
    .order_by(accounts.c.name_key)
    .limit(MAX_FOLLOWED)
)
"""Built once: every front page asks it."""


class Followed(NamedTuple):
    """A player whom somebody follows."""

    id: str
    name: str
    account_type: str


def followed_by(connection: Connection, ids: Collection[str]) -> list[Followed]:
    """Return the players whom a user with these ids follows, by name."""
    rows = connection.execute(_FOLLOWED_BY, {"ids": sorted(ids)})
    return list(dict.fromkeys(Followed(*row) for row in rows))


def follow(connection: Connection, user_id: str, ids: Collection[str], followed: str, now: int) -> None:
    """Follow a player; once more changes nothing."""
    wanted = sorted(ids)
    known = select(follows.c.follower_id).where(
        follows.c.follower_id.in_(wanted), follows.c.followed_id == followed
    )
    if connection.execute(known).first() is not None:
        return
    count = select(func.count()).select_from(follows).where(follows.c.follower_id.in_(wanted))
    if connection.execute(count).scalar_one() >= MAX_FOLLOWED:
        raise ApiError("limit-reached", f"you follow {MAX_FOLLOWED} players already")
    connection.execute(insert(follows), [{"follower_id": user_id, "followed_id": followed, "at": now}])


def unfollow(connection: Connection, ids: Collection[str], followed: str) -> None:
    """Follow a player no longer."""
    wanted = (follows.c.follower_id.in_(sorted(ids)), follows.c.followed_id == followed)
    connection.execute(delete(follows).where(*wanted))


def is_following(connection: Connection, ids: Collection[str], followed: str) -> bool:
    """Return whether a user follows a player."""
    wanted = (follows.c.follower_id.in_(sorted(ids)), follows.c.followed_id == followed)
    return connection.execute(select(follows.c.at).where(*wanted)).first() is not None


def count_followers(connection: Connection, followed: str) -> int:
    """Return by how many a player is followed, without those whom the player has blocked."""
    blocked = ids_blocked_by(player_ids(connection, followed))
    wanted = (follows.c.followed_id == followed, follows.c.follower_id.not_in(blocked))
    return connection.execute(select(func.count()).select_from(follows).where(*wanted)).scalar_one()


def read_puzzles(connection: Connection, account_id: str) -> dict[str, Any] | None:
    """Return the puzzles of an account."""
    query = select(puzzle_ratings).where(puzzle_ratings.c.account_id == account_id)
    row = connection.execute(query).mappings().first()
    return None if row is None else dict(row)


def write_puzzles(connection: Connection, account_id: str, report: PuzzleProgress, now: int) -> None:
    """Keep what a browser reports, unless another one has reported more tries."""
    values = {**report.model_dump(), "updated_at": now}
    known = read_puzzles(connection, account_id)
    if known is None:
        row = {"account_id": account_id, "shared": False, **values}
        connection.execute(insert(puzzle_ratings), [row])
        return
    if report.tries < known["tries"]:
        values = {"updated_at": now}
    if (report.last_day or 0) < (known["last_day"] or 0):
        values |= {"streak": known["streak"], "last_day": known["last_day"]}
    mine = puzzle_ratings.c.account_id == account_id
    connection.execute(update(puzzle_ratings).where(mine).values(values))


def share_puzzles(connection: Connection, account_id: str, shared: bool) -> bool:
    """Show or hide the puzzle rating; return whether there is one."""
    mine = puzzle_ratings.c.account_id == account_id
    return connection.execute(update(puzzle_ratings).where(mine).values(shared=shared)).rowcount > 0
