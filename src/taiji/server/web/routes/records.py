"""Records to bring, and the downloads of tables and records: text, SVG, PNG and animated GIF."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response

from taiji.notation import Record, format_record
from taiji.server.contract import messages as wire
from taiji.server.contract.errors import ApiError
from taiji.server.identity.users import User
from taiji.server.jobs.pictures import GIF, MEDIA_TYPES, PNG, SVG
from taiji.server.jobs.record_store import ReplayedRecord, parse_upload, record_view, table_record
from taiji.server.web.context import AppContext
from taiji.server.web.routes.deps import Actor, Context, CurrentUser, error_responses
from taiji.server.web.routes.tables import CHANGING

router = APIRouter(prefix="/api", tags=["records"])

Kind = Literal["tables", "records"]
Identity = Annotated[str, Path(min_length=1, max_length=16, pattern="^[A-Za-z0-9]+$")]
Ply = Annotated[int | None, Query(ge=0, le=wire.MAX_MOVES)]
Theme = Annotated[str, Query(max_length=20)]
DOWNLOADING = error_responses("not-found", "too-many-requests", "engines-busy", "unavailable")


@router.post("/records", status_code=201, responses=error_responses(*CHANGING, "bad-record", "illegal-move"))
async def upload_record(new: wire.NewRecord, hall: Context, person: Actor) -> dict[str, Any]:
    """Bring a record: the text of a file, or a game and its moves."""
    hall.rate_limiter.acquire("records", person.id)
    # A long text takes a while to read and to replay; no table waits for it.
    record, games = await asyncio.to_thread(parse_upload, new)
    identity = await hall.records.save(person.id, record)
    return await asyncio.to_thread(lambda: record_view(identity, ReplayedRecord.from_record(record), games))


@router.get("/records/{identity}", responses=error_responses("not-found"))
async def read_record(identity: Identity, hall: Context) -> dict[str, Any]:
    """Give a record that was brought."""
    record = await hall.records.get(identity)
    return await asyncio.to_thread(lambda: record_view(identity, ReplayedRecord.from_record(record)))


async def _find(hall: AppContext, kind: Kind, identity: str) -> Record:
    if kind == "tables":
        return table_record((await hall.rooms.get(identity)).table)
    return await hall.records.get(identity)


async def _picture(hall: AppContext, person: User, kind: str, record: Record, **settings: Any) -> Response:
    from taiji.render.theme import THEMES

    hall.rate_limiter.acquire("pictures", person.id or "?")
    if settings["theme"] not in THEMES:
        raise ApiError("not-found", f"there is no theme of that name: there are {', '.join(THEMES)}")
    body = await hall.pictures.draw(person.id, kind, format_record(record), settings)
    return Response(body, media_type=MEDIA_TYPES[kind], headers={"Cache-Control": "no-cache"})


@router.get("/{kind}/{identity}/record.tji", response_class=Response, responses=DOWNLOADING)
async def download_record(kind: Kind, identity: Identity, hall: Context) -> Response:
    """Download a game as a record."""
    text = format_record(await _find(hall, kind, identity))
    headers = {"Content-Disposition": f'attachment; filename="{identity}.tji"', "Cache-Control": "no-cache"}
    return Response(text, media_type="text/plain; charset=utf-8", headers=headers)


@router.get("/{kind}/{identity}/board.svg", response_class=Response, responses=DOWNLOADING)
async def download_svg(
    kind: Kind,
    identity: Identity,
    hall: Context,
    person: CurrentUser,
    ply: Ply = None,
    theme: Theme = "paper",
) -> Response:
    """Download a position as SVG."""
    record = await _find(hall, kind, identity)
    return await _picture(hall, person, SVG, record, ply=ply, theme=theme)


@router.get("/{kind}/{identity}/board.png", response_class=Response, responses=DOWNLOADING)
async def download_png(
    kind: Kind,
    identity: Identity,
    hall: Context,
    person: CurrentUser,
    ply: Ply = None,
    theme: Theme = "paper",
    size: Annotated[int, Query(ge=100, le=2000)] = 800,
) -> Response:
    """Download a position as PNG."""
    record = await _find(hall, kind, identity)
    return await _picture(hall, person, PNG, record, ply=ply, theme=theme, width=size)


@router.get("/{kind}/{identity}/game.gif", response_class=Response, responses=DOWNLOADING)
async def download_gif(
    kind: Kind,
    identity: Identity,
    hall: Context,
    person: CurrentUser,
    theme: Theme = "paper",
    size: Annotated[int, Query(ge=100, le=800)] = 480,
) -> Response:
    """Download a whole game as an animated GIF."""
    record = await _find(hall, kind, identity)
    return await _picture(hall, person, GIF, record, theme=theme, width=size)
