"""What every address asks for: the hall, who is asking, and whether they may change anything."""

from typing import Annotated, Any

from fastapi import Depends, Request

from taiji.server.contract.errors import HTTP_STATUS, ApiError
from taiji.server.contract.messages import ErrorResponse
from taiji.server.identity.auth import bearer_token, is_csrf_valid
from taiji.server.identity.origins import is_same_origin
from taiji.server.identity.users import Account, User
from taiji.server.web.context import AppContext


async def get_context(request: Request) -> AppContext:
    """Return the server's one hall; a plain function would cost a thread a request."""
    hall: AppContext = request.app.state.hall
    return hall


async def current_user(request: Request) -> User:
    """Return who reads."""
    hall: AppContext = request.app.state.hall
    return await hall.authenticator.authenticate(request)


async def actor(request: Request) -> User:
    """Return who changes something; a page of another site cannot make a visitor do it."""
    hall: AppContext = request.app.state.hall
    if not is_same_origin(request.headers, hall.settings):
        raise ApiError("foreign-origin")
    if bearer_token(request) is None and not is_csrf_valid(request):
        raise ApiError("csrf")
    person = await hall.authenticator.authenticate(request)
    hall.rate_limiter.acquire("changes", person.id)
    hall.rate_limiter.acquire("changes from one address", client_address(request))
    return person


async def searcher(request: Request, person: Annotated[User, Depends(actor)]) -> User:
    """Return who asks for a search, bounded for the visitor and for the address."""
    hall: AppContext = request.app.state.hall
    hall.rate_limiter.acquire("searches", person.id)
    hall.rate_limiter.acquire("searches from one address", client_address(request))
    return person


def require_account(person: User) -> Account:
    """Return the account of somebody who needs one."""
    if person.account is None:
        raise ApiError("no-account")
    return person.account


def client_address(request: Request) -> str:
    """Return where a request comes from, to bound what visitors without a cookie do."""
    return request.client.host if request.client else "?"


Context = Annotated[AppContext, Depends(get_context)]
CurrentUser = Annotated[User, Depends(current_user)]
Actor = Annotated[User, Depends(actor)]
Searcher = Annotated[User, Depends(searcher)]


def error_responses(*codes: str) -> dict[int | str, dict[str, Any]]:
    """Return the documentation of what an address may refuse, besides what any may."""
    found: dict[int | str, dict[str, Any]] = {}
    for code in (*codes, "bad-request"):
        status = HTTP_STATUS[code]
        known = found.setdefault(status, {"model": ErrorResponse, "description": ""})
        known["description"] = ", ".join(filter(None, [known["description"], code]))
    return found
