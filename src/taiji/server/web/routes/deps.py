"""Dependencies of the routes: the context, the user, and whether they may change anything."""

from typing import Annotated, Any

from fastapi import Depends, Request

from taiji.server.contract.errors import HTTP_STATUS, ApiError, ErrorResponse
from taiji.server.identity.auth import bearer_token, is_csrf_valid
from taiji.server.identity.origins import is_same_origin
from taiji.server.identity.users import Account, User
from taiji.server.web.context import AppContext


async def get_context(request: Request) -> AppContext:
    """Return the context; a plain function would cost one thread per request."""
    context: AppContext = request.app.state.context
    return context


async def current_user(request: Request) -> User:
    """Return the user of a request that only reads."""
    context: AppContext = request.app.state.context
    return await context.authenticator.authenticate(request)


async def actor(request: Request) -> User:
    """Return the user of a request that changes something, protected against forged requests."""
    context: AppContext = request.app.state.context
    if not is_same_origin(request.headers, context.settings):
        raise ApiError("foreign-origin")
    if bearer_token(request) is None and not is_csrf_valid(request):
        raise ApiError("csrf")
    user = await context.authenticator.authenticate(request)
    context.rate_limiter.acquire("changes", user.id)
    context.rate_limiter.acquire("changes from one address", client_address(request))
    return user


async def searcher(request: Request, user: Annotated[User, Depends(actor)]) -> User:
    """Return the user of a request that starts a search, within the rate limits."""
    context: AppContext = request.app.state.context
    context.rate_limiter.acquire("searches", user.id)
    context.rate_limiter.acquire("searches from one address", client_address(request))
    return user


def require_account(user: User) -> Account:
    """Return the user's account, or raise `ApiError`."""
    if user.account is None:
        raise ApiError("no-account")
    return user.account


def client_address(request: Request) -> str:
    """Return the address of the client, for the rate limits of visitors without a cookie."""
    return request.client.host if request.client else "?"


Context = Annotated[AppContext, Depends(get_context)]
CurrentUser = Annotated[User, Depends(current_user)]
Actor = Annotated[User, Depends(actor)]
Searcher = Annotated[User, Depends(searcher)]


def error_responses(*codes: str) -> dict[int | str, dict[str, Any]]:
    """Return the documented errors of a route, besides those of all routes.

    They refer to the schema by its name: a `model` would cost FastAPI 1 ms per route and status at the start.
    """
    schema = {"$ref": f"#/components/schemas/{ErrorResponse.__name__}"}
    responses: dict[int | str, dict[str, Any]] = {}
    for code in (*codes, "bad-request"):
        status = HTTP_STATUS[code]
        known = responses.setdefault(
            status, {"description": "", "content": {"application/json": {"schema": schema}}}
        )
        known["description"] = ", ".join(filter(None, [known["description"], code]))
    return responses
