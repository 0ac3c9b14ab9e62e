"""Uploads of records, and downloads of tables and records: text, SVG, PNG and animated GIF."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from taiji.notation import format_record
from taiji.server.contract.analysis import RecordInfo
from taiji.server.contract.errors import ApiError
from taiji.server.contract.messages import MAX_MOVES
from taiji.server.contract.requests import NewRecord
from taiji.server.identity.users import User
from taiji.server.jobs.pictures import GIF, MEDIA_TYPES, PNG, SVG
from taiji.server.jobs.record_store import table_record
from taiji.server.web.context import AppContext
from taiji.server.web.routes.deps import Actor, Context, CurrentUser, client_address, error_responses
from taiji.server.web.routes.tables import CHANGING

router = APIRouter(prefix="/api", tags=["records"])

Kind = Literal["tables", "records"]
Identity = Annotated[str, Path(min_length=1, max_length=16, pattern="^[A-Za-z0-9]+$")]
Ply = Annotated[int | None, Query(ge=0, le=MAX_MOVES)]
Theme = Annotated[str, Query(max_length=20)]
UPLOADING = error_responses(*CHANGING, "bad-record", "illegal-move", "too-costly", "engines-busy")
DOWNLOADING = error_responses("not-found", "too-many-requests", "engines-busy", "unavailable")


@router.post("/records", status_code=201, responses=UPLOADING)
async def upload_record(request: Request, new: NewRecord, context: Context, user: Actor) -> RecordInfo:
    """Upload a record: the text of a file, or a game and its moves."""
    context.rate_limiter.acquire("records", user.id)
    wanted = {"new": new.model_dump(mode="json")}
    read = await context.tasks.run("read-record", client_address(request).address, wanted)
    identity = await context.records.save(user.id, read["game"], read["text"])
    return RecordInfo.model_validate({**read["view"], "id": identity})


@router.get("/records/{identity}", responses=DOWNLOADING)
async def read_record(request: Request, identity: Identity, context: Context) -> RecordInfo:
    """Return an uploaded record."""
    wanted = {"text": await context.records.text(identity)}
    read = await context.tasks.run("read-record", client_address(request).address, wanted)
    return RecordInfo.model_validate({**read["view"], "id": identity})


async def _find(context: AppContext, kind: Kind, identity: str) -> str:
    """Return the text of a game."""
    if kind == "tables":
        return format_record(table_record((await context.rooms.get(identity)).table))
    return await context.records.text(identity)


async def _picture(
    request: Request, context: AppContext, user: User, kind: str, record: str, **settings: Any
) -> Response:
    from taiji.render.theme import THEMES

    context.rate_limiter.acquire("pictures", user.id or "?")
    if settings["theme"] not in THEMES:
        raise ApiError(
            "not-found", f"theme: unknown {settings['theme']!r} (expected one of {', '.join(THEMES)})"
        )
    body = await context.pictures.draw(client_address(request).address, kind, record, settings)
    return Response(body, media_type=MEDIA_TYPES[kind], headers={"Cache-Control": "no-cache"})


@router.get("/{kind}/{identity}/record.tji", response_class=Response, responses=DOWNLOADING)
async def download_record(kind: Kind, identity: Identity, context: Context) -> Response:
    """Download a game as a record."""
    text = await _find(context, kind, identity)
    headers = {"Content-Disposition": f'attachment; filename="{identity}.tji"', "Cache-Control": "no-cache"}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


@router.get("/{kind}/{identity}/board.svg", response_class=Response, responses=DOWNLOADING)
async def download_svg(
    request: Request,
    kind: Kind,
    identity: Identity,
    context: Context,
    user: CurrentUser,
    ply: Ply = None,
    theme: Theme = "paper",
) -> Response:
    """Download a position as SVG."""
    record = await _find(context, kind, identity)
    return await _picture(request, context, user, SVG, record, ply=ply, theme=theme)


@router.get("/{kind}/{identity}/board.png", response_class=Response, responses=DOWNLOADING)
async def download_png(
    request: Request,
    kind: Kind,
    identity: Identity,
    context: Context,
    user: CurrentUser,
    ply: Ply = None,
    theme: Theme = "paper",
    size: Annotated[int, Query(ge=100, le=2000)] = 800,
) -> Response:
    """Download a position as PNG."""
    record = await _find(context, kind, identity)
    return await _picture(request, context, user, PNG, record, ply=ply, theme=theme, width=size)


@router.get("/{kind}/{identity}/game.gif", response_class=Response, responses=DOWNLOADING)
async def download_gif(
    request: Request,
    kind: Kind,
    identity: Identity,
    context: Context,
    user: CurrentUser,
    theme: Theme = "paper",
    size: Annotated[int, Query(ge=100, le=800)] = 480,
) -> Response:
    """Download a whole game as an animated GIF."""
    record = await _find(context, kind, identity)
    return await _picture(request, context, user, GIF, record, theme=theme, width=size)
