"""Tables over REST: making, joining, looking, acting, and the lists of them."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query

from taiji.server.contract import messages as wire
from taiji.server.identity.users import User
from taiji.server.live.actions import perform
from taiji.server.live.room import Room
from taiji.server.web.context import AppContext
from taiji.server.web.routes.deps import Actor, Context, CurrentUser, error_responses

router = APIRouter(prefix="/api", tags=["tables"])

TableId = Annotated[str, Path(min_length=1, max_length=16, pattern="^[A-Za-z0-9]+$")]
CHANGING = ("csrf", "foreign-origin", "not-found", "too-many-requests", "bad-token", "unavailable")
ACTING = error_responses(*CHANGING, "not-your-table", "over", "not-started", "bad-move")


async def table_view(hall: AppContext, room: Room, person: User) -> dict[str, Any]:
    """Return a table as somebody sees it, once all of it is on disk."""
    await room.wait_persisted()
    return room.view(person.ids, hall.times.now(), hall.invite_for(room, person.ids))


@router.post(
    "/tables", status_code=201, responses=error_responses(*CHANGING, "bad-game", "own-table", "no-account")
)
async def make_table(wish: wire.NewTable, hall: Context, person: Actor) -> dict[str, Any]:
    """Lay a table: against the computer, by link, as an open challenge, or for a named player."""
    hall.rate_limiter.acquire("tables", person.id)
    return await table_view(hall, await hall.table_service.create_table(person, wish), person)


@router.post("/join", responses=error_responses(*CHANGING, "taken", "no-account"))
async def join_by_secret(given: wire.JoinBySecret, hall: Context, person: Actor) -> dict[str, Any]:
    """Take the seat that a join link opens."""
    return await table_view(hall, await hall.table_service.join_by_secret(person, given.secret), person)


@router.get("/tables/{table_id}", responses=error_responses("not-found"))
async def read_table(table_id: TableId, hall: Context, person: CurrentUser) -> dict[str, Any]:
    """Look at a table; anyone may."""
    return await table_view(hall, await hall.rooms.get(table_id), person)


@router.get("/tables/{table_id}/events", responses=error_responses("not-found"))
async def read_events(
    table_id: TableId, hall: Context, after: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> dict[str, Any]:
    """Give the events after a version."""
    room = await hall.rooms.get(table_id)
    await room.wait_persisted()
    events = await hall.rooms.events_after(room, after)
    now = hall.times.now()
    shown = [event.to_wire(now if event is events[-1] else None) for event in events]
    return {"version": room.table.version, "events": shown}


@router.post(
    "/tables/{table_id}/join",
    responses=error_responses(*CHANGING, "taken", "own-table", "not-your-table", "no-account"),
)
async def join_open(table_id: TableId, hall: Context, person: Actor) -> dict[str, Any]:
    """Take the free seat of an open challenge."""
    room = await hall.table_service.join_open(person, await hall.rooms.get(table_id))
    return await table_view(hall, room, person)


@router.post("/tables/{table_id}/decline", responses=error_responses(*CHANGING, "not-your-table", "too-late"))
async def decline(table_id: TableId, hall: Context, person: Actor) -> dict[str, Any]:
    """Decline a challenge that was made to me."""
    return {"version": await hall.table_service.decline(person, await hall.rooms.get(table_id))}


@router.post("/tables/{table_id}/seat-link", responses=error_responses(*CHANGING, "not-your-table"))
async def seat_link(table_id: TableId, hall: Context, person: Actor) -> dict[str, Any]:
    """Make a link to go on with my seat on another device."""
    return {"path": await hall.table_service.seat_link(person, await hall.rooms.get(table_id))}


async def _act(hall: AppContext, table_id: str, person: User, action: wire.Action) -> dict[str, Any]:
    room = await hall.rooms.get(table_id)
    return {"version": await perform(hall.rooms, room, person.ids, action)}


@router.post("/tables/{table_id}/move", responses=ACTING)
async def move(table_id: TableId, action: wire.MoveAction, hall: Context, person: Actor) -> dict[str, Any]:
    """Play a move."""
    return await _act(hall, table_id, person, action)


@router.post("/tables/{table_id}/resign", responses=ACTING)
async def resign(
    table_id: TableId, action: wire.ResignAction, hall: Context, person: Actor
) -> dict[str, Any]:
    """Give up."""
    return await _act(hall, table_id, person, action)


@router.post("/tables/{table_id}/abort", responses=ACTING)
async def abort(table_id: TableId, action: wire.AbortAction, hall: Context, person: Actor) -> dict[str, Any]:
    """Call the game off before it has well begun."""
    return await _act(hall, table_id, person, action)


@router.post("/tables/{table_id}/takeback", responses=ACTING)
async def takeback(
    table_id: TableId, action: wire.TakebackAction, hall: Context, person: Actor
) -> dict[str, Any]:
    """Ask to take my last move back."""
    return await _act(hall, table_id, person, action)


@router.post("/tables/{table_id}/takeback-answer", responses=ACTING)
async def answer_takeback(
    table_id: TableId, action: wire.TakebackAnswerAction, hall: Context, person: Actor
) -> dict[str, Any]:
    """Accept or refuse a takeback."""
    return await _act(hall, table_id, person, action)


@router.post("/tables/{table_id}/rematch", responses=ACTING)
async def rematch(
    table_id: TableId, action: wire.RematchAction, hall: Context, person: Actor
) -> dict[str, Any]:
    """Offer or accept a rematch."""
    return await _act(hall, table_id, person, action)


@router.post("/tables/{table_id}/level", responses=ACTING)
async def level(table_id: TableId, action: wire.LevelAction, hall: Context, person: Actor) -> dict[str, Any]:
    """Set the computer's level."""
    return await _act(hall, table_id, person, action)


@router.get("/challenges")
async def list_challenges(hall: Context, person: CurrentUser) -> dict[str, Any]:
    """List the open challenges."""
    return {"challenges": await hall.lobby.challenges(person.ids)}


@router.get("/live")
async def list_live(hall: Context, person: CurrentUser) -> dict[str, Any]:
    """List the games to watch."""
    return {"tables": await hall.lobby.live(person.ids)}


@router.get("/my/tables", responses=error_responses("bad-token"))
async def list_mine(
    hall: Context,
    person: CurrentUser,
    status: Literal["waiting", "playing", "over"] | None = None,
    before: Annotated[int | None, Query(ge=0, le=1 << 60)] = None,
) -> dict[str, Any]:
    """List my own tables, the latest first."""
    return {"tables": await hall.lobby.my_tables(person.ids, status, before)}


@router.get("/bots")
async def list_bots(hall: Context) -> dict[str, Any]:
    """List the bots that can be challenged."""
    bots = await hall.users.bots()
    return {"bots": [{"name": bot.name, "online": hall.bus.is_subscribed(bot.id)} for bot in bots]}
