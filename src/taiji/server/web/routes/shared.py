"""Pictures of link previews, and the data of embedded boards; neither reads a cookie."""

import hashlib
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from taiji.server.contract.analysis import RecordNames
from taiji.server.contract.errors import ApiError
from taiji.server.contract.sharing import EmbeddedGame, EmbeddedPly
from taiji.server.domain.table import Table
from taiji.server.jobs.pictures import MEDIA_TYPES, PNG
from taiji.server.jobs.reviews import Review
from taiji.server.web.routes.deps import Context, client_address, error_responses
from taiji.server.web.routes.records import DOWNLOADING
from taiji.server.web.routes.tables import TableId
from taiji.server.web.sharing.head import request_words
from taiji.server.web.sharing.previews import find_preview
from taiji.server.web.sharing.public import public_review, public_room

router = APIRouter(prefix="/api", tags=["sharing"])

PagePath = Annotated[str, Path(min_length=1, max_length=200)]
CACHE = "public, max-age=600"
"""The address of a picture changes with its content, but a site may ask without the version."""


@router.get("/previews/{page:path}.png", response_class=Response, responses=DOWNLOADING)
async def preview_picture(request: Request, page: PagePath, context: Context) -> Response:
    """Return the picture of the link preview of a page, such as `game/ID`, in 1200×630 pixels."""
    preview = await find_preview(context, request_words(request), page)
    if preview is None:
        raise ApiError("not-found")
    content = preview.card.request()
    headers = {"Cache-Control": CACHE, "Cross-Origin-Resource-Policy": "cross-origin"}
    address = client_address(request).address
    context.rate_limiter.acquire("pictures", address)
    body = await context.pictures.card(address, content)
    headers["ETag"] = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=MEDIA_TYPES[PNG], headers=headers)


@router.get("/embed/game/{table_id}", responses=error_responses("not-found"))
async def embedded_game(table_id: TableId, context: Context) -> EmbeddedGame:
    """Return a public game for an embedded board; private games do not exist here."""
    room = await public_room(context, table_id)
    if room is None:
        raise ApiError("not-found")
    await room.wait_persisted()
    table = room.table
    return _embedded(f"/game/{table.id}", table, [played.action for played in table.moves])


@router.get("/embed/review/{table_id}", responses=error_responses("not-found"))
async def embedded_review(table_id: TableId, context: Context) -> EmbeddedGame:
    """Return a review for an embedded board; hidden ones, and those of private games, do not exist here."""
    shown = await public_review(context, table_id)
    if shown is None:
        raise ApiError("not-found")
    review = shown.review
    if shown.table is not None:
        return _embedded(f"/review/{review.id}", shown.table, review.moves, review)
    return EmbeddedGame(
        path=f"/review/{review.id}",
        game=review.game,
        edition=None,
        start=review.start,
        moves=review.moves,
        names=RecordNames(first=None, second=None),
        status="over",
        result=None,
        plies=_plies(review),
    )


def _embedded(path: str, table: Table, moves: list[int], review: Review | None = None) -> EmbeddedGame:
    first, second = (player.name if player else None for player in table.seats)
    return EmbeddedGame(
        path=path,
        game=table.settings.game,
        edition=table.settings.edition,
        start=None,
        moves=moves,
        names=RecordNames(first=first, second=second),
        status=table.status,
        result=table.result,
        plies=[] if review is None else _plies(review),
    )


def _plies(review: Review) -> list[EmbeddedPly]:
    return [
        EmbeddedPly(
            mark=ply.mark,
            loss=ply.loss,
            line=[] if ply.analysis.best is None else list(ply.analysis.best.pv),
        )
        for ply in review.plies
    ]
