"""Who I am: name, account, sign-in and tokens."""

from typing import Any

from fastapi import APIRouter, Request, Response

from taiji import __version__
from taiji.server.contract import messages as wire
from taiji.server.contract.errors import ApiError
from taiji.server.identity.auth import bearer_token, get_or_create_cookie, read_cookie, set_cookie
from taiji.server.identity.credentials import csrf_token, new_secret
from taiji.server.identity.users import User
from taiji.server.web.routes.deps import (
    Actor,
    Context,
    CurrentUser,
    client_address,
    error_responses,
    require_account,
)

router = APIRouter(prefix="/api", tags=["me"])


def me_view(person: User, cookie: str | None) -> wire.Json:
    """Return what somebody may know of themselves."""
    account = person.account
    return {
        "name": person.name,
        "account": None
        if account is None
        else {"name": account.name, "kind": account.account_type, "ratings": {}},
        "csrf": None if cookie is None else csrf_token(cookie),
        "protocol": wire.PROTOCOL,
        "version": __version__,
    }


def _cookie(request: Request) -> str:
    """Return the cookie of a request that must come from a browser."""
    cookie = read_cookie(request)
    if cookie is None or bearer_token(request) is not None:
        raise ApiError("csrf", "this needs a browser's cookie, not a token")
    return cookie


@router.get("/me", responses=error_responses("bad-token"))
async def read_me(request: Request, response: Response, hall: Context) -> dict[str, Any]:
    """Tell who I am; a visitor's first call sets the cookie."""
    response.headers["Cache-Control"] = "no-store"
    if bearer_token(request) is not None:
        return me_view(await hall.authenticator.authenticate(request), None)
    cookie = get_or_create_cookie(request, response)
    return me_view(await hall.users.find_by_cookie(cookie), cookie)


@router.patch("/me", responses=error_responses("csrf", "name-taken", "too-many-requests", "bad-token"))
async def rename_me(
    request: Request, change: wire.NameChange, hall: Context, person: Actor
) -> dict[str, Any]:
    """Change the name that others see."""
    cookie = _cookie(request)
    return me_view(await hall.users.rename(person, cookie, change.name), cookie)


@router.post(
    "/account",
    status_code=201,
    responses=error_responses("csrf", "name-taken", "too-many-requests", "bad-token"),
)
async def make_account(
    request: Request, new: wire.NewAccount, hall: Context, person: Actor
) -> dict[str, Any]:
    """Make an account; the games played so far go along."""
    cookie = _cookie(request)
    if person.account is not None:
        raise ApiError("name-taken", "you are signed in already")
    hall.rate_limiter.acquire("accounts", client_address(request))
    await hall.users.register(cookie, new.name, new.password, bot=new.bot)
    return me_view(await hall.users.find_by_cookie(cookie), cookie)


@router.post(
    "/session", responses=error_responses("csrf", "wrong-password", "too-many-requests", "bad-token")
)
async def sign_in(
    request: Request, response: Response, given: wire.SignIn, hall: Context, person: Actor
) -> dict[str, Any]:
    """Sign in with name and password."""
    old = _cookie(request)
    hall.rate_limiter.acquire("sign-ins", f"{client_address(request)} {given.name.lower()}")
    cookie = await hall.users.sign_in(old, given.name, given.password)
    set_cookie(request, response, cookie)
    return me_view(await hall.users.find_by_cookie(cookie), cookie)


@router.delete(
    "/session", status_code=204, responses=error_responses("csrf", "too-many-requests", "bad-token")
)
async def sign_out(request: Request, hall: Context, person: Actor) -> Response:
    """Sign out; the browser is a fresh visitor from now on."""
    await hall.users.sign_out(_cookie(request))
    response = Response(status_code=204)
    set_cookie(request, response, new_secret())
    return response


@router.get("/account/tokens", responses=error_responses("no-account"))
async def list_tokens(hall: Context, person: CurrentUser) -> dict[str, Any]:
    """List my bearer tokens."""
    return {"tokens": await hall.users.list_tokens(require_account(person))}


@router.post(
    "/account/tokens", status_code=201, responses=error_responses("csrf", "no-account", "too-many-requests")
)
async def make_token(new: wire.NewToken, hall: Context, person: Actor) -> dict[str, Any]:
    """Make a bearer token for a bot or script; it is shown this once."""
    identity, token = await hall.users.add_token(require_account(person), new.label)
    return {"id": identity, "label": new.label, "token": token}


@router.delete(
    "/account/tokens/{token_id}",
    status_code=204,
    responses=error_responses("csrf", "no-account", "not-found", "too-many-requests"),
)
async def revoke_token(token_id: str, hall: Context, person: Actor) -> Response:
    """Make a token worthless."""
    await hall.users.revoke_token(require_account(person), token_id)
    return Response(status_code=204)
