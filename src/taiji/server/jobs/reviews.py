"""Reviews: jobs that analyse a game position by position, with progress and cancellation."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from taiji.analysis import GameReview, ReviewPly
from taiji.notation import parse_position
from taiji.rules import parse_game
from taiji.server.contract.analysis import ReviewInfo, ReviewState
from taiji.server.contract.errors import ApiError
from taiji.server.identity.credentials import new_id
from taiji.server.jobs.engines import REVIEW
from taiji.server.store.schema import reviews
from taiji.server.store.upgrades import REVIEW_FORMAT, read_review_plies

if TYPE_CHECKING:
    from taiji.server.jobs.searches import SearchQuota
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

log = logging.getLogger("taiji.server")

SECONDS_PER_PLY = {"quick": 0.15, "normal": 0.6, "deep": 2.5}
MAX_CONCURRENT_REVIEWS = 32


@dataclass(slots=True)
class Review:
    """A review and its progress."""

    id: str
    owner: str
    game: str
    start: str | None
    """The position before the first move, unless it is the game's start."""
    moves: list[int]
    seconds: float
    table: str | None = None
    record: str | None = None
    state: ReviewState = "queued"
    plies: list[ReviewPly] = field(default_factory=list)
    error: str | None = None

    def info(self, after: int = 0) -> ReviewInfo:
        """Return the review as it is sent, with the positions from ply `after` on."""
        return ReviewInfo(
            id=self.id,
            state=self.state,
            done=len(self.plies),
            total=len(self.moves) + 1,
            game=self.game,
            table=self.table,
            record=self.record,
            plies=self.plies[after:],
            error=self.error,
        )


class Reviews:
    """The reviews in progress and in the database."""

    def __init__(self, store: Store, searches: SearchQuota, time: TimeSource) -> None:
        self._store = store
        self._searches = searches
        self._time = time
        self._running: dict[str, tuple[Review, asyncio.Task[None]]] = {}

    async def fail_interrupted(self) -> None:
        """Mark the reviews that a former server left unfinished as failed."""
        interrupted = reviews.c.state.in_(("queued", "running"))
        await self._store.write(
            lambda c: c.execute(update(reviews).where(interrupted).values(state="failed")).rowcount
        )

    async def begin(
        self,
        owner: str,
        game: str,
        start: str | None,
        moves: list[int],
        depth: str,
        *,
        table: str | None,
        record: str | None,
    ) -> Review:
        """Start a review; it occupies its owner's one search until it ends."""
        if not self._searches.engines.max_workers:
            raise ApiError("unavailable")
        if len(self._running) >= MAX_CONCURRENT_REVIEWS:
            raise ApiError("engines-busy", retry_after_s=10)
        self._searches.acquire(owner)
        review = Review(new_id(), owner, game, start, moves, SECONDS_PER_PLY[depth], table, record)
        try:
            await self._save(review)
        except BaseException:
            self._searches.release(owner)
            raise
        task = asyncio.create_task(self._run(review))
        self._running[review.id] = (review, task)

        def ended(_: asyncio.Task[None]) -> None:
            self._searches.release(owner)
            self._running.pop(review.id, None)

        task.add_done_callback(ended)
        return review

    async def get(self, review_id: str) -> Review:
        """Return a review, from memory or from disk."""
        if review_id in self._running:
            return self._running[review_id][0]
        query = select(reviews).where(reviews.c.id == review_id)
        row = await self._store.read(lambda c: c.execute(query).mappings().first())
        if row is None:
            raise ApiError("not-found")
        data = row["data"]
        return Review(
            row["id"], row["owner_id"], data["game"], data["start"], data["moves"], data["seconds"],
            row["table_id"], row["record_id"], row["state"], read_review_plies(data), data["error"],
        )  # fmt: skip

    async def cancel(self, review_id: str, owner_ids: frozenset[str]) -> None:
        """Cancel a review of one of these owners; its results so far are kept."""
        review = await self.get(review_id)
        if review.owner not in owner_ids:
            raise ApiError("not-your-table", "this review is not yours")
        if review_id in self._running:
            task = self._running[review_id][1]
            task.cancel()
            await asyncio.wait({task})
            if review.state == "queued":  # it was cancelled before it started
                review.state = "cancelled"
                await self._save(review)

    async def _run(self, review: Review) -> None:
        review.state = "running"
        try:
            await self._analyse_game(review)
            review.state = "done"
        except asyncio.CancelledError:
            review.state = "cancelled"
        except ApiError as error:
            review.state, review.error = "failed", error.message
        except Exception:
            log.exception("review %s failed", review.id)
            review.state, review.error = "failed", "the server could not finish this review"
        await self._save(review)

    async def _analyse_game(self, review: Review) -> None:
        game = parse_game(review.game)
        start = game.start() if review.start is None else parse_position(review.start)
        progress = GameReview(start, [game.move(action) for action in review.moves])
        review.plies = progress.plies
        while progress.position is not None:
            analysis = await self._searches.analyse(
                review.owner,
                review.game,
                review.moves[: len(review.plies)],
                start=review.start,
                seconds=review.seconds,
                lines=1,
                priority=REVIEW,
            )
            progress.add(analysis)

    async def _save(self, review: Review) -> None:
        data = {
            "format": REVIEW_FORMAT,
            "game": review.game,
            "start": review.start,
            "moves": review.moves,
            "seconds": review.seconds,
            "plies": [asdict(ply) for ply in review.plies],
            "error": review.error,
        }
        values = {"state": review.state, "data": data}
        row = {
            "id": review.id,
            "owner_id": review.owner,
            "table_id": review.table,
            "record_id": review.record,
            "created_at": self._time.now(),
            **values,
        }
        if review.state == "queued":
            await self._store.write(lambda c: c.execute(insert(reviews), [row]).rowcount)
        else:
            changed = update(reviews).where(reviews.c.id == review.id).values(values)
            await self._store.write(lambda c: c.execute(changed).rowcount)

    async def close(self) -> None:
        """Cancel all reviews."""
        tasks = [task for _, task in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
