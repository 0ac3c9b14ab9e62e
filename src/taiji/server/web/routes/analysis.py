"""Questions to the engine: hints, positions and reviews."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from taiji.rules import GameError, parse_game
from taiji.server.contract import messages as wire
from taiji.server.contract.errors import ApiError
from taiji.server.domain.commands import read_move
from taiji.server.jobs.analysis_v1 import analysis_v1
from taiji.server.jobs.record_store import ReplayedRecord
from taiji.server.web.routes.deps import Actor, Context, Searcher, error_responses
from taiji.server.web.routes.tables import CHANGING, TableId

router = APIRouter(prefix="/api", tags=["analysis"])

SEARCHING = (*CHANGING, "search-running", "engines-busy")
ReviewId = Annotated[str, Path(min_length=1, max_length=16, pattern="^[A-Za-z0-9]+$")]
HINT_SECONDS = 2.0


@router.post("/analyse", responses=error_responses(*SEARCHING, "bad-game", "illegal-move"))
async def analyse(question: wire.AnalysisRequest, hall: Context, person: Searcher) -> dict[str, Any]:
    """Look at a position with the strongest engine."""
    try:
        game = parse_game(question.game)
    except GameError as error:
        raise ApiError("bad-game", str(error)) from error
    state, numbers = game.start(), []
    for chosen in question.moves:
        move = read_move(state, chosen)
        reason = state.illegal_reason(move)
        if reason is not None:
            raise ApiError("illegal-move", reason.text, reason=reason)
        state = state.play(move)
        numbers.append(move.action)
    if state.is_over:
        raise ApiError("over")
    with hall.search_quota.exclusive(person.id):
        result = await hall.search_quota.analyse(
            person.id, str(game), numbers, seconds=question.seconds, lines=question.lines
        )
    return analysis_v1(result)


@router.post(
    "/tables/{table_id}/hint",
    responses=error_responses(
        *SEARCHING, "hints-off", "not-your-table", "over", "not-started", "not-your-turn"
    ),
)
async def hint(table_id: TableId, hall: Context, person: Searcher) -> dict[str, Any]:
    """Ask for a hint in a game against the computer."""
    table = (await hall.rooms.get(table_id)).table
    seat = table.find_seat(person.ids)
    if seat is None:
        raise ApiError("not-your-table")
    if table.settings.opponent != "computer":
        raise ApiError("hints-off")
    if table.status != "playing":
        raise ApiError("over" if table.status == "over" else "not-started")
    if table.turn is not seat:
        raise ApiError("not-your-turn")
    numbers = [played.action for played in table.moves]
    with hall.search_quota.exclusive(person.id):
        result = await hall.search_quota.analyse(
            person.id, table.settings.game, numbers, seconds=HINT_SECONDS, lines=3
        )
    return analysis_v1(result)


@router.post("/reviews", status_code=202, responses=error_responses(*SEARCHING, "not-over"))
async def begin_review(wish: wire.NewReview, hall: Context, person: Searcher) -> dict[str, Any]:
    """Begin to review a finished game or a record."""
    if wish.table is not None:
        table = (await hall.rooms.get(wish.table)).table
        if table.status != "over":
            raise ApiError("not-over")
        game, start, moves = table.settings.game, None, [played.action for played in table.moves]
    else:
        assert wish.record is not None
        shown = ReplayedRecord.from_record(await hall.records.get(wish.record))
        game, start, moves = str(shown.game), shown.start, [move.action for move in shown.moves]
    review = await hall.reviews.begin(
        person.id, game, start, moves, wish.depth, table=wish.table, record=wish.record
    )
    return review.to_wire()


@router.get("/reviews/{review_id}", responses=error_responses("not-found"))
async def read_review(
    review_id: ReviewId, hall: Context, after: Annotated[int, Query(ge=0, le=10_000)] = 0
) -> dict[str, Any]:
    """Tell how far a review is, and what it has found."""
    return (await hall.reviews.get(review_id)).to_wire(after)


@router.delete(
    "/reviews/{review_id}", status_code=204, responses=error_responses(*CHANGING, "not-your-table")
)
async def cancel_review(review_id: ReviewId, hall: Context, person: Actor) -> Response:
    """Cancel a review; what it has found so far stays."""
    await hall.reviews.cancel(review_id, person.ids)
    return Response(status_code=204)
