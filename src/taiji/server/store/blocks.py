"""Who has blocked whom, as queries: a block holds for every id of both players."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sqlalchemy import or_, select, union

from taiji.server.store.identities import ids_of_players, player_ids
from taiji.server.store.schema import visitors
from taiji.server.store.schema_talk import blocks

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection, Select


def find_block(connection: Connection, blocker_id: str, ids: Collection[str]) -> str | None:
    """Return the block of the player with these ids by the player with an id, or None if there is none."""
    wanted = (
        blocks.c.blocker_id.in_(sorted(player_ids(connection, blocker_id))),
        blocks.c.blocked_id.in_(sorted(ids)),
    )
    return connection.execute(select(blocks.c.id).where(*wanted).limit(1)).scalar()


def has_blocked(connection: Connection, blocker_id: str, ids: Collection[str]) -> bool:
    """Return whether the player with an id has blocked the player with these ids."""
    return find_block(connection, blocker_id, ids) is not None


def ids_blocked_by(ids: Collection[str]) -> Select[tuple[str]]:
    """Return a query of every id of the players whom the player with these ids has blocked."""
    blocked = select(blocks.c.blocked_id).where(blocks.c.blocker_id.in_(sorted(ids)))
    return _with_other_ids(blocked)


def ids_kept_apart(connection: Connection, ids: Collection[str]) -> frozenset[str]:
    """Return every id of the players with whom a player is not paired, because one blocked the other."""
    blockers = select(blocks.c.blocker_id).where(blocks.c.blocked_id.in_(sorted(ids)))
    query = union(ids_blocked_by(ids), _with_other_ids(blockers))
    return frozenset(str(row[0]) for row in connection.execute(query))


def _with_other_ids(players: Select[tuple[str]]) -> Select[tuple[str]]:
    """Return a query of all ids of some players: their accounts, and the guests that they were."""
    accounts = select(visitors.c.account_id).where(
        visitors.c.id.in_(players), visitors.c.account_id.is_not(None)
    )
    owners = union(players, accounts).subquery()
    guests = select(visitors.c.id).where(visitors.c.account_id.in_(select(owners.c[0])))
    everything = union(select(owners.c[0]), guests).subquery()
    return select(everything.c[0])


def hidden_from(connection: Connection, user_ids: Collection[str]) -> dict[str, frozenset[str]]:
    """Return, for each of these users with a block on either side, the ids that must not see them listed."""
    if not user_ids:
        return {}
    players = ids_of_players(connection, user_ids)
    known = sorted(frozenset().union(*players.values()))
    pairs = select(blocks.c.blocker_id, blocks.c.blocked_id).where(
        or_(blocks.c.blocker_id.in_(known), blocks.c.blocked_id.in_(known))
    )
    others: defaultdict[str, set[str]] = defaultdict(set)
    for blocker, blocked in connection.execute(pairs):
        others[blocker].add(blocked)
        others[blocked].add(blocker)
    hidden = {one: frozenset().union(*(others[same] for same in ids)) for one, ids in players.items()}
    return {one: ids for one, ids in hidden.items() if ids}
