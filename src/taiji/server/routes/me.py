"""Who I am: name, account, sign-in and tokens."""

from typing import Any

from fastapi import APIRouter, Request, Response

from taiji import __version__
from taiji.server import wire
from taiji.server.errors import Refused
from taiji.server.identities import csrf_token, new_secret
from taiji.server.people import Person
from taiji.server.routes.deps import Actor, TheHall, Who, account_of, address_of, refusals
from taiji.server.seats import bearer, cookie_of, fresh_cookie, set_cookie

router = APIRouter(prefix="/api", tags=["me"])


def me_view(person: Person, cookie: str | None) -> wire.Json:
    """Return what somebody may know of themselves."""
    account = person.account
    return {
        "name": person.name,
        "account": None if account is None else {"name": account.name, "kind": account.kind, "ratings": {}},
        "csrf": None if cookie is None else csrf_token(cookie),
        "protocol": wire.PROTOCOL,
        "version": __version__,
    }


def _cookie(request: Request) -> str:
    """Return the cookie of a request that must come from a browser."""
    cookie = cookie_of(request)
    if cookie is None or bearer(request) is not None:
        raise Refused("csrf", "this needs a browser's cookie, not a token")
    return cookie


@router.get("/me", responses=refusals("bad-token"))
async def read_me(request: Request, response: Response, hall: TheHall) -> dict[str, Any]:
    """Tell who I am; a visitor's first call sets the cookie."""
    response.headers["Cache-Control"] = "no-store"
    if bearer(request) is not None:
        return me_view(await hall.seats.of(request), None)
    cookie = fresh_cookie(request, response)
    return me_view(await hall.people.of_cookie(cookie), cookie)


@router.patch("/me", responses=refusals("csrf", "name-taken", "too-many-requests", "bad-token"))
async def rename_me(
    request: Request, change: wire.NameChange, hall: TheHall, person: Actor
) -> dict[str, Any]:
    """Change the name that others see."""
    cookie = _cookie(request)
    return me_view(await hall.people.rename(person, cookie, change.name), cookie)


@router.post(
    "/account", status_code=201, responses=refusals("csrf", "name-taken", "too-many-requests", "bad-token")
)
async def make_account(
    request: Request, new: wire.NewAccount, hall: TheHall, person: Actor
) -> dict[str, Any]:
    """Make an account; the games played so far go along."""
    cookie = _cookie(request)
    if person.account is not None:
        raise Refused("name-taken", "you are signed in already")
    hall.limits.take("accounts", address_of(request))
    await hall.people.register(cookie, new.name, new.password, bot=new.bot)
    return me_view(await hall.people.of_cookie(cookie), cookie)


@router.post("/session", responses=refusals("csrf", "wrong-password", "too-many-requests", "bad-token"))
async def sign_in(
    request: Request, response: Response, given: wire.SignIn, hall: TheHall, person: Actor
) -> dict[str, Any]:
    """Sign in with name and password."""
    old = _cookie(request)
    hall.limits.take("sign-ins", f"{address_of(request)} {given.name.lower()}")
    cookie = await hall.people.sign_in(old, given.name, given.password)
    set_cookie(request, response, cookie)
    return me_view(await hall.people.of_cookie(cookie), cookie)


@router.delete("/session", status_code=204, responses=refusals("csrf", "too-many-requests", "bad-token"))
async def sign_out(request: Request, hall: TheHall, person: Actor) -> Response:
    """Sign out; the browser is a fresh visitor from now on."""
    await hall.people.sign_out(_cookie(request))
    response = Response(status_code=204)
    set_cookie(request, response, new_secret())
    return response


@router.get("/account/tokens", responses=refusals("no-account"))
async def list_tokens(hall: TheHall, person: Who) -> dict[str, Any]:
    """List my bearer tokens."""
    return {"tokens": await hall.people.tokens_of(account_of(person))}


@router.post(
    "/account/tokens", status_code=201, responses=refusals("csrf", "no-account", "too-many-requests")
)
async def make_token(new: wire.NewToken, hall: TheHall, person: Actor) -> dict[str, Any]:
    """Make a bearer token for a bot or script; it is shown this once."""
    identity, token = await hall.people.add_token(account_of(person), new.label)
    return {"id": identity, "label": new.label, "token": token}


@router.delete(
    "/account/tokens/{token_id}",
    status_code=204,
    responses=refusals("csrf", "no-account", "not-found", "too-many-requests"),
)
async def drop_token(token_id: str, hall: TheHall, person: Actor) -> Response:
    """Make a token worthless."""
    await hall.people.drop_token(account_of(person), token_id)
    return Response(status_code=204)
