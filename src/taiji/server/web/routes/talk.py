"""Talk: preset phrases at a table, blocks and reports."""

from typing import NamedTuple

from fastapi import APIRouter, Request, Response

from taiji.server.contract import talk
from taiji.server.contract.errors import ApiError
from taiji.server.identity.users import User
from taiji.server.web.context import AppContext
from taiji.server.web.routes.deps import (
    Actor,
    Context,
    CredentialId,
    CurrentUser,
    client_address,
    error_responses,
)
from taiji.server.web.routes.tables import CHANGING, TableId

router = APIRouter(prefix="/api", tags=["talk"])


class Target(NamedTuple):
    """The player whom a request means."""

    id: str
    name: str | None
    guest: bool


async def find_target(context: AppContext, user: User, choice: talk.PlayerChoice) -> Target:
    """Return the account of a name, or the opponent at a table; raise `ApiError` if there is none."""
    if choice.player is not None:
        account = await context.users.find_account(choice.player)
        if account is None:
            raise ApiError("not-found", f"no player is called {choice.player!r}")
        target = Target(account.id, account.name, guest=False)
    else:
        table = (await context.rooms.get(choice.table or "")).table
        seat = table.find_seat(user.ids)
        if seat is None:
            raise ApiError("not-your-table")
        player = table.seats[seat.other]
        if player is None or player.account_type == "computer":
            raise ApiError("not-found", "there is no opponent at this table")
        target = Target(player.id, player.name, player.guest)
    if target.id in user.ids:
        raise ApiError("own-table", "this player is you")
    return target


@router.get("/tables/{table_id}/phrases", responses=error_responses("not-found", "not-your-table"))
async def read_phrases(table_id: TableId, context: Context, user: CurrentUser) -> talk.TableTalk:
    """Return what my opponent and I have said; phrases are private to the players."""
    return await context.talk.read(await context.rooms.get(table_id), user.ids)


@router.post(
    "/tables/{table_id}/phrases",
    status_code=204,
    responses=error_responses(*CHANGING, "not-your-table", "not-started", "muted", "too-late"),
)
async def say(table_id: TableId, phrase: talk.NewPhrase, context: Context, user: Actor) -> Response:
    """Say a phrase to my opponent."""
    context.rate_limiter.acquire("phrases", user.id)
    user.refuse_muted()
    await context.talk.say(await context.rooms.get(table_id), user.ids, phrase)
    return Response(status_code=204)


@router.get("/blocks", responses=error_responses("bad-token"))
async def list_blocks(context: Context, user: CurrentUser) -> talk.BlockList:
    """List the players whom I have blocked."""
    return talk.BlockList(blocks=await context.blocks.list_blocks(user))


@router.post(
    "/blocks",
    status_code=201,
    responses=error_responses(*CHANGING, "own-table", "not-your-table", "too-late"),
)
async def block(new: talk.NewBlock, context: Context, user: Actor) -> talk.BlockInfo:
    """Block a player: no challenges, pairings, follows or phrases. The player sees no difference."""
    context.rate_limiter.acquire("blocks", user.id)
    target = await find_target(context, user, new)
    info = await context.blocks.add(user, target.id, target.name, guest=target.guest)
    await context.table_service.end_challenges(user, target.id)
    context.lobby.public_changed()
    return info


@router.delete("/blocks/{block_id}", status_code=204, responses=error_responses(*CHANGING))
async def unblock(block_id: CredentialId, context: Context, user: Actor) -> Response:
    """Lift a block."""
    await context.blocks.remove(user, block_id)
    context.lobby.public_changed()
    return Response(status_code=204)


@router.post(
    "/reports",
    status_code=201,
    responses=error_responses(*CHANGING, "own-table", "not-your-table"),
)
async def report(request: Request, new: talk.NewReport, context: Context, user: Actor) -> talk.ReportReceived:
    """Report a player to the operators."""
    context.rate_limiter.acquire("reports", user.id)
    context.rate_limiter.acquire("reports from one address", client_address(request).address)
    target = await find_target(context, user, new)
    await context.reports.add(user, target.id, new)
    return talk.ReportReceived()
