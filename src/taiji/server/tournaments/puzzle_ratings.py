"""Ratings of puzzles by the results of people; each person's first try at a puzzle counts once."""

from __future__ import annotations

import asyncio
from functools import cache, partial
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from taiji.analysis.puzzles import load_set, shipped_sets
from taiji.analysis.puzzles.rating import rate_puzzle
from taiji.server.contract.errors import ApiError
from taiji.server.contract.puzzles import PuzzleRating
from taiji.server.store.schema_people import puzzle_results, puzzle_tries

if TYPE_CHECKING:
    from sqlalchemy import Connection, RowMapping

    from taiji.server.contract.puzzles import PuzzleTry
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

CACHE_MS = 30_000


class PuzzleRatings:
    """Counts tries at puzzles, and returns their ratings."""

    def __init__(self, store: Store, time: TimeSource) -> None:
        self._store = store
        self._time = time
        self._known: list[PuzzleRating] = []
        self._read_at: int | None = None

    async def report(self, user_id: str, puzzle_id: str, tried: PuzzleTry) -> PuzzleRating:
        """Count a first try; a later one changes nothing."""
        shipped = (await asyncio.to_thread(_shipped_ratings)).get(puzzle_id)
        if shipped is None:
            raise ApiError("not-found")
        row = {
            "user_id": user_id,
            "puzzle_id": puzzle_id,
            "solved": tried.solved,
            "rating": tried.rating,
            "at": self._time.now(),
        }
        try:
            return await self._store.write(partial(_count, shipped=shipped, row=row))
        except IntegrityError:
            known = await self._store.read(partial(_find, puzzle_id=puzzle_id))
            return (
                _view(puzzle_id, known)
                if known
                else PuzzleRating(id=puzzle_id, rating=shipped, tries=0, solved=0)
            )

    async def all(self) -> list[PuzzleRating]:
        """Return the puzzles that people have tried, at most half a minute old."""
        now = self._time.now()
        if self._read_at is None or now - self._read_at >= CACHE_MS:
            self._known = await self._store.read(_list)
            self._read_at = now
        return self._known


@cache
def _shipped_ratings() -> dict[str, int]:
    return {puzzle.id: puzzle.rating for name in shipped_sets() for puzzle in load_set(name)}


def _count(connection: Connection, shipped: int, row: dict[str, object]) -> PuzzleRating:
    puzzle_id, solved = str(row["puzzle_id"]), bool(row["solved"])
    connection.execute(insert(puzzle_tries), [row])
    before = (
        connection.execute(
            select(puzzle_results).where(puzzle_results.c.puzzle_id == puzzle_id).with_for_update()
        )
        .mappings()
        .first()
    )
    current, tries, wins = (
        (float(shipped), 0, 0)
        if before is None
        else (
            before["rating"],
            before["tries"],
            before["solved"],
        )
    )
    after = {
        "rating": rate_puzzle(shipped, current, tries, float(str(row["rating"])), solved=solved),
        "tries": tries + 1,
        "solved": wins + solved,
    }
    if before is None:
        connection.execute(insert(puzzle_results), [{"puzzle_id": puzzle_id, **after}])
    else:
        connection.execute(
            update(puzzle_results).where(puzzle_results.c.puzzle_id == puzzle_id).values(after)
        )
    return PuzzleRating(id=puzzle_id, rating=round(after["rating"]), tries=tries + 1, solved=wins + solved)


def _find(connection: Connection, puzzle_id: str) -> RowMapping | None:
    query = select(puzzle_results).where(puzzle_results.c.puzzle_id == puzzle_id)
    return connection.execute(query).mappings().first()


def _list(connection: Connection) -> list[PuzzleRating]:
    rows = connection.execute(select(puzzle_results).order_by(puzzle_results.c.puzzle_id)).mappings()
    return [_view(row["puzzle_id"], row) for row in rows]


def _view(puzzle_id: str, row: RowMapping) -> PuzzleRating:
    return PuzzleRating(id=puzzle_id, rating=round(row["rating"]), tries=row["tries"], solved=row["solved"])
