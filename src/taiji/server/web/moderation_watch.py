"""Follows the audit log, so that what `taiji admin` does takes effect while the server runs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from taiji.server.store import audit
from taiji.server.store.player_names import rewrite_names
from taiji.server.tournaments.recurring import UNLIST

if TYPE_CHECKING:
    from taiji.server.identity.sessions import SessionService
    from taiji.server.live.rooms import RoomManager
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource
    from taiji.server.tournaments.manager import TournamentManager

INTERVAL_S = 1.0


class ModerationWatch:
    """Applies the actions of operators to what the server holds in memory."""

    def __init__(
        self,
        store: Store,
        sessions: SessionService,
        rooms: RoomManager,
        tournaments: TournamentManager,
        time: TimeSource,
    ) -> None:
        self._store = store
        self._sessions = sessions
        self._rooms = rooms
        self._tournaments = tournaments
        self._time = time
        self._seen = 0

    async def start(self) -> None:
        """Begin after the entries that exist now."""
        self._seen = await self._store.read(audit.last_id)

    async def run(self) -> None:
        """Look at the log once per interval."""
        while True:
            await self._time.sleep(INTERVAL_S)
            await self.follow()

    async def follow(self) -> None:
        """Apply the entries that are new."""
        entries = await self._store.read(partial(audit.entries_after, entry_id=self._seen))
        if not entries:
            return
        acts = [entry for entry in entries if entry.actor != audit.OWNER]
        if acts:
            await self._sessions.recheck()
        for account_id in {entry.account_id for entry in acts if entry.action == "rename"} - {None}:
            await self._rename(account_id or "")
        for entry in acts:
            if entry.action == UNLIST:
                self._tournaments.loaded.unlist(entry.detail.partition(" ")[0])
        self._seen = entries[-1].id

    async def _rename(self, account_id: str) -> None:
        """Show the new name of an account in the games and tournaments that are in memory."""
        name = await self._store.read(partial(audit.account_name, account_id=account_id))
        ids = frozenset({account_id})
        await self._rooms.rewrite(ids, partial(rewrite_names, ids=ids, name=name or None))
        await self._tournaments.loaded.reload(ids)
