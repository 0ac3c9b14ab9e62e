"""Tables over REST: creating, joining, reading, acting, and lists."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from sqlalchemy.exc import SQLAlchemyError

from taiji.server.contract import frames, tables
from taiji.server.contract.event_frames import EventList
from taiji.server.contract.requests import JoinBySecret, NewTable
from taiji.server.identity.users import User
from taiji.server.live.actions import perform
from taiji.server.live.listings import visible_to
from taiji.server.live.room import Room
from taiji.server.web.context import AppContext
from taiji.server.web.routes.deps import Actor, Context, CurrentUser, build_game, error_responses

router = APIRouter(prefix="/api", tags=["tables"])

TableId = Annotated[str, Path(min_length=1, max_length=16, pattern="^[A-Za-z0-9]+$")]
LIVE_TIMEOUT_S = 2.0
CHANGING = ("csrf", "foreign-origin", "not-found", "too-many-requests", "bad-token", "unavailable")
ACTING = error_responses(*CHANGING, "not-your-table", "over", "not-started", "bad-move")


async def table_view(context: AppContext, room: Room, user: User) -> tables.TableInfo:
    """Return a table as a user sees it, when all of it is on disk."""
    await room.wait_persisted()
    return room.view(user.ids, context.time.now())


@router.post(
    "/tables",
    status_code=201,
    responses=error_responses(*CHANGING, "bad-game", "unsupported", "own-table", "no-account", "muted"),
)
async def create_table(request: Request, wanted: NewTable, context: Context, user: Actor) -> tables.TableInfo:
    """Create a table: against the computer, by link, as an open challenge, or for a named player."""
    context.rate_limiter.acquire("tables", user.id)
    if wanted.player is not None:
        context.rate_limiter.acquire("challenges", user.id)
        context.rate_limiter.acquire("challenges to one player", f"{user.id} {wanted.player.lower()}")
    await build_game(context, request, wanted.game, by_computer=wanted.opponent == "computer")
    return await table_view(context, await context.table_service.create_table(user, wanted), user)


@router.post("/join", responses=error_responses(*CHANGING, "taken", "no-account"))
async def join_by_secret(link: JoinBySecret, context: Context, user: Actor) -> tables.TableInfo:
    """Take the seat that a join link opens."""
    return await table_view(context, await context.table_service.join_by_secret(user, link.secret), user)


@router.get("/tables/{table_id}", responses=error_responses("not-found"))
async def read_table(table_id: TableId, context: Context, user: CurrentUser) -> tables.TableInfo:
    """Return a table; it is public."""
    return await table_view(context, await context.rooms.get_current(table_id), user)


@router.get("/tables/{table_id}/events", responses=error_responses("not-found"))
async def read_events(
    table_id: TableId, context: Context, after: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> EventList:
    """Return the events after a version."""
    room = await context.rooms.get_current(table_id)
    await room.wait_persisted()
    events = await context.rooms.events_after(room, after)
    now = context.time.now()
    sent = [event.frame(now if event is events[-1] else None) for event in events]
    return EventList(version=room.table.version, events=sent)


@router.post(
    "/tables/{table_id}/join",
    responses=error_responses(*CHANGING, "taken", "own-table", "not-your-table", "no-account"),
)
async def join_open(table_id: TableId, context: Context, user: Actor) -> tables.TableInfo:
    """Take the free seat of an open challenge."""
    room = await context.table_service.join_open(user, await context.rooms.get(table_id))
    return await table_view(context, room, user)


@router.post("/tables/{table_id}/decline", responses=error_responses(*CHANGING, "not-your-table", "too-late"))
async def decline(table_id: TableId, context: Context, user: Actor) -> tables.TableVersion:
    """Decline a challenge to me."""
    room = await context.rooms.get(table_id)
    return tables.TableVersion(version=await context.table_service.decline(user, room))


@router.post("/tables/{table_id}/seat-link", responses=error_responses(*CHANGING, "not-your-table"))
async def seat_link(table_id: TableId, context: Context, user: Actor) -> tables.LinkPath:
    """Create a link to continue on another device."""
    room = await context.rooms.get(table_id)
    return tables.LinkPath(path=await context.seat_links.create(user, room))


async def _act(context: AppContext, table_id: str, user: User, action: frames.Action) -> tables.TableVersion:
    room = await context.rooms.get(table_id)
    return tables.TableVersion(version=await perform(context.rooms, room, user.ids, action))


@router.post("/tables/{table_id}/move", responses=ACTING)
async def move(
    table_id: TableId, action: frames.MoveAction, context: Context, user: Actor
) -> tables.TableVersion:
    """Play a move."""
    return await _act(context, table_id, user, action)


@router.post("/tables/{table_id}/resign", responses=ACTING)
async def resign(
    table_id: TableId, action: frames.ResignAction, context: Context, user: Actor
) -> tables.TableVersion:
    """Resign."""
    return await _act(context, table_id, user, action)


@router.post("/tables/{table_id}/abort", responses=ACTING)
async def abort(
    table_id: TableId, action: frames.AbortAction, context: Context, user: Actor
) -> tables.TableVersion:
    """Abort the game before both players have moved."""
    return await _act(context, table_id, user, action)


@router.post("/tables/{table_id}/takeback", responses=ACTING)
async def takeback(
    table_id: TableId, action: frames.TakebackAction, context: Context, user: Actor
) -> tables.TableVersion:
    """Ask to take my last move back."""
    return await _act(context, table_id, user, action)


@router.post("/tables/{table_id}/takeback-answer", responses=ACTING)
async def answer_takeback(
    table_id: TableId, action: frames.TakebackAnswerAction, context: Context, user: Actor
) -> tables.TableVersion:
    """Accept or refuse a takeback."""
    return await _act(context, table_id, user, action)


@router.post("/tables/{table_id}/rematch", responses=ACTING)
async def rematch(
    table_id: TableId, action: frames.RematchAction, context: Context, user: Actor
) -> tables.TableVersion:
    """Offer or accept a rematch."""
    return await _act(context, table_id, user, action)


@router.post("/tables/{table_id}/level", responses=ACTING)
async def level(
    table_id: TableId, action: frames.LevelAction, context: Context, user: Actor
) -> tables.TableVersion:
    """Set the computer's level."""
    return await _act(context, table_id, user, action)


