"""Blocks: a blocked player cannot challenge, meet, follow or speak to the blocker, and is told nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from taiji.server.contract.errors import ApiError
from taiji.server.contract.talk import BlockInfo
from taiji.server.identity.credentials import new_id
from taiji.server.store.blocks import has_blocked, ids_kept_apart
from taiji.server.store.identities import player_id
from taiji.server.store.schema_talk import blocks

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from taiji.server.identity.users import User
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

MAX_BLOCKS = 500


class Blocks:
    """Who has blocked whom."""

    def __init__(self, store: Store, time: TimeSource) -> None:
        self._store = store
        self._time = time

    async def is_blocked(self, user: User, by: str) -> bool:
        """Return whether the player with the id `by` has blocked a user.

        Callers ask in every case and then go on alike, so that neither answers nor times tell.
        """
        return await self._store.read(partial(has_blocked, blocker_id=by, ids=user.ids))

    async def kept_apart(self, user: User) -> frozenset[str]:
        """Return the ids of all players who have blocked a user, or whom the user has blocked."""
        return await self._store.read(partial(ids_kept_apart, ids=user.ids))

    async def add(self, user: User, target_id: str, name: str | None, *, guest: bool) -> BlockInfo:
        """Block a player; blocking again changes nothing."""
        if target_id in user.ids:
            raise ApiError("own-table", "you cannot block yourself")

        def write(connection: Connection) -> BlockInfo:
            blocked = player_id(connection, target_id)
            mine = blocks.c.blocker_id.in_(sorted(user.ids))
            query = select(blocks).where(mine, blocks.c.blocked_id == blocked)
            row = connection.execute(query).mappings().first()
            if row is None:
                if len(connection.execute(select(blocks.c.id).where(mine)).all()) >= MAX_BLOCKS:
                    raise ApiError("too-late", f"you have blocked {MAX_BLOCKS} players (expected fewer)")
                values = {
                    "id": new_id(),
                    "blocker_id": user.id,
                    "blocked_id": blocked,
                    "name": name,
                    "guest": guest,
                    "created_at": self._time.now(),
                }
                connection.execute(insert(blocks), [values])
                row = connection.execute(query).mappings().one()
            return BlockInfo.model_validate(dict(row))

        try:
            return await self._store.write(write)
        except IntegrityError:  # the same click at two servers
            return await self._store.write(write)

    async def remove(self, user: User, block_id: str) -> None:
        """Lift a block."""
        mine = delete(blocks).where(blocks.c.id == block_id, blocks.c.blocker_id.in_(sorted(user.ids)))
        if not await self._store.write(lambda connection: connection.execute(mine).rowcount):
            raise ApiError("not-found")

    async def list_blocks(self, user: User) -> list[BlockInfo]:
        """Return the players whom a user has blocked, latest first."""
        mine = select(blocks).where(blocks.c.blocker_id.in_(sorted(user.ids)))
        query = mine.order_by(blocks.c.created_at.desc())
        rows = await self._store.read(lambda connection: connection.execute(query).mappings().all())
        return [BlockInfo.model_validate(dict(row)) for row in rows]
