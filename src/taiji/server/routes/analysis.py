"""Questions to the engine: hints, positions and reviews."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from taiji.rules import GameError, parse_game
from taiji.server import wire
from taiji.server.decisions import read_move
from taiji.server.errors import Refused
from taiji.server.recordbook import Shown
from taiji.server.routes.deps import Actor, Searcher, TheHall, refusals
from taiji.server.routes.tables import CHANGING, TableId

router = APIRouter(prefix="/api", tags=["analysis"])

SEARCHING = (*CHANGING, "search-running", "engines-busy")
ReviewId = Annotated[str, Path(min_length=1, max_length=16, pattern="^[A-Za-z0-9]+$")]
HINT_SECONDS = 2.0


@router.post("/analyse", responses=refusals(*SEARCHING, "bad-game", "illegal-move"))
async def analyse(question: wire.AnalysisRequest, hall: TheHall, person: Searcher) -> dict[str, Any]:
    """Look at a position with the strongest engine."""
    try:
        game = parse_game(question.game)
    except GameError as error:
        raise Refused("bad-game", str(error)) from error
    state, numbers = game.start(), []
    for chosen in question.moves:
        move = read_move(state, chosen)
        reason = state.why_not(move)
        if reason is not None:
            raise Refused("illegal-move", reason.text, reason=reason)
        state = state.play(move)
        numbers.append(move.number)
    if state.over:
        raise Refused("over")
    with hall.searches.only_one(person.id):
        return await hall.searches.look(
            person.id, str(game), numbers, seconds=question.seconds, lines=question.lines
        )


@router.post(
    "/tables/{table_id}/hint",
    responses=refusals(*SEARCHING, "hints-off", "not-your-table", "over", "not-started", "not-your-turn"),
)
async def hint(table_id: TableId, hall: TheHall, person: Searcher) -> dict[str, Any]:
    """Ask for a hint in a game against the computer."""
    table = (await hall.rooms.get(table_id)).table
    seat = table.seat_of(person.ids)
    if seat is None:
        raise Refused("not-your-table")
    if table.terms.opponent != "computer":
        raise Refused("hints-off")
    if table.status != "playing":
        raise Refused("over" if table.status == "over" else "not-started")
    if table.turn is not seat:
        raise Refused("not-your-turn")
    numbers = [played.number for played in table.moves]
    with hall.searches.only_one(person.id):
        return await hall.searches.look(person.id, table.terms.game, numbers, seconds=HINT_SECONDS, lines=3)


@router.post("/reviews", status_code=202, responses=refusals(*SEARCHING, "not-over"))
async def begin_review(wish: wire.NewReview, hall: TheHall, person: Searcher) -> dict[str, Any]:
    """Begin to review a finished game or a record."""
    if wish.table is not None:
        table = (await hall.rooms.get(wish.table)).table
        if table.status != "over":
            raise Refused("not-over")
        game, start, moves = table.terms.game, None, [played.number for played in table.moves]
    else:
        assert wish.record is not None
        shown = Shown.of(await hall.records.get(wish.record))
        game, start, moves = str(shown.game), shown.start, [move.number for move in shown.moves]
    review = await hall.reviews.begin(
        person.id, game, start, moves, wish.depth, table=wish.table, record=wish.record
    )
    return review.to_wire()


@router.get("/reviews/{review_id}", responses=refusals("not-found"))
async def read_review(
    review_id: ReviewId, hall: TheHall, after: Annotated[int, Query(ge=0, le=10_000)] = 0
) -> dict[str, Any]:
    """Tell how far a review is, and what it has found."""
    return (await hall.reviews.get(review_id)).to_wire(after)


@router.delete("/reviews/{review_id}", status_code=204, responses=refusals(*CHANGING, "not-your-table"))
async def cancel_review(review_id: ReviewId, hall: TheHall, person: Actor) -> Response:
    """Cancel a review; what it has found so far stays."""
    await hall.reviews.cancel(review_id, person.ids)
    return Response(status_code=204)
