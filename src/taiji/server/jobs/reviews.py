"""Reviews: jobs that analyse a game position by position, with progress and cancellation."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, or_, select, update

from taiji.analysis import (
    DEFAULT_SECONDS,
    Analysis,
    GameReview,
    ReviewPly,
    TriedMove,
    analysis_of_end,
    evaluate_try,
    seconds_for,
    summarise,
)
from taiji.notation import parse_position
from taiji.rules import State, parse_game
from taiji.server.contract.analysis import ReviewInfo, ReviewState
from taiji.server.contract.errors import ApiError
from taiji.server.domain.commands import legal_move
from taiji.server.identity.credentials import new_id
from taiji.server.jobs.engines import ANALYSE, REVIEW
from taiji.server.store.schema import reviews
from taiji.server.store.upgrades import REVIEW_FORMAT, read_review_plies

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

    from taiji.server.cluster.peers import Peers
    from taiji.server.jobs.searches import SearchQuota
    from taiji.server.store.store import Store
    from taiji.server.time_source import TimeSource

log = logging.getLogger("taiji.server")

SECONDS_PER_PLY = {"quick": 0.15, "normal": DEFAULT_SECONDS, "deep": 2.5}
MAX_CONCURRENT_REVIEWS = 32
MAX_REVIEW_MS = 3_600_000
"""A review that is older was left unfinished, whichever server ran it."""
PROGRESS_MS = 1000
"""How often the progress is stored that other servers show."""


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
    shared: bool = True
    """Whether everyone with the link may see it."""

    def info(self, viewer: frozenset[str], after: int = 0) -> ReviewInfo:
        """Return the review as it is sent to a user, with the positions from ply `after` on."""
        summary = summarise(self.game, len(self.moves) + 1, self.plies)
        return ReviewInfo(
            id=self.id,
            state=self.state,
            done=len(self.plies),
            total=summary.positions,
            game=self.game,
            start=self.start,
            moves=self.moves,
            table=self.table,
            record=self.record,
            shared=self.shared,
            yours=self.owner in viewer,
            first=summary.first,
            second=summary.second,
            turning_points=list(summary.turning_points),
            plies=self.plies[after:],
            error=self.error,
        )

    def position(self, ply: int) -> State:
        """Return the position after some moves."""
        game = parse_game(self.game)
        state = game.start() if self.start is None else parse_position(self.start)
        for action in self.moves[:ply]:
            state = state.play(game.move(action))
        return state


class Reviews:
    """The reviews in progress and in the database."""

    def __init__(
        self, store: Store, searches: SearchQuota, time: TimeSource, peers: Peers | None = None
    ) -> None:
        self._store = store
        self._peers = peers if peers is not None and not peers.is_alone else None
        if self._peers is not None:
            self._peers.hear("cancel review", self._hear_cancel)
        self._searches = searches
        self._time = time
        self._running: dict[str, tuple[Review, asyncio.Task[None]]] = {}

    async def fail_interrupted(self) -> None:
        """Mark the reviews that a former server left unfinished as failed; of others only old ones."""
        interrupted = update(reviews).where(reviews.c.state.in_(("queued", "running")))
        if self._peers is not None:
            interrupted = interrupted.where(reviews.c.created_at < self._time.now() - MAX_REVIEW_MS)
        await self._store.write(lambda c: c.execute(interrupted.values(state="failed")).rowcount)

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
            await self._save(review, "queued")
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

    async def get(self, review_id: str, viewer: frozenset[str]) -> Review:
        """Return a review that this user may see, from memory or from disk."""
        if review_id in self._running:
            review = self._running[review_id][0]
        else:
            query = select(reviews).where(reviews.c.id == review_id)
            row = await self._store.read(lambda c: c.execute(query).mappings().first())
            if row is None:
                raise ApiError("review-gone")
            review = _from_row(row)
        if not review.shared and review.owner not in viewer:
            raise ApiError("review-private")
        return review

    async def newest(
        self, viewer: frozenset[str], *, table: str | None = None, record: str | None = None
    ) -> Review | None:
        """Return the newest finished review of a game that this user may see; None if there is none."""
        of_game = reviews.c.table_id == table if table is not None else reviews.c.record_id == record
        visible = or_(reviews.c.shared, reviews.c.owner_id.in_(viewer))
        query = select(reviews).where(of_game, visible, reviews.c.state == "done")
        newest = query.order_by(reviews.c.created_at.desc(), reviews.c.id).limit(1)
        row = await self._store.read(lambda c: c.execute(newest).mappings().first())
        return None if row is None else _from_row(row)

    async def _own(self, review_id: str, owner_ids: frozenset[str]) -> Review:
        review = await self.get(review_id, owner_ids)
        if review.owner not in owner_ids:
            raise ApiError("not-your-table", "this review is not yours")
        return review

    async def share(self, review_id: str, owner_ids: frozenset[str], *, shared: bool) -> Review:
        """Show a review to everyone with its link, or only to its owner."""
        review = await self._own(review_id, owner_ids)
        review.shared = shared
        changed = update(reviews).where(reviews.c.id == review_id).values(shared=shared)
        await self._store.write(lambda c: c.execute(changed).rowcount)
        return review

    async def cancel(self, review_id: str, owner_ids: frozenset[str], *, forget: bool = False) -> None:
        """Cancel a review of one of these owners; keep its results so far, or `forget` them."""
        review = await self._own(review_id, owner_ids)
        if review_id in self._running:
            task = self._running[review_id][1]
            task.cancel()
            await asyncio.wait({task})
            if review.state == "queued":  # it was cancelled before it started
                await self._save(review, "cancelled")
        elif self._peers is not None and review.state in ("queued", "running"):
            self._peers.cast("cancel review", review_id)
        if forget:
            forgotten = delete(reviews).where(reviews.c.id == review_id)
            await self._store.write(lambda c: c.execute(forgotten).rowcount)

    def _hear_cancel(self, node_id: str, review_id: str) -> None:
        """Cancel a review that runs here, at the request of another server."""
        if review_id in self._running:
            self._running[review_id][1].cancel()

    async def judge(self, review: Review, searcher: str, ply: int, chosen: int | str) -> TriedMove:
        """Evaluate a move that a reader tries in a reviewed position."""
        if ply >= len(review.plies) or review.plies[ply].played is None:
            raise ApiError("bad-request", f"ply={ply}: not reviewed (expected one of {len(review.plies)})")
        state = await asyncio.to_thread(review.position, ply)
        move = legal_move(state, chosen)
        before, after = review.plies[ply].analysis, state.play(move)
        if after.is_over:
            return evaluate_try(state, move, before, analysis_of_end(after))
        moves = [*review.moves[:ply], move.action]
        with self._searches.exclusive(searcher):
            answer = await self._analyse(review, searcher, moves, ANALYSE)
        return await asyncio.to_thread(evaluate_try, state, move, before, answer)

    async def _analyse(self, review: Review, searcher: str, moves: list[int], priority: int) -> Analysis:
        return await self._searches.analyse(
            searcher,
            review.game,
            moves,
            start=review.start,
            seconds=seconds_for(len(moves), review.seconds),
            lines=1,
            priority=priority,
        )

    async def _run(self, review: Review) -> None:
        review.state = "running"
        end: ReviewState = "failed"
        try:
            await self._analyse_game(review)
            end = "done"
        except asyncio.CancelledError:
            end = "cancelled"
        except ApiError as error:
            review.error = error.message
        except Exception:
            log.exception("review %s failed", review.id)
            review.error = "the server could not finish this review"
        await self._save(review, end)

    async def _analyse_game(self, review: Review) -> None:
        game = parse_game(review.game)
        progress = GameReview(review.position(0), [game.move(action) for action in review.moves])
        review.plies = progress.plies
        saved_at = 0
        while progress.position is not None:
            moves = review.moves[: len(review.plies)]
            await asyncio.to_thread(progress.add, await self._analyse(review, review.owner, moves, REVIEW))
            if self._peers is not None and self._time.now() - saved_at >= PROGRESS_MS:
                saved_at = self._time.now()
                await self._save(review, "running")

    async def _save(self, review: Review, state: ReviewState) -> None:
        """Store a review; it has its new state once that is on disk."""
        data = {
            "format": REVIEW_FORMAT,
            "game": review.game,
            "start": review.start,
            "moves": review.moves,
            "seconds": review.seconds,
            "plies": [asdict(ply) for ply in review.plies],
            "error": review.error,
        }
        values = {"state": state, "data": data}
        row = {
            "id": review.id,
            "owner_id": review.owner,
            "table_id": review.table,
            "record_id": review.record,
            "created_at": self._time.now(),
            **values,
        }
        if state == "queued":
            await self._store.write(lambda c: c.execute(insert(reviews), [row]).rowcount)
        else:
            changed = update(reviews).where(reviews.c.id == review.id).values(values)
            await self._store.write(lambda c: c.execute(changed).rowcount)
        review.state = state

    async def close(self) -> None:
        """Cancel all reviews."""
        tasks = [task for _, task in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _from_row(row: RowMapping) -> Review:
    data = row["data"]
    return Review(
        row["id"], row["owner_id"], data["game"], data["start"], data["moves"], data["seconds"],
        row["table_id"], row["record_id"], row["state"], read_review_plies(data), data["error"],
        row["shared"],
    )  # fmt: skip
