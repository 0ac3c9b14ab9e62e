"""Dependencies of the routes: the context, the user, and whether they may change anything."""

from typing import Annotated, Any

from fastapi import Depends, Path, Request
from starlette.requests import HTTPConnection

from taiji.rules import Game
from taiji.server.contract.errors import HTTP_STATUS, ApiError, ErrorResponse
from taiji.server.identity.auth import bearer_token
from taiji.server.identity.auth_limits import ClientAddress
from taiji.server.identity.origins import is_same_origin
from taiji.server.identity.users import ANONYMOUS, Account, User
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
    if not is_same_origin(request, context.settings):
        raise ApiError("foreign-origin")
    if bearer_token(request) is None and not context.authenticator.is_csrf_valid(request):
        raise ApiError("csrf")
    user = await context.authenticator.authenticate(request)
    if user is ANONYMOUS:
        raise ApiError("no-session")
    context.rate_limiter.acquire("changes", user.id)
    context.rate_limiter.acquire("changes from one address", client_address(request).address)
    return user


async def searcher(request: Request, user: Annotated[User, Depends(actor)]) -> User:
    """Return the user of a request that starts a search, within the rate limits."""
    context: AppContext = request.app.state.context
    context.rate_limiter.acquire("searches", user.id)
    context.rate_limiter.acquire("searches from one address", client_address(request).address)
    return user


async def browser_user(request: Request, user: Annotated[User, Depends(actor)]) -> User:
    """Return the user of a request that changes sessions or credentials, which a token may not do."""
    if user.session_id is None:
        raise ApiError("csrf", "this request needs a browser's cookie, not a token")
    return user


def require_account(user: User) -> Account:
    """Return the user's account, or raise `ApiError`."""
    if user.account is None:
        raise ApiError("no-account")
    return user.account


def client_address(connection: HTTPConnection) -> ClientAddress:
    """Return where a request comes from, as the connection or a trusted proxy says."""
    return ClientAddress.parse(connection.client.host if connection.client else "?")


async def build_game(context: AppContext, request: Request, text: str, *, by_computer: bool = False) -> Game:
    """Build the game that a visitor names, at the cost of the visitor's address."""
    return await context.games.build(text, client_address(request).address, by_computer=by_computer)


Context = Annotated[AppContext, Depends(get_context)]
CurrentUser = Annotated[User, Depends(current_user)]
Actor = Annotated[User, Depends(actor)]
CredentialId = Annotated[str, Path(min_length=1, max_length=32, pattern="^[A-Za-z0-9]+$")]
BrowserUser = Annotated[User, Depends(browser_user)]
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