@router.get("/challenges")
async def list_challenges(context: Context, user: CurrentUser) -> tables.ChallengeList:
    """List the open challenges."""
    challenges = await context.listings.challenges(user.ids)
    return tables.ChallengeList(challenges=visible_to(challenges, user.ids))


@router.get("/live")
async def list_live(context: Context, user: CurrentUser) -> tables.LiveTables:
    """List the games to watch; the status tells that the process is alive, even without a database."""
    try:
        async with asyncio.timeout(LIVE_TIMEOUT_S):
            return tables.LiveTables(tables=await context.listings.live(user.ids))
    except (SQLAlchemyError, TimeoutError):
        return tables.LiveTables(tables=[])


@router.get("/my/tables", responses=error_responses("bad-token"))
async def list_mine(
    context: Context,
    user: CurrentUser,
    status: Literal["waiting", "playing", "over"] | None = None,
    before: Annotated[int | None, Query(ge=0, le=1 << 60)] = None,
) -> tables.TableList:
    """List my tables, latest first."""
    return tables.TableList(tables=await context.listings.my_tables(user.ids, status, before))


@router.get("/bots")
async def list_bots(context: Context) -> tables.BotList:
    """List the bots that can be challenged."""
    bots = await context.users.bots()
    listed = [tables.BotInfo(name=bot.name, online=context.bus.is_subscribed(bot.id)) for bot in bots]
    return tables.BotList(bots=listed)
