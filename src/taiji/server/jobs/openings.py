"""The opening explorer of this server's own games: each finished game between people is counted once."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from taiji.analysis.explorer.index import light_seat, opening_keys
from taiji.rules import GameError, parse_game
from taiji.server.contract.openings import OpeningStats
from taiji.server.store import queries
from taiji.server.store.openings import Opening, count_openings, find_openings, queued_openings

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection

    from taiji.server.domain.table import Table
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

INTERVAL_S = 2.0
MAX_GAMES_PER_WRITE = 20


class Openings:
    """Counts the openings of finished games in the background, and answers queries about them."""

    def __init__(self, store: Store, time: TimeSource) -> None:
        self._store = store
        self._time = time

    async def run(self) -> None:
        """Count the games that have ended."""
        while True:
            if not await self.count_queued():
                await self._time.sleep(INTERVAL_S)

    async def count_queued(self) -> int:
        """Count some of the games that have ended, and return their number."""
        loaded = await self._store.read(_load_queued)
        if loaded:
            counted = await asyncio.to_thread(_openings, loaded)
            await self._store.write(partial(count_openings, counted=counted))
        return len(loaded)

    async def find(self, game: str, keys: Collection[int]) -> list[OpeningStats]:
        """Return what is known of these positions; those that never occurred are left out."""
        rows = await self._store.read(partial(find_openings, game=game, keys=keys))
        return [
            OpeningStats(
                key=row["key"],
                games=row["games"],
                light_wins=row["light_wins"],
                light_margin=row["margin"] / row["scored"] if row["scored"] else None,
            )
            for row in rows
        ]


def _load_queued(connection: Connection) -> dict[str, Table | None]:
    """Return queued games; None for one that no longer exists."""
    ids = queued_openings(connection, MAX_GAMES_PER_WRITE)
    loaded = {one: queries.load_table(connection, one) for one in ids}
    return {one: None if entry is None else entry[0] for one, entry in loaded.items()}


def _openings(loaded: dict[str, Table | None]) -> dict[str, Opening | None]:
    return {one: None if table is None else _opening(table) for one, table in loaded.items()}


def _opening(table: Table) -> Opening | None:
    """Return the opening of a finished game; None if it does not count, or its game is not known any more."""
    result = table.result
    if result is None or not table.is_explored:
        return None
    try:
        game = parse_game(table.settings.game)
    except GameError:
        return None
    actions = [played.action for played in table.moves]
    light = light_seat(game, actions)
    names = ("first", "second")
    won = 0.5 if result.winner is None else float(result.winner == names[light])
    scores = (result.scores.first, result.scores.second)
    margin = float(scores[light] - scores[light.other]) if result.ended_by == "score" else None
    return Opening(str(game), tuple(opening_keys(game, actions)), won, margin)
