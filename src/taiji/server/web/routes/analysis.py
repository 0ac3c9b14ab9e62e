"""Analysis: positions, hints and reviews."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from taiji.notation import NotationError, format_position, parse_position
from taiji.rules import Game, State
from taiji.server.contract.analysis import Analysis, ReviewInfo, StoredReview, TriedMove
from taiji.server.contract.errors import ApiError
from taiji.server.contract.openings import OpeningAnswer, OpeningQuery
from taiji.server.contract.requests import AnalysisRequest, ItemId, MoveTry, NewReview, ReviewChange
from taiji.server.domain.commands import legal_move
from taiji.server.web.routes.deps import (
    Actor,
    Context,
    CurrentUser,
    Searcher,
    build_game,
    client_address,
    error_responses,
)
from taiji.server.web.routes.tables import CHANGING, TableId

router = APIRouter(prefix="/api", tags=["analysis"])

SEARCHING = (*CHANGING, "search-running", "engines-busy")
ReviewId = Annotated[str, Path(min_length=1, max_length=16, pattern="^[A-Za-z0-9]+$")]
HINT_SECONDS = 2.0


@router.post(
    "/analyse",
    responses=error_responses(*SEARCHING, "bad-game", "bad-position", "unsupported", "illegal-move"),
)
async def analyse(request: Request, wanted: AnalysisRequest, context: Context, user: Searcher) -> Analysis:
    """Analyse a position with the strongest engine."""
    game = await build_game(context, request, wanted.game, by_computer=True)
    state = game.start() if wanted.start is None else await asyncio.to_thread(_start, game, wanted.start)
    start, actions = None if wanted.start is None else format_position(state), []
    for chosen in wanted.moves:
        move = legal_move(state, chosen)
        state = state.play(move)
        actions.append(move.action)
    if state.is_over:
        raise ApiError("over")
    with context.search_quota.exclusive(user.id):
        return await context.search_quota.analyse(
            user.id, str(game), actions, start=start, seconds=wanted.seconds, lines=wanted.lines
        )


def _start(game: Game, text: str) -> State:
    try:
        state = parse_position(text)
    except NotationError as error:
        raise ApiError("bad-position", str(error), reason=error.reason) from error
    if state.game != game:
        raise ApiError("bad-position", f"start: a position of {state.game} (expected one of {game})")
    return state


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
async def begin_review(
    connection: Request, request: NewReview, context: Context, user: Searcher
) -> ReviewInfo:
    """Start to review a finished game or a record."""
    if request.table is not None:
        table = (await context.rooms.get(request.table)).table
        if table.status != "over":
            raise ApiError("not-over")
        game, start, moves = table.settings.game, None, [played.action for played in table.moves]
    else:
        assert request.record is not None
        wanted = {"text": await context.records.text(request.record)}
        read = await context.tasks.run("read-record", client_address(connection).address, wanted)
        game, start, moves = read["game"], read["start"], read["actions"]
    review = await context.reviews.begin(
        user.id, game, start, moves, request.depth, table=request.table, record=request.record
    )
    return review.info(user.ids)


@router.get("/reviews", responses=error_responses("bad-request"))
async def stored_review(
    context: Context,
    user: CurrentUser,
    table: Annotated[ItemId | None, Query()] = None,
    record: Annotated[ItemId | None, Query()] = None,
) -> StoredReview:
    """Return the newest finished review of a table or a record."""
    if (table is None) == (record is None):
        raise ApiError("bad-request", "review: both or neither (expected either 'table' or 'record')")
    review = await context.reviews.newest(user.ids, table=table, record=record)
    return StoredReview(review=None if review is None else review.info(user.ids))


@router.get("/reviews/{review_id}", responses=error_responses("review-gone", "review-private"))
async def read_review(
    review_id: ReviewId,
    context: Context,
    user: CurrentUser,
    after: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> ReviewInfo:
    """Return the progress of a review and the positions from ply `after` on."""
    return (await context.reviews.get(review_id, user.ids)).info(user.ids, after)


@router.patch(
    "/reviews/{review_id}",
    responses=error_responses(*CHANGING, "not-your-table", "review-gone", "review-private"),
)
async def share_review(
    review_id: ReviewId, change: ReviewChange, context: Context, user: Actor
) -> ReviewInfo:
    """Show a review to everyone with its link, or only to its owner."""
    review = await context.reviews.share(review_id, user.ids, shared=change.shared)
    return review.info(user.ids)


@router.post(
    "/reviews/{review_id}/tries",
    responses=error_responses(*SEARCHING, "illegal-move", "bad-move", "review-gone", "review-private"),
)
async def try_move(review_id: ReviewId, tried: MoveTry, context: Context, user: Searcher) -> TriedMove:
    """Judge a move that the reader tries in a reviewed position."""
    review = await context.reviews.get(review_id, user.ids)
    return await context.reviews.judge(review, user.id, tried.ply, tried.move)


@router.delete(
    "/reviews/{review_id}",
    status_code=204,
    responses=error_responses(*CHANGING, "not-your-table", "review-gone", "review-private"),
)
async def cancel_review(
    review_id: ReviewId, context: Context, user: Actor, forget: Annotated[bool, Query()] = False
) -> Response:
    """Cancel a review; its results so far are kept, or deleted with `forget`."""
    await context.reviews.cancel(review_id, user.ids, forget=forget)
    return Response(status_code=204)


@router.post("/openings", responses=error_responses(*CHANGING))
async def find_openings(query: OpeningQuery, context: Context, user: Actor) -> OpeningAnswer:
    """Return how many public games of this server reached each position, and how they ended."""
    return OpeningAnswer(positions=await context.openings.find(query.game, set(query.keys)))
