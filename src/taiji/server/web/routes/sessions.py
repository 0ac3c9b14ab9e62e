"""The user's sessions, and the links to their seats: listed and revoked."""

from fastapi import APIRouter, Response

from taiji.server.contract.accounts import SessionList
from taiji.server.contract.errors import ApiError
from taiji.server.contract.tables import SeatLinkList
from taiji.server.identity.users import ANONYMOUS
from taiji.server.web.routes.deps import (
    Actor,
    BrowserUser,
    Context,
    CredentialId,
    CurrentUser,
    error_responses,
)

router = APIRouter(prefix="/api", tags=["me"])

CHANGING = error_responses("csrf", "foreign-origin", "no-session", "too-many-requests", "not-found")


@router.get("/sessions", responses=error_responses("csrf", "no-session"))
async def list_sessions(context: Context, user: CurrentUser) -> SessionList:
    """List my sessions; a token may not."""
    if user is ANONYMOUS:
        raise ApiError("no-session")
    if user.session_id is None:
        raise ApiError("csrf", "this request needs a browser's cookie, not a token")
    return SessionList(sessions=await context.sessions.list_sessions(user))


@router.delete("/sessions", status_code=204, responses=CHANGING)
async def revoke_other_sessions(context: Context, user: BrowserUser) -> Response:
    """End all sessions of my account except this one."""
    if user.account is not None:
        await context.sessions.revoke_account(user.account.id, keep=user.session_id)
    return Response(status_code=204)


@router.delete("/sessions/{session_id}", status_code=204, responses=CHANGING)
async def revoke_session(session_id: CredentialId, context: Context, user: BrowserUser) -> Response:
    """End one of my sessions; its sockets and streams close at once."""
    await context.sessions.revoke(user, session_id)
    return Response(status_code=204)


@router.get("/seat-links", responses=error_responses("bad-token"))
async def list_seat_links(context: Context, user: CurrentUser) -> SeatLinkList:
    """List the links to my seats on other devices."""
    return SeatLinkList(links=await context.seat_links.list_links(user))


@router.delete("/seat-links/{link_id}", status_code=204, responses=CHANGING)
async def revoke_seat_link(link_id: CredentialId, context: Context, user: Actor) -> Response:
    """Revoke a link to my seat; the device that used it loses the seat."""
    await context.seat_links.revoke(user, link_id)
    return Response(status_code=204)
