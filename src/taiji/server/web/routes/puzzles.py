"""Puzzles: what people's results say of their difficulty. The puzzles themselves are files of the page."""

from typing import Annotated

from fastapi import APIRouter, Path

from taiji.server.contract.puzzles import PuzzleRating, PuzzleRatings, PuzzleTry
from taiji.server.web.routes.deps import Actor, Context, error_responses
from taiji.server.web.routes.tables import CHANGING

router = APIRouter(prefix="/api/puzzles", tags=["puzzles"])

PuzzleId = Annotated[str, Path(min_length=1, max_length=60, pattern=r"^[a-z0-9+-]+$")]


@router.get("/ratings")
async def list_ratings(context: Context) -> PuzzleRatings:
    """Return the ratings of the puzzles that people have tried."""
    return PuzzleRatings(puzzles=await context.puzzle_ratings.all())


@router.post("/{puzzle_id}/tries", responses=error_responses(*CHANGING, "not-found"))
async def report_try(puzzle_id: PuzzleId, tried: PuzzleTry, context: Context, user: Actor) -> PuzzleRating:
    """Count my first try at a puzzle of the package."""
    return await context.puzzle_ratings.report(user.id, puzzle_id, tried)
