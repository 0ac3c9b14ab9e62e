"""Analysis: positions, hints and reviews."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from taiji.server.contract.analysis import Analysis, ReviewInfo
from taiji.server.contract.errors import ApiError
from taiji.server.contract.requests import AnalysisRequest, NewReview
from taiji.server.domain.commands import read_move
from taiji.server.domain.game_definition import playable_game
from taiji.server.jobs.record_store import ReplayedRecord
from taiji.server.web.routes.deps import Actor, Context, Searcher, error_responses
from taiji.server.web.routes.tables import CHANGING, TableId

router = APIRouter(prefix="/api", tags=["analysis"])

SEARCHING = (*CHANGING, "search-running", "engines-busy")
ReviewId = Annotated[str, Path(min_length=1, max_length=16, pattern="^[A-Za-z0-9]+$")]
HINT_SECONDS = 2.0


@router.post("/analyse", responses=error_responses(*SEARCHING, "bad-game", "unsupported", "illegal-move"))
async def analyse(request: AnalysisRequest, context: Context, user: Searcher) -> Analysis:
    """Analyse a position with the strongest engine."""
    game = await asyncio.to_thread(playable_game, request.game, by_computer=True)
    state, actions = game.start(), []
    for chosen in request.moves:
        move = read_move(state, chosen)
        reason = state.illegal_reason(move)
        if reason is not None:
            raise ApiError("illegal-move", reason.text, reason=reason)
        state = state.play(move)
        actions.append(move.action)
    if state.is_over:
        raise ApiError("over")
    with context.search_quota.exclusive(user.id):
        return await context.search_quota.analyse(
            user.id, str(game), actions, seconds=request.seconds, lines=request.lines
        )


@router.post(
    "/tables/{table_id}/hint",
    responses=error_responses(
        *SEARCHING, "hints-off", "not-your-table", "over", "not-started", "not-your-turn"
    ),
)
async def hint(table_id: TableId, context: Context, user: Searcher) -> Analysis:
    """Return a hint in a game against the computer."""
    table = (await context.rooms.get(table_id)).table
    seat = table.find_seat(user.ids)
    if seat is None:
        raise ApiError("not-your-table")
    if table.settings.opponent != "computer":
        raise ApiError("hints-off")
    if table.status != "playing":
        raise ApiError("over" if table.status == "over" else "not-started")
    if table.turn is not seat:
        raise ApiError("not-your-turn")
    actions = [played.action for played in table.moves]
    with context.search_quota.exclusive(user.id):
        return await context.search_quota.analyse(
            user.id, table.settings.game, actions, seconds=HINT_SECONDS, lines=3
        )


@router.post("/reviews", status_code=202, responses=error_responses(*SEARCHING, "not-over"))
async def begin_review(request: NewReview, context: Context, user: Searcher) -> ReviewInfo:
    """Start to review a finished game or a record."""
    if request.table is not None:
        table = (await context.rooms.get(request.table)).table
        if table.status != "over":
            raise ApiError("not-over")
        game, start, moves = table.settings.game, None, [played.action for played in table.moves]
    else:
        assert request.record is not None
        replayed = ReplayedRecord.from_record(await context.records.get(request.record))
        game, start, moves = str(replayed.game), replayed.start, [move.action for move in replayed.moves]
    review = await context.reviews.begin(
        user.id, game, start, moves, request.depth, table=request.table, record=request.record
    )
    return review.info()


@router.get("/reviews/{review_id}", responses=error_responses("not-found"))
async def read_review(
    review_id: ReviewId, context: Context, after: Annotated[int, Query(ge=0, le=10_000)] = 0
) -> ReviewInfo:
    """Return the progress of a review and the positions from ply `after` on."""
    return (await context.reviews.get(review_id)).info(after)


@router.delete(
    "/reviews/{review_id}", status_code=204, responses=error_responses(*CHANGING, "not-your-table")
)
async def cancel_review(review_id: ReviewId, context: Context, user: Actor) -> Response:
    """Cancel a review; its results so far are kept."""
    await context.reviews.cancel(review_id, user.ids)
    return Response(status_code=204)
