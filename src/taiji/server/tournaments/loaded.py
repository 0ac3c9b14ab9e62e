"""The tournaments in memory, kept up to date with those that other servers change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from taiji.server.contract.errors import ApiError
from taiji.server.store.shards import PREFIX

if TYPE_CHECKING:
    from taiji.server.domain.table import Table
    from taiji.server.live.rooms import RoomManager
    from taiji.server.tournaments.hosted import HostedEvent, HostedTournament
    from taiji.server.tournaments.store import TournamentStore

MAX_LISTED = 50
MAX_LOADED = 500
"""The tournaments in memory, unless more are being played."""
MAX_CONFLICTS = 5
"""How often a change is decided again because another server has changed the tournament."""


class LoadedTournaments:
    """The tournaments in memory: those that are being played, and those that were requested."""

    def __init__(self, store: TournamentStore, rooms: RoomManager) -> None:
        self._store = store
        self._rooms = rooms
        self._by_id: dict[str, HostedTournament] = {}
        self._boards: dict[str, str] = {}
        """The tournament of each board in play."""

    async def get(self, tournament_id: str) -> HostedTournament:
        """Return a tournament, from memory or from disk."""
        known = self._by_id.get(tournament_id)
        if known is not None and (known.is_stale or await self.has_changed(known)):
            self._by_id.pop(tournament_id, None)
            known = None
        if known is None:
            loaded = await self._store.load(tournament_id)
            if loaded is None:
                raise ApiError("not-found")
            known = self._by_id.setdefault(tournament_id, loaded)
            self._add_boards(known)
            self._evict()
        return known

    def add(self, hosted: HostedTournament) -> None:
        """Add a tournament that was just created."""
        self._by_id[hosted.id] = hosted

    def add_board(self, board: str, hosted: HostedTournament) -> None:
        """Note that a board belongs to a tournament."""
        self._boards[board] = hosted.id

    def in_play(self) -> list[HostedTournament]:
        """Return the tournaments that are being played."""
        return [hosted for hosted in self._by_id.values() if hosted.is_in_play]

    async def list_mine(self, ids: frozenset[str]) -> list[HostedTournament]:
        """Return the tournaments of an organiser or player, latest change first."""
        return [await self.get(one) for one in await self._store.latest(ids, MAX_LISTED)]

    def find_id(self, table: Table) -> str | None:
        """Return the tournament that a table belongs to, while it is being played."""
        return self._boards.get(board_id(table))

    async def find_by_table(self, table: Table) -> HostedTournament | None:
        """Return the tournament that a table belongs to, while it is being played."""
        tournament_id = self.find_id(table)
        return None if tournament_id is None else await self.get(tournament_id)

    async def find_of_table(self, table: Table) -> HostedTournament | None:
        """Return the tournament that a table belongs to, also if it is over."""
        if table.settings.tournament is not None:
            return await self.get(table.settings.tournament)
        known = await self.find_by_table(table)
        if known is not None:
            return known
        # Of an earlier version: the board begins like its tournament, and its creator is the organiser.
        for tournament_id in await self._store.candidates(table.settings.creator, table.id[:PREFIX]):
            hosted = await self.get(tournament_id)
            if any(board_id(table) in boards for boards in hosted.boards.values()):
                return hosted
        return None

    async def append(
        self, hosted: HostedTournament, decide: Callable[[], Sequence[HostedEvent]], actor_id: str
    ) -> None:
        """Write what is decided; decide again if another server was faster."""
        for attempts_left in range(MAX_CONFLICTS, -1, -1):
            try:
                await self._store.append(hosted, decide(), actor_id)
            except ApiError as error:
                if error.code != "unavailable" or self._rooms.peers.is_alone or not attempts_left:
                    raise
                await self.read_again(hosted)
            else:
                return

    async def has_changed(self, hosted: HostedTournament) -> bool:
        """Return whether another server has changed a tournament."""
        if self._rooms.peers.is_alone or hosted.lock.locked():
            return False
        return await self._store.version(hosted.id) != hosted.version and not hosted.lock.locked()

    async def read_again(self, hosted: HostedTournament) -> None:
        """Bring a tournament up to date in place, for those who hold it."""
        stored = await self._store.load(hosted.id)
        if stored is not None:
            hosted.become(stored)
            self._add_boards(hosted)

    async def reload(self, ids: frozenset[str]) -> None:
        """Read the tournaments of a player again, whose name has changed."""
        for hosted in list(self._by_id.values()):
            if hosted.find_entrant(ids) is not None:
                async with hosted.lock:
                    stored = await self._store.load(hosted.id)
                    if stored is not None:
                        hosted.tournament, hosted.cached_data = stored.tournament, None

    def unlist(self, tournament_id: str) -> None:
        """Make a tournament one by link, which an operator has taken off the list."""
        if tournament_id in self._by_id:
            self._by_id[tournament_id].public = False

    def _add_boards(self, hosted: HostedTournament) -> None:
        for boards in hosted.boards.values():
            self._boards.update(dict.fromkeys(boards, hosted.id))

    def _evict(self) -> None:
        """Drop tournaments that are not being played if too many are in memory, the oldest first."""
        surplus = len(self._by_id) - MAX_LOADED
        if surplus > 0:
            idle = [key for key, one in self._by_id.items() if not one.is_in_play and not one.lock.locked()]
            for key in idle[:surplus]:
                for boards in self._by_id.pop(key).boards.values():
                    for board in boards:
                        self._boards.pop(board, None)


def board_id(table: Table) -> str:
    """Return the board of a table: the id of its match, or its own."""
    return table.match.id if table.match else table.id
